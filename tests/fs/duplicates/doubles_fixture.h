// Databases with games that may be doubles.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/duplicates/doubles.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {

class DoublesFixture : public SetsTest {
 protected:
  struct Game {
    std::string white, black;
    codec::Date date{};
    codec::Result result{};
    std::string record;
    std::uint32_t flags = 0;
  };

  static tests::ScidFiles files_with(const std::vector<Game>& games) {
    tests::ScidFilesBuilder builder;
    std::map<std::string, std::uint32_t, std::less<>> ids;
    const auto id_of = [&](const std::string& name) {
      const auto [at, is_new] = ids.try_emplace(name);
      if (is_new) at->second = builder.name(NameKind::Player, name);
      return at->second;
    };
    for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    for (const Game& game : games) {
      Entry entry;
      entry.white = id_of(game.white);
      entry.black = id_of(game.black);
      entry.date = game.date;
      entry.result = game.result;
      entry.flags = game.flags;
      builder.game(entry, game.record);
    }
    return builder.files();
  }

  using DoublesPtr = std::shared_ptr<const Doubles>;
  static absl::StatusOr<DoublesPtr> find(const DatabasePtr& database, const WorkBudget& budget) {
    return Doubles::find(std::make_shared<const CommonPlayers>(database), budget);
  }
  static DoublesPtr doubles_of(const DatabasePtr& database) {
    absl::StatusOr<DoublesPtr> doubles = find(database, whole());
    EXPECT_TRUE(doubles.ok()) << doubles.status();
    return doubles.ok() ? *doubles : nullptr;
  }

  // The numbers of the games of each group, from 1.
  using Groups = std::vector<std::vector<std::uint32_t>>;
  static Groups groups_of(const Doubles& doubles) {
    Groups groups;
    for (std::size_t group = 0; group < doubles.groups(); ++group) {
      groups.emplace_back();
      for (const Double& game : doubles.group(group)) groups.back().push_back(game.game + 1);
    }
    return groups;
  }
  Groups groups(const std::vector<Game>& games, const DatabaseOptions& options = {}) {
    const Shared database = open(files_with(games), options);
    return groups_of(*doubles_of(database));
  }
  static std::vector<std::uint32_t> kept_of(const Doubles& doubles) {
    std::vector<std::uint32_t> kept;
    for (const Double& game : doubles.games()) {
      if (game.is_kept) kept.push_back(game.game + 1);
    }
    return kept;
  }
};

}  // namespace scidfs::fs
