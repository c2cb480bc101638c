// GameText::length() verifies the signature of an entry if and only if it is true.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "codec/scid/facts.h"
#include "codec/scid/game_text.h"
#include "codec/scid/index_signature.h"
#include "codec/scid/line_moves.h"
#include "codec/scid/lines.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;

bool are_verified(const std::string& record, const IndexEntry& entry) {
  GameText writer({});
  return writer.length(tests::example_tags(), {}, tests::as_bytes(record), entry)
      .has_verified_signature;
}

// Returns the true entry of a game.
IndexEntry truth(const std::string& record) {
  return tests::entry_of_facts(tests::facts_of_record(tests::as_bytes(record)).value());
}

using Change = std::function<void(IndexEntry&)>;

void expect_changes_are_not_verified(const std::string& record,
                                     const std::vector<Change>& changes) {
  EXPECT_TRUE(are_verified(record, truth(record)));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    IndexEntry entry = truth(record);
    changes[i](entry);
    EXPECT_FALSE(are_verified(record, entry)) << i;
  }
}

TEST(VerifiedSignatures, FalseSignaturesAreNotVerified) {
  expect_changes_are_not_verified(ScidEncoder().moves("e4 d5 exd5 Qxd5 Nc3 Qxg2").record(),
                                  {
                                      [](IndexEntry& entry) { entry.material ^= 1; },
                                      [](IndexEntry& entry) { entry.material ^= 1U << 23; },
                                      [](IndexEntry& entry) { entry.home_pawns[0] ^= 0x10; },
                                      [](IndexEntry& entry) {
                                        entry.home_pawns = {0x4B, 0x90};
                                      },  // d7 e2 g2
                                      [](IndexEntry& entry) {
                                        entry.home_pawns = {0xB9, 0x40};
                                      },  // e2 g2 d7
                                      [](IndexEntry& entry) { entry.home_pawn_count = 2; },
                                      [](IndexEntry& entry) { entry.home_pawn_count = 4; },
                                      [](IndexEntry& entry) { entry.home_pawn_count = 16; },
                                      [](IndexEntry& entry) { entry.flags = 1U << kFlagPromotion; },
                                      [](IndexEntry& entry) { entry.flags = 1U << kFlagStart; },
                                      [](IndexEntry& entry) { ++entry.stored_line; },
                                      [](IndexEntry& entry) { entry = IndexEntry(); },
                                  });
  // In a game without moves too.
  expect_changes_are_not_verified(ScidEncoder().record(),
                                  {[](IndexEntry& entry) { entry.home_pawn_count = 1; },
                                   [](IndexEntry& entry) { entry.stored_line = 1; },
                                   [](IndexEntry& entry) { entry = IndexEntry(); }});
}

// A stored line that begins the game is sufficient.
TEST(VerifiedSignatures, ShorterStoredLineIsVerified) {
  const std::string record = ScidEncoder().moves("e4 c5 Nf3 d6").record();
  IndexEntry entry = truth(record);
  ASSERT_EQ(stored_line(entry.stored_line), "1.e4 c5 2.Nf3 d6");
  std::size_t verified = 0;
  for (unsigned code = 0; code < 256; ++code) {
    entry.stored_line = static_cast<std::uint8_t>(code);
    const bool begins = std::string_view("e2e4c7c5g1f3d7d6").starts_with(stored_line_squares(code));
    EXPECT_EQ(are_verified(record, entry), begins) << code;
    verified += begins ? 1 : 0;
  }
  EXPECT_EQ(verified, 6U);
}

TEST(VerifiedSignatures, LineWithNotesBetweenMovesIsVerified) {
  ScidEncoder game;
  game.comment("well").move("e4").nag(1).begin_variation().move("d4").nag(13).moves("d5 c4");
  game.end_variation().move("c5").comment("good").move("Nf3").begin_variation().move("Nc3");
  game.end_variation().moves("d6 d4");
  const std::string record = game.record();
  ASSERT_EQ(stored_line(truth(record).stored_line), "1.e4 c5 2.Nf3 d6 3.d4");
  expect_changes_are_not_verified(record, {
                                              [](IndexEntry& entry) { ++entry.stored_line; },
                                              [](IndexEntry& entry) { entry.stored_line = 15; },
                                          });
}

TEST(VerifiedSignatures, SignaturesOfDamagedGamesAreNotVerified) {
  const std::string record = ScidEncoder().moves("e4 c5 Nf3").record();
  const std::string damaged = record.substr(0, record.size() - 1);
  EXPECT_FALSE(are_verified(damaged, truth(record)));
  EXPECT_FALSE(are_verified(record.substr(0, 1), truth(record)));
}

TEST(VerifiedSignatures, GamesFromFenHaveNoSignature) {
  ScidEncoder game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  const std::string record = game.moves("e4 e5").record();
  IndexEntry entry = truth(record);
  entry.material = 0x123456;
  EXPECT_TRUE(are_verified(record, entry));
  EXPECT_EQ(signature_of(entry), kNoSignature);
  entry = truth(ScidEncoder().moves("e4 e5").record());
  EXPECT_FALSE(are_verified(record, entry));
}

// The notes of a longer variation do not hide moves of the main line.
TEST(VerifiedSignatures, SignaturesOfGamesWithVeryLongVariationsAreNotVerified) {
  ScidEncoder game;
  game.moves("e4 e5 d4 d5 Nf3").begin_variation().moves("Nc3 Nc6");
  for (int i = 0; i < 300; ++i) game.moves("Nb1 Nb8 Nc3 Nc6");
  game.end_variation().moves("Nf6");
  const std::string record = game.record();
  IndexEntry entry = truth(record);
  std::swap(entry.home_pawns[0], entry.home_pawns[1]);
  ASSERT_NE(entry.home_pawns, truth(record).home_pawns);
  EXPECT_FALSE(are_verified(record, entry));
}

// The buffer has room for so many plies.
TEST(VerifiedSignatures, SignaturesOfVeryLongGamesAreNotVerified) {
  ScidEncoder game;
  for (int i = 0; i < 255; ++i) game.moves("Nf3 Nf6 Ng1 Ng8");
  EXPECT_TRUE(are_verified(game.record(), truth(game.record())));
  for (int i = 0; i < 300; ++i) game.moves("Nf3 Nf6 Ng1 Ng8");
  EXPECT_FALSE(are_verified(game.record(), truth(game.record())));
}

TEST(VerifiedSignatures, SignaturesOfRandomGamesAreVerified) {
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    const std::string record =
        tests::random_game(random, {.plies = random.below(250), .annotated = random.one_in(2)})
            .record();
    const IndexEntry entry = truth(record);
    EXPECT_TRUE(are_verified(record, entry)) << round;
    IndexEntry other = entry;
    switch (random.below(3)) {
      case 0:
        other.material ^= 1U << random.below(24);
        break;
      case 1:
        other.flags ^= 1U << kFlagPromotion;
        break;
      default:
        if (entry.home_pawn_count < 2) continue;
        other.home_pawns[random.below(entry.home_pawn_count / 2U)] ^= 0x23;
    }
    EXPECT_FALSE(are_verified(record, other)) << round;
  }
}

// Entries written by Scid are true.
TEST(VerifiedSignatures, SignaturesOfRealGamesAreVerified) {
  for (const std::string name : {"masters", "annotated"}) {
    const std::string path = tests::shared_folder() + "/data/" + name;
    if (!std::filesystem::exists(path + ".si4"))
      GTEST_SKIP() << "the shared databases are not here";
    const tests::ScidDatabase database(path);
    GameText writer({});
    for (std::uint32_t game = 0; game < database.games(); game += 20) {
      const GameText::Measure measure = writer.length(database.tags(game), database.place(game),
                                                      *database.record(game), database.entry(game));
      EXPECT_TRUE(measure.has_verified_signature) << name << " " << game + 1;
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
