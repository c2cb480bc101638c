// What the databases of a mount share for their searches.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/repertoire/sources.h"
#include "fs/search/query_table.h"
#include "fs/search/result_cache.h"

namespace scidfs::fs {

// The games that a query found.
class FoundGames {
 public:
  FoundGames(DeltaList games, Part part) : games_(std::move(games)), part_(part) {}

  const DeltaList& games() const { return games_; }
  Part part() const { return part_; }
  std::size_t memory() const { return sizeof *this + games_.bytes().size(); }

 private:
  const DeltaList games_;
  const Part part_;
};

// The last names that were no facets or no bounds of lines (those with a `=`), no positions, moves
// or queries (too long, with wrong bounds of another file, or of a set with too many games), and
// why. Thread-safe.
class RejectedNames {
 public:
  enum class Kind : std::uint8_t { Facet, Position, Query, Lines, Move };
  struct RejectedName {
    Kind kind{};
    std::string name;
    std::string reason;
  };

  void note(Kind kind, std::string_view name, std::string_view reason) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the names that are kept, the earliest first.
  std::vector<RejectedName> all() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kKept = 20;

  mutable cache::Mutex mutex_;
  std::array<RejectedName, kKept> kept_ ABSL_GUARDED_BY(mutex_);
  std::size_t next_ ABSL_GUARDED_BY(mutex_) = 0;  // how many names were noted so far
};

struct QueryContext {
  // Bytes of memory for cached results.
  static constexpr std::size_t kAnswerBytes = std::size_t{64} << 20;

  explicit QueryContext(std::size_t answer_bytes = kAnswerBytes) : results(answer_bytes) {}

  QueryTable queries;
  ResultCache results;
  RejectedNames rejected_names;
  RepertoireSources repertoires;
  // How many sets requests have bound: each costs a look at the query or the names that it is of.
  std::atomic<std::uint64_t> sets_bound = 0;
};

}  // namespace scidfs::fs
