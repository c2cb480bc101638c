// Notices changes in folders.
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

// One change, as the kernel reports it.
struct FolderChange {
  std::filesystem::path folder{};  // as given to add(); empty: anything may have changed anywhere
  std::string name{};              // in the folder; empty: the folder itself
  bool is_folder = false;          // the name belongs to a folder, or may lead to one
  bool is_arrival = false;         // the name has appeared or disappeared
  bool is_write = false;           // bytes have been written, and more may follow
};

// An inotify watch. Thread-safe, except that only one thread may call wait().
class FolderWatch {
 public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Watches these folders, without their subfolders, in addition to those of earlier calls. Returns
  // the new ones: earlier changes in them went unseen.
  std::vector<std::filesystem::path> add(const std::vector<std::filesystem::path>& folders)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether the watch notices every change made on this machine. False without inotify or
  // with too many folders.
  bool is_complete() const ABSL_LOCKS_EXCLUDED(mutex_);

  enum class Event { Change, Timeout, Woken };
  // Sleeps until a database, a folder or a link to one changes, the timeout expires or a thread
  // calls wake(). Appends the changes to `changes` unless that is null.
  Event wait(std::chrono::milliseconds timeout, std::vector<FolderChange>* changes = nullptr)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Ends the current wait(), or the next one.
  void wake();

 private:
  bool read_events(std::vector<FolderChange>* changes) ABSL_LOCKS_EXCLUDED(mutex_);
  std::filesystem::path folder_of(int watch, std::uint32_t mask) ABSL_LOCKS_EXCLUDED(mutex_);

  int inotify_ = -1;
  int wake_ = -1;
  mutable cache::Mutex mutex_;
  bool is_complete_ ABSL_GUARDED_BY(mutex_) = true;
  // Folders by watch number, each under the last path given for it.
  std::map<int, std::filesystem::path> watches_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
