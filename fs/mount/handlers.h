// Answers to the kernel's requests: decode, ask the tree, reply.
#pragma once

#define FUSE_USE_VERSION 35
#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fuse3/fuse_lowlevel.h>
#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "fs/mount/directory_buffer.h"
#include "fs/mount/directory_prefetch.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/options.h"
#include "fs/mount/page_prefetcher.h"
#include "fs/mount/pending_reply.h"
#include "fs/mount/readdirplus_policy.h"
#include "fs/mount/unsized_replies.h"
#include "fs/mount/worker_pool.h"
#include "fs/tree/request_counters.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// The one place where a status becomes an errno. Says in the log what a reader cannot know.
int to_errno(const absl::Status& status);

// Each request is a method; all but init() may run on any number of threads at once, and each
// replies exactly once, after everything that may throw. What takes long is answered by the slow
// lane.
class Handlers {
 public:
  // All of them outlive it.
  Handlers(const MountOptions& options, Tree& tree, RequestCounters& counters, MemoryLimit& memory)
      : uid_(options.uid),
        gid_(options.gid),
        file_mode_(S_IFREG | options.file_mode),
        directory_mode_(S_IFDIR | options.directory_mode),
        single_thread_(options.single_thread),
        tree_(tree),
        counters_(counters),
        memory_(memory) {}

  // Called once by init().
  void set_ready(std::function<void()> ready) { ready_ = std::move(ready); }
  // The session whose requests these are; outlives them. Before the first of them.
  void set_session(fuse_session* session);

  // Gives the kernel nothing more that it has not asked for. While other threads take requests, or
  // when the mount has gone.
  void stop_pushing() {
    if (pusher_ != nullptr) pusher_->stop();
  }
  // Lets all answers that take long come to an end: they fail.
  void stop() { workers_.stop(); }
  // The same, and waits until they have failed.
  void close() { workers_.close(); }

  // Makes the kernel look up every name again: there are new versions. False where it cannot be
  // told (before Linux 6.16); names then last a second. Thread-safe; not for the thread of a
  // request.
  bool renew_names() const;

  // The functions for libfuse. What is not among them the kernel answers by itself after having
  // asked once. FORGET is none of them: no table knows what was looked up.
  static const fuse_lowlevel_ops& operations();

 private:
  template <auto kMethod>
  struct Callback;

  void init(fuse_conn_info* connection);
  void lookup(fuse_req_t request, fuse_ino_t parent, const char* name);
  void getattr(fuse_req_t request, fuse_ino_t inode, fuse_file_info* info);
  void open(fuse_req_t request, fuse_ino_t inode, fuse_file_info* info);
  void opendir(fuse_req_t request, fuse_ino_t inode, fuse_file_info* info);
  void read(fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
            fuse_file_info* info);
  void readdir(fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
               fuse_file_info* info);
  void readdirplus(fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
                   fuse_file_info* info);
  void statfs(fuse_req_t request, fuse_ino_t inode);
  // Tree::lookup(), but a file may come without its size, once.
  absl::StatusOr<Entry> find_entry(Inode parent, std::string_view name, const WorkBudget& budget);
  // A part of a directory, from an offset on, in so many bytes: names, or entries with attributes
  // where these are advised. What it costs is found out anew with each effort.
  absl::StatusOr<DirectoryBuffer> list_names(fuse_ino_t inode, std::size_t size, off_t offset,
                                             const WorkBudget& budget) const;
  struct Entries {
    DirectoryBuffer buffer;
    bool with_attributes = false;
    std::vector<ListedFile> files{};  // those with attributes
    std::uint64_t whole = 0;          // entries with attributes
    std::uint64_t names = 0;          // and without
  };
  absl::StatusOr<Entries> list_entries(fuse_ino_t inode, std::size_t size, off_t offset,
                                       const WorkBudget& budget) const;
  void reply_entries(fuse_req_t request, fuse_ino_t inode, off_t offset, const Entries& entries);

  // Gives an answer about `inode`, or what is in it, that costs little and waits for no server at
  // once, on this thread, and any other by the slow lane. `ask` is a function of an effort that
  // returns a Status or a StatusOr, `reply` one of what it returns; each may be called on either
  // thread.
  template <class Ask, class Reply>
  void answer(fuse_req_t request, Inode inode, Ask ask, Reply reply);
  // The same by the slow lane.
  template <class Ask, class Reply>
  void answer_slowly(fuse_req_t request, const std::shared_ptr<PendingReply>& asker, Inode inode,
                     Ask ask, Reply reply);
  // As answer(), for a name in a directory or, if it is empty, for a listing: when what may have
  // changed there has been looked at. No thread waits for that.
  template <class Ask, class Reply>
  void answer_when_calm(fuse_req_t request, Inode directory, const char* name, Ask ask,
                        Reply reply);
  absl::StatusOr<std::vector<Slice>> gather(Inode inode, std::size_t size, off_t offset,
                                            const WorkBudget& budget);
  void reply_entry(fuse_req_t request, const absl::StatusOr<Entry>& entry);

  struct stat to_stat(const Attributes& attributes) const;
  // Inode number and type alone, as a listing without attributes shows them.
  struct stat type_of(Inode inode, bool is_directory) const;
  fuse_entry_param to_entry(const Entry& entry) const;

  const uid_t uid_;
  const gid_t gid_;
  const mode_t file_mode_;
  const mode_t directory_mode_;
  const bool single_thread_;
  Tree& tree_;
  RequestCounters& counters_;
  MemoryLimit& memory_;
  ReaddirplusPolicy advice_;
  UnsizedReplies unsized_replies_;
  fuse_session* session_ = nullptr;
  std::function<void()> ready_;
  // Set by init(), before any other request.
  bool kernel_opens_ = false;
  bool kernel_opens_directories_ = false;
  bool kernel_renews_names_ = false;
  std::unique_ptr<PagePrefetcher> pusher_;  // null with one thread: see PagePrefetcher
  WorkerPool workers_;                      // goes first: it uses the others
};

}  // namespace scidfs::fs
