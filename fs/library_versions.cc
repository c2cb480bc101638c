// Which version of a database is shown, when its files change.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fs/inode.h"
#include "fs/library.h"
#include "fs/log.h"

namespace scidfs::fs {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // nanoseconds

// Two writes closer together than this may leave the same time on a file.
std::int64_t grain_of(const FileStamp& stamp) {
  constexpr std::int64_t kTick = 50'000'000;
  // Some file systems know whole seconds only, or every other one.
  return stamp.mtime_nanoseconds == 0 ? 2 * kSecond : kTick;
}

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Whether any write from now on will show in the stamps. Times in the future say nothing.
bool is_settled(const DatabaseStamps& stamps) {
  const std::int64_t now = now_nanoseconds();
  for (const FileStamp* const stamp : {&stamps.index, &stamps.games, &stamps.names}) {
    const std::int64_t written = stamp->mtime_seconds * kSecond + stamp->mtime_nanoseconds;
    if (written > now - grain_of(*stamp) && written < now + kSecond) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Database>> Library::open_version(const ScannedDatabase& found,
                                                                Known& known) {
  // When all epochs of a slot have been used, the database moves to another one.
  if (known.slot == 0 || known.used.size() == kMaxEpoch) {
    if (absl::Status status = take_slot(found, known); !status.ok()) return status;
    known.used.clear();
  }
  return Database::open(
      found.path, found.path.filename().string(), known.slot,
      {.pgn = options_.pgn, .show_deleted = options_.show_deleted, .link_boundary = link_boundary_},
      known.used);
}

bool Library::is_final(Known& known, const DatabaseStamps& stamps) const {
  const Clock::time_point now = Clock::now();
  if (known.unfinished != stamps) {
    known.unfinished = stamps;
    known.unfinished_since = now;
  }
  return now - known.unfinished_since >= options_.patience;
}

bool Library::looks_whole(Database& database, const Database* before) {
  if (!database.is_consistent()) return false;
  load_kept_sizes(database);
  database.sum_up([this] { return stop_.load(); });
  return before == nullptr || !before->is_consistent() || database.is_plausible_after(*before);
}

DatabasePtr Library::newest_version(const ScannedDatabase& found, Known& known, Rescan& result) {
  const CatalogPtr catalog = this->catalog();
  const bool is_first = catalog == nullptr;  // look: something must be shown
  DatabasePtr last = known.last.lock();
  const bool is_shown = last != nullptr && !is_first && catalog->database(last->slot()) == last;
  DatabasePtr shown = is_shown ? last : nullptr;
  const auto look_again = [&] {
    result.again = true;
    return shown;
  };

  const DatabaseStamps stamps = Database::stamps_on_disk(found.path);
  if (known.seen == stamps && (is_shown || !known.refusal.ok())) return shown;
  const bool settled = is_settled(stamps);
  if (!is_first && !settled) return look_again();
  if (known.unfinished == stamps && !is_final(known, stamps)) return look_again();

  absl::StatusOr<std::shared_ptr<Database>> opened = open_version(found, known);
  if (!opened.ok()) {
    if (!is_first && !is_final(known, stamps)) return look_again();
    known.seen = stamps;
    known.refusal = opened.status();
    log_warning(std::string(opened.status().message()));
    return nullptr;
  }
  const std::shared_ptr<Database> database = *std::move(opened);
  const bool is_same = last != nullptr && last->fingerprint() == database->fingerprint();
  if (is_first) {
    load_kept_sizes(*database);
  } else if (!is_same && !looks_whole(*database, last.get()) && !is_final(known, stamps)) {
    return look_again();
  }
  const bool is_unchanged = Database::stamps_on_disk(found.path) == stamps;
  if (!is_first && !is_unchanged) return look_again();

  known.seen.reset();
  if (settled && is_unchanged) known.seen = stamps;
  known.unfinished.reset();
  known.refusal = absl::OkStatus();
  if (is_same) return last;
  known.last = database;
  if (std::ranges::find(known.used, database->epoch(), &UsedEpoch::epoch) == known.used.end()) {
    known.used.push_back({.epoch = database->epoch(), .fingerprint = database->fingerprint()});
  }
  for (const std::string& problem : database->problems()) {
    log_warning(fmt::format("{}: {}", found.path.string(), problem));
  }
  if (last != nullptr) database->succeed(*last);
  if (is_first) return database;
  // Of what comes while it is mounted, everything is ready before anybody sees it.
  database->warm_up();
  if (options_.index != IndexMode::None) {
    compute_sizes({database}, [](std::uint64_t, std::uint64_t) {});
  }
  return database;
}

}  // namespace scidfs::fs
