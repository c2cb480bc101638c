// The source of a mount: a folder of databases and directories of texts with its sub-folders, or
// one of these.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "codec/pgn.h"
#include "fs/base/progress.h"
#include "fs/content/text_directory.h"
#include "fs/database/database.h"
#include "fs/library/catalog.h"
#include "fs/library/folder_scan.h"
#include "fs/library/formats.h"

namespace scidfs::fs {

// How sizes of games come to be known.
enum class IndexMode {
  Wait,        // before the mount is ready
  Background,  // after it; large files appear when they are ready
  None,        // only when somebody asks
};

struct LibraryOptions {
  codec::PgnOptions pgn;
  bool show_deleted = false;  // among the others, as Scid exports them
  bool follow_links = false;  // of databases, out of the source
  IndexMode index = IndexMode::Wait;
  std::filesystem::path cache_folder;  // empty: sizes are not kept
  unsigned threads = 0;                // for building sizes; 0: one for each processor
  // How long what looks half written must have been left alone to be shown nevertheless.
  std::chrono::milliseconds patience{5000};
  std::span<const TextFormat> text_formats = fs::text_formats();
  UnpackOptions unpack{};  // of archives
};

class Library {
 public:
  // Finds and opens everything below `source`. Errors: the source does not exist, is neither a
  // folder nor a file that can be shown, cannot be read, or is itself one that cannot be opened.
  // A broken database in a folder is not an error; it is listed in Folder::refused. Starts no
  // thread that outlives the call.
  static absl::StatusOr<std::unique_ptr<Library>> open(const std::filesystem::path& source,
                                                       const LibraryOptions& options);
  ~Library();

  const LibraryOptions& options() const { return options_; }
  // What is shown now. Thread-safe.
  CatalogPtr catalog() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Loads the kept sizes, computes what is missing on all processors and keeps the result. Blocks
  // until all sizes are known. Problems with the cache folder are warnings in the log.
  void build_sizes(Progress progress);
  // The same on a thread of its own, which the destructor stops.
  void build_sizes_in_background();
  // Makes what most visitors want first, of all databases: see Database::warm_up().
  void warm_up() const;

  // Lets computing come to an end soon, here and in the background. Thread-safe.
  void stop() { stop_ = true; }

  // What rescan() found.
  struct Rescan {
    bool changed = false;  // there is a new catalog
    bool again = false;    // somebody seems to be writing: look again soon
  };
  // Looks at the source again and publishes what is new. A database that looks half written, or
  // cannot be read for the moment, stays as it was until LibraryOptions::patience is over. By one
  // thread at a time.
  Rescan rescan();
  // Lets go of replaced snapshots that nobody has used for a while. Whether there were any. By the
  // thread that calls rescan().
  bool forget_retired();
  // Writes down all sizes that are known and not kept yet. Thread-safe.
  void keep_sizes() ABSL_LOCKS_EXCLUDED(sizes_mutex_);

  // All folders that rescan() looks into, as of the last time. By the thread that calls rescan().
  const std::vector<std::filesystem::path>& watched_folders() const { return watched_folders_; }

 private:
  Library() = default;

  using Clock = std::chrono::steady_clock;

  // What is known of a path that has or had a database or texts. Texts have stamps of
  // their file and its companions, as if these were an index and a game file.
  struct Known {
    std::uint16_t slot = 0;
    std::vector<UsedEpoch> used;                 // by snapshots in this slot
    std::weak_ptr<const Database> last;          // the snapshot that is shown, or was
    std::weak_ptr<const ShownTexts> last_texts;  // or those that hold the database
    std::optional<DatabaseStamps> seen;          // of the files that `last` or `refusal` came from
    absl::Status refusal;                        // why there is no snapshot
    std::optional<DatabaseStamps> unfinished;    // of files that did not look whole
    Clock::time_point unfinished_since{};
  };

  FolderScan scan() const;
  // Whether some folders could be listed before and cannot now, but perhaps soon.
  bool is_blinded(const FolderScan& found);
  // The folders of a scan, still without databases. `places`: of scanned folders in the catalog.
  std::shared_ptr<Catalog> lay_out(const FolderScan& found, std::vector<std::size_t>& places);
  std::uint32_t key_of_folder(const std::string& relative);
  // Sees to it that a path has a slot with an epoch that has not been used.
  absl::Status take_slot(const std::filesystem::path& path, const std::string& relative,
                         Known& known);
  // What to show of a database now. Null: nothing, and known.refusal says why if it is to be said.
  DatabasePtr newest_version(const ScannedDatabase& found, Known& known, Rescan& result);
  // The same of a directory of texts.
  TextsPtr newest_texts(const ScannedTexts& found, Known& known, Rescan& result);
  // Adds the folders and databases that are in a directory of texts, whose own folder lies in
  // number `parent`, or is that if it is the source.
  void lay_out_inner(const ScannedTexts& found, const TextsPtr& texts, std::size_t parent,
                     Catalog& next);
  DatabasePtr inner_database(const InnerDatabase& found, const std::string& relative,
                             const TextsPtr& texts, Known& known);
  absl::StatusOr<std::shared_ptr<ShownTexts>> open_texts(const ScannedTexts& found, Known& known);
  absl::StatusOr<std::shared_ptr<Database>> open_version(const ScannedDatabase& found,
                                                         Known& known);
  // Whether files that do not look whole have not changed for so long that they never will.
  bool is_final(Known& known, const DatabaseStamps& stamps) const;
  bool looks_whole(Database& database, const Database* before);
  // Writes down that a version of a path is shown from now on.
  static void accept(Known& known, std::uint16_t epoch, std::uint64_t fingerprint,
                     const std::vector<std::string>& problems, const std::filesystem::path& path);
  // Lets `next` go on where `before` was. Whether anything is different.
  static bool supersede(const Catalog& before, Catalog& next);
  void publish(std::shared_ptr<Catalog> catalog) ABSL_LOCKS_EXCLUDED(mutex_);

  void load_kept_sizes(Database& database) ABSL_LOCKS_EXCLUDED(sizes_mutex_);
  void compute_sizes(const std::vector<DatabasePtr>& databases, Progress progress) const;
  std::filesystem::path sizes_path(const std::filesystem::path& index_path) const;

  LibraryOptions options_;
  std::filesystem::path source_;         // canonical
  std::filesystem::path link_boundary_;  // see Database::Options
  std::string name_;                     // of the source as it was given
  bool is_folder_ = false;

  // Of the thread that calls rescan().
  std::map<std::string, Known> known_;  // by path relative to the source
  std::map<std::string, std::uint32_t> folder_keys_;
  std::set<std::uint32_t> taken_keys_;
  std::set<std::uint16_t> taken_slots_;
  std::vector<std::filesystem::path> watched_folders_;
  std::set<std::string> unlisted_;  // folders, relative to the source
  std::optional<Clock::time_point> blinded_since_;

  mutable cache::Mutex mutex_;
  CatalogPtr catalog_ ABSL_GUARDED_BY(mutex_);
  cache::Mutex sizes_mutex_;
  // The fingerprints of the versions whose sizes are kept, by slot.
  std::map<std::uint16_t, std::uint64_t> sizes_kept_ ABSL_GUARDED_BY(sizes_mutex_);
  std::atomic<bool> stop_ = false;
  std::thread background_;
};

}  // namespace scidfs::fs
