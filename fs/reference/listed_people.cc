#include "fs/reference/listed_people.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace scidfs::fs {
namespace {

// Returns whether the part of a name before a comma is not empty, and the one after it begins with
// a word of several letters, not all capitals.
bool is_full_name(std::string_view name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string_view::npos || name.find_first_not_of(" .") >= comma) return false;
  std::string_view given = name.substr(comma + 1);
  given.remove_prefix(std::min(given.find_first_not_of(' '), given.size()));
  given = given.substr(0, given.find_first_of(" .-"));
  const auto is_short = [](char c) { return static_cast<unsigned char>(c) <= 'Z'; };
  const auto begins_letter = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return std::ranges::count_if(given, begins_letter) > 1 && !std::ranges::all_of(given, is_short);
}

std::string key_of(std::string_view name, const NameRules& rules) {
  std::string key;
  rules.append_key(name, key);
  return key;
}

}  // namespace

ListedPeople::ListedPeople(std::shared_ptr<const PlayerList> list, const SpellingIndex& known,
                           const NameRules& rules, absl::FunctionRef<bool()> is_cancelled)
    : list_(std::move(list)), first_(known.persons()), entries_(known.persons(), kNoEntry) {
  if (!is_cancelled()) join_by_id(known);
  std::ranges::sort(joined_);
  if (!is_cancelled()) join_by_name(known, rules);
  std::ranges::sort(joined_);
  joined_.shrink_to_fit();
}

void ListedPeople::join(std::uint32_t known, std::uint32_t entry) {
  entries_[known] = entry;
  joined_.emplace_back(entry, known);
}

void ListedPeople::join_by_id(const SpellingIndex& known) {
  for (std::uint32_t person = 0; person < known.persons(); ++person) {
    const std::uint32_t id = known.person(person).fide_id;
    if (id == 0) continue;
    const std::optional<std::uint32_t> entry = list_->find_id(id);
    if (entry.has_value()) join(person, *entry);
  }
}

// Goes through the spellings, of which equal ones are neighbors.
void ListedPeople::join_by_name(const SpellingIndex& known, const NameRules& rules) {
  const std::size_t joined_by_id = joined_.size();
  const auto is_taken = [&](std::uint32_t entry) {
    const auto end = joined_.begin() + static_cast<std::ptrdiff_t>(joined_by_id);
    const auto found = std::lower_bound(joined_.begin(), end, std::pair(entry, 0U));
    return found != end && found->first == entry;
  };
  for (std::uint32_t place = 0, end = 0; place < known.spellings(); place = end) {
    const std::uint32_t person = known.person_at(place);
    const std::string_view name = known.spelling_at(place);
    const std::string key = key_of(name, rules);
    bool is_single = true;
    for (end = place + 1; end < known.spellings(); ++end) {
      if (known.match(end, key) != SpellingIndex::Match::Exact) break;
      is_single &= known.person_at(end) == person;
    }
    if (!is_single || !is_full_name(name)) continue;
    const SpellingIndex::Person of = known.person(person);
    // Lists have no dead, and no people of times before there were ratings.
    const bool is_old = of.died.year != 0 || of.is_estimated;
    if (of.fide_id != 0 || is_old || of.name != name) continue;
    const std::vector<std::uint32_t> entries = entries_of(name, rules);
    if (entries.size() != 1 || is_taken(entries.front())) continue;
    const std::uint16_t born = list_->player(entries.front()).born;
    if (born != 0 && born == of.born.year) join(person, entries.front());
  }
}

std::uint32_t ListedPeople::entry_of(std::uint32_t person) const {
  return person < first_ ? entries_[person] : person - first_;
}

std::uint32_t ListedPeople::person_of(std::uint32_t entry) const {
  const auto found = std::ranges::lower_bound(joined_, std::pair(entry, 0U));
  return found != joined_.end() && found->first == entry ? found->second : first_ + entry;
}

SpellingIndex::Person ListedPeople::person(std::uint32_t person) const {
  assert(person >= first_ && person < end());
  const FidePlayer player = list_->player(person - first_);
  return {.name = player.name,
          .countries = player.federation,
          .titles = player.titles,
          .fide_id = player.id,
          .born = {.year = player.born},
          .is_woman = player.is_woman,
          .is_inactive = player.is_inactive,
          .listed = {.month = list_->month(), .elo = player.rating}};
}

SpellingIndex::Person ListedPeople::completed(std::uint32_t known,
                                              SpellingIndex::Person person) const {
  assert(known < first_);
  if (entries_[known] == kNoEntry) return person;
  const FidePlayer player = list_->player(entries_[known]);
  if (person.countries.empty()) person.countries = player.federation;
  if (person.titles == 0) person.titles = player.titles;
  if (person.fide_id == 0) person.fide_id = player.id;
  if (person.born.year == 0) person.born = {.year = player.born};
  person.listed = {.month = list_->month(), .elo = player.rating};
  // What is known of earlier ratings may be less. The first one is no highest rating.
  if (person.best != 0) person.best = std::max(person.best, player.rating);
  return person;
}

void ListedPeople::add_rating(std::uint32_t person, std::size_t begin,
                              std::vector<MonthRating>& ratings) const {
  const std::uint32_t entry = entry_of(person);
  if (entry == kNoEntry || list_->month() == 0) return;
  const std::uint16_t elo = list_->player(entry).rating;
  if (elo == 0) return;
  const auto at = std::ranges::lower_bound(ratings.begin() + static_cast<std::ptrdiff_t>(begin),
                                           ratings.end(), list_->month(), {}, &MonthRating::month);
  if (at != ratings.end() && at->month == list_->month()) return;
  ratings.insert(at, {.month = list_->month(), .elo = elo});
}

std::vector<std::uint32_t> ListedPeople::entries_of(std::string_view name,
                                                    const NameRules& rules) const {
  const std::string key = key_of(name, rules);
  std::vector<std::uint32_t> entries = list_->find_alike(name);
  std::erase_if(entries, [&](std::uint32_t entry) {
    return key_of(list_->player(entry).name, rules) != key;
  });
  return entries;
}

std::vector<std::uint32_t> ListedPeople::find(std::string_view name, const NameRules& rules) const {
  if (!is_full_name(name)) return {};
  std::vector<std::uint32_t> persons = entries_of(name, rules);
  for (std::uint32_t& entry : persons) entry = person_of(entry);
  std::ranges::sort(persons);
  persons.erase(std::unique(persons.begin(), persons.end()), persons.end());
  return persons;
}

std::optional<std::uint32_t> ListedPeople::find_id(std::uint32_t id) const {
  const std::optional<std::uint32_t> entry = list_->find_id(id);
  if (!entry.has_value()) return std::nullopt;
  return person_of(*entry);
}

std::size_t ListedPeople::memory() const {
  return list_->memory() + entries_.capacity() * sizeof(entries_[0]) +
         joined_.capacity() * sizeof(joined_[0]);
}

}  // namespace scidfs::fs
