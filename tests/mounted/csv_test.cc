// Tables with comma-separated values, as programs read them that know nothing of our tables.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_writer.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string check(const std::filesystem::path& folder, const std::string& names = "") {
  return run_ok(fmt::format("python3 {} {} {}",
                            shell_word(source_path("tests/mounted/check_csv.py").string()),
                            shell_word(folder.string()), names));
}

TEST(CsvMountTest, TablesOfAllFixturesHaveTwins) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  check(mount.path());
  check(mount / "sample/sample.si4/years",
        (mount / "sample/sample.si4/tree/e4/years.tsv").string());
}

TEST(CsvMountTest, TablesOfAllFixturesHaveTwinsForExcel) {
  const Mount mount({.source = test_data(""), .options = "csv=excel"});
  ASSERT_TRUE(mount.ok());
  check("--excel", mount.path().string());
  check("--excel", fmt::format("{0} {0}/plies.tsv {0}/tree/moves.tsv {0}/evals.tsv {0}/tags.tsv",
                               (mount / "sample/sample.si4").string()));
}

// A database with names that begin with a quote, as clubs and nicknames do.
class QuotedNamesTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (HasFatalFailure() || IsSkipped()) return;
    ScidWriter writer;
    const std::string record = ScidEncoder().moves("e4 e5").record();
    for (const std::string_view name :
         {"\"Miso\", Cebalo", "\"Rook\"", "Tal, \"Misha\"", "Anand,V"}) {
      writer.add(record, name, "\"");
    }
    write_scid_files(writer.files(), folder_ / "x");
    mount_.emplace(MountSetup{.source = folder_ / "x.si4"});
    ASSERT_TRUE(mount_->ok());
  }

  TemporaryFolder folder_;
  std::optional<Mount> mount_;
};

TEST_F(QuotedNamesTest, PythonReadsThemByDefault) {
  const std::string found = check(mount_->path(), (*mount_ / "tree/e4/players.tsv").string());
  EXPECT_THAT(found, Not(HasSubstr(" 0 quotes")));
}

// sqlite3 loses rows of index.tsv, where a field begins with a quote.
TEST_F(QuotedNamesTest, Sqlite3ReadsAllRows) {
  EXPECT_EQ(
      run_ok("sqlite3 -csv :memory: '.import " + (*mount_ / "index.csv").string() +
             " games' 'SELECT white FROM games WHERE black = char(34) ORDER BY number' | wc -l"),
      "4\n");
}

TEST(CsvMountTest, OnlyTablesHaveTwins) {
  const Mount mount({.source = test_data("sample")});
  ASSERT_TRUE(mount.ok());
  const std::filesystem::path database = mount / "sample.si4";
  for (const char* const name : {"all.csv", "summary.csv", "games.csv", "search.csv", "info.csv",
                                 "index.csv.csv", ".csv", "index.tsv.csv", "players/ka.csv"}) {
    EXPECT_FALSE(std::filesystem::exists(database / name)) << name;
  }
  EXPECT_EQ(run_ok("find " + shell_word(mount.path().string()) + " -name '*.csv'"), "");
}

}  // namespace
}  // namespace scidfs::tests
