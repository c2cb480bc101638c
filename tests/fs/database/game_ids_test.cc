#include "fs/database/game_ids.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fs/database/measure.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::scid::FideIds;
using testing::ElementsAreArray;
using testing::IsEmpty;

// Some games: none for a while, all of a few blocks, then few.
std::vector<IdsOfGame> some_games(std::uint64_t seed, GameIndex games) {
  tests::Random random(seed);
  std::vector<IdsOfGame> some;
  for (GameIndex game = 0; game < games; ++game) {
    const bool is_wanted = game >= 200 && (game < 1000 || random.one_in(50));
    if (!is_wanted) continue;
    const auto id = [&random] { return static_cast<std::uint32_t>(random.below(40) * 1000); };
    const IdsOfGame of{.game = game, .ids = {.white = id(), .black = id()}};
    if (of.ids.any()) some.push_back(of);
  }
  return some;
}

TEST(GameIds, TellIdOfEachSide) {
  constexpr GameIndex kGames = 3000;
  const std::vector<IdsOfGame> games = some_games(1, kGames);
  std::map<GameIndex, FideIds> expected;
  for (const IdsOfGame& of : games) expected[of.game] = of.ids;
  const GameIds ids(games);
  const auto stored = GameIds::of_stored(ids.arrays(), kGames);
  ASSERT_NE(stored, nullptr);
  for (const GameIds* const one : {&ids, stored.get()}) {
    const auto id_of = [one](GameIndex game, Color color) {
      const std::uint32_t number = one->number(game, color);
      return number == GameIds::kNone ? 0 : one->ids()[number];
    };
    EXPECT_FALSE(one->empty());
    for (GameIndex game = 0; game < kGames + 500; ++game) {
      ASSERT_EQ(id_of(game, Color::White), expected[game].white) << game;
      ASSERT_EQ(id_of(game, Color::Black), expected[game].black) << game;
    }
    EXPECT_EQ(id_of(kNoGame, Color::Black), 0U);
    EXPECT_THAT(one->games(), ElementsAreArray(games));
  }
  EXPECT_EQ(ids.ids().size(), 39U);
  EXPECT_LT(ids.memory(), games.size() * 8 + 39 * 4 + (kGames / 128 + 1) * 40 + 200);
  EXPECT_EQ(stored->memory(), 0U);
}

TEST(GameIds, WithoutAnyTakeNoMemory) {
  const GameIds none{std::span<const IdsOfGame>()};
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.memory(), 0U);
  EXPECT_EQ(none.number(0, Color::White), GameIds::kNone);
  EXPECT_THAT(none.games(), IsEmpty());
  ASSERT_NE(GameIds::of_stored(none.arrays(), 0), nullptr);
}

TEST(GameIds, RefuseArraysThatDoNotFit) {
  const GameIds good(some_games(2, 1000));
  struct Copy {
    std::vector<GameIds::Block> blocks;
    std::vector<std::uint32_t> numbers, ids;
  };
  using Change = void (*)(Copy&);
  const std::vector<Change> refused = {
      [](Copy& copy) { copy.blocks.pop_back(); },
      [](Copy& copy) { copy.blocks.emplace_back(); },
      [](Copy& copy) { copy.blocks.resize(100, {.before = copy.numbers.size()}); },
      [](Copy& copy) { copy.numbers.pop_back(); },
      [](Copy& copy) { copy.numbers.push_back(0); },
      [](Copy& copy) { copy.blocks[3].before += 1; },
      [](Copy& copy) { copy.blocks[4].sides[2] ^= 1; },
      [](Copy& copy) { copy.blocks[1].before = ~std::uint64_t{0}; },
      [](Copy& copy) { std::swap(copy.ids[3], copy.ids[4]); },
      [](Copy& copy) { copy.ids[3] = copy.ids[4]; },
  };
  const auto changed = [&good](Change change, const auto& use) {
    const auto& [blocks, numbers, ids] = good.arrays();
    Copy copy{
        {blocks.begin(), blocks.end()}, {numbers.begin(), numbers.end()}, {ids.begin(), ids.end()}};
    change(copy);
    use(GameIds::of_stored({.blocks = copy.blocks, .numbers = copy.numbers, .ids = copy.ids},
                           1000));
  };
  for (std::size_t i = 0; i < refused.size(); ++i) {
    changed(refused[i], [i](const auto& ids) { EXPECT_EQ(ids, nullptr) << i; });
  }
  // Numbers are looked at in use.
  changed([](Copy& copy) { copy.numbers.assign(copy.numbers.size(), ~0U); },
          [](const auto& ids) {
            ASSERT_NE(ids, nullptr);
            EXPECT_EQ(ids->number(500, Color::White), GameIds::kNone);
            EXPECT_THAT(ids->games(), IsEmpty());
          });
}

TEST(FoundIds, KeepThoseAddedInAnyOrder) {
  const std::vector<IdsOfGame> games = some_games(3, 2000);
  const FoundIds found;
  EXPECT_TRUE(found.known()->empty());
  for (std::size_t i = games.size(); i-- > 0;) {
    if (i == games.size() / 2) found.known();
    found.add(games[i].game, games[i].ids);
    if (i % 3 == 0) found.add(games[i].game, games[i].ids);
  }
  EXPECT_THAT(found.known()->games(), ElementsAreArray(games));
  EXPECT_EQ(found.known(), found.known());
}

class IdsOfDatabaseTest : public DatabaseTest {
 protected:
  // Games of which every third one has ids.
  static tests::ScidFiles files_with_ids(std::uint32_t games) {
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (std::uint32_t game = 0; game < games; ++game) {
      tests::ScidEncoder record;
      if (game % 3 == 0) record.tag("WhiteFideId", fmt::format("{}", white_id(game)));
      if (game % 6 == 0) record.tag("BlackFIDEID", "9");
      builder.game({}, record.moves("e4 e5 Nf3 Nc6 Bb5 a6").record());
    }
    return builder.files();
  }
  static std::uint32_t white_id(GameIndex game) { return 100 + game % 50; }
  static std::vector<IdsOfGame> expected(GameIndex games) {
    std::vector<IdsOfGame> all;
    for (GameIndex game = 0; game < games; game += 3) {
      all.push_back(
          {.game = game, .ids = {.white = white_id(game), .black = game % 6 == 0 ? 9U : 0U}});
    }
    return all;
  }
  static void measure_all(const Database& database) {
    ASSERT_TRUE(measure(database, all_of(database), WorkBudget::unlimited(never)).ok());
  }
};

TEST_F(IdsOfDatabaseTest, AreFoundWithSizes) {
  const Shared database = open(files_with_ids(1000));
  EXPECT_TRUE(database->found_ids().known()->empty());
  const ReaderPool::Loan reader = database->readers().borrow();
  // The text of a game tells them, too.
  ASSERT_TRUE(append_text(*database, 6, *reader, reader->scratch()).ok());
  ASSERT_TRUE(measure_game(*database, 9, *reader).ok());
  ASSERT_TRUE(measure_game(*database, 10, *reader).ok());
  EXPECT_THAT(database->found_ids().known()->games(),
              ElementsAreArray({expected(1000)[2], expected(1000)[3]}));
  measure_all(*database);
  EXPECT_THAT(database->found_ids().known()->games(), ElementsAreArray(expected(1000)));
}

TEST_F(IdsOfDatabaseTest, AreKeptWithSizes) {
  const tests::ScidFiles files = files_with_ids(300);
  const Shared first = open(files);
  measure_all(*first);
  const std::vector<std::uint32_t> kept = first->copy_kept();
  const Shared second = open(files);
  ASSERT_TRUE(second->adopt_kept(kept));
  EXPECT_THAT(second->found_ids().known()->games(), ElementsAreArray(expected(300)));

  using Words = std::vector<std::uint32_t>;
  using Change = void (*)(Words&);
  const std::vector<Change> refused = {
      [](Words& words) { words.pop_back(); },
      [](Words& words) { words.push_back(0); },
      [](Words& words) { words.resize(299); },
      [](Words& words) { words[words.size() - 3] = 300; },               // no such game
      [](Words& words) { words[words.size() - 3] = 5; },                 // not ascending
      [](Words& words) { words[words.size() - 2] = words.back() = 0; },  // without ids
      [](Words& words) { words.insert(words.end(), words.end() - 3, words.end()); },
  };
  const Shared other = open(files);
  for (std::size_t i = 0; i < refused.size(); ++i) {
    Words words = kept;
    words.reserve(2 * words.size());
    refused[i](words);
    EXPECT_FALSE(other->adopt_kept(words)) << i;
  }
  EXPECT_EQ(other->sizes().known(), 0U);
}

TEST_F(IdsOfDatabaseTest, AreInheritedWithSizes) {
  const Shared before = open(files_with_ids(20'000));
  before->compute_sizes(0, 15'000).IgnoreError();
  before->files().game_file().sum_up(never);
  const Shared after = open(files_with_ids(20'100));
  after->files().game_file().sum_up(never);
  after->inherit(*before);
  const std::size_t known = after->sizes().known();
  EXPECT_GT(known, 10'000U);
  EXPECT_LE(known, 15'000U);
  EXPECT_THAT(after->found_ids().known()->games(),
              ElementsAreArray(expected(static_cast<GameIndex>(known))));
  measure_all(*after);
  EXPECT_THAT(after->found_ids().known()->games(), ElementsAreArray(expected(20'100)));
}

}  // namespace
}  // namespace scidfs::fs
