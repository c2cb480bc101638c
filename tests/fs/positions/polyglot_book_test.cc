// Polyglot books of sets, against a recount game by game.
#include "fs/positions/polyglot_book.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/polyglot_key.h"
#include "fs/positions/polyglot_counts.h"
#include "fs/positions/polyglot_sketch.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Result;

struct BookEntry {
  std::uint64_t key;
  unsigned move;
  unsigned weight;

  friend bool operator==(const BookEntry&, const BookEntry&) = default;
};

std::vector<BookEntry> entries_of(const std::string& book) {
  EXPECT_EQ(book.size() % PolyglotCounts::kEntryBytes, 0U);
  std::vector<BookEntry> entries;
  const auto number = [&](std::size_t at, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      value = value << 8 | static_cast<std::uint8_t>(book[at + i]);
    }
    return value;
  };
  for (std::size_t at = 0; at < book.size(); at += PolyglotCounts::kEntryBytes) {
    entries.push_back({.key = number(at, 8),
                       .move = static_cast<unsigned>(number(at + 8, 2)),
                       .weight = static_cast<unsigned>(number(at + 10, 2))});
    EXPECT_EQ(number(at + 12, 4), 0U);
  }
  return entries;
}

std::vector<BookEntry> entries_of(const PolyglotCounts& counts, std::uint32_t games) {
  std::string book;
  counts.append_entries(games, book);
  return entries_of(book);
}

TEST(PolyglotCountsTest, OrdersByKeyThenPointsThenFirstPlay) {
  PolyglotCounts counts;
  const std::uint64_t high = std::uint64_t{1} << 63;
  for (const PolyglotPly& ply : std::vector<PolyglotPly>{{high, 9, 1},
                                                         {5, 3, 1},
                                                         {5, 2, 1},
                                                         {5, 1, 1},
                                                         {5, 4, 2},
                                                         {5, 7, 0},
                                                         {high, 8, 1},
                                                         {5, 7, 0},
                                                         {5, 1, 0}}) {
    counts.add(ply);
  }
  EXPECT_EQ(entries_of(counts, 1),
            (std::vector<BookEntry>{
                {5, 4, 2}, {5, 3, 1}, {5, 2, 1}, {5, 1, 1}, {high, 9, 1}, {high, 8, 1}}));
  EXPECT_EQ(entries_of(counts, 2), (std::vector<BookEntry>{{5, 1, 1}}));
  EXPECT_TRUE(entries_of(PolyglotCounts(), 1).empty());
}

// All moves of a position are halved, rounded up, as soon as one has been played often enough.
TEST(PolyglotCountsTest, HalvesAllMovesOfAPosition) {
  PolyglotCounts counts;
  for (int i = 0; i < 3; ++i) counts.add({.key = 1, .move = 2, .points = 1});
  counts.add({.key = 2, .move = 2, .points = 1});
  for (std::uint32_t i = 1; i < PolyglotCounts::kMostGames; ++i) {
    counts.add({.key = 1, .move = 1, .points = 2});
  }
  EXPECT_EQ(entries_of(counts, 1), (std::vector<BookEntry>{{1, 1, 32766}, {1, 2, 3}, {2, 2, 1}}));
  counts.add({.key = 1, .move = 1, .points = 2});
  EXPECT_EQ(entries_of(counts, 1), (std::vector<BookEntry>{{1, 1, 16384}, {1, 2, 2}, {2, 2, 1}}));
  EXPECT_EQ(entries_of(counts, 8192), (std::vector<BookEntry>{{1, 1, 16384}}));
  counts.add({.key = 1, .move = 1, .points = 2});
  EXPECT_EQ(entries_of(counts, 8193), (std::vector<BookEntry>{{1, 1, 16386}}));
}

// The order of first plays outlasts the growth of the table.
TEST(PolyglotCountsTest, KeepsOrderWhileItGrows) {
  PolyglotCounts counts;
  tests::Random random(1);
  std::map<std::uint64_t, std::vector<BookEntry>> wanted;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t key = random.below(1000) * 0x9E3779B97F4A7C15;
    const auto move = static_cast<std::uint16_t>(random.below(40));
    counts.add({.key = key, .move = move, .points = 1});
    std::vector<BookEntry>& moves = wanted[key];
    const auto known = std::ranges::find(moves, move, &BookEntry::move);
    if (known == moves.end()) {
      moves.push_back({.key = key, .move = move, .weight = 1});
    } else {
      ++known->weight;
    }
  }
  std::vector<BookEntry> all;
  for (auto& [key, moves] : wanted) {
    std::ranges::stable_sort(moves, std::greater(), &BookEntry::weight);
    all.insert(all.end(), moves.begin(), moves.end());
  }
  EXPECT_EQ(entries_of(counts, 1), all);
}

TEST(PolyglotSketchTest, NeverCountsTooFew) {
  for (const std::size_t counters : {0, 100, 1'000'000}) {
    PolyglotSketch sketch(counters);
    tests::Random random(1);
    std::vector<std::uint64_t> keys(300);
    std::ranges::generate(keys, [&] { return random.next(); });
    std::map<std::pair<std::uint64_t, std::uint16_t>, std::uint32_t> played;
    for (int i = 0; i < 5000; ++i) {
      const PolyglotPly ply{.key = keys[random.below(keys.size())],
                            .move = static_cast<std::uint16_t>(random.below(20))};
      sketch.add(ply);
      ++played[{ply.key, ply.move}];
    }
    int too_many = 0;
    for (const auto& [ply, games] : played) {
      const std::uint32_t rough = sketch.games({.key = ply.first, .move = ply.second});
      EXPECT_GE(rough, std::min(games, PolyglotSketch::kMost));
      too_many += rough > games ? 1 : 0;
    }
    // With room, nearly all are right.
    if (counters == 1'000'000) {
      EXPECT_LT(too_many, 100);
    }
  }
}

class PolyglotBookTest : public SetsTest {
 protected:
  struct PlayedGame {
    Result result{};
    std::string fen{};
    std::vector<codec::Move> moves{};
  };

  // Games of few moves each, so that many play the same; some from a FEN, some with null moves.
  static std::vector<PlayedGame> some_games(std::size_t count) {
    tests::Random random(3);
    std::vector<PlayedGame> games;
    for (std::size_t i = 0; i < count; ++i) {
      PlayedGame game{.result = static_cast<Result>(random.below(4))};
      if (random.one_in(8)) game.fen = "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1";
      codec::Position position = start_of(game);
      for (std::size_t ply = random.below(30); ply-- != 0;) {
        const codec::Square king = position.king(position.side_to_move());
        const codec::Move move =
            random.one_in(20) ? codec::Move{.from = king, .to = king, .kind = codec::MoveKind::Null}
                              : tests::random_move(position, random);
        game.moves.push_back(move);
        position.make(move);
      }
      games.push_back(std::move(game));
    }
    return games;
  }
  static codec::Position start_of(const PlayedGame& game) {
    return game.fen.empty() ? codec::Position() : *codec::Position::from_fen(game.fen);
  }
  static tests::ScidFiles files_of(std::span<const PlayedGame> games) {
    tests::ScidFilesBuilder builder;
    for (const NameKind kind :
         {NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round}) {
      builder.name(kind, "x");
    }
    for (const PlayedGame& game : games) {
      tests::ScidEncoder encoder =
          game.fen.empty() ? tests::ScidEncoder() : tests::ScidEncoder(game.fen);
      for (const codec::Move& move : game.moves) encoder.move(move);
      Entry entry;
      entry.result = game.result;
      builder.game(entry, encoder.record());
    }
    return builder.files();
  }
  // The same book, counted game by game.
  static std::vector<BookEntry> expected(std::span<const PlayedGame> games,
                                         const PolyglotBounds& bounds) {
    struct Counted {
      BookEntry entry;
      unsigned games;
    };
    std::map<std::uint64_t, std::vector<Counted>> positions;
    for (const PlayedGame& game : games) {
      codec::Position position = start_of(game);
      for (std::size_t ply = 0; ply < std::min<std::size_t>(bounds.plies, game.moves.size());
           ++ply) {
        const codec::Move& move = game.moves[ply];
        const codec::Color us = position.side_to_move();
        codec::Position after = position;
        after.make(move);
        if (move.kind != codec::MoveKind::Null && !after.in_check(us)) {
          const bool is_lost =
              game.result == (us == codec::Color::White ? Result::BlackWins : Result::WhiteWins);
          const bool is_open = game.result == Result::Draw || game.result == Result::Unknown;
          const unsigned number = codec::polyglot_move(move, us, position.castling_homes());
          std::vector<Counted>& moves = positions[codec::polyglot_key(position)];
          auto known = std::ranges::find(moves, number,
                                         [](const Counted& counted) { return counted.entry.move; });
          if (known == moves.end()) {
            moves.push_back({{codec::polyglot_key(position), number, 0}, 0});
            known = moves.end() - 1;
          }
          ++known->games;
          known->entry.weight += is_open ? 1 : is_lost ? 0 : 2;
        }
        position = after;
      }
    }
    std::vector<BookEntry> book;
    for (auto& [key, moves] : positions) {
      std::ranges::stable_sort(moves, std::greater(),
                               [](const Counted& counted) { return counted.entry.weight; });
      for (const Counted& move : moves) {
        if (move.games >= bounds.games && move.entry.weight != 0) book.push_back(move.entry);
      }
    }
    return book;
  }
  static std::string book_of(const GameSet& parts, const PolyglotBounds& bounds,
                             std::size_t most_bytes = std::size_t{256} << 20) {
    const auto book = polyglot_book(parts, bounds, whole(), most_bytes);
    EXPECT_TRUE(book.ok()) << book.status();
    return book.value_or("");
  }
};

TEST_F(PolyglotBookTest, AgreesWithCountingGameByGame) {
  const std::vector<PlayedGame> games = some_games(3000);
  const Shared database = open(files_of(games));
  for (const PolyglotBounds& bounds : std::vector<PolyglotBounds>{
           {}, {.plies = 1024, .games = 1}, {.plies = 5, .games = 2}, {.plies = 1, .games = 100}}) {
    SCOPED_TRACE(bounds.plies);
    const std::vector<BookEntry> wanted = expected(games, bounds);
    EXPECT_GT(wanted.size(), 10U);
    EXPECT_EQ(entries_of(book_of(shown(database), bounds)), wanted);
  }
  EXPECT_EQ(book_of(set_of(database, {}), {}), "");
}

// A knight that is pinned moves all the same; the reply counts.
TEST_F(PolyglotBookTest, LeavesOutMovesIntoCheck) {
  const PlayedGame game{.result = Result::Draw,
                        .fen = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1",
                        .moves = {{.from = 12, .to = 18, .piece = codec::PieceType::Knight},
                                  {.from = 62, .to = 61, .piece = codec::PieceType::King}}};
  const std::vector<PlayedGame> games(3, game);
  const std::vector<BookEntry> entries =
      entries_of(book_of(shown(open(files_of(games))), {.games = 3}));
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries, expected(games, {.games = 3}));
  EXPECT_EQ(entries[0].move, 62U << 6 | 61U);
  EXPECT_EQ(entries[0].weight, 3U);
}

// Games of several databases follow each other.
TEST_F(PolyglotBookTest, CountsPartsInOrder) {
  const std::vector<PlayedGame> games = some_games(2000);
  std::vector<DatabaseGames> parts;
  const std::span<const PlayedGame> all = games;
  for (const auto& [from, count] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 700}, {700, 0}, {700, 1}, {701, 1299}}) {
    parts.push_back(shown(open(files_of(all.subspan(from, count)))));
  }
  const PolyglotBounds bounds{.games = 1};
  EXPECT_EQ(book_of(GameSet(std::move(parts)), bounds),
            book_of(shown(open(files_of(games))), bounds));
}

TEST_F(PolyglotBookTest, IsTheSameInLittleMemory) {
  const Shared database = open(files_of(some_games(200)));
  const PolyglotBounds bounds{.games = 1};
  const std::string book = book_of(shown(database), bounds);
  EXPECT_GT(book.size(), 20'000U);
  EXPECT_EQ(book_of(shown(database), bounds, 20'000), book);
  EXPECT_EQ(book_of(shown(database), bounds, 0), book);
}

TEST_F(PolyglotBookTest, ObeysTheBudget) {
  const Shared database = open(files_of(some_games(300)));
  const DatabaseGames set = shown(database);
  EXPECT_EQ(polyglot_book(set, {}, WorkBudget::limited(200)).status(), WorkBudget::exceeded());
  EXPECT_EQ(polyglot_book(set, {}, over()).status(), WorkBudget::cancelled());
  EXPECT_TRUE(polyglot_book(set, {}, WorkBudget::limited(2000)).ok());
}

}  // namespace
}  // namespace scidfs::fs
