#include "experiments/results/table.h"

#include "experiments/sweep/own_files.h"
#include "support/error.h"

namespace attnlab::results {

Format parse_format(const std::string& name) {
  if (name == "md") return Format::markdown;
  if (name == "csv") return Format::csv;
  if (name == "json") return Format::json;
  if (name == "latex") return Format::latex;
  throw Error("unknown format '" + name + "': md, csv, json or latex");
}

std::string render_table(const std::filesystem::path& out, Format format) {
  const auto summary = summarize(collect(out));
  switch (format) {
    case Format::csv:
      return render_csv(summary);
    case Format::json:
      return render_json(summary);
    case Format::latex:
      return render_latex(lay_out(summary));
    default:
      return render_markdown(lay_out(summary));
  }
}

void write_results(const std::filesystem::path& out) {
  const auto summary = summarize(collect(out));
  const auto layout = lay_out(summary);
  sweep::OwnFiles files(out);
  files.write("results.csv", render_tidy_csv(summary));
  files.write("results.json", render_json(summary));
  if (const std::string heads = render_heads_csv(out, summary); !heads.empty()) files.write("heads.csv", heads);
  files.write("table.md", render_markdown(layout));
  files.write("table.tex", render_latex(layout));
}

}  // namespace attnlab::results
