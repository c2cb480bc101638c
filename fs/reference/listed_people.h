// Who of FIDE's list of players is who in the spelling file.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/reference/name_rules.h"
#include "fs/reference/player_list.h"
#include "fs/reference/rating_history.h"
#include "fs/reference/spelling_index.h"

namespace scidfs::fs {

// The people of a spelling file, the known ones, and those of FIDE's list, who come after them in
// one series of numbers, in the order of the list. An entry of the list is joined to a known person
// by the FIDE id; if the person has none, by the full name, if it is that of one person and of one
// entry, and both have the same year of birth. The number of a joined entry is no person's.
// Immutable; any number of threads may use it.
class ListedPeople {
 public:
  // Joins, unless `is_cancelled`: then there are no joined entries.
  ListedPeople(std::shared_ptr<const PlayerList> list, const SpellingIndex& known,
               const NameRules& rules, absl::FunctionRef<bool()> is_cancelled);

  // Returns the first number that no person has.
  std::uint32_t end() const { return first_ + list_->players(); }
  // Returns the person of a number from that of the first entry on. REQUIRES: person < end().
  SpellingIndex::Person person(std::uint32_t person) const;
  // Adds to a known person what only the list says.
  SpellingIndex::Person completed(std::uint32_t known, SpellingIndex::Person person) const;
  // Adds the rating in the list to the ratings of a person, which begin at `begin`, by month.
  void add_rating(std::uint32_t person, std::size_t begin, std::vector<MonthRating>& ratings) const;

  // Returns the persons whose name in the list is this one, as `rules` compare names, ascending;
  // none if the name is not full: a surname, a comma, and a given name, which is more than letters
  // that are short for one. None also if too many persons have it.
  std::vector<std::uint32_t> find(std::string_view name, const NameRules& rules) const;

  // Returns the person of a FIDE id in the list.
  std::optional<std::uint32_t> find_id(std::uint32_t id) const;

  // Returns the bytes of memory that this takes; of the list, those that are not mapped.
  std::size_t memory() const;

 private:
  static constexpr std::uint32_t kNoEntry = ~std::uint32_t{0};

  void join_by_id(const SpellingIndex& known);
  void join_by_name(const SpellingIndex& known, const NameRules& rules);
  void join(std::uint32_t known, std::uint32_t entry);
  // Returns the entries of exactly a name, ascending.
  std::vector<std::uint32_t> entries_of(std::string_view name, const NameRules& rules) const;
  std::uint32_t entry_of(std::uint32_t person) const;
  std::uint32_t person_of(std::uint32_t entry) const;

  std::shared_ptr<const PlayerList> list_;
  std::uint32_t first_ = 0;             // the number of known persons
  std::vector<std::uint32_t> entries_;  // by known person; kNoEntry: not joined
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_;  // entry, known person; ascending
};

}  // namespace scidfs::fs
