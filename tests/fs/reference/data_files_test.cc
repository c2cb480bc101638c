#include "fs/reference/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

class DataFilesTest : public testing::Test {
 protected:
  DataFilesTest() { tests::write_file(names_, "A00a \"Start position\"  *\n"); }

  static std::uint64_t fingerprint(const DataFileChoices& choices) {
    absl::StatusOr<DataFiles> files = DataFiles::open(choices);
    EXPECT_TRUE(files.ok()) << files.status();
    return files.ok() ? files->load({})->fingerprint : 0;
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path names_ = folder_ / "names.eco";
};

TEST_F(DataFilesTest, AreEmptyIfMissingAndNotNamed) {
  EXPECT_EQ(fingerprint({}), 0);
  EXPECT_EQ(fingerprint({.spelling = {.path = folder_ / "none"}, .eco = {.path = folder_.path()}}),
            0);
}

TEST_F(DataFilesTest, MustExistIfNamed) {
  const absl::StatusOr<DataFiles> files =
      DataFiles::open({.spelling = {.path = folder_ / "none.ssp", .is_named = true}});
  ASSERT_FALSE(files.ok());
  EXPECT_THAT(std::string(files.status().message()),
              HasSubstr("none.ssp: No such file or directory"));
}

TEST_F(DataFilesTest, FingerprintDependsOnBytes) {
  const std::uint64_t before = fingerprint({.eco = {.path = names_}});
  EXPECT_NE(before, 0);
  EXPECT_EQ(fingerprint({.eco = {.path = names_, .is_named = true}}), before);
  EXPECT_NE(fingerprint({.spelling = {.path = names_}, .eco = {.path = names_}}), before);
  tests::write_file(names_, "A00a \"Start\"  *\n");
  EXPECT_NE(fingerprint({.eco = {.path = names_}}), before);
}

}  // namespace
}  // namespace scidfs::fs
