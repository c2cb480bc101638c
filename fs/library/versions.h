// Which version of each thing in the source is shown, as its files change.
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

// A file of the source that is, or begins, something to show.
struct Candidate {
  std::filesystem::path path;
  std::string relative;  // to the source
  std::string name;      // under which it is shown
  const SourceFormat* format = nullptr;
  std::uint16_t parent_slot = 0;  // of the folder that it stands in; 0: it is the mount point
  bool is_remote = false;         // see fs/file/locality.h
  bool has_links = false;         // it may change without a word about it

  // Under which it is known what happens to it.
  std::string shown() const { return shown_path(relative, name); }
};

// By one thread at a time. What is far is looked at by others, so that a server which hangs keeps
// nobody waiting but for itself; until they have an answer, what was shown before stays.
//
// A version is shown when its files fit together and have settled: no later write can leave their
// times as they are. What does not fit together may be in the middle of being written: it is shown,
// as damaged as it is, when it has been left alone for a while. Until then what was shown before
// stays, and for the first look there is nothing.
class Versions {
 public:
  struct Options {
    OpenOptions open;
    // What all databases share of the searches in them.
    std::shared_ptr<QueryContext> searches{};
    // How long what looks half written must have been left alone to be shown nevertheless.
    std::chrono::milliseconds patience{5000};
    // The same for the first look, which goes by the times of the files.
    std::chrono::milliseconds first_patience{5000};
    // Called for each database before it is shown, and before others may see it.
    std::function<void(Database&)> load_sizes;
    // Called for those that come while there is a mount.
    std::function<void(const std::shared_ptr<const Database>&)> prepare;
    // Called by any thread when the last size of a database becomes known. Whether there is a mount
    // in which that is news.
    std::function<bool()> on_complete;
    std::function<bool()> is_over;
    // Where looks at what is far are made, but for the first. Outlives this.
    RemoteProbes* remote_probes = nullptr;
  };
  explicit Versions(Options options) : options_(std::move(options)) {}

  // Begins a look. In the first there is no mount yet.
  void begin(bool is_first, RescanScope look = {});
  struct Outcome {
    MountedVersionPtr shown;               // null: nothing
    std::vector<MountedVersionPtr> inner;  // the databases in it
    absl::Status refusal;                  // why there is nothing, if that is to be said
  };
  // What to show of a file now. It is looked at once, and only if it is one of those that this look
  // is for, has never been looked at, or did not look whole.
  Outcome newest(const Candidate& candidate);
  // Whether a file that has been looked at before is one of those.
  bool wants(const FolderScan& found, const ScannedFile& file) const;
  // Looks at it. Whether there is something else to show than before.
  bool is_other(const Candidate& candidate);
  // The same of a folder, which is made anew at each look: `make` is called if there is something
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
  // The slot of a folder. 0, and a status that says why, if there is none.
  absl::StatusOr<std::uint16_t> slot_of_folder(const std::string& relative);
  // Ends a look that has asked for everything: what it has not met is gone.
  void end() ABSL_LOCKS_EXCLUDED(mutex_);

  // Whether somebody seems to be writing: look again soon.
  bool again() const { return again_; }
  // What this look has found half written, by the paths under which it is known.
  std::set<std::string> unfinished() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether something could not be opened for want of files or memory: look again later.
  bool is_short() const { return is_short_; }

 private:
  using Clock = std::chrono::steady_clock;

  struct Tracked {
    InodeAllocation numbers;
    std::uint64_t met = 0;                     // in which look
    std::uint64_t looked_at = 0;               // the same
    MountedVersionPtr shown;                   // now
    std::vector<MountedVersionPtr> inner;      // with it
    std::weak_ptr<const MountedVersion> last;  // that was shown
    std::optional<SourceStamps> seen;          // of the files that `shown` or `refusal` came from
    absl::Status refusal;                      // why there is nothing
    std::optional<SourceStamps> unfinished;    // of files that did not look whole
    Clock::time_point unfinished_since{};
  };

  // What a look at something far has found, and what one is finding.
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
  // `is_pressed`: though somebody may go on writing.
  Outcome look(const Candidate& candidate, Tracked& known, bool is_pressed)
      ABSL_LOCKS_EXCLUDED(mutex_);
  Outcome answer(const Candidate& candidate, Tracked& known);
  Outcome look_again(const Candidate& candidate, Tracked& known) ABSL_LOCKS_EXCLUDED(mutex_);
  bool is_final(Tracked& known, const SourceStamps& stamps) const;
  bool looks_whole(Opened& opened, const MountedVersion* before);
  absl::Status accept(const Candidate& candidate, Opened& opened, Tracked& known);
  // Opens the databases of a container and lets it make its snapshot.
  absl::StatusOr<SnapshotPtr> open_inner(const Candidate& candidate, const Opened& opened,
                                         std::uint16_t container, MountedVersion& shown);
  absl::StatusOr<MountedVersionPtr> newest_inner(const InnerDatabase& found,
                                                 const std::string& relative,
                                                 std::uint16_t container);
  // What all versions have in common. Takes an epoch.
  std::shared_ptr<MountedVersion> make_shown(const std::string& relative, Tracked& known,
                                             std::uint64_t fingerprint, FileTime mtime);
  void show_database(std::shared_ptr<Database> database, const MountedVersion* before,
                     MountedVersion& shown);
  static void renew(MountedVersionPtr& shown);

  const Options options_;
  mutable cache::Mutex mutex_;
  Slots slots_ ABSL_GUARDED_BY(mutex_);
  // By path relative to the source; folders end in `/`. Each belongs to who looks at it.
  std::unordered_map<std::string, Tracked> known_ ABSL_GUARDED_BY(mutex_);
  std::unordered_map<std::string, RemoteAnswer> remote_;  // by path relative to the source
  RescanScope wanted_;
  std::set<std::string> unfinished_ ABSL_GUARDED_BY(mutex_);  // of this look
  std::set<std::string> was_unfinished_;                      // in the one before
  std::atomic<std::uint64_t> look_ = 0;
  std::atomic<bool> is_first_ = true;
  std::atomic<bool> again_ = false;
  std::atomic<bool> is_short_ = false;
};

}  // namespace scidfs::fs
