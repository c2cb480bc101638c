// Compares doubles in a mount with those that Scid finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// Columns of doubles.tsv.
enum Column : std::size_t { kGroup, kNumber, kKept = 12, kOther, kPath };

class DoublesTest : public WithScidTest {
 protected:
  // Each difference from the result of Scid must have a reason.
  void compare(const filesystem::path& stem) {
    SCOPED_TRACE(stem);
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::copy_file(stem.string() + extension, folder_ / (std::string("copy") + extension),
                            filesystem::copy_options::overwrite_existing);
      filesystem::permissions(folder_ / (std::string("copy") + extension),
                              filesystem::perms::owner_all);
    }
    const Mount mount({.source = stem.string() + ".si4"});
    ASSERT_TRUE(mount.ok());
    std::map<std::string, std::vector<std::string>> games;  // of index.tsv, by number
    for (std::vector<std::string>& row : rows_of(read_all(mount / "index.tsv"))) {
      std::string number = row[0];
      games.emplace(std::move(number), std::move(row));
    }
    std::map<std::string, std::vector<std::string>> ours;
    std::string together;
    std::size_t spare = 0;
    for (std::vector<std::string>& row : rows_of(read_all(mount / "doubles/doubles.tsv"))) {
      together += read_all(mount / row[kPath]);
      if (row[kKept].empty()) ++spare;
      std::string number = row[kNumber];
      ours.emplace(std::move(number), std::move(row));
    }
    EXPECT_TRUE(read_all(mount / "doubles/all.pgn") == together);
    EXPECT_EQ(rows_of(read_all(mount / "doubles/unique/index.tsv")).size(), games.size() - spare);
    EXPECT_FALSE(ours.empty());

    std::map<std::string, std::string> theirs;
    std::istringstream pairs(run_ok("tkscid " +
                                        word(source_path("tests/mounted/scid_doubles.tcl")) + " " +
                                        word(folder_ / "copy"),
                                    120));
    for (std::string game, other; pairs >> game >> other;) theirs.emplace(game, other);
    for (const auto& [game, other] : theirs) {
      // Scid compares games that are marked as deleted, and treats games of two days of one month
      // as doubles.
      if (ours.contains(game) || !games.contains(game) || !games.contains(other)) continue;
      const std::string date = games[game][6];
      const std::string other_date = games[other][6];
      const bool differ = date != other_date && date.find('?') == std::string::npos &&
                          other_date.find('?') == std::string::npos;
      // A longer game that differs from the one with which a short game is grouped.
      EXPECT_TRUE(differ || ours.contains(other)) << game << " and " << other;
    }
    for (const auto& [game, row] : ours) {
      if (theirs.contains(game)) continue;
      // Scid treats unknown values as different, and two forms of a name too.
      bool is_explained = false;
      for (const auto& [number, other] : ours) {
        if (other[kGroup] != row[kGroup]) continue;
        const std::vector<std::string>& a = games[game];
        const std::vector<std::string>& b = games[number];
        is_explained |= a[1] != b[1] || a[3] != b[3] || a[5] != b[5] || a[6] != b[6];
      }
      EXPECT_TRUE(is_explained) << game << " of group " << row[kGroup];
    }
  }

  TemporaryFolder folder_;
};

// Scid finds 14 pairs of games in the masters. One of them is of two days: a rapid game, and a
// blitz game with the same moves that is longer.
TEST_F(DoublesTest, AgreeWithScid) {
  const filesystem::path masters = filesystem::path(shared_folder()) / "data/masters";
  if (!filesystem::exists(masters.string() + ".si4")) GTEST_SKIP() << masters << " is not here";
  compare(masters);
}

}  // namespace
}  // namespace scidfs::tests
