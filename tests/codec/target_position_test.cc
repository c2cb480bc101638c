// Names of positions, and how positions are compared.
#include "codec/target_position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/san.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

using testing::HasSubstr;

constexpr std::string_view kStartName = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w";

std::string canonical(std::string_view name) {
  const absl::StatusOr<TargetPosition> target = parse_position_name(name);
  return target.ok() ? position_name(*target)
                     : "refused: " + std::string(target.status().message());
}

TargetPosition target_of(std::string_view name) { return parse_position_name(name).value(); }
Position position_of(std::string_view fen, CastlingRule rule = CastlingRule::Standard) {
  return Position::from_fen(fen, rule).value();
}

TEST(PositionNameTest, EquivalentNamesHaveOneCanonicalForm) {
  const std::vector<std::pair<std::string_view, std::string_view>> examples = {
      {kStartName, kStartName},
      {"4k3-8-8-8-8-8-8-4K2R_b", "4k3-8-8-8-8-8-8-4K2R_b"},
      {"4k3-8-8-8-8-8-8-4K2R_W", "4k3-8-8-8-8-8-8-4K2R_w"},
      {"4k3-44-8-8-8-8-8-4K11R_w", "4k3-8-8-8-8-8-8-4K2R_w"},
      {"4k3-8-8-8-8-8-8-4K2R_w_K_-", "4k3-8-8-8-8-8-8-4K2R_w_K_-"},
      {"4k3-8-8-8-8-8-8-4K2R_w_K_-_12", "4k3-8-8-8-8-8-8-4K2R_w_K_-"},
      {"4k3-8-8-8-8-8-8-4K2R_w_K_-_12_40", "4k3-8-8-8-8-8-8-4K2R_w_K_-"},
      {"4k3-8-8-8-8-8-8-4K2R_w_-_-", "4k3-8-8-8-8-8-8-4K2R_w_-_-"},
      // A right that the board does not allow.
      {"4k3-8-8-8-8-8-8-4K2R_w_KQkq_-", "4k3-8-8-8-8-8-8-4K2R_w_K_-"},
      // Rights of Chess960: of the outermost rook, or by its file.
      {"4k3-8-8-8-8-8-8-1R2K1RR_w_HB_-", "4k3-8-8-8-8-8-8-1R2K1RR_w_KQ_-"},
      {"4k3-8-8-8-8-8-8-1R2K1RR_w_GB_-", "4k3-8-8-8-8-8-8-1R2K1RR_w_GQ_-"},
      // En passant where a pawn can capture.
      {"4k3-8-8-3pP3-8-8-8-4K3_w_-_d6", "4k3-8-8-3pP3-8-8-8-4K3_w_-_d6"},
      // Not without a pawn beside it,
      {"4k3-8-8-3p4-8-8-8-4K3_w_-_d6", "4k3-8-8-3p4-8-8-8-4K3_w_-_-"},
      // nor where the king would be in check,
      {"4r1k1-8-8-3pP3-8-8-8-4K3_w_-_d6", "4r1k1-8-8-3pP3-8-8-8-4K3_w_-_-"},
      {"4k3-8-8-K2pP2r-8-8-8-8_w_-_d6", "4k3-8-8-K2pP2r-8-8-8-8_w_-_-"},
      // nor without a pawn to capture.
      {"4k3-8-8-4P3-8-8-8-4K3_w_-_d6", "4k3-8-8-4P3-8-8-8-4K3_w_-_-"},
  };
  for (const auto& [name, expected] : examples) {
    EXPECT_EQ(canonical(name), expected) << name;
    EXPECT_EQ(canonical(expected), expected);
  }
}

TEST(PositionNameTest, RefusesInvalidNamesWithReason) {
  constexpr std::string_view kFields = "a FEN has two fields here, or four to six";
  const std::vector<std::pair<std::string, std::string_view>> examples = {
      {"", kFields},
      {"e4", kFields},
      {"rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR", kFields},
      {std::string(kStartName) + "_KQkq", kFields},
      {std::string(kStartName) + "_KQkq_-_0_1_2", kFields},
      {std::string(kStartName) + "_", kFields},
      {"_" + std::string(kStartName), kFields},
      {"4k3-8-8-8-8-8-8-4K3__w_-", kFields},
      {"4k3-8-8-8-8-8-8-4K3 w", kFields},
      {"4k3-8-8-8-8-8-8-4K3\tw_-", kFields},
      {"4k3-8-8-8-8-8-8-4K3_x", "neither w nor b"},
      {"4k3-8-8-8-8-8-4K3_w", "bad FEN"},
      {"8-8-8-8-8-8-8-4K3_w", "bad FEN"},
  };
  for (const auto& [name, reason] : examples) {
    EXPECT_THAT(canonical(name), HasSubstr(reason)) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(parse_position_name(name).status())) << name;
  }
}

TEST(PositionNameTest, NamesOfRandomPositionsSurviveRoundTrip) {
  tests::Random random(5);
  for (int i = 0; i < 500; ++i) {
    const Position position = position_of(tests::random_fen(random));
    for (const bool with_rights : {false, true}) {
      const std::string name = position_name({.position = position, .with_rights = with_rights});
      EXPECT_EQ(canonical(name), name);
      EXPECT_TRUE(target_of(name).is_met_by(position)) << name;
      EXPECT_EQ(target_of(name).with_rights, with_rights);
    }
  }
}

TEST(TargetPositionTest, ComparesOnlyBoardAndSideWithoutRights) {
  const TargetPosition target = target_of(kStartName);
  EXPECT_TRUE(target.is_met_by(Position()));
  EXPECT_TRUE(
      target.is_met_by(position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 30 40")));
  EXPECT_FALSE(
      target.is_met_by(position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1")));
  EXPECT_FALSE(
      target.is_met_by(position_of("rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1")));
}

TEST(TargetPositionTest, ComparesRightsIfNamed) {
  const TargetPosition target = target_of("r3k3-8-8-3pP3-8-8-8-4K2R_w_Kq_d6");
  EXPECT_TRUE(target.is_met_by(position_of("r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 7 9")));
  EXPECT_FALSE(target.is_met_by(position_of("r3k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1")));
  EXPECT_FALSE(target.is_met_by(position_of("r3k3/8/8/3pP3/8/8/8/4K2R w Kq - 0 1")));
  // A double push does not count if no pawn can capture.
  const TargetPosition quiet = target_of("4k3-8-8-8-4P3-8-8-4K3_b_-_-");
  EXPECT_TRUE(quiet.is_met_by(position_of("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")));
}

std::string san_of(const TargetPosition& target, std::string_view text) {
  const std::optional<Move> move = target.parse_move(text);
  return move.has_value() ? to_san(target.position, *move) : "";
}

TEST(TargetPositionTest, WithoutRightsParsesAnyMoveThatTheBoardAllows) {
  const TargetPosition any = target_of("r3k3-8-8-2PpP3-8-8-8-4K2R_w");
  const TargetPosition none = target_of("r3k3-8-8-2PpP3-8-8-8-4K2R_w_-_-");
  EXPECT_EQ(san_of(any, "0-0"), "O-O");
  EXPECT_EQ(san_of(none, "O-O"), "");
  EXPECT_EQ(san_of(any, "exd6"), "exd6");
  EXPECT_EQ(san_of(any, "cd6"), "cxd6");
  EXPECT_EQ(san_of(any, "e5d6"), "exd6");
  EXPECT_EQ(any.parse_move("exd6")->kind, MoveKind::EnPassant);
  EXPECT_EQ(san_of(none, "exd6"), "");
  EXPECT_EQ(san_of(any, "d6"), "");
  // No pawn to capture, or no pawn that has advanced two squares.
  EXPECT_EQ(san_of(any, "exf6"), "");
  EXPECT_EQ(san_of(target_of("4k3-8-3n4-3pP3-8-8-8-4K3_w"), "exd6"), "exd6");
  EXPECT_EQ(target_of("4k3-8-3n4-3pP3-8-8-8-4K3_w").parse_move("exd6")->kind, MoveKind::Normal);
  // Black's.
  EXPECT_EQ(san_of(target_of("4k3-8-8-8-3pP3-8-8-4K3_b"), "dxe3"), "dxe3");
  EXPECT_EQ(san_of(target_of("r3k3-8-8-8-8-8-8-4K3_b"), "O-O-O"), "O-O-O");
}

TEST(TargetPositionTest, FollowsMoves) {
  const TargetPosition start = target_of(kStartName);
  const TargetPosition after = start.after(*start.parse_move("e2e4"));
  EXPECT_EQ(position_name(after), "rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b");
  // The king has moved and returned: this counts with rights.
  for (const bool with_rights : {false, true}) {
    TargetPosition target =
        target_of(with_rights ? "4k3-8-8-8-8-8-8-4K2R_w_K_-" : "4k3-8-8-8-8-8-8-4K2R_w");
    for (const char* san : {"Ke2", "Ke7", "Ke1", "Ke8"})
      target = target.after(*target.parse_move(san));
    EXPECT_EQ(san_of(target, "O-O"), with_rights ? "" : "O-O");
    EXPECT_EQ(position_name(target),
              with_rights ? "4k3-8-8-8-8-8-8-4K2R_w_-_-" : "4k3-8-8-8-8-8-8-4K2R_w");
  }
}

}  // namespace
}  // namespace scidfs::codec
