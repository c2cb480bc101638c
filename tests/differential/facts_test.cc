// The redundant fields of the index, as Scid computed them, against ours.
#include "codec/scid/facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "codec/scid/index.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"

namespace scidfs::codec::scid {
namespace {

using tests::ScidDatabase;

// Names of the fields in which an entry and its game disagree.
std::vector<std::string> disagreements(const IndexEntry& entry, const GameFacts& facts) {
  std::vector<std::string> fields;
  const auto compare = [&fields](const char* name, auto stored, auto computed) {
    if (stored != computed) fields.emplace_back(name);
  };
  compare("plies", std::uint32_t{entry.plies}, facts.plies % 1024);
  compare("material", entry.material, facts.material);
  compare("home pawns", entry.home_pawn_count, facts.home_pawn_count);
  compare("home pawns", entry.home_pawns, facts.home_pawns);
  compare("stored line", entry.stored_line, facts.stored_line);
  compare("promotion", entry.has(kFlagPromotion), facts.promotion);
  compare("underpromotion", entry.has(kFlagUnderpromotion), facts.underpromotion);
  compare("variations", entry.variation_code, count_code(facts.variations));
  compare("comments", entry.comment_code, count_code(facts.comments));
  compare("nags", entry.nag_code, count_code(facts.nags));
  return fields;
}

// How many games disagree in which field.
std::map<std::string, int> count_disagreements(const ScidDatabase& database) {
  std::map<std::string, int> counts;
  Walker walker;
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const std::optional<Bytes> record = database.record(game);
    if (!record.has_value()) continue;
    std::vector<ExtraTag> tags;
    RecordHead head;
    if (parse_record_head(*record, tags, head).has_value()) {
      ++counts["damaged"];
      continue;
    }
    const GameFacts facts = facts_of(walker, *record, head);
    if (facts.damage.has_value()) ++counts["damaged"];
    const IndexEntry entry = database.entry(game);
    if (head.fen.has_value() != entry.has(kFlagStart)) ++counts["start"];
    for (const std::string& field : disagreements(entry, facts)) ++counts[field];
  }
  return counts;
}

class FixtureFacts : public ::testing::TestWithParam<std::string> {};

TEST_P(FixtureFacts, AreThoseOfTheIndex) {
  const ScidDatabase database(tests::test_data("scid4/" + GetParam()));
  EXPECT_EQ(count_disagreements(database), (std::map<std::string, int>{}));
}

INSTANTIATE_TEST_SUITE_P(Scid4, FixtureFacts, ::testing::ValuesIn(tests::stems_in("scid4", ".si4")),
                         [](const auto& test) { return test.param; });

struct RealFacts {
  const char* database;
  std::map<std::string, int> exceptions;
};

void PrintTo(const RealFacts& facts, std::ostream* out) { *out << facts.database; }

class RealDatabaseFacts : public ::testing::TestWithParam<RealFacts> {};

TEST_P(RealDatabaseFacts, AreThoseOfTheIndex) {
  const std::string path = tests::shared_folder() + "/" + GetParam().database;
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  EXPECT_EQ(count_disagreements(ScidDatabase(path)), GetParam().exceptions);
}

// Both exceptional databases were written by older programs.
INSTANTIATE_TEST_SUITE_P(
    SharedDatabases, RealDatabaseFacts,
    ::testing::Values(RealFacts{"fixtures/scid4/res_database", {}}, RealFacts{"data/masters", {}},
                      RealFacts{"data/annotated", {}}, RealFacts{"data/third_party/five", {}},
                      RealFacts{"data/third_party/scid_gtest", {}},
                      RealFacts{"data/third_party/scinc_test", {}},
                      // 53 games from a FEN without moves have the material of the standard
                      // position; game 12 is marked as one with an underpromotion and has none.
                      RealFacts{"data/third_party/svpc_endings",
                                {{"material", 53}, {"promotion", 1}, {"underpromotion", 1}}},
                      // Games 2 and 8 were cut to one ply and keep ply count, material and
                      // promotion of the longer game; the fourth queen of game 621 wrapped to none.
                      RealFacts{"data/third_party/svpc_matein1",
                                {{"material", 2}, {"plies", 2}, {"promotion", 1}}}),
    [](const auto& test) {
      const std::string path = test.param.database;
      return path.substr(path.rfind('/') + 1);
    });

}  // namespace
}  // namespace scidfs::codec::scid
