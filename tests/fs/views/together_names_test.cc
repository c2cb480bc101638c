// together/ has one directory for each spelling of a name, with the games of all databases.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/base/filename.h"
#include "fs/reference/spelling.h"
#include "tests/fs/views/together_fixture.h"
#include "tests/support/scid_formats.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using tests::rows_of;

// Names whose directories collide: by case, accents and blanks, by characters that are cut, and by
// what looks like a number; and some that do not.
std::vector<std::string> colliding_names() {
  std::vector<std::string> names = tests::fields_of(
      "Anna B|anna b|ANNA B|Anna_B|Anna\tB|Anna\x01"
      "B|Anna B~2|Anna "
      "B~1|a/b|A/B|a\\b|A.|a.|.a|-A|Xu|xu|xU|Xu,L|Zoe|zo\xC3\xA9|Zo\xC3\x89|Zo\xE9|?||_| |"
      "Tal,M|Tal,M~3|%41|~|index.html|Carlsen|carlsen",
      '|');
  constexpr std::size_t kMostBytes = 255;
  for (const std::string end : {"a", "A", "b", "~2"}) {
    names.push_back(std::string(kMostBytes - end.size(), 'n') + end);
    names.push_back(std::string(kMaxNameBytes - end.size(), 'n') + end);
  }
  return names;
}

// The number of a game and its database.
using GameInDatabase = std::pair<std::string, std::string>;
using GamesInDatabases = std::set<GameInDatabase>;

struct NamedColumns {
  std::vector<std::string> head;

  const std::string& of(const std::vector<std::string>& row, std::string_view name) const {
    const auto found = std::ranges::find(head, name);
    EXPECT_NE(found, head.end()) << name;
    return row.at(static_cast<std::size_t>(found - head.begin()));
  }
};

class TogetherNamesTest : public TogetherTest {
 protected:
  // Makes databases with few of the names each, in every format, and every name in some.
  void make_databases(std::size_t count, std::uint64_t seed) {
    tests::Random random(seed);
    const std::vector<std::string> all = colliding_names();
    std::filesystem::remove_all(source_);
    std::filesystem::create_directories(source_ / "sub");
    databases_.clear();
    for (std::size_t part = 0; part < count; ++part) {
      std::vector<std::string> names = all;
      for (std::size_t i = names.size(); i > 1; --i)
        std::swap(names[i - 1], names[random.below(i)]);
      names.resize(all.size() * 2 / 3);
      const std::string name = fmt::format("{}part{}", random.below(2) == 0 ? "" : "sub/", part);
      const tests::ScidFiles files = database_of(names, random);
      constexpr std::array<std::string_view, 3> kFormats = {".si3", ".si4", ".si5"};
      const std::string_view format = kFormats[random.below(kFormats.size())];
      put(name,
          format == ".si3"   ? tests::as_scid3(files)
          : format == ".si5" ? tests::as_scid5(files)
                             : files,
          tests::replace, format);
      databases_.push_back(fmt::format("{}{}", name, format));
    }
    open(source_);
  }

  // GamesInDatabases between random players at random events.
  static tests::ScidFiles database_of(const std::vector<std::string>& names,
                                      tests::Random& random) {
    tests::ScidFilesBuilder builder;
    for (const NameKind kind : {NameKind::Player, NameKind::Event, NameKind::Site}) {
      for (const std::string& name : names) builder.name(kind, name);
    }
    builder.name(NameKind::Round, "1");
    const auto any = [&] { return static_cast<std::uint32_t>(random.below(names.size())); };
    constexpr std::size_t kGames = 150;
    for (std::size_t game = 0; game < kGames; ++game) {
      codec::scid::IndexEntry entry;
      entry.white = any();
      entry.black = any();
      entry.event = any() % 8;
      entry.site = any() % 4;
      if (random.below(3) != 0) entry.date = {.year = static_cast<std::uint16_t>(2000 + any() % 2)};
      if (random.below(8) == 0) entry.flags = 1U << codec::scid::kFlagDeleted;
      entry.result = random.below(2) == 0 ? codec::Result::Draw : codec::Result::WhiteWins;
      builder.game(entry, tests::random_game(random, {.plies = 4}).record());
    }
    return builder.files();
  }

  // Persons whose directories collide.
  void use_people() {
    std::string file = "@PLAYER\n\n";
    for (const std::string name : {"Anna B", "ANNA B", "Zoe", "zoe", "Xu,L", "Tal,M", "tal,m"}) {
      file += name + " #- AUT [2000]\n";
    }
    file += "Carlsen #- NOR [2000] 1900--1950\nCarlsen #- NOR [2000] 1995\n   = carlsen\n";
    put(folder_ / "people.ssp", file);
    options_.database.reference = reference(folder_ / "people.ssp");
  }

  // The rows of a table, with its head.
  std::pair<NamedColumns, std::vector<std::vector<std::string>>> table(
      const std::string& path) const {
    const std::string file = text(path);
    return {NamedColumns{tests::fields_of(file.substr(0, file.find('\n')))}, rows_of(file)};
  }
  // The games of a set of one database, whose table does not name it, or of several.
  GamesInDatabases games_of(const std::string& set, const std::string& database = "") const {
    const auto [columns, rows] = table(set + "/index.tsv");
    GamesInDatabases games;
    for (const auto& row : rows) {
      games.emplace(database.empty() ? columns.of(row, "database") : database,
                    columns.of(row, "number"));
    }
    EXPECT_EQ(games.size(), rows.size()) << set;
    return games;
  }

  // The games of each key, by the lines of all databases' own tables of games: key_of() adds the
  // keys of a line.
  template <class KeyOf>
  std::map<std::string, GamesInDatabases> games_by(const KeyOf& key_of) const {
    std::map<std::string, GamesInDatabases> games;
    for (const std::string& database : databases_) {
      const auto [columns, rows] = table(database + "/index.tsv");
      for (const auto& row : rows) {
        for (const std::string& key : key_of(columns, row)) {
          games[key].emplace(database, columns.of(row, "number"));
        }
      }
    }
    return games;
  }
  // The same by the rows of a table that each database has, and the sets that its paths lead to.
  template <class KeyOf>
  std::map<std::string, GamesInDatabases> games_by_table(const std::string& name,
                                                         const KeyOf& key_of) const {
    std::map<std::string, GamesInDatabases> games;
    for (const std::string& database : databases_) {
      if (!exists(database + "/" + name)) continue;
      const auto [columns, rows] = table(database + "/" + name);
      for (const auto& row : rows) {
        const std::string set = fmt::format("{}/{}", database, columns.of(row, "path"));
        games[key_of(columns, row)].merge(games_of(set, database));
      }
    }
    return games;
  }

  // Checks that each row of a table of together/ leads to the games of its key, of which it has so
  // many, and that its directories are those of the rows. An empty key means several that no table
  // distinguishes.
  template <class KeyOf>
  void expect_rows(const std::string& name, const std::string& directory, const KeyOf& key_of,
                   const std::map<std::string, GamesInDatabases>& expected) const {
    SCOPED_TRACE(name);
    const auto [columns, rows] = table("together/" + name);
    std::map<std::string, GamesInDatabases> found;
    std::set<std::string> paths;
    for (const auto& row : rows) {
      const std::string& path = columns.of(row, "path");
      EXPECT_TRUE(paths.insert(path).second) << path;
      GamesInDatabases games = games_of("together/" + path);
      EXPECT_EQ(std::to_string(games.size()), columns.of(row, "games")) << path;
      const std::string key = key_of(columns, row);
      if (key.find('?') == std::string::npos) {
        EXPECT_FALSE(found.contains(key)) << key;
      }
      found[key].merge(games);
    }
    EXPECT_EQ(found.size(), expected.size());
    for (const auto& [key, games] : expected) EXPECT_TRUE(found[key] == games) << key;
    std::set<std::string> listed;
    for (const std::string& group : names("together/" + directory)) {
      if (group.find('.') != std::string::npos) continue;
      const std::string path = fmt::format("{}/{}", directory, group);
      for (const std::string& member : names("together/" + path)) {
        EXPECT_TRUE(listed.insert(fmt::format("{}/{}", path, member)).second) << member;
        expect_no_others(path, member);
      }
    }
    EXPECT_EQ(listed, paths);
    EXPECT_GT(std::ranges::count_if(
                  paths, [](const std::string& path) { return path.find('~') != path.npos; }),
              0)
        << "no names collide";
  }

  // The paths of players by name: of known ones one, of the two unknown names both.
  std::map<std::string, std::set<std::string>> player_paths() const {
    std::map<std::string, std::set<std::string>> paths;
    const auto [columns, rows] = table("together/players.tsv");
    for (const auto& row : rows) paths[columns.of(row, "name")].insert(columns.of(row, "path"));
    return paths;
  }

  // Checks that a group finds no names like one of its members that it does not list.
  void expect_no_others(const std::string& group, const std::string& member) const {
    const std::vector<std::string> listed = names("together/" + group);
    const std::string clean = member.substr(0, member.find('~'));
    std::vector<std::string> others = {clean, absl::AsciiStrToUpper(clean),
                                       absl::AsciiStrToLower(clean), clean + "~",
                                       clean + "~4294967295"};
    for (std::uint32_t id = 0; id < 60; ++id) others.push_back(with_collision_suffix(clean, id));
    for (const std::string& other : others) {
      EXPECT_EQ(exists(fmt::format("together/{}/{}", group, other)),
                std::ranges::count(listed, other) == 1)
          << group << "/" << other;
    }
  }

  std::vector<std::string> databases_;
};

std::string unknown_as_sign(const std::string& name) {
  return name.empty() || name == kUnknownName ? "?" : name;
}

std::string player_row_key(const NamedColumns& columns, const std::vector<std::string>& row) {
  return unknown_as_sign(columns.of(row, "name"));
}

// Event, site and year, which the path has.
std::string event_row_key(const NamedColumns& columns, const std::vector<std::string>& row) {
  const std::vector<std::string> path = tests::split(columns.of(row, "path"), '/');
  return fmt::format("{}|{}|{}", unknown_as_sign(columns.of(row, "event")),
                     unknown_as_sign(columns.of(row, "site")), path.at(1));
}

TEST_F(TogetherNamesTest, EachPlayerIsOneDirectory) {
  for (std::size_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    make_databases(2 + seed % 3, seed);
    const std::map<std::string, GamesInDatabases> players =
        games_by([](const NamedColumns& columns, const std::vector<std::string>& row) {
          return std::vector<std::string>{unknown_as_sign(columns.of(row, "white")),
                                          unknown_as_sign(columns.of(row, "black"))};
        });
    expect_rows("players.tsv", "players", &player_row_key, players);
    // Tables below sets have the same paths; so has the directory that is not listed.
    std::map<std::string, std::set<std::string>> paths_of = player_paths();
    const auto [columns, rows] = table("together/players.tsv");
    for (const auto& row : rows) {
      const std::string& path = columns.of(row, "path");
      const std::string name = path.substr(path.rfind('/') + 1);
      if (name.size() != 2) {  // not that of a group
        EXPECT_EQ(text(fmt::format("together/players/{}/all.pgn", name)),
                  text(fmt::format("together/{}/all.pgn", path)));
      }
      for (const std::string color : {"white", "black"}) {
        const std::string set = fmt::format("together/{}/{}", path, color);
        EXPECT_EQ(exists(set), exists(set + ".pgn"));
        if (!exists(set)) {
          EXPECT_EQ(columns.of(row, color), "0");
          continue;
        }
        EXPECT_EQ(std::to_string(games_of(set).size()), columns.of(row, color)) << set;
        EXPECT_EQ(text(set + "/games.pgn"), text(set + ".pgn"));
      }
    }
    for (const auto& row : rows) {
      const std::string& path = columns.of(row, "path");
      const auto [of_opponent, opponents] = table(fmt::format("together/{}/opponents.tsv", path));
      std::size_t games = 0;
      for (const auto& opponent : opponents) {
        EXPECT_TRUE(
            paths_of[of_opponent.of(opponent, "name")].contains(of_opponent.of(opponent, "path")));
        games += std::stoul(of_opponent.of(opponent, "games"));
      }
      EXPECT_GE(games, games_of("together/" + path).size()) << path;
    }
  }
}

TEST_F(TogetherNamesTest, EachEventIsOneDirectory) {
  for (std::size_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    make_databases(2 + seed % 3, seed);
    const std::map<std::string, GamesInDatabases> events =
        games_by([](const NamedColumns& columns, const std::vector<std::string>& row) {
          const std::string year = columns.of(row, "date").substr(0, 4);
          return std::vector<std::string>{
              fmt::format("{}|{}|{}", unknown_as_sign(columns.of(row, "event")),
                          unknown_as_sign(columns.of(row, "site")),
                          year.empty() || year == "????" ? std::string(kUnknownName) : year)};
        });
    expect_rows("events.tsv", "events", &event_row_key, events);
    std::map<std::string, std::set<std::string>> paths_of = player_paths();
    const auto [columns, rows] = table("together/events.tsv");
    for (const auto& row : rows) {
      const std::string event = "together/" + columns.of(row, "path");
      const auto [of_standing, standings] = table(event + "/standings.tsv");
      EXPECT_EQ(std::to_string(standings.size()), columns.of(row, "players")) << event;
      for (const auto& standing : standings) {
        EXPECT_TRUE(
            paths_of[of_standing.of(standing, "name")].contains(of_standing.of(standing, "path")))
            << event;
      }
      EXPECT_FALSE(text(event + "/crosstable.tsv").empty());
    }
  }
}

TEST_F(TogetherNamesTest, EachPersonAndTournamentIsOneDirectory) {
  use_people();
  const auto person_key = [](const NamedColumns& columns, const std::vector<std::string>& row) {
    return fmt::format("{}|{}", columns.of(row, "name"), columns.of(row, "born"));
  };
  for (std::size_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    make_databases(2 + seed % 3, seed);
    expect_rows("people.tsv", "people", person_key, games_by_table("people.tsv", person_key));
    expect_rows("tournaments/events.tsv", "tournaments", &event_row_key,
                games_by_table("tournaments/events.tsv", &event_row_key));
  }
}

// A directory whose name means another spelling than before shows nothing found for that.
TEST_F(TogetherNamesTest, NamesFollowChangesOfOtherDatabases) {
  const std::string set = "together/players/an/Anna_B";
  tests::ScidWriter first;
  first.add(record("e4"), "Anna_B", "x");
  tests::ScidWriter second;
  second.add(record("d4 d5"), "x", "y");
  put("b", first.files());
  put("c", second.files());
  open(source_);
  databases_ = {"b.si4", "c.si4"};
  for (const std::string search :
       {"", "/search/white=A*", "/search/played=e4", "/tree/e4", "/search/result=unknown"}) {
    EXPECT_EQ(games_of(set + search), (GamesInDatabases{{"b.si4", "1"}})) << search;
  }
  const std::string moves = text(set + "/tree/moves.tsv");
  EXPECT_FALSE(exists(set + "~0"));
  tests::ScidWriter before;
  before.add(record("c4"), "z", "y");
  before.add(record("Nf3"), "Anna B", "y");
  put("a", before.files());
  library_->rescan();
  tree_->renew();
  for (const std::string search : {"", "/search/white=A*", "/search/result=unknown"}) {
    EXPECT_EQ(games_of(set + search), (GamesInDatabases{{"a.si4", "2"}})) << search;
  }
  EXPECT_NE(text(set + "/tree/moves.tsv"), moves);
  // z, y, Anna B, Anna_B
  EXPECT_EQ(games_of(set + "~3/search/white=A*"), (GamesInDatabases{{"b.si4", "1"}}));
}

// Every name of a large database that is dealt to several.
TEST_F(TogetherNamesTest, MastersHaveOneDirectoryForEachName) {
  const std::string masters = tests::shared_folder() + "/data/masters";
  if (!std::filesystem::exists(masters + ".si4")) {
    GTEST_SKIP() << "the shared databases are not here";
  }
  deal(tests::ScidDatabase(masters), 3, 5);
  const std::string folder(kTogether);
  for (const std::string name : {"players.tsv", "events.tsv"}) {
    const auto [columns, rows] = table(folder + name);
    std::set<std::string> paths;
    tests::Random random(1);
    for (const auto& row : rows) {
      const std::string& path = columns.of(row, "path");
      EXPECT_TRUE(paths.insert(path).second) << path;
      EXPECT_TRUE(exists(folder + path)) << path;
      constexpr std::size_t kEach = 20;
      if (path.find('~') == std::string::npos && random.below(kEach) != 0) continue;
      EXPECT_EQ(std::to_string(rows_of(text(folder + path + "/index.tsv")).size()),
                columns.of(row, "games"))
          << path;
    }
    std::size_t listed = 0;
    const std::string directory = name.substr(0, name.find('.'));
    for (const std::string& group : names(folder + directory)) {
      if (group.find('.') != std::string::npos) continue;
      for (const std::string& member : names(fmt::format("{}{}/{}", folder, directory, group))) {
        EXPECT_TRUE(paths.contains(fmt::format("{}/{}/{}", directory, group, member))) << member;
        ++listed;
      }
    }
    EXPECT_EQ(listed, paths.size());
  }
}

}  // namespace
}  // namespace scidfs::fs
