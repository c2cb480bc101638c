#include "fs/programs/first_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class FirstPageTest : public testing::Test {
 protected:
  void put(const char* path) const {
    stdfs::create_directories((home_ / path).parent_path());
    tests::write_file(home_ / path, "");
  }
  // Paths below the home folder, with the numbers of databases and PGN files.
  std::vector<std::string> found(const LookLimits& limits = {}) const {
    const std::vector<stdfs::path> places = {home_ / "chess", home_ / "chess/.", home_ / "missing",
                                             home_ / "Downloads"};
    std::vector<std::string> lines;
    for (const ChessFolder& folder : find_chess_folders(places, limits)) {
      lines.push_back(folder.path.lexically_relative(home_).string() + " " +
                      std::to_string(folder.databases) + " " + std::to_string(folder.pgn_files));
    }
    return lines;
  }

  tests::TemporaryFolder folder_;
  const stdfs::path home_ = folder_.path();
};

TEST_F(FirstPageTest, FindsFoldersThatHoldDatabases) {
  for (const char* const path :
       {"chess/old/deep/B.SI4", "chess/a.si4", "chess/a.sg4", "chess/a.sn4", "chess/book_0.kob",
        "chess/book_1.kob", "Downloads/x.pgn", "Downloads/y.pgn.gz", "Downloads/notes.txt",
        "chess/.hidden/c.si4", "elsewhere/d.si4"}) {
    put(path);
  }
  stdfs::create_directory_symlink(home_ / "elsewhere", home_ / "chess/link");
  EXPECT_THAT(found(), ElementsAre("chess 2 0", "Downloads 0 2", "chess/old/deep 1 0"));
  for (int i = 0; i < 300; ++i) put(("chess/file" + std::to_string(i)).c_str());
  EXPECT_THAT(found({.entries = 500}), testing::Contains("Downloads 0 2")) << "chess is large";
  EXPECT_THAT(found({.time = std::chrono::milliseconds(0)}), IsEmpty());
  EXPECT_THAT(found({.entries = 1}).size(), testing::Le(1U));
}

TEST_F(FirstPageTest, NamesCommands) {
  const std::vector<ChessFolder> folders = {
      {.path = "/home/me/my games", .databases = 1, .pgn_files = 2},
      {.path = "/data", .pgn_files = 1}};
  const std::string page = first_page(folders, "/home/me");
  EXPECT_THAT(page, HasSubstr("Found in ~/'my games': 1 database, 2 PGN files."));
  EXPECT_THAT(page, HasSubstr("\n  scidfs ~/'my games'\n"));
  EXPECT_THAT(page, HasSubstr("\n  scidfs -u ~/'my games'\n"));
  EXPECT_THAT(page, HasSubstr("\n  scidfs /data\n      1 PGN file\n"));
  const std::string empty = first_page({}, "/home/me");
  EXPECT_THAT(empty, HasSubstr("scidfs ~/chess\n"));
  EXPECT_THAT(empty, Not(HasSubstr("Also found")));
}

}  // namespace
}  // namespace scidfs::fs
