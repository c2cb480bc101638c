// How many games have which values of which tags.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// How much memory the values of tags may take. What is counted is the same for any number of
// threads.
struct TagLimits {
  // Of one tag. A tag with more, such as a number of each game, has only its games counted.
  std::size_t of_tag = std::size_t{32} << 20;
  // Of all tags, of which each counts at most as much as one may have.
  std::size_t of_all = std::size_t{256} << 20;
};

class TagTally {
 public:
  struct Tag {
    std::uint64_t games = 0;
    std::size_t bytes = 0;  // which the values take
    bool has_too_many = false;
    absl::flat_hash_map<std::string, std::uint32_t> values;  // games by value
  };

  explicit TagTally(const TagLimits& limits = {}) : limits_(limits) {}

  // Counts games with a value of a tag.
  void add(std::string_view tag, std::string_view value, std::uint32_t games = 1);
  TagTally& operator+=(const TagTally& other);
  void clear();

  const absl::flat_hash_map<std::string, Tag>& tags() const { return tags_; }
  // Returns the bytes of memory that all tags take.
  std::size_t bytes() const { return bytes_; }
  // Returns Unimplemented if the tags take more than they may, so that not all are counted.
  absl::Status status() const;
  std::size_t memory() const { return sizeof *this + bytes_; }

 private:
  Tag& tag_of(std::string_view name);
  void add_value(Tag& tag, std::string_view value, std::uint32_t games);
  void drop_values(Tag& tag);

  TagLimits limits_;
  absl::flat_hash_map<std::string, Tag> tags_;
  std::size_t bytes_ = 0;
};

// Counts the known values (codec/scid/extra_tags.h) of the tags that GameRecords::for_each_tags()
// finds in the games of a set. Errors: Unimplemented if the tally is full, and by begin_decoding();
// Unavailable if decoding that many games exceeds the budget; Cancelled; those of GameFile::read().
absl::StatusOr<TagTally> count_tags(const GameSet& parts, const WorkBudget& budget,
                                    const TagLimits& limits = {});

}  // namespace scidfs::fs
