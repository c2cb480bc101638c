#include "fs/base/log.h"

#include <fmt/color.h>
#include <fmt/format.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "cache/mutex.h"
#include "codec/text.h"
#include "fs/base/print_error.h"

namespace scidfs::fs {
namespace {

// Returns whether stderr is a terminal with colors and the user has not disabled them
// (no-color.org).
bool wants_colors() {
  const auto variable = [](const char* name) -> std::string_view {
    const char* const text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): never set
    return text != nullptr ? text : "";
  };
  return ::isatty(STDERR_FILENO) == 1 && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

fmt::text_style style_of(int priority) {
  if (priority == LOG_INFO || !wants_colors()) return {};
  return fmt::fg(priority == LOG_ERR ? fmt::terminal_color::red : fmt::terminal_color::yellow);
}

class Log {
 public:
  void say(int priority, std::string_view text) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    if (priority > lowest_) return;
    // Stores hashes, not texts, and clears them when there are too many: even a flooded log takes
    // little memory.
    if (said_.size() >= kRemembered) said_.clear();
    if (!said_.insert(std::hash<std::string_view>()(text)).second) return;
    if (priority == LOG_WARNING && most_warnings_ && warnings_++ >= *most_warnings_) return;
    const std::string line = printable(text);
    if (to_syslog_) {
      syslog(priority, "%s", line.c_str());
    } else {
      print_error(fmt::format("{}: {}\n", fmt::styled(name_, style_of(priority)), line));
    }
  }

  void limit_warnings(std::size_t most) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    most_warnings_ = most;
    warnings_ = 0;
  }

  // Returns how many warnings were suppressed.
  std::size_t end_limit() ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    const std::size_t most = most_warnings_.value_or(warnings_);
    most_warnings_.reset();
    return warnings_ > most ? warnings_ - most : 0;
  }

  void set_name(std::string_view name) ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    name_ = name;
  }

  std::string name() ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return name_;
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
  int lowest_ ABSL_GUARDED_BY(mutex_) = LOG_INFO;  // the log drops higher numbers
  std::string name_ ABSL_GUARDED_BY(mutex_) = "scidfs";
  std::optional<std::size_t> most_warnings_ ABSL_GUARDED_BY(mutex_);
  std::size_t warnings_ ABSL_GUARDED_BY(mutex_) = 0;  // since the limit was set
  bool to_syslog_ ABSL_GUARDED_BY(mutex_) = false;
  std::unordered_set<std::size_t> said_ ABSL_GUARDED_BY(mutex_);
};

// Never destroyed: a thread may log while the process ends.
Log& log() {
  static Log& instance = *new Log;
  return instance;
}

}  // namespace

void log_info(std::string_view text) { log().say(LOG_INFO, text); }
void log_warning(std::string_view text) { log().say(LOG_WARNING, text); }
void log_error(std::string_view text) { log().say(LOG_ERR, text); }
void log_as(std::string_view program) { log().set_name(program); }
std::string log_name() { return log().name(); }
void log_errors_only() { log().errors_only(); }
void open_syslog() { openlog("scidfs", LOG_PID | LOG_NDELAY, LOG_DAEMON); }
void log_to_syslog() { log().to_syslog(); }

WarningLimiter::WarningLimiter(std::size_t most, std::string_view where) : where_(where) {
  log().limit_warnings(most);
}

WarningLimiter::~WarningLimiter() {
  if (const std::size_t unsaid = log().end_limit(); unsaid != 0) {
    log_warning(
        fmt::format("and {} more warning{}: see {}", unsaid, unsaid == 1 ? "" : "s", where_));
  }
}

std::string printable(std::string_view text) {
  std::string line;
  codec::append_utf8(codec::as_bytes(text), line);
  std::ranges::replace_if(line, codec::is_ascii_control, '?');
  return line;
}

}  // namespace scidfs::fs
