#include "fs/programs/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "fs/base/log.h"
#include "fs/base/print_error.h"

namespace scidfs::fs {
namespace {

constexpr std::chrono::milliseconds kPatience{300};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::uint64_t kBarColumns = 30;

}  // namespace

ProgressBar::ProgressBar(std::string_view work)
    : name_(log_name()),
      work_(work),
      shown_(::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + kPatience) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  const cache::MutexLock lock(mutex_);
  if (!drawn_) return;
  print_error("\r\033[K");
  drawn_ = false;
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  if (!shown_ || total == 0) return;
  const Clock::time_point now = Clock::now();
  const cache::MutexLock lock(mutex_);
  if (now < next_) return;
  next_ = now + kInterval;
  drawn_ = true;
  const std::uint64_t filled = std::min(kBarColumns, done * kBarColumns / total);
  print_error(fmt::format("\r{}: {} [{:#<{}}{:.<{}}] {:3} % of {}\033[K", name_, work_, "", filled,
                          "", kBarColumns - filled,
                          std::min<std::uint64_t>(100, done * 100 / total), total));
}

}  // namespace scidfs::fs
