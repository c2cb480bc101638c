// Commands to a remote folder, and its counters: the file that tests/support/remote_fs.cc shares
// with the program that started it. Words of 8 bytes in the byte order of the machine, which Python
// reads too (tests/bench/bench_network.py).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace scidfs::tests {

struct RemoteControl {
  // Commands.
  std::atomic<std::uint64_t> delay = 0;  // of each READ, in microseconds
  std::atomic<std::uint64_t> hang = 0;   // one of the values below
  static constexpr std::uint64_t kNothing = 0;
  static constexpr std::uint64_t kReads = 1;       // READs of files whose path ends in `name`
  static constexpr std::uint64_t kEverything = 2;  // every request
  // Counters.
  std::atomic<std::uint64_t> reads = 0;   // READs
  std::atomic<std::uint64_t> bytes = 0;   // returned by READs
  std::atomic<std::uint64_t> others = 0;  // requests of any other kind
  std::atomic<std::uint64_t> hung = 0;    // requests that hang now
  std::array<char, 80> name{};            // written before `hang`
};
static_assert(sizeof(RemoteControl) == 6 * 8 + 80);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace scidfs::tests
