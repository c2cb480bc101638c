// Databases that change below a library: which version is shown when.
#include "fs/library/library.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <functional>
#include <optional>
#include <set>
#include <thread>

#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using tests::ScidFiles;
using tests::ScidWriter;

// Other threads examine remote databases; the rest is the same.
class VersionsTest : public LibraryTest, public testing::WithParamInterface<Locality> {
 protected:
  VersionsTest() { options_.locality = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Sources, VersionsTest, testing::Values(Locality::Local, Locality::Remote),
                         [](const auto& locality) {
                           return locality.param == Locality::Local ? "Near" : "Far";
                         });

TEST_P(VersionsTest, RescanWithoutChangeKeepsCatalog) {
  put("a", example_database(5, 1).files());
  open(source_);
  const CatalogPtr before = library_->catalog();
  const Library::Rescan found = library_->rescan();
  EXPECT_FALSE(found.changed);
  EXPECT_FALSE(found.again);
  EXPECT_EQ(library_->catalog(), before);
}

TEST_P(VersionsTest, EditsOfScidAreShownAndOldVersionsStayReadable) {
  ScidWriter writer = example_database(20, 1);
  put("a", writer.files());
  open(source_);
  std::vector<std::pair<Inode, std::string>> versions;
  const std::vector<std::function<void()>> edits = {
      [&] { writer.add(record("e4 e5"), "White 1", "Somebody, New"); },
      [&] { writer.replace(3, record("d4 d5 c4")); },
      [&] { writer.toggle_flag(4, codec::scid::kFlagDeleted); },
      [&] { writer.set_white(5, "Another, New"); },
      [&] { writer.describe("Another description"); },
  };
  const Inode directory = inode("a.si4");
  auto time = mtime("a.si4");
  for (const auto& edit : edits) {
    versions.emplace_back(inode("a.si4/all.pgn"), text("a.si4/all.pgn"));
    edit();
    put("a", writer.files(), tests::patch);
    const Library::Rescan found = library_->rescan();
    EXPECT_TRUE(found.changed);
    EXPECT_FALSE(found.again);
    EXPECT_EQ(text("a.si4/info.txt").find("Another description") != std::string::npos,
              versions.size() >= 5);
    EXPECT_EQ(inode("a.si4"), directory);
    // Times in HTTP have whole seconds, and these edits take less than one.
    EXPECT_GT(mtime("a.si4").first, time.first);
    EXPECT_EQ(mtime("a.si4/all.pgn"), mtime("a.si4"));
    time = mtime("a.si4");
    for (const auto& [inode, text] : versions) EXPECT_EQ(*read(inode), text);
  }
  const tests::ScidDatabase now(source_ / "a");
  EXPECT_EQ(text("a.si4/games/21.pgn"), now.render_games()[20].text);
  EXPECT_EQ(text("a.si4/deleted/5.pgn"), now.render_games()[4].text);
}

TEST_P(VersionsTest, ReplacedFilesAreShownOnceAllAreReplaced) {
  const ScidFiles old = example_database(20, 1).files();
  put("a", old);
  options_.patience = std::chrono::milliseconds(0);  // for overwritten files
  open(source_);
  for (const Write write : {tests::overwrite, tests::patch, tests::replace}) {
    for (const std::uint64_t seed : {2, 1}) {
      // With the same number of games and of names, so that each file fits any of the others.
      const Inode before = inode("a.si4/all.pgn");
      const std::string text_before = text("a.si4/all.pgn");
      const ScidFiles files = example_database(20, seed).files();
      put("a", files, write);
      EXPECT_TRUE(library_->rescan().changed);
      EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
      EXPECT_NE(text("a.si4/all.pgn"), text_before);
      const absl::StatusOr<std::string> later = read(before);
      if (later.ok()) {
        EXPECT_EQ(*later, text_before);
      } else {
        EXPECT_TRUE(absl::IsFailedPrecondition(later.status())) << later.status();
      }
    }
  }
}

// Each file old, new, truncated, empty or missing.
TEST_P(VersionsTest, PartialVersionIsNotShown) {
  ScidWriter writer = example_database(20, 1);
  const ScidFiles old = writer.files();
  writer.add(record("e4 e5"), "White 1", "Somebody, New");
  writer.toggle_flag(0, codec::scid::kFlagDeleted);
  writer.compact();
  const ScidFiles whole = writer.files();
  const auto states = [](const std::string& before, const std::string& after) {
    return std::vector<std::optional<std::string>>{
        before, after, after.substr(0, after.size() / 2), after.substr(0, 1), "", std::nullopt};
  };
  const auto index_states = states(old.index, whole.index);
  const auto name_states = states(old.names, whole.names);
  const auto game_states = states(old.games, whole.games);
  const auto write = [this](const char* name, std::size_t state, const auto& bytes) {
    if (state == 0) return;
    if (bytes) {
      put(source_ / name, *bytes);
    } else {
      stdfs::remove(source_ / name);
    }
  };
  std::string text_before;
  for (std::size_t i = 0; i + 1 < index_states.size(); ++i) {
    for (std::size_t n = 0; n < name_states.size(); ++n) {
      for (std::size_t g = 0; g < game_states.size(); ++g) {
        if (i == n && n == g && i < 2) continue;
        SCOPED_TRACE(testing::Message() << i << ' ' << n << ' ' << g);
        put("a", old, tests::replace);
        open(source_);
        text_before = text("a.si4/all.pgn");
        write("a.si4", i, index_states[i]);
        write("a.sn4", n, name_states[n]);
        write("a.sg4", g, game_states[g]);
        const Library::Rescan found = library_->rescan();
        EXPECT_FALSE(found.changed);
        EXPECT_TRUE(found.again);
        const absl::StatusOr<std::string> shown = read(inode("a.si4/all.pgn"));
        EXPECT_TRUE(shown.ok() ? *shown == text_before
                               : absl::IsFailedPrecondition(shown.status()));
      }
    }
  }
  put("a", whole);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_NE(text("a.si4/all.pgn"), text_before);
}

TEST_P(VersionsTest, PartialVersionIsShownIfItStaysUnchanged) {
  put("a", example_database(20, 1).files());
  open(source_);
  const ScidFiles other = example_database(30, 2).files();
  put(source_ / "a.si4", other.index);
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/info.txt").find("games: 30"), std::string::npos);
  options_.patience = std::chrono::milliseconds(0);
  open(source_);
  put(source_ / "a.si4", example_database(20, 1).files().index);
  EXPECT_TRUE(library_->rescan().changed);
  put(source_ / "a.si4", "no index any more");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("a.si4"));
  EXPECT_THAT(text("info.txt"), testing::HasSubstr("refused: "));
  // Refused once, not repeatedly.
  EXPECT_FALSE(library_->rescan().changed);
  put("a", other);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

TEST_P(VersionsTest, NewDatabasesAreShownOnceComplete) {
  open(source_);
  const ScidFiles files = example_database(20, 1).files();
  put(source_ / "a.sg4", files.games);
  EXPECT_FALSE(library_->rescan().changed);
  put(source_ / "a.si4", files.index.substr(0, 500));
  EXPECT_TRUE(library_->rescan().again);
  put(source_ / "a.si4", files.index);
  EXPECT_TRUE(library_->rescan().again);
  put(source_ / "a.sn4", files.names.substr(0, 50));
  EXPECT_TRUE(library_->rescan().again);
  EXPECT_FALSE(exists("a.si4"));
  put(source_ / "a.sn4", files.names);
  const Library::Rescan found = library_->rescan();
  EXPECT_TRUE(found.changed);
  EXPECT_FALSE(found.again);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

TEST_P(VersionsTest, VersionBeingWrittenIsNotShown) {
  ScidWriter writer = example_database(20, 1);
  put("a", writer.files());
  open(source_);
  const std::string old = text("a.si4/all.pgn");
  writer.add(record("e4 e5"), "White 1", "Somebody, New");
  const ScidFiles files = writer.files();
  tests::patch(source_ / "a.sg4", files.games);
  tests::patch(source_ / "a.sn4", files.names);
  const auto written = std::chrono::steady_clock::now();
  tests::patch(source_ / "a.si4", files.index);
  const Library::Rescan found = library_->rescan();
  if (std::chrono::steady_clock::now() - written < std::chrono::milliseconds(40)) {
    EXPECT_TRUE(found.again);
    EXPECT_EQ(text("a.si4/all.pgn"), old);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_NE(library_->rescan().changed, found.changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

TEST_P(VersionsTest, EarlierFileTimesGiveNewVersionWithLaterTime) {
  put("a", example_database(20, 1).files());
  options_.patience = std::chrono::milliseconds(0);
  open(source_);
  const auto time = mtime("a.si4");
  const std::string old = text("a.si4/all.pgn");
  put("a", example_database(20, 2).files());
  for (const char* const name : {"a.si4", "a.sn4", "a.sg4"}) set_time(source_ / name, -1000);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_GT(mtime("a.si4"), time);
  EXPECT_NE(text("a.si4/all.pgn"), old);
  // Even the times equal those of the old files.
  struct stat before {};
  ASSERT_EQ(::stat((source_ / "a.si4").c_str(), &before), 0);
  const std::string text_before = text("a.si4/all.pgn");
  put("a", example_database(20, 3).files(), tests::overwrite);
  for (const char* const name : {"a.si4", "a.sn4", "a.sg4"}) set_time(source_ / name, -1000);
  struct stat after {};
  ASSERT_EQ(::stat((source_ / "a.si4").c_str(), &after), 0);
  EXPECT_EQ(after.st_mtim.tv_sec, before.st_mtim.tv_sec);
  EXPECT_EQ(after.st_size, before.st_size);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_NE(text("a.si4/all.pgn"), text_before);
}

TEST_P(VersionsTest, InodeNumbersBelongToOneVersion) {
  put("a", example_database(20, 1).files());
  Inode a = 0;
  Inode b = 0;
  Inode new_b = 0;
  // One version in 256 has the epoch of the one before by chance: then others are made.
  for (int attempt = 0; attempt < 5; ++attempt) {
    put("b", example_database(20, 2).files());
    open(source_);
    a = inode("a.si4/all.pgn");
    b = inode("b.si4/all.pgn");
    put("b", example_database(21, 2).files());
    EXPECT_TRUE(library_->rescan().changed);
    EXPECT_EQ(inode("a.si4/all.pgn"), a);
    new_b = inode("b.si4/all.pgn");
    EXPECT_NE(new_b, b);
    EXPECT_EQ(inode("b.si4/games"), inode("b.si4/games"));
    open(source_);
    if (inode("b.si4/all.pgn") != b) break;
  }
  EXPECT_EQ(inode("a.si4/all.pgn"), a);
  EXPECT_EQ(inode("b.si4/all.pgn"), new_b);
  // No number of the version before is left.
  const absl::StatusOr<std::string> old = read(b);
  EXPECT_TRUE(absl::IsFailedPrecondition(old.status())) << old.status();
}

TEST_P(VersionsTest, InodeNumbersAreNotReusedAndOldVersionsExpire) {
  ScidWriter writer = example_database(3, 1);
  put("a", writer.files());
  options_.index = IndexMode::None;
  open(source_);
  std::set<Inode> inodes = {inode("a.si4/games/1.pgn")};
  const Inode directory = inode("a.si4");
  constexpr std::size_t kVersions = kMaxEpoch + 100;
  for (std::size_t version = 1; version < kVersions; ++version) {
    writer.toggle_flag(1, codec::scid::kFlagDeleted);
    put("a", writer.files(), tests::patch);
    ASSERT_TRUE(library_->rescan().changed);
    ASSERT_TRUE(inodes.insert(inode("a.si4/games/1.pgn")).second) << version;
    ASSERT_EQ(exists("a.si4/games/2.pgn"), version % 2 == 0);
    // Files move to another slot when all epochs of one have been used; directories never do.
    ASSERT_EQ(inode("a.si4"), directory);
  }
  EXPECT_LE(library_->catalog()->retired().size(), options_.retired.versions);
  EXPECT_EQ(tests::shown_databases(*library_).front()->version, kVersions);
  EXPECT_FALSE(library_->let_go_retired());
  std::size_t alive = 0;
  for (const Inode inode : inodes) {
    const absl::StatusOr<std::string> found = read(inode);
    if (found.ok()) {
      ++alive;
    } else {
      EXPECT_TRUE(absl::IsFailedPrecondition(found.status()));
    }
  }
  // One of the retired ones may be the folder's, whose page counts the games.
  const std::size_t retired = library_->catalog()->retired().size();
  EXPECT_LE(alive, retired + 1);
  EXPECT_GE(alive, retired);
}

TEST_P(VersionsTest, SizesOfNewVersionAreSaved) {
  ScidWriter writer = example_database(1100, 1);
  put("a", writer.files());
  options_.database.cache_folder = folder_ / "cache";
  open(source_);
  writer.replace(7, record("e4 e5"));
  put("a", writer.files(), tests::patch);
  EXPECT_TRUE(library_->rescan().changed);
  library_->save_sizes();
  const std::string expected = text("a.si4/all.pgn");
  options_.index = IndexMode::None;
  open(source_);
  EXPECT_EQ(library_->catalog()->sizes_known(), 1100U);
  EXPECT_EQ(text("a.si4/all.pgn"), expected);
  // And with them the checksums of the game file, which is then overwritten.
  const Inode old = inode("a.si4/all.pgn");
  ScidFiles files = writer.files();
  std::swap(files.games[files.games.size() / 2], files.games[files.games.size() / 2 + 1]);
  open(source_);
  put(source_ / "a.sg4", files.games, tests::patch);
  EXPECT_TRUE(absl::IsFailedPrecondition(read(old).status()));
}

TEST_P(VersionsTest, OtherNamesOfOldRecordsAreShownAfterPatience) {
  ScidWriter writer = example_database(20, 1);
  put("a", writer.files());
  open(source_);
  const std::string old = text("a.si4/all.pgn");
  writer.rename_white(6, "Corrected");
  put("a", writer.files(), tests::patch);
  EXPECT_TRUE(library_->rescan().again);
  EXPECT_EQ(text("a.si4/all.pgn"), old);
  options_.patience = std::chrono::milliseconds(0);
  open(source_);
  EXPECT_NE(text("a.si4/all.pgn"), old);
  writer.rename_white(7, "Corrected, too");
  put("a", writer.files(), tests::patch);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
}

using FoldersTest = LibraryTest;

TEST_F(FoldersTest, AppearAndVanish) {
  put("a", example_database(5, 1).files());
  open(source_);
  const Inode a = inode("a.si4/all.pgn");
  auto time = mtime("");
  const auto changes = [&] {
    EXPECT_TRUE(library_->rescan().changed);
    EXPECT_EQ(inode("a.si4/all.pgn"), a);
    EXPECT_GT(mtime(""), time);
    time = mtime("");
  };
  stdfs::create_directories(source_ / "one/two/three");
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(library_->watched_folders().size(), 4U);
  put("one/two/three/b", example_database(5, 2).files());
  changes();
  EXPECT_EQ(text("one/two/three/b.si4/all.pgn"), decoded("one/two/three/b"));
  const Inode folder = inode("one/two");
  put("one/c", example_database(5, 3).files());
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(inode("one/two"), folder);
  EXPECT_THAT(text("one/info.txt"), testing::HasSubstr("database: c.si4: 5 games"));
  stdfs::rename(source_ / "one", source_ / "eins");
  time = mtime("");
  changes();
  EXPECT_FALSE(exists("one"));
  EXPECT_EQ(text("eins/two/three/b.si4/all.pgn"), decoded("eins/two/three/b"));
  stdfs::remove_all(source_ / "eins");
  changes();
  EXPECT_FALSE(exists("eins"));
}

TEST_F(FoldersTest, ReturnedDatabasesKeepTheirInodeNumbers) {
  put("a", example_database(5, 1).files());
  put("b", example_database(5, 2).files());
  open(source_);
  const Inode a = inode("a.si4/all.pgn");
  const std::string old = text("a.si4/all.pgn");
  stdfs::rename(source_ / "a.si4", source_ / "a.aside");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("a.si4"));
  // Programs with an open file can read on.
  EXPECT_EQ(*read(a), old);
  stdfs::rename(source_ / "a.aside", source_ / "a.si4");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), old);
  stdfs::remove(source_ / "a.si4");
  EXPECT_TRUE(library_->rescan().changed);
  const auto time = mtime("");
  put("a", example_database(6, 1).files());
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_NE(inode("a.si4/all.pgn"), a);
  EXPECT_GE(mtime(""), time);
  EXPECT_EQ(*read(a), old);
}

TEST_F(FoldersTest, RemovedDatabasesAreFreed) {
  options_.retired.versions = 0;
  for (const Locality locality : {Locality::Local, Locality::Remote}) {
    options_.locality = locality;
    put("a", example_database(5, 1).files());
    put("b", example_database(5, 2).files());
    open(source_);
    put("b", example_database(6, 3).files());
    EXPECT_TRUE(library_->rescan().changed);
    EXPECT_EQ(text("b.si4/all.pgn"), decoded("b"));
    std::weak_ptr<const Database> gone = tests::shown_databases(*library_).back()->database;
    stdfs::remove(source_ / "b.si4");
    EXPECT_TRUE(library_->rescan().changed);
    EXPECT_FALSE(exists("b.si4"));
    tree_->renew();
    EXPECT_TRUE(gone.expired());
    put("b", example_database(7, 4).files());
    EXPECT_TRUE(library_->rescan().changed);
    EXPECT_EQ(text("b.si4/all.pgn"), decoded("b"));
  }
}

TEST_F(FoldersTest, SourceThatIsBrieflyMissingStaysShown) {
  put("one/two/a", [&] {
    stdfs::create_directories(source_ / "one/two");
    return example_database(5, 1).files();
  }());
  open(source_);
  const Inode a = inode("one/two/a.si4/all.pgn");
  stdfs::rename(source_, folder_ / "aside");
  EXPECT_TRUE(library_->rescan().again);
  EXPECT_EQ(inode("one/two/a.si4/all.pgn"), a);
  stdfs::rename(folder_ / "aside", source_);
  const Library::Rescan found = library_->rescan();
  EXPECT_FALSE(found.changed);
  EXPECT_FALSE(found.again);
  options_.patience = std::chrono::milliseconds(0);
  open(source_);
  stdfs::rename(source_, folder_ / "aside");
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_FALSE(exists("one"));
  EXPECT_FALSE(library_->rescan().again);
  stdfs::rename(folder_ / "aside", source_);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(inode("one/two/a.si4/all.pgn"), a);
}

TEST_F(FoldersTest, DatabaseThatIsTheSourceStaysShown) {
  put("a", example_database(5, 1).files());
  options_.patience = std::chrono::milliseconds(0);
  open(source_ / "a.si4");
  EXPECT_THAT(library_->watched_folders(), testing::ElementsAre(source_));
  const Inode all = inode("all.pgn");
  const std::string old = text("all.pgn");
  stdfs::rename(source_, folder_ / "aside");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(inode("all.pgn"), all);
  EXPECT_EQ(text("all.pgn"), old);
  stdfs::rename(folder_ / "aside", source_);
  EXPECT_FALSE(library_->rescan().changed);
  put("a", example_database(6, 2).files(), tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("all.pgn"), decoded("a"));
  EXPECT_EQ(*read(all), old);
}

}  // namespace
}  // namespace scidfs::fs
