#include "fs/library/tracked_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <utility>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/database/succession.h"
#include "fs/library/repertoires.h"
#include "fs/library/settled.h"
#include "fs/pgn/pgn_snapshot.h"
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

// Makes it news that the last size of a database becomes known: the result becomes true before.
// Returns null if all are known. REQUIRES: no other thread uses the database yet.
std::shared_ptr<const std::atomic<bool>> await_sizes(VersionsHost& host, Database& database) {
  if (database.sizes().complete()) return nullptr;
  auto completed = std::make_shared<std::atomic<bool>>(false);
  // Set the flag first: the callback makes a thread scan at once.
  database.sizes().on_complete([completed, &host] {
    *completed = true;
    if (!host.tell_news()) *completed = false;
  });
  return completed;
}

}  // namespace

MountedVersionPtr Lineage::next(MountedVersion made) {
  made.slot = numbers.slot;
  made.file_slot = numbers.file_slot;
  made.path_hash = cache::fingerprint(made.path);
  made.epoch = choose_epoch(made.fingerprint, numbers.used);
  if (std::ranges::find(numbers.used, made.epoch, &UsedEpoch::epoch) == numbers.used.end()) {
    numbers.used.push_back({.epoch = made.epoch, .fingerprint = made.fingerprint});
  }
  if (const MountedVersionPtr before = last.lock(); before != nullptr) {
    made.mtime = in_later_second(before->mtime, made.mtime);
    made.version = before->version + 1;
  }
  made.file_mtime = made.mtime;
  made.opened = std::time(nullptr);
  MountedVersionPtr shown = std::make_shared<MountedVersion>(std::move(made));
  last = shown;
  return shown;
}

TrackedFile::Outcome TrackedFile::look(const Candidate& candidate, Mode mode) {
  const cache::MutexLock lock(mutex_);
  const Retry retry = examine(candidate, mode);
  Outcome found = outcome(candidate.name);
  found.retry = retry;
  found.is_lost = retry == Retry::Soon && is_lost(candidate);
  return found;
}

TrackedFile::Outcome TrackedFile::renew_if_outdated(const Candidate& candidate, Mode mode) {
  const cache::MutexLock lock(mutex_);
  if (!is_outdated(shown_) && std::ranges::none_of(inner_, &is_outdated)) {
    return outcome(candidate.name);
  }
  ++renewals_;
  seen_.reset();
  const Retry retry = examine(candidate, mode);
  Outcome found = outcome(candidate.name);
  found.retry = retry;
  return found;
}

TrackedFile::Outcome TrackedFile::answer(const std::string& name) {
  const cache::MutexLock lock(mutex_);
  return outcome(name);
}

void TrackedFile::forget() {
  const cache::MutexLock lock(mutex_);
  shown_ = nullptr;
  inner_.clear();
  seen_.reset();
}

void TrackedFile::renew(MountedVersionPtr& shown) const {
  if (shown == nullptr) return;
  const LazyDatabase::Ptr read = shown->lazy == nullptr ? nullptr : shown->lazy->made();
  const bool is_read = shown->database == nullptr && read != nullptr && read->views != nullptr;
  const bool is_sized = shown->sizes_completed != nullptr && *shown->sizes_completed;
  if (!is_read && !is_sized) return;
  auto renewed = std::make_shared<MountedVersion>(*shown);
  if (is_sized) renewed->sizes_completed = nullptr;
  if (is_read) add_database(*read, *renewed);
  renewed->mtime = later_than(shown->mtime, {});
  shown = std::move(renewed);
}

TrackedFile::Outcome TrackedFile::outcome(const std::string& name) {
  for (MountedVersionPtr& inner : inner_) renew(inner);
  renew(shown_);
  if (shown_ != nullptr) lineage_.last = shown_;
  Outcome found{.shown = shown_, .inner = inner_, .refusal = refusal_};
  if (found.shown == nullptr && found.refusal.ok()) {
    found.refusal =
        absl::UnavailableError(fmt::format("{}: its files are still being written", name));
  }
  return found;
}

bool TrackedFile::is_final(const SourceStamps& stamps, Mode mode) {
  if (mode.is_first && time_since_change(stamps) >= options_.first_patience) return true;
  const Clock::time_point now = Clock::now();
  if (unfinished_ != stamps) {
    unfinished_ = stamps;
    unfinished_since_ = now;
  }
  return now - unfinished_since_ >= options_.patience;
}

bool TrackedFile::looks_whole(Opened& opened, const MountedVersion* before, Mode mode) const {
  if (!opened.is_whole) return false;
  if (mode.is_first || opened.database == nullptr) return true;
  opened.database->files().game_file().sum_up(options_.open.unpack.is_cancelled);
  const Database* const old = before == nullptr ? nullptr : before->database.get();
  return old == nullptr || !old->files().is_consistent() ||
         is_plausible_after(*opened.database, *old);
}

// Returns whether a program that has the file open may have left it half written. The answer stays
// while it has: what once was not a longer file may become one.
bool TrackedFile::is_being_rewritten(const Candidate& candidate, const Opened& opened) {
  const bool is_written_in_any_order = opened.lazy.has_value() || opened.finish != nullptr;
  if (!is_written_in_any_order || shown_ == nullptr ||
      !options_.host.is_being_written(candidate.shown())) {
    return is_rewritten_ = false;
  }
  const bool only_grows = opened.lazy.has_value() && shown_->lazy != nullptr &&
                          opened.lazy->may_continue(shown_->lazy->file());
  return is_rewritten_ = is_rewritten_ || !only_grows;
}

// Has a file be examined again that looked half written because a program had it open, and no
// longer has.
void TrackedFile::note_close(const Candidate& candidate) {
  if (!is_rewritten_ || options_.host.is_being_written(candidate.shown())) return;
  is_rewritten_ = false;
  unfinished_.reset();
}

// Returns whether the files of what is shown have been overwritten, so that readers get errors.
bool TrackedFile::is_lost(const Candidate& candidate) const {
  if (shown_ == nullptr || candidate.is_remote) return false;
  if (shown_->lazy != nullptr) {
    const PgnFile& file = shown_->lazy->file();
    const FileStamp now = stamp_of(file.path);
    const bool has_only_grown = !is_rewritten_ && now.may_continue(file.stamp);
    return shown_->lazy->made() == nullptr && !now.has_same_bytes(file.stamp) && !has_only_grown;
  }
  return shown_->database != nullptr && shown_->database->files().game_file().has_lost_bytes();
}

TrackedFile::Retry TrackedFile::examine(const Candidate& candidate, Mode mode) {
  const SourceStamps stamps = candidate.format->stamps(candidate.path);
  if (seen_ == stamps && (shown_ != nullptr || !refusal_.ok())) return Retry::None;
  const bool settled = is_settled(stamps);
  if (!mode.is_first && !settled && !mode.is_pressed) return Retry::Soon;
  note_close(candidate);
  const bool is_known_half = unfinished_ == stamps && (settled || mode.is_first);
  if (is_known_half && !is_final(stamps, mode)) return Retry::Soon;

  OpenOptions how = options_.open;
  how.database = how.database_of(candidate.relative, candidate.name);
  how.names = how.names_of(candidate.relative, candidate.name);
  how.is_mount_point = candidate.parent_slot == 0;
  absl::StatusOr<Opened> opened = candidate.format->open(candidate.path, how);
  const MountedVersionPtr last = lineage_.last.lock();
  const bool is_same = opened.ok() && last != nullptr &&
                       last->fingerprint == fingerprint_after(opened->fingerprint, renewals_);
  if (opened.ok()) {
    if (opened->database != nullptr && !is_same) options_.host.load_sizes(*opened->database);
    const bool is_half = !is_same && (is_being_rewritten(candidate, *opened) ||
                                      !looks_whole(*opened, last.get(), mode));
    if (is_half && !is_final(stamps, mode)) return Retry::Soon;
  } else if (absl::IsResourceExhausted(opened.status())) {
    // This says nothing about the version: a retry may succeed.
    if (shown_ == nullptr) refusal_ = opened.status();
    log_warning(message_of(opened.status()));
    return Retry::Later;
  } else if (absl::IsCancelled(opened.status()) ||
             (!absl::IsPermissionDenied(opened.status()) && !is_final(stamps, mode))) {
    return Retry::Soon;
  }
  const bool is_unchanged = candidate.format->stamps(candidate.path) == stamps;
  if (!mode.is_first && !is_unchanged) return Retry::Soon;

  absl::StatusOr<MountedVersionPtr> next = last;
  if (!opened.ok()) {
    next = opened.status();
  } else if (!is_same) {
    next = accept(candidate, *opened);
  }
  unfinished_.reset();
  is_rewritten_ = false;
  refusal_ = next.status();
  shown_ = next.value_or(nullptr);
  inner_ = next.ok() ? shown_->inner : std::vector<MountedVersionPtr>{};
  const bool is_short = absl::IsResourceExhausted(refusal_);
  seen_.reset();
  if (settled && is_unchanged && !is_short) seen_ = stamps;
  if (!refusal_.ok()) log_warning(message_of(refusal_));
  return is_short ? Retry::Later : Retry::None;
}

void TrackedFile::show_database(std::shared_ptr<Database> database, const MountedVersion* before,
                                bool is_in_folder, MountedVersion& made) const {
  if (before != nullptr && before->database != nullptr) database->inherit(*before->database);
  options_.host.prepare(database);
  made.sizes_completed = await_sizes(options_.host, *database);
  made.repertoires = std::make_shared<AskedRepertoires>(options_.searches->repertoires, made.path);
  auto views = std::make_shared<const DatabaseSnapshot>(database, options_.searches, is_in_folder,
                                                        made.repertoires);
  made.views = views->version();
  made.snapshot = std::move(views);
  made.database = std::move(database);
}

void TrackedFile::add_database(const ReadSource& read, MountedVersion& made) const {
  made.views = read.views->version();
  made.database = read.views->database();
  options_.host.prepare(made.database);
  if (!made.database->sizes().complete()) made.sizes_completed = read.sizes_completed;
}

void TrackedFile::show_lazily(const LazySource& source, const MountedVersion* before,
                              bool is_in_folder, MountedVersion& made) const {
  const std::shared_ptr<const Database> earlier = before == nullptr ? nullptr : before->database;
  made.repertoires = std::make_shared<AskedRepertoires>(options_.searches->repertoires, made.path);
  const auto show = [&options = options_, earlier, is_in_folder,
                     repertoires = made.repertoires](ReadDatabase read) -> LazyDatabase::Ptr {
    auto result = std::make_shared<ReadSource>();
    options.host.load_sizes(*read.database);
    if (earlier != nullptr) read.database->inherit(*earlier);
    result->sizes_completed = await_sizes(options.host, *read.database);
    result->views = std::make_shared<DatabaseSnapshot>(std::move(read.database), options.searches,
                                                       is_in_folder, repertoires);
    result->remarks = std::move(read.remarks);
    result->front = read.front;
    return result;
  };
  const auto read =
      [show, read = source.read, room = source.room, path = source.file.path.string()](
          const WorkBudget& budget, Progress progress) -> absl::StatusOr<LazyDatabase::Ptr> {
    const std::uint64_t tried = room();
    absl::StatusOr<ReadDatabase> database = read(budget, progress);
    if (database.ok()) return show(*std::move(database));
    const absl::Status failure = database.status();
    if (!absl::IsCancelled(failure)) {
      const std::string why = message_of(failure);
      log_warning(why.find(path) == std::string::npos ? fmt::format("{}: {}", path, why) : why);
    }
    if (!absl::IsOutOfRange(failure) && !absl::IsDataLoss(failure)) return failure;
    auto refused = std::make_shared<ReadSource>();
    refused->is_damaged = absl::IsDataLoss(failure);
    refused->refusal = message_of(failure);
    if (!refused->is_damaged) {
      // An eighth more is worth a try: so there are few, though each may take long.
      refused->is_still_refused = [room, tried] { return room() <= tried + tried / 8; };
    }
    return refused;
  };
  std::optional<ReadDatabase> found = source.find();
  const LazyDatabase::Ptr known = found.has_value() ? show(*std::move(found)) : nullptr;
  made.lazy = std::make_shared<LazyDatabase>(
      source.file, read, [&host = options_.host] { host.tell_news(); }, known);
  made.snapshot = std::make_shared<PgnSnapshot>(made.lazy, options_.searches,
                                                options_.open.database.pages, is_in_folder);
  if (known != nullptr) add_database(*known, made);
}

absl::StatusOr<MountedVersionPtr> TrackedFile::accept(const Candidate& candidate, Opened& opened) {
  RETURN_IF_ERROR(slots_.provide(candidate.relative, lineage_.numbers));
  MountedVersion made{.name = candidate.name,
                      .path = candidate.relative,
                      .noun = candidate.format->noun,
                      .parent_slot = candidate.parent_slot,
                      .fingerprint = fingerprint_after(opened.fingerprint, renewals_),
                      .of_files = opened.fingerprint,
                      .mtime = opened.mtime,
                      .source_bytes = opened.source_bytes,
                      .is_remote = opened.is_remote,
                      .snapshot = opened.snapshot};
  if (opened.finish != nullptr) {
    RETURN_IF_ERROR(open_inner(candidate, opened, made));
  }
  if (opened.database != nullptr) {
    show_database(std::move(opened.database), lineage_.last.lock().get(),
                  /*is_in_folder=*/candidate.parent_slot != 0, made);
  }
  if (opened.lazy.has_value()) {
    show_lazily(*opened.lazy, lineage_.last.lock().get(),
                /*is_in_folder=*/candidate.parent_slot != 0, made);
  }
  for (const std::string& problem : opened.problems) {
    log_warning(fmt::format("{}: {}", candidate.path.string(), problem));
  }
  return lineage_.next(std::move(made));
}

absl::Status TrackedFile::open_inner(const Candidate& candidate, const Opened& opened,
                                     MountedVersion& made) {
  ContainerView view{.path = candidate.parent_slot == 0 ? "" : candidate.relative};
  for (const InnerDatabase& database : opened.inner) {
    const std::string relative =
        fmt::format("{}{}{}/{}", candidate.relative, database.folder.empty() ? "" : "/",
                    database.folder, database.name);
    const absl::StatusOr<MountedVersionPtr> shown = newest_inner(database, relative);
    if (absl::IsResourceExhausted(shown.status())) return shown.status();
    if (shown.ok()) {
      // The line stays, though a lazy database is read later.
      const Snapshot& snapshot = *(*shown)->snapshot;
      view.inner.push_back(
          {.is_shown = true,
           .line = database.open_pgn != nullptr
                       ? fmt::format("PGN, {} bytes", database.stamp.size)
                       : fmt::format("{}{}", snapshot.summary(),
                                     snapshot.problems().empty() ? "" : ", damaged")});
      made.inner.push_back(*shown);
    } else {
      view.inner.push_back({.is_shown = false, .line = message_of(shown.status())});
      made.refused.push_back({.name = database.name, .why = view.inner.back().line});
      log_warning(view.inner.back().line);
    }
    made.mounted.push_back(shown.ok() ? (*shown)->slot : std::uint16_t{0});
  }
  made.snapshot = opened.finish(view);
  return absl::OkStatus();
}

// Does not check whether the files have settled: the container has been accepted, and the bytes of
// its databases never change.
absl::StatusOr<MountedVersionPtr> TrackedFile::newest_inner(const InnerDatabase& found,
                                                            const std::string& relative) {
  Lineage& lineage = inner_lineages_[relative];
  RETURN_IF_ERROR(slots_.provide(relative, lineage.numbers));
  const MountedVersionPtr last = lineage.last.lock();
  MountedVersion made{.name = found.name,
                      .path = relative,
                      .noun = kDatabaseNoun,
                      .parent_slot = lineage_.numbers.slot,
                      .parent_place = found.parent};
  DatabaseOptions how = options_.open.database_of(relative, found.name);
  if (found.open_pgn != nullptr) {
    OpenOptions all = options_.open;
    all.database = how;
    const Opened opened = open_inner_pgn(found, all);
    made.of_files = opened.fingerprint;
    made.fingerprint = fingerprint_after(made.of_files, renewals_);
    if (last != nullptr && last->fingerprint == made.fingerprint) return last;
    made.mtime = opened.mtime;
    made.source_bytes = opened.source_bytes;
    show_lazily(*opened.lazy, last.get(), /*is_in_folder=*/true, made);
    return lineage.next(std::move(made));
  }
  how.origin = found.origin;
  ASSIGN_OR_RETURN(std::shared_ptr<Database> opened,
                   Database::open(found.index_path, found.name, how));
  const std::shared_ptr<Database> database = std::move(opened);
  made.of_files = fingerprint_of(*database);
  made.fingerprint = fingerprint_after(made.of_files, renewals_);
  if (last != nullptr && last->fingerprint == made.fingerprint) return last;
  for (const std::string& problem : database->files().problems()) {
    log_warning(fmt::format("{}: {}", found.index_path.string(), problem));
  }
  options_.host.load_sizes(*database);
  made.mtime = database->files().mtime();
  made.source_bytes = database->files().source_bytes();
  show_database(database, last.get(), /*is_in_folder=*/true, made);
  return lineage.next(std::move(made));
}

}  // namespace scidfs::fs
