#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "fs/database/index_tsv.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fs {
namespace {

class SetIndexTest : public SetsTest {
 protected:
  // The header of the database's own table and its lines, by game.
  struct Table {
    std::string head;
    std::vector<std::string> lines;
  };
  static Table table_of(const DatabasePtr& database) {
    Table table{.head = {}, .lines = std::vector<std::string>(database->games())};
    for (const Part part : {Part::Shown, Part::Deleted}) {
      const std::string text = text_of(*open_index_tsv(database, part));
      std::size_t begin = text.find('\n') + 1;
      table.head = text.substr(0, begin);
      for (std::size_t end = 0; begin < text.size(); begin = end) {
        end = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, end - begin);
        table.lines[std::stoul(line) - 1] = line;
      }
    }
    return table;
  }
  static std::string expected(const Table& table, const DatabaseGames& set) {
    std::string text = table.head;
    for (const GameIndex game : games_of(set)) text += table.lines[game];
    return text;
  }
};

TEST_F(SetIndexTest, HasLinesOfDatabaseTable) {
  const Shared database = open(random_files(9000, 300, 1));
  const Table table = table_of(database);
  for (const DatabaseGames& set : many_sets(database, 2)) {
    for (const WorkBudget& budget : {whole(), on_one_thread()}) {
      const auto content = open_set_index(set, budget);
      ASSERT_TRUE(content.ok()) << content.status();
      EXPECT_EQ(text_of(**content), expected(table, set)) << games_of(set).size();
    }
  }
}

TEST_F(SetIndexTest, SupportsAllFormats) {
  const tests::ScidFiles files = random_files(700, 30, 3);
  for (const auto& [suffix, as_suffix] :
       {std::pair(".si3", tests::as_scid3(files)), std::pair(".si5", tests::as_scid5(files))}) {
    tests::write_scid_files(as_suffix, folder_ / "y", suffix);
    const auto database = Database::open(folder_ / (std::string("y") + suffix), "y", {});
    ASSERT_TRUE(database.ok()) << database.status();
    const Table table = table_of(*database);
    for (const DatabaseGames& set : many_sets(*database, 2)) {
      const auto content = open_set_index(set, whole());
      ASSERT_TRUE(content.ok()) << content.status();
      EXPECT_EQ(text_of(**content), expected(table, set)) << suffix;
    }
  }
}

TEST_F(SetIndexTest, IncludesDeletedGamesIfShown) {
  DatabaseOptions options;
  options.show_deleted = true;
  const Shared database = open(random_files(700, 30, 3), options);
  ASSERT_EQ(database->loaded().shown_count(), 700U);
  const auto content = open_set_index(shown(database), whole());
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(text_of(**content), text_of(*open_index_tsv(database, Part::Shown)));
}

TEST_F(SetIndexTest, AnyRangeCanBeRead) {
  const Shared database = open(random_files(2000, 50, 4));
  tests::Random random(5);
  for (const DatabaseGames& set : many_sets(database, 6)) {
    const auto content = open_set_index(set, whole());
    ASSERT_TRUE(content.ok());
    const std::string all = text_of(**content);
    for (int i = 0; i < 50; ++i) {
      const std::size_t offset = random.below(all.size() + 1);
      const std::size_t length =
          random.below(std::min<std::size_t>(all.size() - offset, 40000) + 1);
      std::string part = "before";
      ASSERT_TRUE((*content)->read(offset, length, part).ok());
      EXPECT_EQ(part, "before" + all.substr(offset, length));
    }
    std::string out;
    EXPECT_FALSE((*content)->read(all.size(), 1, out).ok());
  }
}

TEST_F(SetIndexTest, EmptySetHasOnlyHeader) {
  const Shared database = open(random_files(10, 5, 7));
  const auto content = open_set_index(set_of(database, {}), WorkBudget::limited(0));
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_THAT(text_of(**content), ::testing::StartsWith("number\twhite\t"));
  EXPECT_EQ(std::ranges::count(text_of(**content), '\n'), 1);
}

TEST_F(SetIndexTest, UsesLittleMemory) {
  const Shared database = open(random_files(20000, 50, 8));
  const auto content = open_set_index(shown(database), whole());
  ASSERT_TRUE(content.ok());
  EXPECT_LT((*content)->memory(), 20000U);
  const auto few = open_set_index(set_of(database, {5, 19000}), whole());
  ASSERT_TRUE(few.ok());
  EXPECT_LT((*few)->memory(), 1000U);
}

TEST_F(SetIndexTest, RespectsBudget) {
  const Shared database = open(random_files(10000, 50, 9));
  EXPECT_EQ(open_set_index(shown(database), WorkBudget::limited(400)).status(),
            WorkBudget::exceeded());
  EXPECT_EQ(open_set_index(shown(database), over()).status(), WorkBudget::cancelled());
  // Each of these requires a block to be read.
  const DatabaseGames spread = set_of(database, {0, 1000, 2000, 3000});
  EXPECT_EQ(open_set_index(spread, WorkBudget::limited(3)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(open_set_index(spread, WorkBudget::limited(4)).ok());
}

TEST_F(SetIndexTest, FailsIfTheFileHasChanged) {
  const Shared database = open(random_files(1000, 20, 10));
  const DatabaseGames set = set_of(database, {3, 700});
  const auto content = open_set_index(set, whole());
  ASSERT_TRUE(content.ok());
  {
    std::fstream file(database->index_path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(codec::scid::kIndexHeaderSize + 701 * codec::scid::kIndexEntrySize);
    file.put('\x55').put('\x55').put('\x55');
  }
  EXPECT_EQ(open_set_index(set, whole()).status().code(), absl::StatusCode::kFailedPrecondition);
  std::string out;
  EXPECT_EQ((*content)->read(0, (*content)->size(), out).code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(open_set_index(set_of(database, {3}), whole()).ok()) << "its block is as it was";
}

}  // namespace
}  // namespace scidfs::fs
