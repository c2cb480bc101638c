// Inode numbers, generations, and replies while sizes are unknown.
#include "fs/tree/tree.h"

#include <gmock/gmock.h>

#include <map>
#include <string>
#include <thread>
#include <vector>

#include "cache/hash.h"
#include "fs/library/folder_snapshot.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

class TreeTest : public LibraryTest {
 protected:
  std::uint32_t generation(std::string_view path) const {
    const auto entry = find(path);
    EXPECT_TRUE(entry.ok()) << path << ": " << entry.status();
    return entry.ok() ? entry->attributes.generation : 0;
  }
};

TEST_F(TreeTest, InodeAlwaysHasTheSameGeneration) {
  put("a", example_database(5, 1).files());
  put("b", example_database(5, 2).files());
  open(source_);
  std::map<Inode, std::uint32_t> seen;
  for (const char* const path :
       {"", "a.si4", "a.si4/games", "a.si4/games/00000", "a.si4/all.pgn", "a.si4/games/1.pgn",
        "a.si4/games/00000/1.pgn", "b.si4", "b.si4/all.pgn", "info.txt", "a.si4/players"}) {
    const auto attributes = tree_->attributes(inode(path), tests::unlimited_budget());
    ASSERT_TRUE(attributes.ok()) << path;
    EXPECT_NE(attributes->generation, 0U) << path;
    const auto [known, is_new] = seen.emplace(attributes->inode, attributes->generation);
    EXPECT_EQ(known->second, attributes->generation) << path;
    if (*path != '\0') {
      EXPECT_EQ(generation(path), attributes->generation) << path;
    }
  }
}

TEST_F(TreeTest, GenerationsSurviveRemountAndDifferBetweenVersions) {
  put("a", example_database(5, 1).files());
  open(source_);
  const std::uint32_t directory = generation("a.si4/games");
  const std::uint32_t file = generation("a.si4/all.pgn");
  open(source_);
  EXPECT_EQ(generation("a.si4/games"), directory);
  EXPECT_EQ(generation("a.si4/all.pgn"), file);
  put("a", example_database(6, 2).files());
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(generation("a.si4/games"), directory);
  EXPECT_NE(generation("a.si4/all.pgn"), file);
}

// Slots are few: after a remount, another path may get one.
TEST_F(TreeTest, GenerationDiffersForOtherPathInTheSameSlot) {
  MountedVersion one;
  one.slot = one.file_slot = 3;
  one.epoch = 5;
  one.path_hash = 1;
  one.fingerprint = 10;
  one.snapshot =
      std::make_shared<FolderSnapshot>(std::vector<std::string>(), FolderSnapshot::Texts{});
  MountedVersion other = one;
  other.path_hash = 2;
  const LocalId place{.view = 1, .entry = 2, .key = 3};
  EXPECT_NE(generation_of(one, place, true), generation_of(other, place, true));
  EXPECT_NE(generation_of(one, place, false), generation_of(other, place, false));
  other = one;
  other.fingerprint = 11;
  EXPECT_EQ(generation_of(one, place, true), generation_of(other, place, true));
  EXPECT_NE(generation_of(one, place, false), generation_of(other, place, false));
}

// Before, a number had 5 bits of view, 4 of level and 32 of key, and the generation did not depend
// on the layout.
TEST_F(TreeTest, HandlesOfEarlierLayoutAreRefused) {
  const auto number_before = [](const InodeFields& node, unsigned level) {
    Inode inode = node.epoch;
    inode = inode << 15 | node.slot;
    inode = inode << 5 | (node.place.view & 31U);
    inode = inode << 4 | (level & 15U);
    return inode << 32 | node.place.key;
  };
  put("a", example_database(300, 1).files());
  stdfs::create_directory(source_ / "one");
  put("one/b", example_database(20, 2).files());
  open(source_);
  std::size_t handles = 0;
  for (const char* const path :
       {"a.si4", "one", "one/b.si4", "a.si4/all.pgn", "a.si4/index.tsv", "a.si4/games",
        "a.si4/games/1.pgn", "a.si4/players", "a.si4/eco", "info.txt", "one/info.txt",
        "a.si4/search/eco=B", "a.si4/search/eco=B/games.pgn"}) {
    const InodeFields node = unpack(inode(path));
    for (unsigned level = 0; level < 16; ++level) {
      for (const std::uint32_t key : {0U, 1U, node.place.key, 0xF0000000U | node.place.key}) {
        InodeFields before = node;
        before.place.key = key;
        const Inode number = number_before(before, level);
        const MountedVersion& shown = *library_->catalog()->find_ptr(node.slot);
        const Inode place = number & ((Inode{1} << 41) - 1);
        const std::uint64_t version = node.epoch == 0 ? 0 : shown.fingerprint;
        const std::uint64_t hash = cache::fingerprint(
            {reinterpret_cast<const char*>(&place), sizeof place}, shown.path_hash ^ version);
        const auto generation = static_cast<std::uint32_t>(hash ^ hash >> 32);
        const auto now = tree_->attributes(number, tests::unlimited_budget());
        EXPECT_FALSE(now.ok() && now->generation == generation)
            << path << ' ' << level << ' ' << key;
        ++handles;
      }
    }
  }
  EXPECT_GT(handles, 500U);
}

TEST_F(TreeTest, EachLookupOfStatusFindsANewFile) {
  constexpr unsigned kKept = 64;
  put("a", example_database(5, 1).files());
  open(source_);
  const auto first = find("status.txt");
  ASSERT_TRUE(first.ok());
  const Attributes& attributes = first->attributes;
  EXPECT_EQ(attributes.inode, pack({.place = {.entry = 1, .key = 1}}));
  EXPECT_EQ(attributes.generation, 1U);
  EXPECT_GE(attributes.mtime.seconds, mtime("info.txt").first);
  EXPECT_FALSE(first->name_is_stable);
  EXPECT_TRUE(first->attributes_are_stable);
  const std::string said = *read(attributes.inode);
  EXPECT_EQ(said.size(), attributes.size);
  const auto again = tree_->attributes(attributes.inode, tests::unlimited_budget());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->generation, attributes.generation);
  EXPECT_EQ(again->mtime, attributes.mtime);
  for (unsigned number = 2; number <= kKept; ++number) {
    EXPECT_EQ(find("status.txt")->attributes.generation, number);
  }
  EXPECT_EQ(*read(attributes.inode), said);
  EXPECT_TRUE(exists("status.txt"));
  EXPECT_TRUE(absl::IsFailedPrecondition(read(attributes.inode).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      tree_->read(attributes.inode, 0, 1, tests::unlimited_budget()).status()));
  EXPECT_FALSE(exists("a.si4/status.txt"));
}

TEST_F(TreeTest, EmptyFilesOfTheRootAreFoundButNotListed) {
  put("a", example_database(5, 1).files());
  open(source_);
  EXPECT_THAT(names(""),
              testing::ElementsAre("a.si4", "info.txt", "index.html", "status.txt", "README.txt"));
  std::uint32_t key = 0;
  for (const char* const name : {".trackerignore", ".nomedia"}) {
    const auto entry = find(name);
    ASSERT_TRUE(entry.ok()) << name;
    EXPECT_EQ(entry->attributes.inode, pack({.place = {.entry = 2, .key = key++}})) << name;
    EXPECT_EQ(entry->attributes.generation, kInodeLayout) << name;
    EXPECT_EQ(mtime(name), mtime("info.txt")) << name;
    EXPECT_TRUE(entry->name_is_stable) << name;
    EXPECT_EQ(text(name), "") << name;
  }
  const Inode none = pack({.place = {.entry = 2, .key = key}});
  EXPECT_TRUE(absl::IsNotFound(tree_->attributes(none, tests::unlimited_budget()).status()));
}

// A listing may begin anywhere; the files of the mount itself come last.
TEST_F(TreeTest, ListsTheRootFromAnyPosition) {
  put("a", example_database(5, 1).files());
  open(source_);
  std::vector<std::string> listed;
  std::uint64_t position = 0;
  bool is_over = false;
  while (!is_over) {
    is_over = true;
    const absl::Status status = tree_->list(kRootInode, position, tests::unlimited_budget(),
                                            [&](const DirectoryEntry& entry) {
                                              listed.emplace_back(entry.name);
                                              position = entry.next;
                                              is_over = false;
                                              return false;
                                            });
    ASSERT_TRUE(status.ok()) << status;
  }
  EXPECT_THAT(listed,
              testing::ElementsAre("a.si4", "info.txt", "index.html", "status.txt", "README.txt"));
  EXPECT_EQ(position, (std::uint64_t{1} << 40) + 2);
}

TEST_F(TreeTest, NamesAreListedBeforeSizesAreKnown) {
  put("a", example_database(3000, 1).files());
  options_.index = IndexMode::None;
  open(source_);
  EXPECT_THAT(names("a.si4"), Contains("all.pgn"));
  EXPECT_THAT(names("a.si4"), Contains("errors.tsv"));
  const Inode directory = inode("a.si4");
  // Too much for a limited budget: refused before any work.
  EXPECT_TRUE(
      absl::IsUnavailable(tree_->lookup(directory, "all.pgn", WorkBudget::limited(2000)).status()));
  EXPECT_EQ(library_->catalog()->sizes_known(), 0U);
  EXPECT_TRUE(absl::IsCancelled(
      tree_->lookup(directory, "all.pgn", WorkBudget::unlimited([] { return true; })).status()));
  // Exact once it is reported.
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_EQ(library_->catalog()->sizes_known(), 3000U);
  EXPECT_TRUE(tree_->lookup(directory, "all.pgn", WorkBudget::limited(0)).ok());
}

TEST_F(TreeTest, InfoChangesWhenLastSizeIsKnown) {
  put("a", example_database(300, 1).files());
  options_.index = IndexMode::None;
  open(source_);
  std::atomic<int> news = 0;
  library_->on_news([&news] { ++news; });
  const auto entry = find("a.si4/info.txt");
  ASSERT_TRUE(entry.ok());
  EXPECT_FALSE(entry->name_is_stable);
  const Inode old = entry->attributes.inode;
  const std::string said = *read(old);
  EXPECT_THAT(said, HasSubstr("damaged games: not counted yet"));
  const auto time = mtime("a.si4");
  const auto file_time = mtime("a.si4/all.pgn");  // all sizes are known now
  EXPECT_EQ(news, 1);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_GT(mtime("a.si4"), time);
  EXPECT_EQ(mtime("a.si4/all.pgn"), file_time);
  EXPECT_THAT(tree_->renew(), Contains(inode("a.si4")));
  EXPECT_TRUE(find("a.si4/info.txt")->name_is_stable);
  EXPECT_NE(inode("a.si4/info.txt"), old);
  EXPECT_THAT(text("a.si4/info.txt"), HasSubstr("damaged games: 0"));
  // The bytes of the old number never change.
  EXPECT_EQ(*read(old), said);
  EXPECT_FALSE(library_->rescan().changed);
  library_->on_news(nullptr);
}

TEST_F(TreeTest, SizesKnownBeforeTheMountAreNotNews) {
  put("a", example_database(300, 1).files());
  open(source_);
  library_->on_news([] { ADD_FAILURE() << "news"; });
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_TRUE(find("a.si4/info.txt")->name_is_stable);
  library_->on_news(nullptr);
}

TEST_F(TreeTest, ManyFoldersAreShown) {
  constexpr int kFolders = 1500;
  for (int i = 0; i < kFolders; ++i) {
    stdfs::create_directories(source_ / ("folder" + std::to_string(i)));
    put("folder" + std::to_string(i) + "/base", example_database(1, 1).files());
  }
  options_.index = IndexMode::None;
  open(source_);
  EXPECT_EQ(library_->catalog()->databases(), std::size_t{kFolders});
  EXPECT_EQ(names("").size(), std::size_t{kFolders} + 4);
  EXPECT_EQ(text("folder1499/base.si4/games/1.pgn"), decoded("folder1499/base"));
  EXPECT_FALSE(library_->rescan().changed);
}

}  // namespace
}  // namespace scidfs::fs
