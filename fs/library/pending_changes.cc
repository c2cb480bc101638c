#include "fs/library/pending_changes.h"

#include <algorithm>
#include <utility>

#include "fs/base/names.h"
#include "fs/base/thread.h"

namespace scidfs::fs {

bool is_within(std::string_view path, std::string_view other) {
  return other.empty() ||
         (path.starts_with(other) && (path.size() == other.size() || path[other.size()] == '/'));
}

bool RescanScope::names(std::string_view path) const {
  if (paths.empty()) return false;
  while (!path.empty()) {
    if (paths.contains(path)) return true;
    path = folder_of_path(path);
  }
  return paths.contains(path);
}

bool PendingChanges::note(const ChangeEvent& sign) {
  const Clock::time_point now = Clock::now();
  const cache::MutexLock lock(mutex_);
  if (is_over_) return false;
  const auto [found, is_new] = doubts_.try_emplace(sign.path);
  Pending& doubt = found->second;
  doubt.last = now;
  doubt.first = std::min(doubt.first, now);
  doubt.due = std::min(now + kQuiet, doubt.first + kLongest);
  const bool comes = sign.is_arrival && !sign.is_uncertain;
  const bool arrives = comes && !doubt.is_arrival;
  doubt.is_folder |= sign.is_folder;
  doubt.is_arrival |= comes;
  if (sign.is_write) {
    doubt.is_open = true;
  } else {
    // An event of a folder, or of everything, may stand for those of files in it.
    for (auto it = found; it != doubts_.end() && it->first.starts_with(sign.path); ++it) {
      if (is_within(it->first, sign.path)) it->second.is_open = false;
    }
  }
  const bool begins = !sign.is_uncertain && !doubt.is_awaited && (is_new || !sign.is_write);
  if (begins) {
    doubt.is_awaited = true;
    doubt.give_up = now + kLongest;
  }
  if (doubt.due < wakes_) something_to_do_.notify_all();
  return begins || arrives;
}

void PendingChanges::note_news() {
  const cache::MutexLock lock(mutex_);
  has_news_ = true;
  something_to_do_.notify_all();
}

// Returns whether requests wait for a change of this path, or of a folder above it.
bool PendingChanges::is_any_above(std::string_view path, Awaits awaits,
                                  Clock::time_point now) const {
  while (true) {
    const auto found = doubts_.find(path);
    if (found != doubts_.end() && awaits(found->second, now)) return true;
    if (path.empty()) return false;
    path = folder_of_path(path);
  }
}

bool PendingChanges::concerns_any(const Request& request, Awaits awaits) const {
  if (doubts_.empty()) return false;
  const Clock::time_point now = Clock::now();
  if (is_any_above(request.path, awaits, now)) return true;
  if (request.about == Request::About::Path) return false;
  const std::string below = request.path.empty() ? "" : request.path + "/";
  for (auto found = doubts_.lower_bound(below);
       found != doubts_.end() && found->first.starts_with(below); ++found) {
    const auto& [path, doubt] = *found;
    if (!awaits(doubt, now) || path.empty()) continue;
    // A folder is shown as long as there is something below it.
    if (doubt.is_arrival || request.about == Request::About::Databases) return true;
    const bool is_said_of = folder_of_path(path) == request.path;
    if (request.about == Request::About::Contents && is_said_of) return true;
  }
  return false;
}

bool PendingChanges::is_awaited(const Request& request) const {
  return concerns_any(request, &Pending::awaits) || is_lost(request);
}

bool PendingChanges::is_lost(const Request& request) const {
  return request.needs_bytes && concerns_any(request, &Pending::awaits_bytes);
}

bool PendingChanges::is_being_written(std::string_view path) const {
  const cache::MutexLock lock(mutex_);
  const auto found = doubts_.find(path);
  return found != doubts_.end() && found->second.is_open;
}

bool PendingChanges::may_search(const Request& request) const {
  if (!request.is_missing || is_over_ || doubts_.contains(request.path)) return false;
  const auto found = searched_.find(std::string(folder_of_path(request.path)));
  return found == searched_.end() || Clock::now() >= found->second + kBetweenSearches;
}

// Makes the next scan search the folder of a missing name, at once.
void PendingChanges::search(const Request& request) {
  const Clock::time_point now = Clock::now();
  std::erase_if(searched_,
                [&](const auto& entry) { return now >= entry.second + kBetweenSearches; });
  searched_[std::string(folder_of_path(request.path))] = now;
  doubts_[request.path] = {
      .first = now, .last = {}, .due = now, .is_awaited = true, .give_up = now + kLongest};
}

bool PendingChanges::concerns(const Request& request) const {
  const cache::MutexLock lock(mutex_);
  return is_awaited(request) || may_search(request);
}

bool PendingChanges::wait(const Request& request, std::function<void()> then) {
  const cache::MutexLock lock(mutex_);
  if (is_over_) return false;
  if (!is_awaited(request)) {
    if (!may_search(request)) return false;
    search(request);
  }
  waiting_.push_back(
      {.request = request, .give_up = Clock::now() + kLongestWait, .then = std::move(then)});
  something_to_do_.notify_all();
  return true;
}

bool PendingChanges::is_calm() const {
  const cache::MutexLock lock(mutex_);
  return doubts_.empty();
}

// Returns the changes to scan now.
RescanScope PendingChanges::take_due(Clock::time_point now) {
  RescanScope look{.is_all = false,
                   .has_news = std::exchange(has_news_, false),
                   .began = now,
                   .work_began = processor_time()};
  for (auto& [path, doubt] : doubts_) {
    if (doubt.due > now) continue;
    const bool is_known = doubt.last != Clock::time_point();
    const Clock::time_point between = doubt.last + kBetweenSaves;
    // Saves at a steady pace might otherwise always come just before the scan.
    if (is_known && now < between && now < doubt.first + kLongest + kSoon) {
      doubt.due = between;
      continue;
    }
    // Without a recent write, two versions with equal times are no danger.
    const bool is_between = is_known && now >= between;
    look.paths.emplace(path, is_between);
    look.has_folders |= doubt.is_folder;
    look.is_all |= path.empty();
    doubt.first = Clock::time_point::max();
  }
  return look;
}

PendingChanges::Clock::time_point PendingChanges::next_due() const {
  Clock::time_point due = has_news_ ? Clock::time_point::min() : Clock::time_point::max();
  for (const auto& [path, doubt] : doubts_) due = std::min(due, doubt.due);
  return due;
}

RescanScope PendingChanges::next(Clock::time_point until) {
  while (true) {
    Released released;
    {
      const cache::MutexLock lock(mutex_);
      const Clock::time_point now = Clock::now();
      Clock::time_point due = next_due();
      if (waiting_.empty()) due = std::max(due, rest_until_);
      if (is_over_ || now >= std::min(due, until)) {
        return now >= due
                   ? take_due(now)
                   : RescanScope{.is_all = false, .began = now, .work_began = processor_time()};
      }
      released = release(now);
      if (released.empty()) {
        wakes_ = std::min(due, until);
        for (const Waiting& waiting : waiting_) {
          // Those that wait longer do so for a path that is soon due.
          if (waiting.give_up > now) wakes_ = std::min(wakes_, waiting.give_up);
        }
        // A condition variable cannot wait until time_point::max().
        const auto left = std::min<Clock::duration>(wakes_ - now, std::chrono::hours(1));
        something_to_do_.wait_for(mutex_, std::chrono::ceil<Milliseconds>(left));
        wakes_ = Clock::time_point::min();
      }
    }
    call(released);
  }
}

// Keeps the half-written paths of a change that a scan has looked at.
void PendingChanges::looked_at(const std::string& path, const Pending& doubt,
                               const std::set<std::string>& unfinished, Clock::time_point now) {
  for (auto half = unfinished.lower_bound(path); half != unfinished.end(); ++half) {
    if (!half->starts_with(path)) break;
    if (!is_within(*half, path)) continue;
    const bool is_itself = *half == path;
    Pending left = doubt;
    left.is_folder = doubt.is_folder && is_itself;
    left.is_open = false;
    left.lost_until = {};
    left.is_awaited = doubt.is_awaited && now < doubt.give_up;
    left.due = left.is_awaited ? std::min(now + kQuiet, doubt.give_up) : now + kSoon;
    Pending& kept = doubts_.try_emplace(*half, left).first->second;
    if (!is_itself) continue;
    kept.is_open |= doubt.is_open;
    kept.lost_until = doubt.lost_until;
  }
}

// Notes which versions have lost their bytes, and which have not. Returns those that are new.
std::vector<std::string> PendingChanges::note_lost(const RescanScope& look,
                                                   const std::set<std::string>& unfinished,
                                                   const std::set<std::string>& lost,
                                                   Clock::time_point now) {
  std::vector<std::string> begun;
  for (auto& [path, doubt] : doubts_) {
    if (lost.contains(path)) {
      if (doubt.lost_until != Clock::time_point()) continue;
      doubt.lost_until = now + kLongestLost;
      begun.push_back(path);
    } else if (look.is_all || look.names(path) || unfinished.contains(path)) {
      doubt.lost_until = {};
    }
  }
  return begun;
}

std::vector<std::string> PendingChanges::finish(const RescanScope& look,
                                                const std::set<std::string>& unfinished,
                                                const std::set<std::string>& lost) {
  std::vector<std::string> begun;
  Released released;
  {
    const cache::MutexLock lock(mutex_);
    const Clock::time_point now = Clock::now();
    Doubts done;
    for (auto it = doubts_.begin(); it != doubts_.end();) {
      const auto here = it++;
      auto& [path, doubt] = *here;
      if (!look.is_all && !look.paths.contains(path)) continue;
      if (doubt.last < look.began) {
        done.insert(doubts_.extract(here));
      } else if (now >= doubt.give_up) {
        doubt.is_awaited = false;
      }
    }
    for (const auto& [path, doubt] : done) looked_at(path, doubt, unfinished, now);
    for (const std::string& path : unfinished) {
      // Where the scan came before the event, requests wait as they would after it.
      const Pending found{.due = now + kSoon, .is_awaited = true, .give_up = now + kLongest};
      if (doubts_.try_emplace(path, found).second) begun.push_back(path);
    }
    for (std::string& path : note_lost(look, unfinished, lost, now)) {
      begun.push_back(std::move(path));
    }
    rest_until_ = now + (processor_time() - look.work_began) * kRestPerLook;
    released = release(now);
  }
  call(released);
  return begun;
}

// Removes and returns the requests that need not wait any longer.
PendingChanges::Released PendingChanges::release(Clock::time_point now) {
  Released released;
  std::vector<Waiting> rest;
  for (Waiting& waiting : waiting_) {
    const bool is_waiting =
        now < waiting.give_up ? is_awaited(waiting.request) : is_lost(waiting.request);
    if (!is_over_ && is_waiting) {
      rest.push_back(std::move(waiting));
    } else {
      released.push_back(std::move(waiting.then));
    }
  }
  waiting_.swap(rest);
  return released;
}

void PendingChanges::call(const Released& released) {
  for (const std::function<void()>& then : released) then();
}

void PendingChanges::stop() {
  Released released;
  {
    const cache::MutexLock lock(mutex_);
    is_over_ = true;
    doubts_.clear();
    released = release(Clock::now());
    something_to_do_.notify_all();
  }
  call(released);
}

}  // namespace scidfs::fs
