// Saved sizes of tables: the next mount lists them without making one, and believes no wrong one.
#include "fs/views/listed_sizes.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

// Enough to be worth it.
constexpr std::size_t kGamesWithSizes = 10'100;

class ListedSizesTest : public LibraryTest {
 protected:
  ListedSizesTest() {
    options_.database.cache_folder = folder_ / "cache";
    options_.database.index_bytes = std::uint64_t{1} << 30;
    put("a", example_database(kGamesWithSizes, 1).files());
  }
  ~ListedSizesTest() override { close(); }

  const ListedSizes* saved() const {
    return tests::shown_databases(*library_).front()->views->listed_sizes.get();
  }
  // Opens the source and waits until the last table has a saved size.
  void open_until_saved() {
    open(source_);
    ASSERT_NE(saved(), nullptr);
    for (int i = 0; i < 3000 && !saved()->find(kSetPage).has_value(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ASSERT_TRUE(saved()->find(kSetPage).has_value());
  }
  // Opens a source without the thread that makes tables: has_saved() tells what was saved before.
  void open_idle(const Path& source) {
    const IndexMode mode = std::exchange(options_.index, IndexMode::None);
    open(source);
    options_.index = mode;
  }
  bool has_saved() const { return saved()->find(kSetYears).has_value(); }
  // The sizes that a listing finds without any work.
  std::map<std::string, std::uint64_t> free_sizes() const {
    std::map<std::string, std::uint64_t> sizes;
    const Inode directory = inode("a.si4");
    for (const char* const name : kNames) {
      const absl::StatusOr<Entry> entry =
          tree_->lookup(directory, name, WorkBudget::limited(0), UnknownSize::IsLeftOut);
      if (entry.ok() && entry->has_size) sizes[name] = entry->attributes.size;
    }
    return sizes;
  }

  static constexpr std::array kNames = {"summary.txt", "players.tsv", "openings.tsv", "years.tsv",
                                        "index.html"};
};

TEST_F(ListedSizesTest, TheNextMountListsWithoutMakingATable) {
  options_.database.cache_folder.clear();
  open(source_);
  EXPECT_EQ(saved(), nullptr);
  std::map<std::string, std::uint64_t> expected;
  for (const char* const name : kNames) expected[name] = text(std::string("a.si4/") + name).size();

  options_.database.cache_folder = folder_ / "cache";
  open_until_saved();
  open(source_);
  EXPECT_EQ(free_sizes(), expected);
  // The texts have these sizes, and text() compares them with their attributes.
  for (const char* const name : kNames) {
    EXPECT_EQ(text(std::string("a.si4/") + name).size(), expected[name]) << name;
  }
}

TEST_F(ListedSizesTest, OtherVersionsAndOptionsHaveTheirOwn) {
  open_until_saved();
  options_.database.show_deleted = true;
  open_idle(source_);
  EXPECT_FALSE(has_saved());
  open_until_saved();
  options_.database.show_deleted = false;
  open_idle(source_);
  EXPECT_TRUE(has_saved());
  set_time(source_ / "a.si4", 1000);
  open_idle(source_);
  EXPECT_FALSE(has_saved());
  // Titles have the name that the mount shows: a single database has that of its file.
  open_until_saved();
  open_idle(source_ / "a.si4");
  EXPECT_FALSE(has_saved());
}

TEST_F(ListedSizesTest, AWrongSizeIsAnErrorOnce) {
  open_until_saved();
  const std::string years = text("a.si4/years.tsv");
  saved()->add({{kSetYears, years.size() + 1}});
  open(source_);
  const Inode wrong = inode("a.si4/years.tsv");
  EXPECT_EQ(find("a.si4/years.tsv")->attributes.size, years.size() + 1);
  EXPECT_TRUE(absl::IsDataLoss(tree_->read(wrong, 0, 100, tests::unlimited_budget()).status()));
  EXPECT_EQ(text("a.si4/years.tsv"), years);
  open(source_);
  EXPECT_EQ(text("a.si4/years.tsv"), years);
}

}  // namespace
}  // namespace scidfs::fs
