// What the databases of a mount share of the searches in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/made_cache.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/scan/answer.h"
#include "fs/search/questions.h"

namespace scidfs::fs {

// The games that answer a question.
class FoundGames : public Answer {
 public:
  FoundGames(GameDeltas games, Part part) : games_(std::move(games)), part_(part) {}

  const GameDeltas& games() const { return games_; }
  Part part() const { return part_; }
  std::size_t memory() const override { return sizeof *this + games_.bytes().size(); }

 private:
  const GameDeltas games_;
  const Part part_;
};

// The last names that were no facets (those with a `=`), no positions, or too long as questions,
// and why. Thread-safe.
class Refusals {
 public:
  enum class Kind : std::uint8_t { Facet, Position, Question };
  struct Refusal {
    Kind kind{};
    std::string name;
    std::string reason;
  };

  void note(Kind kind, std::string_view name, std::string_view reason) ABSL_LOCKS_EXCLUDED(mutex_);
  // The earliest first.
  std::vector<Refusal> all() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kKept = 20;

  mutable cache::Mutex mutex_;
  std::array<Refusal, kKept> kept_ ABSL_GUARDED_BY(mutex_);
  std::size_t next_ ABSL_GUARDED_BY(mutex_) = 0;  // how many there have been
};

struct Searches {
  // Bytes of memory for answers.
  static constexpr std::size_t kAnswerBytes = std::size_t{64} << 20;

  explicit Searches(std::size_t answer_bytes = kAnswerBytes) : answers(answer_bytes) {}

  Questions questions;
  // By version, set and question.
  MadeCache<std::string, Answer> answers;
  Refusals refusals;
};

}  // namespace scidfs::fs
