#include "fs/archive/unpack_work.h"

#include <algorithm>

#include "codec/scv/unpack.h"
#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

// The most bytes from all members together, for an archive of any size.
constexpr std::uint64_t kMostUnpacked = 16 * kGiB;
constexpr std::uint64_t kHarmlessTotal = kGiB / 4;
// Three times the ratio of the best packed real databases.
constexpr std::uint64_t kMostTotalRatio = 32;
// The bytes are the main limit, since they are the same on every machine. The time limit is for
// data that takes longer to unpack than its size suggests; for an honest archive, a slow machine
// needs a fifth of it.
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kBaseTime = 10 * kSecond;
constexpr std::int64_t kTimePerGiB = 60 * kSecond;

}  // namespace

UnpackWork::UnpackWork(std::uint64_t archive_size, IsCancelled is_cancelled)
    : asks_if_cancelled_(is_cancelled),
      left_(std::min(kMostUnpacked,
                     kHarmlessTotal + std::min(archive_size, kMostUnpacked) * kMostTotalRatio)),
      end_(processor_time().count() + kBaseTime +
           static_cast<std::int64_t>(std::min(archive_size, kMostUnpacked) / (kGiB / 1024)) *
               (kTimePerGiB / 1024)) {}

std::uint64_t UnpackWork::most_of(std::uint64_t stored) {
  return std::max(codec::scv::kHarmlessSize,
                  std::min(stored, kMostUnpacked) * codec::scv::kMaxHonestRatio);
}

bool UnpackWork::go_on(std::uint64_t bytes) {
  if (is_cancelled_ || is_used_up_) return false;
  if (asks_if_cancelled_()) is_cancelled_ = true;
  if (bytes > left_ || processor_time().count() > end_) is_used_up_ = true;
  left_ -= std::min(left_, bytes);
  return !is_cancelled_ && !is_used_up_;
}

}  // namespace scidfs::fs
