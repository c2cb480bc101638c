// Chooses which version of a source file the mount shows, as the file changes.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cache/mutex.h"
#include "fs/library/folder_scan.h"
#include "fs/library/mounted_version.h"
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

// The owner of the versions. Called by any thread that looks at a file.
class VersionsHost {
 public:
  virtual ~VersionsHost() = default;
  // Called for each database before it is shown and before other threads see it.
  virtual void load_sizes(Database& database) = 0;
  // Called for each database before it is shown. Prepares those that appear during a mount.
  virtual void prepare(const std::shared_ptr<const Database>& database) = 0;
  // Called by any thread when the last size of a database becomes known. Returns whether there is
  // a mount to which this is news.
  virtual bool tell_news() = 0;
  // Returns whether a program has changed the file at a path, as Candidate::shown() has it, and may
  // change it further: the kernel has reported a write, and not yet that it has been closed.
  virtual bool is_being_written(const std::string& path) const = 0;
};

// What all tracked files have in common.
struct VersionsOptions {
  VersionsHost& host;  // outlives the versions
  OpenOptions open{};  // with a function unpack.is_cancelled, which ends all long work
  // Shared by all databases for their searches.
  std::shared_ptr<QueryContext> searches{};
  // How long files that look half written must stay unchanged until they are shown nevertheless.
  std::chrono::milliseconds patience{5000};
  // The same for the first pass, which goes by the times of the files.
  std::chrono::milliseconds first_patience{5000};
};

// The versions that were shown under one path.
struct Lineage {
  InodeAllocation numbers;
  std::weak_ptr<const MountedVersion> last;

  // Returns the next version: `made` with numbers and times of its own. Takes an epoch. REQUIRES:
  // Slots have provided `numbers`.
  MountedVersionPtr next(MountedVersion made);
};

// The tracked versions of one source file. Thread-safe; a look locks the object for as long as the
// file system takes.
//
// A version is shown when its files fit together and have settled, which means that any later write
// changes their times. Files that do not fit together may be half written: they are shown, damaged
// as they are, when they have stayed unchanged for the time `patience`. Until then the earlier
// version stays; in the first pass there is none. Of PGN files and containers a program may write
// any part in any order, so they are half written while it has them open, unless a PGN file has
// only grown, as that of a live broadcast does.
class TrackedFile {
 public:
  // When to look again, though nothing tells of a change.
  enum class Retry : std::uint8_t {
    None,
    Soon,   // the file seems to be half written
    Later,  // it could not be opened for lack of file descriptors or memory
  };
  struct Outcome {
    MountedVersionPtr shown;               // null: nothing
    std::vector<MountedVersionPtr> inner;  // the databases in a container
    absl::Status refusal;                  // why there is nothing, if that is to be reported
    Retry retry = Retry::None;
    bool is_lost = false;  // with Retry::Soon: most reads of what is shown fail
  };
  struct Mode {
    bool is_first = false;    // there is no mount yet
    bool is_pressed = false;  // even if a program may still be writing
  };

  // Both outlive this.
  TrackedFile(const VersionsOptions& options, Slots& slots) : options_(options), slots_(slots) {}

  // Looks at the file. Returns the version to show now.
  Outcome look(const Candidate& candidate, Mode mode) ABSL_LOCKS_EXCLUDED(mutex_);
  // Shows the same files as a new version if a repertoire has changed that a database among them
  // has been asked about. Returns what look() does.
  Outcome renew_if_outdated(const Candidate& candidate, Mode mode) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the same without a look. `name`: of the candidate.
  Outcome answer(const std::string& name) ABSL_LOCKS_EXCLUDED(mutex_);
  // Drops the version, since the file is gone.
  void forget() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Clock = std::chrono::steady_clock;

  Retry examine(const Candidate& candidate, Mode mode) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Outcome outcome(const std::string& name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void note_close(const Candidate& candidate) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool is_final(const SourceStamps& stamps, Mode mode) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool looks_whole(Opened& opened, const MountedVersion* before, Mode mode) const;
  bool is_being_rewritten(const Candidate& candidate, const Opened& opened)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool is_lost(const Candidate& candidate) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<MountedVersionPtr> accept(const Candidate& candidate, Opened& opened)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Opens the databases of a container, adds them to `made` and makes its snapshot.
  absl::Status open_inner(const Candidate& candidate, const Opened& opened, MountedVersion& made)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  absl::StatusOr<MountedVersionPtr> newest_inner(const InnerDatabase& found,
                                                 const std::string& relative)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes `made` show a database.
  // REQUIRES, for these two: the path of `made` is known.
  void show_database(std::shared_ptr<Database> database, const MountedVersion* before,
                     bool is_in_folder, MountedVersion& made) const;
  // Makes `made` show a source that is read when it is first needed, or now if that is quick.
  void show_lazily(const LazySource& source, const MountedVersion* before, bool is_in_folder,
                   MountedVersion& made) const;
  // Adds a database that has been read to `made`.
  void add_database(const ReadSource& read, MountedVersion& made) const;
  // Replaces a version about which there is news: its database has been read, or all its sizes have
  // become known.
  void renew(MountedVersionPtr& shown) const;

  const VersionsOptions& options_;
  Slots& slots_;
  cache::Mutex mutex_;
  Lineage lineage_ ABSL_GUARDED_BY(mutex_);
  // Of the databases in a container, by path relative to the source.
  std::map<std::string, Lineage> inner_lineages_ ABSL_GUARDED_BY(mutex_);
  MountedVersionPtr shown_ ABSL_GUARDED_BY(mutex_);               // now
  std::vector<MountedVersionPtr> inner_ ABSL_GUARDED_BY(mutex_);  // with it
  // Of the files that `shown_` or `refusal_` came from.
  std::optional<SourceStamps> seen_ ABSL_GUARDED_BY(mutex_);
  absl::Status refusal_ ABSL_GUARDED_BY(mutex_);  // why nothing is shown
  // Of files that looked half written.
  std::optional<SourceStamps> unfinished_ ABSL_GUARDED_BY(mutex_);
  Clock::time_point unfinished_since_ ABSL_GUARDED_BY(mutex_){};
  // How often that happened.
  std::uint64_t renewals_ ABSL_GUARDED_BY(mutex_) = 0;
  // Whether a program has been seen to write something else into the file than more at its end. It
  // has the file open since.
  bool is_rewritten_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace scidfs::fs
