// Which games are doubles.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "fs/duplicates/double_candidates.h"
#include "fs/duplicates/double_groups.h"
#include "fs/duplicates/double_table.h"
#include "fs/reference/spelling.h"
#include "tests/fs/duplicates/doubles_fixture.h"
#include "tests/support/files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::ScidEncoder;

constexpr std::string_view kTenPlies = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7";
constexpr std::string_view kMore = " Re1 b5 Bb3 d6 c3 O-O";
constexpr std::string_view kOther = " d3 d6 c4";

std::string record_of(std::string_view moves) { return ScidEncoder().moves(moves).record(); }
std::string ten() { return record_of(kTenPlies); }
std::string more() { return record_of(std::string(kTenPlies).append(kMore)); }
std::string other() { return record_of(std::string(kTenPlies).append(kOther)); }

class DoublesTest : public DoublesFixture {
 protected:
  static constexpr codec::Date kDay = {.year = 1985, .month = 11, .day = 9};

  static Game game(std::string record, codec::Date date = kDay, Result result = Result::WhiteWins) {
    return {.white = "Karpov",
            .black = "Kasparov",
            .date = date,
            .result = result,
            .record = std::move(record)};
  }
};

TEST_F(DoublesTest, AreEqualGames) {
  constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  constexpr std::string_view kOdds = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPP1/RNBQKBNR w KQkq - 0 1";
  const Game written_out = game(ScidEncoder(kStart).moves(kTenPlies).record());
  const Game odds = game(ScidEncoder(kOdds).moves(kTenPlies).record());
  const Game nine = game(record_of(kTenPlies.substr(0, kTenPlies.rfind(' '))));
  const Game none = game(record_of(""));
  Game swapped = game(more());
  std::swap(swapped.white, swapped.black);
  const auto of = [](const char* white) {
    Game named = game(more());
    named.white = white;
    return named;
  };
  const auto on = [](const codec::Date& date) { return game(more(), date); };
  const std::vector<std::tuple<const char*, std::vector<Game>, Groups>> cases = {
      {"twice", {game(more()), game(other()), game(more())}, {{1, 3}}},
      // Code that tells pairs of players apart had no room for the pair of a single game.
      {"a single game", {game(more())}, {}},
      {"two games of one day", {game(more()), game(other())}, {}},
      {"another result", {game(more()), game(more(), kDay, Result::Draw)}, {}},
      {"an unknown result", {game(more()), game(more(), kDay, Result::Unknown)}, {{1, 2}}},
      {"no date", {game(more()), on({})}, {{1, 2}}},
      {"a year", {game(more()), on({.year = 1985})}, {{1, 2}}},
      {"a month", {game(more()), on({.year = 1985, .month = 11})}, {{1, 2}}},
      {"no year", {game(more()), on({.month = 11, .day = 9})}, {{1, 2}}},
      {"another year", {game(more()), on({.year = 1984})}, {}},
      {"another month", {game(more()), on({.year = 1985, .month = 1})}, {}},
      {"another day", {game(more()), on({.year = 1985, .month = 11, .day = 8})}, {}},
      {"other colors", {game(more()), swapped}, {}},
      {"nine plies say too little", {nine, nine, game(more())}, {}},
      {"no moves", {none, none, game(more())}, {}},
      {"ten plies", {game(ten()), game(ten())}, {{1, 2}}},
      {"another start", {game(ten()), odds, written_out, odds}, {{1, 3}, {2, 4}}},
      {"forms of a name",
       {of("Polgár,J"), of("POLGAR, J."), of("Polgar"), of("polgar_j")},
       {{1, 2, 4}}},
      {"unknown players", {of("?"), of("?"), of(""), of(""), of("-"), of("-")}, {}},
      {"initials", {of("N.N."), of("NN")}, {{1, 2}}},
  };
  for (const auto& [name, games, same] : cases) EXPECT_EQ(groups(games), same) << name;
}

TEST_F(DoublesTest, MayDifferInLength) {
  const Shared database = open(files_with({game(ten()), game(more())}));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_THAT(groups_of(*doubles), ElementsAre(ElementsAre(1, 2)));
  EXPECT_THAT(kept_of(*doubles), ElementsAre(2));
  EXPECT_EQ(doubles->games()[0].plies, 10U);
  EXPECT_FALSE(doubles->games()[0].is_longest);
  EXPECT_TRUE(doubles->games()[1].is_longest);
}

// A short game may be a double of either of two different games: it is grouped with the longer one,
// and names it.
TEST_F(DoublesTest, ShortGameIsGroupedWithLongerOfTwoDifferentGames) {
  const Shared database = open(files_with({game(ten()), game(other()), game(more())}));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_THAT(groups_of(*doubles), ElementsAre(ElementsAre(1, 3)));
  EXPECT_EQ(doubles->games()[0].other, 1U);
  EXPECT_EQ(doubles->games()[1].other, kNoGame);
}

// A game without a date agrees with both of two years, which are not one.
TEST_F(DoublesTest, GamesThatDifferAreNotGroupedThroughThird) {
  const Shared database = open(
      files_with({game(more(), {.year = 1985}), game(more(), {.year = 1986}), game(more(), {})}));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_THAT(groups_of(*doubles), ElementsAre(ElementsAre(1, 3)));
  EXPECT_EQ(doubles->games()[1].other, 1U);
}

// As far as a damaged game can be decoded.
TEST_F(DoublesTest, CompareMovesBeforeDamage) {
  std::string cut = more();
  cut.resize(cut.size() - 4);
  std::string early = more();
  early.resize(8);
  const std::vector<Game> all = {game(cut), game(more()), game(early), game("")};
  EXPECT_THAT(groups(all), ElementsAre(ElementsAre(1, 2)));
  // The same when it is known which games are undamaged.
  const Shared database = open(files_with(all));
  ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
  EXPECT_THAT(groups_of(*doubles_of(database)), ElementsAre(ElementsAre(1, 2)));
}

TEST_F(DoublesTest, IgnoreNotes) {
  ScidEncoder noted;
  noted.tag("Annotator", "somebody").moves("e4 e5 Nf3 Nc6 Bb5 a6").nag(1).comment("well");
  noted.begin_variation().moves("Nf6 O-O").end_variation().moves("Ba4 Nf6 O-O Be7");
  const Shared database = open(files_with({game(ten()), game(ten()), game(noted.record())}));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_THAT(groups_of(*doubles), ElementsAre(ElementsAre(1, 2, 3)));
  EXPECT_THAT(kept_of(*doubles), ElementsAre(3));
  const Double& kept = doubles->games()[2];
  EXPECT_EQ(std::tuple(kept.comments, kept.variations, kept.nags), std::tuple(1, 1, 1));
  EXPECT_THAT(kept_of(*doubles_of(open(files_with({game(ten()), game(ten())})))), ElementsAre(1));
}

// Castling differs from the king's step to the same square.
TEST_F(DoublesTest, DistinguishChess960CastlingFromKingMove) {
  constexpr std::string_view kFen = "r4k1r/pppppppp/8/8/8/8/PPPPPPPP/R4K1R w KQkq - 0 1";
  constexpr std::string_view kShuffle = " a6 a3 b6 b3 c6 c3 d6 d3 e6 e3";
  const std::string stepped = ScidEncoder(kFen).moves(std::string("Kg1").append(kShuffle)).record();
  const std::size_t first_move = stepped.find('\0', 2) + 1;
  ASSERT_EQ(stepped[first_move], '\x05');
  std::string castled = stepped;
  castled[first_move] = '\x0A';
  const tests::ScidFiles files =
      tests::as_scid5(files_with({game(castled), game(stepped), game(castled)}));
  tests::write_scid_files(files, folder_ / "five", ".si5");
  const absl::StatusOr<Shared> database = Database::open(folder_ / "five.si5", "five", {});
  ASSERT_TRUE(database.ok()) << database.status();
  EXPECT_THAT(groups_of(*doubles_of(*database)), ElementsAre(ElementsAre(1, 3)));
}

TEST_F(DoublesTest, CompareNamesBySpellingFile) {
  Game short_name = game(more());
  short_name.black = "Kasparov,G";
  Game long_name = game(more());
  long_name.black = "Kasparov, Garri";
  EXPECT_THAT(groups({short_name, long_name}), IsEmpty());
  const auto spelling =
      Spelling::load(*SourceFile::open(tests::test_data("spelling/people.ssp")), {});
  ASSERT_TRUE(spelling.ok()) << spelling.status();
  const auto reference = std::make_shared<Reference>();
  reference->spelling = std::make_shared<const SpellingLoad>(*spelling);
  DatabaseOptions options;
  options.reference = reference;
  EXPECT_THAT(groups({short_name, long_name}, options), ElementsAre(ElementsAre(1, 2)));
}

TEST_F(DoublesTest, IgnoreDeletedGames) {
  Game deleted = game(more());
  deleted.flags = 1U << codec::scid::kFlagDeleted;
  const std::vector<Game> all = {game(more()), deleted, game(more()), deleted};
  const Shared database = open(files_with(all));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_THAT(groups_of(*doubles), ElementsAre(ElementsAre(1, 3)));
  const auto left_out = std::shared_ptr<const DeltaList>(doubles, &doubles->left_out(0));
  EXPECT_THAT(games_of(DatabaseGames::all_but(database, left_out)), ElementsAre(0));
  DatabaseOptions options;
  options.show_deleted = true;
  EXPECT_THAT(groups(all, options), ElementsAre(ElementsAre(1, 2, 3, 4)));
}

// The result does not depend on what the index says about moves.
TEST_F(DoublesTest, DoNotRelyOnMovesInIndex) {
  tests::ScidFilesBuilder builder;
  for (const char* const name : {"Karpov", "Kasparov"}) builder.name(NameKind::Player, name);
  for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
    builder.name(kind, "x");
  }
  for (const bool is_wrong : {false, true}) {
    const std::uint8_t plies = is_wrong ? 40 : 0;
    Entry entry;
    entry.black = 1;
    entry.plies = plies;
    entry.stored_line = plies;
    entry.home_pawn_count = static_cast<std::uint8_t>(plies % 16);
    builder.game(entry, more());
  }
  EXPECT_THAT(groups_of(*doubles_of(open(builder.files()))), ElementsAre(ElementsAre(1, 2)));
}

TEST_F(DoublesTest, RespectBudget) {
  const Shared database = open(files_with({game(more()), game(more()), game(ten())}));
  EXPECT_TRUE(absl::IsUnavailable(find(database, WorkBudget::limited(2)).status()));
  const absl::StatusOr<DoublesPtr> quick = find(database, WorkBudget::limited(3));
  ASSERT_TRUE(quick.ok()) << quick.status();
  EXPECT_THAT(groups_of(**quick), ElementsAre(ElementsAre(1, 2, 3)));
  EXPECT_TRUE(absl::IsCancelled(find(database, over()).status()));
}

TEST_F(DoublesTest, OfSeveralDatabasesRespectBudget) {
  const DatabasePtr one = open(files_with({game(more()), game(other())}));
  const DatabasePtr two = open(files_with({game(ten())}));
  const auto players = CommonPlayers::merge({one, two}, whole());
  ASSERT_TRUE(players.ok()) << players.status();
  EXPECT_TRUE(absl::IsUnavailable(Doubles::find(*players, WorkBudget::limited(2)).status()));
  const absl::StatusOr<DoublesPtr> quick = Doubles::find(*players, WorkBudget::limited(3));
  ASSERT_TRUE(quick.ok()) << quick.status();
  EXPECT_THAT(groups_of(**quick), ElementsAre(ElementsAre(1, 3)));
  EXPECT_EQ((*quick)->games()[1].other, 1U);
  EXPECT_EQ((*quick)->left_out(0).size(), 0U);
  EXPECT_EQ((*quick)->left_out(1).size(), 1U);
  EXPECT_TRUE(absl::IsCancelled(Doubles::find(*players, over()).status()));
}

TEST_F(DoublesTest, AreListedInTable) {
  Game renamed = game(ten(), {.year = 1985}, Result::Unknown);
  renamed.white = "KARPOV";
  const Shared database = open(files_with({game(more()), game(other()), renamed, game(more())}));
  const auto table = open_double_table(doubles_of(database),
                                       {DatabaseGames(database, database->shown())}, whole());
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_EQ(
      text_of(**table),
      "group\tnumber\twhy\twhite\tblack\tdate\tresult\tplies\tlongest\tcomments\tvariations\tnags\t"
      "kept\tother\tpath\n"
      "1\t1\t\tKarpov\tKasparov\t1985.11.09\t1-0\t16\tyes\t0\t0\t0\tyes\t\tgames/1.pgn\n"
      "1\t3\tplayers under other names, the first 10 moves, date as far as known, event\tKARPOV\t"
      "Kasparov\t1985.??.??\t*\t10\t\t0\t0\t0\t\t2\tgames/3.pgn\n"
      "1\t4\tplayers, moves, date, result, "
      "event\tKarpov\tKasparov\t1985.11.09\t1-0\t16\tyes\t0\t0\t"
      "0\t\t\tgames/4.pgn\n");
}

// More lines than a section has, and groups that extend over two.
TEST_F(DoublesTest, LongTableCanBeReadInPieces) {
  std::vector<Game> all;
  for (std::size_t i = 0; i < 3500; ++i) {
    all.push_back(game(more(), {.year = static_cast<std::uint16_t>(1900 + i / 700)}));
  }
  const Shared database = open(files_with(all));
  const DoublesPtr doubles = doubles_of(database);
  EXPECT_EQ(doubles->groups(), 5U);
  const auto table =
      open_double_table(doubles, {DatabaseGames(database, database->shown())}, whole());
  ASSERT_TRUE(table.ok()) << table.status();
  const std::string text = text_of(**table);
  EXPECT_EQ(std::ranges::count(text, '\n'), 3501);
  std::string part;
  ASSERT_TRUE((*table)->read(text.size() / 3, text.size() / 2, part).ok());
  EXPECT_EQ(part, text.substr(text.size() / 3, text.size() / 2));
  EXPECT_THAT(text, HasSubstr("\n2\t701\t\t"));
}

// All pairs of games, compared by the data that they were made from.
class Oracle {
 public:
  struct Game {
    std::string players;
    std::vector<std::string> moves;
    codec::Date date;
    Result result{};
  };

  explicit Oracle(std::vector<Game> games) : games_(std::move(games)) {}

  std::vector<std::vector<std::uint32_t>> groups() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < games_.size(); ++i) {
      if (games_[i].moves.size() >= kFewestPlies) order.push_back(i);
    }
    std::ranges::sort(order, {}, [&](std::size_t i) {
      return std::tuple(~games_[i].moves.size(), -known(games_[i]), i);
    });
    std::vector<std::vector<std::size_t>> groups;
    for (const std::size_t i : order) {
      std::vector<std::size_t>* best = nullptr;
      for (std::vector<std::size_t>& group : groups) {
        const bool fits = std::ranges::all_of(group, [&](std::size_t j) { return agree(i, j); });
        const auto place = [&](const std::vector<std::size_t>& of) {
          return std::pair(~games_[of[0]].moves.size(), of[0]);
        };
        if (fits && (best == nullptr || place(group) < place(*best))) best = &group;
      }
      if (best == nullptr) best = &groups.emplace_back();
      best->push_back(i);
    }
    std::vector<std::vector<std::uint32_t>> numbers;
    for (std::vector<std::size_t>& group : groups) {
      if (group.size() < 2) continue;
      std::ranges::sort(group);
      numbers.emplace_back();
      for (const std::size_t i : group) numbers.back().push_back(static_cast<std::uint32_t>(i + 1));
    }
    // By its first game, which is in no other: GCC 12 compares vectors wrongly where the first byte
    // of a number is uppermost.
    std::ranges::sort(numbers, {}, [](const auto& group) { return group.front(); });
    return numbers;
  }

 private:
  static int known(const Game& game) {
    return (game.date.year != 0) + (game.date.month != 0) + (game.date.day != 0) +
           (game.result != Result::Unknown);
  }
  bool agree(std::size_t i, std::size_t j) const {
    const Game& a = games_[i];
    const Game& b = games_[j];
    const auto fits = [](auto x, auto y) {
      return x == decltype(x){} || y == decltype(y){} || x == y;
    };
    const std::size_t plies = std::min(a.moves.size(), b.moves.size());
    return a.players == b.players &&
           std::equal(a.moves.begin(), a.moves.begin() + static_cast<std::ptrdiff_t>(plies),
                      b.moves.begin()) &&
           fits(a.date.year, b.date.year) && fits(a.date.month, b.date.month) &&
           fits(a.date.day, b.date.day) && fits(a.result, b.result);
  }

  const std::vector<Game> games_;
};

// Few players, few dates, games with common beginnings and different ends.
TEST_F(DoublesTest, AgreeWithComparisonOfAllPairs) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    tests::Random random(seed);
    std::vector<std::vector<codec::Move>> lines;
    for (std::size_t i = 0; i < 6; ++i) {
      // Some games continue others.
      std::vector<codec::Move> line;
      codec::Position position;
      if (i >= 2) {
        line = lines[random.below(i)];
        line.resize(random.below(line.size()));
        for (const codec::Move& move : line) position.make(move);
      }
      while (line.size() < 8 + random.below(30)) {
        line.push_back(tests::random_move(position, random));
        position.make(line.back());
      }
      lines.push_back(line);
    }
    std::vector<Game> games;
    std::vector<Oracle::Game> plain;
    const std::size_t count = seed % 3 == 0 ? 400 : 60;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<codec::Move> line = lines[random.below(lines.size())];
      if (random.one_in(2)) line.resize(line.size() - random.below(line.size()));
      if (line.size() > 12 && random.one_in(3)) line.resize(10 + random.below(3));
      ScidEncoder encoder;
      Oracle::Game& game = plain.emplace_back();
      for (const codec::Move& move : line) {
        encoder.move(move);
        game.moves.push_back(
            fmt::format("{} {} {}", move.from, move.to, static_cast<int>(move.promotion)));
      }
      const std::size_t pair = random.below(2);
      game.players = std::to_string(pair);
      if (!random.one_in(3)) game.date.year = static_cast<std::uint16_t>(2000 + random.below(2));
      if (!random.one_in(3)) game.date.month = static_cast<std::uint8_t>(1 + random.below(2));
      if (!random.one_in(3)) game.date.day = static_cast<std::uint8_t>(1 + random.below(2));
      game.result = static_cast<Result>(random.below(3));
      games.push_back({.white = random.one_in(2) ? "Ann B" : "ann, b.",
                       .black = pair == 0 ? "Carl" : "Dora",
                       .date = game.date,
                       .result = game.result,
                       .record = encoder.record()});
    }
    const Shared database = open(files_with(games));
    if (seed % 2 == 0) {
      ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
    }
    const Groups groups = groups_of(*doubles_of(database));
    EXPECT_EQ(groups, Oracle(plain).groups());
    found += groups.size();
  }
  EXPECT_GT(found, 100U);
}

// A chain of games, each of which continues the one before, and others beside it.
TEST(DoubleGroupsTest, ExamineBoundedNumberOfGroups) {
  constexpr std::uint32_t kLines = 3000;
  std::vector<RelatedLine> lines = {{.plies = 10}};
  std::vector<RelatedGame> games = {{.line = 0, .game = 0}};
  for (std::uint32_t line = 1; line < kLines; ++line) {
    lines.push_back({.plies = 11, .beginning = 0});
    games.push_back({.line = line, .game = line});
  }
  EXPECT_EQ(group_doubles(lines, games), kLines - 1);
  EXPECT_NE(games[0].other, kNoGame);
  EXPECT_NE(games[0].group, kNoGroup);
}

}  // namespace
}  // namespace scidfs::fs
