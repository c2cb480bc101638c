// Decides whether a directory is listed with attributes or only by names.
//
// With attributes, a program that then reads the files looks up no names: that saves one request
// for each file. But each entry costs the kernel an inode (1.1 KiB) and scidfs the computation of
// the size, which is wasted if the program needs only names: `find -name` over 10 million games.
//
// The kernel does not say what a listing is for. So attributes are paid for from a balance. Each
// entry listed with them costs 1, each file that a program uses earns kWorth, and with no balance
// left listings have only names. Programs that read what they list (grep -r, cp -r, rg, which lists
// ahead in several threads) earn more than they spend. Those that only list use up the initial
// balance and get names from then on. Those that only stat (ls -lR, du) send no requests while they
// get attributes; when the balance is spent, each stat is a lookup and earns, so they send a
// request for one file in kWorth.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace scidfs::fs {

// The balance of a whole mount: programs that use files earn for all that list. Thread-safe.
class ReaddirplusPolicy {
 public:
  static constexpr std::int64_t kStart = 4000;
  static constexpr std::int64_t kWorth = 64;
  // Limits the attributes wasted after a program that used files. At least kWorth for each file of
  // a large directory: one file looked up is worth 64 others.
  static constexpr std::int64_t kMost = kWorth * 1000;

  bool with_attributes() const { return left_.load(std::memory_order_relaxed) > 0; }

  // Notes files listed with attributes.
  void listed(std::int64_t files) { left_.fetch_sub(files, std::memory_order_relaxed); }

  // Notes the lookup of a file or the start of a read. Threads that do so at once may exceed kMost
  // by kWorth each.
  void used() { earn(kWorth); }
  // Notes files of a directory that a program read, most of them without a request.
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
