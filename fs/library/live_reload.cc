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

constexpr milliseconds kHousekeeping{10'000};
constexpr milliseconds kPolling{2000};
constexpr std::chrono::hours kNever{24 * 365};

}  // namespace

LiveReload::LiveReload(Library& library, Listener listener)
    : library_(library), listener_(std::move(listener)) {
  library_.on_news([this] { library_.pending_changes().note_news(); });
  // Before there are users who could ask.
  watch_.add(library_.watched_folders());
  try {
    listening_ = start_thread("changes", [this] { persist(&LiveReload::listen); });
    looking_ = start_thread("live reload", [this] { persist(&LiveReload::follow); });
  } catch (...) {
    end();  // the system may have had resources for only one of the threads
    throw;
  }
}

LiveReload::~LiveReload() { end(); }

void LiveReload::end() {
  stop();
  library_.on_news(nullptr);
  for (std::thread* const thread : {&listening_, &looking_}) {
    if (thread->joinable()) thread->join();
  }
}

void LiveReload::stop() {
  is_over_ = true;
  library_.stop();
  library_.pending_changes().stop();
  watch_.wake();
}

void LiveReload::persist(void (LiveReload::*work)()) {
  while (!is_over_) {
    try {
      (this->*work)();
    } catch (const std::exception& error) {
      log_error(fmt::format("Cannot watch for changes at the moment: {}", error.what()));
      std::this_thread::sleep_for(PendingChanges::kSoon);
    }
  }
}

void LiveReload::listen() {
  ask_for_early_turns();
  while (!is_over_) {
    std::vector<FolderChange> changes;
    watch_.wait(kHousekeeping, &changes);
    std::vector<PendingChanges::ChangeEvent> doubted;
    for (const FolderChange& change : changes) {
      PendingChanges::ChangeEvent sign;
      if (library_.signs_of(change, sign) && library_.pending_changes().note(sign)) {
        doubted.push_back(std::move(sign));
      }
    }
    if (!doubted.empty() && !is_over_) listener_.doubted(doubted);
  }
}

Library::Rescan LiveReload::rescan(const RescanScope& look) {
  Library::Rescan found;
  try {
    found = library_.rescan(look);
    if (found.changed && !is_over_) listener_.changed();
  } catch (const std::exception& error) {
    log_error(fmt::format("Cannot rescan the source: {}", error.what()));
    found = {.again = true, .is_blinded = true};
  }
  if (found.is_blinded) {
    for (const auto& [path, is_pressed] : look.paths) found.unfinished.insert(path);
  }
  return found;
}

// Notes the new folders as changed: changes before they were watched went unseen.
void LiveReload::watch() {
  for (const std::filesystem::path& folder : watch_.add(library_.watched_folders())) {
    PendingChanges::ChangeEvent sign;
    library_.signs_of({.folder = folder, .is_folder = true, .is_arrival = true}, sign);
    library_.pending_changes().note(sign);
  }
}

LiveReload::Clock::duration LiveReload::pause(const Library::Rescan& found,
                                              std::chrono::nanoseconds taken) const {
  // The kernel does not report changes that other machines make on remote file systems. Their
  // servers have other work, too, so the pause grows with the processor time of the scan.
  const bool is_polling = !watch_.is_complete() || library_.has_remote();
  const bool is_soon = found.is_blinded || (found.again && library_.has_remote());
  Clock::duration pause = kNever;
  if (found.is_short) pause = kHousekeeping;
  if (is_polling) pause = kPolling;
  if (is_soon) pause = PendingChanges::kSoon;
  return is_polling ? std::max<Clock::duration>(pause, taken * PendingChanges::kRestPerLook)
                    : pause;
}

void LiveReload::follow() {
  // The source may have changed since the library was opened.
  Clock::time_point next_look = Clock::now();
  Clock::time_point next_links = Clock::time_point::max();
  Clock::time_point next_keeping = Clock::now() + kHousekeeping;
  while (!is_over_) {
    RescanScope look =
        library_.pending_changes().next(std::min({next_look, next_links, next_keeping}));
    if (is_over_) break;
    look.has_links = look.began >= next_links;
    const bool is_due = look.began >= next_look;
    look.is_all = look.is_all || is_due || (look.has_news && library_.has_remote());
    if (!look.is_nothing()) {
      const Library::Rescan found = rescan(look);
      if (found.has_names) watch();
      std::vector<PendingChanges::ChangeEvent> doubted;
      for (std::string& path :
           library_.pending_changes().finish(look, found.unfinished, found.lost)) {
        doubted.push_back({.path = std::move(path)});
      }
      if (!doubted.empty() && !is_over_) listener_.doubted(doubted);
      const Clock::time_point now = Clock::now();
      const auto taken = processor_time() - look.work_began;
      const Clock::time_point next = now + pause(found, taken);
      next_look = look.is_all ? next : std::min(next_look, next);
      const auto rest = std::max<Clock::duration>(kPolling, taken * PendingChanges::kRestPerLook);
      next_links = library_.has_links() ? now + rest : Clock::time_point::max();
    }
    if (Clock::now() < next_keeping) continue;
    if (library_.let_go_retired() && !is_over_) listener_.changed();
    library_.save_sizes();
    next_keeping = Clock::now() + kHousekeeping;
  }
  library_.save_sizes();
}

}  // namespace scidfs::fs
