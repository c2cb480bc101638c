// The files of the mount itself, which have slot 0 (fs/base/inode.h).
//
// The root of the mount has them besides the entries of its own snapshot: status.txt, the state of
// the daemon, README.txt (fs/tree/readme.h), and empty files that list() does not emit, which tell
// indexing programs (GNOME's LocalSearch, media players) to skip the mount.
//
// The text of status.txt changes over time, but the bytes of an inode number must not: each lookup
// freezes a text under a new number, and the last few are kept for their readers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cache/lru.h"
#include "cache/mutex.h"
#include "fs/content/places_snapshot.h"
#include "fs/file/time.h"
#include "fs/library/library.h"
#include "fs/tree/readme.h"

namespace scidfs::fs {

class MountSnapshot : public PlacesSnapshot {
 public:
  // Returns the last lines of status.txt. Several threads may call it at once.
  using MoreStatus = std::function<std::string()>;

  // The references outlive this; `more_status` may be null.
  MountSnapshot(const Library& library, const cache::BlockCache& blocks, MoreStatus more_status)
      : library_(library),
        blocks_(blocks),
        more_status_(std::move(more_status)),
        readme_(library) {}

  // Returns whether the directory has the name. Freezes nothing.
  static bool has(std::string_view name);

  std::string summary() const override { return "the mount"; }
  // Returns the generation itself (generation_of()).
  std::uint64_t identity(LocalId file) const override;

 private:
  bool exists(LocalId place) const override;
  bool is_directory(LocalId place) const override { return place == LocalId{}; }
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  // Freezes the text of status.txt.
  std::optional<Child> find(LocalId directory, std::string_view name) const override;
  std::optional<FileTime> mtime(LocalId file) const override;
  bool is_cheap() const override { return true; }
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;

  static constexpr std::size_t kKept = 64;

  struct Frozen {
    std::uint32_t number = 0;  // from 1
    FileTime time;
    std::shared_ptr<const std::string> text;
  };

  std::string text() const;
  Child readme() const;
  // Stores the current state. Returns its number.
  std::uint32_t freeze() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns a text frozen before; nothing if it has been evicted, or `file` is not status.txt.
  std::optional<Frozen> frozen(LocalId file) const ABSL_LOCKS_EXCLUDED(mutex_);

  const Library& library_;
  const cache::BlockCache& blocks_;
  const MoreStatus more_status_;
  const Readme readme_;
  mutable cache::Mutex mutex_;
  mutable std::uint32_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  mutable std::array<Frozen, kKept> frozen_ ABSL_GUARDED_BY(mutex_);  // by number modulo kKept
};

}  // namespace scidfs::fs
