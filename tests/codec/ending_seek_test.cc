// Which endings games come to, and when.
#include "codec/scid/ending_seek.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/main_line.h"
#include "tests/support/endings_of_boards.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;

std::string placement_of(const Position& position) {
  const std::string fen = position.fen();
  return fen.substr(0, fen.find(' '));
}

// "rook 10, pawn 3": each ending with the plies from there on, in the order of the game.
std::string endings(const std::string& record, bool is_whole = true) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  if (parse_record_head(tests::as_bytes(record), tags, head).has_value()) return "no game";
  EndingSeeker seeker;
  std::string text;
  for (const auto& [ending, plies] : seeker.seek(tests::as_bytes(record), head, is_whole)) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kEndingClasses.at(ending).name, plies);
  }
  return text;
}
std::string endings_after(std::string_view fen, std::string_view moves) {
  return endings(ScidEncoder(fen).moves(moves).record());
}

// The FEN of a position of a class: kings on e1 and e8, pieces on the third and the sixth rank.
std::string example_of(const EndingClass& ending, bool are_swapped) {
  std::array<std::string, 8> ranks;  // from the eighth on
  ranks.fill("........");
  ranks[0][4] = 'k';
  ranks[7][4] = 'K';
  if (ending.has_pawns) ranks[6][0] = 'P';
  // Squares above each other, three ranks apart, differ in color.
  const std::size_t step = ending.bishops == EndingClass::Bishops::OfOneColor ? 1 : 0;
  std::string black(ending.pieces[are_swapped ? 0 : 1]);
  std::ranges::transform(black, black.begin(),
                         [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  const std::string_view white = ending.pieces[are_swapped ? 1 : 0];
  ranks[5].replace(2, white.size(), white);
  ranks[2].replace(2 + step, black.size(), black);
  std::string fen;
  for (const std::string& rank : ranks) {
    for (const char c : rank) fen += c == '.' ? '1' : c;
    fen += &rank == &ranks.back() ? " w - - 0 1" : "/";
  }
  return fen;
}

TEST(EndingSeekerTest, FindsPositionsOfAllClasses) {
  for (const EndingClass& ending : kEndingClasses) {
    for (const bool are_swapped : {false, true}) {
      const std::string record =
          ScidEncoder(example_of(ending, are_swapped)).moves("Kf1 Kf8").record();
      const std::string wanted = fmt::format("{} 2", ending.name);
      EXPECT_EQ(endings(record, true), wanted);
      EXPECT_EQ(endings(record, false), wanted);
      const std::string fen = example_of(ending, are_swapped);
      EXPECT_EQ(tests::ending_of_board(fen.substr(0, fen.find(' '))), ending.name);
    }
  }
}

TEST(EndingClassesTest, NamesDiffer) {
  for (const EndingClass& ending : kEndingClasses) {
    EXPECT_EQ(std::ranges::count(kEndingClasses, ending.name, &EndingClass::name), 1)
        << ending.name;
  }
}

TEST(EndingSeekerTest, TakesTwoPositions) {
  // After the first move there is no black knight, after the second no white bishop.
  constexpr std::string_view kFen = "r5k1/8/8/2p5/3n4/8/8/R3K1B1 w - - 0 1";
  EXPECT_EQ(endings_after(kFen, ""), "");
  EXPECT_EQ(endings_after(kFen, "Bxd4"), "");
  EXPECT_EQ(endings_after(kFen, "Bxd4 cxd4"), "");
  EXPECT_EQ(endings_after(kFen, "Bxd4 cxd4 Kd2"), "rook 1");
  EXPECT_EQ(endings_after(kFen, "Bxd4 cxd4 Kd2 Kf7"), "rook 2");
  EXPECT_EQ(endings_after(kFen, "Kd2 Kf7 Bxd4 cxd4 Kd3 Ke7"),
            "rook-bishop-v-rook-knight 6, rook 2");
  // The class outlasts a pawn, but not the last one.
  EXPECT_EQ(endings_after("4k3/r5pp/8/8/8/8/8/4K2R w - - 0 1", "Rxh7"), "rook 1");
  EXPECT_EQ(endings_after("4k3/r6p/8/8/8/8/8/4K2R w - - 0 1", "Rxh7"), "");
  EXPECT_EQ(endings_after("4k3/r6p/8/8/8/8/8/4K2R w - - 0 1", "Rxh7 Kf8"), "pawnless-rook 1");
}

TEST(EndingSeekerTest, CountsPromotedPieces) {
  constexpr std::string_view kFen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
  EXPECT_EQ(endings_after(kFen, "a8=Q Kg7 Kb2"), "queen-v-king 2");
  EXPECT_EQ(endings_after(kFen, "Kb1 Kg7 a8=Q Kf7"), "pawn 4, queen-v-king 1");
  EXPECT_EQ(endings_after(kFen, "a8=R Kg7"), "rook-v-king 1");
  EXPECT_EQ(endings_after(kFen, "a8=N Kg7"), "");
  EXPECT_EQ(endings_after("8/P6k/7p/8/8/5b2/8/K7 w - - 0 1", "a8=B Kg7 Kb2"), "bishop-one-color 2");
  EXPECT_EQ(endings_after("8/P6k/7p/8/8/4b3/8/K7 w - - 0 1", "a8=B Kg7 Kb2"),
            "bishop-opposite-colors 2");
}

TEST(EndingSeekerTest, FollowsOnlyTheMainLine) {
  constexpr std::string_view kFen = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1";
  EXPECT_EQ(endings_after(kFen, "-- --"), "pawn 2");
  EXPECT_EQ(endings(ScidEncoder("4k3/3rp3/8/8/8/8/4P3/3RK3 w - - 0 1")
                        .moves("Rd2 e6")
                        .begin_variation()
                        .moves("Rxd2 Kxd2 Kd7")
                        .end_variation()
                        .comment("so")
                        .moves("e3")
                        .record()),
            "rook 3");
}

// What is found is what boards of the walk have, in whole and in damaged games.
TEST(EndingSeekerTest, AgreesWithBoardsOfTheWalk) {
  Random random(1);
  Walker walker;
  EndingSeeker seeker;
  std::size_t found = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string record =
        tests::random_game(random, {.plies = random.below(60),
                                    .annotated = random.one_in(3),
                                    .fen = tests::random_fen(random, random.below(5))})
            .record();
    const bool is_damaged = random.one_in(4);
    if (is_damaged) tests::flip_bit(record, random);
    std::vector<ExtraTag> tags;
    RecordHead head;
    const Bytes bytes = tests::as_bytes(record);
    if (parse_record_head(bytes, tags, head).has_value()) continue;
    std::vector<std::string> boards;
    walk_positions(walker, bytes, bytes, head, [&](std::uint32_t, const Position& position) {
      boards.push_back(placement_of(position));
    });
    const tests::Endings wanted = tests::endings_of_boards(boards);
    for (const bool is_whole : {false, true}) {
      if (is_whole && is_damaged) continue;
      tests::Endings reached;
      for (const auto& [ending, plies] : seeker.seek(bytes, head, is_whole)) {
        reached.emplace(kEndingClasses.at(ending).name, plies);
      }
      EXPECT_EQ(reached, wanted) << i;
    }
    found += wanted.size();
  }
  EXPECT_GT(found, 500U);
}

}  // namespace
}  // namespace scidfs::codec::scid
