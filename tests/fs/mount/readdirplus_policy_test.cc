// Replies to programs that list, look up and read in typical ways.
#include "fs/mount/readdirplus_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace scidfs::fs {
namespace {

constexpr std::int64_t kEntriesAtOnce = 125;  // entries that the kernel requests at once

enum class Use : std::uint8_t { None, Stat, Read };

// A program and the kernel below it, which requests nothing that a listing has already returned.
class Program {
 public:
  explicit Program(ReaddirplusPolicy& advice) : advice_(advice) {}

  // Processes `directories` of `files` files each, and lists `ahead` of them before it uses the
  // files of the first.
  void walk(std::int64_t directories, std::int64_t files, Use use, std::size_t ahead = 1) {
    std::vector<std::int64_t>
        listed;  // number of files listed by name alone, for each listed directory
    for (std::int64_t i = 0; i < directories; ++i) {
      listed.push_back(list(files));
      if (listed.size() < ahead && i + 1 < directories) continue;
      for (const std::int64_t names : listed) look(names, files, use);
      listed.clear();
    }
  }

  std::int64_t with_attributes() const { return with_attributes_; }
  std::int64_t lookups() const { return lookups_; }

 private:
  std::int64_t list(std::int64_t files) {
    std::int64_t names = 0;
    for (std::int64_t i = 0; i < files; i += kEntriesAtOnce) {
      const std::int64_t entries = std::min(kEntriesAtOnce, files - i);
      if (advice_.with_attributes()) {
        advice_.listed(entries);
        with_attributes_ += entries;
      } else {
        names += entries;
      }
    }
    return names;
  }

  void look(std::int64_t names, std::int64_t files, Use use) {
    if (use == Use::None) return;
    lookups_ += names;
    for (std::int64_t i = 0; i < names; ++i) advice_.used();
    for (std::int64_t i = 0; use == Use::Read && i < files; ++i) advice_.used();
  }

  ReaddirplusPolicy& advice_;
  std::int64_t with_attributes_ = 0;
  std::int64_t lookups_ = 0;
};

TEST(ReaddirplusPolicy, ListingAloneGetsNames) {
  for (const std::int64_t files : {1, 2, 100, 1000}) {
    ReaddirplusPolicy advice;
    Program find(advice);
    find.walk(10'000'000 / files, files, Use::None);
    EXPECT_GE(find.with_attributes(), ReaddirplusPolicy::kStart);
    EXPECT_LT(find.with_attributes(), ReaddirplusPolicy::kStart + kEntriesAtOnce) << files;
  }
}

TEST(ReaddirplusPolicy, ReaderOfListedFilesNeedsNoLookups) {
  for (const std::size_t ahead : {1, 2, 4}) {  // as grep -r does, and rg in threads
    for (const std::int64_t files : {1, 2, 1000}) {
      ReaddirplusPolicy advice;
      Program grep(advice);
      grep.walk(2000, files, Use::Read, ahead);
      EXPECT_EQ(grep.lookups(), 0) << files << ", " << ahead;
    }
  }
}

TEST(ReaddirplusPolicy, ReaderAfterListingsOfNamesLooksUpOneDirectory) {
  ReaddirplusPolicy advice;
  Program(advice).walk(10'000, 1000, Use::None);
  Program grep(advice);
  grep.walk(1000, 1000, Use::Read);
  EXPECT_EQ(grep.lookups(), 1000);
}

TEST(ReaddirplusPolicy, ReaderOfAttributesLooksUpFewFiles) {
  constexpr std::int64_t kTotal = 1'000'000;
  for (const std::int64_t files : {1, 2, 100, 1000}) {
    ReaddirplusPolicy advice;
    Program ls(advice);
    ls.walk(kTotal / files, files, Use::Stat);
    EXPECT_GT(ls.lookups(), 0) << files;
    EXPECT_LE(ls.lookups(), kTotal / ReaddirplusPolicy::kWorth + 1000) << files;
  }
}

TEST(ReaddirplusPolicy, CreditFromReadersIsBounded) {
  ReaddirplusPolicy advice;
  Program(advice).walk(1000, 1000, Use::Read);
  Program find(advice);
  find.walk(10'000, 1000, Use::None);
  EXPECT_GT(find.with_attributes(), ReaddirplusPolicy::kStart);
  EXPECT_LE(find.with_attributes(),
            ReaddirplusPolicy::kMost + ReaddirplusPolicy::kWorth + kEntriesAtOnce);
}

TEST(ReaddirplusPolicy, OneLookupGivesLittleCredit) {
  ReaddirplusPolicy advice;
  Program(advice).walk(1000, 1000, Use::None);
  advice.used();
  Program find(advice);
  find.walk(1000, 1000, Use::None);
  EXPECT_LE(find.with_attributes(), ReaddirplusPolicy::kWorth + kEntriesAtOnce);
}

TEST(ReaddirplusPolicy, ThreadsExceedMaximumByLittle) {
  ReaddirplusPolicy advice;
  constexpr int kThreads = 4;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] { Program(advice).walk(100, 1000, Use::Read); });
  }
  for (std::thread& thread : threads) thread.join();
  Program find(advice);
  find.walk(1000, 1000, Use::None);
  EXPECT_LE(find.with_attributes(),
            ReaddirplusPolicy::kMost + kThreads * ReaddirplusPolicy::kWorth + kEntriesAtOnce);
}

}  // namespace
}  // namespace scidfs::fs
