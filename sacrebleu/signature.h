#pragma once
/// The signature of a score: everything that another person needs to compute the same number.

#include <string>
#include <vector>

namespace sacrebleu {

/// The version of sacreBLEU whose behaviour this library reproduces.
inline constexpr const char* kVersion = "2.6.0";

/// An ordered list of keys, long and short, with their values; the version stands last.
class Signature {
 public:
  struct Field {
    std::string name, short_name, value;
  };

  Signature() = default;
  /// references: how many every line has; -1 when that differs from line to line ("var").
  explicit Signature(int references);

  /// Appends a key.
  void add(const std::string& name, const std::string& short_name, const std::string& value);
  /// Sets one of the keys of significance tests, which stand after nrefs in the order bs, ar, seed.
  void set_samples(const std::string& test, int samples);
  void set_seed(const std::string& seed);

  /// "nrefs:1|case:mixed|...|version:2.6.0", or with the short names "#:1|c:mixed|...|v:2.6.0".
  [[nodiscard]] std::string format(bool shorter = false) const;
  [[nodiscard]] std::vector<Field> fields() const;

 private:
  std::string references_, bootstrap_, randomisation_, seed_;
  std::vector<Field> fields_;
};

}  // namespace sacrebleu
