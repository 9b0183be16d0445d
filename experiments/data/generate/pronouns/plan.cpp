#include "experiments/data/generate/pronouns/plan.h"

#include <algorithm>

namespace attnlab::data::pronouns {
namespace {

constexpr Plain kBecause = {"because", "weil"}, kAlthough = {"although", "obwohl"}, kAfter = {"after", "nachdem"};
constexpr Plain kToo = {"too", "zu"}, kSo = {"so", "so"}, kVery = {"very", "sehr"}, kQuite = {"quite", "ziemlich"};

Polarity opposite(Polarity polarity) {
  return polarity == Polarity::positive ? Polarity::negative : Polarity::positive;
}

template <typename Entry>
std::vector<const Entry*> fitting(const std::vector<Entry>& table, Kinds kind) {
  std::vector<const Entry*> found;
  for (const Entry& entry : table)
    if (entry.fits & kind) found.push_back(&entry);
  return found;
}

std::vector<const Noun*> nouns_of(Kinds kinds) {
  std::vector<const Noun*> found;
  for (const Noun& noun : nouns())
    if (noun.kind & kinds) found.push_back(&noun);
  return found;
}

/// Makes one plan; remembers which nouns and links it has used.
class Planner {
 public:
  explicit Planner(Random& random) : random_(random) {}

  Plan draw(Length length) {
    plan_.frame = &random_.pick(frames());
    const Frame& frame = *plan_.frame;
    plan_.subject.head = simple_noun(frame.subject, random_.percent(25) ? Article::indefinite : Article::definite);
    if (frame.object != 0) plan_.object = NounPhrase{simple_noun(frame.object), {}};
    if (frame.preposition != nullptr) plan_.place = NounPhrase{simple_noun(frame.place), {}};
    plan_.modal = random_.percent(25) ? Modal::can : Modal::none;
    number_main_clause();
    plan_.reason.antecedent = draw_antecedent();
    draw_reason();
    add_optional_parts(length == Length::ordinary ? random_.below(3) : 4 + random_.below(2));
    return plan_;
  }

  Plan famous(std::string_view predicate) {
    const auto named = [](const auto& table, std::string_view english) {
      return &*std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.english == english; });
    };
    plan_.frame = &frames().front();
    plan_.subject.head = {named(nouns(), "animal"), Article::definite, nullptr, links(3)};
    plan_.object = NounPhrase{{named(nouns(), "street"), Article::definite, nullptr, links(3)}, {}};
    number_main_clause();
    const Adjective* adjective = named(predicates(), predicate);
    plan_.reason.antecedent = adjective->fits & kAnimal ? Role::subject : Role::object;
    plan_.reason.conjunction = &kBecause;
    plan_.reason.degree = &kToo;
    plan_.reason.predicates = {adjective};
    plan_.reason.link = links(7);
    return plan_;
  }

 private:
  enum class Part { adverb, subject_attribute, subject_relative, other_attribute, other_relative, second_predicate };

  int links(int count) {
    next_link_ += count;
    return next_link_ - count;
  }

  SimpleNoun simple_noun(Kinds kinds, Article article = Article::definite) {
    std::vector<const Noun*> choices = nouns_of(kinds);
    std::erase_if(choices,
                  [&](const Noun* noun) { return std::find(used_.begin(), used_.end(), noun) != used_.end(); });
    used_.push_back(random_.pick(choices));
    return {used_.back(), article, nullptr, links(3)};
  }

  void number_main_clause() {
    plan_.polarity = plan_.frame->with_because;
    plan_.verb_link = links(1);
    plan_.negation_link = links(1);
    plan_.modal_link = links(1);
    plan_.preposition_link = links(1);
    plan_.adverb_link = links(3);
  }

  Role draw_antecedent() {
    std::vector<Role> candidates;
    if (plan_.subject.head.noun->kind != kHuman) candidates.push_back(Role::subject);
    if (plan_.object) candidates.push_back(Role::object);
    if (plan_.place) candidates.push_back(Role::place);
    return random_.pick(candidates);
  }

  Kinds antecedent_kind() const { return noun_of(plan_, plan_.reason.antecedent).noun->kind; }

  void draw_reason() {
    plan_.reason.link = links(7);
    if (random_.percent(70))
      draw_predicate();
    else
      draw_deed();
  }

  void draw_predicate() {
    static const std::vector<const Plain*> because_degrees = {&kToo, &kSo, &kVery},
                                           although_degrees = {&kVery, &kQuite};
    Reason& reason = plan_.reason;
    const bool because = random_.percent(75);
    reason.conjunction = because ? &kBecause : &kAlthough;
    reason.degree = random_.pick(because ? because_degrees : although_degrees);
    reason.predicates = {random_.pick(fitting(predicates(), antecedent_kind()))};
    if (!because) plan_.polarity = opposite(plan_.polarity);
  }

  void draw_deed() {
    Reason& reason = plan_.reason;
    reason.deed = random_.pick(fitting(participles(), antecedent_kind()));
    reason.human = simple_noun(kHuman);
    reason.conjunction = random_.percent(60) ? &kBecause : &kAfter;
    if (reason.conjunction == &kAfter) plan_.polarity = Polarity::positive;
  }

  /// The last noun phrase: a relative clause on it stands at the end of the German main clause.
  NounPhrase& last_phrase() { return plan_.place ? *plan_.place : *plan_.object; }

  void add_optional_parts(size_t count) {
    std::vector<Part> parts = {Part::adverb,          Part::subject_attribute, Part::subject_relative,
                               Part::other_attribute, Part::other_relative,    Part::second_predicate};
    random_.shuffle(parts);
    for (const Part part : parts)
      if (count > 0 && add(part)) --count;
    // "the street that the man saw yesterday" would leave open what happened yesterday.
    if (plan_.adverb_place == AdverbPlace::end && last_phrase().relative) plan_.adverb_place = AdverbPlace::front;
  }

  bool add(Part part) {
    switch (part) {
      case Part::adverb:
        plan_.adverb = &random_.pick(adverbs());
        plan_.adverb_place = random_.percent(50) ? AdverbPlace::front : AdverbPlace::end;
        return true;
      case Part::subject_attribute:
        return add_attribute(plan_.subject.head);
      case Part::other_attribute:
        return add_attribute(plan_.object && random_.percent(50) ? plan_.object->head : last_phrase().head);
      case Part::subject_relative:
        return add_relative(plan_.subject);
      case Part::other_relative:
        return add_relative(last_phrase());
      case Part::second_predicate:
        return add_second_predicate();
    }
    return false;
  }

  bool add_attribute(SimpleNoun& noun) {
    noun.attribute = random_.pick(fitting(attributes(), noun.noun->kind));
    return true;
  }

  bool add_relative(NounPhrase& phrase) {
    const Kinds kind = phrase.head.noun->kind;
    if (kind == kHuman) return false;
    Relative relative;
    relative.link = links(3);
    const Article article = random_.percent(25) ? Article::indefinite : Article::definite;
    const auto here = fitting(postures(), kind);
    if (const auto chased = fitting(chases(), kind); !chased.empty() && random_.percent(40)) {
      relative.chase = random_.pick(chased);
      relative.other = simple_noun(kAnimal, article);
    } else if (random_.percent(50)) {
      relative.posture = random_.pick(here);
      relative.location = &random_.pick(locations());
      relative.other = simple_noun(kPlace);
    } else {
      relative.perception = random_.pick(fitting(perceptions(), kind));
      relative.other = simple_noun(kHuman, article);
    }
    phrase.relative = relative;
    return true;
  }

  bool add_second_predicate() {
    Reason& reason = plan_.reason;
    if (reason.predicates.empty()) return false;
    auto choices = fitting(predicates(), antecedent_kind());
    std::erase(choices, reason.predicates.front());
    reason.predicates.push_back(random_.pick(choices));
    return true;
  }

  Random& random_;
  Plan plan_;
  std::vector<const Noun*> used_;
  int next_link_ = 0;
};

}  // namespace

const SimpleNoun& noun_of(const Plan& plan, Role role) {
  switch (role) {
    case Role::subject:
      return plan.subject.head;
    case Role::object:
      return plan.object->head;
    case Role::place:
      break;
  }
  return plan.place->head;
}

Plan draw_plan(Random& random, Length length) {
  return Planner(random).draw(length);
}

Plan famous_plan(std::string_view predicate) {
  Random unused(0);
  return Planner(unused).famous(predicate);
}

double count_plain_plans() {
  const auto reasons = [](const Noun* noun) {
    if (noun->kind == kHuman) return size_t{0};
    // Degrees after because and although; because and after with one of all humans but the subject.
    return 5 * fitting(predicates(), noun->kind).size() +
           2 * fitting(participles(), noun->kind).size() * (nouns_of(kHuman).size() - 1);
  };
  size_t count = 0;
  for (const Frame& frame : frames()) {
    std::vector<std::vector<const Noun*>> roles;
    for (const Kinds kinds : {frame.subject, frame.object, frame.place})
      if (kinds != 0) roles.push_back(nouns_of(kinds));
    for (const auto& role : roles) {
      size_t others = 1, own = 0;
      for (const auto& other : roles)
        if (&other != &role) others *= other.size();
      for (const Noun* noun : role) own += reasons(noun);
      count += own * others;
    }
  }
  // With and without "could", with "the" and with "a".
  return static_cast<double>(count) * 4;
}

}  // namespace attnlab::data::pronouns
