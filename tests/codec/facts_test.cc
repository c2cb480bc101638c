#include "codec/scid/facts.h"

#include <gtest/gtest.h>

#include "codec/scid/index.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::ScidEncoder;

GameFacts facts(const std::string& record) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  Walker walker;
  EXPECT_FALSE(parse_record_head(tests::as_bytes(record), tags, head).has_value());
  return facts_of(walker, tests::as_bytes(record), head);
}

std::string home_pawns(const GameFacts& facts) {
  IndexEntry entry;
  entry.home_pawn_count = facts.home_pawn_count;
  entry.home_pawns = facts.home_pawns;
  return home_pawns_to_string(entry);
}

// The example of codec/scid/FORMAT.md, section 11.
TEST(Facts, MatchWorkedExample) {
  const GameFacts found = facts(tests::read_file(tests::test_data("scid4/worked_example.sg4")));
  EXPECT_EQ(found.plies, 6u);
  EXPECT_EQ(found.variations, 2u);
  EXPECT_EQ(found.comments, 3u);
  EXPECT_EQ(found.nags, 2u);
  EXPECT_EQ(found.material, 0x6A76A7u);
  EXPECT_EQ(home_pawns(found), "e2 d7");
  EXPECT_EQ(found.stored_line, 176);
  EXPECT_FALSE(found.promotion);
  EXPECT_FALSE(found.damage.has_value());
}

TEST(Facts, GameWithoutMovesHasStartMaterial) {
  const GameFacts found = facts(ScidEncoder().record());
  EXPECT_EQ(found.plies, 0u);
  EXPECT_EQ(found.material, 0x6A86A8u);
  EXPECT_EQ(found.stored_line, 0);
}

TEST(Facts, VariationsDoNotAffectTheMainLine) {
  ScidEncoder game;
  game.move("e4").begin_variation().moves("d4 d5 c4 dxc4").end_variation().move("e5");
  const GameFacts found = facts(game.record());
  EXPECT_EQ(found.plies, 2u);
  EXPECT_EQ(home_pawns(found), "e2 e7");
  EXPECT_EQ(found.material, 0x6A86A8u);
}

TEST(Facts, PawnsTakenAtHomeAreListed) {
  ScidEncoder game;
  game.moves("Nc3 Nc6 Nd5 Nd4 Nxe7 Nxe2");
  EXPECT_EQ(home_pawns(facts(game.record())), "e7 e2");
}

TEST(Facts, GameFromFenHasNoHomePawnsAndNoStoredLine) {
  ScidEncoder game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  game.moves("e4 e5");
  const GameFacts found = facts(game.record());
  EXPECT_EQ(found.home_pawn_count, 0);
  EXPECT_EQ(found.stored_line, 0);
  EXPECT_EQ(found.plies, 2u);
}

TEST(Facts, TellsPromotionsFromUnderpromotions) {
  const auto promoted = [](const char* san) {
    return facts(ScidEncoder("7k/P7/8/8/8/8/8/K7 w - - 0 1").move(san).record());
  };
  EXPECT_TRUE(promoted("a8=Q").promotion);
  EXPECT_FALSE(promoted("a8=Q").underpromotion);
  EXPECT_TRUE(promoted("a8=N").promotion);
  EXPECT_TRUE(promoted("a8=N").underpromotion);
  ScidEncoder game("7k/P7/8/8/8/8/8/K7 w - - 0 1");
  game.move("Kb1").begin_variation().move("a8=R").end_variation();
  EXPECT_FALSE(facts(game.record()).promotion);
}

TEST(Facts, MaterialIsCappedAtThree) {
  EXPECT_EQ(material_of(*Position::from_fen("qqqqk3/8/8/8/8/8/PPPPPPPP/RRRRK1NB w - - 0 1")),
            0x358C00u);
}

TEST(Facts, DisagreementsNameTheFields) {
  const GameFacts found = facts(ScidEncoder().moves("e4 e5 Nf3").record());
  IndexEntry entry;
  entry.plies = 3;
  entry.material = found.material;
  entry.home_pawn_count = found.home_pawn_count;
  entry.home_pawns = found.home_pawns;
  entry.stored_line = found.stored_line;
  EXPECT_EQ(disagreements(entry, found), 0u);
  const auto bit = [](IndexField field) { return 1u << static_cast<unsigned>(field); };
  IndexEntry other = entry;
  other.plies = 4;
  other.nag_code = 1;
  EXPECT_EQ(disagreements(other, found), bit(IndexField::Plies) | bit(IndexField::Nags));
  other = entry;
  other.home_pawns[0] ^= 1;
  other.flags = 1u << kFlagStart;
  EXPECT_EQ(disagreements(other, found), bit(IndexField::HomePawns) | bit(IndexField::Start));
}

TEST(Facts, NotesAreCountedByTheirMarks) {
  tests::Random random(7);
  Walker walker;
  std::uint32_t notes = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string game = tests::random_game(random, {.eventful = i % 2 == 0}).record();
    const Bytes record = tests::as_bytes(game);
    std::vector<ExtraTag> tags;
    RecordHead head;
    ASSERT_FALSE(parse_record_head(record, tags, head).has_value());
    const GameFacts facts = facts_of(walker, record, head);
    ASSERT_FALSE(facts.damage.has_value());
    const NoteCounts counts = count_notes(record, head);
    EXPECT_EQ(counts.variations, facts.variations);
    EXPECT_EQ(counts.comments, facts.comments);
    EXPECT_EQ(counts.nags, facts.nags);
    notes += facts.variations + facts.comments + facts.nags;
  }
  EXPECT_GT(notes, 1000U);
}

TEST(Facts, DamagedGameHasFactsUpToDamage) {
  std::string record = ScidEncoder().moves("e4 e5 Nf3").record();
  record.pop_back();
  const GameFacts found = facts(record);
  EXPECT_TRUE(found.damage.has_value());
  EXPECT_EQ(found.plies, 3u);
}

}  // namespace
}  // namespace scidfs::codec::scid
