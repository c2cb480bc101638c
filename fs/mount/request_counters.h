// Counts the kernel's requests by kind, for questions about speed: status.txt shows them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scidfs::fs {

enum class Request : std::uint8_t {
  Lookup,
  Getattr,
  Open,
  Read,
  Opendir,
  Readdir,
  Readdirplus,
  Statfs,
  // Not requests but entries in replies to readdirplus, with and without attributes.
  EntryWithAttributes,
  EntryByName,
  // Files given to the kernel before it asked, and those that it asked for nevertheless.
  Pushed,
  PushedInVain,
};

// Counters of requests. Each addition is relaxed; a text may miss the newest ones. Thread-safe.
class RequestCounters {
 public:
  void count(Request request, std::uint64_t times = 1) {
    counts_[static_cast<std::size_t>(request)].fetch_add(times, std::memory_order_relaxed);
  }

  // Returns a line for each kind.
  std::string text() const;

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(Request::PushedInVain) + 1;

  std::array<std::atomic<std::uint64_t>, kKinds> counts_{};
};

}  // namespace scidfs::fs
