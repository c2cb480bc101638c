// Databases of a few games, for what is said of their positions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/target_position.h"
#include "fs/pages/notable_games.h"
#include "fs/positions/moves_played.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {

class PagesTest : public SetsTest {
 protected:
  // A game; what is left out is unknown.
  struct Game {
    std::string_view moves;  // "e4 e5"
    codec::Result result{};
    std::string_view white = "Anna";
    std::string_view black = "Bert";
    std::uint16_t white_elo = 0;
    std::uint16_t black_elo = 0;
    codec::Date date{};
  };

  static tests::ScidFiles files_of_games(const std::vector<Game>& games) {
    tests::ScidFilesBuilder builder;
    std::map<std::string_view, std::uint32_t> players;
    const auto id_of = [&](std::string_view name) {
      const auto [player, is_new] = players.try_emplace(name, 0);
      if (is_new) player->second = builder.name(NameKind::Player, name);
      return player->second;
    };
    for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    for (const Game& game : games) {
      Entry entry;
      entry.white = id_of(game.white);
      entry.black = id_of(game.black);
      entry.white_rating.value = game.white_elo;
      entry.black_rating.value = game.black_elo;
      entry.result = game.result;
      entry.date = game.date;
      builder.game(entry, tests::ScidEncoder().moves(game.moves).record());
    }
    return builder.files();
  }

  // The standard position, after some moves.
  static codec::TargetPosition after(const std::vector<std::string_view>& moves) {
    codec::TargetPosition target;
    for (const std::string_view text : moves) {
      const auto move = target.parse_move(text);
      EXPECT_TRUE(move.has_value()) << text;
      if (move.has_value()) target = target.after(*move);
    }
    return target;
  }

  // REQUIRES for both: all games of the set come to the position.
  static std::shared_ptr<const MoveTable> table_of(const DatabaseGames& set,
                                                   const codec::TargetPosition& target) {
    const auto table = moves_played(set, target, whole());
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? *table : std::make_shared<const MoveTable>();
  }
  static NotableGames notable_of(const DatabaseGames& set, const codec::TargetPosition& target,
                                 std::size_t most_strongest, std::size_t most_newest,
                                 const WorkBudget& budget = whole()) {
    const auto games = notable_games(set, target, most_strongest, most_newest, budget);
    EXPECT_TRUE(games.ok()) << games.status();
    return games.value_or(NotableGames());
  }
};

}  // namespace scidfs::fs
