// Chooses which versions of all source files and folders the mount shows, as they change.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "fs/library/folder_scan.h"
#include "fs/library/mounted_version.h"
#include "fs/library/pending_changes.h"
#include "fs/library/remote_probes.h"
#include "fs/library/slots.h"
#include "fs/library/tracked_file.h"

namespace scidfs::fs {

// The tracked versions of all source files and folders. Used by one thread at a time, which makes
// one pass over them after the other.
//
// Threads of RemoteProbes look at remote files, so that a server which hangs delays only its own
// files; until such a thread has an answer, the earlier one stays. A probe uses its TrackedFile and
// nothing else of this class. It holds the lock of that file while the server hangs, so the calling
// thread leaves the file alone until the probe has ended.
class Versions {
 public:
  using Outcome = TrackedFile::Outcome;

  // `probes` look at remote files, except in the first pass. They are destroyed before this.
  Versions(VersionsOptions options, RemoteProbes& probes)
      : options_(std::move(options)), probes_(probes) {}

  const VersionsOptions& options() const { return options_; }

  // Begins a pass. During the first one there is no mount yet.
  void begin(bool is_first, RescanScope scope = {});
  // Returns the version of a file to show now. Looks at the file at most once in a pass, and only
  // if the pass includes it, it is new, or it looked half written before.
  Outcome newest(const Candidate& candidate);
  // Returns the version of a file to show after the repertoires of the catalog are known: that of
  // newest(), or a new one of the same files if it was asked about one that has changed.
  Outcome newest_after_repertoires(const Candidate& candidate);
  // Returns whether this pass includes a file that an earlier pass has looked at.
  bool wants(const FolderScan& found, const ScannedFile& file) const;
  // Looks at a file. Returns whether another version is to be shown than before.
  bool is_other(const Candidate& candidate);
  // Returns the slot of a folder, or the error why there is none.
  absl::StatusOr<std::uint16_t> slot_of_folder(const std::string& relative);
  // Returns the version of a folder to show now: the last one, or `found` with the snapshot that
  // `make` returns if the fingerprint is new, or the last one was asked about a repertoire that has
  // changed. REQUIRES: the folder has a slot in this pass.
  MountedVersionPtr newest_folder(const std::string& relative, MountedVersion found,
                                  absl::FunctionRef<SnapshotPtr()> make);
  // Ends a pass that has asked for every file and folder: all others are gone.
  void end();

  // Returns whether files seem to be half written: scan again soon.
  bool again() const { return !pass_.unfinished.empty(); }
  // Returns the half-written sources that this pass has found, as paths of Candidate::shown().
  const std::set<std::string>& unfinished() const { return pass_.unfinished; }
  // Returns those of them whose shown version has lost its bytes.
  const std::set<std::string>& lost() const { return pass_.lost; }
  // Returns whether something could not be opened for lack of file descriptors or memory: scan
  // again later.
  bool is_short() const { return pass_.is_short; }

 private:
  // What a pass is to look at, and what it has found. A probe that ends late counts in the pass
  // that takes its result.
  struct Pass {
    std::uint64_t number = 0;
    bool is_first = true;
    RescanScope scope{};
    std::set<std::string> was_unfinished{};  // half written in the pass before
    std::set<std::string> unfinished{};
    std::set<std::string> lost{};
    bool is_short = false;
  };
  struct File {
    File(const VersionsOptions& options, Slots& slots) : tracked(options, slots) {}

    std::uint64_t met = 0;        // by which pass
    std::uint64_t looked_at = 0;  // by which pass
    TrackedFile tracked;
    RemoteResult<Outcome> remote;
  };
  struct Folder {
    std::uint64_t met = 0;  // by which pass
    Lineage lineage;
    MountedVersionPtr shown;
    std::uint64_t renewals = 0;  // since repertoires have changed that it was asked about
  };

  File& meet(const Candidate& candidate);
  bool is_free(const Candidate& candidate, File& file);
  Outcome answer(const Candidate& candidate, File& file);
  Outcome noted(const Candidate& candidate, Outcome outcome);
  bool wants(const std::string& shown, bool has_links) const;
  bool is_wanted(const Candidate& candidate, const File& file) const;

  const VersionsOptions options_;
  RemoteProbes& probes_;
  Slots slots_;
  std::unordered_map<std::string, File> files_;      // by path relative to the source
  std::unordered_map<std::string, Folder> folders_;  // the same
  Pass pass_;
};

}  // namespace scidfs::fs
