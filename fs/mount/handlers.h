// Answers the kernel's requests: decodes them, asks the tree, replies.
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

#include "fs/base/inode.h"
#include "fs/mount/directory_buffer.h"
#include "fs/mount/directory_prefetch.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/page_prefetcher.h"
#include "fs/mount/readdirplus_policy.h"
#include "fs/mount/request_counters.h"
#include "fs/mount/unsized_replies.h"
#include "fs/options/mount_options.h"
#include "fs/requests/request_runner.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// The handlers of all requests, a method each; they take and return inode numbers, and only the
// kernel sees kernel_number() of them. All but init() may run on any number of threads at
// once, and each replies exactly once, after everything that may throw. The runner answers what
// takes long on other threads.
class Handlers {
 public:
  // All references must outlive this.
  Handlers(const MountOptions& options, Tree& tree, RequestCounters& counters, MemoryLimit& memory)
      : uid_(options.uid),
        gid_(options.gid),
        file_mode_(S_IFREG | options.file_mode),
        directory_mode_(S_IFDIR | options.directory_mode),
        single_thread_(options.single_thread),
        tree_(tree),
        counters_(counters),
        memory_(memory),
        runner_(tree, options.question_bytes) {}

  // Sets the function that init() calls once.
  void set_ready(std::function<void()> ready) { ready_ = std::move(ready); }
  // Sets the session that the requests belong to; it outlives them. REQUIRES: before the first
  // request.
  void set_session(fuse_session* session);

  // Stops giving pages to the kernel that it has not asked for. REQUIRES: other threads take
  // requests, or the mount is gone.
  void stop_pushing() {
    if (prefetcher_ != nullptr) prefetcher_->stop();
  }
  // Makes all answers that take long fail soon.
  void stop() { runner_.stop(); }
  // Calls stop() and waits until all answers have been given.
  void close() { runner_.close(); }

  // Makes the kernel look up every name again: there are new versions. Returns false where the
  // kernel does not support it (before Linux 6.16); names then last a second. Thread-safe, but not
  // for the thread of a request.
  bool renew_names() const;

  // Returns the functions for libfuse. Other requests the kernel answers itself after having asked
  // once. FORGET is not needed: there is no table of lookups.
  static const fuse_lowlevel_ops& operations();

 private:
  template <auto kMethod>
  struct Callback;

  void init(fuse_conn_info* connection);
  void lookup(fuse_req_t request, Inode parent, const char* name);
  void getattr(fuse_req_t request, Inode inode, fuse_file_info* info);
  void open(fuse_req_t request, Inode inode, fuse_file_info* info);
  void opendir(fuse_req_t request, Inode inode, fuse_file_info* info);
  void read(fuse_req_t request, Inode inode, std::size_t size, off_t offset, fuse_file_info* info);
  void readdir(fuse_req_t request, Inode inode, std::size_t size, off_t offset,
               fuse_file_info* info);
  void readdirplus(fuse_req_t request, Inode inode, std::size_t size, off_t offset,
                   fuse_file_info* info);
  void statfs(fuse_req_t request, Inode inode);
  // Calls Tree::lookup(); a file may come without its size, once.
  absl::StatusOr<Entry> find_entry(Inode parent, std::string_view name, const WorkBudget& budget);
  // Returns a part of a directory from an offset on, in `size` bytes: names, or entries with
  // attributes if the policy says so. The cost is not known before, so each attempt with another
  // budget starts again.
  absl::StatusOr<DirectoryBuffer> list_names(Inode inode, std::size_t size, off_t offset,
                                             const WorkBudget& budget) const;
  struct Entries {
    DirectoryBuffer buffer;
    bool with_attributes = false;
    std::vector<ListedFile> files{};  // only those with attributes
    std::uint64_t whole = 0;          // entries with attributes
    std::uint64_t names = 0;          // entries without attributes
  };
  absl::StatusOr<Entries> list_entries(Inode inode, std::size_t size, off_t offset,
                                       const WorkBudget& budget) const;
  void reply_entries(fuse_req_t request, Inode inode, off_t offset, const Entries& entries);

  absl::StatusOr<std::vector<Slice>> gather(Inode inode, std::size_t size, off_t offset,
                                            const WorkBudget& budget);
  void reply_entry(fuse_req_t request, const absl::StatusOr<Entry>& entry);

  struct stat to_stat(const Attributes& attributes) const;
  // Returns only inode number and type, for a listing without attributes.
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
  ReaddirplusPolicy policy_;
  UnsizedReplies unsized_replies_;
  fuse_session* session_ = nullptr;
  std::function<void()> ready_;
  // Set by init(), before any other request.
  bool kernel_opens_ = false;
  bool kernel_opens_directories_ = false;
  bool kernel_renews_names_ = false;
  std::unique_ptr<PagePrefetcher> prefetcher_;  // null with one thread: see PagePrefetcher
  RequestRunner runner_;                        // destroyed first: it uses the others
};

}  // namespace scidfs::fs
