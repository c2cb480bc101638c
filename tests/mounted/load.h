// Many processes that read random files of one mount, and check every byte.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/scid_database.h"

namespace scidfs::tests {

// The durations of operations, in buckets, each an eighth longer than the one before.
class Latencies {
 public:
  void add(std::chrono::nanoseconds time);
  void add(const Latencies& other);
  std::uint64_t count() const;
  // The quantile `part` (0 .. 1) of all durations, in milliseconds.
  double quantile(double part) const;
  double longest() const { return static_cast<double>(longest_) / 1e6; }

 private:
  static constexpr unsigned kSteps = 8;  // for each doubling
  std::array<std::uint64_t, 64 * kSteps> counts_{};
  std::uint64_t longest_ = 0;  // in nanoseconds
};

// Resident memory of a process in bytes; 0 if it is gone.
std::uint64_t resident_memory(pid_t process);

struct LoadReport {
  Latencies latencies;
  std::uint64_t bytes = 0;
  std::uint64_t fewest = 0, most = 0;   // operations of one process
  std::vector<std::string> complaints;  // the first one of each process that had any
  // Memory of the daemon: before, after half of the time, the greatest seen, at the end.
  std::uint64_t memory_before = 0, memory_half = 0, memory_most = 0, memory_end = 0;

  std::string text() const;
};

// A database and the expected content of a mount of it as the root.
class Load {
 public:
  // `stem`: path of the database without extension.
  explicit Load(const std::string& stem);

  // Reads with so many processes for so long. Each operation is one of: a game, found by number; a
  // random part of all.pgn; a listing of a folder of games. Wrong results become complaints.
  LoadReport run(const std::filesystem::path& mount, pid_t daemon, unsigned processes,
                 std::chrono::seconds time) const;

 private:
  struct Tally;
  class Reader;

  bool is_deleted(std::uint32_t game) const;

  ScidDatabase database_;
  std::vector<std::uint32_t> shown_;      // games that are not deleted
  std::vector<std::uint64_t> begins_;     // in all.pgn; and the end of the last text
  std::vector<std::uint32_t> in_folder_;  // number of them in each folder of games
};

}  // namespace scidfs::tests
