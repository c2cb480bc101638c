// Which version of a database or a directory of texts is shown, when its files change.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fs/base/inode.h"
#include "fs/base/log.h"
#include "fs/library/library.h"

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

// Gives `texts` a later time than the version before had.
void follow(const ShownTexts& before, ShownTexts& texts) {
  constexpr std::uint32_t kLastNanosecond = kSecond - 1;
  const auto time = [](const ShownTexts& t) {
    return std::pair(t.mtime_seconds, t.mtime_nanoseconds);
  };
  if (time(texts) > time(before)) return;
  texts.mtime_seconds = before.mtime_seconds;
  texts.mtime_nanoseconds = before.mtime_nanoseconds + 1;
  if (before.mtime_nanoseconds == kLastNanosecond) {
    ++texts.mtime_seconds;
    texts.mtime_nanoseconds = 0;
  }
}

}  // namespace

void Library::accept(Known& known, std::uint16_t epoch, std::uint64_t fingerprint,
                     const std::vector<std::string>& problems, const std::filesystem::path& path) {
  if (std::ranges::find(known.used, epoch, &UsedEpoch::epoch) == known.used.end()) {
    known.used.push_back({.epoch = epoch, .fingerprint = fingerprint});
  }
  for (const std::string& problem : problems) {
    log_warning(fmt::format("{}: {}", path.string(), problem));
  }
}

absl::StatusOr<std::shared_ptr<Database>> Library::open_version(const ScannedDatabase& found,
                                                                Known& known) {
  if (absl::Status status = take_slot(found.path, found.relative, known); !status.ok()) {
    return status;
  }
  return Database::open(
      found.path, found.path.filename().string(), known.slot,
      {.pgn = options_.pgn, .show_deleted = options_.show_deleted, .origin = link_boundary_},
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
  accept(known, database->epoch(), database->fingerprint(), database->problems(), found.path);
  if (last != nullptr) database->succeed(*last);
  if (is_first) return database;
  // Of what comes while it is mounted, everything is ready before anybody sees it.
  database->warm_up();
  if (options_.index != IndexMode::None) {
    compute_sizes({database}, [](std::uint64_t, std::uint64_t) {});
  }
  return database;
}

absl::StatusOr<std::shared_ptr<ShownTexts>> Library::open_texts(const ScannedTexts& found,
                                                                Known& known) {
  if (absl::Status status = take_slot(found.path, found.relative, known); !status.ok()) {
    return status;
  }
  absl::StatusOr<SourceFile> file = SourceFile::open(found.path, link_boundary_);
  if (!file.ok()) return file.status();
  const FileStamp stamp = file->stamp();
  const FileStamp companions = found.format->companions_of(found.path);
  absl::StatusOr<TextDirectoryPtr> directory =
      found.format->open(*std::move(file), {.pgn = options_.pgn, .unpack = options_.unpack});
  if (!directory.ok()) return directory.status();
  auto texts = std::make_shared<ShownTexts>();
  texts->name = found.name;
  texts->slot = known.slot;
  texts->fingerprint = fingerprint_of(stamp, fingerprint_of(options_.pgn));
  if (companions != FileStamp{}) {
    texts->fingerprint = fingerprint_of(companions, texts->fingerprint);
  }
  texts->epoch = choose_epoch(texts->fingerprint, known.used);
  texts->source_bytes = stamp.size + companions.size;
  texts->mtime_seconds = stamp.mtime_seconds;
  texts->mtime_nanoseconds = stamp.mtime_nanoseconds;
  texts->directory = *std::move(directory);
  return texts;
}

TextsPtr Library::newest_texts(const ScannedTexts& found, Known& known, Rescan& result) {
  const CatalogPtr catalog = this->catalog();
  const bool is_first = catalog == nullptr;  // look: something must be shown
  TextsPtr last = known.last_texts.lock();
  const bool is_shown = last != nullptr && !is_first && catalog->texts(last->slot) == last;
  TextsPtr shown = is_shown ? last : nullptr;
  const auto look_again = [&] {
    result.again = true;
    return shown;
  };

  const auto stamps_on_disk = [&found] {
    return DatabaseStamps{.index = stamp_of(found.path),
                          .games = found.format->companions_of(found.path),
                          .names = {}};
  };
  const DatabaseStamps stamps = stamps_on_disk();
  if (known.seen == stamps && (is_shown || !known.refusal.ok())) return shown;
  const bool settled = is_settled(stamps);
  if (!is_first && !settled) return look_again();
  if (known.unfinished == stamps && !is_final(known, stamps)) return look_again();

  absl::StatusOr<std::shared_ptr<ShownTexts>> opened = open_texts(found, known);
  const bool is_whole = opened.ok() && (*opened)->directory->is_whole();
  if (!is_first && !is_whole && !is_final(known, stamps)) return look_again();
  const bool is_unchanged = stamps_on_disk() == stamps;
  if (!is_first && !is_unchanged) return look_again();

  known.seen.reset();
  if (settled && is_unchanged) known.seen = stamps;
  known.unfinished.reset();
  known.refusal = opened.status();
  if (!opened.ok()) {
    log_warning(std::string(opened.status().message()));
    return nullptr;
  }
  const std::shared_ptr<ShownTexts> texts = *std::move(opened);
  if (last != nullptr && last->fingerprint == texts->fingerprint) return last;
  known.last_texts = texts;
  accept(known, texts->epoch, texts->fingerprint, texts->directory->problems(), found.path);
  if (last != nullptr) follow(*last, *texts);
  return texts;
}

}  // namespace scidfs::fs
