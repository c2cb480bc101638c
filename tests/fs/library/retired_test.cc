// Old versions, kept for their readers.
#include "fs/library/retired.h"

#include <gmock/gmock.h>

#include "fs/library/folder_snapshot.h"

namespace scidfs::fs {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

class Heavy : public FolderSnapshot {
 public:
  explicit Heavy(std::uint64_t memory) : FolderSnapshot({}, {}), memory_(memory) {}
  std::uint64_t memory() const override { return memory_; }

 private:
  const std::uint64_t memory_;
};

MountedVersionPtr version(std::uint16_t epoch, std::uint64_t memory) {
  auto shown = std::make_shared<MountedVersion>();
  shown->path = "base.si4";
  shown->slot = shown->file_slot = 7;
  shown->epoch = epoch;
  shown->snapshot = std::make_shared<Heavy>(memory);
  return shown;
}

// Ten million games use 400 MB: two old versions of them fit into the promised memory.
TEST(RetiredVersions, AreKeptWithinBudgetOfMemory) {
  RetiredVersions retired;
  const RetiredVersions::Budget budget{.bytes = 1024 * kMiB, .versions = 100};
  retired.add(version(1, 400 * kMiB));
  retired.add(version(2, 400 * kMiB));
  EXPECT_FALSE(retired.let_go(budget));
  EXPECT_NE(retired.find({7, 1}), nullptr);
  EXPECT_NE(retired.find({7, 2}), nullptr);
  EXPECT_EQ(retired.memory(), 800 * kMiB);
  EXPECT_EQ(retired.early().count, 0U);
}

TEST(RetiredVersions, AreEvictedBeyondBudgetAndReported) {
  RetiredVersions retired;
  for (std::uint16_t epoch = 1; epoch <= 5; ++epoch) retired.add(version(epoch, 400 * kMiB));
  EXPECT_TRUE(retired.let_go({.bytes = 1000 * kMiB, .versions = 100}));
  EXPECT_EQ(retired.size(), 2U);
  EXPECT_EQ(retired.early().count, 3U);
  EXPECT_EQ(retired.early().last, "base.si4");
  EXPECT_GT(retired.early().when, 0);
  EXPECT_FALSE(retired.let_go({.bytes = 1000 * kMiB, .versions = 100}));
}

TEST(RetiredVersions, AreBoundedInNumber) {
  RetiredVersions retired;
  for (std::uint16_t epoch = 1; epoch <= 50; ++epoch) retired.add(version(epoch, 1));
  EXPECT_TRUE(retired.let_go({.bytes = kMiB, .versions = 20}));
  EXPECT_EQ(retired.size(), 20U);
}

TEST(RetiredVersions, ExpireAfterGraceWithoutReport) {
  RetiredVersions retired;
  retired.add(version(1, 1));
  EXPECT_FALSE(retired.let_go({.bytes = kMiB, .versions = 20, .grace = std::chrono::seconds(600)}));
  EXPECT_TRUE(retired.let_go({.bytes = kMiB, .versions = 20, .grace = std::chrono::seconds(-1)}));
  EXPECT_EQ(retired.size(), 0U);
  EXPECT_EQ(retired.early().count, 0U);
}

TEST(RetiredVersions, DefaultBudgetIsPartOfMemoryAndAtMostOneGigabyte) {
  const RetiredVersions::Budget budget = RetiredVersions::default_budget();
  EXPECT_GT(budget.bytes, 0U);
  EXPECT_LE(budget.bytes, 1024 * kMiB);
  EXPECT_GE(budget.versions, 16U);
  EXPECT_EQ(budget.grace, std::chrono::minutes(10));
}

}  // namespace
}  // namespace scidfs::fs
