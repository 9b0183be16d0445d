#pragma once
/// Foreign text inside HTML, SVG and scripts.

#include <string>

namespace attnlab::page {

/// Text as a person reads it: control, direction and line-breaking characters as ⟨U+XXXX⟩, broken UTF-8 as U+FFFD.
std::string printable(const std::string& text);

/// `printable` text for an element or a quoted attribute of HTML and XML: & < > " ' escaped.
std::string xml_text(const std::string& text);

/// JSON that may stand in a <script> element: <, > and & as \u escapes.
std::string script_safe(const std::string& json);

/// A relative path as the address of a link: what has a meaning in addresses, and everything outside ASCII, as %XX; the
/// slashes stay.
std::string link_address(const std::string& path);

/// A name for a file: its letters, digits, dots and hyphens, shortened; where that is not all of it, a checksum keeps
/// different names apart.
std::string file_name(const std::string& text);

}  // namespace attnlab::page
