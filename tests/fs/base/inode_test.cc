// Inode numbers, and the numbers under which the kernel knows them.
#include "fs/base/inode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

TEST(KernelNumbers, LeadBackToTheirInodes) {
  tests::Random random(7);
  std::vector<Inode> inodes = {0, 1, ~Inode{0}, ~Inode{0} >> 1, pack({.slot = kMaxSlot})};
  while (inodes.size() < 100'000) inodes.push_back(random.next());
  for (const Inode inode : inodes) {
    EXPECT_EQ(inode_of(kernel_number(inode)), inode);
    EXPECT_EQ(kernel_number(inode_of(inode)), inode);
  }
}

TEST(KernelNumbers, OfTheMountItselfAreTheSame) {
  EXPECT_EQ(kernel_number(kRootInode), kRootInode);
  EXPECT_EQ(kernel_number(0), 0U);
}

// The kernel finds inodes by a hash of few bits, to which the high ones add little.
TEST(KernelNumbers, OfEqualPlacesDifferInTheirLowBits) {
  constexpr std::uint64_t kLow = (1U << kSlotBits) - 1;
  for (const LocalId place : {LocalId{}, LocalId{.view = 3, .entry = 9, .key = 1000}}) {
    std::set<std::uint64_t> low;
    for (std::uint16_t slot = 1; slot <= kMaxSlot; ++slot) {
      low.insert(kernel_number(pack({.slot = slot, .place = place})) & kLow);
    }
    EXPECT_EQ(low.size(), kMaxSlot);
  }
}

// Tiny PGN files side by side: few low bits are those of more than a few numbers.
TEST(KernelNumbers, OfManySmallFoldersAreSpread) {
  constexpr unsigned kBits = 20;
  std::vector<std::uint8_t> times(1U << kBits);
  for (std::uint16_t slot = 1; slot <= 30'000; ++slot) {
    for (std::uint32_t key = 0; key < 10; ++key) {
      const Inode inode = pack({.slot = slot, .epoch = 1, .place = {.key = key}});
      ++times[kernel_number(inode) % times.size()];
    }
  }
  EXPECT_LE(std::ranges::max(times), 8);
}

// Programs that read a large directory in the order of numbers read it in the order of the listing.
TEST(KernelNumbers, KeepTheOrderOfAVersion) {
  tests::Random random(8);
  for (int i = 0; i < 100'000; ++i) {
    const auto place = [&random] {
      return LocalId{.view = static_cast<std::uint8_t>(random.below(kMaxView)),
                     .entry = static_cast<std::uint8_t>(random.below(kMaxEntry + 1U)),
                     .key = static_cast<std::uint32_t>(random.below(kMaxKey))};
    };
    const auto slot = static_cast<std::uint16_t>(random.below(kMaxSlot + 1U));
    const auto epoch = static_cast<std::uint16_t>(random.below(kMaxEpoch + 1U));
    const Inode a = pack({.slot = slot, .epoch = epoch, .place = place()});
    const Inode b = pack({.slot = slot, .epoch = epoch, .place = place()});
    EXPECT_EQ(a < b, kernel_number(a) < kernel_number(b));
  }
}

}  // namespace
}  // namespace scidfs::fs
