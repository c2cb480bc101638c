// Counts the kernel's requests by kind, for questions about speed.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

// The names in status.txt.
inline constexpr std::array<std::string_view, 12> kRequestNames = {
    "requests lookup",         "requests getattr", "requests open",        "requests read",
    "requests opendir",        "requests readdir", "requests readdirplus", "requests statfs",
    "entries with attributes", "entries by name",  "files prefetched",     "prefetch misses"};

// Counters of requests. Each addition is relaxed; a snapshot may miss the newest ones. Thread-safe.
class RequestCounters {
 public:
  using Snapshot = std::array<std::uint64_t, kRequestNames.size()>;  // in the order of Request

  void count(Request request, std::uint64_t times = 1) {
    counts_[static_cast<std::size_t>(request)].fetch_add(times, std::memory_order_relaxed);
  }

  Snapshot snapshot() const {
    Snapshot counts{};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = counts_[i].load(std::memory_order_relaxed);
    }
    return counts;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kRequestNames.size()> counts_{};
};

}  // namespace scidfs::fs
