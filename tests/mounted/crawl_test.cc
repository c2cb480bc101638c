// Programs that walk a whole mount: directories of lists of games must not have many more names and
// bytes than the games themselves.
#include <dirent.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

struct Amount {
  std::uint64_t directories = 0, files = 0, bytes = 0;
};

// The entries listed below the directory of a database.
struct Crawl {
  Amount games;   // if every list of games were as large as its files
  Amount tables;  // tables about sets, and directories that narrow sets
  Amount tree;    // opening tree
  std::uint64_t directories_of_search = 0;
  std::vector<std::string> narrowing;  // directories with these names: search, tree, positions
};

// The files and directories of games; all others belong to sets.
bool is_for_games(const std::string& path, bool is_directory) {
  static const std::regex directories(
      "(games|deleted|fens|deleted/fens)(/[0-9]+)?|players(/[^/]+){0,2}|events(/[^/]+){0,2}|"
      "years(/[^/]+)?|eco(/[A-E])?|flags|doubles(/unique)?|endings(/[^/]+)?");
  static const std::regex files(
      "info.txt|README.txt|status.txt|errors.tsv|all.pgn|index.tsv|deleted/(all.pgn|index.tsv)|"
      "(games|deleted)/[0-9]+/[^/]+.pgn|fens/[0-9]+/[^/]+.epd|players/[^/]+/[^/]+/[^/]+.pgn|"
      "events/[^/]+/[^/]+/(games.pgn|crosstable.t(xt|sv)|standings.tsv)|years/([^/]+/)?[^/]+.pgn|"
      "eco/([A-E]/)?[^/]+.pgn|flags/[^/]+.pgn|doubles/(doubles.tsv|all.pgn|unique/games.pgn)|"
      "endings/[^/]+/games.pgn");
  return std::regex_match(path, is_directory ? directories : files);
}

bool is_in_tree(const std::string& path) { return path == "tree" || path.starts_with("tree/"); }

// Counts the entries below a directory; `path` is relative to the database, with a slash at its end
// unless it is empty. Where games are listed by number (games/, fens/), directories are counted
// instead of files: those of games/ are together as large as all.pgn, and those of fens/ larger.
void count(const filesystem::path& directory, const std::string& path, Crawl& crawl) {
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  ASSERT_NE(stream, nullptr) << directory << ": " << std::strerror(errno);
  static const std::regex games("games/[0-9]+/");
  if (std::regex_match(path, games)) return;
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status {};
    ASSERT_EQ(::fstatat(::dirfd(stream.get()), name.c_str(), &status, AT_SYMLINK_NOFOLLOW), 0)
        << path << name << ": " << std::strerror(errno);
    const bool is_directory = S_ISDIR(status.st_mode);
    Amount& amount = is_in_tree(path + name)                   ? crawl.tree
                     : is_for_games(path + name, is_directory) ? crawl.games
                                                               : crawl.tables;
    if (!is_directory) {
      ++amount.files;
      amount.bytes += static_cast<std::uint64_t>(status.st_size);
      if (path.empty() && name == "all.pgn") {
        crawl.games.bytes += static_cast<std::uint64_t>(status.st_size);  // of games/
      }
      continue;
    }
    ++amount.directories;
    if (("/" + path).find("/search/") != std::string::npos) ++crawl.directories_of_search;
    if (name == "search" || name == "tree" || name == "positions") {
      crawl.narrowing.push_back(path + name);
    }
    count(directory / name, path + name + "/", crawl);
  }
}

class CrawlTest : public MountedTest {
 protected:
  static void expect_within_limits(const filesystem::path& database) {
    const Mount mount({.source = database});
    ASSERT_TRUE(mount.ok());
    Crawl crawl;
    count(mount.path(), "", crawl);
    const auto show = [](const Amount& amount) {
      return fmt::format("{} directories, {} files, {} bytes", amount.directories, amount.files,
                         amount.bytes);
    };
    SCOPED_TRACE("games:  " + show(crawl.games) + "\ntables: " + show(crawl.tables) +
                 "\ntree:   " + show(crawl.tree));
    RecordProperty("games", show(crawl.games));
    RecordProperty("tables", show(crawl.tables));
    RecordProperty("tree", show(crawl.tree));
    EXPECT_GT(crawl.games.directories, 100U);
    EXPECT_LE(crawl.tables.directories, crawl.games.directories);
    EXPECT_LE(crawl.tables.bytes * 10, crawl.games.bytes * 3);
    EXPECT_THAT(crawl.narrowing, testing::UnorderedElementsAre("search", "tree", "positions"));
    EXPECT_GT(crawl.directories_of_search, 5U);
    EXPECT_LE(crawl.directories_of_search, 24U);
    // Each list of games has these two.
    EXPECT_GT(crawl.tables.files, 2 * 100U);
    // A thousand lines, and the position before the first move; three files each.
    EXPECT_GT(crawl.tree.directories, 10U);
    EXPECT_LE(crawl.tree.directories, 1001U);
    EXPECT_EQ(crawl.tree.files, 3 * crawl.tree.directories);
    constexpr std::uint64_t kMostOfPosition = 2048;  // average bytes
    EXPECT_LE(crawl.tree.bytes, kMostOfPosition * crawl.tree.directories);
  }
};

TEST_F(CrawlTest, ListsLittleMoreThanGames) { expect_within_limits(sample_database()); }

TEST_F(CrawlTest, ListsLittleMoreThanGamesOfLargeDatabases) {
  const filesystem::path folder = filesystem::path(shared_folder()) / "data";
  if (!filesystem::exists(folder)) GTEST_SKIP() << "the shared databases are not here";
  for (const char* const name : {"masters.si4", "annotated.si4"}) {
    SCOPED_TRACE(name);
    expect_within_limits(folder / name);
  }
}

// A search for words in a whole database reads each game once, and a search for names finds all of
// them.
TEST_F(CrawlTest, IgnoreFileNamesDirectoriesThatRepeatGames) {
  const Mount mount({.source = sample_folder()});
  ASSERT_TRUE(mount.ok());
  const filesystem::path database = mount / "sample.si4";
  const std::string rules = run_ok("cat " + word(database / ".ignore"));
  std::set<std::string> left_out;
  std::istringstream lines(rules);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('/')) left_out.insert(line.substr(1));
  }
  for (const std::string& name : names_in(database)) {
    const bool is_read = name == "all.pgn" || name == "info.txt" || name == "errors.tsv";
    EXPECT_NE(left_out.contains(name), is_read) << name;
  }
  EXPECT_THAT(names_in(database), testing::Not(testing::Contains(testing::StartsWith("."))));

  for (const char* const mark : {".trackerignore", ".nomedia"}) {
    EXPECT_TRUE(filesystem::is_empty(mount / mark)) << mark;
    EXPECT_EQ(run_ok("cat " + word(mount / mark)), "");
    EXPECT_FALSE(filesystem::exists(database / mark)) << mark;
  }
  EXPECT_THAT(names_in(mount.path()), testing::Not(testing::Contains(testing::StartsWith("."))));

  if (run("command -v rg").exit_code != 0) {
    if (std::getenv("CI") != nullptr) FAIL() << "rg is required";
    GTEST_SKIP() << "rg is not installed (Debian: ripgrep)";
  }
  const std::string found = run_ok("cd " + word(database) + " && rg -c '^\\[Event '");
  EXPECT_EQ(found, "all.pgn:1602\n");
  // In a directory that a program names explicitly, everything is read.
  EXPECT_THAT(run_ok("cd " + word(mount.path()) + " && rg -l Kasparov sample.si4/players/ka"),
              testing::HasSubstr("sample.si4/players/ka/Kasparov,_Gary/white.pgn\n"));
  EXPECT_THAT(
      run_ok("rg -u -l '^\\[Event ' --glob '!**/tree' --glob '!**/games' " + word(database)),
      testing::HasSubstr("/eco/B/B90.pgn\n"));
}

}  // namespace
}  // namespace scidfs::tests
