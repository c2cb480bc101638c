// Follows what other programs do to the source.
#pragma once

#include <functional>
#include <thread>

#include "fs/library/folder_watch.h"
#include "fs/library/library.h"

namespace scidfs::fs {

// A thread that looks at the source again when something there has changed, and now and then where
// that would not be noticed.
class LiveReload {
 public:
  // `changed` is called by that thread after each new catalog, with no lock held. The library
  // outlives this.
  LiveReload(Library& library, std::function<void()> changed);
  ~LiveReload();
  LiveReload(const LiveReload&) = delete;
  LiveReload& operator=(const LiveReload&) = delete;

 private:
  void run();
  // Waits until nothing has changed for a moment, but not for ever. False: it is over.
  bool let_settle();
  Library::Rescan rescan();

  Library& library_;
  std::function<void()> changed_;
  FolderWatch watch_;
  std::thread thread_;
};

}  // namespace scidfs::fs
