#include "fs/library/settled.h"

#include <algorithm>
#include <cstdint>

namespace scidfs::fs {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds

// Returns the time in which two writes may leave the same time on a file.
std::int64_t grain_of(const FileStamp& stamp) {
  constexpr std::int64_t kTick = 50'000'000;
  // Some file systems store only whole seconds, or every other one.
  return stamp.mtime_nanoseconds == 0 ? 2 * kSecond : kTick;
}

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t written_at(const FileStamp& stamp) {
  return stamp.mtime_seconds * kSecond + stamp.mtime_nanoseconds;
}

}  // namespace

// Times more than a second in the future count as settled.
bool is_settled(const SourceStamps& stamps) {
  const std::int64_t now = now_nanoseconds();
  return std::ranges::none_of(stamps, [now](const FileStamp& stamp) {
    const std::int64_t written = written_at(stamp);
    return written > now - grain_of(stamp) && written < now + kSecond;
  });
}

std::chrono::milliseconds time_since_change(const SourceStamps& stamps) {
  std::int64_t newest = 0;
  for (const FileStamp& stamp : stamps) newest = std::max(newest, stamp.ctime);
  const std::int64_t age = std::max<std::int64_t>(0, now_nanoseconds() - newest);
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::nanoseconds(age));
}

}  // namespace scidfs::fs
