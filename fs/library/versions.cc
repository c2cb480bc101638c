#include "fs/library/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/database/succession.h"
#include "fs/library/settled.h"
#include "fs/views/database_snapshot.h"

namespace scidfs::fs {
namespace {

std::string message_of(const absl::Status& status) { return std::string(status.message()); }

// Returns the time of a version: its own if that is in a later second than the time before, else
// the beginning of the next second. HTTP, rsync and tar compare whole seconds and would keep old
// bytes.
FileTime in_later_second(FileTime before, FileTime time) {
  return time.seconds > before.seconds ? time : FileTime{.seconds = before.seconds + 1};
}

}  // namespace

void Versions::begin(bool is_first, RescanScope look) {
  ++look_;
  is_first_ = is_first;
  again_ = is_short_ = false;
  wanted_ = std::move(look);
  const cache::MutexLock lock(mutex_);
  was_unfinished_ = std::exchange(unfinished_, {});
}

std::set<std::string> Versions::unfinished() const {
  const cache::MutexLock lock(mutex_);
  return unfinished_;
}

// Forgets the results for files that are gone, unless a probe of them is still running.
void Versions::forget_remote() {
  std::erase_if(remote_, [this](const auto& found) {
    const auto& [relative, far] = found;
    {
      const cache::MutexLock lock(mutex_);
      if (known_[relative].met == look_) return false;
    }
    return options_.remote_probes->forget(far.path);
  });
}

// Forgets nothing while a probe runs, since it may use any entry.
void Versions::end() {
  if (options_.remote_probes != nullptr) {
    forget_remote();
    if (options_.remote_probes->any()) return;
  }
  const cache::MutexLock lock(mutex_);
  for (auto& [path, known] : known_) {
    if (known.met == look_) continue;
    known.shown = nullptr;
    known.inner.clear();
    known.seen.reset();
  }
}

absl::Status Versions::provide_slot(const std::string& key, InodeAllocation& numbers) {
  const cache::MutexLock lock(mutex_);
  return slots_.provide(key, numbers);
}

Versions::Tracked& Versions::meet(const std::string& key) {
  const cache::MutexLock lock(mutex_);
  Tracked& known = known_[key];
  known.met = look_;
  return known;
}

void Versions::renew(MountedVersionPtr& shown) {
  if (shown == nullptr || shown->news == nullptr || !*shown->news) return;
  auto renewed = std::make_shared<MountedVersion>(*shown);
  renewed->news = nullptr;
  renewed->mtime = later_than(shown->mtime, {});
  shown = std::move(renewed);
}

Versions::Outcome Versions::answer(const Candidate& candidate, Tracked& known) {
  for (MountedVersionPtr& inner : known.inner) renew(inner);
  renew(known.shown);
  if (known.shown != nullptr) known.last = known.shown;
  Outcome found{.shown = known.shown, .inner = known.inner, .refusal = known.refusal};
  if (found.shown == nullptr && found.refusal.ok()) {
    found.refusal = absl::UnavailableError(
        fmt::format("{}: its files are still being written", candidate.name));
  }
  return found;
}

Versions::Outcome Versions::look_again(const Candidate& candidate, Tracked& known) {
  again_ = true;
  {
    const cache::MutexLock lock(mutex_);
    unfinished_.insert(candidate.shown());
  }
  return answer(candidate, known);
}

bool Versions::is_final(Tracked& known, const SourceStamps& stamps) const {
  if (is_first_ && time_since_change(stamps) >= options_.first_patience) return true;
  const Clock::time_point now = Clock::now();
  if (known.unfinished != stamps) {
    known.unfinished = stamps;
    known.unfinished_since = now;
  }
  return now - known.unfinished_since >= options_.patience;
}

bool Versions::looks_whole(Opened& opened, const MountedVersion* before) {
  if (!opened.is_whole) return false;
  if (is_first_ || opened.database == nullptr) return true;
  opened.database->files().game_file().sum_up([this] { return options_.is_over(); });
  const Database* const old = before == nullptr ? nullptr : before->database.get();
  return old == nullptr || !old->files().is_consistent() ||
         is_plausible_after(*opened.database, *old);
}

// Remote files are checked only in full scans: a server may not report a change.
bool Versions::is_wanted(const Candidate& candidate, const Tracked& known) const {
  if (known.looked_at == look_) return false;
  if (wanted_.is_all || known.looked_at == 0) return true;
  return !candidate.is_remote && wants(candidate.shown(), candidate.has_links);
}

bool Versions::wants(const std::string& shown, bool has_links) const {
  return has_links || wanted_.names(shown) || was_unfinished_.contains(shown);
}

bool Versions::wants(const FolderScan& found, const ScannedFile& file) const {
  const ScannedFolder& folder = found.folders[file.folder];
  return !folder.is_remote && wants(shown_path(file.relative, file.name), folder.has_links);
}

bool Versions::is_other(const Candidate& candidate) {
  Tracked& known = meet(candidate.relative);
  const Outcome before{.shown = known.shown, .inner = known.inner, .refusal = known.refusal};
  const Outcome now = newest(candidate);
  return now.shown != before.shown || now.inner != before.inner || known.refusal != before.refusal;
}

Versions::Outcome Versions::newest(const Candidate& candidate) {
  Tracked& known = meet(candidate.relative);
  const bool is_remote = candidate.is_remote && options_.remote_probes != nullptr;
  if (!is_wanted(candidate, known))
    return is_remote ? remote_[candidate.relative].last : answer(candidate, known);
  known.looked_at = look_;
  if (!is_remote) {
    const auto named = wanted_.paths.find(candidate.shown());
    return look(candidate, known, named != wanted_.paths.end() && named->second);
  }
  RemoteAnswer& far = remote_[candidate.relative];
  far.path = candidate.path;
  if (is_first_) return far.last = look(candidate, known, false);
  if (far.next == nullptr) far.next = std::make_shared<Outcome>(far.last);
  const bool is_done = options_.remote_probes->finish(
      candidate.path,
      [this, candidate, &known, next = far.next] { *next = look(candidate, known, false); });
  if (is_done) far.last = std::move(*std::exchange(far.next, nullptr));
  return far.last;
}

Versions::Outcome Versions::look(const Candidate& candidate, Tracked& known, bool is_pressed) {
  const SourceStamps stamps = candidate.format->stamps(candidate.path);
  if (known.seen == stamps && (known.shown != nullptr || !known.refusal.ok()))
    return answer(candidate, known);
  const bool settled = is_settled(stamps);
  if (!is_first_ && !settled && !is_pressed) return look_again(candidate, known);
  const bool is_known_half = known.unfinished == stamps && (settled || is_first_);
  if (is_known_half && !is_final(known, stamps)) return look_again(candidate, known);

  OpenOptions how = options_.open;
  how.database = how.database_of(candidate.relative, candidate.name);
  absl::StatusOr<Opened> opened = candidate.format->open(candidate.path, how);
  const MountedVersionPtr last = known.last.lock();
  const bool is_same = opened.ok() && last != nullptr && last->fingerprint == opened->fingerprint;
  if (opened.ok()) {
    if (opened->database != nullptr && !is_same) options_.load_sizes(*opened->database);
    if (!is_same && !looks_whole(*opened, last.get()) && !is_final(known, stamps)) {
      return look_again(candidate, known);
    }
  } else if (absl::IsResourceExhausted(opened.status())) {
    // This says nothing about the version: a retry may succeed.
    is_short_ = true;
    if (known.shown == nullptr) known.refusal = opened.status();
    log_warning(message_of(opened.status()));
    return answer(candidate, known);
  } else if (absl::IsCancelled(opened.status()) ||
             (!absl::IsPermissionDenied(opened.status()) && !is_final(known, stamps))) {
    return look_again(candidate, known);
  }
  const bool is_unchanged = candidate.format->stamps(candidate.path) == stamps;
  if (!is_first_ && !is_unchanged) return look_again(candidate, known);

  known.seen.reset();
  if (settled && is_unchanged) known.seen = stamps;
  known.unfinished.reset();
  known.refusal = opened.status();
  if (is_same) {
    known.shown = last;
    known.inner = last->inner;
    std::erase(known.inner, nullptr);
  } else if (opened.ok()) {
    known.refusal = accept(candidate, *opened, known);
  }
  if (!known.refusal.ok()) {
    known.shown = nullptr;
    known.inner.clear();
    if (absl::IsResourceExhausted(known.refusal)) {
      is_short_ = true;
      known.seen.reset();
    }
    log_warning(message_of(known.refusal));
  }
  return answer(candidate, known);
}

std::shared_ptr<MountedVersion> Versions::make_shown(const std::string& relative, Tracked& known,
                                                     std::uint64_t fingerprint, FileTime mtime) {
  const MountedVersionPtr last = known.last.lock();
  auto shown = std::make_shared<MountedVersion>();
  shown->path = relative;
  shown->slot = known.numbers.slot;
  shown->file_slot = known.numbers.file_slot;
  shown->fingerprint = fingerprint;
  shown->path_hash = cache::fingerprint(relative);
  shown->epoch = choose_epoch(fingerprint, known.numbers.used);
  if (std::ranges::find(known.numbers.used, shown->epoch, &UsedEpoch::epoch) ==
      known.numbers.used.end()) {
    known.numbers.used.push_back({.epoch = shown->epoch, .fingerprint = fingerprint});
  }
  shown->mtime = last == nullptr ? mtime : in_later_second(last->mtime, mtime);
  shown->file_mtime = shown->mtime;
  shown->version = last == nullptr ? 1 : last->version + 1;
  shown->opened = std::time(nullptr);
  return shown;
}

void Versions::show_database(std::shared_ptr<Database> database, const MountedVersion* before,
                             MountedVersion& shown) {
  if (before != nullptr && before->database != nullptr) database->inherit(*before->database);
  // A database that appears during a mount is fully prepared before users see it.
  if (!is_first_) options_.prepare(database);
  if (!database->sizes().complete()) {
    const auto news = std::make_shared<std::atomic<bool>>(false);
    // Set the flag first: the callback makes a thread scan at once.
    database->sizes().on_complete([news, tell = options_.on_complete] {
      *news = true;
      if (!tell()) *news = false;
    });
    shown.news = news;
  }
  shown.snapshot = std::make_shared<DatabaseSnapshot>(database, options_.searches);
  shown.database = std::move(database);
}

absl::Status Versions::accept(const Candidate& candidate, Opened& opened, Tracked& known) {
  if (absl::Status status = provide_slot(candidate.relative, known.numbers); !status.ok()) {
    return status;
  }
  MountedVersion container;
  if (opened.finish != nullptr) {
    auto made = open_inner(candidate, opened, known.numbers.slot, container);
    if (!made.ok()) return made.status();
    opened.snapshot = *std::move(made);
  }
  const std::shared_ptr<MountedVersion> shown =
      make_shown(candidate.relative, known, opened.fingerprint, opened.mtime);
  shown->inner = std::move(container.inner);
  shown->mounted = std::move(container.mounted);
  shown->refused = std::move(container.refused);
  shown->noun = candidate.format->noun;
  shown->name = candidate.name;
  shown->source_bytes = opened.source_bytes;
  shown->is_remote = opened.is_remote;
  shown->parent_slot = candidate.parent_slot;
  shown->snapshot = opened.snapshot;
  if (opened.database != nullptr) {
    show_database(std::move(opened.database), known.last.lock().get(), *shown);
  }
  for (const std::string& problem : opened.problems) {
    log_warning(fmt::format("{}: {}", candidate.path.string(), problem));
  }
  known.inner = shown->inner;
  std::erase(known.inner, nullptr);
  known.shown = shown;
  return absl::OkStatus();
}

absl::StatusOr<SnapshotPtr> Versions::open_inner(const Candidate& candidate, const Opened& opened,
                                                 std::uint16_t container,
                                                 MountedVersion& shown_in) {
  ContainerView view{.path = candidate.parent_slot == 0 ? "" : candidate.relative};
  for (const InnerDatabase& database : opened.inner) {
    const std::string relative =
        fmt::format("{}{}{}/{}", candidate.relative, database.folder.empty() ? "" : "/",
                    database.folder, database.name);
    const absl::StatusOr<MountedVersionPtr> shown = newest_inner(database, relative, container);
    if (absl::IsResourceExhausted(shown.status())) return shown.status();
    if (shown.ok()) {
      const Snapshot& snapshot = *(*shown)->snapshot;
      view.inner.push_back({.is_shown = true,
                            .line = fmt::format("{}{}", snapshot.summary(),
                                                snapshot.problems().empty() ? "" : ", damaged")});
    } else {
      view.inner.push_back({.is_shown = false, .line = message_of(shown.status())});
      shown_in.refused.push_back(view.inner.back().line);
      log_warning(view.inner.back().line);
    }
    shown_in.inner.push_back(shown.ok() ? *shown : nullptr);
    shown_in.mounted.push_back(shown.ok() ? (*shown)->slot : std::uint16_t{0});
  }
  return opened.finish(view);
}

// Does not check whether the files have settled: the container has been accepted, and the bytes of
// its databases never change.
absl::StatusOr<MountedVersionPtr> Versions::newest_inner(const InnerDatabase& found,
                                                         const std::string& relative,
                                                         std::uint16_t container) {
  Tracked& known = meet(relative);
  if (absl::Status status = provide_slot(relative, known.numbers); !status.ok()) return status;
  DatabaseOptions how = options_.open.database_of(relative, found.name);
  how.origin = found.origin;
  absl::StatusOr<std::shared_ptr<Database>> opened =
      Database::open(found.index_path, found.name, how);
  if (!opened.ok()) return opened.status();
  const std::shared_ptr<Database> database = *std::move(opened);
  const MountedVersionPtr last = known.last.lock();
  if (last != nullptr && last->fingerprint == fingerprint_of(*database)) {
    known.shown = last;
    return known.shown;
  }
  for (const std::string& problem : database->files().problems()) {
    log_warning(fmt::format("{}: {}", found.index_path.string(), problem));
  }
  options_.load_sizes(*database);
  const std::shared_ptr<MountedVersion> shown =
      make_shown(relative, known, fingerprint_of(*database), database->files().mtime());
  shown->noun = kDatabaseNoun;
  shown->name = found.name;
  shown->source_bytes = database->files().source_bytes();
  shown->parent_slot = container;
  shown->parent_place = found.parent;
  show_database(database, last.get(), *shown);
  known.shown = shown;
  known.last = shown;
  return known.shown;
}

absl::StatusOr<std::uint16_t> Versions::slot_of_folder(const std::string& relative) {
  Tracked& known = meet(relative + "/");
  if (absl::Status status = provide_slot(relative + "/", known.numbers); !status.ok()) {
    return status;
  }
  return known.numbers.slot;
}

absl::StatusOr<MountedVersionPtr> Versions::newest_folder(const FolderVersion& version,
                                                          absl::FunctionRef<SnapshotPtr()> make) {
  Tracked& known = meet(version.relative + "/");
  if (known.shown != nullptr && known.shown->fingerprint == version.fingerprint) return known.shown;
  if (absl::Status status = provide_slot(version.relative + "/", known.numbers); !status.ok()) {
    return status;
  }
  const std::shared_ptr<MountedVersion> shown =
      make_shown(version.relative, known, version.fingerprint, version.mtime);
  shown->parent_slot = version.parent_slot;
  shown->mounted = version.mounted;
  shown->refused = version.refused;
  shown->snapshot = make();
  known.shown = shown;
  known.last = shown;
  return known.shown;
}

}  // namespace scidfs::fs
