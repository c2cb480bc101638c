// Notices when something in some folders changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"

namespace scidfs::fs {

// What the kernel tells of one change.
struct FolderChange {
  std::filesystem::path folder{};  // as it was given; empty: anything may have changed anywhere
  std::string name{};              // in the folder; empty: the folder itself
  bool is_folder = false;          // what has the name is a folder, or may lead to one
  bool is_arrival = false;         // the name has come or gone
  bool is_write = false;           // bytes have been written, and more may follow
};

// inotify. Thread-safe, but for wait(), which is for one thread.
class FolderWatch {
 public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Watches these folders, not what lies below them, besides those of earlier calls. Returns those
  // that are new: what happened there before nobody has seen.
  std::vector<std::filesystem::path> add(const std::vector<std::filesystem::path>& folders)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether every change that is made on this machine will be noticed. Not so without inotify, or
  // when there are too many folders.
  bool is_complete() const ABSL_LOCKS_EXCLUDED(mutex_);

  enum class Event { Change, Timeout, Woken };
  // Sleeps until a database, a folder or a link to one changes, the time is over, or somebody calls
  // wake(). Adds what has changed to `changes`, unless that is null.
  Event wait(std::chrono::milliseconds timeout, std::vector<FolderChange>* changes = nullptr)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends this sleep, or the next one.
  void wake();

 private:
  bool read_events(std::vector<FolderChange>* changes) ABSL_LOCKS_EXCLUDED(mutex_);
  std::filesystem::path folder_of(int watch, std::uint32_t mask) ABSL_LOCKS_EXCLUDED(mutex_);

  int inotify_ = -1;
  int wake_ = -1;
  mutable cache::Mutex mutex_;
  bool is_complete_ ABSL_GUARDED_BY(mutex_) = true;
  // By number, under the last of the names that they were given with.
  std::map<int, std::filesystem::path> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
