#include "experiments/data/generate/pronouns/lexicon.h"

namespace attnlab::data::pronouns {
namespace {

constexpr Gender m = Gender::masculine, f = Gender::feminine, n = Gender::neuter;

constexpr Preposition kInto = {"into", "in", Case::accusative};
constexpr Preposition kAcross = {"across", "über", Case::accusative};
constexpr Preposition kOutOf = {"out of", "aus", Case::dative};
constexpr Preposition kIn = {"in", "in", Case::dative};

}  // namespace

const std::vector<Noun>& nouns() {
  static const std::vector<Noun> table = {
      {"man", "Mann", m, kHuman},
      {"woman", "Frau", f, kHuman},
      {"girl", "Mädchen", n, kHuman},
      {"boy", "Junge", m, kHuman, "Jungen"},
      {"farmer", "Bauer", m, kHuman, "Bauern"},
      {"teacher", "Lehrerin", f, kHuman},
      {"doctor", "Arzt", m, kHuman},
      {"artist", "Künstlerin", f, kHuman},
      {"child", "Kind", n, kHuman},
      {"hunter", "Jäger", m, kHuman},

      {"animal", "Tier", n, kAnimal},
      {"dog", "Hund", m, kAnimal},
      {"cat", "Katze", f, kAnimal},
      {"horse", "Pferd", n, kAnimal},
      {"cow", "Kuh", f, kAnimal},
      {"sheep", "Schaf", n, kAnimal},
      {"goat", "Ziege", f, kAnimal},
      {"mouse", "Maus", f, kAnimal},
      {"pig", "Schwein", n, kAnimal},
      {"lion", "Löwe", m, kAnimal, "Löwen"},
      {"bear", "Bär", m, kAnimal, "Bären"},
      {"duck", "Ente", f, kAnimal},
      {"hedgehog", "Igel", m, kAnimal},
      {"fox", "Fuchs", m, kAnimal},
      {"donkey", "Esel", m, kAnimal},
      {"camel", "Kamel", n, kAnimal},

      {"street", "Straße", f, kWay},
      {"bridge", "Brücke", f, kWay},
      {"path", "Weg", m, kWay},
      {"field", "Feld", n, kWay},
      {"square", "Platz", m, kWay},
      {"meadow", "Wiese", f, kWay},
      {"valley", "Tal", n, kWay},
      {"courtyard", "Hof", m, kWay},

      {"river", "Fluss", m, kWater},
      {"stream", "Bach", m, kWater},
      {"swamp", "Sumpf", m, kWater},
      {"sea", "Meer", n, kWater},
      {"bay", "Bucht", f, kWater},

      {"house", "Haus", n, kPlace},
      {"garden", "Garten", m, kPlace},
      {"barn", "Scheune", f, kPlace},
      {"forest", "Wald", m, kPlace},
      {"room", "Zimmer", n, kPlace},
      {"kitchen", "Küche", f, kPlace},
      {"cave", "Höhle", f, kPlace},
      {"stable", "Stall", m, kPlace},
      {"tent", "Zelt", n, kPlace},

      {"trophy", "Pokal", m, kThing},
      {"book", "Buch", n, kThing},
      {"lamp", "Lampe", f, kThing},
      {"ball", "Ball", m, kThing},
      {"picture", "Bild", n, kThing},
      {"vase", "Vase", f, kThing},
      {"chair", "Stuhl", m, kThing},
      {"guitar", "Gitarre", f, kThing},
      {"instrument", "Instrument", n, kThing},
      {"pillow", "Kissen", n, kThing},
      {"clock", "Uhr", f, kThing},

      {"suitcase", "Koffer", m, kContainer},
      {"box", "Kiste", f, kContainer},
      {"bag", "Tasche", f, kContainer},
      {"drawer", "Schublade", f, kContainer},
      {"cupboard", "Schrank", m, kContainer},
      {"basket", "Korb", m, kContainer},
      {"locker", "Schließfach", n, kContainer},
      {"barrel", "Fass", n, kContainer},

      {"car", "Auto", n, kVehicle},
      {"bus", "Bus", m, kVehicle},
      {"train", "Zug", m, kVehicle},
      {"bicycle", "Fahrrad", n, kVehicle},
      {"lorry", "Lastwagen", m, kVehicle},
      {"tram", "Straßenbahn", f, kVehicle},
      {"carriage", "Kutsche", f, kVehicle},
      {"taxi", "Taxi", n, kVehicle},

      {"apple", "Apfel", m, kFood},
      {"bread", "Brot", n, kFood},
      {"soup", "Suppe", f, kFood},
      {"cake", "Kuchen", m, kFood},
      {"meat", "Fleisch", n, kFood},
      {"carrot", "Karotte", f, kFood},
      {"cheese", "Käse", m, kFood},
      {"sausage", "Wurst", f, kFood},
      {"egg", "Ei", n, kFood},
  };
  return table;
}

const std::vector<Adjective>& predicates() {
  static const std::vector<Adjective> table = {
      {"tired", "müde", kAnimal},
      {"weak", "schwach", kAnimal},
      {"hungry", "hungrig", kAnimal},
      {"thirsty", "durstig", kAnimal},
      {"sick", "krank", kAnimal},
      {"timid", "ängstlich", kAnimal},
      {"lazy", "faul", kAnimal},
      {"nervous", "nervös", kAnimal},

      {"wide", "breit", kWay | kWater},
      {"dangerous", "gefährlich", kWay | kWater},
      {"muddy", "schlammig", kWay | kWater},
      {"steep", "steil", kWay},
      {"slippery", "rutschig", kWay},
      {"narrow", "schmal", kWay},
      {"deep", "tief", kWater},

      {"dark", "dunkel", kPlace},
      {"noisy", "laut", kPlace},
      {"dusty", "staubig", kPlace},
      {"damp", "feucht", kPlace},

      {"big", "groß", kThing},
      {"bulky", "sperrig", kThing},
      {"fragile", "zerbrechlich", kThing},
      {"thick", "dick", kThing},
      {"heavy", "schwer", kThing | kVehicle},

      {"small", "klein", kContainer},
      {"tiny", "winzig", kContainer},
      {"full", "voll", kContainer | kVehicle},
      {"shallow", "flach", kContainer},

      {"slow", "langsam", kVehicle},
      {"rusty", "rostig", kVehicle},

      {"cold", "kalt", kWater | kPlace | kFood},
      {"hot", "heiß", kPlace | kFood},
      {"salty", "salzig", kFood},
      {"bitter", "bitter", kFood},
      {"spicy", "scharf", kFood},
  };
  return table;
}

const std::vector<Adjective>& attributes() {
  static const std::vector<Adjective> table = {
      {"old", "alt", kHuman | kAllButHuman},
      {"young", "jung", kHuman | kAnimal},
      {"friendly", "freundlich", kHuman | kAnimal},
      {"black", "schwarz", kAnimal | kThing | kContainer | kVehicle},
      {"white", "weiß", kAnimal | kPlace | kThing | kContainer | kVehicle},
      {"new", "neu", kPlace | kThing | kContainer | kVehicle},
      {"beautiful", "schön", kAnimal | kWay | kWater | kPlace | kThing | kVehicle},
      {"strange", "seltsam", kHuman | kAllButHuman},
  };
  return table;
}

const std::vector<Frame>& frames() {
  constexpr Polarity yes = Polarity::positive, no = Polarity::negative;
  static const std::vector<Frame> table = {
      {"crossed", "cross", "überquerte", "überqueren", kAnimal, kWay | kWater, nullptr, 0, no},
      {"crossed", "cross", "überquerte", "überqueren", kVehicle, kWay, nullptr, 0, no},
      {"avoided", "avoid", "mied", "meiden", kAnimal, kWay | kWater | kPlace, nullptr, 0, yes},
      {"avoided", "avoid", "mied", "meiden", kVehicle, kWay, nullptr, 0, yes},
      {"reached", "reach", "erreichte", "erreichen", kAnimal, kWay | kWater | kPlace, nullptr, 0, no},
      {"entered", "enter", "betrat", "betreten", kAnimal, kPlace, nullptr, 0, no},
      {"left", "leave", "verließ", "verlassen", kAnimal, kPlace, nullptr, 0, yes},
      {"ate", "eat", "fraß", "fressen", kAnimal, kFood, nullptr, 0, no},
      {"tasted", "taste", "probierte", "probieren", kAnimal, kFood, nullptr, 0, no},
      {"fit", "fit", "passte", "passen", kThing, 0, &kInto, kContainer, no},
      {"packed", "pack", "packte", "packen", kHuman, kThing, &kInto, kContainer, no},
      {"pushed", "push", "schob", "schieben", kHuman, kThing, &kInto, kContainer, no},
      {"took", "take", "nahm", "nehmen", kHuman, kThing, &kOutOf, kContainer, no},
      {"carried", "carry", "trug", "tragen", kHuman, kThing, &kInto, kPlace, no},
      {"washed", "wash", "wusch", "waschen", kHuman, kAnimal, &kIn, kPlace, no},
      {"trained", "train", "dressierte", "dressieren", kHuman, kAnimal, &kIn, kPlace, no},
      {"drove", "drive", "fuhr", "fahren", kHuman, kVehicle, &kAcross, kWay, no},
  };
  return table;
}

const std::vector<Deed>& participles() {
  static const std::vector<Deed> table = {
      {"fed", "gefüttert", kAnimal},
      {"stroked", "gestreichelt", kAnimal},
      {"frightened", "erschreckt", kAnimal},
      {"blocked", "blockiert", kWay},
      {"swept", "gefegt", kWay},
      {"polluted", "verschmutzt", kWater},
      {"searched", "durchsucht", kPlace},
      {"painted", "gestrichen", kPlace},
      {"bought", "gekauft", kThing},
      {"wrapped", "eingewickelt", kThing},
      {"filled", "gefüllt", kContainer},
      {"locked", "abgeschlossen", kContainer},
      {"loaded", "beladen", kVehicle},
      {"damaged", "beschädigt", kVehicle},
      {"burnt", "verbrannt", kFood},
      {"poisoned", "vergiftet", kFood},
  };
  return table;
}

const std::vector<Deed>& perceptions() {
  static const std::vector<Deed> table = {
      {"saw", "sah", kAllButHuman},
      {"found", "fand", kAllButHuman},
      {"liked", "mochte", kAllButHuman},
      {"described", "beschrieb", kAllButHuman},
  };
  return table;
}

const std::vector<Deed>& chases() {
  static const std::vector<Deed> table = {
      {"chased", "gejagt", kAnimal},
      {"bitten", "gebissen", kAnimal},
      {"woken", "geweckt", kAnimal},
  };
  return table;
}

const std::vector<Posture>& postures() {
  static const std::vector<Posture> table = {
      {"slept", "schlief", kAnimal},
      {"lay", "lag", kWay | kWater | kFood | kThing},
      {"stood", "stand", kPlace | kContainer | kVehicle},
  };
  return table;
}

const std::vector<Preposition>& locations() {
  static const std::vector<Preposition> table = {
      {"behind", "hinter", Case::dative},
      {"next to", "neben", Case::dative},
      {"in front of", "vor", Case::dative},
  };
  return table;
}

const std::vector<Adverb>& adverbs() {
  static const std::vector<Adverb> table = {
      {"yesterday", "0", "gestern", "0"},
      {"sometimes", "0", "manchmal", "0"},
      {"in the morning", "001", "am Morgen", "01"},
      {"in the evening", "001", "am Abend", "01"},
      {"in winter", "01", "im Winter", "01"},
      {"last week", "01", "letzte Woche", "01"},
      {"at night", "00", "nachts", "0"},
  };
  return table;
}

}  // namespace attnlab::data::pronouns
