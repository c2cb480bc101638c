// Follows what other programs do to the source.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "fs/library/folder_watch.h"
#include "fs/library/library.h"

namespace scidfs::fs {

// Two threads. One hears of changes and takes note of them, which takes no time whatever happens;
// the other looks at what has changed, or when the library has news, and now and then where that
// would not be noticed.
class LiveReload {
 public:
  struct Listener {
    // What is known of these may be old: questions about them wait from now on. Called by the
    // thread that hears, with no lock held.
    std::function<void(const std::vector<PendingChanges::ChangeEvent>& signs)> doubted;
    // There is a new catalog. Called by the thread that looks, before questions go on, with no lock
    // held.
    std::function<void()> changed;
  };
  // The library outlives this.
  LiveReload(Library& library, Listener listener);
  // As stop(), and waits for the threads.
  ~LiveReload();
  LiveReload(const LiveReload&) = delete;
  LiveReload& operator=(const LiveReload&) = delete;

  // Lets the threads end soon, and stops the library's long work; no question waits any more.
  // The listener hears of nothing that begins after this. Any thread may call it.
  void stop();

 private:
  using Clock = PendingChanges::Clock;

  void end();
  // Does `work` until it is over; what fails, for want of memory above all, is tried again.
  void persist(void (LiveReload::*work)());
  void listen();
  void follow();
  Library::Rescan rescan(const RescanScope& look);
  void watch();
  // How long after a look everything is looked at again. `taken`: its processor time.
  Clock::duration pause(const Library::Rescan& found, std::chrono::nanoseconds taken) const;

  Library& library_;
  const Listener listener_;
  FolderWatch watch_;
  std::atomic<bool> is_over_ = false;
  std::thread listening_;
  std::thread looking_;
};

}  // namespace scidfs::fs
