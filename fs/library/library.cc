#include "fs/library/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "codec/unicode.h"
#include "fs/base/log.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/base/thread.h"
#include "fs/library/folder_catalog.h"
#include "fs/library/repertoires.h"
#include "fs/library/sizing.h"
#include "fs/reference/spelling_load.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// Returns "a database (.si3, .si4, .si5)" and the other kinds of source files.
std::string shown_kinds(SourceFormats formats) {
  std::string kinds = "a database (.si3, .si4, .si5)";
  for (const SourceFormat& format : formats) {
    if (format.noun != kDatabaseNoun || format.companions.front().empty()) {
      kinds += fmt::format(" nor a file that ends in {}", format.extension);
    }
  }
  return kinds;
}

OpenOptions open_options(const LibraryOptions& options, const stdfs::path& source, bool is_folder,
                         std::function<bool()> is_cancelled) {
  OpenOptions open{.database = options.database,
                   .unpack = options.unpack,
                   .with_pgn = find_format(options.formats, "x.pgn") != nullptr,
                   .pgn_records = std::make_shared<RecordFolder>(options.database.cache_folder,
                                                                 options.pgn_bytes),
                   .encodings = options.encodings};
  stdfs::path boundary;
  if (!options.follow_links) boundary = is_folder ? source : source.parent_path();
  open.database.origin = {std::move(boundary), options.locality};
  open.database.is_cancelled = is_cancelled;
  open.unpack.is_cancelled = std::move(is_cancelled);
  return open;
}

bool has_capital_ending(const stdfs::path& file) {
  return std::ranges::any_of(file.extension().string(),
                             [](char c) { return codec::to_ascii_lower(c) != c; });
}

stdfs::path real_path(const stdfs::path& path) {
  std::error_code error;
  return stdfs::canonical(path, error);
}

}  // namespace

Library::Library(const stdfs::path& source, const LibraryOptions& options)
    : options_(options),
      source_(real_path(source)),
      name_(source.filename().string()),
      is_folder_(stdfs::is_directory(source_)),
      searches_(std::make_shared<QueryContext>(options.answer_bytes)),
      saved_sizes_(options.database.cache_folder),
      versions_(
          {.host = *this,
           .open = open_options(options, source_, is_folder_, [this] { return is_stopped(); }),
           .searches = searches_,
           .patience = options.patience,
           .first_patience = options.first_patience},
          remote_probes_),
      remote_probes_([this] { tell_news(); }) {}

absl::Status Library::check_source(const stdfs::path& given) const {
  std::error_code error;
  if (source_.empty()) {
    static_cast<void>(stdfs::canonical(given, error));
    return absl::NotFoundError(fmt::format("Cannot open {}: {}", given.string(), error.message()));
  }
  if (is_folder_) {
    const stdfs::directory_iterator probe(source_, error);
    if (!error) return absl::OkStatus();
    return absl::PermissionDeniedError(
        fmt::format("Cannot open {}: {}", given.string(), error.message()));
  }
  if (find_format(options_.formats, given) != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("Cannot open {}: it is neither a folder nor {}",
                                                given.string(), shown_kinds(options_.formats)));
}

absl::StatusOr<std::unique_ptr<Library>> Library::open(const stdfs::path& source,
                                                       const LibraryOptions& options) {
  std::unique_ptr<Library> library(new Library(source, options));
  RETURN_IF_ERROR(library->check_source(source));
  RETURN_IF_ERROR(library->first_look());
  library->warn_of_idle_rules();
  return library;
}

// The user may have mistyped a path; or what it is for has yet to come.
void Library::warn_of_idle_rules() const {
  const CatalogPtr catalog = this->catalog();
  for (const EncodingRule& rule : options_.encodings) {
    const auto applies = [&rule](const auto& relative, const std::string& name) {
      return rule.applies_to(relative, name);
    };
    const bool is_used = std::ranges::any_of(found_.files,
                                             [&](const ScannedFile& file) {
                                               return applies(file.relative, file.name);
                                             }) ||
                         std::ranges::any_of(catalog->all(), [&](const MountedVersionPtr& shown) {
                           return applies(shown->path, shown->name);
                         });
    if (!is_used) {
      log_warning(
          fmt::format("-o encoding: there is no database, folder or archive {}", rule.path));
    }
  }
}

// Shows files that fit together at once. Waits for files that may be half copied, but not for long.
absl::Status Library::first_look() {
  constexpr auto kPause = std::chrono::milliseconds(100);
  const Clock::time_point end = Clock::now() + options_.longest_wait;
  std::shared_ptr<Catalog> catalog;
  for (bool waits = false;; waits = true) {
    found_ = scan();
    is_blinded(found_);
    versions_.begin(true);
    catalog = make_catalog(found_);
    versions_.end();
    if (!versions_.again() || Clock::now() >= end) break;
    if (!waits) log_info("waiting for files that are still being written");
    std::this_thread::sleep_for(kPause);
  }
  if (catalog == nullptr) return refusal_;
  publish(std::move(catalog));
  return absl::OkStatus();
}

Library::~Library() {
  stop_ = true;
  if (background_.joinable()) background_.join();
}

CatalogPtr Library::catalog() const {
  const cache::MutexLock lock(mutex_);
  return catalog_;
}

void Library::publish(std::shared_ptr<Catalog> catalog) {
  CatalogPtr before = std::move(catalog);  // destroyed after the lock
  const cache::MutexLock lock(mutex_);
  catalog_.swap(before);
}

void Library::on_news(std::function<void()> wake) {
  const cache::MutexLock lock(mutex_);
  wake_ = std::move(wake);
}

void Library::prepare(const std::shared_ptr<const Database>& database) {
  if (catalog() == nullptr || is_stopped()) return;
  database->lists().warm_up();
  if (options_.index == IndexMode::None) return;
  compute_sizes(
      {database}, options_.threads, [this] { return is_stopped(); },
      [](std::uint64_t, std::uint64_t) {});
}

bool Library::tell_news() {
  const cache::MutexLock lock(mutex_);
  if (wake_ == nullptr) return false;
  wake_();
  return true;
}

std::vector<std::shared_ptr<const Database>> Library::databases() const {
  std::vector<std::shared_ptr<const Database>> databases;
  const CatalogPtr catalog = this->catalog();
  for (const MountedVersionPtr& shown : catalog->all()) {
    if (shown->database != nullptr) databases.push_back(shown->database);
  }
  return databases;
}

void Library::save_sizes() {
  for (const auto& database : databases()) saved_sizes_.save(*database);
  index_keeper_.keep(catalog()->all());
}

void Library::build_sizes(Progress progress) {
  compute_sizes(
      databases(), options_.threads, [this] { return is_stopped(); }, progress);
  save_sizes();
}

void Library::build_sizes_in_background(std::function<void(std::uint64_t, std::uint64_t)> progress,
                                        std::function<void()> end) {
  background_ =
      start_thread("sizing", [this, progress = std::move(progress), end = std::move(end)] {
        build_sizes(progress);
        end();
      });
}

void Library::warm_up() const {
  const auto& spelling = options_.database.reference->spelling;
  if (spelling != nullptr) spelling->begin();
  for (const auto& database : databases()) {
    if (!database->is_stored()) database->lists().warm_up();
  }
}

void Library::check_stored_ahead() const {
  for (const auto& database : databases()) {
    database->check_stored_ahead([this] { return is_stopped(); });
  }
}

// Before there is a mount, its user waits for all servers. Later no request waits for them.
FolderScan Library::scan_elsewhere(const std::string& relative, std::function<FolderScan()> look) {
  RemoteResult<FolderScan>& found = elsewhere_[relative];
  if (catalog() == nullptr) return found.set(look());
  found.update(remote_probes_, source_ / relative, std::move(look));
  return found.last();
}

FolderScan Library::scan() {
  // Asked only once: the source does not move.
  if (catalog() == nullptr) is_source_remote_ = is_remote(source_, options_.locality);
  if (is_folder_) {
    ScanOptions scan{.follow_links = options_.follow_links,
                     .formats = options_.formats,
                     .mountpoint = options_.mountpoint,
                     .locality = options_.locality};
    if (is_source_remote_) {
      return scan_elsewhere("", [source = source_, scan] { return scan_folders(source, scan); });
    }
    scan.elsewhere = [this](const std::string& relative, std::function<FolderScan()> look) {
      return scan_elsewhere(relative, std::move(look));
    };
    return scan_folders(source_, scan);
  }
  FolderScan found;
  found.folders.push_back({.path = source_.parent_path(),
                           .relative = "",
                           .has_content = true,
                           .mtime = {},
                           .is_remote = is_source_remote_});
  const SourceFormat* const format = find_format(options_.formats, name_);
  found.files.push_back({.path = source_,
                         .relative = name_,
                         .name = format->shown_name(name_).value_or(name_),
                         .folder = 0,
                         .format = format});
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

std::shared_ptr<Catalog> Library::make_single(const FolderScan& found, std::uint32_t generation) {
  const ScannedFile& file = found.files.front();
  Versions::Outcome answer = versions_.newest(candidate_of(found, file, 0));
  refusal_ = answer.refusal;
  if (answer.shown == nullptr) return nullptr;
  std::vector<MountedVersionPtr> newest = answer.inner;
  newest.push_back(answer.shown);
  searches_->repertoires.publish(repertoires_of(newest));
  answer = versions_.newest_after_repertoires(candidate_of(found, file, 0));
  auto catalog = std::make_shared<Catalog>(generation, answer.shown->slot);
  catalog->add(std::move(answer.shown));
  for (MountedVersionPtr& inner : answer.inner) catalog->add(std::move(inner));
  return catalog;
}

std::shared_ptr<Catalog> Library::make_catalog(const FolderScan& found) {
  const CatalogPtr before = catalog();
  const std::uint32_t generation = before == nullptr ? 0 : before->generation() + 1;
  watched_folders_.clear();
  for (const ScannedFolder& folder : found.folders) {
    if (folder.is_remote) {
      has_remote_ = true;
    } else {
      watched_folders_.push_back(folder.path);
    }
  }
  return is_folder_ ? make_folder_catalog(found, versions_, generation, options_.database.pages,
                                          options_.together)
                    : make_single(found, generation);
}

bool Library::has_links() const {
  return std::ranges::any_of(found_.folders, &ScannedFolder::has_links);
}

bool Library::signs_of(const FolderChange& change, PendingChanges::ChangeEvent& sign) const {
  sign = {
      .is_folder = change.is_folder, .is_arrival = change.is_arrival, .is_write = change.is_write};
  if (change.folder.empty()) return true;
  const std::string base = is_folder_ ? source_.string() : source_.parent_path().string();
  std::string above = change.folder.string().substr(base.size());
  if (above.starts_with('/')) above.erase(0, 1);
  if (change.name.empty()) {
    sign.path = std::move(above);
    return true;
  }
  std::optional<std::string> name = change.name;
  if (!change.is_folder) name = name_of_whole(options_.formats, change.name);
  if (!name.has_value()) {
    // It may have been a link to a folder.
    if (!is_folder_ || !change.is_arrival) return false;
    sign.is_uncertain = true;
    name = change.name;
  } else if (is_folder_ && !change.is_folder && has_capital_ending(change.name) &&
             *name != change.name) {
    // It may belong to several databases: scan the folder.
    sign.path = std::move(above);
    sign.is_folder = true;
    return true;
  }
  if (!is_folder_) {
    // The user may have given the source as a link.
    sign.path = find_format(options_.formats, name_)->shown_name(name_).value_or(name_);
    return !change.is_folder && name == name_of_whole(options_.formats, source_.filename());
  }
  sign.path = above.empty() ? *name : fmt::format("{}/{}", above, *name);
  return true;
}

// Updates the last scan. Returns whether it has changed.
Updated Library::update_names(RescanScope& look) {
  if (look.is_all || look.has_folders || !is_folder_) return Updated::Unknown;
  Updated updated = Updated::Same;
  std::set<std::string, std::less<>> folders;
  for (const auto& [path, is_pressed] : look.paths) {
    const Updated one = update_scan(source_, path, options_.formats, found_);
    updated = std::max(updated, one);
    // The file may belong to an index whose name is in another case.
    if (one == Updated::Unknown && find_format(options_.formats, path) != nullptr) {
      folders.emplace(folder_of_path(path));
    }
  }
  for (const std::string& folder : folders) look.paths.emplace(folder, false);
  return updated;
}

// Returns whether any of the files in this scan has a new version to show.
bool Library::is_any_other() {
  bool any = false;
  for (const ScannedFile& file : found_.files) {
    if (!versions_.wants(found_, file)) continue;
    const absl::StatusOr<std::uint16_t> slot =
        versions_.slot_of_folder(found_.folders[file.folder].relative);
    if (slot.ok()) any = versions_.is_other(candidate_of(found_, file, *slot)) || any;
  }
  return any;
}

Library::Rescan Library::rescan(RescanScope look) {
  const Updated names = update_names(look);
  Rescan result{.has_names = names == Updated::Unknown};
  if (result.has_names) {
    FolderScan found = scan();
    if (is_blinded(found)) return {.again = true, .is_blinded = true};
    found_ = std::move(found);
  }
  const bool has_news = look.has_news;
  versions_.begin(false, std::move(look));
  std::shared_ptr<Catalog> next;
  if (names != Updated::Same || has_news || is_any_other()) {
    next = make_catalog(found_);
    versions_.end();
  }
  result.again = versions_.again();
  result.is_short = versions_.is_short();
  result.unfinished = versions_.unfinished();
  result.lost = versions_.lost();
  // A single file that is the root cannot disappear: its last version stays.
  if (next == nullptr) return result;
  result.changed = next->supersede(*catalog(), options_.retired);
  if (result.changed) publish(std::move(next));
  return result;
}

bool Library::let_go_retired() {
  auto next = std::make_shared<Catalog>(*catalog());
  if (!next->let_go(options_.retired)) return false;
  publish(std::move(next));
  return true;
}

}  // namespace scidfs::fs
