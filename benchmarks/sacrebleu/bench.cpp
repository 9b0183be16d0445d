// sacrebleu_bench WORK REPEATS REFERENCES SYSTEM...: does one piece of work on text files and prints the least seconds
// of processor time that a repeat took, and the score. compare.py runs it beside the Python original.

#include <ctime>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "sacrebleu/bleu.h"
#include "sacrebleu/chrf.h"
#include "sacrebleu/significance.h"
#include "sacrebleu/ter.h"

namespace {

using Lines = std::vector<std::string>;
using Work = std::function<double(const std::vector<Lines>& references, const std::vector<Lines>& systems)>;

Lines read(const std::string& path) {
  Lines lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double paired(sacrebleu::PairedTest test, const std::vector<Lines>& references, const std::vector<Lines>& systems) {
  const sacrebleu::BLEU bleu;
  std::vector<sacrebleu::NamedSystem> named;
  for (const auto& system : systems) named.push_back({"system " + std::to_string(named.size()), &system});
  sacrebleu::PairedOptions options;
  options.test = test;
  return *sacrebleu::paired_test(named, {&bleu}, references, options).front().results.back().p_value;
}

const std::map<std::string, Work>& works() {
  static const std::map<std::string, Work> all = {
      {"bleu", [](const auto& r, const auto& s) { return sacrebleu::BLEU().corpus_score(s[0], r).score; }},
      {"chrf", [](const auto& r, const auto& s) { return sacrebleu::CHRF().corpus_score(s[0], r).score; }},
      {"chrf++",
       [](const auto& r, const auto& s) {
         sacrebleu::ChrfOptions options;
         options.word_order = 2;
         return sacrebleu::CHRF(options).corpus_score(s[0], r).score;
       }},
      {"ter", [](const auto& r, const auto& s) { return sacrebleu::TER().corpus_score(s[0], r).score; }},
      {"bootstrap", [](const auto& r, const auto& s) { return paired(sacrebleu::PairedTest::bootstrap, r, s); }},
      {"randomisation",
       [](const auto& r, const auto& s) { return paired(sacrebleu::PairedTest::randomisation, r, s); }},
  };
  return all;
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc < 5 || !works().contains(argv[1])) {
    std::cerr << "usage: sacrebleu_bench bleu|chrf|chrf++|ter|bootstrap|randomisation REPEATS REFERENCES SYSTEM...\n";
    return 2;
  }
  const std::vector<Lines> references = {read(argv[3])};
  std::vector<Lines> systems;
  for (int i = 4; i < argc; ++i) systems.push_back(read(argv[i]));
  double best = 1e30;
  double result = 0;
  for (int i = 0; i < std::stoi(argv[2]); ++i) {
    const double start = seconds();
    result = works().at(argv[1])(references, systems);
    best = std::min(best, seconds() - start);
  }
  std::cout.precision(17);
  std::cout << best << ' ' << result << '\n';
}
