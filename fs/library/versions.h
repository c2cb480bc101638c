// Chooses which version of each source file the mount shows, as the files change.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cache/mutex.h"
#include "fs/library/catalog.h"
#include "fs/library/folder_scan.h"
#include "fs/library/pending_changes.h"
#include "fs/library/remote_probes.h"
#include "fs/library/slots.h"
#include "fs/library/source_format.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// A source file that is to be shown, or the first of several.
struct Candidate {
  std::filesystem::path path;
  std::string relative;  // to the source
  std::string name;      // as the mount shows it
  const SourceFormat* format = nullptr;
  std::uint16_t parent_slot = 0;  // of its folder; 0: the file is the mount point
  bool is_remote = false;         // see fs/file/locality.h
  bool has_links = false;         // its changes may go unreported

  // Returns the path that changes of it are noted under.
  std::string shown() const { return shown_path(relative, name); }
};

// The tracked versions of all source files. Used by one thread at a time. Threads of RemoteProbes
// look at remote files, so that a server which hangs delays only its own files; until such a thread
// has an answer, the earlier version stays.
//
// A version is shown when its files fit together and have settled, which means that any later write
// changes their times. Files that do not fit together may be half written: they are shown, damaged
// as they are, when they have stayed unchanged for the time `patience`. Until then the earlier
// version stays; in the first scan there is none.
class Versions {
 public:
  struct Options {
    OpenOptions open;
    // Shared by all databases for their searches.
    std::shared_ptr<QueryContext> searches{};
    // How long files that look half written must stay unchanged until they are shown nevertheless.
    std::chrono::milliseconds patience{5000};
    // The same for the first scan, which goes by the times of the files.
    std::chrono::milliseconds first_patience{5000};
    // Called for each database before it is shown and before other threads see it.
    std::function<void(Database&)> load_sizes;
    // Called for databases that appear during a mount.
    std::function<void(const std::shared_ptr<const Database>&)> prepare;
    // Called by any thread when the last size of a database becomes known. Returns whether there is
    // a mount to which this is news.
    std::function<bool()> on_complete;
    std::function<bool()> is_over;
    // Runs the checks of remote files, except in the first scan. Outlives this.
    RemoteProbes* remote_probes = nullptr;
  };
  explicit Versions(Options options) : options_(std::move(options)) {}

  // Begins a scan. During the first one there is no mount yet.
  void begin(bool is_first, RescanScope look = {});
  struct Outcome {
    MountedVersionPtr shown;               // null: nothing
    std::vector<MountedVersionPtr> inner;  // the databases in a container
    absl::Status refusal;                  // why there is nothing, if that is to be reported
  };
  // Returns the version of a file to show now. Looks at the file at most once in a scan, and only
  // if the scan includes it, it is new, or it looked half written before.
  Outcome newest(const Candidate& candidate);
  // Returns whether this scan includes a file that an earlier scan has looked at.
  bool wants(const FolderScan& found, const ScannedFile& file) const;
  // Looks at a file. Returns whether another version is to be shown than before.
  bool is_other(const Candidate& candidate);
  // A folder as a scan found it, for newest_folder(), which calls `make` only if the fingerprint is
  // new.
  struct FolderVersion {
    std::string relative;
    std::uint16_t parent_slot = 0;
    std::uint64_t fingerprint = 0;
    FileTime mtime;
    std::vector<std::uint16_t> mounted{};
    std::vector<std::string> refused{};
  };
  absl::StatusOr<MountedVersionPtr> newest_folder(const FolderVersion& version,
                                                  absl::FunctionRef<SnapshotPtr()> make);
  // Returns the slot of a folder, or the error why there is none.
  absl::StatusOr<std::uint16_t> slot_of_folder(const std::string& relative);
  // Ends a scan that has asked for every file and folder: all others are gone.
  void end() ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether files seem to be half written: scan again soon.
  bool again() const { return again_; }
  // Returns the half-written sources that this scan has found, as paths of Candidate::shown().
  std::set<std::string> unfinished() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether something could not be opened for lack of file descriptors or memory: scan
  // again later.
  bool is_short() const { return is_short_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Tracked {
    InodeAllocation numbers;
    std::uint64_t met = 0;                     // by which scan
    std::uint64_t looked_at = 0;               // by which scan
    MountedVersionPtr shown;                   // now
    std::vector<MountedVersionPtr> inner;      // with it
    std::weak_ptr<const MountedVersion> last;  // version that was shown
    std::optional<SourceStamps> seen;          // of the files that `shown` or `refusal` came from
    absl::Status refusal;                      // why nothing is shown
    std::optional<SourceStamps> unfinished;    // of files that looked half written
    Clock::time_point unfinished_since{};
  };

  // The last result of a check of a remote file, and the result of the running one.
  struct RemoteAnswer {
    std::filesystem::path path;
    Outcome last;
    std::shared_ptr<Outcome> next;
  };

  Tracked& meet(const std::string& key) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status provide_slot(const std::string& key, InodeAllocation& numbers)
      ABSL_LOCKS_EXCLUDED(mutex_);
  void forget_remote() ABSL_LOCKS_EXCLUDED(mutex_);
  bool wants(const std::string& shown, bool has_links) const;
  bool is_wanted(const Candidate& candidate, const Tracked& known) const;
  // `is_pressed`: even if a program may still be writing.
  Outcome look(const Candidate& candidate, Tracked& known, bool is_pressed)
      ABSL_LOCKS_EXCLUDED(mutex_);
  Outcome answer(const Candidate& candidate, Tracked& known);
  Outcome look_again(const Candidate& candidate, Tracked& known) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_final(Tracked& known, const SourceStamps& stamps) const;
  bool looks_whole(Opened& opened, const MountedVersion* before);
  absl::Status accept(const Candidate& candidate, Opened& opened, Tracked& known);
  // Opens the databases of a container and makes its snapshot.
  absl::StatusOr<SnapshotPtr> open_inner(const Candidate& candidate, const Opened& opened,
                                         std::uint16_t container, MountedVersion& shown);
  absl::StatusOr<MountedVersionPtr> newest_inner(const InnerDatabase& found,
                                                 const std::string& relative,
                                                 std::uint16_t container);
  // Returns a new version with the members that all kinds have. Takes an epoch.
  std::shared_ptr<MountedVersion> make_shown(const std::string& relative, Tracked& known,
                                             std::uint64_t fingerprint, FileTime mtime);
  void show_database(std::shared_ptr<Database> database, const MountedVersion* before,
                     MountedVersion& shown);
  static void renew(MountedVersionPtr& shown);

  const Options options_;
  mutable cache::Mutex mutex_;
  Slots slots_ ABSL_GUARDED_BY(mutex_);
  // By path relative to the source; folders end in `/`. Only the thread that looks at a file uses
  // its entry.
  std::unordered_map<std::string, Tracked> known_ ABSL_GUARDED_BY(mutex_);
  std::unordered_map<std::string, RemoteAnswer> remote_;  // by path relative to the source
  RescanScope wanted_;
  std::set<std::string> unfinished_ ABSL_GUARDED_BY(mutex_);  // of this scan
  std::set<std::string> was_unfinished_;                      // of the scan before
  std::atomic<std::uint64_t> look_ = 0;
  std::atomic<bool> is_first_ = true;
  std::atomic<bool> again_ = false;
  std::atomic<bool> is_short_ = false;
};

}  // namespace scidfs::fs
