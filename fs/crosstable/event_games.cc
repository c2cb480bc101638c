#include "fs/crosstable/event_games.h"

#include <cstddef>

#include "fs/content/work_cost.h"

namespace scidfs::fs {

using codec::scid::NameKind;

std::string EventNames::round(std::uint32_t round_id) const {
  return std::string(database_.names()[NameKind::Round].text(round_id));
}

EventNames::Player EventNames::player(const PlayerOfGame& in) const {
  return {.id = in.player, .name = database_.names()[NameKind::Player].text(in.player)};
}

absl::StatusOr<std::optional<EventGames>> event_games(const EventNames& names,
                                                      const GameList& games,
                                                      const WorkBudget& budget) {
  constexpr std::size_t kBetween = std::size_t{1} << 12;  // games between checks for cancellation
  if (absl::Status status = names.prepare(budget); !status.ok()) return status;
  if (games.count(kMaxTableGames + 1) > kMaxTableGames) return std::nullopt;
  EventGames event;
  GameList::Cursor list = games.begin();
  for (GameIndex game = list.next(); game != kNoGame; game = list.next()) {
    if (event.games.size() % kBetween == kBetween - 1) {
      if (!budget.spend(kBetween / kEventEntriesOfGame)) return WorkBudget::exceeded();
      if (budget.is_cancelled()) return WorkBudget::cancelled();
    }
    const codec::scid::GameEntry entry = names.database().entry(game);
    const auto [round, is_new] = event.rounds.try_emplace(entry.round);
    if (is_new) round->second = names.round(entry.round);
    const EventNames::Player white = names.player(player_of(entry, codec::Color::White));
    const EventNames::Player black = names.player(player_of(entry, codec::Color::Black));
    event.games.push_back({.white = white.name,
                           .black = black.name,
                           .white_id = white.id,
                           .black_id = black.id,
                           .white_rating = entry.white_rating,
                           .black_rating = entry.black_rating,
                           .round = round->second,
                           .result = entry.result,
                           .date = entry.date});
  }
  return event;
}

}  // namespace scidfs::fs
