// events.tsv: held against the crosstables of the events, and against Scid's tournament finder.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using Row = std::vector<std::string>;

enum Column : std::uint8_t {
  kEvent,
  kSite,
  kFirstDate,
  kLastDate,
  kGames,
  kPlayers,
  kElo,
  kCategory,
  kWinner,
  kPoints,
  kForm,
  kPath,
  kColumns
};

class EventsTest : public MountedTest {
 protected:
  // Compares each line with the directory of its event.
  static void compare_with_directories(const filesystem::path& database) {
    const std::vector<Row> events = rows_of(read_all(database / "events.tsv"));
    ASSERT_GT(events.size(), 10U);
    std::size_t games = 0;
    std::size_t won = 0;
    std::set<std::string> paths;
    for (const Row& event : events) {
      ASSERT_EQ(event.size(), kColumns);
      const filesystem::path folder = database / event[kPath];
      EXPECT_TRUE(paths.insert(event[kPath]).second) << event[kPath];
      const std::vector<Row> index = rows_of(read_all(folder / "index.tsv"));
      const std::vector<Row> standings = rows_of(read_all(folder / "standings.tsv"));
      EXPECT_EQ(event[kGames], std::to_string(index.size())) << folder;
      EXPECT_EQ(event[kPlayers], std::to_string(standings.size())) << folder;
      games += index.size();
      if (event[kWinner].empty()) continue;
      ++won;
      constexpr std::size_t kNameOfStandings = 1;
      constexpr std::size_t kPointsOfStandings = 4;
      EXPECT_EQ(event[kWinner], standings.at(0)[kNameOfStandings]) << folder;
      EXPECT_EQ(event[kPoints], standings.at(0)[kPointsOfStandings]) << folder;
    }
    EXPECT_GT(won, events.size() / 4);
    EXPECT_EQ(games, rows_of(read_all(database / "index.tsv")).size());
  }

  // Scid does not tell the years of an event apart: events of one year are compared.
  static void compare_with_scid(const filesystem::path& database, const filesystem::path& prefix) {
    std::map<std::pair<std::string, std::string>, std::vector<Row>> ours;
    for (Row& row : rows_of(read_all(database / "events.tsv"))) {
      ours[{row[kSite], row[kEvent]}].push_back(std::move(row));
    }
    std::size_t compared = 0;
    const std::string found =
        "\n" + run_ok("tkscid " + word(source_path("tests/mounted/scid_tournaments.tcl")) + " " +
                      word(prefix));
    for (const Row& theirs : rows_of(found)) {
      const auto event = ours.find(
          {theirs.at(0) == "?" ? "" : theirs[0], theirs.at(1) == "?" ? "_unknown" : theirs[1]});
      if (event == ours.end() || event->second.size() != 1) continue;
      ++compared;
      const Row& row = event->second[0];
      EXPECT_EQ(row[kPlayers], theirs.at(2)) << theirs[1];
      EXPECT_EQ(row[kGames], theirs.at(3)) << theirs[1];
      // In a knockout the winner is not the player with most points.
      if (!row[kWinner].empty() && row[kForm] != "knockout") {
        EXPECT_EQ(row[kPoints], theirs.at(5)) << theirs[1];
      }
    }
    EXPECT_GT(compared, 10U);
  }
};

TEST_F(EventsTest, LinesAreThoseOfTheDirectories) {
  const Mount mount({.source = sample_database()});
  ASSERT_TRUE(mount.ok());
  compare_with_directories(mount.path());
  EXPECT_EQ(read_all(mount / "events/events.tsv"), read_all(mount / "events.tsv"));
}

TEST_F(EventsTest, SetsHaveOnlyTheirGames) {
  const Mount mount({.source = sample_database()});
  ASSERT_TRUE(mount.ok());
  for (const char* const set : {"eco/B/", "tree/e4/c5/", "search/result=draw/", "deleted/"}) {
    std::size_t games = 0;
    for (const Row& event : rows_of(read_all(mount / (std::string(set) + "events.tsv")))) {
      games += std::stoul(event.at(kGames));
    }
    EXPECT_EQ(games, rows_of(read_all(mount / (std::string(set) + "index.tsv"))).size()) << set;
  }
}

TEST_F(EventsTest, ScidFindsTheSameTournaments) {
  const filesystem::path prefix = test_data("sample/sample");
  if (run("command -v tkscid").exit_code != 0) GTEST_SKIP() << "tkscid is not installed";
  const TemporaryFolder folder;
  for (const char* const suffix : {".si4", ".sn4", ".sg4"}) {
    filesystem::copy_file(prefix.string() + suffix, folder / ("x" + std::string(suffix)));
  }
  // Scid counts the games that are marked as deleted, too.
  const Mount mount({.source = folder / "x.si4", .options = "deleted=show"});
  ASSERT_TRUE(mount.ok());
  compare_with_scid(mount.path(), folder / "x");
}

}  // namespace
}  // namespace scidfs::tests
