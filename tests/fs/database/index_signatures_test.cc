// The index signatures of a database, and which of them are verified.
#include "fs/database/index_signatures.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "codec/scid/facts.h"
#include "fs/database/measure.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/never.h"
#include "tests/support/files.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using tests::Random;
using tests::ScidEncoder;

class IndexSignatureTest : public DatabaseTest {
 protected:
  // A database in which every entry is true, except those of the given games.
  static tests::ScidFiles true_except(std::size_t games,
                                      const std::vector<std::size_t>& false_entries,
                                      std::uint64_t seed = 3) {
    Random random(seed);
    tests::ScidFilesBuilder builder;
    for (const codec::scid::NameKind kind :
         {codec::scid::NameKind::Player, codec::scid::NameKind::Event, codec::scid::NameKind::Site,
          codec::scid::NameKind::Round}) {
      builder.name(kind, "Name");
    }
    for (std::size_t game = 0; game < games; ++game) {
      const tests::RandomGameOptions options = {
          .plies = 2 + random.below(30),
          .annotated = game % 3 == 0,
          .fen = game % 7 == 6 ? tests::example_fens()[game % tests::example_fens().size()] : ""};
      const std::string record = tests::random_game(random, options).record();
      IndexEntry entry = truth(record);
      if (std::ranges::count(false_entries, game) != 0) make_false(game, entry);
      builder.game(entry, record);
    }
    return builder.files();
  }

  static IndexEntry truth(const std::string& record) {
    return tests::entry_of_facts(tests::facts_of_record(tests::as_bytes(record)).value());
  }

  static void make_false(std::size_t game, IndexEntry& entry) {
    switch (game % 4) {
      case 0:
        entry.material ^= 0x10;
        break;
      case 1:
        entry.flags ^= 1U << codec::scid::kFlagPromotion;
        break;
      case 2:
        entry.stored_line = 200;
        break;
      default:
        entry.home_pawn_count = entry.home_pawn_count == 0 ? 1 : 0;
    }
  }

  static std::vector<GameIndex> unverified(const Database& database) {
    std::vector<GameIndex> games;
    for (GameIndex game = 0; game < database.games(); ++game) {
      if (!database.sizes().has_verified_signature(game)) games.push_back(game);
    }
    return games;
  }

  static void measure_all(const Database& database) {
    const absl::Status status = measure(database, all_of(database), WorkBudget::unlimited(never));
    EXPECT_TRUE(status.ok()) << status;
  }
};

TEST_F(IndexSignatureTest, EqualThoseOfIndex) {
  const Shared database = open(true_except(1000, {}));
  const auto marks = database->signatures(WorkBudget::unlimited(never));
  ASSERT_TRUE(marks.ok()) << marks.status();
  ASSERT_EQ((*marks)->games().size(), 1000U);
  std::vector<IndexEntry> room;
  for (std::size_t block = 0; block < database->files().index_file().blocks(); ++block) {
    const auto entries = database->files().index_file().read_block(block, room);
    ASSERT_TRUE(entries.ok());
    for (std::size_t i = 0; i < entries->entries.size(); ++i) {
      EXPECT_EQ((*marks)->games()[entries->first + i], signature_of(entries->entries[i]));
    }
  }
  EXPECT_EQ((*marks)->games()[6], codec::scid::kNoSignature);  // from a FEN
}

TEST_F(IndexSignatureTest, AreMadeOnceAndCounted) {
  const Shared database = open(true_except(1000, {}));
  const std::uint64_t before = database->memory();
  const auto marks = database->signatures(WorkBudget::limited(50));
  ASSERT_TRUE(marks.ok()) << marks.status();
  EXPECT_EQ(database->memory(), before + 16000);
  // A second call has no work to do.
  EXPECT_EQ(*database->signatures(WorkBudget::limited(0)), *marks);
}

TEST_F(IndexSignatureTest, AreRefusedBeyondBudget) {
  const Shared database = open(true_except(1000, {}));
  EXPECT_TRUE(absl::IsUnavailable(database->signatures(WorkBudget::limited(49)).status()));
  EXPECT_TRUE(
      absl::IsCancelled(database->signatures(WorkBudget::unlimited([] { return true; })).status()));
  EXPECT_TRUE(database->signatures(WorkBudget::unlimited(never)).ok());
}

TEST_F(IndexSignatureTest, ExistForEmptyDatabase) {
  const Shared database = open(true_except(0, {}));
  const auto marks = database->signatures(WorkBudget::limited(0));
  ASSERT_TRUE(marks.ok()) << marks.status();
  EXPECT_TRUE((*marks)->games().empty());
}

TEST_F(IndexSignatureTest, AreUnknownForUnreadableBlocks) {
  const tests::ScidFiles files = true_except(300, {});
  const Shared database = open(files);
  // Overwrites an entry of the second block.
  std::fstream index(game_file().replace_extension("si4"),
                     std::ios::binary | std::ios::in | std::ios::out);
  index.seekp(182 + 47 * 200);
  index.put('\x7F').put('\x55').flush();
  const auto marks = database->signatures(WorkBudget::unlimited(never));
  ASSERT_TRUE(marks.ok()) << marks.status();
  EXPECT_FALSE((*marks)->games()[127].tells_nothing());
  EXPECT_EQ((*marks)->games()[128], codec::scid::kNoSignature);
  measure_all(*database);
  EXPECT_TRUE(database->sizes().complete());
  EXPECT_TRUE(database->sizes().has_verified_signature(127));
  EXPECT_FALSE(database->sizes().has_verified_signature(128));
  EXPECT_FALSE(database->sizes().has_verified_signature(255));
  EXPECT_TRUE(database->sizes().has_verified_signature(256));
}

TEST_F(IndexSignatureTest, AreNotVerifiedIfFalse) {
  const std::vector<std::size_t> false_entries = {0, 1, 2, 3, 120, 129, 130, 299};
  const Shared database = open(true_except(300, false_entries));
  measure_all(*database);
  EXPECT_EQ(unverified(*database),
            (std::vector<GameIndex>(false_entries.begin(), false_entries.end())));
  const auto marks = database->signatures(WorkBudget::unlimited(never));
  ASSERT_TRUE(marks.ok()) << marks.status();
  EXPECT_TRUE((*marks)->are_verified());
  EXPECT_EQ((*marks)->games()[120], codec::scid::kNoSignature);
  EXPECT_FALSE((*marks)->games()[121].tells_nothing());
}

TEST_F(IndexSignatureTest, AreVerifiedGameByGame) {
  const Shared database = open(true_except(300, {2, 200}));
  for (const GameIndex game : {2U, 5U, 200U, 201U}) ASSERT_TRUE(database->text_size(game).ok());
  EXPECT_EQ(unverified(*database).size(), 298U);
  EXPECT_TRUE(database->sizes().has_verified_signature(5));
  EXPECT_TRUE(database->sizes().has_verified_signature(201));
}

TEST_F(IndexSignatureTest, AreNotVerifiedUntilMeasured) {
  const Shared database = open(true_except(300, {}));
  EXPECT_EQ(unverified(*database).size(), 300U);
  ASSERT_TRUE(database->compute_sizes(100, 200).ok());
  EXPECT_EQ(unverified(*database).size(), 200U);
}

TEST_F(IndexSignatureTest, StayVerifiedInAdoptedSizes) {
  const tests::ScidFiles files = true_except(300, {7, 150});
  const Shared first = open(files);
  measure_all(*first);
  const Shared second = open(files);
  ASSERT_TRUE(second->adopt_kept(first->copy_kept()));
  EXPECT_EQ(unverified(*second), (std::vector<GameIndex>{7, 150}));
  EXPECT_EQ(second->sizes().size(150), first->sizes().size(150));
}

TEST_F(IndexSignatureTest, AreNotVerifiedInChangedBlocks) {
  tests::ScidFiles files = true_except(300, {7});
  const Shared before = open(files);
  measure_all(*before);
  before->files().game_file().sum_up(never);
  // Now the entry of game 200 is wrong: the packed index does not know its final material.
  files.index[182 + 47 * 200 + 34] ^= 1;
  const Shared after = open(files);
  after->files().game_file().sum_up(never);
  after->inherit(*before);
  EXPECT_TRUE(after->sizes().complete());
  std::vector<GameIndex> expected = {7};
  for (GameIndex game = 128; game < 256; ++game) expected.push_back(game);
  EXPECT_EQ(unverified(*after), expected);
}

}  // namespace
}  // namespace scidfs::fs
