#include "fs/library/versions.h"

#include <algorithm>
#include <cassert>

#include "fs/base/status_macros.h"
#include "fs/library/repertoires.h"

namespace scidfs::fs {

void Versions::begin(bool is_first, RescanScope scope) {
  pass_ = {.number = pass_.number + 1,
           .is_first = is_first,
           .scope = std::move(scope),
           .was_unfinished = std::move(pass_.unfinished)};
}

void Versions::end() {
  for (auto& [relative, file] : files_) {
    if (file.met != pass_.number && file.remote.forget(probes_)) file.tracked.forget();
  }
  for (auto& [relative, folder] : folders_) {
    if (folder.met != pass_.number) folder.shown = nullptr;
  }
}

Versions::File& Versions::meet(const Candidate& candidate) {
  File& file = files_.try_emplace(candidate.relative, options_, slots_).first->second;
  file.met = pass_.number;
  return file;
}

// Remote files are checked only in full scans: a server may not report a change.
bool Versions::is_wanted(const Candidate& candidate, const File& file) const {
  if (file.looked_at == pass_.number) return false;
  if (pass_.scope.is_all || file.looked_at == 0) return true;
  return !candidate.is_remote && wants(candidate.shown(), candidate.has_links);
}

bool Versions::wants(const std::string& shown, bool has_links) const {
  return has_links || pass_.scope.names(shown) || pass_.was_unfinished.contains(shown);
}

bool Versions::wants(const FolderScan& found, const ScannedFile& file) const {
  const ScannedFolder& folder = found.folders[file.folder];
  return !folder.is_remote && wants(shown_path(file.relative, file.name), folder.has_links);
}

// Returns whether the calling thread may look at a file itself: it is not remote, and no probe from
// the time when it was is still running.
bool Versions::is_free(const Candidate& candidate, File& file) {
  return !candidate.is_remote && file.remote.forget(probes_);
}

Versions::Outcome Versions::answer(const Candidate& candidate, File& file) {
  return is_free(candidate, file) ? file.tracked.answer(candidate.name) : file.remote.last();
}

Versions::Outcome Versions::noted(const Candidate& candidate, Outcome outcome) {
  if (outcome.retry == TrackedFile::Retry::Soon) pass_.unfinished.insert(candidate.shown());
  if (outcome.is_lost) pass_.lost.insert(candidate.shown());
  if (outcome.retry == TrackedFile::Retry::Later) pass_.is_short = true;
  return outcome;
}

bool Versions::is_other(const Candidate& candidate) {
  const Outcome before = answer(candidate, meet(candidate));
  const Outcome now = newest(candidate);
  return now.shown != before.shown || now.inner != before.inner || now.refusal != before.refusal;
}

Versions::Outcome Versions::newest(const Candidate& candidate) {
  File& file = meet(candidate);
  if (!is_wanted(candidate, file)) return answer(candidate, file);
  file.looked_at = pass_.number;
  TrackedFile& tracked = file.tracked;
  if (is_free(candidate, file)) {
    const auto named = pass_.scope.paths.find(candidate.shown());
    const bool is_pressed = named != pass_.scope.paths.end() && named->second;
    return noted(candidate,
                 tracked.look(candidate, {.is_first = pass_.is_first, .is_pressed = is_pressed}));
  }
  if (pass_.is_first) {
    return noted(candidate, file.remote.set(tracked.look(candidate, {.is_first = true})));
  }
  const bool is_new = file.remote.update(
      probes_, candidate.path, [&tracked, candidate] { return tracked.look(candidate, {}); });
  return is_new ? noted(candidate, file.remote.last()) : file.remote.last();
}

Versions::Outcome Versions::newest_after_repertoires(const Candidate& candidate) {
  File& file = meet(candidate);
  Outcome now = answer(candidate, file);
  if (!is_outdated(now.shown) && std::ranges::none_of(now.inner, &is_outdated)) return now;
  TrackedFile& tracked = file.tracked;
  if (is_free(candidate, file)) {
    return noted(candidate, tracked.renew_if_outdated(candidate, {.is_first = pass_.is_first}));
  }
  const bool is_new = file.remote.update(probes_, candidate.path, [&tracked, candidate] {
    return tracked.renew_if_outdated(candidate, {});
  });
  return is_new ? noted(candidate, file.remote.last()) : file.remote.last();
}

absl::StatusOr<std::uint16_t> Versions::slot_of_folder(const std::string& relative) {
  Folder& folder = folders_[relative];
  folder.met = pass_.number;
  // A folder ends in `/` here: it does not get the slot that a file of its name would get.
  RETURN_IF_ERROR(slots_.provide(relative + "/", folder.lineage.numbers));
  return folder.lineage.numbers.slot;
}

MountedVersionPtr Versions::newest_folder(const std::string& relative, MountedVersion found,
                                          absl::FunctionRef<SnapshotPtr()> make) {
  assert(folders_.contains(relative));
  Folder& folder = folders_.at(relative);
  if (is_outdated(folder.shown)) ++folder.renewals;
  found.fingerprint = fingerprint_after(found.fingerprint, folder.renewals);
  if (folder.shown == nullptr || folder.shown->fingerprint != found.fingerprint) {
    found.snapshot = make();
    folder.shown = folder.lineage.next(std::move(found));
  }
  return folder.shown;
}

}  // namespace scidfs::fs
