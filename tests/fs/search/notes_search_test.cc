// Compares nag=, eval=, swing= and clock=, and evals.tsv, with the PGN text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fs/positions/eval_table.h"
#include "tests/fs/search/moves_of_games.h"
#include "tests/support/noted_games.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::Not;
using tests::ShownNotes;

// A game, as its text shows it.
struct NotedPgn {
  ShownNotes notes;
  Plies plies;
};

tests::ScidFiles noted_files(tests::Random& random, std::size_t games) {
  tests::ScidFilesBuilder builder;
  for (std::size_t game = 0; game < games; ++game) {
    std::string record = tests::noted_record(random, random.below(12));
    const auto facts = tests::facts_of_record(tests::as_bytes(record));
    codec::scid::IndexEntry entry;
    if (facts.has_value() && !random.one_in(4)) entry = tests::entry_of_facts(*facts);
    if (random.one_in(5)) tests::flip_bit(record, random);
    if (random.one_in(20)) record.resize(1 + record.size() / 2);
    builder.game(entry, record);
  }
  return builder.files();
}

std::vector<NotedPgn> read_games(const tests::ScidFiles& files) {
  const tests::ScidDatabase read(files, ".si4");
  const std::vector<Plies> plies = all_plies(read, codec::CastlingRule::Standard);
  std::vector<NotedPgn> games;
  for (const tests::RenderedGame& game : read.render_games()) {
    games.push_back({.notes = tests::shown_notes(game.text), .plies = plies[games.size()]});
  }
  return games;
}

std::string in_pawns(std::int64_t hundredths) {
  return fmt::format("{}{}.{:02}", hundredths < 0 ? "-" : "", std::abs(hundredths) / 100,
                     std::abs(hundredths) % 100);
}

class NotesSearchTest : public DatabaseTest {
 protected:
  // The games that a facet should find, and its negation.
  static void expect_games(const DatabasePtr& database, const std::vector<NotedPgn>& games,
                           const std::string& facet,
                           const std::function<bool(const NotedPgn&)>& is_met,
                           const std::function<bool(const NotedPgn&)>& is_known) {
    std::vector<GameIndex> met;
    std::vector<GameIndex> not_met;
    for (GameIndex game = 0; game < games.size(); ++game) {
      if (is_met(games[game])) {
        met.push_back(game);
      } else if (games[game].plies.is_whole && is_known(games[game])) {
        not_met.push_back(game);
      }
    }
    EXPECT_EQ(find(database, facet), met) << facet;
    EXPECT_EQ(find(database, "not-" + facet), not_met) << facet;
    EXPECT_FALSE(met.empty() && not_met.empty());
  }
};

TEST_F(NotesSearchTest, AgreesWithThePgnText) {
  tests::Random random(9);
  const tests::ScidFiles files = noted_files(random, 400);
  const Shared database = open(files);
  const std::vector<NotedPgn> games = read_games(files);
  const auto compare = [&](const std::string& facet, std::int64_t first, std::int64_t last,
                           ShownNotes::Values (ShownNotes::*values)() const) {
    expect_games(
        database, games, facet,
        [=](const NotedPgn& game) {
          return tests::first_in((game.notes.*values)(), first, last).has_value();
        },
        [=](const NotedPgn& game) { return !tests::known_of((game.notes.*values)()).empty(); });
  };
  for (const bool is_measured : {false, true}) {
    if (is_measured) {
      ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
    }
    compare("eval=0.35", 35, 35, &ShownNotes::evals);
    compare("eval=-3.35..-2.1", -335, -210, &ShownNotes::evals);
    compare("eval=from2.17", 217, 10000, &ShownNotes::evals);
    compare("eval=100", 10000, 10000, &ShownNotes::evals);
    compare("eval=..", -10000, 10000, &ShownNotes::evals);
    compare("eval=0.36..0.49", 36, 49, &ShownNotes::evals);
    compare("swing=..-0.01", -20000, -1, &ShownNotes::swings);
    compare("swing=3..", 300, 20000, &ShownNotes::swings);
    compare("swing=0", 0, 0, &ShownNotes::swings);
    compare("clock=to10", 0, 10, &ShownNotes::clocks);
    compare("clock=300..3599", 300, 3599, &ShownNotes::clocks);
    compare("clock=11..300", 11, 300, &ShownNotes::clocks);
    const std::vector<std::pair<std::string, std::vector<int>>> nags = {
        {"4", {4}},
        {"blunder", {4}},
        {"good,dubious", {1, 6}},
        {"10..12,23", {10, 11, 12, 23}},
        {"24..", {}}};
    for (const auto& [value, wanted] : nags) {
      expect_games(
          database, games, "nag=" + value,
          [&wanted = wanted](const NotedPgn& game) {
            return std::ranges::any_of(game.notes.nags, [&](const auto& nag) {
              return std::ranges::count(wanted, nag.second) != 0;
            });
          },
          [](const NotedPgn&) { return true; });
    }
  }
}

// Eight NAGs at a move are damage, which positions do not have.
TEST_F(NotesSearchTest, TooManyNagsAreUnknown) {
  const Shared database =
      open(tests::read_scid_files(tests::test_data("scid4/handmade/corrupt_games")));
  constexpr GameIndex kTooMany = 16;
  EXPECT_THAT(find(database, "not-nag=30"), Not(Contains(kTooMany)));
  EXPECT_THAT(find(database, "not-mate=Q"), Contains(kTooMany));
}

TEST_F(NotesSearchTest, TablesHaveTheValuesOfTheText) {
  tests::Random random(10);
  const tests::ScidFiles files = noted_files(random, 200);
  std::string expected = "number\tply\tmove\teval\tclock\n";
  const std::string header = expected;
  const std::vector<NotedPgn> games = read_games(files);
  for (std::size_t game = 0; game < games.size(); ++game) {
    const ShownNotes::Values evals = games[game].notes.evals();
    const ShownNotes::Values clocks = games[game].notes.clocks();
    for (std::size_t ply = 0; ply < evals.size(); ++ply) {
      if (!evals[ply].has_value() && !clocks[ply].has_value()) continue;
      expected += fmt::format("{}\t{}\t{}\t{}\t{}\n", game + 1, ply,
                              ply == 0 ? "" : games[game].plies.at(ply - 1).move,
                              evals[ply].has_value() ? in_pawns(*evals[ply]) : "",
                              clocks[ply].has_value() ? std::to_string(*clocks[ply]) : "");
    }
  }
  const Shared database = open(files);
  const WorkBudget budget = WorkBudget::unlimited(nullptr);
  const DatabaseGames whole(database, database->shown());
  EXPECT_EQ(eval_table(whole, budget).value(), expected);
  // The parts of a set follow each other.
  const std::vector<DatabaseGames> twice = {whole, DatabaseGames(open(files), database->shown())};
  EXPECT_EQ(eval_table(GameSet(twice), budget).value(), expected + expected.substr(header.size()));
}

}  // namespace
}  // namespace scidfs::fs
