#include "fs/library/live_reload.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A program that writes a database does so in several steps; after the last of them it is quiet.
constexpr milliseconds kQuiet{60};
constexpr milliseconds kLongestUnrest{1000};
constexpr milliseconds kSoon{100};
constexpr milliseconds kHousekeeping{10'000};
constexpr milliseconds kPolling{2000};
// After a look there is quiet for so many times as long as it took: servers have other work, too.
constexpr int kQuietPerLook = 19;

}  // namespace

LiveReload::LiveReload(Library& library, std::function<void()> changed)
    : library_(library), changed_(std::move(changed)) {
  library_.on_news([this] { watch_.wake(); });
  thread_ = start_thread("live reload", [this] { run(); });
}

LiveReload::~LiveReload() {
  stop();
  library_.on_news(nullptr);
  thread_.join();
}

void LiveReload::stop() {
  is_over_ = true;
  library_.stop();
  watch_.wake();
}

bool LiveReload::let_settle() {
  const auto end = steady_clock::now() + kLongestUnrest;
  FolderWatch::Event event = FolderWatch::Event::Change;
  while (event == FolderWatch::Event::Change && steady_clock::now() < end) {
    event = watch_.wait(kQuiet);
  }
  return !is_over_;
}

Library::Rescan LiveReload::rescan() {
  try {
    const Library::Rescan found = library_.rescan();
    if (found.changed && !is_over_) changed_();
    return found;
  } catch (const std::exception& error) {
    log_error(fmt::format("Cannot look at the source again: {}", error.what()));
    return {.changed = false, .again = true};
  }
}

// Whatever fails, for want of memory above all, is tried again.
void LiveReload::run() {
  while (!is_over_) {
    try {
      follow();
    } catch (const std::exception& error) {
      log_error(fmt::format("Cannot follow changes for now: {}", error.what()));
      watch_.wait(kHousekeeping);
    }
  }
}

void LiveReload::follow() {
  bool look = true;  // something may have changed since the library was opened
  while (!is_over_) {
    Library::Rescan found;
    const auto began = steady_clock::now();
    if (look) found = rescan();
    const auto quiet = std::chrono::ceil<milliseconds>(steady_clock::now() - began) * kQuietPerLook;
    if (watch_.add(library_.watched_folders())) {
      look = true;
      continue;
    }
    // Nobody tells this kernel of what others do to what is far.
    const bool polling = !watch_.is_complete() || library_.has_far();
    milliseconds pause = found.again ? kSoon : polling ? kPolling : kHousekeeping;
    if (polling) pause = std::max(pause, quiet);
    const FolderWatch::Event event = watch_.wait(pause);
    if (is_over_) break;
    if (event == FolderWatch::Event::Change && !let_settle()) break;
    look = event != FolderWatch::Event::Timeout || found.again || found.is_short || polling;
    if (event == FolderWatch::Event::Timeout && !found.again) {
      if (library_.let_go_retired() && !is_over_) changed_();
      library_.keep_sizes();
    }
  }
  library_.keep_sizes();
}

}  // namespace scidfs::fs
