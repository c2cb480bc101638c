#include "fs/database/game_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "fs/database/postings.h"
#include "tests/fs/database/listed_games.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(GameList, ContainsAddedGames) {
  const std::vector<GameIndex> games = {0, 1, 127, 128, 255, 256, 16383, 16384, 16777213};
  const DeltaList deltas = deltas_of(games);
  EXPECT_THAT(games_in(GameList::of(deltas.bytes())), ElementsAreArray(games));
  EXPECT_EQ(deltas.size(), games.size());
  EXPECT_EQ(GameList::of(deltas.bytes()).count(1000), games.size());
  EXPECT_EQ(GameList::of(deltas.bytes()).count(3), 3U);
}

TEST(GameList, KnowsWhetherItIsEmpty) {
  EXPECT_TRUE(GameList().empty());
  EXPECT_THAT(games_in(GameList()), IsEmpty());
  EXPECT_TRUE(GameList::all_but(0, {}).empty());
  const DeltaList first = deltas_of({0});
  EXPECT_FALSE(GameList::of(first.bytes()).empty());
  const DeltaList all = deltas_of({0, 1, 2});
  EXPECT_TRUE(GameList::all_but(3, all.bytes()).empty());
}

TEST(GameList, ContainsAllButMissingGames) {
  const DeltaList missing = deltas_of({0, 3, 4, 9});
  EXPECT_THAT(games_in(GameList::all_but(10, missing.bytes())), ElementsAre(1, 2, 5, 6, 7, 8));
  EXPECT_THAT(games_in(GameList::all_but(3, {})), ElementsAre(0, 1, 2));
}

TEST(GameList, CursorCanBeCopied) {
  const DeltaList deltas = deltas_of({5, 6, 700, 80000});
  for (const GameList& list :
       {GameList::of(deltas.bytes()), GameList::all_but(9, deltas.bytes())}) {
    GameList::Cursor cursor = list.begin();
    cursor.next();
    GameList::Cursor copy = cursor;
    const GameIndex second = cursor.next();
    const GameIndex third = cursor.next();
    EXPECT_EQ(copy.next(), second);
    EXPECT_EQ(copy.next(), third);
  }
}

// Bytes of an index file of the cache folder.
TEST(GameList, AnyBytesAreAscendingGames) {
  struct Case {
    std::vector<std::uint8_t> bytes;
    std::vector<GameIndex> games;  // below 10
  };
  for (const Case& one :
       std::vector<Case>{{{5, 0, 0, 2}, {5, 7}},                             // twice the same
                         {{5, 0x80}, {5}},                                   // no end
                         {{5, 0xFF, 0xFF, 0xFF, 0xFF}, {5}},                 // none far from it
                         {{5, 0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 1}, {5}},  // too long
                         {{5, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1}, {5}},        // back to before
                         {{5, 5, 1}, {5}},                                   // beyond the last
                         {{5, 4, 1}, {5, 9}}}) {
    EXPECT_THAT(games_in(GameList::of(one.bytes, 0, std::nullopt, GameList::most_number(10, 0))),
                ElementsAreArray(one.games));
    EXPECT_FALSE(DeltaList::of_stored(one.bytes, one.games.size(), 10).has_value());
  }
  const std::vector<std::uint8_t> both_twice = {10, 1, 0, 0, 8};
  const std::uint32_t most = GameList::most_number(10, 1);
  EXPECT_THAT(games_in(GameList::of(both_twice, 1, 1, most)), ElementsAre(5, 9));
  EXPECT_THAT(games_in(GameList::of(both_twice, 1, std::nullopt, most)), ElementsAre(5, 9));
}

TEST(DeltaList, IsRestoredFromItsBytes) {
  const DeltaList deltas = deltas_of({0, 3, 200, 70'000});
  const std::optional<DeltaList> same = DeltaList::of_stored(deltas.bytes(), 4, 70'001);
  ASSERT_TRUE(same.has_value());
  EXPECT_EQ(same->size(), 4U);
  EXPECT_THAT(games_in(*same), ElementsAre(0, 3, 200, 70'000));
  EXPECT_FALSE(DeltaList::of_stored(deltas.bytes(), 4, 70'000).has_value());
  EXPECT_FALSE(DeltaList::of_stored(deltas.bytes(), 3, 70'001).has_value());
  EXPECT_TRUE(DeltaList::of_stored({}, 0, 0).has_value());
}

TEST(Postings, ListsOfAnyBytesHaveGamesOfTheDatabase) {
  const std::vector<std::uint32_t> ends = {2, 2, 5};
  const std::vector<std::uint8_t> bytes = {3, 0xFF, 1, 0x81, 0x7F};
  const std::optional<Postings> postings = Postings::of_stored(ends, bytes, 0, 100);
  ASSERT_TRUE(postings.has_value());
  EXPECT_THAT(games_in(postings->games(0)), ElementsAre(3));
  EXPECT_THAT(games_in(postings->games(1)), IsEmpty());
  EXPECT_THAT(games_in(postings->games(2)), ElementsAre(1));
  const std::vector<std::uint32_t> descending = {3, 2, 5};
  EXPECT_FALSE(Postings::of_stored(descending, bytes, 0, 100).has_value());
  EXPECT_FALSE(Postings::of_stored(ends, std::span(bytes).first(4), 0, 100).has_value());
}

TEST(Postings, SortsGamesByKey) {
  constexpr std::array<std::uint32_t, 6> kKeys = {2, 0, 2, 7, 2, 0};
  const Postings postings(3, 0, kKeys.size(),
                          [&](GameIndex first, GameIndex last, const auto& put) {
                            for (GameIndex game = first; game < last; ++game)
                              put(kKeys[game], game);
                          });
  EXPECT_EQ(postings.keys(), 3U);
  EXPECT_THAT(games_in(postings.games(0)), ElementsAre(1, 5));
  EXPECT_THAT(games_in(postings.games(1)), IsEmpty());
  EXPECT_THAT(games_in(postings.games(2)), ElementsAre(0, 2, 4));
  EXPECT_THAT(games_in(postings.games(7)), IsEmpty()) << "a key out of range belongs to no list";
}

TEST(Postings, KeepsTags) {
  const Postings postings(1, 1, 10, [&](GameIndex, GameIndex, const auto& put) {
    put(0U, 3U, 0U);
    put(0U, 3U, 1U);
    put(0U, 4U, 1U);
    put(0U, 9U, 0U);
  });
  EXPECT_THAT(games_in(postings.games(0, 0)), ElementsAre(3, 9));
  EXPECT_THAT(games_in(postings.games(0, 1)), ElementsAre(3, 4));
  EXPECT_THAT(games_in(postings.games(0)), ElementsAre(3, 4, 9)) << "a game with two tags is one";
}

// Of every length, up to the last byte.
TEST(Postings, DeltasOfAnyLengthSurviveRoundTrip) {
  for (unsigned bits = 0; bits < 32; ++bits) {
    for (const std::uint32_t delta : {(1U << bits) - 1, 1U << bits, (1U << bits) + 1}) {
      std::array<std::uint8_t, kMaxDeltaBytes + 1> room{};
      const auto length = static_cast<std::size_t>(write_delta(delta, room.data()) - room.data());
      EXPECT_EQ(length, delta_bytes(delta));
      std::uint32_t read = 0;
      for (std::size_t i = 0; i < length; ++i) {
        EXPECT_EQ(room[i] >> kDeltaBits, i + 1 < length ? 1 : 0) << delta;
        read |= std::uint32_t{room[i] & 0x7FU} << i * kDeltaBits;
      }
      EXPECT_EQ(read, delta);
    }
  }
}

// Compared with sets: any keys and gaps, up to the greatest number of games.
TEST(Postings, AgreesWithSetsOnRandomKeys) {
  std::mt19937 random(7);
  constexpr GameIndex kMostGames = 1U << 24;
  constexpr std::uint32_t kKeys = 50;
  std::vector<std::set<GameIndex>> white(kKeys);
  std::vector<std::set<GameIndex>> black(kKeys);
  struct Sides {
    GameIndex game;
    std::uint32_t white;
    std::uint32_t black;
  };
  std::vector<Sides> games;
  std::uniform_int_distribution<GameIndex> near(1, 3);
  std::uniform_int_distribution<GameIndex> far(1, 40000);
  for (GameIndex game = 0; game < kMostGames;
       game += random() % 2 == 0 ? near(random) : far(random)) {
    games.push_back({game, static_cast<std::uint32_t>(random() % kKeys),
                     static_cast<std::uint32_t>(random() % kKeys)});
    white[games.back().white].insert(game);
    black[games.back().black].insert(game);
  }
  const Postings postings(
      kKeys, 1, kMostGames, [&](GameIndex first, GameIndex last, const auto& put) {
        const auto from = std::ranges::lower_bound(games, first, {}, &Sides::game);
        for (auto game = from; game != games.end() && game->game < last; ++game) {
          put(game->white, game->game, 0U);
          put(game->black, game->game, 1U);
        }
      });
  for (std::uint32_t key = 0; key < kKeys; ++key) {
    std::set<GameIndex> both = white[key];
    both.insert(black[key].begin(), black[key].end());
    EXPECT_THAT(games_in(postings.games(key, 0)), ElementsAreArray(white[key]));
    EXPECT_THAT(games_in(postings.games(key, 1)), ElementsAreArray(black[key]));
    EXPECT_THAT(games_in(postings.games(key)), ElementsAreArray(both));
  }
}

}  // namespace
}  // namespace scidfs::fs
