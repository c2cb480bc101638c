// Endings of sets, against a recount from the boards of each game.
#include "fs/positions/set_endings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/facts.h"
#include "codec/scid/main_line.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/endings_of_boards.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {
namespace {

using codec::kEndingClasses;
using codec::Result;

constexpr std::string_view kEndingsHead =
    "class\tgames\tshare\twhite_wins\tdraws\tblack_wins\tscore\taverage_plies\tpath\n";

class SetEndingsTest : public SetsTest {
 protected:
  // A database, and the endings of each game by the boards of the walk.
  struct Played {
    tests::ScidFiles files;
    std::vector<tests::Endings> endings;
  };

  // Games from the standard position and from others, whole and damaged; most entries are true.
  static Played random_played(std::size_t games, std::uint64_t seed) {
    tests::Random random(seed);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    Played played;
    for (std::size_t game = 0; game < games; ++game) {
      tests::RandomGameOptions options{.plies = random.below(40), .annotated = random.one_in(5)};
      if (random.one_in(8)) {
        options.plies = 150 + random.below(250);
      } else {
        options.fen = tests::random_fen(random, random.below(5));
      }
      std::string record = tests::random_game(random, options).record();
      if (random.one_in(9)) {
        char& byte = record[random.below(record.size())];
        byte = static_cast<char>(static_cast<unsigned char>(byte) ^ 1U << random.below(8));
      }
      const auto result = static_cast<Result>(random.below(4));
      Entry entry;
      played.endings.push_back(describe(tests::as_bytes(record), entry));
      entry.result = result;
      if (random.one_in(9)) entry.material = 0x6A'76'A7;
      if (random.one_in(10)) entry.flags |= 1U << codec::scid::kFlagDeleted;
      builder.game(entry, record);
    }
    played.files = builder.files();
    return played;
  }

  // Replaces an entry by one with the fields that follow from the moves. Returns the endings.
  static tests::Endings describe(codec::Bytes record, Entry& entry) {
    std::vector<codec::scid::ExtraTag> tags;
    codec::scid::RecordHead head;
    if (codec::scid::parse_record_head(record, tags, head).has_value()) return {};
    codec::scid::Walker walker;
    entry = tests::entry_of_facts(codec::scid::facts_of(walker, record, head));
    std::vector<std::string> boards;
    codec::scid::walk_positions(walker, record, record, head,
                                [&](std::uint32_t, const codec::Position& position) {
                                  const std::string fen = position.fen();
                                  boards.push_back(fen.substr(0, fen.find(' ')));
                                });
    return tests::endings_of_boards(boards);
  }

  static std::shared_ptr<const SetEndings> found(const DatabaseGames& set,
                                                 const WorkBudget& budget = whole()) {
    auto endings = SetEndings::find(set, budget);
    EXPECT_TRUE(endings.ok()) << endings.status();
    return endings.ok() ? *std::move(endings) : std::make_shared<const SetEndings>();
  }

  // The games of a set that come to a class.
  static std::vector<GameIndex> expected_games(const DatabaseGames& set, const Played& played,
                                               std::string_view name) {
    std::vector<GameIndex> games = games_of(set);
    std::erase_if(games, [&](GameIndex game) { return !played.endings[game].contains(name); });
    return games;
  }
  // The same table, counted game by game.
  static std::string expected_table(const DatabaseGames& set, const Played& played) {
    struct Row {
      int games = 0;
      std::string line{};
    };
    std::vector<Row> rows;
    for (const codec::EndingClass& ending : kEndingClasses) {
      int games = 0, wins = 0, draws = 0, losses = 0;
      double plies = 0;
      for (const GameIndex game : expected_games(set, played, ending.name)) {
        const Result result = set.database()->entry(game).result;
        ++games;
        wins += result == Result::WhiteWins ? 1 : 0;
        draws += result == Result::Draw ? 1 : 0;
        losses += result == Result::BlackWins ? 1 : 0;
        plies += played.endings[game].find(ending.name)->second;
      }
      if (games == 0) continue;
      rows.push_back(
          {.games = games,
           .line = fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\tendings/{}\n", ending.name, games,
                               tenths_of(games, static_cast<double>(games_of(set).size())), wins,
                               draws, losses, tenths_of(wins + draws / 2.0, wins + draws + losses),
                               static_cast<int>(std::floor(plies / games + 0.5)), ending.name)});
    }
    std::ranges::stable_sort(rows, std::greater(), &Row::games);
    std::string text(kEndingsHead);
    for (const Row& row : rows) text += row.line;
    return text;
  }

  static void expect_endings(const DatabasePtr& database, const Played& played) {
    for (const DatabaseGames& set : many_sets(database, 2)) {
      const std::string table = expected_table(set, played);
      const auto endings = found(set);
      EXPECT_EQ(endings->table(), table);
      EXPECT_EQ(found(set, on_one_thread())->table(), table);
      for (std::size_t ending = 0; ending < codec::kEndings; ++ending) {
        EXPECT_EQ(games_of(DatabaseGames(database, endings->games(ending))),
                  expected_games(set, played, kEndingClasses.at(ending).name))
            << kEndingClasses.at(ending).name;
      }
    }
  }
};

TEST_F(SetEndingsTest, ListsClassesOfMostGamesFirst) {
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  const auto add = [&](std::string_view fen, std::string_view moves, Result result) {
    Entry entry;
    entry.result = result;
    entry.flags = 1U << codec::scid::kFlagStart;
    builder.game(entry, tests::ScidEncoder(fen).moves(moves).record());
  };
  constexpr std::string_view kRooks = "4k3/r5pp/8/8/8/8/8/4K2R w - - 0 1";
  constexpr std::string_view kPawn = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
  add(kRooks, "Rxh7 Kf8 Ke2", Result::WhiteWins);
  add(kPawn, "Kb1 Kg7 a8=Q Kf7", Result::Draw);
  add(kPawn, "", Result::BlackWins);
  add(kRooks, "Rxh7 Kf8", Result::Unknown);
  const Shared database = open(builder.files());
  EXPECT_EQ(found(shown(database))->table(), std::string(kEndingsHead) +
                                                 "rook\t2\t50.0\t1\t0\t0\t100.0\t3\tendings/rook\n"
                                                 "pawn\t1\t25.0\t0\t1\t0\t50.0\t4\tendings/pawn\n"
                                                 "queen-v-king\t1\t25.0\t0\t1\t0\t50.0\t1\t"
                                                 "endings/queen-v-king\n");
  EXPECT_EQ(found(set_of(database, {}))->table(), kEndingsHead);
}

// Games are replayed and walked while no size is known; then some are only replayed; and games with
// too many pieces at their end are left out as soon as their index signatures are there.
TEST_F(SetEndingsTest, AgreesWithBoardsOfGames) {
  const Played played = random_played(1500, 1);
  const Shared database = open(played.files);
  expect_endings(database, played);
  ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
  expect_endings(database, played);
  ASSERT_TRUE(database->signatures(whole()).ok());
  expect_endings(database, played);
}

TEST_F(SetEndingsTest, IndexSignaturesLeaveOutGames) {
  const Played played = random_played(1500, 3);
  const Shared database = open(played.files);
  ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
  const absl::StatusOr<const SignatureTable*> signatures = database->signatures(whole());
  ASSERT_TRUE(signatures.ok());
  const auto has_many = [](const codec::scid::IndexSignature& marks) {
    return marks.most_pieces() > 2;
  };
  EXPECT_GT(std::ranges::count_if((*signatures)->games(), has_many), 0);
}

// Several threads find the games of a large database.
TEST_F(SetEndingsTest, FindsGamesInOrderOnSeveralThreads) {
  Played played = random_played(300, 4);
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  const tests::ScidDatabase read(played.files, ".si4");
  constexpr std::size_t kCopies = 70;  // so many that index signatures are worth reading
  std::vector<tests::Endings> endings;
  for (std::size_t copy = 0; copy < kCopies; ++copy) {
    for (std::uint32_t game = 0; game < read.games(); ++game) {
      const codec::Bytes record = read.record(game).value();
      builder.game(read.entry(game), {reinterpret_cast<const char*>(record.data()), record.size()});
      endings.push_back(played.endings[game]);
    }
  }
  played = {.files = builder.files(), .endings = std::move(endings)};
  expect_endings(open(played.files), played);
}

TEST_F(SetEndingsTest, PartsAddUp) {
  const Played played = random_played(600, 5);
  const DatabasePtr database = open(played.files);
  std::vector<std::vector<GameIndex>> games(4);  // the last part has none
  for (const GameIndex game : games_of(shown(database))) games[game % 3].push_back(game);
  SetEndings all;
  for (const std::vector<GameIndex>& of_part : games) {
    all += *found(set_of(open(played.files), of_part));
  }
  EXPECT_EQ(all.table(), expected_table(shown(database), played));
}

TEST_F(SetEndingsTest, RespectsBudget) {
  const Shared database = open(random_played(300, 6).files);
  const DatabaseGames all = shown(database);
  EXPECT_EQ(SetEndings::find(all, WorkBudget::limited(200)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(SetEndings::find(set_of(database, {}), WorkBudget::limited(0)).ok());
  EXPECT_EQ(SetEndings::find(all, over()).status(), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
