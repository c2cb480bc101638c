// The source of a mount over time: a folder of databases, archives and books with its sub-folders,
// or one of these.
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
#include "fs/library/kept_sizes.h"
#include "fs/library/pending_changes.h"
#include "fs/library/remote_probes.h"
#include "fs/library/source_format.h"
#include "fs/library/versions.h"
#include "fs/reference/reference.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// How sizes of games come to be known.
enum class IndexMode {
  Auto,        // before the mount is ready if that takes a second at most, else as Background
  Wait,        // before the mount is ready
  Background,  // after it, and earlier what somebody asks for
  None,        // only when somebody asks
};

struct LibraryOptions {
  codec::PgnOptions pgn{};
  std::vector<EncodingRule> encodings{};
  bool show_deleted = false;           // among the others, as Scid exports them
  bool by_round = false;               // files of events, in round and board order
  bool follow_links = false;           // of databases, out of the source
  std::filesystem::path mountpoint{};  // canonical; empty: nowhere
  Locality distance = Locality::Auto;  // of the source
  IndexMode index = IndexMode::Auto;
  std::filesystem::path cache_folder{};  // empty: sizes are not kept
  unsigned threads = 0;                  // for finding sizes; 0: one for each processor
  // How long what looks half written must have been left alone to be shown nevertheless, and how
  // long the first look waits for it.
  std::chrono::milliseconds patience{5000};
  std::chrono::milliseconds first_patience{5000};  // at the first look, by the times of the files
  std::chrono::milliseconds longest_wait{10000};
  SourceFormats formats = source_formats();
  UnpackOptions unpack{};  // of archives
  ReferencePtr reference = no_reference();
  std::size_t answer_bytes = QueryContext::kAnswerBytes;  // of memory, for answers to searches
  // For versions that have been replaced.
  RetiredVersions::Budget retired = RetiredVersions::default_budget();
};

class Library {
 public:
  // Finds and opens everything below `source`. Errors: the source does not exist, is neither a
  // folder nor a file that can be shown, cannot be read, or is itself one that cannot be opened.
  // A broken database in a folder is not an error; the folder's info.txt tells of it. Starts no
  // thread that outlives the call.
  static absl::StatusOr<std::unique_ptr<Library>> open(const std::filesystem::path& source,
                                                       const LibraryOptions& options);
  ~Library();

  const LibraryOptions& options() const { return options_; }
  // Of all databases. Thread-safe.
  const QueryContext& searches() const { return *searches_; }
  // What is shown now. Thread-safe.
  CatalogPtr catalog() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether anything in the source has ever been far (fs/file/locality.h): threads may wait for it
  // for ever. Thread-safe.
  bool has_remote() const { return has_remote_; }

  // Loads the kept sizes, computes what is missing on all processors and keeps the result. Blocks
  // until all sizes are known. Before there is a mount.
  void build_sizes(Progress progress);
  // The same on a thread of its own, which the destructor stops; `end` is called there afterwards.
  void build_sizes_in_background(std::function<void(std::uint64_t, std::uint64_t)> progress,
                                 std::function<void()> end);
  // Makes what most visitors want first, of all databases: see GameLists::warm_up().
  void warm_up() const;

  // Lets all long work come to an end soon. Thread-safe.
  void stop() { stop_ = true; }
  bool is_stopped() const { return stop_; }

  // `wake` is called, by any thread, when rescan() would find something that no file has told of.
  // To be set once, before there is a mount; thread-safe.
  void on_news(std::function<void()> wake) ABSL_LOCKS_EXCLUDED(mutex_);

  // What rescan() found.
  struct Rescan {
    bool changed = false;                // there is a new catalog
    bool again = false;                  // somebody seems to be writing: look again soon
    bool is_short = false;               // there were not enough files or memory: look again later
    bool is_blinded = false;             // nothing could be looked at: look again soon
    bool has_names = false;              // folders have been listed
    std::set<std::string> unfinished{};  // what somebody seems to be writing, as in Unrest
  };
  // Looks at the source again and publishes what is new. A database that looks half written, or
  // cannot be read for the moment, stays as it was until LibraryOptions::patience is over. By one
  // thread at a time.
  Rescan rescan(RescanScope look = {});
  // What has happened and has not been looked at. Thread-safe.
  PendingChanges& pending_changes() const { return pending_changes_; }
  // What a change in one of the watched folders means. False: nothing. Thread-safe.
  bool signs_of(const FolderChange& change, PendingChanges::ChangeEvent& sign) const;
  // Lets go of replaced versions that nobody has used for a while. Whether there were any. By the
  // thread that calls rescan().
  bool let_go_retired();
  // Writes down all sizes that are known and not kept yet. Thread-safe.
  void keep_sizes();

  // Whether there are files, as of the last time, that may change under another name, of which
  // nobody tells. By the thread that calls rescan().
  bool has_links() const;

  // The near ones of the folders that rescan() looks into, as of the last time. By its thread.
  const std::vector<std::filesystem::path>& watched_folders() const { return watched_folders_; }

 private:
  using Clock = std::chrono::steady_clock;

  Library(const std::filesystem::path& source, const LibraryOptions& options);

  absl::Status check_source(const std::filesystem::path& given) const;
  absl::Status first_look();
  Updated update_names(RescanScope& look);
  bool is_any_other();
  FolderScan scan();
  FolderScan scan_elsewhere(const std::string& relative, std::function<FolderScan()> look);
  // Whether some folders could be listed before and cannot now, but perhaps soon.
  bool is_blinded(const FolderScan& found);
  // Everything that is shown, but for the root, into `next`.
  std::shared_ptr<Catalog> make_catalog(const FolderScan& found);
  std::shared_ptr<Catalog> make_single(const FolderScan& found, std::uint32_t generation);
  std::vector<std::shared_ptr<const Database>> databases() const;
  void publish(std::shared_ptr<Catalog> catalog) ABSL_LOCKS_EXCLUDED(mutex_);
  bool tell_news() ABSL_LOCKS_EXCLUDED(mutex_);

  const LibraryOptions options_;
  const std::filesystem::path source_;  // canonical
  const std::string name_;              // of the source as it was given
  const bool is_folder_;
  const std::shared_ptr<QueryContext> searches_;
  KeptSizes kept_sizes_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> has_remote_ = false;

  mutable PendingChanges pending_changes_;

  // Of the thread that calls rescan().
  Versions versions_;
  FolderScan found_;
  absl::Status refusal_;  // why the source itself is not shown, if it is one file
  std::vector<std::filesystem::path> watched_folders_;
  // What was found last of folders on file systems of their own, and what is being found.
  struct Elsewhere {
    FolderScan last;
    std::shared_ptr<FolderScan> next;
  };
  std::map<std::string, Elsewhere> elsewhere_;  // by paths relative to the source
  bool is_source_remote_ = false;
  std::set<std::string> unlisted_;  // folders, relative to the source
  std::optional<Clock::time_point> blinded_since_;

  mutable cache::Mutex mutex_;
  CatalogPtr catalog_ ABSL_GUARDED_BY(mutex_);
  std::function<void()> wake_ ABSL_GUARDED_BY(mutex_);
  std::thread background_;
  RemoteProbes remote_probes_;  // goes first: its threads use the others
};

}  // namespace scidfs::fs
