// A request that another thread answers than the one that took it.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>
#include <sys/types.h>

#include <atomic>
#include <memory>

namespace scidfs::fs {

// A request that waits for its answer. When the user interrupts it (mostly by Ctrl-C), it fails
// with EINTR at once, even if the thread that works for it still waits. So the first to claim the
// request replies to it. Thread-safe.
class PendingReply {
 public:
  // REQUIRES: no other code uses the request from now on.
  static std::shared_ptr<PendingReply> of(fuse_req_t request);

  // Returns the user who asks.
  uid_t user() const { return user_; }
  // Returns whether the request has been interrupted and needs no answer.
  bool is_cancelled() const { return is_cancelled_; }
  // Returns whether the answer is still to be given. If true, the caller must give it, and no other
  // will; all later calls return false.
  bool claim();

  explicit PendingReply(fuse_req_t request)
      : request_(request), user_(fuse_req_ctx(request)->uid) {}

 private:
  static void interrupted(fuse_req_t request, void* asker);
  void cancel();

  fuse_req* const request_;
  const uid_t user_;
  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> may_cancel_ = false;
  std::atomic<bool> is_claimed_ = false;
};

}  // namespace scidfs::fs
