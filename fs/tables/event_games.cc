#include "fs/tables/event_games.h"

#include <absl/container/flat_hash_map.h>

#include <string_view>

#include "fs/content/work_cost.h"

namespace scidfs::fs {
namespace {

// Appends the games of one part.
class EventReader {
 public:
  EventReader(const Identities& who, std::size_t part, EventGames& event)
      : who_(who),
        part_(part),
        database_(*who.players().databases()[part]),
        players_(who.of_part(part)),
        event_(event) {}

  void add(GameIndex game) {
    const codec::scid::GameEntry entry = database_.entry(game);
    const auto [round, is_new] = rounds_.try_emplace(entry.round);
    if (is_new) {
      round->second = event_.rounds.emplace_back(round_text(who_, part_, entry.round));
    }
    const std::uint32_t white = players_.of(player_of(entry, game, codec::Color::White));
    const std::uint32_t black = players_.of(player_of(entry, game, codec::Color::Black));
    event_.games.push_back({.white = who_.name(white),
                            .black = who_.name(black),
                            .white_id = white,
                            .black_id = black,
                            .white_rating = entry.white_rating,
                            .black_rating = entry.black_rating,
                            .round = round->second,
                            .result = entry.result,
                            .date = entry.date});
  }

 private:
  const Identities& who_;
  const std::size_t part_;
  const Database& database_;
  const Identities::OfPart players_;
  absl::flat_hash_map<std::uint32_t, std::string_view> rounds_;  // by the ids of their names
  EventGames& event_;
};

}  // namespace

std::vector<GamesOfPart> games_by_part(const GameSet& parts) {
  std::vector<GamesOfPart> games;
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    games.push_back({.part = part, .games = parts[part].list()});
  }
  return games;
}

absl::StatusOr<std::optional<EventGames>> event_games(const Identities& who,
                                                      std::span<const GamesOfPart> games,
                                                      const WorkBudget& budget) {
  constexpr std::size_t kBetween = std::size_t{1} << 12;  // games between checks for cancellation
  std::size_t count = 0;
  for (const GamesOfPart& part : games) count += part.games.count(kMaxTableGames + 1 - count);
  if (count > kMaxTableGames) return std::nullopt;
  EventGames event;
  for (const GamesOfPart& part : games) {
    EventReader reader(who, part.part, event);
    GameList::Cursor list = part.games.begin();
    for (GameIndex game = list.next(); game != kNoGame; game = list.next()) {
      if (event.games.size() % kBetween == kBetween - 1) {
        if (!budget.spend(kBetween / kEventEntriesOfGame)) return WorkBudget::exceeded();
        if (budget.is_cancelled()) return WorkBudget::cancelled();
      }
      reader.add(game);
    }
  }
  return event;
}

std::string round_text(const Identities& who, std::size_t part, std::uint32_t round) {
  const std::string_view text =
      who.players().databases()[part]->names()[codec::scid::NameKind::Round].text(round);
  return who.people() == nullptr ? std::string(text) : who.people()->spelling().correct_round(text);
}

}  // namespace scidfs::fs
