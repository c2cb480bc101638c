// Tables of tags, against a count from the PGN text of each game.
#include "fs/tables/tag_tables.h"

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/tags_of_games.h"

namespace scidfs::fs {
namespace {

class TagTablesTest : public SetsTest {
 protected:
  static std::shared_ptr<const SetTags> counted(const GameSet& parts,
                                                const WorkBudget& budget = whole(),
                                                const TagLimits& limits = {}) {
    auto tags = SetTags::count(parts, budget, limits);
    EXPECT_TRUE(tags.ok()) << tags.status();
    return tags.ok() ? *std::move(tags) : std::make_shared<const SetTags>();
  }

  static void expect_tables(const SetTags& tags, const tests::TagTexts& expected) {
    EXPECT_EQ(tags.table(), expected.tags);
    EXPECT_EQ(tags.tags().size(), expected.values.size());
    std::size_t bytes = tags.table().size();
    for (const auto& [name, table] : expected.values) {
      const SetTags::Tag* const tag = tags.find(name);
      ASSERT_NE(tag, nullptr) << name;
      EXPECT_EQ(tag->table, table) << name;
      bytes += table.size();
    }
    EXPECT_GE(tags.memory(), bytes);
    EXPECT_EQ(tags.find("Nothing"), nullptr);
  }

  static std::vector<tests::Tags> of_games(const std::vector<tests::Tags>& all,
                                           const DatabaseGames& set) {
    std::vector<tests::Tags> some;
    for (const GameIndex game : games_of(set)) some.push_back(all[game]);
    return some;
  }
};

TEST_F(TagTablesTest, AgreeWithTextsOfGames) {
  tests::Random random(3);
  const tests::ScidFiles files = tests::files_with_tags(random, 12'000);
  const std::vector<tests::Tags> all = tests::tags_of(tests::ScidDatabase(files, ".si4"));
  const DatabasePtr database = open(files);
  for (const DatabaseGames& set : many_sets(database, 5)) {
    const tests::TagTexts expected = tests::tables_of(of_games(all, set));
    expect_tables(*counted(set), expected);
    expect_tables(*counted(set, on_one_thread()), expected);
  }
}

TEST_F(TagTablesTest, PartsAddUp) {
  tests::Random random(4);
  const tests::ScidFiles files = tests::files_with_tags(random, 2000);
  const tests::ScidFiles others = tests::files_with_tags(random, 900);
  const std::vector<DatabaseGames> parts = {shown(open(files)), shown(open(others)),
                                            deleted(open(files))};
  std::vector<tests::Tags> all =
      of_games(tests::tags_of(tests::ScidDatabase(files, ".si4")), parts[0]);
  for (const tests::Tags& tags :
       of_games(tests::tags_of(tests::ScidDatabase(others, ".si4")), parts[1])) {
    all.push_back(tags);
  }
  for (const tests::Tags& tags :
       of_games(tests::tags_of(tests::ScidDatabase(files, ".si4")), parts[2])) {
    all.push_back(tags);
  }
  expect_tables(*counted(GameSet(parts)), tests::tables_of(all));
}

TEST_F(TagTablesTest, CountOnlyGamesOfTagsWithTooManyValues) {
  // A number of each game, and a tag with few values.
  constexpr std::size_t kNumbered = 10'000;
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  for (std::size_t game = 0; game < kNumbered; ++game) {
    builder.game({}, tests::ScidEncoder()
                         .tag("GameId", std::to_string(100'000 + game))
                         .tag("Annotator", game % 4 == 0 ? "Nunn" : "Speelman")
                         .record());
  }
  const DatabasePtr database = open(builder.files());
  const DatabaseGames set = shown(database);
  // Each value takes its six bytes and 64 more.
  constexpr std::size_t kBytesOfAll = kNumbered * 70;
  for (const bool is_parallel : {false, true}) {
    const WorkBudget budget = is_parallel ? whole() : on_one_thread();
    const auto all = counted(set, budget, {.of_tag = kBytesOfAll});
    EXPECT_EQ(all->table(), "tag\tgames\tvalues\nAnnotator\t10000\t2\nGameId\t10000\t10000\n");
    EXPECT_EQ(all->find("GameId")->values, kNumbered);

    const TagLimits few = {.of_tag = kBytesOfAll - 1, .of_all = kBytesOfAll + 500};
    const auto some = counted(set, budget, few);
    EXPECT_EQ(some->table(), "tag\tgames\tvalues\nAnnotator\t10000\t2\nGameId\t10000\t\n");
    EXPECT_EQ(some->find("GameId")->values, std::nullopt);
    EXPECT_EQ(some->find("GameId")->table, "");
    EXPECT_EQ(some->find("Annotator")->table, "value\tgames\nSpeelman\t7500\nNunn\t2500\n");

    const TagLimits fewer = {.of_tag = kBytesOfAll, .of_all = kBytesOfAll};
    EXPECT_TRUE(absl::IsUnimplemented(SetTags::count(set, budget, fewer).status()));
    // The tag with too many counts as one that has just as many as it may.
    const TagLimits fewest = {.of_tag = kBytesOfAll - 1, .of_all = kBytesOfAll - 1};
    EXPECT_TRUE(absl::IsUnimplemented(SetTags::count(set, budget, fewest).status()));
  }
}

TEST_F(TagTablesTest, RefuseMoreThanTheBudget) {
  tests::Random random(5);
  const DatabaseGames set = shown(open(tests::files_with_tags(random, 500)));
  EXPECT_EQ(SetTags::count(set, WorkBudget::limited(100)).status(), WorkBudget::exceeded());
  EXPECT_EQ(SetTags::count(set, over()).status(), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
