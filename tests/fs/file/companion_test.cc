// Which files belong together if their names differ in case.
#include "fs/file/companion.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

// The name of the game file of an index in a folder with these files.
std::string games_of(const std::string& index, const std::vector<std::string>& others) {
  const tests::TemporaryFolder folder;
  tests::write_file(folder / index, "");
  for (const std::string& other : others) tests::write_file(folder / other, "");
  return companion_of(folder / index, ".sg4").filename();
}

TEST(CompanionOf, HasCaseOfIndexIfSuchFileExists) {
  EXPECT_EQ(games_of("mega.si4", {"mega.sg4", "mega.SG4", "MEGA.SG4"}), "mega.sg4");
  EXPECT_EQ(games_of("MEGA.SI4", {"MEGA.sg4", "MEGA.SG4", "mega.sg4"}), "MEGA.SG4");
  EXPECT_EQ(games_of("Mega.Si4", {"Mega.sg4", "Mega.Sg4"}), "Mega.Sg4");
}

TEST(CompanionOf, MayDifferInCaseIfItIsTheOnlyOne) {
  EXPECT_EQ(games_of("MEGA.SI4", {"MEGA.sg4"}), "MEGA.sg4");
  EXPECT_EQ(games_of("mega.si4", {"mega.SG4"}), "mega.SG4");
  EXPECT_EQ(games_of("MEGA.SI4", {"mega.sg4"}), "mega.sg4");
  EXPECT_EQ(games_of("mega.si4", {"MEGA.SG4"}), "MEGA.SG4");
  EXPECT_EQ(games_of("Mega.SI4", {"mega.sg4"}), "mega.sg4");
}

TEST(CompanionOf, IsNeverCompanionOfAnotherIndex) {
  EXPECT_EQ(games_of("MEGA.SI4", {"mega.si4", "mega.sg4"}), "MEGA.SG4") << "which is not there";
  EXPECT_EQ(games_of("mega.si4", {"MEGA.SI4", "MEGA.SG4"}), "mega.sg4");
  EXPECT_EQ(games_of("mega.SI4", {"mega.si4", "mega.sg4"}), "mega.SG4");
  EXPECT_EQ(games_of("mega.si4", {"MEGA.SI5", "MEGA.SG4"}), "MEGA.SG4") << "of another format";
}

TEST(CompanionOf, IsNamedLikeIndexIfMissing) {
  EXPECT_EQ(games_of("mega.si4", {}), "mega.sg4");
  EXPECT_EQ(games_of("MEGA.SI4", {"other.sg4"}), "MEGA.SG4");
}

}  // namespace
}  // namespace scidfs::fs
