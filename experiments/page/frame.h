#pragma once
/// What every offline page has: one HTML file that asks for nothing outside itself and runs nothing but its own script,
/// which its content security policy enforces.

#include <string>
#include <string_view>

namespace attnlab::page {

/// The text of an embedded part (cmake/AttnlabEmbed.cmake).
std::string joined(const char* const* parts);

/// Scripts as one, closed off from the global scope.
std::string closed_script(const char* const* parts);

/// Everything from the doctype to the opened body. `script` and `style` are the page's only ones, exactly as `head` and
/// `tail` write them: the policy names their hashes. `title` is plain text.
std::string head(const std::string& title, const std::string& style, const std::string& script);

/// The page's data as JSON in the element #data, its script, and the closed document.
std::string tail(const std::string& json, const std::string& script);

/// Base64 of bytes (RFC 4648).
std::string base64(std::string_view bytes);

}  // namespace attnlab::page
