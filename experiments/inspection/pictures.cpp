#include "experiments/inspection/pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "experiments/page/markup.h"
#include "experiments/page/svg.h"

namespace attnlab::inspection {

namespace {

using page::printable;
using page::tick_step;
using page::xml_text;

constexpr const char* kPositive = "#0072b2";  // Okabe & Ito: blue
constexpr const char* kNegative = "#d55e00";  // and vermilion

/// An SVG document that grows by shapes.
class Picture {
 public:
  void rectangle(double x, double y, double width, double height, const std::string& fill, double opacity) {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" fill=\"{}\" "
        "fill-opacity=\"{:.3f}\"/>\n",
        x, y, width, height, fill, opacity);
  }
  void frame(double x, double y, double width, double height) {
    body_ +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" class=\"frame\"/>\n",
                    x, y, width, height);
  }
  void line(double x1, double y1, double x2, double y2) {
    body_ +=
        fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"rule\"/>\n", x1, y1, x2, y2);
  }
  void dot(double x, double y, const std::string& hint) {
    body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}</title></circle>\n", x, y,
                         kPositive, xml_text(hint));
  }
  void curve(const std::vector<std::pair<double, double>>& points) {
    std::string list;
    for (const auto& [x, y] : points) list += fmt::format("{:.1f},{:.1f} ", x, y);
    body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", list, kPositive);
  }
  void text(double x, double y, const std::string& content, const std::string& classes, const std::string& more = "") {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\"{}>{}</text>\n", x, y, classes, more,
                         xml_text(content));
  }
  std::string finish(double width, double height, const std::string& title) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" role=\"img\">\n"
        "<title>{2}</title>\n"
        "<style>text{{font:12px system-ui,-apple-system,'Segoe UI','DejaVu "
        "Sans',sans-serif;fill:#1f2328}}.title{{font-size:14px;font-weight:600}}"
        ".soft{{fill:#59636e}}.end{{text-anchor:end}}.middle{{text-anchor:middle}}.small{{font-size:10px}}"
        ".frame{{fill:none;stroke:#8c959f;stroke-opacity:.35}}.rule{{stroke:#8c959f;stroke-opacity:.45}}"
        "@media (prefers-color-scheme:dark){{text{{fill:#e6edf3}}.soft{{fill:#9198a1}}}}</style>\n{3}</svg>\n",
        width, height, xml_text(title), body_);
  }

 private:
  std::string body_;
};

struct KindBlock {
  int64_t layers = 0, heads = 0;
};

std::map<AttentionKind, KindBlock> blocks_of(const std::map<HeadAddress, double>& values) {
  std::map<AttentionKind, KindBlock> blocks;
  for (const auto& entry : values) {
    KindBlock& block = blocks[entry.first.kind];
    block.layers = std::max(block.layers, entry.first.layer + 1);
    block.heads = std::max(block.heads, entry.first.head + 1);
  }
  return blocks;
}

}  // namespace

std::string draw_heads(const std::map<HeadAddress, double>& values, const std::string& title) {
  constexpr double cell_width = 58, cell_height = 30, gap = 3, left = 88;
  double largest = 0;
  for (const auto& entry : values) largest = std::max(largest, std::abs(entry.second));
  Picture picture;
  picture.text(16, 26, title, "title");
  double y = 48, width = 16 + 7.4 * static_cast<double>(title.size());
  for (const auto& [kind, block] : blocks_of(values)) {
    picture.text(16, y + 12, to_string(kind), "");
    for (int64_t head = 0; head < block.heads; ++head) {
      picture.text(left + (cell_width + gap) * static_cast<double>(head) + cell_width / 2, y + 12,
                   fmt::format("head {}", head), "soft middle small");
    }
    y += 20;
    for (int64_t layer = 0; layer < block.layers; ++layer) {
      picture.text(left - 8, y + cell_height / 2 + 4, fmt::format("layer {}", layer), "soft end");
      for (int64_t head = 0; head < block.heads; ++head) {
        const auto found = values.find({kind, layer, head});
        const double x = left + (cell_width + gap) * static_cast<double>(head);
        picture.frame(x, y, cell_width, cell_height);
        if (found == values.end()) continue;
        const double value = found->second;
        picture.rectangle(x, y, cell_width, cell_height, value < 0 ? kNegative : kPositive,
                          largest > 0 ? 0.75 * std::abs(value) / largest : 0);
        picture.text(x + cell_width / 2, y + cell_height / 2 + 4, fmt::format("{:.3g}", value), "middle");
      }
      y += cell_height + gap;
    }
    width = std::max(width, left + (cell_width + gap) * static_cast<double>(block.heads) + 16);
    y += 16;
  }
  return picture.finish(width, y, title);
}

std::string draw_pruning(const std::vector<PruningStep>& steps) {
  constexpr double width = 640, height = 380, left = 64, right = 20, top = 48, bottom = 52;
  const bool has_bleu =
      std::any_of(steps.begin(), steps.end(), [](const PruningStep& step) { return step.bleu.has_value(); });
  double low = has_bleu ? 0 : std::numeric_limits<double>::infinity(), high = has_bleu ? 1 : -low;
  std::vector<std::pair<double, double>> values;
  for (const PruningStep& step : steps) {
    if (has_bleu && !step.bleu) continue;
    const double value = has_bleu ? *step.bleu : step.loss;
    if (!std::isfinite(value)) continue;
    values.emplace_back(static_cast<double>(step.kept), value);
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (values.empty()) low = 0, high = 1;
  const double most = steps.empty() ? 1 : std::max<double>(1, static_cast<double>(steps.front().kept));
  const double step = tick_step(low, high);
  low = std::floor(low / step) * step;
  high = std::max(std::ceil(high / step) * step, low + step);
  const auto x_of = [&](double kept) { return left + (width - left - right) * (most - kept) / most; };
  const auto y_of = [&](double value) { return top + (height - top - bottom) * (high - value) / (high - low); };

  Picture picture;
  const std::string title = has_bleu ? "BLEU against heads kept (removed greedily by validation loss)"
                                     : "Validation loss against heads kept (removed greedily)";
  picture.text(16, 26, title, "title");
  for (double value = low; value <= high + step / 2; value += step) {
    picture.line(left, y_of(value), width - right, y_of(value));
    picture.text(left - 8, y_of(value) + 4, fmt::format("{:.6g}", value + 0.0), "soft end");
  }
  const double x_step = std::max(1.0, tick_step(0, most));
  for (double kept = 0; kept <= most + 1e-9; kept += x_step)
    picture.text(x_of(kept), height - bottom + 18, fmt::format("{:.0f}", kept), "soft middle");
  picture.text((left + width - right) / 2, height - 12, "heads kept", "middle");
  std::vector<std::pair<double, double>> points;
  for (const auto& [kept, value] : values) points.emplace_back(x_of(kept), y_of(value));
  picture.curve(points);
  for (size_t i = 0; i < points.size(); ++i) {
    picture.dot(points[i].first, points[i].second,
                fmt::format("{:.0f} heads kept: {:.4g}", values[i].first, values[i].second));
  }
  return picture.finish(width, height, title);
}

std::string draw_matrix(const torch::Tensor& weights, const Tokens& queries, const Tokens& keys,
                        const std::string& title) {
  const double cell = std::clamp(720.0 / static_cast<double>(std::max<size_t>(1, keys.size())), 8.0, 26.0);
  const auto label_width = [](const Tokens& tokens) {
    size_t longest = 0;
    for (const Token& token : tokens) longest = std::max(longest, printable(token.piece).size());
    return 7.0 * static_cast<double>(std::min<size_t>(longest, 24)) + 14;
  };
  const double left = label_width(queries) + 10, top = 40 + label_width(keys);
  Picture picture;
  picture.text(16, 26, title, "title");
  for (size_t k = 0; k < keys.size(); ++k) {
    const double x = left + cell * (static_cast<double>(k) + 0.5) + 4;
    picture.text(x, top - 6, printable(keys[k].piece), "small",
                 fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, top - 6));
  }
  for (size_t q = 0; q < queries.size(); ++q) {
    const double y = top + cell * static_cast<double>(q);
    picture.text(left - 6, y + cell / 2 + 4, printable(queries[q].piece), "end small");
    for (size_t k = 0; k < keys.size(); ++k) {
      const double weight = weights[static_cast<int64_t>(q)][static_cast<int64_t>(k)].item<double>();
      if (weight >= 0.002)
        picture.rectangle(left + cell * static_cast<double>(k), y, cell - 1, cell - 1, kPositive,
                          std::min(1.0, weight));
    }
  }
  const double right = left + cell * static_cast<double>(keys.size()),
               bottom = top + cell * static_cast<double>(queries.size());
  picture.frame(left, top, right - left, bottom - top);
  return picture.finish(std::max(right + 16, 32 + 7.4 * static_cast<double>(title.size())), bottom + 16, title);
}

}  // namespace attnlab::inspection
