// Compares doubles in a mount, of one database and of two together, with those that Scid finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "codec/scid/index.h"
#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// Columns of doubles.tsv.
enum Column : std::size_t { kGroup, kNumber, kKept = 12, kOther, kPath };

class DoublesTest : public WithScidTest {
 protected:
  // A database, and how many games Scid has before its games.
  struct Part {
    filesystem::path stem;
    std::size_t before = 0;
  };

  // Each difference from the result of Scid must have a reason. Scid copies the games of all
  // databases into one; a mount of them has together/.
  void compare(const std::vector<Part>& parts) {
    std::string bases;
    for (const Part& part : parts) {
      const filesystem::path copy = folder_ / ("copy-" + part.stem.filename().string());
      for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
        filesystem::copy_file(part.stem.string() + extension, copy.string() + extension);
        filesystem::permissions(copy.string() + extension, filesystem::perms::owner_all);
      }
      bases += " " + word(copy);
    }
    const bool is_one = parts.size() == 1;
    const std::string first = parts[0].stem.string() + ".si4";
    const Mount mount({.source = is_one ? first : parts[0].stem.parent_path().string()});
    ASSERT_TRUE(mount.ok());
    const filesystem::path top = is_one ? mount / "" : mount / "together";
    // Returns the number that Scid has for the game of a line.
    const auto number_of = [&](const std::vector<std::string>& row, std::size_t column) {
      std::size_t number = std::stoul(row[column]);
      for (const Part& part : parts) {
        if (row.back() == part.stem.filename().string() + ".si4") number += part.before;
      }
      return std::to_string(number);
    };
    std::map<std::string, std::vector<std::string>> games;  // of index.tsv, by number
    for (std::vector<std::string>& row : rows_of(read_all(top / "index.tsv"))) {
      std::string number = number_of(row, 0);
      games.emplace(std::move(number), std::move(row));
    }
    std::map<std::string, std::vector<std::string>> ours;
    std::map<std::string, std::set<std::string>> databases;  // of the games of each group
    std::string texts;
    std::size_t spare = 0;
    for (std::vector<std::string>& row : rows_of(read_all(top / "doubles/doubles.tsv"))) {
      texts += read_all(top / row[kPath]);
      if (row[kKept].empty()) ++spare;
      databases[row[kGroup]].insert(row.back());
      std::string number = number_of(row, kNumber);
      ours.emplace(std::move(number), std::move(row));
    }
    EXPECT_TRUE(read_all(top / "doubles/all.pgn") == texts);
    EXPECT_EQ(rows_of(read_all(top / "doubles/unique/index.tsv")).size(), games.size() - spare);
    EXPECT_FALSE(ours.empty());
    if (!is_one) {
      EXPECT_TRUE(std::ranges::any_of(
          databases, [](const auto& of_group) { return of_group.second.size() > 1; }));
    }

    std::map<std::string, std::string> theirs;
    std::istringstream pairs(
        run_ok("tkscid " + word(source_path("tests/mounted/scid_doubles.tcl")) + bases, 120));
    for (std::string game, other; pairs >> game >> other;) theirs.emplace(game, other);
    EXPECT_FALSE(theirs.empty());
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
  compare({{.stem = masters}});
}

// Every second game is in another database.
TEST_F(DoublesTest, OfTwoDatabasesAgreeWithScid) {
  const filesystem::path masters = filesystem::path(shared_folder()) / "data/masters";
  if (!filesystem::exists(masters.string() + ".si4")) GTEST_SKIP() << masters << " is not here";
  using codec::scid::kIndexEntrySize;
  using codec::scid::kIndexHeaderSize;
  const ScidFiles files = read_scid_files(masters);
  std::vector<Part> parts;
  std::size_t before = 0;
  filesystem::create_directory(folder_ / "both");
  for (const std::size_t first : {0, 1}) {
    ScidFiles half = files;
    half.index.resize(kIndexHeaderSize);
    std::uint32_t games = 0;
    for (std::size_t at = kIndexHeaderSize + first * kIndexEntrySize; at < files.index.size();
         at += 2 * kIndexEntrySize) {
      half.index += files.index.substr(at, kIndexEntrySize);
      ++games;
    }
    patch_big(games, 3, kGameCountOffset, half.index);
    parts.push_back({.stem = folder_ / (first == 0 ? "both/even" : "both/odd"), .before = before});
    before += games;
    write_scid_files(half, parts.back().stem);
  }
  compare(parts);
}

}  // namespace
}  // namespace scidfs::tests
