#pragma once
/// The words of the `pronouns` corpus: English, German, and what fits what. Tables only; how words are put together is
/// in english.h and german.h.

#include <string_view>
#include <vector>

namespace attnlab::data::pronouns {

enum class Gender { masculine, feminine, neuter };
enum class Case { nominative, accusative, dative };

/// What a noun names. A verb and an adjective fit some kinds: a set of these bits.
using Kinds = unsigned;
inline constexpr Kinds kHuman = 1, kAnimal = 2, kWay = 4, kWater = 8, kPlace = 16, kThing = 32, kContainer = 64,
                       kVehicle = 128, kFood = 256;
inline constexpr Kinds kAllButHuman = kAnimal | kWay | kWater | kPlace | kThing | kContainer | kVehicle | kFood;

struct Noun {
  std::string_view english, german;
  Gender gender;
  Kinds kind;  ///< exactly one bit
  std::string_view
      oblique{};  ///< German accusative and dative of the weak nouns (der Löwe, den Löwen); empty: as the nominative
};

/// An adjective; `german` is the stem to which endings are added ("müde" is only used after "war").
struct Adjective {
  std::string_view english, german;
  Kinds fits;
};

/// Whether "because" wants the sentence denied: "didn't cross ... because", but "avoided ... because".
enum class Polarity { positive, negative };

/// A preposition with the case that its German counterpart takes here.
struct Preposition {
  std::string_view english, german;
  Case german_case;
};

/// A main clause: who does what to what (`object`, an accusative), and where to (`place` with its preposition). One of
/// the last two may be missing (0, nullptr).
struct Frame {
  std::string_view english_past, english_base, german_past, german_infinitive;
  Kinds subject, object;
  const Preposition* preposition;
  Kinds place;
  Polarity with_because;
};

/// "because the woman had fed it", and "that the woman saw": a human does something to a noun that fits.
struct Deed {
  std::string_view english, german;
  Kinds fits;
};

/// "that lay behind the house".
struct Posture {
  std::string_view english, german;
  Kinds fits;
};

/// A time, with a digit for each word: words with the same digit are translations of each other.
struct Adverb {
  std::string_view english, english_links, german, german_links;
};

/// A conjunction, or a word of degree ("too", "zu").
struct Plain {
  std::string_view english, german;
};

const std::vector<Noun>& nouns();
const std::vector<Adjective>& predicates();  ///< after "was"; those of the two nouns of a frame never overlap
const std::vector<Adjective>& attributes();  ///< before a noun; they fit widely and tell nothing about the pronoun
const std::vector<Frame>& frames();
const std::vector<Deed>& participles();  ///< "fed", "gefüttert"; those of the two nouns of a frame never overlap
const std::vector<Deed>& perceptions();  ///< "saw", "sah"
const std::vector<Deed>& chases();       ///< "chased", "gejagt": between animals
const std::vector<Posture>& postures();
const std::vector<Preposition>& locations();  ///< for postures: next to, behind, ...
const std::vector<Adverb>& adverbs();

}  // namespace attnlab::data::pronouns
