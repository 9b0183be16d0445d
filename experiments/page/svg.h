#pragma once
/// Vector pictures. Colours stand in the shapes themselves, so that every program shows them; classes beside them let a
/// page recolour a picture for its theme. Series take Okabe and Ito's palette, which colour-blind readers tell apart,
/// and dashes where its colours are used up.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace attnlab::page {

/// Colours of a picture: text and axes, lesser text, grid lines, or one of the series.
struct Ink {
  enum class Kind { ink, soft, rule, series };
  Kind kind = Kind::ink;
  size_t series = 0;  ///< any number; colours repeat after `kSeriesColours`, dashes after three times as many
};

inline constexpr size_t kSeriesColours = 7;
inline constexpr Ink kInk{Ink::Kind::ink}, kSoft{Ink::Kind::soft}, kRule{Ink::Kind::rule};
inline Ink series_ink(size_t index) {
  return {Ink::Kind::series, index};
}

struct TextLook {
  Ink ink = kInk;
  double size = 12;              ///< pixels
  const char* anchor = "start";  ///< start, middle or end
  bool bold = false;
};

using Points = std::vector<std::pair<double, double>>;

/// A picture that grows by shapes, in pixels from the upper left corner. Texts are plain text.
class Svg {
 public:
  Svg(double width, double height, std::string title);

  void line(double x1, double y1, double x2, double y2, Ink ink, double width = 1);
  void circle(double x, double y, double radius, Ink ink, double opacity = 1, const std::string& hint = "");
  /// A ring: a circle without filling.
  void ring(double x, double y, double radius, Ink ink);
  void cross(double x, double y, double reach, Ink ink);
  void curve(const Points& points, Ink ink, double width = 2, double opacity = 1);
  void area(const Points& points, Ink ink, double opacity);
  void rectangle(double x, double y, double width, double height, Ink ink, double opacity,
                 const std::string& hint = "");
  void text(double x, double y, const std::string& content, const TextLook& look = {});
  /// Text that runs upwards, centred at (x, y).
  void upright_text(double x, double y, const std::string& content, const TextLook& look = {});
  /// Shapes between `open` and `close` form a group; `attributes` are the caller's own, e.g. "class=\"axes\"".
  void open(const std::string& attributes);
  void close();

  const std::string& title() const { return title_; }
  double width() const { return width_; }
  double height() const { return height_; }

  /// A file of its own: no background, and ink for the reader's light or dark setting.
  std::string document() const;
  /// An element for a page whose style is in figure.css. `attributes` are added to the outer element.
  std::string element(const std::string& attributes = "") const;

 private:
  std::string outer(const std::string& attributes, const std::string& before) const;

  double width_, height_;
  std::string title_, body_;
};

/// Round steps (1, 2, 5 times a power of ten) that cut [low, high] into about five parts; 1 if there is nothing to cut.
double tick_step(double low, double high);

/// Round numbers within [low, high] for an axis.
std::vector<double> ticks(double low, double high);

/// About how wide a text stands, in pixels: rather too much than too little.
double text_width(const std::string& text, double size = 12);

/// `text` with an ellipsis after at most `most` characters.
std::string shortened(const std::string& text, size_t most);

}  // namespace attnlab::page
