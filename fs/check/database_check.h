// Checks every game of a database for damage and contradictions.
#pragma once

#include <absl/functional/function_ref.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "codec/scid/facts.h"
#include "codec/scid/names.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// The findings of one kind. All are counted; those of the first games are kept, at most `most`. A
// finding has a member `game`.
template <class Finding>
class Findings {
 public:
  explicit Findings(std::size_t most) : most_(most) {}

  void add(Finding finding) {
    ++count_;
    if (most_ == 0 || (first_.size() == most_ && finding.game > first_.front().game)) return;
    if (first_.size() == most_) {
      std::pop_heap(first_.begin(), first_.end(), is_earlier);
      first_.pop_back();
    }
    first_.push_back(std::move(finding));
    std::push_heap(first_.begin(), first_.end(), is_earlier);
  }

  std::uint64_t count() const { return count_; }
  // Returns the kept findings sorted by game.
  std::vector<Finding> first() const {
    std::vector<Finding> sorted = first_;
    std::sort(sorted.begin(), sorted.end(), is_earlier);
    return sorted;
  }

 private:
  static bool is_earlier(const Finding& a, const Finding& b) { return a.game < b.game; }

  std::size_t most_;
  std::uint64_t count_ = 0;
  std::vector<Finding> first_;  // a heap with the last game on top
};

// A game that cannot be read to its end, or not at all.
struct DamagedGame {
  GameIndex game = 0;
  std::uint64_t offset = 0;  // in the game file
  std::string reason{};
  std::uint32_t plies = 0;  // of the main line, before the damage
  bool has_record = false;  // false: there is only the index entry
};

// A game whose index entry refers to names that the name file does not have.
struct MissingNames {
  struct Name {
    std::string_view role;  // "White", ...
    std::uint32_t id = 0;
    codec::scid::NameKind kind{};
  };
  GameIndex game = 0;
  std::vector<Name> names;
};

// Two games whose records have bytes in common.
struct Overlap {
  GameIndex game = 0;
  GameIndex other = 0;
  std::uint64_t offset = 0;  // of the first such byte in the game file
};

// A game whose moves disagree with a field of its index entry.
struct Disagreement {
  GameIndex game = 0;
  std::string stored;
  std::string computed;
};

struct DatabaseFindings {
  DatabaseFindings(std::size_t most_lines, std::size_t most_notes)
      : damaged(most_lines),
        missing_names(most_lines),
        overlaps(most_lines),
        disagreements(codec::scid::kIndexFieldNames.size(), Findings<Disagreement>(most_notes)) {}

  Findings<DamagedGame> damaged;
  Findings<MissingNames> missing_names;
  Findings<Overlap> overlaps;
  std::uint64_t without_record = 0;         // damaged games
  std::uint64_t plies_before_damage = 0;    // in the other damaged games
  std::vector<std::string> index_problems;  // parts of the index that cannot be read again
  std::uint64_t unused_bytes = 0;           // of the game file, without Scid's padding of blocks
  std::vector<Findings<Disagreement>> disagreements;  // by IndexField; undamaged games only
  std::uint64_t games_that_disagree = 0;              // in any field
};

// Reads all games on `threads` threads (0: one for each processor). Any of these threads calls
// `done` with the number of games checked since the last call.
DatabaseFindings check_database(const Database& database, unsigned threads, std::size_t most_lines,
                                std::size_t most_notes,
                                absl::FunctionRef<void(std::uint64_t games)> done);

}  // namespace scidfs::fs
