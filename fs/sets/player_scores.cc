#include "fs/sets/player_scores.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <atomic>

#include "fs/sets/set_columns.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using Column = PackedIndex::Column;

// One side of a game, as it counts for one player.
struct Appearance {
  std::uint32_t player = 0;
  Color color{};
  Outcome outcome{};
  std::uint16_t year = 0;
  std::uint16_t elo = 0;
};

// The appearances in the games of one block.
class Appearances {
 public:
  Appearances(std::uint32_t players, const std::optional<Subject>& subject)
      : players_(players), subject_(subject) {}

  std::span<const Appearance> read(const PackedIndex& index, std::size_t block,
                                   std::span<const GameIndex> games) {
    columns_.read(index, block, games);
    count_ = 0;
    for (std::size_t row = 0; row < games.size(); ++row) {
      add(row, Color::White);
      add(row, Color::Black);
    }
    return std::span(appearances_).first(count_);
  }

 private:
  // Values of columns_, those of a player by his colour.
  static constexpr std::size_t kPlayer = 0, kRating = 2, kResult = 4, kDate = 5;

  // That of the player with a colour; or, if he is the subject, of whom he plays against.
  void add(std::size_t row, Color color) {
    const auto side = static_cast<std::size_t>(color);
    std::size_t shown = side;
    if (subject_.has_value()) {
      if (!subject_->is(columns_[kPlayer + side][row], color)) return;
      shown = 1 - side;
    }
    const auto result = static_cast<codec::Result>(columns_[kResult][row]);
    appearances_[count_++] = {
        .player = std::min(columns_[kPlayer + shown][row], players_),
        .color = color,
        .outcome = outcome_of(result, color),
        .year = static_cast<std::uint16_t>(year_of(columns_[kDate][row])),
        .elo = static_cast<std::uint16_t>(elo_of(columns_[kRating + shown][row]))};
  }

  const std::uint32_t players_;
  const std::optional<Subject>& subject_;
  SetColumns<6> columns_{{Column::White, Column::Black, Column::WhiteRating, Column::BlackRating,
                          Column::Result, Column::Date}};
  std::array<Appearance, 2 * PackedIndex::kBlock> appearances_;
  std::size_t count_ = 0;
};

// For one thread.
struct Plain {
  static void increase(std::uint32_t& number) { ++number; }
  template <class Replaces>
  static void replace(std::uint16_t& old, std::uint16_t by, const Replaces& replaces) {
    if (replaces(by, old)) old = by;
  }
};

// For several at once.
struct Shared {
  static void increase(std::uint32_t& number) {
    std::atomic_ref(number).fetch_add(1, std::memory_order_relaxed);
  }
  template <class Replaces>
  static void replace(std::uint16_t& old, std::uint16_t by, const Replaces& replaces) {
    const std::atomic_ref shared(old);
    std::uint16_t seen = shared.load(std::memory_order_relaxed);
    while (replaces(by, seen) &&
           !shared.compare_exchange_weak(seen, by, std::memory_order_relaxed)) {
    }
  }
};

template <class Access>
void count(const Appearance& appearance, PlayerScore& score) {
  Access::increase(score.games[static_cast<std::size_t>(appearance.color)]);
  if (appearance.outcome != Outcome::Unknown) {
    Access::increase(score.results[static_cast<std::size_t>(appearance.outcome)]);
  }
  constexpr auto kGreater = [](std::uint16_t by, std::uint16_t old) { return by > old; };
  if (appearance.year != 0) {
    Access::replace(score.first_year, appearance.year,
                    [](std::uint16_t by, std::uint16_t old) { return old == 0 || by < old; });
    Access::replace(score.last_year, appearance.year, kGreater);
  }
  Access::replace(score.highest_elo, appearance.elo, kGreater);
}

// A place for each player of the database, used by all threads.
absl::StatusOr<std::vector<PlayerScore>> count_in_table(const Database& database,
                                                        const SetWalk& walk,
                                                        const std::optional<Subject>& subject,
                                                        const Effort& effort,
                                                        std::uint32_t players) {
  std::vector<PlayerScore> scores(std::size_t{players} + 1);
  const std::size_t workers = workers_for(effort, walk.stretches());
  std::vector<Appearances> rooms(workers, Appearances(players, subject));
  absl::Status status = walk.visit_all(
      workers, effort,
      [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
        const auto appearances = rooms[worker].read(database.index(), block, games);
        // The places lie all over the memory: they come while others are counted.
        for (const Appearance& appearance : appearances) {
          __builtin_prefetch(&scores[appearance.player], 1);
        }
        for (const Appearance& appearance : appearances) {
          if (workers == 1) {
            count<Plain>(appearance, scores[appearance.player]);
          } else {
            count<Shared>(appearance, scores[appearance.player]);
          }
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  for (std::uint32_t player = 0; player < scores.size(); ++player) scores[player].player = player;
  std::erase_if(scores, [](const PlayerScore& score) { return score.all_games() == 0; });
  scores.shrink_to_fit();
  return scores;
}

absl::StatusOr<std::vector<PlayerScore>> count_by_id(const Database& database, const SetWalk& walk,
                                                     const std::optional<Subject>& subject,
                                                     const Effort& effort, std::uint32_t players) {
  std::vector<PlayerScore> scores;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> place_of;
  Appearances room(players, subject);
  absl::Status status = walk.visit_all(
      1, effort, [&](std::size_t, std::size_t block, std::span<const GameIndex> games) {
        for (const Appearance& appearance : room.read(database.index(), block, games)) {
          const auto [found, is_new] =
              place_of.try_emplace(appearance.player, static_cast<std::uint32_t>(scores.size()));
          if (is_new) scores.push_back({.player = appearance.player});
          count<Plain>(appearance, scores[found->second]);
        }
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  std::ranges::sort(scores, {}, &PlayerScore::player);
  return scores;
}

}  // namespace

absl::StatusOr<std::vector<PlayerScore>> player_scores(const Database& database,
                                                       const SetWalk& walk,
                                                       const std::optional<Subject>& subject,
                                                       const Effort& effort) {
  // A place for each player costs a look at each, an id in a table of few about so many of those.
  constexpr std::size_t kPlayersOfGame = 8;
  const std::uint32_t players = database.names()[codec::scid::NameKind::Player].size();
  const bool many = players / kPlayersOfGame <= walk.games();
  return (many ? count_in_table : count_by_id)(database, walk, subject, effort, players);
}

}  // namespace scidfs::fs
