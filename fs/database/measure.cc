#include "fs/database/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "cache/mutex.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/read_ahead.h"

namespace scidfs::fs {
namespace {

// The number of running measure() calls, on all local databases: they share the processors.
std::atomic<unsigned>& urgent_calls() {
  static std::atomic<unsigned> calls = 0;
  return calls;
}

class UrgentCall {
 public:
  // A thread that waits for a server, perhaps indefinitely, uses no processor.
  explicit UrgentCall(const Database& database) : calls_(database.files().is_remote() ? 0 : 1) {
    urgent_calls() += calls_;
  }
  ~UrgentCall() { urgent_calls() -= calls_; }
  UrgentCall(const UrgentCall&) = delete;
  UrgentCall& operator=(const UrgentCall&) = delete;

 private:
  const unsigned calls_;
};

void give_way(absl::FunctionRef<bool()> stop) {
  constexpr std::chrono::milliseconds kPause(1);
  while (urgent_calls().load(std::memory_order_relaxed) != 0 && !stop()) {
    std::this_thread::sleep_for(kPause);
  }
}

// A part of a list, for one thread.
struct Chunk {
  GameList::Cursor rest;    // where it begins
  std::uint32_t games = 0;  // of the list
  std::uint32_t unknown = 0;
  GameIndex first = 0;  // of the games of unknown size
  GameIndex last = 0;

  // Returns whether a window of the game file covers so many of the games that reading one costs
  // less than reading a chunk for each.
  bool is_dense() const {
    constexpr GameIndex kWidestGap = 64;
    return (last - first) / unknown < kWidestGap;
  }
  bool is_long_enough() const {
    constexpr std::uint32_t kDense = 2000;
    constexpr std::uint32_t kSparse = 64;
    return unknown >= kDense || (unknown >= kSparse && !is_dense());
  }
};

absl::StatusOr<std::vector<Chunk>> chunks_of(const Database& database, GameList list,
                                             const WorkBudget& budget) {
  constexpr std::size_t kGamesOfLook = std::size_t{1} << 16;
  std::vector<Chunk> chunks;
  DecodingCost cost(budget);
  std::size_t listed = 0;
  GameList::Cursor rest = list.begin();
  Chunk chunk{.rest = rest};
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    ++chunk.games;
    if (++listed % kGamesOfLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    if (database.sizes().is_known(game)) continue;
    if (!budget.is_unlimited() &&
        !cost.add(database.index().value(game, PackedIndex::Column::Length))) {
      return WorkBudget::exceeded();
    }
    if (chunk.unknown++ == 0) chunk.first = game;
    chunk.last = game;
    if (!chunk.is_long_enough()) continue;
    chunks.push_back(chunk);
    chunk = {.rest = rest};
  }
  if (chunk.unknown != 0) chunks.push_back(chunk);
  return chunks;
}

// Requests the unknown games of the first chunks together, about kGames games, since their records
// may be close together. Returns the number of the first chunk that is left.
std::size_t expect_first(const Database& database, std::span<const Chunk> chunks) {
  constexpr std::size_t kGames = 4096;
  ReadAhead ahead(database);
  std::size_t games = 0;
  std::size_t number = 0;
  for (; ahead.is_wanted() && number < chunks.size() && games < kGames; ++number) {
    Chunk chunk = chunks[number];
    games += chunk.unknown;
    for (; chunk.games != 0; --chunk.games) {
      const GameIndex game = chunk.rest.next();
      if (!database.sizes().is_known(game)) ahead.add(game);
    }
  }
  ahead.ask();
  return number;
}

absl::Status measure_chunk(const Database& database, Chunk chunk, const WorkBudget& budget,
                           const std::atomic<bool>& has_failed) {
  BudgetWatch watch(budget);
  const ReaderPool::Loan reader = database.readers().borrow();
  for (std::uint32_t done = 0; chunk.games != 0; --chunk.games) {
    const GameIndex game = chunk.rest.next();
    if (database.sizes().is_known(game)) continue;
    if (has_failed) break;
    if (watch.is_cancelled(database.index().value(game, PackedIndex::Column::Length))) break;
    reader->expect(chunk.is_dense() ? chunk.unknown - done : 1);
    ++done;
    if (auto size = measure_game(database, game, *reader); !size.ok()) return size.status();
  }
  return absl::OkStatus();
}

absl::Status out_of_memory(const Database& database) {
  return absl::ResourceExhaustedError(database.name() + ": out of memory");
}

// The ids come first: when all sizes are known, all ids are.
absl::Status put_on_record(const Database& database, GameIndex game,
                           const GameReader::Measure& found, codec::scid::FideIds ids) {
  const auto [size, is_damaged, has_verified_signature] = found;
  if (ids.any() && !database.sizes().is_known(game)) database.found_ids().add(game, ids);
  if (database.sizes().record(game, size, is_damaged, has_verified_signature))
    return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("{}: game {} has {} bytes of text where {} are on record: the file has changed",
                  database.name(), game + 1, size, database.sizes().size(game).value_or(0)));
}

}  // namespace

absl::Status measure(const Database& database, GameList list, const WorkBudget& budget) {
  RETURN_IF_ERROR(check_shared_records(database, list));
  if (database.sizes().complete()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<Chunk> chunks, chunks_of(database, list, budget));
  if (chunks.empty()) return absl::OkStatus();
  const UrgentCall urgent(database);
  std::atomic<bool> has_failed = false;
  cache::Mutex mutex;
  absl::Status result;
  const unsigned threads = thread_count(budget.threads(), chunks.size());
  const std::size_t expected = expect_first(database, chunks);
  run_parallel(chunks.size(), threads, [&](std::size_t i) {
    absl::Status status;
    try {
      if (i >= expected) expect_first(database, std::span(chunks).subspan(i, 1));
      if (!has_failed) status = measure_chunk(database, chunks[i], budget, has_failed);
    } catch (const std::bad_alloc&) {
      status = out_of_memory(database);
    }
    if (status.ok()) return;
    has_failed = true;
    const cache::MutexLock lock(mutex);
    result.Update(std::move(status));
  });
  if (!result.ok()) return result;
  return budget.is_cancelled() ? WorkBudget::cancelled() : absl::OkStatus();
}

absl::Status measure_range(const Database& database, GameIndex first, GameIndex last,
                           absl::FunctionRef<bool()> stop) {
  absl::Status result;
  try {
    const ReaderPool::Loan reader = database.readers().borrow();
    ReadAhead ahead(database);
    for (GameIndex game = first; ahead.is_wanted() && game < last; ++game) {
      if (!database.sizes().is_known(game)) ahead.add(game);
    }
    ahead.ask();
    for (GameIndex game = first; game < last; ++game) {
      if (database.sizes().is_known(game)) continue;
      give_way(stop);
      if (stop()) break;
      reader->expect(last - game);
      // A game that cannot be read does not stop the others.
      result.Update(measure_game(database, game, *reader).status());
    }
  } catch (const std::bad_alloc&) {
    result.Update(out_of_memory(database));
  }
  return result;
}

absl::StatusOr<std::uint32_t> measure_game(const Database& database, GameIndex game,
                                           GameReader& reader) {
  ASSIGN_OR_RETURN(const GameReader::Measure found, reader.measure(game));
  RETURN_IF_ERROR(put_on_record(database, game, found, reader.fide_ids()));
  return static_cast<std::uint32_t>(found.length);
}

absl::Status append_text(const Database& database, GameIndex game, GameReader& reader,
                         codec::TextBuffer& out) {
  const std::size_t before = out.size();
  ASSIGN_OR_RETURN(const std::optional<codec::Damage> damage, reader.append(game, out));
  return put_on_record(database, game,
                       {.length = out.size() - before, .is_damaged = damage.has_value()},
                       reader.fide_ids());
}

}  // namespace scidfs::fs
