#include "fs/views/database_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fs/views/view.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/snapshot.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::child_of;
using tests::follow;
using tests::open_file;

const WorkBudget& whole() {
  static const WorkBudget kWhole = WorkBudget::unlimited([] { return false; });
  return kWhole;
}

std::vector<Child> children(const Snapshot& snapshot, LocalId directory) {
  std::vector<Child> found;
  const absl::Status status =
      snapshot.bind(directory)->list(0, whole(), [&found](Child child, std::uint64_t) {
        found.push_back(std::move(child));
        return true;
      });
  EXPECT_TRUE(status.ok()) << status;
  return found;
}

// Visits all listed entries with their paths.
void walk(const Snapshot& snapshot, LocalId directory, const std::string& path,
          const std::function<void(const std::string&, const Child&)>& visit) {
  for (const Child& child : children(snapshot, directory)) {
    visit(path + child.name, child);
    if (child.is_directory) walk(snapshot, child.place, path + child.name + "/", visit);
  }
}

class DatabaseSnapshotTest : public DatabaseTest {
 protected:
  static std::string text(const Snapshot& snapshot, LocalId file) {
    const auto content = open_file(snapshot, file, whole());
    EXPECT_TRUE(content.ok()) << content.status();
    return content.ok() ? text_of(**content) : "";
  }
  static std::string text(const Snapshot& snapshot, std::string_view path) {
    const std::optional<LocalId> place = follow(snapshot, path);
    EXPECT_TRUE(place.has_value()) << path;
    return place.has_value() ? text(snapshot, *place) : "";
  }
};

TEST_F(DatabaseSnapshotTest, ListedNamesHaveUniqueIds) {
  auto database = Database::open(tests::test_data("sample/sample.si4"), "sample.si4", {});
  ASSERT_TRUE(database.ok()) << database.status();
  const DatabaseSnapshot snapshot(*std::move(database));
  EXPECT_TRUE(snapshot.bind(LocalId{})->is_directory());
  std::set<std::tuple<int, int, std::uint32_t>> places;
  std::set<int> views_seen;
  walk(snapshot, LocalId{}, "", [&](const std::string& path, const Child& child) {
    SCOPED_TRACE(path);
    const LocalId place = child.place;
    EXPECT_TRUE(places.emplace(place.view, place.entry, place.key).second);
    views_seen.insert(place.view);
    const NodePtr node = snapshot.bind(place);
    ASSERT_NE(node, nullptr);
    EXPECT_EQ(node->is_directory(), child.is_directory);
    const std::size_t slash = path.rfind('/');
    const std::string above = slash == std::string::npos ? "" : path.substr(0, slash);
    EXPECT_EQ(follow(snapshot, path), place);
    if (child.is_directory) {
      EXPECT_EQ(node->parent(), follow(snapshot, above));
      EXPECT_TRUE(absl::IsNotFound(open_file(snapshot, place, whole()).status()));
    } else {
      text(snapshot, place);
    }
  });
  EXPECT_GT(places.size(), 100U);
  EXPECT_GT(views_seen.size(), 5U);
}

// With a few names for each call, as the kernel asks.
TEST_F(DatabaseSnapshotTest, ListsPagesOnDemand) {
  DatabaseOptions options;
  options.pages = PagesMode::Listed;
  const DatabaseSnapshot snapshot(open(example(20), options), nullptr, /*is_in_folder=*/true);
  std::map<std::string, std::set<std::string>> names;  // by directory
  const std::function<void(LocalId, const std::string&)> look = [&](LocalId directory,
                                                                    const std::string& path) {
    std::set<std::string>& found = names[path];
    std::vector<Child> below;
    std::uint64_t first = 0;
    for (std::size_t before = 1; before != below.size();) {
      before = below.size();
      std::size_t room = 3;
      const absl::Status status =
          snapshot.bind(directory)->list(first, whole(), [&](Child child, std::uint64_t next) {
            if (room-- == 0) return false;
            EXPECT_GT(next, first) << path;
            EXPECT_TRUE(found.insert(child.name).second) << path << child.name;
            EXPECT_EQ(child_of(snapshot, directory, child.name)->place, child.place);
            first = next;
            below.push_back(std::move(child));
            return true;
          });
      ASSERT_TRUE(status.ok()) << status;
    }
    for (const Child& child : below) {
      if (child.is_directory) look(child.place, path + child.name + "/");
    }
  };
  look(LocalId{}, "");
  for (const auto& [path, found] : names) {
    EXPECT_THAT(found, testing::IsSupersetOf({"index.html", "style.css", "board.js", "icon.svg"}))
        << path;
    EXPECT_EQ(found.contains("board.svg"), found.contains("board.txt")) << path;
    EXPECT_EQ(found.contains("board-black.svg"), found.contains("board.txt")) << path;
  }
  std::size_t games = 0;
  for (const std::string part : {"games/00000/", "deleted/00000/"}) {
    for (const std::string& name : names[part]) {
      if (!name.ends_with(".pgn")) continue;
      const std::string number = std::to_string(std::stoul(name));
      EXPECT_TRUE(names[part].contains(number + ".html")) << name;
      EXPECT_TRUE(names[part].contains(number + ".svg")) << name;
      ++games;
    }
  }
  EXPECT_EQ(games, 20U);
  EXPECT_FALSE(names["games/"].contains("1.html"));
  EXPECT_THAT(names["fens/00000/"], Not(testing::Contains(testing::MatchesRegex("[0-9]+.svg"))));
  EXPECT_GT(names.size(), 30U);
}

TEST_F(DatabaseSnapshotTest, OnlyTheMountPointListsItsPage) {
  const Shared database = open(example(20));
  for (const bool is_in_folder : {false, true}) {
    const DatabaseSnapshot snapshot(database, nullptr, is_in_folder);
    std::vector<std::string> pages;
    walk(snapshot, LocalId{}, "", [&](const std::string& path, const Child&) {
      for (const std::string_view end : {".html", ".css", ".js", ".svg"}) {
        if (path.ends_with(end)) pages.push_back(path);
      }
    });
    EXPECT_EQ(pages,
              is_in_folder ? std::vector<std::string>{} : std::vector<std::string>{"index.html"});
  }
}

TEST_F(DatabaseSnapshotTest, InvalidIdsAreNotFound) {
  const DatabaseSnapshot snapshot(open(example(20)));
  for (unsigned view = 0; view <= kMaxView; ++view) {
    for (unsigned entry = 0; entry <= kMaxEntry; ++entry) {
      const LocalId place{.view = static_cast<std::uint8_t>(view),
                          .entry = static_cast<std::uint8_t>(entry),
                          .key = kMaxKey - 15};
      EXPECT_EQ(snapshot.bind(place), nullptr) << view << " " << entry;
    }
  }
  EXPECT_EQ(snapshot.bind({.view = kViews}), nullptr);
}

// With any known sizes.
TEST_F(DatabaseSnapshotTest, ListingDoesNotDependOnKnownSizes) {
  const Shared database = open(example(500));
  const DatabaseSnapshot snapshot(database);
  const auto names = [&snapshot] {
    std::vector<std::string> found;
    walk(snapshot, LocalId{}, "",
         [&found](const std::string& path, const Child&) { found.push_back(path); });
    return found;
  };
  const std::vector<std::string> before = names();
  EXPECT_EQ(database->sizes().known(), 0U);
  EXPECT_THAT(before, testing::IsSupersetOf({"all.pgn", "errors.tsv", "years/2001/all.pgn",
                                             "players/an/Anna/white.pgn", "deleted/all.pgn"}));
  ASSERT_TRUE(database->compute_sizes(0, 500).ok());
  EXPECT_EQ(names(), before);
}

TEST_F(DatabaseSnapshotTest, FilesOfGamesOpenWithinBudget) {
  const Shared database = open(example(500));
  const DatabaseSnapshot snapshot(database);
  for (const char* const path :
       {"all.pgn", "errors.tsv", "years/2001/all.pgn", "years/2001/03.pgn", "eco/_unknown.pgn",
        "players/an/Anna/all.pgn", "events/2001/Cup--Town/games.pgn", "deleted/all.pgn"}) {
    const std::optional<LocalId> place = follow(snapshot, path);
    ASSERT_TRUE(place.has_value()) << path;
    EXPECT_TRUE(absl::IsUnavailable(open_file(snapshot, *place, WorkBudget::limited(10)).status()))
        << path;
    EXPECT_TRUE(absl::IsCancelled(
        open_file(snapshot, *place, WorkBudget::unlimited([] { return true; })).status()))
        << path;
    EXPECT_EQ(database->sizes().known(), 0U) << path;
  }
  for (const char* const path :
       {"info.txt", "index.tsv", "deleted/index.tsv", "events/2001/Cup--Town/crosstable.txt"}) {
    EXPECT_TRUE(open_file(snapshot, *follow(snapshot, path), WorkBudget::limited(0)).ok()) << path;
  }
  EXPECT_TRUE(
      open_file(snapshot, *follow(snapshot, "years/2001/03.pgn"), WorkBudget::limited(100)).ok());
}

TEST_F(DatabaseSnapshotTest, FilesAreConcatenationsOfTheirGames) {
  const tests::ScidFiles files = example(400);
  const Shared database = open(files);
  const DatabaseSnapshot snapshot(database);
  const auto texts = tests::ScidDatabase(files, ".si4").render_games();
  const auto expected = [&](const auto& is_in) {
    std::string all;
    for (GameIndex game = 0; game < database->games(); ++game) {
      if (is_in(game, database->entry(game))) all += texts[game].text;
    }
    return all;
  };
  using codec::scid::GameEntry;
  const auto is_deleted = [](const GameEntry& entry) { return entry.flags != 0; };
  EXPECT_EQ(text(snapshot, "all.pgn"),
            expected([&](GameIndex, const GameEntry& e) { return !is_deleted(e); }));
  EXPECT_EQ(text(snapshot, "deleted/all.pgn"),
            expected([&](GameIndex, const GameEntry& e) { return is_deleted(e); }));
  // The concatenation of the months in database order; month 0 is one of them.
  EXPECT_EQ(text(snapshot, "years/2001/all.pgn"), text(snapshot, "all.pgn"));
  EXPECT_EQ(text(snapshot, "years/2001/07.pgn"), expected([&](GameIndex, const GameEntry& e) {
              return !is_deleted(e) && e.date.month == 7;
            }));
  EXPECT_EQ(text(snapshot, "events/2001/Cup--Town/games.pgn"), text(snapshot, "all.pgn"));
  EXPECT_EQ(
      text(snapshot, "players/an/Anna/white.pgn"),
      expected([&](GameIndex, const GameEntry& e) { return !is_deleted(e) && e.white == 0; }));
  EXPECT_EQ(text(snapshot, "games/00000/1.pgn"), texts[0].text);
}

// By round and board, then date, then number; games without a round are last.
TEST_F(DatabaseSnapshotTest, EventsAreInOrderOfRounds) {
  const std::vector<std::pair<const char*, std::uint8_t>> games = {
      {"10", 1}, {"2", 2}, {"1.10", 3}, {"1.2", 4}, {"?", 1}, {"1.2", 3}, {"01.2", 3}, {"1", 9}};
  const std::vector<std::size_t> in_order = {7, 5, 6, 3, 2, 1, 0, 4};
  tests::ScidFilesBuilder builder;
  tests::Random random(1);
  builder.name(codec::scid::NameKind::Player, "Anna");
  builder.name(codec::scid::NameKind::Player, "Bert");
  builder.name(codec::scid::NameKind::Event, "Cup");
  builder.name(codec::scid::NameKind::Site, "Town");
  for (const auto& [round, day] : games) {
    codec::scid::IndexEntry entry;
    entry.black = 1;
    entry.round = builder.name(codec::scid::NameKind::Round, round);
    entry.date = {.year = 2001, .month = 1, .day = day};
    builder.game(entry, tests::random_game(random, {.plies = 6}).record());
  }
  const tests::ScidFiles files = builder.files();
  const auto texts = tests::ScidDatabase(files, ".si4").render_games();
  std::string expected;
  for (const std::size_t game : in_order) expected += texts[game].text;

  const DatabaseSnapshot plain(open(files));
  DatabaseOptions options;
  options.by_round = true;
  const DatabaseSnapshot by_round(open(files, options));
  const std::string path = "events/2001/Cup--Town/games.pgn";
  EXPECT_TRUE(absl::IsUnavailable(
      open_file(by_round, *follow(by_round, path), WorkBudget::limited(7)).status()));
  EXPECT_EQ(text(by_round, path), expected);
  EXPECT_EQ(text(plain, path), text(plain, "all.pgn"));
  EXPECT_NE(text(plain, path), expected);
  for (const char* const other : {"all.pgn", "events/2001/Cup--Town/index.tsv",
                                  "events/2001/Cup--Town/crosstable.txt", "years/2001/01.pgn"}) {
    EXPECT_EQ(text(by_round, other), text(plain, other)) << other;
  }
}

TEST_F(DatabaseSnapshotTest, InfoHasTwoImmutableTexts) {
  const Shared database = open(example(30));
  const DatabaseSnapshot snapshot(database);
  const std::optional<Child> before = child_of(snapshot, LocalId{}, "info.txt");
  ASSERT_TRUE(before.has_value());
  EXPECT_FALSE(before->is_settled);
  EXPECT_THAT(children(snapshot, LocalId{}),
              testing::Contains(testing::AllOf(testing::Field(&Child::name, "info.txt"),
                                               testing::Field(&Child::is_settled, false))));
  EXPECT_TRUE(child_of(snapshot, LocalId{}, "all.pgn")->is_settled);
  LocalId counted = before->place;
  ++counted.entry;
  EXPECT_EQ(snapshot.bind(counted), nullptr);
  const std::string first = text(snapshot, before->place);
  EXPECT_THAT(first, HasSubstr("damaged games: not counted yet\n"));
  EXPECT_THAT(first, HasSubstr("health: no problem found yet\n"));
  ASSERT_TRUE(database->compute_sizes(0, 29).ok());
  EXPECT_EQ(child_of(snapshot, LocalId{}, "info.txt")->place, before->place);

  ASSERT_TRUE(database->compute_sizes(29, 30).ok());
  const std::optional<Child> after = child_of(snapshot, LocalId{}, "info.txt");
  EXPECT_EQ(after->place, counted);
  EXPECT_TRUE(after->is_settled);
  EXPECT_THAT(text(snapshot, counted), HasSubstr("damaged games: 0\nhealth: good\n"));
  EXPECT_NE(snapshot.bind(before->place), nullptr);
  EXPECT_EQ(text(snapshot, before->place), first);
  counted.key = 1;
  EXPECT_EQ(snapshot.bind(counted), nullptr);
}

TEST_F(DatabaseSnapshotTest, ErrorsAreFoundOnDemand) {
  tests::ScidFiles files = example(30);
  files.games.resize(files.games.size() - 1);
  const Shared database = open(files);
  const DatabaseSnapshot snapshot(database);
  const LocalId errors = *follow(snapshot, "errors.tsv");
  EXPECT_TRUE(absl::IsUnavailable(open_file(snapshot, errors, WorkBudget::limited(29)).status()));
  EXPECT_EQ(text(snapshot, errors), "number\toffset\treason\n30\t" +
                                        std::to_string(database->entry(29).offset) +
                                        "\tits record does not lie in the game file\n");
  EXPECT_THAT(text(snapshot, "info.txt"), HasSubstr("damaged games: 1\n"));
  // Damaged games are decoded again for their reasons.
  EXPECT_TRUE(absl::IsUnavailable(open_file(snapshot, errors, WorkBudget::limited(0)).status()));
  EXPECT_TRUE(open_file(snapshot, errors, WorkBudget::limited(1)).ok());
}

TEST_F(DatabaseSnapshotTest, DescribesItself) {
  const Shared database = open(example(20));
  const DatabaseSnapshot snapshot(database);
  EXPECT_EQ(snapshot.summary(), "20 games");
  EXPECT_EQ(snapshot.memory(), database->memory());
  EXPECT_THAT(snapshot.problems(), ElementsAre());
  EXPECT_EQ(snapshot.database(), database);
}

}  // namespace
}  // namespace scidfs::fs
