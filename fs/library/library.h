// The source of a mount over time: a folder of databases, archives and books with its subfolders,
// or a single one of these.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "fs/base/progress.h"
#include "fs/file/locality.h"
#include "fs/library/catalog.h"
#include "fs/library/folder_scan.h"
#include "fs/library/folder_watch.h"
#include "fs/library/index_keeper.h"
#include "fs/library/pending_changes.h"
#include "fs/library/remote_probes.h"
#include "fs/library/saved_sizes.h"
#include "fs/library/source_format.h"
#include "fs/library/versions.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// When a mount computes the sizes of games.
enum class IndexMode {
  Auto,        // before the mount is ready if that takes a second at most, else as Background
  Wait,        // before the mount is ready
  Background,  // after it; earlier for a game that a user asks for
  None,        // only when a user asks
};

struct LibraryOptions {
  DatabaseOptions database{};  // the library sets `origin` and `is_cancelled`
  std::vector<EncodingRule> encodings{};
  TogetherMode together = TogetherMode::Unlisted;
  bool follow_links = false;           // links to databases outside the source
  std::filesystem::path mountpoint{};  // canonical; empty: nowhere
  Locality locality = Locality::Auto;  // of the source
  IndexMode index = IndexMode::Auto;
  unsigned threads = 0;  // for computing sizes; 0: one for each processor
  // How long files that look half written must stay unchanged until they are shown nevertheless,
  // and how long the first scan waits for them.
  std::chrono::milliseconds patience{5000};
  std::chrono::milliseconds first_patience{5000};  // in the first scan, by the files' times
  std::chrono::milliseconds longest_wait{10000};
  SourceFormats formats = source_formats();
  UnpackOptions unpack{};                                 // of archives
  std::uint64_t pgn_bytes = 0;                            // see RecordFolder
  std::size_t answer_bytes = QueryContext::kAnswerBytes;  // memory for results of searches
  // For replaced versions.
  RetiredVersions::Budget retired = RetiredVersions::default_budget();
};

class Library : private VersionsHost {
 public:
  // Finds and opens everything below `source`. Errors: the source does not exist, is neither a
  // folder nor a file that can be shown, cannot be read, or is a single file that cannot be opened.
  // A broken database in a folder is not an error; the folder's info.txt reports it. Starts no
  // thread that outlives the call.
  static absl::StatusOr<std::unique_ptr<Library>> open(const std::filesystem::path& source,
                                                       const LibraryOptions& options);
  ~Library() override;

  const LibraryOptions& options() const { return options_; }
  // Returns the context that all databases share. Thread-safe.
  const QueryContext& searches() const { return *searches_; }
  // Returns the current catalog. Thread-safe.
  CatalogPtr catalog() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether anything in the source has ever been remote (fs/file/locality.h): threads may
  // wait for it indefinitely. Thread-safe.
  bool has_remote() const { return has_remote_; }

  // Computes the unknown sizes on LibraryOptions::threads threads and saves the result. Blocks
  // until all sizes are known or stop() has been called.
  void build_sizes(Progress progress);
  // Does the same on a thread of its own, which calls `end` at last. The destructor stops it.
  void build_sizes_in_background(std::function<void(std::uint64_t, std::uint64_t)> progress,
                                 std::function<void()> end);
  // Makes the lists that most users need first, for all databases (GameLists::warm_up()) but those
  // with an index file, for which save_sizes() begins that; and begins to read the spelling file,
  // which a mount does not wait for. Call this once at most.
  void warm_up() const;
  // Reads the index files of all databases (Database::check_stored_ahead()), until stop(): for a
  // program whose first answers matter more than what it reads.
  void check_stored_ahead() const;

  // Makes all long work end soon. Thread-safe.
  void stop() { stop_ = true; }
  bool is_stopped() const { return stop_; }

  // Sets the function that any thread calls when rescan() would find something that no change of a
  // file announces; null: none. No call of the earlier function runs afterwards. Thread-safe.
  void on_news(std::function<void()> wake) ABSL_LOCKS_EXCLUDED(mutex_);

  // The result of rescan().
  struct Rescan {
    bool changed = false;                // there is a new catalog
    bool again = false;                  // files seem to be half written: scan again soon
    bool is_short = false;               // out of file descriptors or memory: scan again later
    bool is_blinded = false;             // folders cannot be listed just now: scan again soon
    bool has_names = false;              // folders have been listed
    std::set<std::string> unfinished{};  // paths that seem to be half written, as in PendingChanges
    std::set<std::string> lost{};        // those whose shown version has lost its bytes
  };
  // Scans the source again and publishes the changes. A database that looks half written, or is
  // unreadable at the moment, stays as it was until LibraryOptions::patience has passed. Called by
  // one thread at a time.
  Rescan rescan(RescanScope look = {});
  // Returns the changes that no scan has looked at. Thread-safe.
  PendingChanges& pending_changes() const { return pending_changes_; }
  // Sets `sign` to the meaning of a change in a watched folder. Returns false if it means nothing.
  // Thread-safe.
  bool signs_of(const FolderChange& change, PendingChanges::ChangeEvent& sign) const;
  // Evicts replaced versions that are unused for long. Returns whether there were any. Called by
  // the thread that calls rescan().
  bool let_go_retired();
  // Saves all sizes that are known and not saved yet, and begins to save index files. Thread-safe.
  void save_sizes();

  // Returns whether the last scan found files that may change under another name, unreported.
  // Called by the thread that calls rescan().
  bool has_links() const;

  // Returns the local folders that the last rescan() scanned. Called by its thread.
  const std::vector<std::filesystem::path>& watched_folders() const { return watched_folders_; }

 private:
  using Clock = std::chrono::steady_clock;

  Library(const std::filesystem::path& source, const LibraryOptions& options);

  absl::Status check_source(const std::filesystem::path& given) const;
  absl::Status first_look();
  void warn_of_idle_rules() const;
  Updated update_names(RescanScope& look);
  bool is_any_other();
  FolderScan scan();
  FolderScan scan_elsewhere(const std::string& relative, std::function<FolderScan()> look);
  // Returns whether some folders could be listed before, cannot be now, but perhaps soon.
  bool is_blinded(const FolderScan& found);
  // Returns a catalog of all that was found.
  std::shared_ptr<Catalog> make_catalog(const FolderScan& found);
  std::shared_ptr<Catalog> make_single(const FolderScan& found, std::uint32_t generation);
  std::vector<std::shared_ptr<const Database>> databases() const;
  void publish(std::shared_ptr<Catalog> catalog) ABSL_LOCKS_EXCLUDED(mutex_);
  void load_sizes(Database& database) override { saved_sizes_.load(database); }
  void prepare(const std::shared_ptr<const Database>& database) override;
  bool tell_news() ABSL_LOCKS_EXCLUDED(mutex_) override;
  bool is_being_written(const std::string& path) const override {
    return pending_changes_.is_being_written(path);
  }

  const LibraryOptions options_;
  const std::filesystem::path source_;  // canonical
  const std::string name_;              // of the source as it was given
  const bool is_folder_;
  const std::shared_ptr<QueryContext> searches_;
  SavedSizes saved_sizes_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> has_remote_ = false;

  mutable PendingChanges pending_changes_;

  // Only for the thread that calls rescan().
  Versions versions_;
  FolderScan found_;
  absl::Status refusal_;  // why the source itself is not shown, if it is one file
  std::vector<std::filesystem::path> watched_folders_;
  // Scans of folders on other file systems, by path relative to the source.
  std::map<std::string, RemoteResult<FolderScan>> elsewhere_;
  bool is_source_remote_ = false;
  std::set<std::string> unlisted_;  // folders, relative to the source
  std::optional<Clock::time_point> blinded_since_;

  mutable cache::Mutex mutex_;
  CatalogPtr catalog_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> wake_ ABSL_GUARDED_BY(mutex_);
  IndexKeeper index_keeper_{[this] { return is_stopped(); }};
  std::thread background_;
  RemoteProbes remote_probes_;  // declared last, so destroyed first: its threads use the others
};

}  // namespace scidfs::fs
