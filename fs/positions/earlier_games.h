// How many games came to some positions before a day.
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The games that came to a position before a day. A value.
struct EarlierGames {
  struct Dated {
    std::uint32_t date = 0;
    GameOfPart game{};

    friend auto operator<=>(const Dated&, const Dated&) = default;  // NOLINT(modernize-use-nullptr)
  };

  std::uint32_t games = 0;
  Dated last{};  // by date, then by place; meaningless without games

  EarlierGames& operator+=(const EarlierGames& other) {
    games += other.games;
    last = std::max(last, other.last);
    return *this;
  }
};

// Some 170 bytes, and 24 more for each thread.
inline constexpr std::size_t kBytesOfEarlier = 256;

// Returns for each of the positions the shown games of the parts' databases that came to it before
// its day, a date in the form of codec::pack_date(): those whose codec::last_day_of() is earlier.
// Each game counts once, exactly as codec::scid::PositionSeeker finds it. `one_in`: looks only at
// one of so many blocks of the index, 1 for all games.
//
// Goes through the games once, on all processors if the budget is unlimited. Leaves out games that
// are too late, and those whose index signature shows that they come to none of the positions;
// replays the others while the pawns at home may be those of a position. Takes up to
// kBytesOfEarlier for each position: the caller counts that memory. Errors: Unavailable if the
// databases have more games than the budget allows; those of begin_decoding(); Cancelled; those of
// GameFile::read().
//
// REQUIRES: there is a day for each position; rights count for none; each part is of another
// database.
absl::StatusOr<std::vector<EarlierGames>> count_earlier(
    const GameSet& parts, std::span<const codec::TargetPosition> positions,
    std::span<const std::uint32_t> days, std::size_t one_in, const WorkBudget& budget);

}  // namespace scidfs::fs
