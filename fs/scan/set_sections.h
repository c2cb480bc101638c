// The games of a set in sections, for texts that have some lines for each game.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/bytes.h"
#include "fs/content/content.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/parts_scan.h"

namespace scidfs::fs {

// Immutable; keeps the games, and their databases. Any number of threads may use it.
class SetSections {
 public:
  // Cuts a set into sections of at least so many games, or fewer at the end of a part; no section
  // ends inside a block of the index. Errors: Unavailable if that exceeds the budget; Cancelled.
  static absl::StatusOr<std::shared_ptr<const SetSections>> over(GameSet parts,
                                                                 std::size_t games_of_section,
                                                                 const WorkBudget& budget);

  std::size_t count() const { return sections_.chunks(); }
  const GameSet& parts() const { return parts_; }
  // Return the part that a section belongs to, and its number.
  std::size_t number_of_part(std::size_t section) const { return sections_.part_of(section); }
  const DatabaseGames& part_of(std::size_t section) const {
    return parts_[number_of_part(section)];
  }
  // Returns how many games there are up to the end of each section. Errors: Cancelled.
  absl::StatusOr<std::vector<std::uint64_t>> game_ends(const WorkBudget& budget) const;
  // Calls visit(games) for the games of a section in each block of the index, ascending, until it
  // fails.
  using Visit = absl::FunctionRef<absl::Status(std::span<const GameIndex> games)>;
  absl::Status visit(std::size_t section, Visit visit) const;

 private:
  explicit SetSections(GameSet parts) : parts_(std::move(parts)) {}

  const GameSet parts_;
  PartsScan sections_;  // of the lists of the parts
};
using SetSectionsPtr = std::shared_ptr<const SetSections>;

// Calls visit(game, record) for each game of a section, ascending. The record is empty if it cannot
// be read. Errors: Cancelled; those of GameFile::read().
absl::Status visit_records(const SetSections& sections, std::size_t section,
                           const WorkBudget& budget,
                           absl::FunctionRef<void(GameIndex game, codec::Bytes record)> visit);

// Appends the text of a section: the same whenever it is asked. The budget is only cancelled.
using AppendSection =
    std::function<absl::Status(std::size_t section, const WorkBudget& budget, std::string& out)>;

// Returns where the sections of a text end, for which it makes each of them once; and the text, of
// which a section takes `cost` of a budget.
// Errors: those of measure_sections().
absl::StatusOr<SectionEnds> measure_text(std::size_t sections, const AppendSection& append,
                                         const WorkBudget& budget);
std::unique_ptr<Content> text_of_sections(SectionEnds ends, AppendSection append,
                                          std::size_t cost = 0);

}  // namespace scidfs::fs
