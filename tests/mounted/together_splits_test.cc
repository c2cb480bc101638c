// Databases dealt at random to several: together they are what they were, wherever order does not
// matter.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/mounted/index_table.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/set_queries.h"
#include "tests/support/database_parts.h"
#include "tests/support/scid_formats.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// A number from the environment.
std::size_t number_from(const char* name, std::size_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

// A database some of whose records are damaged, without what Scid 3 cannot store.
ScidDatabase with_damage(const std::string& prefix, std::size_t games, Random& random) {
  ScidFiles files = read_scid_files(prefix);
  const ScidDatabase whole(files, ".si4");
  for (std::size_t i = 0; i < games; ++i) {
    const auto game = static_cast<std::uint32_t>(random.below(whole.games()));
    const codec::scid::IndexEntry entry = whole.entry(game);
    files.games[entry.offset + random.below(entry.length)] = static_cast<char>(random.below(256));
  }
  return ScidDatabase(as_scid3(files), ".si3");
}

// summary.txt without its title, and without what the order of the games decides: one of several
// longest games, and one of several players with the highest rating.
std::string counts_of(const std::string& summary) {
  std::string counts;
  std::size_t columns = 0;  // of a line; 0: none, where a title or a game is
  for (const std::string& line : split(summary, '\n')) {
    if (line.empty()) {
      columns = std::string::npos;
    } else if (line.starts_with("Ratings ")) {
      columns = line.size();
    } else if (line.find(" game: ") != std::string::npos) {
      counts += line.substr(0, line.find(','));
      columns = 0;
    }
    counts += line.substr(0, columns) + "\n";
  }
  return counts;
}

class TogetherSplitsTest : public MountedTest {
 protected:
  // Deals a database to 2 to 7, some in sub-folders, some of other formats, and mounts all.
  void deal(const ScidDatabase& database, Random& random) {
    const std::size_t count = 2 + random.below(6);
    const DealtGames games = deal_games(database, count, random);
    filesystem::create_directories(source_.path() / "one");
    write_scid_files(games.whole, source_ / "one/whole");
    for (std::size_t part = 0; part < count; ++part) {
      const std::string folder =
          std::array{"parts", "parts/sub", "parts/sub/below"}[random.below(3)];
      filesystem::create_directories(source_ / folder);
      const std::string prefix = source_ / fmt::format("{}/part{}", folder, part);
      switch (random.below(3)) {
        case 0:
          write_scid_files(as_scid3(games.parts[part]), prefix, ".si3");
          break;
        case 1:
          write_scid_files(as_scid5(games.parts[part]), prefix, ".si5");
          break;
        default:
          write_scid_files(games.parts[part], prefix);
      }
    }
    mount_ = std::make_unique<Mount>(MountSetup{.source = source_.path(), .options = "patience=0"});
    ASSERT_TRUE(mount_->ok());
  }

  // Compares a set of the whole with the same set of the parts. Returns whether it exists.
  bool compare(const std::string& set) const {
    const filesystem::path whole = *mount_ / ("one/whole.si4/" + set);
    const filesystem::path together = *mount_ / ("parts/together/" + set);
    SCOPED_TRACE(set);
    EXPECT_EQ(filesystem::exists(together), filesystem::exists(whole));
    if (!filesystem::exists(whole) || !filesystem::exists(together)) return false;
    EXPECT_EQ(games_of_index(read_all(together / "index.tsv")),
              games_of_index(read_all(whole / "index.tsv")));
    for (const char* const file : {"players.tsv", "opponents.tsv", "openings.tsv", "years.tsv",
                                   "endings.tsv", "tags.tsv", "moves.tsv"}) {
      EXPECT_EQ(filesystem::exists(together / file), filesystem::exists(whole / file)) << file;
      if (!filesystem::exists(together / file)) continue;
      EXPECT_EQ(sorted_lines(read_all(together / file)), sorted_lines(read_all(whole / file)))
          << file;
    }
    EXPECT_EQ(counts_of(read_all(together / "summary.txt")),
              counts_of(read_all(whole / "summary.txt")));
    return true;
  }

  void compare_all(std::size_t questions, Random& random) const {
    std::size_t compared = 0;
    for (const char* const set :
         {"", "tree/", "tree/e4/c5/", "tree/d4,Nf6/", "endings/rook/",
          "positions/rnbqkb1r-pppp1ppp-4pn2-8-2PP4-8-PP2PPPP-RNBQKBNR_w/", "search/reached=KRPvKR/",
          "search/not-result=draw/tree/e4/", "search/text=mate/", "flags/annotated/"}) {
      if (compare(set)) ++compared;
    }
    const IndexTable games(read_all(*mount_ / "one/whole.si4/index.tsv"));
    const IndexTable deleted(std::string(games.head()));
    for (const Query& query :
         random_queries({.games = games, .deleted = deleted}, questions, random)) {
      // Numbers are those of a database; so is the second of two directories that share a name.
      const bool is_of_one = query.of_deleted ||
                             query.directory.find("number=") != std::string::npos ||
                             query.directory.find('~') != std::string::npos;
      if (!is_of_one && compare(query.directory + "/")) ++compared;
    }
    EXPECT_GT(compared, 8 + questions / 2);
  }

  TemporaryFolder source_;
  std::unique_ptr<Mount> mount_;
};

TEST_F(TogetherSplitsTest, SampleIsWhatItWas) {
  Random random(number_from("SCIDFS_SPLITS_SEED", 1));
  deal(with_damage(test_data("sample/sample"), 20, random), random);
  if (HasFatalFailure()) return;
  compare_all(40, random);
}

// The number of splits, by SCIDFS_SPLITS: one takes a minute.
TEST_F(TogetherSplitsTest, MastersAreWhatTheyWere) {
  const filesystem::path masters = filesystem::path(shared_folder()) / "data/masters";
  if (!filesystem::exists(masters.string() + ".si4")) GTEST_SKIP() << masters << " is not here";
  const std::size_t splits = number_from("SCIDFS_SPLITS", 0);
  if (splits == 0) GTEST_SKIP() << "a long run, see scripts/soak together";
  for (std::size_t split = 0; split < splits; ++split) {
    const std::size_t seed = number_from("SCIDFS_SPLITS_SEED", 1) + split;
    SCOPED_TRACE(fmt::format("SCIDFS_SPLITS_SEED={}", seed));
    Random random(seed);
    mount_.reset();
    for (const auto& old : filesystem::directory_iterator(source_.path())) {
      filesystem::remove_all(old.path());
    }
    deal(with_damage(masters, 100, random), random);
    if (HasFatalFailure()) return;
    compare_all(100, random);
  }
}

}  // namespace
}  // namespace scidfs::tests
