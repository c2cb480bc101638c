// Whether a directory is listed with attributes or by names alone.
//
// With attributes, a program that goes on to look into the files asks no more for their names: one
// request for each file saved. But each entry then costs the kernel an inode (1.1 KiB) and us the
// file's size, for nothing if only names were wanted: `find -name` over 10 million games.
//
// The kernel does not say who lists what for. So attributes are paid for: each entry listed with
// them costs 1, each file that somebody uses earns kWorth, and where nothing is left names must do.
// Programs that read what they list (grep -r, cp -r, rg, which lists ahead in several threads) earn
// more than they spend. Those that list and go spend the start and get names from then on. Those
// that only stat (ls -lR, du) are not seen while they get attributes; when these are spent each of
// their stats is a lookup and earns, so that they ask for one file in kWorth.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scidfs::fs {

// Thread-safe. One for a whole mount: whoever uses files earns for everybody who lists.
class ReaddirplusPolicy {
 public:
  static constexpr std::int64_t kStart = 4000;
  static constexpr std::int64_t kWorth = 64;
  // Bounds what is listed in vain after a program that used files. Not less than kWorth for each
  // file of a large directory: one looked up file by file is to be worth 64 others.
  static constexpr std::int64_t kMost = kWorth * 1000;

  bool with_attributes() const { return left_.load(std::memory_order_relaxed) > 0; }

  // That many files were listed with attributes.
  void listed(std::int64_t files) { left_.fetch_sub(files, std::memory_order_relaxed); }

  // A file was looked up, or the reading of one begun. Threads that do so at once may exceed kMost
  // by kWorth each.
  void used() { earn(kWorth); }
  // So many files of a directory were read, for most of which nobody had to ask.
  void used_unasked(std::size_t files) { earn(static_cast<std::int64_t>(files) * kWorth); }

 private:
  void earn(std::int64_t worth) {
    if (left_.load(std::memory_order_relaxed) < kMost) {
      left_.fetch_add(worth, std::memory_order_relaxed);
    }
  }

  std::atomic<std::int64_t> left_ = kStart;
};

}  // namespace scidfs::fs
