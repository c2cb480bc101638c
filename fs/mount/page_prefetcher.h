// Gives the kernel the text of files before it asks: those that DirectoryPrefetch foretells.
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
#include "fs/tree/request_counters.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// Has one thread of its own, which answers no request: a store waits for a page that a READ holds.
// Whoever calls needs another thread that answers READs meanwhile.
//
// What is stored is right for ever, as the bytes of a number never change. A text is stored whole
// or not at all, and only if it is as long as was told.
class PagePrefetcher {
 public:
  // All of them outlive it.
  PagePrefetcher(fuse_session* session, Tree& tree, RequestCounters& counters, MemoryLimit& memory)
      : session_(session), tree_(tree), counters_(counters), memory_(memory) {}
  // As stop().
  ~PagePrefetcher() { stop(); }
  PagePrefetcher(const PagePrefetcher&) = delete;
  PagePrefetcher& operator=(const PagePrefetcher&) = delete;

  // Begins; once, when the kernel has said that it can take what is stored. Before that, and
  // without a thread to be had, nothing is ever stored. Thread-safe.
  void start() ABSL_LOCKS_EXCLUDED(end_mutex_);

  // What DirectoryPrefetch wants to hear, after the answer has been given. Thread-safe.
  void listed(Inode directory, bool is_start, std::span<const ListedFile> files);
  void ended(Inode directory) { files_.ended(directory); }
  // Returns how many files somebody has read without our being asked, as far as it shows.
  std::size_t read(Inode file);

  // Stores nothing more, and waits for the last one. REQUIRES: the kernel can take it or has gone.
  // Thread-safe.
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
  // Of the thread alone.
  std::string text_;  // of the file that is being stored
  int unknown_ = 0;   // files in turn that the kernel did not know
  std::atomic<bool> is_over_ = true;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  bool has_work_ ABSL_GUARDED_BY(mutex_) = false;
  cache::Mutex end_mutex_;  // held by who starts the thread or waits for its end
  bool is_stopped_ ABSL_GUARDED_BY(end_mutex_) = false;
  std::thread thread_ ABSL_GUARDED_BY(end_mutex_);
};

}  // namespace scidfs::fs
