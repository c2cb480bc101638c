// Follows the changes that other programs make in the source.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "fs/library/folder_watch.h"
#include "fs/library/library.h"

namespace scidfs::fs {

// Two threads. One receives changes and notes them, which never blocks. The other rescans what has
// changed, rescans when the library has news, and rescans periodically where changes may go
// unnoticed.
class LiveReload {
 public:
  struct Listener {
    // These paths may be out of date: requests about them wait from now on. Called by both threads,
    // with no lock held.
    std::function<void(const std::vector<PendingChanges::ChangeEvent>& signs)> doubted;
    // There is a new catalog. Called by the scanning thread, with no lock held, before the waiting
    // requests resume.
    std::function<void()> changed;
  };
  // The library outlives this.
  LiveReload(Library& library, Listener listener);
  // Calls stop() and waits for the threads.
  ~LiveReload();
  LiveReload(const LiveReload&) = delete;
  LiveReload& operator=(const LiveReload&) = delete;

  // Makes the threads end soon, stops the library's long work and releases all waiting requests. No
  // call of the listener begins after this. Thread-safe.
  void stop();

 private:
  using Clock = PendingChanges::Clock;

  void end();
  // Runs `work` until the object stops; retries it after an error, usually a lack of memory.
  void persist(void (LiveReload::*work)());
  void listen();
  void follow();
  Library::Rescan rescan(const RescanScope& look);
  void watch();
  // Returns the time until the next full rescan. `taken`: processor time of the last one.
  Clock::duration pause(const Library::Rescan& found, std::chrono::nanoseconds taken) const;

  Library& library_;
  const Listener listener_;
  FolderWatch watch_;
  std::atomic<bool> is_over_ = false;
  std::thread listening_;
  std::thread looking_;
};

}  // namespace scidfs::fs
