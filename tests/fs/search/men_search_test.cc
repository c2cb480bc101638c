// Compares pieces=, pawns= and played= with the positions and moves that fens/ shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/search/moves_of_games.h"

namespace scidfs::fs {
namespace {

// The men on every eleventh square of a position, and all its pawns.
void expect_men(const DatabasePtr& database, const std::vector<Plies>& all, const std::string& fen,
                std::size_t first) {
  const std::string board = squares_of(fen);
  std::string facet = "pieces=";
  std::vector<std::size_t> asked;
  for (std::size_t i = first % 11; i < board.size(); i += 11) {
    asked.push_back(i);
    facet += fmt::format("{}{}{}{}", asked.size() == 1 ? "" : ",", board[i],
                         static_cast<char>('a' + i % 8), 8 - i / 8);
  }
  const auto are_there = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    return std::ranges::all_of(asked, [&](std::size_t i) { return other[i] == board[i]; });
  };
  const auto has_any = [&](const auto& is_so) {
    return games_where(all, [&](const Plies& game) { return std::ranges::any_of(game, is_so); });
  };
  EXPECT_EQ(find(database, facet), has_any(are_there)) << facet;
  expect_negated(database, all, facet);

  std::string pawns;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (i > 0 && i % 8 == 0) pawns += '-';
    pawns += board[i] == 'P' || board[i] == 'p' ? board[i] : '1';
  }
  const auto have_same_pawns = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    const auto is_pawn = [](char c) { return c == 'P' || c == 'p'; };
    return std::ranges::equal(
        board, other, [&](char a, char b) { return a == b || (!is_pawn(a) && !is_pawn(b)); });
  };
  EXPECT_EQ(find(database, "pawns=" + pawns), has_any(have_same_pawns)) << pawns;
  expect_negated(database, all, "pawns=" + pawns);
  std::ranges::replace(pawns, 'p', '1');
  const auto has_same_white_pawns = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    return std::ranges::equal(board, other,
                              [](char a, char b) { return (a == 'P') == (b == 'P'); });
  };
  EXPECT_EQ(find(database, "white_pawns=" + pawns), has_any(has_same_white_pawns)) << pawns;
}

// Two moves from a place on, and later a third one; without those that name their departure.
void expect_played(const DatabasePtr& database, const std::vector<Plies>& all, const Plies& plies,
                   std::size_t first) {
  constexpr std::size_t kLater = 4;
  if (first + kLater >= plies.size()) return;
  const auto plain = [](std::string move) {
    move.resize(move.find_last_not_of("+#") + 1);
    if (move.empty() || move.find_first_of("QRBN") != 0) return move;
    const std::size_t end = move.find('x') != std::string::npos ? move.find('x') : move.size() - 2;
    return move.front() + move.substr(end);
  };
  const std::array wanted = {plain(plies[first].move), plain(plies[first + 1].move),
                             plain(plies[first + kLater].move)};
  if (std::ranges::any_of(wanted, &std::string::empty)) return;
  const std::string facet = fmt::format("played={},{},..,{}", wanted[0], wanted[1], wanted[2]);
  EXPECT_EQ(find(database, facet),
            games_where(all,
                        [&](const Plies& game) {
                          std::size_t found = 0;
                          for (std::size_t at = 0; at < game.size() && found < 3; ++at) {
                            if (found == 2) {
                              if (plain(game[at].move) == wanted[2]) ++found;
                            } else if (at + 1 < game.size() && plain(game[at].move) == wanted[0] &&
                                       plain(game[at + 1].move) == wanted[1]) {
                              found = 2;
                              ++at;
                            }
                          }
                          return found == 3;
                        }))
      << facet;
  expect_negated(database, all, facet);
}

class MenSearchTest : public DatabaseTest {};

TEST_F(MenSearchTest, AgreesWithPositionsOfGames) {
  tests::Random random(21);
  const tests::ScidFiles files = random_files(random, 400);
  const Shared database = open(files);
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  for (const bool is_measured : {false, true}) {
    if (is_measured) {
      ASSERT_NO_FATAL_FAILURE(verify_signatures(*database));
    }
    for (std::size_t i = 0; i < 40; ++i) {
      const Plies& plies = all[random.below(all.size())];
      if (plies.empty()) continue;
      const std::size_t ply = random.below(plies.size());
      expect_men(database, all, plies[ply].fen, i);
      expect_played(database, all, plies, ply);
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
