// Which games have moves that follow each other, and where.
#include "fs/search/played_pattern.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/san.h"
#include "codec/scid/main_line.h"
#include "codec/scid/sequence_seek.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::CastlingRule;
using codec::Move;
using codec::MoveKind;
using codec::Position;
using codec::scid::RecordHead;
using tests::Random;
using tests::ScidEncoder;

std::optional<std::uint32_t> end_of_played(std::string_view moves, const std::string& record,
                                           CastlingRule castling = CastlingRule::Standard) {
  const absl::StatusOr<PlayedPattern> pattern = PlayedPattern::parse(moves);
  EXPECT_TRUE(pattern.ok()) << pattern.status();
  if (!pattern.ok()) return std::nullopt;
  return codec::scid::SequenceSeeker(pattern->moves(), castling).seek(tests::as_bytes(record));
}

TEST(PlayedPatternTest, FindsMovesThatFollowEachOther) {
  struct Example {
    std::string_view moves;
    std::optional<std::uint32_t> end;
  };
  const std::string record = ScidEncoder()
                                 .moves(
                                     "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 Bxf7 Kxf7 Nxe5 Nxe5 d4 Bxd4 "
                                     "Qxd4 d6 f4 Nc6 Qd1 Nxe4 f5 -- f6 Ke6 fxg7 h6 gxh8=Q")
                                 .record();
  const std::vector<Example> examples = {
      {"e4", 1},
      {"Bxf7,Kxf7,Nxe5", 11},
      {"Bxf7+,Kxf7,Nxe5+", 11},
      {"Kxf7,Bxf7", std::nullopt},
      {"Bf7,Kxf7", std::nullopt},  // it is a capture
      {"Nf3,..,Nxe5", 11},
      {"Nf3,..,Nf3", std::nullopt},
      {"Nc6,Bc4", 5},
      {"Nc6,Qd1", 19},  // the second time
      {"O-O", 7},
      {"0-0,Nf6", 8},
      {"O-O-O", std::nullopt},
      {"Kg1", std::nullopt},
      {"xf7,xf7", 10},
      {"xe5,xe5,..,xd4,xd4", 15},
      {"xe5,..,xe5,..,xe5", std::nullopt},
      {"Nfxe5", 11},
      {"N3xe5", 11},
      {"Ngxe5", std::nullopt},
      {"Nc6xe5", 12},
      {"fxg7", 25},
      {"hxg7", std::nullopt},
      {"gxh8=Q", 27},
      {"gxh8Q", 27},
      {"gxh8", 27},
      {"gxh8=N", std::nullopt},
      {"xh8", 27},
      {"--", 22},
      {"f5,--,f6", 23},
      {"e4,..,e5", 2},
      {"e4,..,gxh8=Q", 27},
  };
  for (const auto& [moves, end] : examples) EXPECT_EQ(end_of_played(moves, record), end) << moves;
}

TEST(PlayedPatternTest, FollowsOnlyTheMainLine) {
  const std::string record = ScidEncoder()
                                 .moves("e4 e5")
                                 .begin_variation()
                                 .moves("c5 Nf3")
                                 .end_variation()
                                 .moves("d4")
                                 .record();
  EXPECT_EQ(end_of_played("e5,d4", record), 3);
  EXPECT_EQ(end_of_played("c5", record), std::nullopt);
  EXPECT_EQ(end_of_played("Nf3", record), std::nullopt);
}

TEST(PlayedPatternTest, FindsCastlingOfChess960) {
  const std::string record =
      ScidEncoder("bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgd - 0 1", CastlingRule::Chess960)
          .moves("O-O a6")
          .record();
  EXPECT_EQ(end_of_played("O-O,a6", record, CastlingRule::Chess960), 2);
  EXPECT_EQ(end_of_played("O-O-O", record, CastlingRule::Chess960), std::nullopt);
}

// A SAN without what tells departures apart: "Nbd2" is "Nd2", a pawn's capture "exd5" remains.
std::string shortest(std::string san) {
  san.resize(san.find_last_not_of("+#") + 1);
  if (san.find_first_of("NBRQ") != 0) return san;
  const std::string end =
      san.substr(san.find('x') != std::string::npos ? san.find('x') : san.size() - 2);
  return san.front() + end;
}

// Where the texts `wanted` first end in `moves`, ".." standing for any moves.
bool begins_with(const std::vector<std::string>& wanted, std::size_t first,
                 const std::vector<std::string>& moves, std::size_t at, std::size_t end) {
  if (first == wanted.size()) return at == end;
  if (wanted[first] == "..") {
    for (std::size_t next = at; next < end; ++next) {
      if (begins_with(wanted, first + 1, moves, next, end)) return true;
    }
    return false;
  }
  return at < end && moves[at] == wanted[first] &&
         begins_with(wanted, first + 1, moves, at + 1, end);
}
std::optional<std::uint32_t> end_in_texts(const std::vector<std::string>& wanted,
                                          const std::vector<std::string>& moves) {
  for (std::size_t end = 1; end <= moves.size(); ++end) {
    for (std::size_t first = 0; first < end; ++first) {
      if (begins_with(wanted, 0, moves, first, end)) return static_cast<std::uint32_t>(end);
    }
  }
  return std::nullopt;
}

// The moves of the main line that the walk shows, in whole and in damaged games.
std::vector<std::string> texts_of(Bytes bytes, const RecordHead& head) {
  struct Look {
    void start(const Position& position) { before = position; }
    void move(const Position& after, const Move& move) {
      texts.push_back(shortest(move.kind == MoveKind::Null ? "--" : codec::to_san(before, move)));
      before = after;
    }
    Position before;
    std::vector<std::string> texts;
  };
  Look look;
  codec::scid::Walker walker;
  walk_main_line(walker, bytes, bytes, head, look);
  return look.texts;
}

TEST(PlayedPatternTest, AgreesWithTextsOfMoves) {
  Random random(1);
  std::size_t found = 0;
  std::size_t missed = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string record =
        tests::random_game(random, {.plies = 1 + random.below(50),
                                    .annotated = random.one_in(3),
                                    .fen = random.one_in(2) ? "" : tests::random_fen(random)})
            .record();
    const std::string whole = record;
    if (random.one_in(4)) tests::flip_bit(record, random);
    std::vector<codec::scid::ExtraTag> tags;
    RecordHead head;
    RecordHead whole_head;
    if (codec::scid::parse_record_head(tests::as_bytes(record), tags, head).has_value()) continue;
    ASSERT_FALSE(
        codec::scid::parse_record_head(tests::as_bytes(whole), tags, whole_head).has_value());
    const std::vector<std::string> moves = texts_of(tests::as_bytes(record), head);
    // Those of the whole game may come after the damage.
    const std::vector<std::string> candidates = texts_of(tests::as_bytes(whole), whole_head);
    for (int round = 0; round < 4 && !candidates.empty(); ++round) {
      std::vector<std::string> wanted;
      std::string pattern;
      std::size_t at = random.below(candidates.size());
      for (std::size_t steps = 1 + random.below(4); steps > 0 && at < candidates.size(); --steps) {
        if (!wanted.empty() && random.one_in(3)) {
          wanted.emplace_back("..");
          at += random.below(5);
          if (random.one_in(4)) at = random.below(candidates.size());
          if (at >= candidates.size()) at = candidates.size() - 1;
        }
        wanted.push_back(candidates[at++]);
      }
      for (const std::string& text : wanted) pattern += (pattern.empty() ? "" : ",") + text;
      const std::optional<std::uint32_t> end = end_in_texts(wanted, moves);
      EXPECT_EQ(end_of_played(pattern, record), end) << pattern;
      ++(end.has_value() ? found : missed);
    }
  }
  EXPECT_GT(found, 2000U);
  EXPECT_GT(missed, 200U);
}

}  // namespace
}  // namespace scidfs::fs
