// Timestamps of files.
#pragma once

#include <compare>
#include <cstdint>

namespace scidfs::fs {

struct FileTime {
  std::int64_t seconds = 0;       // since 1970
  std::uint32_t nanoseconds = 0;  // below 1'000'000'000

  // The linter takes the 0 that an ordering is compared with for a pointer.
  friend auto operator<=>(const FileTime&,
                          const FileTime&) = default;  // NOLINT(modernize-use-nullptr)
};

// Returns the time of a new version: `time` if it is later than `before`, the time of the previous
// version, else the earliest time after `before`. Programs that compare times see that there is a
// new version.
constexpr FileTime later_than(FileTime before, FileTime time) {
  constexpr std::uint32_t kLastNanosecond = 999'999'999;
  if (time > before) return time;
  if (before.nanoseconds < kLastNanosecond) return {before.seconds, before.nanoseconds + 1};
  return {before.seconds + 1, 0};
}

}  // namespace scidfs::fs
