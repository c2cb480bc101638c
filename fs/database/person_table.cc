#include "fs/database/person_table.h"

#include <algorithm>
#include <utility>

namespace scidfs::fs {
namespace {

// Of players in FIDE's list whose year of birth is unknown.
constexpr unsigned kMostAge = 90;

PersonFacts facts_of(const SpellingIndex::Person& person, Evidence evidence) {
  PersonFacts facts{.first = codec::pack_date(person.born),
                    .last = codec::last_day_of(codec::pack_date(person.died))};
  if (evidence == Evidence::Lifetime) return facts;
  facts.born = person.born.year;
  if (person.born.year != 0) facts.first += PersonFacts::kLeastAge << codec::kYearShift;
  if (person.born.year == 0 && person.listed.month != 0) {
    const unsigned year = person.listed.month / 12U;
    facts.first = (year - kMostAge + PersonFacts::kLeastAge) << codec::kYearShift;
  }
  if (person.best != 0) facts.first_elo_too_high = person.best + PersonFacts::kTooFar;
  facts.is_master = person.titles != 0 || person.is_estimated;
  return facts;
}

}  // namespace

PersonTable::PersonTable(const Spelling& spelling, std::vector<std::uint32_t> persons,
                         Evidence evidence) {
  std::ranges::sort(persons);
  persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
  persons_.assign(persons.begin(), persons.end());
  facts_.reserve(persons_.size());
  std::vector<std::size_t> ends;
  ends.reserve(persons_.size());
  for (const std::uint32_t person : persons_) {
    facts_.push_back(facts_of(spelling.person(person), evidence));
    if (evidence != Evidence::Lifetime) spelling.append_ratings(person, ratings_);
    ends.push_back(ratings_.size());
  }
  ratings_.shrink_to_fit();
  std::size_t begin = 0;
  for (std::size_t place = 0; place < facts_.size(); ++place) {
    facts_[place].ratings = std::span(ratings_).subspan(begin, ends[place] - begin);
    begin = ends[place];
  }
}

std::optional<std::uint32_t> PersonTable::find(std::uint32_t person) const {
  const auto found = std::ranges::lower_bound(persons_, person);
  if (found == persons_.end() || *found != person) return std::nullopt;
  return static_cast<std::uint32_t>(found - persons_.begin());
}

std::size_t PersonTable::memory() const {
  return persons_.capacity() * sizeof(persons_[0]) + facts_.capacity() * sizeof(facts_[0]) +
         ratings_.capacity() * sizeof(ratings_[0]);
}

}  // namespace scidfs::fs
