#include "fs/positions/target_boards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "codec/scid/facts.h"
#include "codec/scid/index_signature.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "fs/positions/target_hits.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::PieceType;
using codec::Position;
using codec::TargetPosition;

codec::Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

codec::scid::RecordHead head_of(codec::Bytes record) {
  std::vector<codec::scid::ExtraTag> tags;
  codec::scid::RecordHead head;
  EXPECT_FALSE(parse_record_head(record, tags, head).has_value());
  return head;
}

// All positions of a few random games.
std::vector<TargetPosition> random_targets(std::uint64_t seed) {
  tests::Random random(seed);
  std::vector<TargetPosition> targets;
  for (int game = 0; game < 30; ++game) {
    Position position;
    if (random.one_in(5)) {
      position = Position::from_fen(tests::random_fen(random)).value_or(Position());
    }
    for (int ply = 0; ply < 20; ++ply) {
      if (random.one_in(3)) targets.push_back({.position = position});
      position.make(tests::random_move(position, random));
    }
  }
  return targets;
}

TEST(TargetBoards, IsEmptyWithoutTargets) {
  const TargetBoards boards({});
  EXPECT_EQ(boards.size(), 0U);
  EXPECT_EQ(boards.find({}, Color::White), TargetBoards::kNone);
  EXPECT_FALSE(boards.may_come(kAllHome, 32));
}

TEST(TargetBoards, KnowsWhetherTargetsCanStillOccur) {
  const std::vector<TargetPosition> targets = random_targets(1);
  const TargetBoards boards(targets);
  struct Needs {
    std::string home;  // files of pawns at home
    int men = 0;
  };
  const auto home_of = [](const Position& position) {
    std::string home;
    for (int i = 0; i < 16; ++i) {
      const Color color = i < 8 ? Color::White : Color::Black;
      const codec::Piece wanted(PieceType::Pawn, color);
      const codec::Square square = codec::make_square(i % 8, i < 8 ? 1 : 6);
      home += position.piece_at(square) == wanted ? '1' : '0';
    }
    return home;
  };
  std::vector<Needs> needs;
  for (const TargetPosition& target : targets) {
    needs.push_back({home_of(target.position), std::popcount(target.position.occupied())});
    std::string bits;
    for (int i = 0; i < 16; ++i) bits += (home_pawns_of(target.position) >> i & 1) != 0 ? '1' : '0';
    EXPECT_EQ(bits, needs.back().home);
  }
  tests::Random random(2);
  int yes = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto home = static_cast<HomePawns>(random.next() | random.next());
    const int men = static_cast<int>(random.below(33));
    const bool may = std::ranges::any_of(needs, [&](const Needs& target) {
      if (target.men > men) return false;
      for (int pawn = 0; pawn < 16; ++pawn) {
        if (target.home[static_cast<std::size_t>(pawn)] == '1' && (home >> pawn & 1) == 0) {
          return false;
        }
      }
      return true;
    });
    EXPECT_EQ(boards.may_come(home, static_cast<unsigned>(men)), may);
    yes += may ? 1 : 0;
  }
  EXPECT_GT(yes, 1000);
  EXPECT_LT(yes, 19000);
}

// The main line of a game without notes.
struct TargetLine {
  std::vector<Position> positions;
  std::vector<codec::Move> moves;
  void start(const Position& position) { positions.push_back(position); }
  template <Color>
  void move(const Position& after, const codec::Move& move) {
    positions.push_back(after);
    moves.push_back(move);
  }
  static std::string_view nag(std::uint8_t) { return {}; }
  static std::string_view comment() { return {}; }
  static void begin_variation(const Position&) {}
  static void end_variation(const Position&) {}
  static void end(const Position&) {}
};

// Where each of many random games reaches each of many boards.
TEST(TargetHits, AgreeWithWalk) {
  tests::Random random(3);
  std::vector<std::string> records;
  for (int game = 0; game < 60; ++game) {
    tests::ScidEncoder encoder =
        random.one_in(3) ? tests::ScidEncoder(tests::random_fen(random)) : tests::ScidEncoder();
    for (std::size_t plies = 20 + random.below(60); plies > 0; --plies) {
      encoder.move(tests::random_move(encoder.position(), random));
    }
    records.push_back(encoder.record());
  }
  std::vector<TargetLine> lines;
  codec::scid::Walker walker;
  for (const std::string& record : records) {
    walker.walk(bytes_of(record), head_of(bytes_of(record)), lines.emplace_back());
  }
  // Few targets, so that games are abandoned early.
  for (int round = 0; round < 200; ++round) {
    std::vector<TargetPosition> targets;
    for (std::size_t i = random.below(4) + 1; i > 0; --i) {
      const TargetLine& line = lines[random.below(lines.size())];
      targets.push_back({.position = line.positions[random.below(line.positions.size())]});
    }
    const TargetBoards boards(targets);
    const std::vector<unsigned> plies(boards.size(), 3);
    TargetHits first(boards, plies, TargetHits::Which::First);
    TargetHits all(boards, plies, TargetHits::Which::All);
    for (GameIndex game = 0; game < records.size(); ++game) {
      const codec::Bytes record = bytes_of(records[game]);
      const TargetLine& line = lines[game];
      std::vector<std::uint32_t> wanted_first, wanted_all;
      for (std::uint32_t ply = 0; ply < line.positions.size(); ++ply) {
        const auto meets = [&](const TargetPosition& target) {
          return target.is_met_by(line.positions[ply]);
        };
        const auto target = std::ranges::find_if(targets, meets);
        if (target == targets.end()) continue;
        wanted_all.push_back(ply);
        const auto same = std::ranges::find_if(wanted_first, [&](std::uint32_t other) {
          return target->is_met_by(line.positions[other]);
        });
        if (same == wanted_first.end()) wanted_first.push_back(ply);
      }
      for (const auto& [finder, wanted] : {std::pair(&first, &wanted_first), {&all, &wanted_all}}) {
        const auto hits = finder->find(game, record, head_of(record));
        ASSERT_EQ(hits.size(), wanted->size());
        for (std::size_t i = 0; i < hits.size(); ++i) {
          EXPECT_EQ(hits[i].ply, (*wanted)[i]);
          const bool goes_on = hits[i].ply < line.moves.size();
          ASSERT_EQ(hits[i].next.has_value(), goes_on);
          if (goes_on) {
            EXPECT_EQ(*hits[i].next, line.moves[hits[i].ply]);
          }
          boards.for_each_target(hits[i].board, [&](std::uint32_t target) {
            EXPECT_TRUE(targets[target].is_met_by(line.positions[hits[i].ply]));
          });
        }
        if (hits.empty()) continue;
        TargetLine part;
        walker.walk(finder->wanted_part(), head_of(record), part);
        EXPECT_EQ(part.moves.size(), std::min<std::size_t>(hits.back().ply + 3, line.moves.size()));
      }
    }
  }
}

codec::scid::IndexSignature signature_of_record(codec::Bytes record) {
  return signature_of(tests::entry_of_facts(tests::facts_of_record(record).value()));
}

// No game that comes to a board does so after the place that its signature tells.
TEST(TargetHits, AreBeforeTheLastPlace) {
  tests::Random random(4);
  std::vector<std::string> records;
  std::vector<TargetPosition> positions;
  for (int game = 0; game < 200; ++game) {
    tests::ScidEncoder encoder;
    for (std::size_t plies = random.below(random.one_in(4) ? 300 : 40); plies > 0; --plies) {
      encoder.move(tests::random_move(encoder.position(), random));
      if (random.one_in(10)) positions.push_back({.position = encoder.position()});
    }
    records.push_back(encoder.record());
  }
  std::size_t found = 0;
  std::size_t left_out = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<TargetPosition> targets;
    for (std::size_t i = random.below(6) + 1; i > 0; --i) {
      targets.push_back(positions[random.below(positions.size())]);
    }
    const TargetBoards boards(targets);
    const std::vector<unsigned> plies(boards.size(), 1);
    TargetHits all(boards, plies, TargetHits::Which::All);
    TargetHits some(boards, plies, TargetHits::Which::All);
    for (GameIndex game = 0; game < records.size(); ++game) {
      const codec::Bytes record = bytes_of(records[game]);
      const auto hits = all.find(game, record, head_of(record));
      found += hits.size();
      const auto last = boards.last_place(signature_of_record(record));
      if (!last.has_value()) {
        ++left_out;
        EXPECT_EQ(hits.size(), 0U);
        continue;
      }
      const auto before = some.find(game, record, head_of(record), *last);
      EXPECT_TRUE(
          std::ranges::equal(hits, before, {}, &TargetHits::Hit::ply, &TargetHits::Hit::ply));
    }
  }
  EXPECT_GT(found, 100U);
  EXPECT_GT(left_out, 5000U);
}

TEST(TargetHits, FindPawnThatMovesFromFirstRankToSecond) {
  tests::ScidEncoder encoder("4k3/8/8/8/8/8/8/4KP2 w - - 0 1");
  const std::string record = encoder.moves("f2 Kd8 f3").record();
  const auto target = codec::parse_position_name("3k4-8-8-8-8-8-5P2-4K3_w");
  ASSERT_TRUE(target.ok());
  const TargetBoards boards(std::vector{*target});
  const std::vector<unsigned> plies = {1};
  TargetHits hits(boards, plies, TargetHits::Which::First);
  const auto found = hits.find(0, bytes_of(record), head_of(bytes_of(record)));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].ply, 2U);
}

}  // namespace
}  // namespace scidfs::fs
