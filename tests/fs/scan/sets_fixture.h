// Databases from which tests select sets.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/eco.h"
#include "codec/scid/index.h"
#include "fs/database/game_set.h"
#include "fs/database/group_names.h"
#include "fs/scan/subject.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"

namespace scidfs::fs {

class SetsTest : public DatabaseTest {
 protected:
  using NameKind = codec::scid::NameKind;
  using Entry = codec::scid::IndexEntry;

  static std::string record() {
    tests::Random random(1);
    return tests::random_game(random, {.plies = 2, .annotated = false}).record();
  }

  // Thousands of games of thousands of players, with random data, much of it unknown; names that
  // collide, that differ only near their end, that are long or missing.
  static tests::ScidFiles random_files(std::size_t games, std::size_t players, std::uint64_t seed) {
    tests::Random random(seed);
    tests::ScidFilesBuilder builder;
    constexpr std::array<std::string_view, 6> kForms = {
        "anna {}", "Anna_{}", "ANNA {}", "Kasparov, Garry Kimovich {}", "Ős/{}", "{}"};
    std::string last;
    for (std::size_t i = 0; i < players; ++i) {
      std::string name(kForms[random.below(kForms.size())]);
      name.replace(name.find("{}"), 2, std::to_string(i / 4));
      if (random.one_in(50)) name.resize(250, 'x');
      if (name == last) name.back() = '+';  // equal neighbors would be damage
      builder.name(NameKind::Player, name);
      last = name;
    }
    builder.name(NameKind::Event, "Cup");
    builder.name(NameKind::Site, "Town");
    builder.name(NameKind::Round, "1");
    const std::string text = record();
    const auto rating = [&]() -> codec::Rating {
      if (random.one_in(4)) return {};
      return {.value = static_cast<std::uint16_t>(1000 + random.below(1900)),
              .type = random.one_in(5) ? codec::RatingType::Iccf : codec::RatingType::Elo};
    };
    for (std::size_t game = 0; game < games; ++game) {
      Entry entry;
      // Few players have many games; an id of 20 may be missing in the names.
      const auto player = [&] {
        return static_cast<std::uint32_t>(random.below(random.one_in(3) ? players + 2 : 20));
      };
      entry.white = player();
      entry.black = player();
      if (!random.one_in(7)) {
        entry.date = {
            .year = static_cast<std::uint16_t>(1900 + random.below(random.below(120) + 1)),
            .month = static_cast<std::uint8_t>(random.below(13))};
      }
      entry.white_rating = rating();
      entry.black_rating = rating();
      entry.eco = static_cast<codec::EcoCode>(
          random.one_in(9) ? 0 : 1 + random.below(random.below(codec::kMaxEco) + 1));
      entry.result = static_cast<codec::Result>(random.below(4));
      entry.plies = static_cast<std::uint16_t>(random.below(random.below(900) + 1));
      if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, text);
    }
    return builder.files();
  }

  // A database made from given games.
  struct Line {
    std::string_view white, black;
    std::uint16_t white_elo = 0, black_elo = 0;  // ratings
    codec::Result result{};
    codec::Date date{};
    unsigned eco_base = codec::kEcoBases;
    std::uint16_t plies = 0;
    bool is_deleted = false;
    codec::RatingType system{};  // of both ratings
  };
  static tests::ScidFiles files_of(const std::vector<Line>& lines) {
    tests::ScidFilesBuilder builder;
    std::vector<std::string_view> players;
    const auto id_of = [&](std::string_view name) {
      const auto found = std::ranges::find(players, name);
      if (found != players.end()) return static_cast<std::uint32_t>(found - players.begin());
      players.push_back(name);
      return builder.name(NameKind::Player, name);
    };
    for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    const std::string text = record();
    for (const Line& line : lines) {
      Entry entry;
      entry.white = id_of(line.white);
      entry.black = id_of(line.black);
      entry.white_rating = {.value = line.white_elo, .type = line.system};
      entry.black_rating = {.value = line.black_elo, .type = line.system};
      entry.result = line.result;
      entry.date = line.date;
      entry.eco = line.eco_base == codec::kEcoBases
                      ? codec::EcoCode{0}
                      : static_cast<codec::EcoCode>(1 + 131 * line.eco_base);
      entry.plies = line.plies;
      if (line.is_deleted) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, text);
    }
    return builder.files();
  }

  static DatabaseGames set_of(const DatabasePtr& database, const std::vector<GameIndex>& games,
                              Part part = Part::Shown) {
    DeltaList deltas;
    for (const GameIndex game : games) deltas.add(game);
    return {database, std::move(deltas), part};
  }
  static DatabaseGames shown(const DatabasePtr& database) { return {database, database->shown()}; }
  static DatabaseGames deleted(const DatabasePtr& database) {
    return {database, database->loaded().deleted(), Part::Deleted};
  }
  static std::vector<GameIndex> games_of(const DatabaseGames& set) { return games_in(set); }
  // Sets of all kinds: everything, nothing, few, many, one block, the deleted games.
  static std::vector<DatabaseGames> many_sets(const DatabasePtr& database, std::uint64_t seed) {
    std::vector<DatabaseGames> sets = {shown(database), deleted(database), set_of(database, {})};
    tests::Random random(seed);
    for (const std::size_t one_in : {2, 30, 1000}) {
      std::vector<GameIndex> games;
      for (const GameIndex game : games_of(shown(database))) {
        if (random.one_in(one_in)) games.push_back(game);
      }
      sets.push_back(set_of(database, games));
    }
    std::vector<GameIndex> block;
    for (const GameIndex game : games_of(shown(database))) {
      if (game >= 256 && game < 384) block.push_back(game);
    }
    sets.push_back(set_of(database, block));
    return sets;
  }
  static std::uint32_t player_of(const Database& database, std::string_view name) {
    const codec::scid::NameTable& players = database.names()[NameKind::Player];
    for (std::uint32_t id = 0; id < players.size(); ++id) {
      if (players.text(id) == name) return id;
    }
    ADD_FAILURE() << "no player " << name;
    return 0;
  }
  static Subject subject_of(const Database& database, std::string_view name,
                            std::optional<codec::Color> color = std::nullopt) {
    return {.players = NameIds(player_of(database, name)), .color = color};
  }
  static Subject several(const Database& database, const std::function<bool(std::uint32_t)>& is) {
    std::vector<bool> ids(database.names()[NameKind::Player].size());
    for (std::uint32_t id = 0; id < ids.size(); ++id) ids[id] = is(id);
    return {.players = NameIds(std::move(ids))};
  }

  // The directory of each player, by id, from the listings; empty for players without one.
  static std::vector<std::string> player_paths(const Database& database) {
    std::vector<std::string> paths(database.names()[NameKind::Player].size() + 2);
    const NamedSet& set = database.lists().player_set();
    for (const NamedSet::Group& group : set.groups()) {
      for (std::uint32_t position = group.begin; position < group.end; ++position) {
        const NamedSet::Listed player = set.at(group, position);
        paths[player.id] = "players/" + shard_name(group.group) + '/' + player.name;
      }
    }
    return paths;
  }

  // A percentage with one digit: "12.5" of 1 and 8.
  static std::string tenths_of(double part, double whole) {
    if (whole == 0) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", std::floor(part * 1000 / whole + 0.5) / 10);
    return text;
  }

  static WorkBudget whole() {
    return WorkBudget::unlimited([] { return false; });
  }
  // An unlimited budget on the calling thread.
  static WorkBudget on_one_thread() { return WorkBudget::limited(std::size_t{1} << 30); }
  static WorkBudget over() {
    return WorkBudget::unlimited([] { return true; });
  }
};

}  // namespace scidfs::fs
