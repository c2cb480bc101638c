// Compares the redundant fields of the index, as Scid computed them, with our facts.
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

// Number of games that differ, by field.
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
    const std::uint32_t fields = disagreements(entry, facts);
    for (std::size_t field = 0; field < kIndexFieldNames.size(); ++field) {
      if ((fields >> field & 1) != 0) ++counts[std::string(kIndexFieldNames[field])];
    }
  }
  return counts;
}

class FixtureFacts : public ::testing::TestWithParam<std::string> {};

TEST_P(FixtureFacts, AgreeWithTheIndex) {
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

TEST_P(RealDatabaseFacts, AgreeWithTheIndex) {
  const std::string path = tests::shared_folder() + "/" + GetParam().database;
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  EXPECT_EQ(count_disagreements(ScidDatabase(path)), GetParam().exceptions);
}

// Older programs wrote both databases with exceptions.
INSTANTIATE_TEST_SUITE_P(
    SharedDatabases, RealDatabaseFacts,
    ::testing::Values(RealFacts{"fixtures/scid4/res_database", {}}, RealFacts{"data/masters", {}},
                      RealFacts{"data/annotated", {}}, RealFacts{"data/third_party/five", {}},
                      RealFacts{"data/third_party/scid_gtest", {}},
                      RealFacts{"data/third_party/scinc_test", {}},
                      // 53 games from a FEN without moves have the material of the standard
                      // position; game 12 is marked as one with an underpromotion and has none.
                      RealFacts{"data/third_party/svpc_endings",
                                {{"final material", 53}, {"promotion", 1}, {"underpromotion", 1}}},
                      // Games 2 and 8 were cut to one ply and keep ply count, material and
                      // promotion of the longer game; the fourth queen of game 621 wrapped to none.
                      RealFacts{"data/third_party/svpc_matein1",
                                {{"final material", 2}, {"plies", 2}, {"promotion", 1}}}),
    [](const auto& test) {
      const std::string path = test.param.database;
      return path.substr(path.rfind('/') + 1);
    });

}  // namespace
}  // namespace scidfs::codec::scid
