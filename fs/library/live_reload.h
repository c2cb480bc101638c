// Follows what other programs do to the source.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "fs/library/folder_watch.h"
#include "fs/library/library.h"

namespace scidfs::fs {

// A thread that looks at the source again when something there has changed, or when the library has
// news, and now and then where that would not be noticed.
class LiveReload {
 public:
  // `changed` is called by that thread after each new catalog, with no lock held. The library
  // outlives this.
  LiveReload(Library& library, std::function<void()> changed);
  // As stop(), and waits for the thread.
  ~LiveReload();
  LiveReload(const LiveReload&) = delete;
  LiveReload& operator=(const LiveReload&) = delete;

  // Lets the thread end soon, and stops the library's long work. `changed` is not called any more
  // by a look that begins after this. Any thread may call it.
  void stop();

 private:
  void run();
  void follow();
  // Waits until nothing has changed for a moment, but not for ever. False: it is over.
  bool let_settle();
  Library::Rescan rescan();

  Library& library_;
  std::function<void()> changed_;
  FolderWatch watch_;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace scidfs::fs
