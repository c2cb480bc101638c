// Damaged databases, mounted in process and read in full.
//
// SCIDFS_DAMAGED is the number of databases (default 300), SCIDFS_FIRST_DAMAGED the number of the
// first one: a failure prints the number that repeats it.
#include "tests/fuzz/damage.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <string>

#include "fs/base/filename.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

using tests::MemoryFolder;
using tests::WalkedTree;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kDefaultCount = 300;
constexpr std::chrono::seconds kMostTime{60};  // for one database; usually a second at most
constexpr long kMostMemory = 1L << 20;         // KiB, including the memory of a sanitizer

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

WalkedTree walk(const MemoryFolder& folder) {
  const auto library = fs::Library::open(folder.path(), tests::without_patience());
  if (!library.ok()) return {.files = {}, .faults = {std::string(library.status().message())}};
  return tests::walk_library(**library);
}

// The texts of the games of the database below `prefix`, those of deleted games too, by number.
std::map<std::uint32_t, std::string> cut_games(const WalkedTree& walked,
                                               const std::string& prefix) {
  std::map<std::uint32_t, std::string> games;
  for (const auto& [path, text] : walked.files) {
    if (!path.starts_with(prefix + "games/") && !path.starts_with(prefix + "deleted/")) continue;
    const std::string name = path.substr(path.rfind('/') + 1);
    if (const auto number = fs::parse_game_number(name)) games[*number] = text;
  }
  return games;
}

// The walk of an undamaged database, cached.
const std::map<std::uint32_t, std::string>& whole_games(const Whole& whole) {
  static std::map<const Whole*, std::map<std::uint32_t, std::string>> known;
  const auto [games, is_new] = known.try_emplace(&whole);
  if (is_new) {
    const MemoryFolder folder;
    tests::write_scid_files(whole.files, folder / "x");
    const WalkedTree walked = walk(folder);
    EXPECT_EQ(walked.faults, std::vector<std::string>()) << whole.name;
    games->second = cut_games(walked, "x.si4/");
  }
  return games->second;
}

// Returns the number of games that had to be unchanged.
std::size_t check(const Damaged& damaged) {
  const MemoryFolder folder;
  tests::write_scid_files(damaged.files, folder / "x");
  // An undamaged neighbor.
  const tests::ScidFiles& neighbour = whole_databases()[0].files;
  tests::write_scid_files(neighbour, folder / "whole");

  const auto start = Clock::now();
  const WalkedTree walked = walk(folder);
  EXPECT_LT(Clock::now() - start, kMostTime) << damaged.what;
  EXPECT_EQ(walked.faults, std::vector<std::string>()) << damaged.what;
  EXPECT_EQ(cut_games(walked, "whole.si4/"), whole_games(whole_databases()[0])) << damaged.what;

  const bool shown = walked.files.contains("x.si4/info.txt");
  EXPECT_EQ(shown, has_header(damaged.files)) << damaged.what;
  const bool refused = walked.files.at("info.txt").find("\nrefused: ") != std::string::npos;
  EXPECT_EQ(refused, !shown) << damaged.what;

  const auto& before = whole_games(*damaged.whole);
  const auto after = cut_games(walked, "x.si4/");
  const std::vector<std::uint32_t> untouched = untouched_games(damaged.whole->files, damaged.files);
  for (const std::uint32_t game : untouched) {
    const auto text = after.find(game + 1);
    if (text == after.end() || text->second != before.at(game + 1)) {
      ADD_FAILURE() << damaged.what << ": game " << game + 1 << " is untouched but not as it was";
      break;
    }
  }
  return untouched.size();
}

TEST(DamagedDatabases, ShowUndamagedGamesAndStubsForOthers) {
  const std::uint64_t first = number_from("SCIDFS_FIRST_DAMAGED", 0);
  const std::uint64_t count = number_from("SCIDFS_DAMAGED", kDefaultCount);
  std::size_t untouched = 0;
  std::size_t games = 0;
  std::size_t refused = 0;
  for (std::uint64_t number = first; number < first + count && !HasFatalFailure(); ++number) {
    const Damaged damaged = damaged_database(number);
    untouched += check(damaged);
    games += whole_games(*damaged.whole).size();
    refused += has_header(damaged.files) ? 0 : 1;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("%ju databases of %zu games: %zu games untouched, %zu databases refused, %ld MiB\n",
              static_cast<std::uintmax_t>(count), games, untouched, refused, usage.ru_maxrss >> 10);
  EXPECT_LT(usage.ru_maxrss, kMostMemory);
  // Otherwise nothing would have been compared.
  if (count >= kDefaultCount) {
    EXPECT_GT(untouched, games / 4);
  }
}

}  // namespace
}  // namespace scidfs::fuzz
