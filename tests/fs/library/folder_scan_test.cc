// Scans of folders: names in capitals, links to folders, and what folders list.
#include "fs/library/folder_scan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "codec/ending.h"
#include "fs/check/check.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/archive.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class FolderScanTest : public LibraryTest {
 protected:
  // The three files of a database, with any names.
  void put_files(const Path& index, const Path& games, const Path& names,
                 const tests::ScidFiles& files) {
    put(index, files.index);
    put(games, files.games);
    put(names, files.names);
  }
  void put_database(const Path& prefix, std::size_t games = 3) {
    stdfs::create_directories(prefix.parent_path());
    put_files(prefix.string() + ".si4", prefix.string() + ".sg4", prefix.string() + ".sn4",
              example_database(games, 1).files());
  }
  static void link(const Path& path, const Path& to) {
    stdfs::create_directories(path.parent_path());
    stdfs::create_directory_symlink(to, path);
  }
  void open_following() {
    options_.follow_links = true;
    open(source_);
  }

  const Path outside_ = folder_ / "outside";
};

TEST_F(FolderScanTest, ExtensionsInCapitalsAreShownUnchanged) {
  const tests::ScidFiles files = example_database(20, 1).files();
  put("small", files);
  put_files(source_ / "MEGA.SI4", source_ / "MEGA.SG4", source_ / "MEGA.SN4", files);
  put_files(source_ / "Mixed.SI4", source_ / "mixed.sg4", source_ / "MIXED.sn4", files);
  for (const char* const name : {"_0.kob", ".kin", ".ksf"}) {
    std::string to = std::string("BOOK") + name;
    std::ranges::transform(to, to.begin(), codec::to_ascii_upper);
    put(source_ / to, tests::read_file(tests::test_data("kvetka/small" + std::string(name))));
  }
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("MEGA.SI4", "Mixed.SI4", "small.si4", "BOOK.KOB", "info.txt",
                                     "index.html", "status.txt", "README.txt"));
  EXPECT_EQ(text("MEGA.SI4/all.pgn"), text("small.si4/all.pgn"));
  EXPECT_EQ(text("Mixed.SI4/all.pgn"), text("small.si4/all.pgn"));
  EXPECT_THAT(text("info.txt"),
              AllOf(HasSubstr("database: MEGA.SI4: 20 games\n"),
                    HasSubstr("database: Mixed.SI4: 20 games\n"), HasSubstr("BOOK.KOB: "),
                    Not(HasSubstr("damaged")), Not(HasSubstr("refused"))));
  EXPECT_THAT(text("BOOK.KOB/info.txt"), Not(HasSubstr("problem")));
  open(source_ / "MEGA.SI4");
  EXPECT_TRUE(exists("all.pgn"));
  open(source_ / "BOOK_0.KOB");
  EXPECT_TRUE(exists("positions.epd"));
}

TEST_F(FolderScanTest, NamesThatDifferOnlyInCaseAreTwoDatabases) {
  put_files(source_ / "mega.si4", source_ / "mega.sg4", source_ / "mega.sn4",
            example_database(20, 1).files());
  put_files(source_ / "MEGA.SI4", source_ / "MEGA.SG4", source_ / "MEGA.SN4",
            example_database(30, 2).files());
  // Without companions of its own, it gets none of another database.
  put(source_ / "Mega.Si4", example_database(20, 1).files().index);
  open(source_);
  EXPECT_THAT(text("info.txt"), AllOf(HasSubstr("database: mega.si4: 20 games\n"),
                                      HasSubstr("database: MEGA.SI4: 30 games\n"),
                                      HasSubstr("database: Mega.Si4: 20 games, damaged\n")));
}

TEST_F(FolderScanTest, LinkedFoldersAreReportedAndFollowedOnRequest) {
  put_database(source_ / "own");
  put_database(outside_ / "far/base");
  link(source_ / "linked", outside_);
  link(source_ / "sub/deep/linked", outside_ / "far");
  link(source_ / "to nothing", "nowhere");
  tests::write_file(outside_ / "notes.txt", "text");
  stdfs::create_symlink(outside_ / "notes.txt", source_ / "to a file");
  open(source_);
  EXPECT_THAT(names(""),
              ElementsAre("own.si4", "info.txt", "index.html", "status.txt", "README.txt"));
  EXPECT_EQ(text("info.txt"),
            "folder: .\n"
            "database: own.si4: 3 games\n"
            "refused: linked: a link to a folder (-o follow shows it)\n"
            "refused: sub/deep/linked: a link to a folder (-o follow shows it)\n");
  open_following();
  EXPECT_THAT(names(""), ElementsAre("own.si4", "linked", "sub", "info.txt", "index.html",
                                     "status.txt", "README.txt"));
  EXPECT_THAT(text("info.txt"), Not(HasSubstr("refused")));
  EXPECT_EQ(text("linked/far/base.si4/all.pgn"), text("own.si4/all.pgn"));
  EXPECT_TRUE(exists("sub/deep/linked/base.si4/all.pgn"));
}

TEST_F(FolderScanTest, CirclesOfLinksAreFollowedOnce) {
  put_database(source_ / "sub/own");
  put_database(source_ / ".hidden/old");
  link(source_ / "sub/up", "..");
  link(source_ / "twin", "sub");
  link(source_ / "old", ".hidden");
  put_database(outside_ / "a/base");
  link(outside_ / "a/b", outside_ / "b");
  link(outside_ / "b/a", outside_ / "a");
  link(outside_ / "b/self", ".");
  link(outside_ / "b/back", source_ / "sub");
  link(source_ / "out", outside_ / "a");
  // A folder that contains the source.
  link(source_ / "whole", folder_.path());
  open_following();
  EXPECT_THAT(text("info.txt"), HasSubstr("refused: twin: shown already as sub\n"));
  EXPECT_THAT(text("sub/info.txt"), HasSubstr("refused: up: shown already: it is the source\n"));
  EXPECT_TRUE(exists("old/old.si4"));
  EXPECT_THAT(names("out"), ElementsAre("base.si4", "info.txt"));
  EXPECT_THAT(text("out/info.txt"),
              AllOf(HasSubstr("refused: b/a: shown already along the same link\n"),
                    HasSubstr("refused: b/self: shown already along the same link\n"),
                    HasSubstr("refused: b/back: shown already as sub\n")));
  EXPECT_THAT(text("whole/info.txt"),
              HasSubstr("refused: source: shown already: it is the source\n"));
  EXPECT_TRUE(exists("whole/outside/a/base.si4"));
}

// Each folder links to all others: there are as many paths as permutations of them.
TEST_F(FolderScanTest, ManyLinksToFoldersAreScannedOnce) {
  constexpr int kFolders = 30;
  const auto folder = [this](int number) { return outside_ / std::to_string(number); };
  for (int i = 0; i < kFolders; ++i) {
    put_database(folder(i) / "base");
    for (int other = 0; other < kFolders; ++other) {
      link(folder(i) / ("to" + std::to_string(other)), folder(other));
    }
  }
  link(source_ / "first", folder(0));
  const FolderScan found =
      scan_folders(source_, {.follow_links = true, .formats = source_formats()});
  EXPECT_EQ(found.files.size(), std::size_t{kFolders});
  EXPECT_EQ(found.folders.size(), std::size_t{kFolders} + 1);
}

TEST_F(FolderScanTest, FirstLinksAreNamedAndOthersCounted) {
  for (int i = 0; i < 150; ++i) link(source_ / std::to_string(i), folder_.path());
  open(source_);
  const std::string info = text("info.txt");
  EXPECT_EQ(std::ranges::count(info, '\n'), 1 + 100 + 1);
  EXPECT_THAT(info, testing::EndsWith("refused: 50 more links to folders\n"));
}

// Of each kind: databases, other directories, refused sources, links.
TEST_F(FolderScanTest, FirstSourcesOfAKindAreNamedAndOthersCounted) {
  const std::string archive =
      std::string(tests::kArchiveStart) + tests::archive_member("<FileName> a.txt\n<Size> 0\n", "");
  for (int i = 0; i < 120; ++i) {
    tests::write_file(source_ / fmt::format("{:03}.pgn", i), "*\n");
    tests::write_file(source_ / fmt::format("{:03}.scv", i), archive);
    tests::write_file(source_ / fmt::format("{:03}.si4", i), "none");
  }
  open(source_);
  const std::string info = text("info.txt");
  EXPECT_EQ(std::ranges::count(info, '\n'), 1 + 3 * (100 + 1));
  EXPECT_THAT(info, HasSubstr("\ndatabase: 099.pgn: 0.0 MB, not read yet\ndatabase: 20 more "
                              "databases\ndirectory: 000.scv: archive of 1 member"));
  EXPECT_THAT(info, HasSubstr("\ndirectory: 20 more directories\nrefused: "));
  EXPECT_THAT(info, testing::EndsWith("\nrefused: 20 more sources\n"));
}

TEST_F(FolderScanTest, LinkToFolderIsNotReportedAsUnreadable) {
  put_database(source_ / "own");
  stdfs::create_directory(outside_);
  link(source_ / "linked", outside_);
  link(source_ / "self", ".");
  std::string report;
  const Health health = check(
      source_, {.threads = 1}, [&report](std::string_view text) { report += text; },
      [](std::uint64_t, std::uint64_t) {});
  EXPECT_EQ(health, Health::Good) << report;
}

TEST_F(FolderScanTest, LinkedFolderMayBeOnAnotherFileSystem) {
  const tests::MemoryFolder elsewhere;
  put_database(elsewhere / "base");
  link(source_ / "linked", elsewhere.path());
  open_following();
  EXPECT_TRUE(exists("linked/base.si4/all.pgn"));
  put_database(elsewhere / "later", 4);
  library_->rescan();
  EXPECT_TRUE(exists("linked/later.si4/all.pgn"));
}

TEST_F(FolderScanTest, FoldersListTheirPagesOnDemand) {
  put_database(source_ / "sub" / "base");
  options_.database.pages = PagesMode::Listed;
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("sub", "info.txt", "index.html", "style.css", "board.js",
                                     "robots.txt", "icon.svg", "status.txt", "README.txt"));
  EXPECT_THAT(names("sub"), ElementsAre("base.si4", "info.txt", "index.html", "style.css",
                                        "board.js", "icon.svg"));
  options_.database.pages = PagesMode::None;
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("sub", "info.txt", "status.txt", "README.txt"));
  EXPECT_FALSE(exists("sub/index.html"));
}

}  // namespace
}  // namespace scidfs::fs
