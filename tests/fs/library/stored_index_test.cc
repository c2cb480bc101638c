// Index files: what a mount maps of them is what it would read.
#include "fs/database/stored_index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fs/file/mapped_file.h"
#include "fs/positions/save_positions.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::read_file;
using tests::ScidWriter;
using tests::write_file;

// Enough for an index file, in several blocks of which the last is not full.
constexpr std::size_t kGames = 2'500;

class StoredIndexTest : public LibraryTest {
 protected:
  StoredIndexTest() {
    options_.database.cache_folder = folder_ / "cache";
    options_.database.index_bytes = std::uint64_t{1} << 30;
    options_.database.index_games = kGames;
    ScidWriter writer = example_database(kGames, 1);
    for (std::size_t game = 0; game < kGames; game += 97)
      writer.toggle_flag(game, codec::scid::kFlagDeleted);
    put("a", writer.files());
  }
  ~StoredIndexTest() override { close(); }

  std::vector<Path> index_files() const { return cache_files(".index"); }
  std::vector<Path> cache_files(std::string_view extension) const {
    std::vector<Path> files;
    if (!std::filesystem::exists(folder_ / "cache")) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "cache")) {
      if (entry.path().extension() == extension) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
  }
  // Opens the source, and waits until there are so many index files with the bytes of all others.
  void open_until(std::size_t files) {
    open(source_);
    for (int i = 0; i < 3000 && index_files().size() != files; ++i) pause();
    ASSERT_EQ(index_files().size(), files);
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }
  bool is_stored(std::size_t number = 0) const {
    return tests::shown_databases(*library_)[number]->database->is_stored();
  }

  // What the mount shows, but for single games: texts by path, and the sizes of some games.
  std::map<std::string, std::string> shown() const {
    std::map<std::string, std::string> found;
    add_below("", 0, found);
    for (std::size_t game = 1; game <= kGames; game += 13) {
      const std::string path = "a.si4/games/" + std::to_string(game) + ".pgn";
      found[path] = exists(path) ? text(path) : "";
    }
    return found;
  }

 private:
  void add_below(const std::string& directory, int depth,
                 std::map<std::string, std::string>& found) const {
    static const std::set<std::string> kLeftOut = {"status.txt", "games",   "fens",
                                                   "tree",       "doubles", "endings"};
    constexpr int kMostDepth = 5;
    for (const std::string& name : names(directory)) {
      if (kLeftOut.contains(name)) continue;
      const std::string path = directory.empty() ? name : directory + "/" + name;
      const absl::StatusOr<Entry> entry = find(path);
      ASSERT_TRUE(entry.ok()) << path << ": " << entry.status();
      found[path] = std::to_string(entry->attributes.inode) + "\n";
      if (!entry->attributes.is_directory) {
        found[path] += text(path);
      } else if (depth < kMostDepth) {
        add_below(path, depth + 1, found);
      }
    }
  }
};

TEST_F(StoredIndexTest, MapsWhatItWouldRead) {
  options_.database.index_bytes = 0;
  open(source_);
  const std::map<std::string, std::string> expected = shown();
  EXPECT_GT(expected.size(), 300U);
  EXPECT_THAT(index_files(), IsEmpty());
  options_.database.index_bytes = std::uint64_t{1} << 30;
  open_until(1);
  EXPECT_FALSE(is_stored());
  EXPECT_EQ(shown(), expected);
  open(source_);
  EXPECT_TRUE(is_stored());
  EXPECT_EQ(shown(), expected);
  EXPECT_EQ(library_->catalog()->sizes_known(), kGames);
}

TEST_F(StoredIndexTest, OtherVersionsAndOptionsHaveOthers) {
  open_until(1);
  options_.database.show_deleted = true;
  open_until(2);
  EXPECT_FALSE(is_stored());
  const std::string all = text("a.si4/all.pgn");
  open(source_);
  EXPECT_TRUE(is_stored());
  EXPECT_EQ(text("a.si4/all.pgn"), all);
  // The bytes of the index are the same, but nothing says so any more.
  set_time(source_ / "a.si4", 1000);
  open(source_);
  EXPECT_FALSE(is_stored());
  EXPECT_EQ(text("a.si4/all.pgn"), all);
}

TEST_F(StoredIndexTest, DamagedFilesAreLeftOutAndMadeAgain) {
  open_until(1);
  const std::string expected = text("a.si4/index.tsv");
  const std::filesystem::path path = index_files()[0];
  const std::string good = read_file(path);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] ^= static_cast<char>(1 + random() % 255);
    if (random() % 3 == 0) bad.resize(random() % bad.size());
    close();
    write_file(path, bad);
    open(source_);
    ASSERT_EQ(text("a.si4/index.tsv"), expected) << i;
  }
  // A file that was found to be damaged while it was used is made again by the next mount.
  open(source_);
  const auto is_good = [&] { return std::filesystem::exists(path) && read_file(path) == good; };
  for (int i = 0; i < 3000 && !is_good(); ++i) pause();
  EXPECT_TRUE(is_good());
}

TEST_F(StoredIndexTest, CutFilesAreFoundAgain) {
  open_until(1);
  const std::map<std::string, std::string> expected = shown();
  open(source_);
  ASSERT_TRUE(is_stored());
  ASSERT_EQ(::truncate(index_files()[0].c_str(), 5000), 0);
  EXPECT_EQ(shown(), expected);
  EXPECT_TRUE(MappedFile::may_show());
}

TEST_F(StoredIndexTest, FilesOfSourcesThatChangedAMomentAgoAreNotSaved) {
  using FileClock = std::filesystem::file_time_type::clock;
  const auto changed = FileClock::now() + std::chrono::milliseconds(900);
  std::filesystem::last_write_time(source_ / "a.si4", changed);
  open(source_);
  for (int i = 0; i < 20; ++i) pause();
  const std::size_t saved = index_files().size();
  if (FileClock::now() >= changed) GTEST_SKIP() << "opening took too long";
  EXPECT_EQ(saved, 0U);
}

TEST_F(StoredIndexTest, LeastRecentlyUsedFilesMakeRoom) {
  open_until(1);
  const Path first = index_files()[0];
  const std::uint64_t bytes = std::filesystem::file_size(first);
  close();
  // Files of the user have the form of ours.
  const Path mine = folder_ / "cache/0123456789abcdef.index";
  write_file(mine, std::string(100, 'x'));
  set_time(mine, 0);
  put("b", example_database(kGames, 2).files());
  std::filesystem::remove(source_ / "a.si4");
  options_.database.index_bytes = bytes * 3 / 2;
  open(source_);
  for (int i = 0; i < 3000 && std::filesystem::exists(first); ++i) pause();
  for (int i = 0; i < 3000 && index_files().size() != 2; ++i) pause();
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_TRUE(std::filesystem::exists(mine));
  EXPECT_EQ(index_files().size(), 2U);
  // There is none that would need more than all may have.
  for (const Path& file : index_files()) {
    if (file != mine) std::filesystem::remove(file);
  }
  options_.database.index_bytes = bytes / 2;
  open(source_);
  for (int i = 0; i < 20; ++i) pause();
  EXPECT_THAT(index_files(), ElementsAre(mine));
}

TEST_F(StoredIndexTest, AFileOfTheUserIsLeftAndStatusTellsOnce) {
  open_until(1);
  const Path path = index_files()[0];
  const std::string line = fmt::format(
      "\ncache folder: Cannot write {0}: {0} is no file of scidfs: not replaced\n", path.string());
  close();
  for (int mount = 0; mount < 2; ++mount) {
    write_file(path, "mine");
    open(source_);
    for (int i = 0; i < 3000 && text("status.txt").find(line) == std::string::npos; ++i) pause();
    const std::string status = text("status.txt");
    EXPECT_NE(status.find(line), std::string::npos);
    EXPECT_EQ(status.find(line), status.rfind(line));
    close();
    EXPECT_EQ(read_file(path), "mine");
  }
  write_file(path, "");
  open(source_);
  for (int i = 0; i < 3000 && std::filesystem::file_size(path) == 0; ++i) pause();
  close();
  open(source_);
  EXPECT_TRUE(is_stored());
}

// Of the two files of a version, that by which a mount begins has the room.
TEST_F(StoredIndexTest, PositionsMakeNoRoomAtTheCostOfTheIndexFile) {
  options_.index = IndexMode::None;  // nothing in the background
  const auto keep = [&](std::uint64_t room) {
    options_.database.index_bytes = room;
    open(source_);
    const auto database = tests::shown_databases(*library_)[0]->database;
    EXPECT_TRUE(database->compute_sizes(0, database->games()).ok());
    save_stored_index(*database, [] { return false; });
    keep_positions(*database, tests::unlimited_budget());
    return cache_files(".positions").size();
  };
  ASSERT_EQ(keep(std::uint64_t{1} << 30), 1U);
  ASSERT_EQ(index_files().size(), 1U);
  const std::uint64_t index = std::filesystem::file_size(index_files()[0]);
  const std::uint64_t positions = std::filesystem::file_size(cache_files(".positions")[0]);
  // Nearly enough, which shows when it has been made; and too little for any.
  for (const std::uint64_t room : {index + positions - 1, index + kGames}) {
    std::filesystem::remove(cache_files(".positions")[0]);
    EXPECT_EQ(keep(room), 0U);
    EXPECT_EQ(index_files().size(), 1U);
    EXPECT_THAT(text("status.txt"),
                HasSubstr(fmt::format("\ncache folder: index_cache has no room for the positions "
                                      "file of {} beside its index file\n",
                                      (source_ / "a.si4").string())));
    ASSERT_EQ(keep(index + positions), 1U);
  }
}

}  // namespace
}  // namespace scidfs::fs
