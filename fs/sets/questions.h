// What users have asked, by numbers that stand in inode numbers.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "codec/position_goal.h"
#include "fs/base/inode.h"
#include "fs/sets/search.h"

namespace scidfs::fs {

// A line of moves from a position: `tree/e4/c5`, `positions/FEN/Kd2`.
struct Line {
  codec::PositionGoal root;
  std::vector<codec::Move> moves;
  // After them, with all that the line itself says of castling, en passant and the counters.
  codec::Position position;
};

// A path below a set, by its `search/`, `tree/` or `positions/`. Knows no database: the same
// question may be asked of several databases and of several versions of one.
struct Question {
  Place base;        // of the set's directory
  std::string path;  // from there, as it was typed: "search/eco=B90/search/year=2010.."
  std::vector<FacetGroup> groups;
  // Where the path ends in a line of moves; the last group is then the position after it. Else
  // null.
  std::shared_ptr<const Line> line = nullptr;

  friend bool operator==(const Question& a, const Question& b) {
    return a.base == b.base && a.path == b.path;
  }
};
using QuestionPtr = std::shared_ptr<const Question>;

// Questions get numbers when they are first asked, and are forgotten when there are too many: then
// their numbers mean nothing any more. A number is never given to another question, as long as this
// lives. Thread-safe.
//
// A number is a hash of the question in its upper bits and, below, how often another question or
// an earlier life of the same one had taken a number of that hash. So a question mostly gets the
// same number again after a remount, and what has to be remembered of all that were ever asked is
// one count for each hash: 12 MB, when all hashes have been met.
class Questions {
 public:
  struct Limits {
    std::size_t questions = std::size_t{1} << 16;
    std::size_t bytes = std::size_t{16} << 20;  // of memory
    // Of a path: what the kernel takes for one, so that nobody can make them longer step by step.
    std::size_t path = 4096;
  };

  Questions() : Questions(Limits()) {}
  explicit Questions(const Limits& limits) : limits_(limits) {}
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  // The number of a question, the same as long as it is not forgotten. ResourceExhausted if its
  // path is too long, or its hash has been taken too often.
  absl::StatusOr<std::uint32_t> number_of(Question question) ABSL_LOCKS_EXCLUDED(mutex_);
  // Null: the number was never given, or its question has been forgotten.
  QuestionPtr find(std::uint32_t number) const ABSL_LOCKS_EXCLUDED(mutex_);

  std::size_t size() const ABSL_LOCKS_EXCLUDED(mutex_);

  static constexpr unsigned kCountBits = 12;

 private:
  struct Kept {
    std::uint32_t number = 0;
    QuestionPtr question;
    std::size_t memory = 0;
  };
  using Order = std::list<Kept>;
  using Key = std::pair<Inode, std::string>;  // base and path

  static Key key_of(const Question& question);

  const Limits limits_;
  mutable cache::Mutex mutex_;
  mutable Order order_ ABSL_GUARDED_BY(mutex_);  // the most recently used first
  absl::flat_hash_map<Key, Order::iterator> by_question_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::uint32_t, Order::iterator> by_number_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::uint32_t, std::uint16_t> taken_ ABSL_GUARDED_BY(mutex_);  // by hash
  std::size_t memory_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace scidfs::fs
