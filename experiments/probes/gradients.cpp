#include "experiments/probes/gradients.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "experiments/checkpoint/named_weights.h"
#include "experiments/data/tensors.h"
#include "experiments/page/figure.h"
#include "experiments/training/loss.h"
#include "support/files.h"
#include "support/number_text.h"

namespace attnlab::probes {

namespace {

modules::Transformer copy_of(modules::Transformer& model) {
  modules::Transformer copy(model->options());
  copy->to(model->parameters().front().device());
  checkpoint::load_weights(*copy, checkpoint::named_weights(*model), "the copy");
  copy->train();
  return copy;
}

torch::Tensor mean_loss(modules::Transformer& model, const spec::TrainingConfig& training, const data::Batch& batch,
                        int32_t pad) {
  const auto tensors = data::to_tensors(batch, model->parameters().front().device());
  modules::Context context;
  const torch::Tensor states = model->target_states(tensors.source, tensors.source_lengths, tensors.target_input,
                                                    tensors.target_lengths, context);
  const auto smoothed = training::smoothed_target(training::smoothing_rule(training.label_smoothing_rule),
                                                  training.label_smoothing, model->options().target_vocab, pad);
  const torch::Tensor sum = training::projected_cross_entropy(states, model->output_matrix(), tensors.labels, smoothed);
  return sum / static_cast<double>(tensors.target_tokens);
}

/// "decoder.layers.3.feed_forward.w_2" in parts.
struct Place {
  std::string stack, sublayer;
  int64_t layer = 0;
  bool is_w_2 = false;
};

/// Nothing for parameters outside the layers.
std::optional<Place> place_of(const std::string& name) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    words.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  if (words.size() < 5 || words[1] != "layers") return std::nullopt;
  const bool norm = words[3].ends_with("_add_norm");
  return Place{words[0], norm ? "norms" : words[3], std::stoll(words[2]), words[4] == "w_2"};
}

LayerGradients& layer_of(std::vector<LayerGradients>& layers, const Place& place) {
  for (LayerGradients& layer : layers) {
    if (layer.stack == place.stack && layer.layer == place.layer) return layer;
  }
  layers.push_back({place.stack, place.layer, {}});
  return layers.back();
}

Json to_json(const GradientReport& report, const std::string& when) {
  Json layers = Json::array();
  for (const LayerGradients& layer : report.layers) {
    Json norms = Json::object();
    for (const auto& [name, norm] : layer.norms) norms[name] = finite_or_null(norm);
    layers.push_back({{"stack", layer.stack}, {"layer", layer.layer}, {"norms", norms}});
  }
  return {{"when", when},
          {"step", report.step},
          {"loss", finite_or_null(report.loss)},
          {"norm", finite_or_null(report.norm)},
          {"layers", layers}};
}

/// The W_2 norms of one stack, by layer.
std::vector<double> w_2_norms(const Json& measurement, const std::string& stack) {
  std::vector<double> norms;
  for (const Json& layer : measurement["layers"]) {
    if (layer["stack"] == stack && layer["norms"]["w_2"].is_number()) norms.push_back(layer["norms"]["w_2"]);
  }
  return norms;
}

std::string draw(const Json& measurements) {
  page::Chart chart;
  chart.title = "Gradient of the feed-forward network's second matrix (W_2), by layer";
  chart.x_label = "layer";
  chart.y_label = "L2 norm of the gradient per token";
  chart.logarithmic = true;
  for (const Json& measurement : measurements) {
    for (const std::string stack : {"encoder", "decoder"}) {
      page::Series series{fmt::format("{}, step {}", stack, measurement["step"].get<int64_t>()), {}};
      double layer = 0;
      for (const double norm : w_2_norms(measurement, stack)) series.points.emplace_back(++layer, norm);
      chart.series.push_back(std::move(series));
    }
  }
  return page::draw_chart(chart).document();
}

class Gradients : public Probe {
 public:
  explicit Gradients(const ProbeInput& input)
      : config_(input.config), pad_(input.dataset.target_tokenizer.pad()), file_(input.folder / "gradients.json") {
    batch_ = gradient_batch(input.config, input.dataset);
    warm_ = std::min(config_.training.schedule.warmup, config_.training.steps);
  }

  void begin(modules::Transformer& model) override {
    if (std::filesystem::exists(file_)) document_ = read_json(file_, "the gradients of this run");
    if (!document_.contains("measurements")) {
      document_ = {{"batch", {{"pairs", batch_.rows}, {"target_tokens", batch_.target_tokens}}},
                   {"measurements", Json::array()}};
      keep(model, 0, "start");
    }
  }

  void stepped(modules::Transformer& model, int64_t step) override {
    if (step == warm_) keep(model, step, "warm");
  }

  Findings finish(modules::Transformer&, bool) override {
    Findings findings;
    findings.document = document_;
    findings.picture = draw(document_["measurements"]);
    for (const Json& measurement : document_["measurements"]) {
      const std::string prefix = "gradients." + measurement["when"].get<std::string>();
      if (measurement["norm"].is_number()) findings.metrics[prefix + ".norm"] = measurement["norm"];
      const std::vector<double> norms = w_2_norms(measurement, "decoder");
      if (norms.empty()) continue;
      findings.metrics[prefix + ".w_2_first"] = norms.front();
      findings.metrics[prefix + ".w_2_last"] = norms.back();
    }
    return findings;
  }

 private:
  /// A step that is done again after a resumption gives the same numbers.
  void keep(modules::Transformer& model, int64_t step, const std::string& when) {
    GradientReport report = measure_gradients(model, config_, batch_, pad_);
    report.step = step;
    Json& list = document_["measurements"];
    const auto same = std::find_if(list.begin(), list.end(), [&](const Json& known) { return known["when"] == when; });
    if (same != list.end()) {
      *same = to_json(report, when);
    } else {
      list.push_back(to_json(report, when));
    }
    write_file_atomically(file_, document_.dump(2) + "\n");
  }

  const spec::RunConfig& config_;
  int32_t pad_;
  std::filesystem::path file_;
  data::Batch batch_;
  int64_t warm_ = 0;
  Json document_ = Json::object();
};

}  // namespace

GradientReport measure_gradients(modules::Transformer& model, const spec::RunConfig& config, const data::Batch& batch,
                                 int32_t pad) {
  const torch::AutoGradMode with_gradients(true);
  modules::Transformer copy = copy_of(model);
  const torch::Tensor loss = mean_loss(copy, config.training, batch, pad);
  loss.backward();

  GradientReport report;
  report.loss = loss.item<double>();
  double all = 0;
  for (const auto& [name, parameter] : checkpoint::named_parameters(*copy)) {
    if (!parameter.grad().defined()) continue;
    const double norm = parameter.grad().norm().item<double>();
    all += norm * norm;
    const auto place = place_of(name);
    if (!place) continue;
    auto& norms = layer_of(report.layers, *place).norms;
    norms[place->sublayer] = std::hypot(norms[place->sublayer], norm);
    if (place->is_w_2) norms["w_2"] = norm;
  }
  report.norm = std::sqrt(all);
  return report;
}

data::Batch gradient_batch(const spec::RunConfig& config, const data::Dataset& dataset) {
  std::vector<int64_t> rows;
  size_t longest = 0;
  for (const data::PairView pair : dataset.train) {
    longest = std::max({longest, pair.source.size(), pair.target.size()});
    const bool fits = static_cast<int64_t>(longest * (rows.size() + 1)) <= config.training.batch_tokens;
    if (!fits && !rows.empty()) break;
    rows.push_back(static_cast<int64_t>(rows.size()));
  }
  return data::make_batch(dataset.train, rows, dataset.target_tokenizer.pad(), dataset.target_tokenizer.bos());
}

std::unique_ptr<Probe> make_gradients(const ProbeInput& input) {
  return std::make_unique<Gradients>(input);
}

}  // namespace attnlab::probes
