#include "modules/options_check.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "modules/attention/problems.h"
#include "modules/norms/registry.h"
#include "modules/positions/registry.h"
#include "support/edit_distance.h"

namespace attnlab::modules {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class Variant>
Names names_of(const std::vector<Variant>& variants) {
  Names names;
  for (const auto& variant : variants) {
    names.push_back(variant.name);
  }
  return names;
}

// The layouts of all position methods.
Names layout_names() {
  Names names;
  for (const auto& variant : position_variants()) {
    for (const auto& layout : variant.traits.layouts) {
      if (!contains(names, layout)) {
        names.push_back(layout);
      }
    }
  }
  return names;
}

std::string unknown(std::string_view key, const std::string& name, const Names& known) {
  const auto nearest = *std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) {
    return edit_distance(a, name) < edit_distance(b, name);
  });
  return fmt::format("{}: \"{}\" is not known; expected one of {}. The nearest is \"{}\".", key, name,
                     fmt::join(known, ", "), nearest);
}

/// Collects the problems of one set of options.
class Check {
 public:
  explicit Check(const TransformerOptions& options) : o_(options) {}

  Names run() {
    sizes();
    widths();
    names();
    rates();
    positions("encoder_positions", o_.encoder_positions, Stack::encoder);
    positions("decoder_positions", o_.decoder_positions, Stack::decoder);
    kernel();
    return std::move(found_);
  }

 private:
  void require(bool good, std::string problem) {
    if (!good) {
      found_.push_back(std::move(problem));
    }
  }

  void one_of(std::string_view key, const std::string& name, const Names& known) {
    if (!contains(known, name)) {
      found_.push_back(unknown(key, name, known));
    }
  }

  void at_least(std::string_view key, int64_t value, int64_t least) {
    require(value >= least, fmt::format("{}: expected at least {}, got {}.", key, least, value));
  }

  void sizes() {
    at_least("d_model", o_.d_model, 1);
    at_least("heads", o_.heads, 1);
    at_least("d_k", o_.d_k, 0);
    at_least("d_v", o_.d_v, 0);
    at_least("d_ff", o_.d_ff, 1);
    at_least("encoder_layers", o_.encoder_layers, 1);
    at_least("decoder_layers", o_.decoder_layers, 1);
  }

  void widths() {
    if (o_.d_model < 1 || o_.heads < 1 || (o_.d_k > 0 && o_.d_v > 0)) {
      return;
    }
    require(o_.d_model % o_.heads == 0,
            fmt::format(
                "heads: d_model {} is not divisible by {} heads; choose another number of heads, or set d_k and d_v.",
                o_.d_model, o_.heads));
  }

  void names() {
    one_of("activation", o_.activation, {"relu", "gelu"});
    one_of("tying", o_.tying, {"three_way", "two_way", "none"});
    one_of("attention", o_.attention, names_of(attention_variants()));
    one_of("norm.type", o_.norm.type, names_of(norm_variants()));
    one_of("norm.placement", o_.norm.placement, names_of(placement_variants()));
    require(std::isfinite(o_.norm.epsilon) && o_.norm.epsilon > 0,
            fmt::format("norm.epsilon: expected a number above 0, got {}.", o_.norm.epsilon));
    scale("norm.residual_scale", o_.norm.residual_scale);
    scale("norm.initial_scale", o_.norm.initial_scale);
  }

  void scale(std::string_view key, double value) {
    require(std::isfinite(value) && value >= 0,
            fmt::format("{}: expected a number above 0, or 0 for the placement's own, got {}.", key, value));
  }

  void rate(std::string_view key, double value) {
    require(value >= 0 && value < 1, fmt::format("dropout.{}: expected a probability in [0, 1), got {}.", key, value));
  }

  void rates() {
    rate("embedding", o_.dropout.embedding);
    rate("attention", o_.dropout.attention);
    rate("activation", o_.dropout.activation);
    rate("residual", o_.dropout.residual);
  }

  void positions(const std::string& key, const PositionOptions& positions, Stack stack) {
    one_of(key + ".type", positions.type, names_of(position_variants()));
    one_of(key + ".beyond", positions.beyond, {"error", "clamp", "interpolate"});
    one_of(key + ".layout", positions.layout, layout_names());
    at_least(key + ".max_length", positions.max_length, 1);
    at_least(key + ".sinusoidal_width", positions.sinusoidal_width, 0);
    at_least(key + ".max_distance", positions.max_distance, 0);
    at_least(key + ".buckets", positions.buckets, 2);
    require(std::isfinite(positions.base) && positions.base > 1,
            fmt::format("{}.base: expected a number above 1, got {}.", key, positions.base));
    if (const auto* variant = find_positions(positions.type)) {
      method(key, *variant, positions, stack);
    }
  }

  // What the chosen method asks of the sizes and of its own options.
  void method(const std::string& key, const PositionVariant& variant, const PositionOptions& positions, Stack stack) {
    const auto& traits = variant.traits;
    require(!traits.even_width || o_.d_model % 2 == 0,
            fmt::format("{}.type: \"{}\" needs an even d_model (sines and cosines come in pairs), got {}.", key,
                        variant.name, o_.d_model));
    const bool sized = o_.d_model >= 1 && o_.heads >= 1 && o_.d_k >= 0;
    require(!traits.even_d_k || !sized || o_.key_width() % 2 == 0,
            fmt::format("{}.type: \"{}\" needs an even d_k (elements are turned in pairs), got {}; set d_k, or choose "
                        "another number of heads.",
                        key, variant.name, sized ? o_.key_width() : 0));
    const auto& layouts = traits.layouts;
    require(layouts.empty() || contains(layouts, positions.layout) || !contains(layout_names(), positions.layout),
            fmt::format("{}.layout: \"{}\" is no layout of \"{}\", which takes {}.", key, positions.layout,
                        variant.name, fmt::join(layouts, ", ")));
    require(!traits.bounded || stack == Stack::encoder || positions.beyond != "interpolate",
            fmt::format("{}.beyond: \"interpolate\" stretches the table over the whole sequence, whose length is not "
                        "known while a decoder writes it; use \"clamp\" or \"error\" here.",
                        key));
    if (variant.problems != nullptr && sized) {
      for (const auto& problem : variant.problems(positions, o_, stack)) {
        found_.push_back(key + "." + problem);
      }
    }
  }

  void kernel() {
    if (const auto* attention = find_attention(o_.attention)) {
      for (auto& problem : attnlab::modules::problems(*attention, o_)) {
        found_.push_back(std::move(problem));
      }
    }
  }

  const TransformerOptions& o_;
  Names found_;
};

}  // namespace

std::vector<std::string> problems(const TransformerOptions& options) {
  return Check(options).run();
}

void require_possible(const TransformerOptions& options) {
  auto found = problems(options);
  if (options.source_vocab < 1 || options.target_vocab < 1) {
    found.push_back(fmt::format("The vocabularies must have at least one piece, got {} (source) and {} (target).",
                                options.source_vocab, options.target_vocab));
  }
  if (options.tying == "three_way" && options.source_vocab != options.target_vocab) {
    found.push_back(fmt::format(
        "tying: \"three_way\" needs one joint vocabulary, got {} source and {} target pieces; train a joint "
        "tokenizer, or use \"two_way\" or \"none\".",
        options.source_vocab, options.target_vocab));
  }
  if (!found.empty()) {
    throw Error(fmt::format("There is no such model: {}", fmt::join(found, " ")));
  }
}

Error unknown_attention(const std::string& name) {
  return Error(unknown("attention", name, names_of(attention_variants())));
}
Error unknown_positions(const std::string& name) {
  return Error(unknown("positions.type", name, names_of(position_variants())));
}
Error unknown_norm(const std::string& name) {
  return Error(unknown("norm.type", name, names_of(norm_variants())));
}
Error unknown_placement(const std::string& name) {
  return Error(unknown("norm.placement", name, names_of(placement_variants())));
}
Error unknown_activation(const std::string& name) {
  return Error(unknown("activation", name, {"relu", "gelu"}));
}

}  // namespace attnlab::modules
