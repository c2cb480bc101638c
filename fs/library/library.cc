#include "fs/library/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "cache/hash.h"
#include "fs/base/inode.h"
#include "fs/base/log.h"
#include "fs/base/parallel.h"
#include "fs/file/kept_sizes_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Looking at fewer games takes less time than opening a file.
constexpr GameIndex kWorthKeeping = 1000;

std::string message_of(const absl::Status& status) { return std::string(status.message()); }

bool is_same(const Folder& a, const Folder& b) {
  return a.name == b.name && a.parent == b.parent && a.folders == b.folders &&
         a.databases == b.databases && a.texts == b.texts && a.own_texts == b.own_texts &&
         a.own_place == b.own_place && a.refused == b.refused;
}

// Gives a folder whose list has changed a later time than it had before.
void follow(const Folder& before, Folder& folder) {
  const auto time = [](Folder& f) { return std::tie(f.mtime_seconds, f.mtime_nanoseconds); };
  const std::tuple then(before.mtime_seconds, before.mtime_nanoseconds);
  if (is_same(before, folder)) {
    if (time(folder) < then) time(folder) = then;
  } else if (time(folder) <= then) {
    constexpr std::uint32_t kLastNanosecond = 999'999'999;
    time(folder) = then;
    if (folder.mtime_nanoseconds++ == kLastNanosecond) {
      ++folder.mtime_seconds;
      folder.mtime_nanoseconds = 0;
    }
  }
}

// "a database (.si3, .si4, .si5)" and whatever else may be a source.
std::string shown_kinds(const LibraryOptions& options) {
  std::string kinds = "a database (.si3, .si4, .si5)";
  for (const TextFormat& format : options.text_formats) {
    kinds += fmt::format(" nor a file that ends in {}", format.extension);
  }
  return kinds;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Library>> Library::open(const stdfs::path& source,
                                                       const LibraryOptions& options) {
  std::unique_ptr<Library> library(new Library);
  library->options_ = options;
  std::error_code error;
  library->source_ = stdfs::canonical(source, error);
  if (error) {
    return absl::NotFoundError(fmt::format("Cannot open {}: {}", source.string(), error.message()));
  }
  library->is_folder_ = stdfs::is_directory(library->source_);
  if (!options.follow_links) {
    library->link_boundary_ =
        library->is_folder_ ? library->source_ : library->source_.parent_path();
  }
  if (library->is_folder_) {
    stdfs::directory_iterator probe(library->source_, error);
    if (error) {
      return absl::PermissionDeniedError(
          fmt::format("Cannot open {}: {}", source.string(), error.message()));
    }
  } else if (!is_index_file(source) && find_format(options.text_formats, source) == nullptr) {
    return absl::InvalidArgumentError(fmt::format("Cannot open {}: it is neither a folder nor {}",
                                                  source.string(), shown_kinds(options)));
  }
  library->name_ = source.filename().string();
  library->rescan();
  if (!library->is_folder_ && !library->catalog()->shows_source()) {
    return library->known_.begin()->second.refusal;
  }
  return library;
}

Library::~Library() {
  stop_ = true;
  if (background_.joinable()) background_.join();
}

CatalogPtr Library::catalog() const {
  cache::MutexLock lock(mutex_);
  return catalog_;
}

void Library::publish(std::shared_ptr<Catalog> catalog) {
  CatalogPtr before = std::move(catalog);  // goes away behind the lock
  cache::MutexLock lock(mutex_);
  catalog_.swap(before);
}

stdfs::path Library::sizes_path(const stdfs::path& index_path) const {
  const codec::PgnOptions& pgn = options_.pgn;
  const std::string identity = fmt::format("{}\n{} {} {} {}", index_path.string(), pgn.comments,
                                           pgn.variations, pgn.nags, pgn.width);
  return options_.cache_folder /
         fmt::format("{:016x}{}", cache::fingerprint(identity), kSizesExtension);
}

void Library::load_kept_sizes(Database& database) {
  if (options_.cache_folder.empty() || database.games() < kWorthKeeping) return;
  absl::StatusOr<std::vector<std::uint32_t>> sizes =
      load_sizes(sizes_path(database.index_path()), database.fingerprint(), database.kept_count());
  if (sizes.ok()) {
    cache::MutexLock lock(sizes_mutex_);
    sizes_kept_[database.slot()] = database.fingerprint();
    database.adopt_kept(*std::move(sizes));
  } else if (absl::IsDataLoss(sizes.status())) {
    log_warning(message_of(sizes.status()));
  }
}

void Library::keep_sizes() {
  if (options_.cache_folder.empty()) return;
  const CatalogPtr catalog = this->catalog();
  cache::MutexLock lock(sizes_mutex_);
  for (const auto& [slot, database] : catalog->databases()) {
    if (database->games() < kWorthKeeping || !database->all_sizes_known()) continue;
    std::uint64_t& kept = sizes_kept_[slot];
    if (kept == database->fingerprint()) continue;
    kept = database->fingerprint();
    const absl::Status status = save_sizes(sizes_path(database->index_path()),
                                           database->fingerprint(), database->copy_kept());
    if (!status.ok()) {
      log_warning(message_of(status) + "; sizes will be computed again next time");
    }
  }
}

void Library::compute_sizes(const std::vector<DatabasePtr>& databases, Progress progress) const {
  constexpr GameIndex kChunk = 2000;
  struct Task {
    const Database* database;
    GameIndex first;
  };
  std::vector<Task> tasks;
  std::uint64_t total = 0;
  for (const DatabasePtr& database : databases) {
    total += database->games();
    if (database->all_sizes_known()) continue;
    for (GameIndex first = 0; first < database->games(); first += kChunk) {
      tasks.push_back({.database = database.get(), .first = first});
    }
  }
  std::atomic<bool> done = false;
  const auto run = [&](std::size_t i) {
    if (stop_) return;
    const Task& task = tasks[i];
    const GameIndex last = std::min(task.first + kChunk, task.database->games());
    const absl::Status status = task.database->compute_sizes(task.first, last);
    // When the files are no longer those of this version, there is another one soon.
    if (!status.ok() && !absl::IsFailedPrecondition(status)) {
      log_error(message_of(status));
    }
  };
  const auto run_all = [&] {
    run_parallel(tasks.size(), thread_count(options_.threads, tasks.size()), run);
    done = true;
  };
  std::thread work;
  try {
    work = std::thread(run_all);
  } catch (const std::system_error&) {
    run_all();  // without showing how far it is
  }
  constexpr auto kPause = std::chrono::milliseconds(5);
  while (!done) {
    std::this_thread::sleep_for(kPause);
    std::uint64_t known = 0;
    for (const DatabasePtr& database : databases) known += database->sizes_known();
    progress(known, total);
  }
  if (work.joinable()) work.join();
}

void Library::build_sizes(Progress progress) {
  const CatalogPtr catalog = this->catalog();
  std::vector<DatabasePtr> databases;
  for (const auto& [slot, database] : catalog->databases()) databases.push_back(database);
  compute_sizes(databases, progress);
  keep_sizes();
}

void Library::build_sizes_in_background() {
  background_ = std::thread([this] { build_sizes([](std::uint64_t, std::uint64_t) {}); });
}

void Library::warm_up() const {
  const CatalogPtr catalog = this->catalog();
  for (const auto& [slot, database] : catalog->databases()) database->warm_up();
}

FolderScan Library::scan() const {
  if (is_folder_) {
    return scan_folders(source_, options_.follow_links, options_.text_formats);
  }
  FolderScan found;
  found.folders.push_back({.path = source_.parent_path(), .relative = "", .has_content = true});
  if (const TextFormat* const format = find_format(options_.text_formats, name_)) {
    found.texts.push_back({.path = source_,
                           .relative = name_,
                           .name = format->shown_name(name_).value_or(name_),
                           .folder = 0,
                           .format = format});
  } else {
    found.databases.push_back({.path = source_, .relative = name_, .folder = 0});
  }
  return found;
}

bool Library::is_blinded(const FolderScan& found) {
  const std::set<std::string> unlisted(found.unlisted.begin(), found.unlisted.end());
  const bool any_new = !std::ranges::includes(unlisted_, unlisted);
  if (any_new && catalog() != nullptr) {
    const Clock::time_point now = Clock::now();
    if (!blinded_since_) blinded_since_ = now;
    if (now - *blinded_since_ < options_.patience) return true;
  }
  blinded_since_.reset();
  unlisted_ = unlisted;
  return false;
}

std::shared_ptr<Catalog> Library::lay_out(const FolderScan& found,
                                          std::vector<std::size_t>& places) {
  auto next = std::make_shared<Catalog>();
  places.assign(found.folders.size(), 0);
  watched_folders_.clear();
  for (std::size_t i = 0; i < found.folders.size(); ++i) {
    const ScannedFolder& scanned = found.folders[i];
    watched_folders_.push_back(scanned.path);
    if (i != 0 && !scanned.has_content) continue;
    places[i] = next->folders_.size();
    next->folders_.push_back(
        {.name = i == 0 ? "" : scanned.path.filename().string(),
         .path = scanned.relative,
         .key = key_of_folder(scanned.relative),
         .parent = i == 0 ? 0 : key_of_folder(found.folders[scanned.parent].relative),
         .refused = scanned.refused,
         .mtime_seconds = scanned.mtime_seconds,
         .mtime_nanoseconds = scanned.mtime_nanoseconds});
    if (i != 0) next->folders_[places[scanned.parent]].folders.push_back(next->folders_.back().key);
  }
  return next;
}

Library::Rescan Library::rescan() {
  const CatalogPtr before = catalog();
  const FolderScan found = scan();
  if (is_blinded(found)) return {.changed = false, .again = true};
  std::vector<std::size_t> places;
  std::shared_ptr<Catalog> next = lay_out(found, places);

  Rescan result;
  for (const ScannedDatabase& scanned : found.databases) {
    Folder& folder = next->folders_[places[scanned.folder]];
    Known& known = known_[scanned.relative];
    const DatabasePtr database = newest_version(scanned, known, result);
    if (database != nullptr) {
      folder.databases.push_back(database->slot());
      next->databases_.emplace(database->slot(), database);
    } else if (!known.refusal.ok()) {
      folder.refused.push_back(message_of(known.refusal));
    }
  }
  for (const ScannedTexts& scanned : found.texts) {
    const std::size_t place = places[scanned.folder];
    Known& known = known_[scanned.relative];
    const TextsPtr texts = newest_texts(scanned, known, result);
    if (texts == nullptr) {
      if (!known.refusal.ok()) next->folders_[place].refused.push_back(message_of(known.refusal));
      continue;
    }
    next->texts_.emplace(texts->slot, texts);
    if (scanned.format->is_folder) {
      lay_out_inner(scanned, texts, place, *next);
    } else if (is_folder_) {
      next->folders_[place].texts.push_back(texts->slot);
    } else {
      next->folders_[place].own_texts = texts->slot;
    }
  }
  if (!is_folder_ && !found.databases.empty() && !next->databases_.empty()) {
    next->root_database_ = next->databases_.begin()->first;
  }
  // The one thing that is the root cannot vanish: what is known of it stays.
  if (!is_folder_ && before != nullptr && !next->shows_source()) return result;
  if (before != nullptr) next->generation_ = before->generation() + 1;
  result.changed = before == nullptr || supersede(*before, *next);
  if (result.changed) publish(std::move(next));
  return result;
}

bool Library::supersede(const Catalog& before, Catalog& next) {
  bool changed = before.folders_.size() != next.folders_.size() ||
                 before.databases_ != next.databases_ || before.texts_ != next.texts_;
  for (Folder& folder : next.folders_) {
    const Folder* const old = before.folder(folder.key);
    if (old == nullptr) continue;
    follow(*old, folder);
    if (!is_same(*old, folder)) changed = true;
  }
  const auto retire = []<class Snapshot>(const RetiredList<Snapshot>& retired_before,
                                         const auto& all_before, const auto& all,
                                         RetiredList<Snapshot>& retired) {
    const auto is_shown = [&all](std::uint16_t slot, const auto& snapshot) {
      const auto found = all.find(slot);
      return found != all.end() && found->second == snapshot;
    };
    for (const auto& [slot, snapshot] : all_before) {
      if (is_shown(slot, snapshot)) continue;
      retired.push_back(std::make_shared<Retired<Snapshot>>(snapshot));
    }
    for (const auto& old : retired_before) {
      const bool is_back = std::ranges::any_of(
          all, [&old](const auto& shown) { return shown.second == old->snapshot; });
      if (!is_back) retired.push_back(old);
    }
  };
  retire(before.retired_, before.databases_, next.databases_, next.retired_);
  retire(before.retired_texts_, before.texts_, next.texts_, next.retired_texts_);
  next.forget_retired();
  return changed;
}

std::uint32_t Library::key_of_folder(const std::string& relative) {
  constexpr std::uint32_t kMask = 0x7FFFFFFF;
  const auto [found, is_new] = folder_keys_.try_emplace(relative);
  if (is_new) {
    auto key = static_cast<std::uint32_t>(cache::fingerprint(relative) & kMask);
    while (!taken_keys_.insert(key).second) ++key;
    found->second = key;
  }
  return found->second;
}

absl::Status Library::take_slot(const stdfs::path& path, const std::string& relative,
                                Known& known) {
  // When all epochs of a slot have been used, the path moves to another one.
  if (known.slot != 0 && known.used.size() < kMaxEpoch) return absl::OkStatus();
  // A slot by the hash of its path is mostly the same after a remount, whatever else was added. It
  // is never given to another path: numbers of files would mean two things.
  std::size_t slot = 1 + cache::fingerprint(relative) % kMaxDatabases;
  for (std::size_t tries = 0; !taken_slots_.insert(static_cast<std::uint16_t>(slot)).second;
       ++tries) {
    if (tries == kMaxDatabases) {
      return absl::ResourceExhaustedError(
          fmt::format("Cannot open {}: more than {} databases", path.string(), kMaxDatabases));
    }
    slot = slot % kMaxDatabases + 1;
  }
  known.slot = static_cast<std::uint16_t>(slot);
  known.used.clear();
  return absl::OkStatus();
}

bool Library::forget_retired() {
  auto next = std::make_shared<Catalog>(*catalog());
  if (!next->forget_retired()) return false;
  publish(std::move(next));
  return true;
}

}  // namespace scidfs::fs
