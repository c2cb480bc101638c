// Rescans of changed files only: which files are examined, and that no change is missed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "fs/library/folder_watch.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using tests::ScidWriter;

// How often files of databases were examined.
std::atomic<int> looks = 0;

SourceStamps counted_stamps(const stdfs::path& path) {
  ++looks;
  return source_formats().front().stamps(path);
}

class ScopedRescanTest : public LibraryTest {
 protected:
  ScopedRescanTest() {
    format_.stamps = &counted_stamps;
    options_.formats = SourceFormats(&format_, 1);
  }
  Library::Rescan rescan_paths(std::map<std::string, bool, std::less<>> paths,
                               bool has_folders = false) {
    looks = 0;
    return library_->rescan(
        {.is_all = false, .has_folders = has_folders, .paths = std::move(paths)});
  }

  SourceFormat format_ = source_formats().front();
};

TEST_F(ScopedRescanTest, OnlyNamedDatabaseIsExamined) {
  constexpr int kMany = 500;
  for (int i = 0; i < kMany; ++i) put(source_ / fmt::format("empty{}.si4", i), "");
  ScidWriter writer = example_database(5, 1);
  put("a", writer.files());
  put("b", writer.files());
  open(source_);
  EXPECT_FALSE(library_->rescan().changed);
  writer.add(record("e4 e5"), "White 1", "New");
  put("a", writer.files(), tests::patch);
  put("b", writer.files(), tests::patch);
  const Inode b = inode("b.si4/all.pgn");
  const Library::Rescan found = rescan_paths({{"a.si4", false}});
  EXPECT_TRUE(found.changed);
  EXPECT_FALSE(found.has_names);
  EXPECT_LE(looks, 2);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_EQ(inode("b.si4/all.pgn"), b) << "nobody has said anything of it";
  EXPECT_TRUE(rescan_paths({{"b.si4", false}}).changed);
  EXPECT_EQ(text("b.si4/all.pgn"), decoded("b"));
  EXPECT_THAT(text("info.txt"), testing::HasSubstr("b.si4: 6 games"));
  // A touched file without changes causes no new catalog.
  const CatalogPtr before = library_->catalog();
  put(source_ / "empty7.si4", "");
  EXPECT_FALSE(rescan_paths({{"empty7.si4", false}}).changed);
  EXPECT_LE(looks, 2);
  EXPECT_EQ(library_->catalog(), before);
}

TEST_F(ScopedRescanTest, AddedAndRemovedFilesAreFoundByName) {
  put("b", example_database(5, 1).files());
  stdfs::create_directories(source_ / "one/two");
  open(source_);
  for (const std::string name : {"a", "c", "one/a", "one/two/a", "one/two/b"}) {
    put(name, example_database(6, 2).files());
    const Library::Rescan found = rescan_paths({{name + ".si4", false}});
    EXPECT_TRUE(found.changed) << name;
    EXPECT_FALSE(found.has_names) << name;
    EXPECT_EQ(text(name + ".si4/all.pgn"), decoded(name));
  }
  // The same result as a scan of everything, in the same order.
  const std::vector<std::string> named = names("");
  const std::string info = text("info.txt");
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(names(""), named);
  for (const std::string name : {"one/two/b", "a", "one/two/a", "one/a"}) {
    stdfs::remove(source_ / (name + ".si4"));
    EXPECT_TRUE(rescan_paths({{name + ".si4", false}}).changed) << name;
    EXPECT_FALSE(exists(name + ".si4"));
  }
  EXPECT_FALSE(exists("one")) << "nothing is left in it";
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_THAT(names(""), testing::ElementsAre("b.si4", "c.si4", "info.txt", "index.html",
                                              "status.txt", "README.txt"));
}

TEST_F(ScopedRescanTest, OnlyNewFilesOfRelistedFolderAreExamined) {
  put("a", example_database(5, 1).files());
  open(source_);
  EXPECT_FALSE(library_->rescan().changed);
  stdfs::create_directories(source_ / "one/two");
  put("one/two/b", example_database(6, 2).files());
  const Library::Rescan found = rescan_paths({{"one", false}}, true);
  EXPECT_TRUE(found.changed);
  EXPECT_TRUE(found.has_names);
  EXPECT_LE(looks, 2);
  EXPECT_EQ(text("one/two/b.si4/all.pgn"), decoded("one/two/b"));
  EXPECT_THAT(library_->watched_folders(), testing::SizeIs(3));
  // By name alone too, without the information that it is a folder.
  stdfs::rename(source_ / "one", source_ / "eins");
  EXPECT_TRUE(rescan_paths({{"one", false}, {"eins", false}}).has_names);
  EXPECT_FALSE(exists("one"));
  EXPECT_EQ(text("eins/two/b.si4/all.pgn"), decoded("eins/two/b"));
}

TEST_F(ScopedRescanTest, CompanionFilesMayDifferInCase) {
  ScidWriter writer = example_database(5, 1);
  put("a", writer.files());
  stdfs::rename(source_ / "a.si4", source_ / "a.SI4");
  open(source_);
  writer.add(record("e4 e5"), "White 1", "New");
  stdfs::rename(source_ / "a.SI4", source_ / "a.si4");
  put("a", writer.files(), tests::patch);
  const std::string saved = decoded("a");
  stdfs::rename(source_ / "a.si4", source_ / "a.SI4");
  // Reports events of a.sg4.
  EXPECT_TRUE(rescan_paths({{"a.si4", false}}).changed);
  EXPECT_EQ(text("a.SI4/all.pgn"), saved);
}

TEST_F(ScopedRescanTest, PartialVersionIsReexaminedUntilComplete) {
  ScidWriter writer = example_database(5, 1);
  put("a", writer.files());
  open(source_);
  writer.add(record("e4 e5"), "White 1", "New");
  put(source_ / "a.sg4", writer.files().games, tests::patch);
  const Library::Rescan half = rescan_paths({{"a.si4", false}});
  EXPECT_TRUE(half.again);
  EXPECT_THAT(half.unfinished, testing::ElementsAre("a.si4"));
  put("a", writer.files(), tests::patch);
  const Library::Rescan whole = rescan_paths({{"another.si4", false}});
  EXPECT_TRUE(whole.changed);
  EXPECT_THAT(whole.unfinished, testing::IsEmpty());
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

TEST_F(ScopedRescanTest, OverwrittenDatabaseIsLostUntilTheNextVersionIsShown) {
  ScidWriter writer = example_database(20, 1);
  const tests::ScidFiles old = writer.files();
  put("a", old);
  open(source_);
  writer.add(record("e4 e5"), "White 1", "New");
  put(source_ / "a.sg4", writer.files().games, tests::patch);
  EXPECT_THAT(rescan_paths({{"a.si4", false}}).unfinished, testing::ElementsAre("a.si4"));
  EXPECT_THAT(rescan_paths({{"a.si4", false}}).lost, testing::IsEmpty())
      << "a program that has added a game takes nothing away";
  for (const tests::ScidFiles& files : {example_database(30, 2).files(), old}) {
    put(source_ / "a.sg4", files.games.substr(0, files.games.size() / 2), tests::overwrite);
    EXPECT_THAT(rescan_paths({{"a.si4", false}}).lost, testing::ElementsAre("a.si4"));
    put(source_ / "a.sg4", files.games, tests::overwrite);
    const bool is_back = files.games == old.games;
    EXPECT_EQ(rescan_paths({{"a.si4", false}}).lost.empty(), is_back);
  }
  put("a", example_database(30, 2).files(), tests::replace);
  const Library::Rescan whole = rescan_paths({{"a.si4", false}});
  EXPECT_TRUE(whole.changed);
  EXPECT_THAT(whole.lost, testing::IsEmpty());
}

TEST_F(ScopedRescanTest, QuietDatabaseIsShownDespiteRecentTimes) {
  ScidWriter writer = example_database(5, 1);
  put("a", writer.files());
  open(source_);
  writer.add(record("e4 e5"), "White 1", "New");
  tests::patch(source_ / "a.si4", writer.files().index);
  tests::patch(source_ / "a.sn4", writer.files().names);
  tests::patch(source_ / "a.sg4", writer.files().games);
  for (const char* const name : {"a.si4", "a.sn4", "a.sg4"}) {
    // Like a file system with times of whole seconds.
    const auto now = stdfs::file_time_type::clock::now();
    stdfs::last_write_time(source_ / name, std::chrono::floor<std::chrono::seconds>(now));
  }
  EXPECT_TRUE(rescan_paths({{"a.si4", false}}).again);
  EXPECT_TRUE(rescan_paths({{"a.si4", true}}).changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

// The kernel reports only the name by which a file was written.
TEST_F(ScopedRescanTest, LinkedFilesAreExaminedWithEveryChange) {
  ScidWriter writer = example_database(5, 1);
  put("a", writer.files());
  put("c", writer.files());
  stdfs::create_directory(source_ / "one");
  for (const std::string extension : {".si4", ".sn4", ".sg4"}) {
    stdfs::create_symlink("../a" + extension, source_ / ("one/link" + extension));
    stdfs::create_hard_link(source_ / ("c" + extension), source_ / ("one/hard" + extension));
  }
  open(source_);
  writer.add(record("e4 e5"), "White 1", "New");
  put("a", writer.files(), tests::patch);
  put("c", writer.files(), tests::patch);
  EXPECT_TRUE(rescan_paths({{"a.si4", false}, {"c.si4", false}}).changed);
  EXPECT_EQ(text("one/link.si4/all.pgn"), decoded("a"));
  EXPECT_EQ(text("one/hard.si4/all.pgn"), decoded("a"));
}

TEST_F(ScopedRescanTest, EventsOfFilesNameTheirShownPaths) {
  options_.formats = source_formats();
  stdfs::create_directory(source_ / "one");
  open(source_);
  const auto path_of = [this](const stdfs::path& folder, const std::string& name,
                              bool is_folder = false) -> std::string {
    PendingChanges::ChangeEvent sign;
    const bool any =
        library_->signs_of({.folder = folder, .name = name, .is_folder = is_folder}, sign);
    return any ? sign.path : "nothing";
  };
  EXPECT_EQ(path_of(source_, "a.si4"), "a.si4");
  EXPECT_EQ(path_of(source_, "a.sg4"), "a.si4");
  EXPECT_EQ(path_of(source_ / "one", "b.c.sn5"), "one/b.c.si5");
  EXPECT_EQ(path_of(source_ / "one", "x_0.kob"), "one/x.kob");
  EXPECT_EQ(path_of(source_ / "one", "x_12.kob"), "one/x.kob");
  EXPECT_EQ(path_of(source_ / "one", "x.kin"), "one/x.kob");
  EXPECT_EQ(name_of_whole(source_formats(), "X_12.KOB"), "X.kob");
  EXPECT_EQ(path_of(source_ / "one", "x.scv"), "one/x.scv");
  EXPECT_EQ(path_of(source_ / "one", "two", true), "one/two");
  EXPECT_EQ(path_of(source_ / "one", ""), "one");
  EXPECT_EQ(path_of(source_, ""), "");
  EXPECT_EQ(path_of({}, ""), "");
  EXPECT_EQ(path_of(source_, "A.SG4"), "");
  EXPECT_EQ(path_of(source_ / "one", "A.PGN.gz"), "one/A.PGN.gz");
  EXPECT_EQ(path_of(source_ / "one", "A.PGN"), "one/A.PGN");
  EXPECT_EQ(path_of(source_, "notes.txt"), "nothing");
  EXPECT_EQ(path_of(source_, "NOTES.TXT"), "nothing");
  put("a", example_database(5, 1).files());
  open(source_ / "a.si4");
  EXPECT_EQ(path_of(source_, "a.sg4"), "a.si4");
  EXPECT_EQ(path_of(source_, "b.sg4"), "nothing");
  EXPECT_EQ(path_of(source_, "one", true), "nothing");
  stdfs::rename(source_ / "a.si4", source_ / "A.SI4");
  open(source_ / "A.SI4");
  EXPECT_EQ(path_of(source_, "a.sg4"), "nothing");
  EXPECT_EQ(path_of(source_, "A.SG4"), "A.SI4");
  EXPECT_EQ(tree_->query(kRootInode, "all.pgn")->path, "A.SI4");
}

TEST_F(ScopedRescanTest, LinksToFoldersAreAddedAndRemoved) {
  options_.formats = source_formats();
  options_.follow_links = true;
  const tests::TemporaryFolder elsewhere;
  put("a", example_database(5, 1).files());
  stdfs::create_directory(elsewhere / "copy");
  put((elsewhere / "copy/a").string(), example_database(5, 1).files());
  open(source_);
  stdfs::create_directory_symlink(elsewhere / "copy", source_ / "there");
  stdfs::create_directory_symlink(source_, source_ / "round");
  EXPECT_TRUE(rescan_paths({{"there", false}, {"round", false}}).has_names);
  EXPECT_EQ(text("there/a.si4/all.pgn"), decoded("a"));
  EXPECT_THAT(text("info.txt"), testing::HasSubstr("refused: round: shown already"));
  // Events of removed names do not say whether they were links.
  PendingChanges::ChangeEvent sign;
  EXPECT_TRUE(library_->signs_of({.folder = source_, .name = "there", .is_arrival = true}, sign));
  EXPECT_EQ(sign.path, "there");
  EXPECT_TRUE(sign.is_uncertain);
  EXPECT_FALSE(library_->pending_changes().note(sign));
  EXPECT_FALSE(library_->pending_changes().concerns({.path = "there"}));
  for (const char* const name : {"there", "round"}) {
    EXPECT_FALSE(rescan_paths({{name, false}, {"notes", false}}).changed) << name;
    stdfs::remove(source_ / name);
    EXPECT_TRUE(rescan_paths({{name, false}}).changed) << name;
  }
  EXPECT_FALSE(exists("there"));
  EXPECT_FALSE(rescan_paths({{"notes", false}}).has_names);
}

TEST_F(ScopedRescanTest, RequestsNameThePathsThatTheyDependOn) {
  using Topic = PendingChanges::Request::About;
  stdfs::create_directory(source_ / "one");
  put("a", example_database(5, 1).files());
  put("one/b", example_database(5, 2).files());
  open(source_);
  const auto ask = [this](std::string_view directory, std::string_view name) {
    return tree_->query(inode(directory), name);
  };
  EXPECT_EQ(ask("", "a.si4")->path, "a.si4");
  EXPECT_EQ(ask("one", "b.si4")->path, "one/b.si4");
  EXPECT_EQ(ask("", "one")->path, "one");
  EXPECT_FALSE(ask("", "a.si4")->is_missing);
  EXPECT_EQ(ask("one", "new.si4")->path, "one/new.si4");
  EXPECT_TRUE(ask("one", "new.si4")->is_missing);
  EXPECT_FALSE(ask("one", ".hidden")->is_missing);
  EXPECT_EQ(ask("one", "info.txt")->about, Topic::Contents);
  EXPECT_EQ(ask("one", "info.txt")->path, "one");
  EXPECT_EQ(ask("one", "")->about, Topic::Listing);
  EXPECT_FALSE(ask("", "status.txt").has_value());
  EXPECT_EQ(ask("a.si4", "games")->about, Topic::Path);
  // Below that, no request is needed while nothing has changed.
  EXPECT_FALSE(ask("a.si4/games", "1.pgn").has_value());
  library_->pending_changes().note({.path = "one/b.si4"});
  EXPECT_EQ(ask("a.si4/games", "1.pgn")->path, "a.si4");
  EXPECT_FALSE(library_->pending_changes().concerns(*ask("a.si4/games", "1.pgn")));
  EXPECT_TRUE(library_->pending_changes().concerns(*ask("one/b.si4/games", "1.pgn")));
}

}  // namespace
}  // namespace scidfs::fs
