#include "fs/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "cache/sizes_file.h"
#include "fs/inode.h"
#include "fs/log.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr unsigned kMaxFolderDepth = 64;
constexpr std::uint32_t kKeyMask = 0x7FFFFFFF;
// Looking at fewer games takes less time than opening a file.
constexpr GameIndex kWorthKeeping = 1000;

bool is_index_file(const stdfs::path& path) { return path.extension() == ".si4"; }

std::string message_of(const absl::Status& status) { return std::string(status.message()); }

// Where the sizes of a database are kept: one file for each path and set of text options.
stdfs::path sizes_path(const stdfs::path& folder, const stdfs::path& index_path,
                       const codec::PgnOptions& pgn) {
  const std::string identity = fmt::format("{}\n{} {} {} {}", index_path.string(), pgn.comments,
                                           pgn.variations, pgn.nags, pgn.width);
  return folder / fmt::format("{:016x}.sizes", cache::fingerprint(identity));
}

}  // namespace

// Finds folders and databases below the source and gives them numbers.
struct Library::Scan {
  struct Found {
    stdfs::path path;
    std::string relative;
    std::uint32_t folder;  // index into folders_
  };

  Library& library;
  stdfs::path source;
  std::vector<Found> databases;

  // Adds the folder if there is a database in it or below. `parent` is an index into folders_.
  void add_folder(const stdfs::path& path, const std::string& relative, std::uint32_t parent,
                  unsigned depth);
  bool leads_outside(const stdfs::path& path) const;
  std::uint32_t free_key(const std::string& relative) const;
};

bool Library::Scan::leads_outside(const stdfs::path& path) const {
  std::error_code error;
  const stdfs::path target = stdfs::canonical(path, error);
  if (error) return true;
  const auto [end, at] = std::mismatch(source.begin(), source.end(), target.begin(), target.end());
  return end != source.end();
}

std::uint32_t Library::Scan::free_key(const std::string& relative) const {
  auto key = static_cast<std::uint32_t>(cache::fingerprint(relative) & kKeyMask);
  while (library.folder(key) != nullptr) ++key;
  return key;
}

void Library::Scan::add_folder(const stdfs::path& path, const std::string& relative,
                               std::uint32_t parent, unsigned depth) {
  const auto index = static_cast<std::uint32_t>(library.folders_.size());
  const std::size_t databases_before = databases.size();
  Folder folder{.name = depth == 0 ? "" : path.filename().string(),
                .path = relative,
                .key = free_key(relative),
                .parent = depth == 0 ? 0 : library.folders_[parent].key};
  library.folders_.push_back(std::move(folder));

  std::error_code error;
  std::vector<stdfs::path> names;
  for (stdfs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path());
  }
  if (error) {
    log_warning(fmt::format("Cannot list {}: {}", path.string(), error.message()));
  }
  std::sort(names.begin(), names.end());
  for (const stdfs::path& name : names) {
    const std::string below =
        relative.empty() ? name.filename().string() : relative + "/" + name.filename().string();
    const stdfs::file_status status = stdfs::symlink_status(name, error);
    if (error) continue;
    if (stdfs::is_directory(status)) {
      if (depth < kMaxFolderDepth) add_folder(name, below, index, depth + 1);
    } else if (is_index_file(name)) {
      if (!library.options_.follow_links && stdfs::is_symlink(status) && leads_outside(name)) {
        library.folders_[index].refused.push_back(
            fmt::format("{}: a link out of the source", name.filename().string()));
      } else {
        databases.push_back({.path = name, .relative = below, .folder = index});
      }
    }
  }
  const bool has_below = library.folders_.size() > index + 1;
  if (depth != 0 && databases.size() == databases_before && !has_below &&
      library.folders_[index].refused.empty()) {
    library.folders_.pop_back();
    return;
  }
  Folder& added = library.folders_[index];
  const auto written = stdfs::last_write_time(path, error);
  if (!error) {
    added.mtime_seconds = std::chrono::duration_cast<std::chrono::seconds>(
                              std::chrono::file_clock::to_sys(written).time_since_epoch())
                              .count();
  }
  if (depth != 0) library.folders_[parent].folders.push_back(added.key);
}

struct Library::Background {
  std::atomic<bool> stop = false;
  std::thread thread;
};

absl::StatusOr<std::unique_ptr<Library>> Library::open(const stdfs::path& source,
                                                       const LibraryOptions& options) {
  std::unique_ptr<Library> library(new Library);
  library->options_ = options;
  std::error_code error;
  const stdfs::path canonical = stdfs::canonical(source, error);
  if (error) {
    return absl::NotFoundError(fmt::format("Cannot open {}: {}", source.string(), error.message()));
  }
  if (!options.follow_links) {
    library->link_boundary_ = stdfs::is_directory(canonical) ? canonical : canonical.parent_path();
  }
  Scan scan{.library = *library, .source = canonical, .databases = {}};
  const bool is_folder = stdfs::is_directory(canonical);
  if (is_folder) {
    stdfs::directory_iterator probe(canonical, error);
    if (error) {
      return absl::PermissionDeniedError(
          fmt::format("Cannot open {}: {}", source.string(), error.message()));
    }
    scan.add_folder(canonical, "", 0, 0);
  } else if (is_index_file(source)) {
    library->folders_.push_back({});
    scan.databases.push_back(
        {.path = canonical, .relative = source.filename().string(), .folder = 0});
  } else {
    return absl::InvalidArgumentError(fmt::format(
        "Cannot open {}: it is neither a folder nor a database (.si4)", source.string()));
  }
  for (const Scan::Found& found : scan.databases) {
    if (absl::Status status = library->add_database(found.path, found.relative, found.folder);
        !status.ok()) {
      Folder& folder = library->folders_[found.folder];
      folder.refused.push_back(message_of(status));
      log_warning(message_of(status));
      if (!is_folder) return status;
    }
  }
  if (!is_folder) library->root_database_ = library->folders_[0].databases.at(0);
  return library;
}

absl::Status Library::add_database(const stdfs::path& path, const std::string& relative,
                                   std::uint32_t folder) {
  if (slots_.empty()) slots_.resize(std::size_t{kMaxDatabases} + 1);
  // A slot by the hash of its path is mostly the same after a remount, whatever else was added.
  std::size_t slot = 1 + cache::fingerprint(relative) % kMaxDatabases;
  for (std::size_t tries = 0; slots_[slot] != nullptr; ++tries) {
    if (tries == kMaxDatabases) {
      return absl::ResourceExhaustedError(
          fmt::format("Cannot open {}: more than {} databases", path.string(), kMaxDatabases));
    }
    slot = slot % kMaxDatabases + 1;
  }
  absl::StatusOr<std::shared_ptr<Database>> database =
      Database::open(path, path.filename().string(), static_cast<std::uint16_t>(slot),
                     {.pgn = options_.pgn,
                      .show_deleted = options_.show_deleted,
                      .link_boundary = link_boundary_});
  if (!database.ok()) return database.status();
  for (const std::string& problem : (*database)->problems()) {
    log_warning(fmt::format("{}: {}", path.string(), problem));
  }
  slots_[slot] = *std::move(database);
  if (!options_.cache_folder.empty() && slots_[slot]->games() >= kWorthKeeping) {
    sizes_paths_[static_cast<std::uint16_t>(slot)] =
        sizes_path(options_.cache_folder, path, options_.pgn);
  }
  load_kept_sizes(*slots_[slot]);
  folders_[folder].databases.push_back(static_cast<std::uint16_t>(slot));
  return absl::OkStatus();
}

void Library::load_kept_sizes(Database& database) {
  const auto path = sizes_paths_.find(database.slot());
  if (path == sizes_paths_.end()) return;
  absl::StatusOr<std::vector<std::uint32_t>> sizes =
      cache::load_sizes(path->second, database.fingerprint(), database.games());
  if (sizes.ok()) {
    database.adopt_sizes(*std::move(sizes));
  } else if (absl::IsDataLoss(sizes.status())) {
    log_warning(message_of(sizes.status()));
  }
}

void Library::keep_sizes(const Database& database) const {
  const auto path = sizes_paths_.find(database.slot());
  if (path == sizes_paths_.end() || !database.all_sizes_known()) return;
  const absl::Status status =
      cache::save_sizes(path->second, database.fingerprint(), database.copy_sizes());
  if (!status.ok()) log_warning(message_of(status) + "; sizes will be computed again next time");
}

Library::~Library() {
  if (background_ == nullptr) return;
  background_->stop = true;
  background_->thread.join();
}

const Folder* Library::folder(std::uint32_t key) const {
  const auto found = std::find_if(folders_.begin(), folders_.end(),
                                  [key](const Folder& folder) { return folder.key == key; });
  return found == folders_.end() ? nullptr : &*found;
}

const Folder& Library::folder_of(std::uint16_t database) const {
  return *std::find_if(folders_.begin(), folders_.end(), [database](const Folder& folder) {
    return std::find(folder.databases.begin(), folder.databases.end(), database) !=
           folder.databases.end();
  });
}

const Folder& Library::root_folder() const { return folders_.front(); }

std::shared_ptr<const Database> Library::database(std::uint16_t slot) const {
  return slot < slots_.size() ? slots_[slot] : nullptr;
}

std::vector<std::shared_ptr<const Database>> Library::databases() const {
  std::vector<std::shared_ptr<const Database>> found;
  for (const auto& database : slots_) {
    if (database != nullptr) found.push_back(database);
  }
  return found;
}

std::uint64_t Library::sizes_known() const {
  std::uint64_t known = 0;
  for (const auto& database : databases()) known += database->sizes_known();
  return known;
}

std::uint64_t Library::games() const {
  std::uint64_t games = 0;
  for (const auto& database : databases()) games += database->games();
  return games;
}

void Library::compute_sizes(Progress progress, const std::atomic<bool>& stop) {
  constexpr GameIndex kChunk = 2000;
  struct Task {
    const Database* database;
    GameIndex first;
  };
  std::vector<Task> tasks;
  std::vector<const Database*> incomplete;
  for (const auto& database : databases()) {
    if (database->all_sizes_known()) continue;
    incomplete.push_back(database.get());
    for (GameIndex first = 0; first < database->games(); first += kChunk) {
      tasks.push_back({.database = database.get(), .first = first});
    }
  }
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> working = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size() && !stop; i = next++) {
      const Task& task = tasks[i];
      const GameIndex last = std::min(task.first + kChunk, task.database->games());
      if (const absl::Status status = task.database->compute_sizes(task.first, last);
          !status.ok()) {
        log_error(message_of(status));
      }
    }
    --working;
  };
  const unsigned wanted =
      options_.threads != 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  working = std::min<std::size_t>(wanted, tasks.size());
  for (std::size_t i = working; i > 0; --i) threads.emplace_back(work);
  const std::uint64_t total = games();
  constexpr auto kPause = std::chrono::milliseconds(5);
  while (working != 0) {
    std::this_thread::sleep_for(kPause);
    progress(sizes_known(), total);
  }
  for (std::thread& thread : threads) thread.join();
  for (const Database* database : incomplete) keep_sizes(*database);
}

void Library::build_sizes(Progress progress) {
  const std::atomic<bool> never = false;
  compute_sizes(progress, never);
}

void Library::start_background() {
  background_ = std::make_unique<Background>();
  background_->thread = std::thread([this] {
    for (const auto& database : databases()) {
      if (background_->stop) return;
      database->warm_up();
    }
    if (options_.index == IndexMode::Background) {
      compute_sizes([](std::uint64_t, std::uint64_t) {}, background_->stop);
    }
  });
}

}  // namespace scidfs::fs
