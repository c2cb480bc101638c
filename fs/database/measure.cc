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
#include "fs/database/decoding.h"
#include "fs/database/read_ahead.h"

namespace scidfs::fs {
namespace {

// How many measure() are at work, on any database that is near: they share the processors.
std::atomic<unsigned>& urgent_calls() {
  static std::atomic<unsigned> calls = 0;
  return calls;
}

class UrgentCall {
 public:
  // Who waits for a server, perhaps for ever, keeps no processor.
  explicit UrgentCall(const Database& database) : calls_(database.is_far() ? 0 : 1) {
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

// Part of a list, for one thread.
struct Stretch {
  GameList::Cursor rest;    // where it begins
  std::uint32_t games = 0;  // of the list
  std::uint32_t unknown = 0;
  GameIndex first = 0;  // of those whose sizes are not known
  GameIndex last = 0;

  // Whether a window of the game file serves so many of the games that reading one costs less than
  // reading a chunk for each.
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

absl::StatusOr<std::vector<Stretch>> stretches_of(const Database& database, GameList list,
                                                  const Effort& effort) {
  constexpr std::size_t kGamesOfLook = std::size_t{1} << 16;
  std::vector<Stretch> stretches;
  DecodingCost cost(effort);
  std::size_t listed = 0;
  GameList::Cursor rest = list.begin();
  Stretch stretch{.rest = rest};
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    ++stretch.games;
    if (++listed % kGamesOfLook == 0 && effort.is_over()) return Effort::over();
    if (database.sizes().is_known(game)) continue;
    if (!effort.is_whole() &&
        !cost.add(database.index().value(game, PackedIndex::Column::Length))) {
      return Effort::too_little();
    }
    if (stretch.unknown++ == 0) stretch.first = game;
    stretch.last = game;
    if (!stretch.is_long_enough()) continue;
    stretches.push_back(stretch);
    stretch = {.rest = rest};
  }
  if (stretch.unknown != 0) stretches.push_back(stretch);
  return stretches;
}

// Asks for what is not known yet of the first stretches together, since their places may be the
// same: about so many games. Returns the number of the first stretch that is left.
std::size_t expect_first(const Database& database, std::span<const Stretch> stretches) {
  constexpr std::size_t kGames = 4096;
  ReadAhead ahead(database);
  std::size_t games = 0;
  std::size_t number = 0;
  for (; ahead.is_wanted() && number < stretches.size() && games < kGames; ++number) {
    Stretch stretch = stretches[number];
    games += stretch.unknown;
    for (; stretch.games != 0; --stretch.games) {
      const GameIndex game = stretch.rest.next();
      if (!database.sizes().is_known(game)) ahead.add(game);
    }
  }
  ahead.ask();
  return number;
}

absl::Status measure_stretch(const Database& database, Stretch stretch, const Effort& effort,
                             const std::atomic<bool>& has_failed) {
  EffortWatch watch(effort);
  const Database::ReaderPtr reader = database.borrow_reader();
  for (std::uint32_t done = 0; stretch.games != 0; --stretch.games) {
    const GameIndex game = stretch.rest.next();
    if (database.sizes().is_known(game)) continue;
    if (has_failed) break;
    if (watch.is_over(database.index().value(game, PackedIndex::Column::Length))) break;
    reader->expect(stretch.is_dense() ? stretch.unknown - done : 1);
    ++done;
    if (auto size = measure_game(database, game, *reader); !size.ok()) return size.status();
  }
  return absl::OkStatus();
}

absl::Status out_of_memory(const Database& database) {
  return absl::ResourceExhaustedError(database.name() + ": out of memory");
}

absl::Status put_on_record(const Database& database, GameIndex game,
                           const GameReader::Measure& found) {
  const auto [size, is_damaged, has_sound_marks] = found;
  if (database.sizes().record(game, size, is_damaged, has_sound_marks)) return absl::OkStatus();
  return absl::DataLossError(
      fmt::format("{}: game {} has {} bytes of text where {} are on record: the file has changed",
                  database.name(), game + 1, size, database.sizes().size(game).value_or(0)));
}

}  // namespace

absl::Status measure(const Database& database, GameList list, const Effort& effort) {
  if (absl::Status status = check_shared_records(database, list); !status.ok()) return status;
  if (database.sizes().complete()) return absl::OkStatus();
  const absl::StatusOr<std::vector<Stretch>> stretches = stretches_of(database, list, effort);
  if (!stretches.ok()) return stretches.status();
  if (stretches->empty()) return absl::OkStatus();
  const UrgentCall urgent(database);
  std::atomic<bool> has_failed = false;
  cache::Mutex mutex;
  absl::Status result;
  const unsigned threads = thread_count(effort.threads(), stretches->size());
  const std::size_t expected = expect_first(database, *stretches);
  run_parallel(stretches->size(), threads, [&](std::size_t i) {
    absl::Status status;
    try {
      if (i >= expected) expect_first(database, std::span(*stretches).subspan(i, 1));
      if (!has_failed) status = measure_stretch(database, (*stretches)[i], effort, has_failed);
    } catch (const std::bad_alloc&) {
      status = out_of_memory(database);
    }
    if (status.ok()) return;
    has_failed = true;
    const cache::MutexLock lock(mutex);
    result.Update(std::move(status));
  });
  if (!result.ok()) return result;
  return effort.is_over() ? absl::CancelledError(database.name() + ": nobody waits any more")
                          : absl::OkStatus();
}

absl::Status measure_range(const Database& database, GameIndex first, GameIndex last,
                           absl::FunctionRef<bool()> stop) {
  absl::Status result;
  try {
    const Database::ReaderPtr reader = database.borrow_reader();
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
      // One game that cannot be read does not keep the others waiting.
      result.Update(measure_game(database, game, *reader).status());
    }
  } catch (const std::bad_alloc&) {
    result.Update(out_of_memory(database));
  }
  return result;
}

absl::StatusOr<std::uint32_t> measure_game(const Database& database, GameIndex game,
                                           GameReader& reader) {
  const absl::StatusOr<GameReader::Measure> found = reader.measure(game);
  if (!found.ok()) return found.status();
  absl::Status status = put_on_record(database, game, *found);
  if (!status.ok()) return status;
  return static_cast<std::uint32_t>(found->length);
}

absl::Status append_text(const Database& database, GameIndex game, GameReader& reader,
                         codec::TextBuffer& out) {
  const std::size_t before = out.size();
  const absl::StatusOr<std::optional<codec::Damage>> damage = reader.append(game, out);
  if (!damage.ok()) return damage.status();
  return put_on_record(database, game,
                       {.length = out.size() - before, .is_damaged = damage->has_value()});
}

}  // namespace scidfs::fs
