// Which version of a database is shown, when its files change.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fs/inode.h"
#include "fs/library.h"
#include "fs/log.h"

namespace scidfs::fs {
namespace {

// Two writes closer together than this may leave the same time on a file.
constexpr std::int64_t kTimeGrain = 50'000'000;  // nanoseconds

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

// Whether any write since `when` would show in the stamps. Times in the future say nothing.
bool is_settled(const DatabaseStamps& stamps, std::int64_t when) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  for (const FileStamp* const stamp : {&stamps.index, &stamps.games, &stamps.names}) {
    const std::int64_t written = stamp->mtime_seconds * kSecond + stamp->mtime_nanoseconds;
    if (written > when - kTimeGrain && written < when + kSecond) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Database>> Library::open_version(const ScannedDatabase& found,
                                                                const Known& known) const {
  return Database::open(
      found.path, found.path.filename().string(), known.slot,
      {.pgn = options_.pgn, .show_deleted = options_.show_deleted, .link_boundary = link_boundary_},
      known.epochs);
}

// Whether a version that looks unfinished has been there, unchanged, for so long that nobody will
// finish it.
bool Library::is_final(Known& known, const DatabaseStamps& stamps) {
  if (known.unfinished != stamps || known.unfinished_since == 0) {
    known.unfinished = stamps;
    known.unfinished_since = steady_seconds();
  }
  return steady_seconds() - known.unfinished_since >= kPatience;
}

DatabasePtr Library::newest_version(const ScannedDatabase& found, const DatabasePtr& before,
                                    Known& known, Rescan& result) {
  const DatabaseStamps stamps = Database::stamps_on_disk(found.path);
  if (before != nullptr && stamps == before->stamps() && known.is_settled) return before;
  const bool refused = before == nullptr && !known.refusal.ok();
  if (refused && stamps == known.unfinished) return nullptr;

  const std::int64_t when = now_nanoseconds();
  absl::StatusOr<std::shared_ptr<Database>> opened = open_version(found, known);
  const auto keep_old = [&] {
    result.again = true;
    return before;
  };
  if (!opened.ok()) {
    if (before != nullptr && !is_final(known, stamps)) return keep_old();
    known.unfinished = stamps;
    known.refusal = opened.status();
    log_warning(std::string(opened.status().message()));
    return nullptr;
  }
  std::shared_ptr<Database> database = *std::move(opened);
  if (before != nullptr) {
    if (database->stamps() != Database::stamps_on_disk(found.path)) return keep_old();
    if (database->stamps() == before->stamps() && database->has_same_bytes(*before)) {
      known.is_settled = is_settled(stamps, when);
      if (!known.is_settled) result.again = true;
      return before;
    }
    if (!database->is_consistent() && !is_final(known, stamps)) return keep_old();
  }

  known.unfinished_since = 0;
  known.refusal = absl::OkStatus();
  known.is_settled = is_settled(database->stamps(), when);
  if (!known.is_settled) result.again = true;
  if (known.epochs.size() == kMaxEpoch - 1U) known.epochs.erase(known.epochs.begin());
  known.epochs.push_back(database->epoch());
  for (const std::string& problem : database->problems()) {
    log_warning(fmt::format("{}: {}", found.path.string(), problem));
  }
  load_kept_sizes(*database);
  if (before != nullptr) database->succeed(*before);
  if (catalog() == nullptr) return database;
  // Of what comes while it is mounted, everything is ready before anybody sees it.
  database->warm_up();
  if (options_.index != IndexMode::None) {
    compute_sizes({database}, [](std::uint64_t, std::uint64_t) {});
  }
  return database;
}

}  // namespace scidfs::fs
