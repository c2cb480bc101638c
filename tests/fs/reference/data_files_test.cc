#include "fs/reference/data_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/support/player_list.h"
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

TEST_F(DataFilesTest, FindTheListOfPlayers) {
  const std::filesystem::path users = folder_ / "scidfs";
  EXPECT_TRUE(find_player_list(users).path.empty() || find_player_list({}).path.has_root_path());
  std::filesystem::create_directory(users);
  // The text comes first.
  for (const char* const name : {"players_list.zip", "players_list_foa.txt"}) {
    tests::write_file(users / name, tests::player_list({{.id = 1, .name = "Neumann, Nora"}}));
    EXPECT_EQ(find_player_list(users).path, users / name);
    EXPECT_FALSE(find_player_list(users).is_named);
  }
}

TEST_F(DataFilesTest, EachFileOfPeopleIsEnough) {
  const std::filesystem::path list = folder_ / "list.txt";
  const std::filesystem::path spelling = folder_ / "x.ssp";
  tests::write_file(list, tests::player_list({{.id = 1, .name = "Neumann, Nora"}}));
  tests::write_file(spelling, "@PLAYER\nAdams, Michael #GM\n");
  struct Case {
    std::filesystem::path spelling, list;
    std::uint32_t persons;
  };
  const std::vector<Case> cases = {{spelling, {}, 1},
                                   {{}, list, 1},
                                   {spelling, list, 2},
                                   // A file that cannot be used takes nothing from the other one.
                                   {names_, list, 1},
                                   {spelling, names_, 1}};
  std::set<std::uint64_t> fingerprints;
  for (const Case& test : cases) {
    auto files =
        DataFiles::open({.spelling = {.path = test.spelling}, .fide = {.path = test.list}});
    ASSERT_TRUE(files.ok()) << files.status();
    const ReferencePtr reference = files->load({});
    ASSERT_NE(reference->spelling, nullptr);
    reference->spelling->begin();
    EXPECT_EQ(reference->spelling->get()->persons(), test.persons);
    fingerprints.insert(reference->fingerprint);
  }
  EXPECT_EQ(fingerprints.size(), cases.size());
}

}  // namespace
}  // namespace scidfs::fs
