// When something was changed last.
#pragma once

#include <compare>
#include <cstdint>

namespace scidfs::fs {

struct FileTime {
  std::int64_t seconds = 0;  // since 1970
  std::uint32_t nanoseconds = 0;

  friend auto operator<=>(const FileTime&, const FileTime&) = default;
};

// `time`, or the first time after `before` if it is not later than that: caches and programs that
// compare times see that there is something new.
constexpr FileTime later_than(FileTime before, FileTime time) {
  if (time > before) return time;
  constexpr std::uint32_t kLastNanosecond = 999'999'999;
  if (before.nanoseconds == kLastNanosecond)
    return {.seconds = before.seconds + 1, .nanoseconds = 0};
  return {.seconds = before.seconds, .nanoseconds = before.nanoseconds + 1};
}

}  // namespace scidfs::fs
