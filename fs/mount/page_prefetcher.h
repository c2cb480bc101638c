// Gives the kernel the text of files before it asks: those that DirectoryPrefetch predicts.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>

#include <atomic>
#include <span>
#include <string>
#include <thread>

#include "cache/mutex.h"
#include "fs/mount/directory_prefetch.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/request_counters.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// A thread that stores texts in the kernel. It answers no request, since a store waits for a page
// that a READ holds: meanwhile another thread must answer READs.
//
// A stored text never becomes wrong, since the bytes of an inode number never change. It is stored
// whole or not at all, and only if it has the length that was announced.
class PagePrefetcher {
 public:
  // All references must outlive this.
  PagePrefetcher(fuse_session* session, Tree& tree, RequestCounters& counters, MemoryLimit& memory)
      : session_(session), tree_(tree), counters_(counters), memory_(memory) {}
  // Calls stop().
  ~PagePrefetcher() { stop(); }
  PagePrefetcher(const PagePrefetcher&) = delete;
  PagePrefetcher& operator=(const PagePrefetcher&) = delete;

  // Starts the thread. REQUIRES: called once, when the kernel has said that it accepts stored
  // pages. Until then, or if no thread can be started, nothing is stored. Thread-safe.
  void start() ABSL_LOCKS_EXCLUDED(end_mutex_);

  // Forwards a listing to DirectoryPrefetch. Called after the reply to the request. Thread-safe.
  void listed(Inode directory, bool is_start, std::span<const ListedFile> files);
  void ended(Inode directory) { files_.ended(directory); }
  // Returns how many files a program has read without a request, as far as it shows.
  std::size_t read(Inode file);

  // Stores nothing more, and waits for the last store. REQUIRES: the kernel can take it, or the
  // mount is gone. Thread-safe.
  void stop() ABSL_LOCKS_EXCLUDED(mutex_, end_mutex_);

 private:
  void work() ABSL_LOCKS_EXCLUDED(mutex_);
  void push(const ListedFile& file);
  void wake() ABSL_LOCKS_EXCLUDED(mutex_);

  fuse_session* const session_;
  Tree& tree_;
  RequestCounters& counters_;
  DirectoryPrefetch files_;
  MemoryLimit& memory_;
  // Only for the thread.
  std::string text_;  // of the file being stored
  int unknown_ = 0;   // consecutive files that the kernel did not know
  std::atomic<bool> is_over_ = true;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  bool has_work_ ABSL_GUARDED_BY(mutex_) = false;
  cache::Mutex end_mutex_;  // held while the thread is started or joined
  bool is_stopped_ ABSL_GUARDED_BY(end_mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(end_mutex_);
};

}  // namespace scidfs::fs
