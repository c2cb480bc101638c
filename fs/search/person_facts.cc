#include "fs/search/person_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "codec/ending.h"
#include "codec/scid/spelling_file.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"

namespace scidfs::fs {
namespace {

using Person = SpellingIndex::Person;

// Returns whether one of "URS/RUS" is a country, in any case.
bool has_country(std::string_view countries, std::string_view country) {
  const auto is_equal = [](char c, char capital) { return codec::to_ascii_upper(c) == capital; };
  while (!countries.empty()) {
    const std::string_view one = countries.substr(0, countries.find('/'));
    if (std::ranges::equal(one, country, is_equal)) return true;
    countries.remove_prefix(std::min(one.size() + 1, countries.size()));
  }
  return false;
}

// Returns whether a number is in the range of a condition; nothing for 0, which is unknown.
std::optional<bool> meets_number(const Condition& condition, std::uint32_t number) {
  if (number == 0) return std::nullopt;
  return condition.as<NumberRange>().contains(number);
}

}  // namespace

std::optional<ParsedValue> parse_title(std::string_view value) {
  const std::optional<std::uint32_t> title = codec::scid::parse_title(value);
  if (!title.has_value()) return std::nullopt;
  return ParsedValue{.value = PlayerTitle{.bit = *title},
                     .canonical = codec::scid::titles_to_string(*title)};
}

std::optional<ParsedValue> parse_country(std::string_view value) {
  constexpr std::size_t kLetters = 3;
  std::string code(value);
  std::ranges::transform(code, code.begin(), codec::to_ascii_upper);
  const bool is_code = code.size() == kLetters &&
                       std::ranges::all_of(code, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (!is_code) return std::nullopt;
  return ParsedValue{.value = Country{.code = code}, .canonical = code};
}

std::optional<bool> meets_title(const Condition& condition, const Person& person) {
  return (person.titles & condition.as<PlayerTitle>().bit) != 0;
}

std::optional<bool> meets_country(const Condition& condition, const Person& person) {
  if (person.countries.empty()) return std::nullopt;
  return has_country(person.countries, condition.as<Country>().code);
}

std::optional<bool> meets_born(const Condition& condition, const Person& person) {
  return meets_number(condition, person.born.year);
}

std::optional<bool> meets_fide_id(const Condition& condition, const Person& person) {
  return meets_number(condition, person.fide_id);
}

bool meets_facet(const Facet& facet, const Person& person) {
  bool meets_any = false;
  for (const Condition& condition : *facet.alternatives) {
    const std::optional<bool> meets = facet.row->meets_person(condition, person);
    if (!meets.has_value()) return false;
    meets_any = meets_any || *meets;
  }
  return meets_any != facet.is_negated;
}

absl::StatusOr<MatchedPersons> find_persons(const Database& database, const Facet& facet,
                                            const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const People* const people, database.people(budget));
  if (people == nullptr) return MatchedPersons();
  if (!budget.spend(people->persons().size() / kNamesOfGame)) return WorkBudget::exceeded();
  return collect_persons(
      *people, database.names()[codec::scid::NameKind::Player],
      [&](std::uint32_t person) { return meets_facet(facet, people->spelling().person(person)); },
      budget);
}

}  // namespace scidfs::fs
