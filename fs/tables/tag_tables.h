// tags.tsv and the tables in values/: the tags of a set's games, and their values.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/tag_tally.h"

namespace scidfs::fs {

// Immutable.
class SetTags {
 public:
  struct Tag {
    std::string name;
    std::uint64_t games = 0;              // with a known value
    std::optional<std::size_t> values{};  // the number of different ones; nothing: too many
    // The table in values/, a line for each value, those of most games first:
    //   value games
    std::string table{};  // empty: too many
  };

  // Counts the tags in one pass over the games. Errors: those of count_tags().
  static absl::StatusOr<std::shared_ptr<const SetTags>> count(const GameSet& parts,
                                                              const WorkBudget& budget,
                                                              const TagLimits& limits = {});
  // Makes the tables of what has been counted. Errors: that of the tally; Cancelled.
  static absl::StatusOr<std::shared_ptr<const SetTags>> of(const TagTally& tally,
                                                           const WorkBudget& budget);

  // Returns tags.tsv, a line for each tag that has games, those of most games first:
  //   tag games values
  const std::string& table() const { return table_; }
  // Returns the tags in the same order.
  const std::vector<Tag>& tags() const { return tags_; }
  // Returns a tag by its name; null if no game has it.
  const Tag* find(std::string_view name) const;

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const;

 private:
  std::vector<Tag> tags_;
  std::string table_;
};

}  // namespace scidfs::fs
