#include "fs/base/log.h"

#include <fmt/format.h>
#include <syslog.h>

#include <cstdio>
#include <functional>
#include <string>
#include <unordered_set>

#include "cache/mutex.h"

namespace scidfs::fs {
namespace {

class Log {
 public:
  void say(int priority, std::string_view text) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    if (priority > lowest_) return;
    // Hashes, not texts, and forgotten when there are too many: whatever floods the log, it takes
    // little memory.
    if (said_.size() >= kRemembered) said_.clear();
    if (!said_.insert(std::hash<std::string_view>()(text)).second) return;
    const std::string line = printable(text);
    if (to_syslog_) {
      syslog(priority, "%s", line.c_str());
    } else {
      fmt::print(stderr, "scidfs: {}\n", line);
    }
  }

  void errors_only() ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    lowest_ = LOG_ERR;
  }

  void to_syslog() ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    to_syslog_ = true;
  }

 private:
  static constexpr std::size_t kRemembered = 4096;

  cache::Mutex mutex_;
  int lowest_ ABSL_GUARDED_BY(mutex_) = LOG_INFO;  // of higher numbers nothing is said
  bool to_syslog_ ABSL_GUARDED_BY(mutex_) = false;
  std::unordered_set<std::size_t> said_ ABSL_GUARDED_BY(mutex_);
};

// Never destroyed: a thread may have something to say while the process ends.
Log& log() {
  static Log& instance = *new Log;
  return instance;
}

}  // namespace

void log_info(std::string_view text) { log().say(LOG_INFO, text); }
void log_warning(std::string_view text) { log().say(LOG_WARNING, text); }
void log_error(std::string_view text) { log().say(LOG_ERR, text); }
void log_errors_only() { log().errors_only(); }
void open_syslog() { openlog("scidfs", LOG_PID | LOG_NDELAY, LOG_DAEMON); }
void log_to_syslog() { log().to_syslog(); }

std::string printable(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return line;
}

}  // namespace scidfs::fs
