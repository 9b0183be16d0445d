#include "sacrebleu/command/test_sets.h"

#include <algorithm>

namespace sacrebleu {
namespace {

std::string file_name(std::string test_set) {
  std::replace(test_set.begin(), test_set.end(), '/', '_');
  return test_set;
}

}  // namespace

const std::vector<std::string>& test_set_names() {
  static const std::vector<std::string> names = {"wmt24",
                                                 "wmt23",
                                                 "wmt22",
                                                 "wmt21/systems",
                                                 "wmt21/dev",
                                                 "wmt21/D",
                                                 "wmt21/C",
                                                 "wmt21/B",
                                                 "wmt21/AC",
                                                 "wmt21/AB",
                                                 "wmt21",
                                                 "wmt20/tworefs",
                                                 "wmt20/robust/set3",
                                                 "wmt20/robust/set2",
                                                 "wmt20/robust/set1",
                                                 "wmt20/dev",
                                                 "wmt20",
                                                 "wmt19/google/wmtp",
                                                 "wmt19/google/hqr",
                                                 "wmt19/google/hqp",
                                                 "wmt19/google/hqall",
                                                 "wmt19/google/arp",
                                                 "wmt19/google/ar",
                                                 "wmt19/dev",
                                                 "wmt19",
                                                 "wmt18/test-ts",
                                                 "wmt18/dev",
                                                 "wmt18",
                                                 "wmt17/tworefs",
                                                 "wmt17/ms",
                                                 "wmt17/improved",
                                                 "wmt17/dev",
                                                 "wmt17/B",
                                                 "wmt17",
                                                 "wmt16/tworefs",
                                                 "wmt16/dev",
                                                 "wmt16/B",
                                                 "wmt16",
                                                 "wmt15",
                                                 "wmt14/full",
                                                 "wmt14",
                                                 "wmt13",
                                                 "wmt12",
                                                 "wmt11",
                                                 "wmt10",
                                                 "wmt09",
                                                 "wmt08/nc",
                                                 "wmt08/europarl",
                                                 "wmt08",
                                                 "multi30k/2018",
                                                 "multi30k/2017",
                                                 "multi30k/2016",
                                                 "mtnt2019",
                                                 "mtnt1.1/valid",
                                                 "mtnt1.1/train",
                                                 "mtnt1.1/test",
                                                 "mtedx/valid",
                                                 "mtedx/test",
                                                 "iwslt17/tst2016",
                                                 "iwslt17/tst2015",
                                                 "iwslt17/tst2014",
                                                 "iwslt17/tst2013",
                                                 "iwslt17/tst2012",
                                                 "iwslt17/tst2011",
                                                 "iwslt17/tst2010",
                                                 "iwslt17/dev2010",
                                                 "iwslt17"};
  return names;
}

std::vector<std::string> TestSetFolder::names_below(const std::string& test_set) const {
  std::vector<std::string> names;
  const auto folder = folder_ / test_set;
  if (!std::filesystem::is_directory(folder)) return names;
  const std::string prefix = file_name(test_set) + '.';
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> TestSetFolder::language_pairs(const std::string& test_set) const {
  std::vector<std::string> pairs;
  for (const auto& name : names_below(test_set)) {
    const std::string pair = name.substr(0, name.find('.'));
    if (pair != name && (pairs.empty() || pairs.back() != pair)) pairs.push_back(pair);
  }
  return pairs;
}

std::vector<std::string> TestSetFolder::fields(const std::string& test_set, const std::string& pair) const {
  std::vector<std::string> fields;
  for (const auto& name : names_below(test_set)) {
    if (!name.starts_with(pair + '.')) continue;
    std::string field = name.substr(pair.size() + 1);
    // References of several translators are stored with a dash, since some file systems know no colon.
    if (field.starts_with("ref-")) field[3] = ':';
    fields.push_back(field);
  }
  const auto rank = [](const std::string& field) { return field == "src" ? 0 : field.starts_with("ref") ? 1 : 2; };
  std::stable_sort(fields.begin(), fields.end(), [&](const auto& x, const auto& y) { return rank(x) < rank(y); });
  return fields;
}

std::string TestSetFolder::file(const std::string& test_set, const std::string& pair, const std::string& field) const {
  std::string stored = field;
  std::replace(stored.begin(), stored.end(), ':', '-');
  return (folder_ / test_set / (file_name(test_set) + '.' + pair + '.' + stored)).string();
}

}  // namespace sacrebleu
