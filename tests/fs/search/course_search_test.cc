// Compares balance=, bishops=, castled= and mate= with the positions and moves that fens/ shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/movegen.h"
#include "tests/fs/search/moves_of_games.h"

namespace scidfs::fs {
namespace {

using HoldsInGame = std::function<bool(const Plies&)>;

// A facet and its answer.
struct Asked {
  std::string facet;
  HoldsInGame holds;
};

template <class IsMet>
HoldsInGame two_on_end(const IsMet& is_met) {
  return [=](const Plies& plies) {
    return std::ranges::adjacent_find(plies, [&](const Ply& a, const Ply& b) {
             return is_met(a.fen) && is_met(b.fen);
           }) != plies.end();
  };
}

int balance_of(std::string_view fen) {
  constexpr std::string_view kMen = "PNBRQpnbrq";
  constexpr std::array<int, 10> kValues = {1, 3, 3, 5, 9, -1, -3, -3, -5, -9};
  int balance = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (kMen.find(c) != kMen.npos) balance += kValues[kMen.find(c)];
  }
  return balance;
}

// The squares of the bishops, from a8 on; nothing if a side has not one.
std::vector<std::size_t> single_bishops(std::string_view fen) {
  std::vector<std::size_t> white;
  std::vector<std::size_t> black;
  std::size_t square = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == 'B') white.push_back(square);
    if (c == 'b') black.push_back(square);
    if (c != '/') square += c >= '1' && c <= '8' ? static_cast<std::size_t>(c - '0') : 1;
  }
  if (white.size() != 1 || black.size() != 1) return {};
  return {white[0], black[0]};
}

// The first castling of a side, "" if there is none.
std::string castling_of(const Plies& plies, std::string_view side) {
  for (const Ply& ply : plies) {
    const bool is_mover = ply.fen.substr(ply.fen.find(' ') + 1, 1) == side;
    if (is_mover && ply.move.starts_with("O-O")) return ply.move;
  }
  return "";
}

HoldsInGame castles(const std::string& side, const std::string& wanted) {
  return [=](const Plies& plies) {
    return castling_of(plies, side) == wanted && (plies.is_whole || !wanted.empty());
  };
}

HoldsInGame both_castle(bool are_same) {
  return [=](const Plies& plies) {
    const std::string white = castling_of(plies, "w");
    const std::string black = castling_of(plies, "b");
    return !white.empty() && !black.empty() && (white == black) == are_same;
  };
}

// Games that end with mate by one of the men, or, by "=", with stalemate.
HoldsInGame ends(const std::string& men) {
  return [=](const Plies& plies) {
    if (!plies.is_whole) return false;
    const codec::Position last = codec::Position::from_fen(plies.back().fen).value();
    if (!codec::legal_moves(last).empty()) return false;
    if (!last.in_check(last.side_to_move())) return men.find('=') != men.npos;
    if (plies.size() == 1) return false;
    const char first = plies[plies.size() - 2].move.front();
    const char man = first == 'O' ? 'K' : first >= 'a' && first <= 'h' ? 'P' : first;
    return men.find(man) != men.npos;
  };
}

std::vector<Asked> all_asked() {
  const auto within = [](int least, int most) {
    return two_on_end(
        [=](std::string_view fen) { return balance_of(fen) >= least && balance_of(fen) <= most; });
  };
  const auto bishops = [](bool are_same) {
    return two_on_end([=](std::string_view fen) {
      const std::vector<std::size_t> at = single_bishops(fen);
      if (at.empty()) return false;
      const auto is_light = [](std::size_t square) { return (square / 8 + square) % 2 == 0; };
      return (is_light(at[0]) == is_light(at[1])) == are_same;
    });
  };
  const auto any_of = [](const std::vector<HoldsInGame>& all) {
    return [=](const Plies& plies) {
      return std::ranges::any_of(all, [&](const HoldsInGame& holds) { return holds(plies); });
    };
  };
  return {
      {"balance=3", within(3, 3)},
      {"balance=to-9", within(-1000, -9)},
      {"balance=12..", within(12, 1000)},
      {"balance=-2..2", within(-2, 2)},
      {"balance=-5..-4,7", any_of({within(-5, -4), within(7, 7)})},
      {"bishops=opposite", bishops(false)},
      {"bishops=same", bishops(true)},
      {"bishops=same,opposite", any_of({bishops(true), bishops(false)})},
      {"white_castled=short", castles("w", "O-O")},
      {"white_castled=long", castles("w", "O-O-O")},
      {"white_castled=no", castles("w", "")},
      {"black_castled=short", castles("b", "O-O")},
      {"black_castled=long,no", any_of({castles("b", "O-O-O"), castles("b", "")})},
      {"castled=opposite", both_castle(false)},
      {"castled=same", both_castle(true)},
      {"mate=Q", ends("Q")},
      {"mate=R", ends("R")},
      {"mate=P", ends("P")},
      {"mate=K,B,N", ends("KBN")},
      {"mate=stalemate", ends("=")},
      {"mate=Q,stalemate", ends("Q=")},
  };
}

// Games with castling, mates and stalemates; of every fourth the index is wrong.
tests::ScidFiles eventful_files(tests::Random& random, std::size_t games) {
  tests::ScidFilesBuilder builder;
  for (std::size_t game = 0; game < games; ++game) {
    tests::RandomGameOptions options{
        .plies = random.below(150), .annotated = random.one_in(3), .eventful = true};
    if (random.one_in(3)) {
      options.fen = tests::example_fens()[random.below(tests::example_fens().size())];
    }
    std::string record = tests::random_game(random, options).record();
    codec::scid::IndexEntry entry;
    if (!random.one_in(4)) {
      const auto facts = tests::facts_of_record(tests::as_bytes(record));
      if (facts.has_value()) entry = tests::entry_of_facts(*facts);
    }
    if (random.one_in(10)) record[random.below(record.size())] = static_cast<char>(random.next());
    builder.game(entry, record);
  }
  return builder.files();
}

class CourseSearchTest : public DatabaseTest {};

TEST_F(CourseSearchTest, AgreesWithPositionsAndMovesOfGames) {
  tests::Random random(7);
  const tests::ScidFiles files = eventful_files(random, 1500);
  const Shared database = open(files);
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  for (const bool is_measured : {false, true}) {
    if (is_measured) {
      ASSERT_NO_FATAL_FAILURE(verify_signatures(*database));
    }
    for (const auto& [facet, holds] : all_asked()) {
      const std::vector<GameIndex> expected = games_where(all, holds);
      EXPECT_EQ(find(database, facet), expected) << facet;
      EXPECT_GT(expected.size(), 5U) << facet;
      EXPECT_LT(expected.size(), all.size() - 5) << facet;
      expect_negated(database, all, facet);
    }
  }
}

// A game whose balance goes from one range of a list into the next one at each move is in none.
TEST_F(CourseSearchTest, BalanceStaysInOneRangeOfAList) {
  const Shared database = open(tests::read_scid_files(tests::test_data("scid4/promotions")));
  const std::vector<GameIndex> high = find(database, "balance=4..8");
  const std::vector<GameIndex> low = find(database, "balance=-1..3");
  std::vector<GameIndex> either;
  std::ranges::set_union(high, low, std::back_inserter(either));
  EXPECT_EQ(find(database, "balance=4..8,-1..3"), either);
  EXPECT_LT(either.size(), find(database, "balance=-1..8").size());
}

}  // namespace
}  // namespace scidfs::fs
