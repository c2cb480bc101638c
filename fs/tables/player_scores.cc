#include "fs/tables/player_scores.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

namespace scidfs::fs {
namespace {

using codec::Color;

// Operations for a single thread.
struct Alone {
  static void increase(std::uint32_t& number) { ++number; }
  template <class Replaces>
  static void replace(std::uint16_t& old, std::uint16_t by, const Replaces& replaces) {
    if (replaces(by, old)) old = by;
  }
};

// Operations for several threads at the same time.
struct Together {
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

// Returns whether a table with a place for each player saves time, given that it costs a look at
// each of them.
bool is_worth_a_table(std::uint32_t players, std::size_t games) {
  constexpr std::size_t kMostPlacesForEachGame = 8;
  return players / kMostPlacesForEachGame <= games;
}

}  // namespace

// One side of a game, as counted for one player.
struct PlayerTally::Appearance {
  std::uint32_t player;
  Color color;
  Outcome outcome;
  std::uint16_t year;
  std::uint16_t elo;
  bool is_of_same_game = false;  // the previous appearance is the same player in the same game

  template <class Access>
  void count(PlayerScore& score) const {
    Access::increase(score.score.by_color[static_cast<std::size_t>(color)]
                         .games[static_cast<std::size_t>(outcome)]);
    if (is_of_same_game) Access::increase(score.score.against_self);
    constexpr auto kIsGreater = [](std::uint16_t by, std::uint16_t old) { return by > old; };
    if (year != 0) {
      Access::replace(score.first_year, year,
                      [](std::uint16_t by, std::uint16_t old) { return old == 0 || by < old; });
      Access::replace(score.last_year, year, kIsGreater);
    }
    Access::replace(score.highest_elo, elo, kIsGreater);
  }
};

std::size_t PlayerTally::memory(const Identities& who, std::size_t games) {
  if (is_worth_a_table(who.size(), games)) return who.size() * sizeof(PlayerScore);
  constexpr std::size_t kOfPlace = 32;  // in the index; vectors may have twice the room they need
  return std::min<std::size_t>(2 * games, who.size()) * (2 * sizeof(PlayerScore) + kOfPlace);
}

PlayerTally::PlayerTally(const Identities& who, std::size_t games, Subjects subjects)
    : who_(who), in_table_(is_worth_a_table(who.size(), games)), subjects_(subjects) {
  if (in_table_) scores_.resize(who.size());
}

void PlayerTally::add(std::size_t part, const ColumnBatch& rows) {
  const Identities::OfPart who = who_.of_part(part);
  const Subject* const subject = subjects_.of(part);
  std::array<Appearance, 2 * PackedIndex::kBlock> appearances;
  std::size_t count = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t first = count;
    for (const Color color : {Color::White, Color::Black}) {
      if (subject != nullptr && !subject->is(rows, row, color)) continue;
      const Color shown = subject != nullptr ? ~color : color;
      appearances[count++] = {.player = who.of(player_of(rows, row, shown)),
                              .color = color,
                              .outcome = outcome_of(rows.result(row), color),
                              .year = static_cast<std::uint16_t>(rows.year(row)),
                              .elo = static_cast<std::uint16_t>(rows.elo(row, shown))};
    }
    if (count == first + 2) {
      Appearance& last = appearances[count - 1];
      last.is_of_same_game = last.player == appearances[first].player;
    }
  }
  const std::span<const Appearance> all = std::span(appearances).first(count);
  if (!in_table_) {
    for (const Appearance& appearance : all) add_by_id(appearance);
    return;
  }
  // The places are scattered in memory: prefetch them while others are counted.
  for (const Appearance& appearance : all) __builtin_prefetch(&scores_[appearance.player], 1);
  for (const Appearance& appearance : all) {
    appearance.count<Together>(scores_[appearance.player]);
  }
}

void PlayerTally::add_by_id(const Appearance& appearance) {
  const auto [found, is_new] =
      place_of_.try_emplace(appearance.player, static_cast<std::uint32_t>(scores_.size()));
  if (is_new) scores_.push_back({.player = appearance.player});
  appearance.count<Alone>(scores_[found->second]);
}

std::vector<PlayerScore> PlayerTally::scores() && {
  if (!in_table_) {
    std::ranges::sort(scores_, {}, &PlayerScore::player);
    return std::move(scores_);
  }
  std::size_t count = 0;
  for (std::uint32_t player = 0; player < scores_.size(); ++player) {
    if (scores_[player].score.games() == 0) continue;
    scores_[count] = scores_[player];
    scores_[count++].player = player;
  }
  scores_.resize(count);
  return std::move(scores_);
}

}  // namespace scidfs::fs
