// NAME.csv of a mount for Excel and of one for other programs, which share a cache folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";

class CsvFilesTest : public LibraryTest {
 protected:
  void SetUp() override {
    options_.database.cache_folder = folder_ / "cache";
    tests::ScidWriter writer;
    // Sizes of fewer games are not saved.
    for (int i = 0; i < 1200; ++i) writer.add(record("e4 e5"), "=HYPERLINK(\"x\")", "Anand,V");
    put("x", writer.files());
  }
  void show(CsvForm form) {
    options_.database.csv = form;
    open(source_);
  }
  // Tells one version of the database from another.
  std::uint64_t version() const {
    const auto& all = library_->catalog()->all();
    const auto shown =
        std::ranges::find(all, "x.si4", [](const auto& version) { return version->path; });
    return shown == all.end() ? 0 : (*shown)->fingerprint;
  }
};

// Sizes are held against the bytes by text().
TEST_F(CsvFilesTest, ThoseForExcelBelongToTheirMountAlone) {
  show(CsvForm::Plain);
  const std::uint64_t plain_version = version();
  const std::string plain = text("x.si4/players.csv");
  const std::string table = text("x.si4/players.tsv");
  EXPECT_THAT(plain, StartsWith("name,games,"));
  EXPECT_THAT(plain, HasSubstr("\n\"=HYPERLINK(\"\"x\"\")\",1200,"));

  show(CsvForm::Excel);
  EXPECT_NE(version(), plain_version);
  const std::string excel = text("x.si4/players.csv");
  EXPECT_THAT(excel, StartsWith(std::string(kByteOrderMark) + "\"name\",\"games\","));
  EXPECT_THAT(excel, HasSubstr("\n\"'=HYPERLINK(\"\"x\"\")\",1200,"));
  EXPECT_EQ(text("x.si4/players.tsv"), table);
  for (const char* const file :
       {"index.csv", "plies.csv", "tags.csv", "events.csv", "doubles/doubles.csv",
        "players/an/Anand,V/opponents.csv", "search/elo=1/players.csv", "tree/e4/moves.csv"}) {
    const std::string path = std::string("x.si4/") + file;
    EXPECT_THAT(text(path), StartsWith(std::string(kByteOrderMark) + "\"")) << file;
  }

  show(CsvForm::Plain);
  EXPECT_EQ(version(), plain_version);
  EXPECT_EQ(text("x.si4/players.csv"), plain);
}

TEST_F(CsvFilesTest, DatabasesShownAsOneHaveThoseForExcel) {
  tests::ScidWriter writer;
  writer.add(record("d4 d5"), "@Club", "Anand,V");
  put("y", writer.files());
  show(CsvForm::Excel);
  EXPECT_THAT(text("together/players.csv"), StartsWith(kByteOrderMark));
  EXPECT_THAT(text("together/players.csv"), HasSubstr("\n\"'@Club\",1,"));
}

}  // namespace
}  // namespace scidfs::fs
