// Notices when something in some folders changes.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <vector>

namespace scidfs::fs {

// inotify, for one thread; wake() may be called by any.
class FolderWatch {
 public:
  FolderWatch();
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Watches these folders, not what lies below them, besides those of earlier calls. Whether any of
  // them is new: what happened there before nobody has seen.
  bool add(const std::vector<std::filesystem::path>& folders);
  // Whether every change that is made on this machine will be noticed. Not so without inotify, or
  // when there are too many folders.
  bool is_complete() const { return is_complete_; }

  enum class Event { Change, Timeout, Woken };
  // Sleeps until a database, a folder or a link to one changes, the time is over, or somebody calls
  // wake().
  Event wait(std::chrono::milliseconds timeout);
  // Ends this sleep, or the next one.
  void wake();

 private:
  bool read_events();

  int inotify_ = -1;
  int wake_ = -1;
  bool is_complete_ = true;
  std::map<int, std::filesystem::path> watches_;
};

}  // namespace scidfs::fs
