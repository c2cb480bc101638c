// Who waits for an answer that is given by another thread than the one that took the request.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>

#include <atomic>
#include <memory>

namespace scidfs::fs {

// Somebody who is interrupted (by Ctrl-C, mostly) hears EINTR at once, whatever the thread that
// works for him waits for. So the request belongs to whoever takes it first. Thread-safe.
class PendingReply {
 public:
  // REQUIRES: nobody else uses the request from now on.
  static std::shared_ptr<PendingReply> of(fuse_req_t request);

  // Whether nobody waits for the answer any more.
  bool is_cancelled() const { return is_cancelled_; }
  // Whether the answer is still to be given; then the caller must give it, and nobody else will.
  // False for ever after.
  bool claim();

  explicit PendingReply(fuse_req_t request) : request_(request) {}

 private:
  static void interrupted(fuse_req_t request, void* asker);
  void cancel();

  fuse_req* const request_;
  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> may_cancel_ = false;
  std::atomic<bool> is_claimed_ = false;
};

}  // namespace scidfs::fs
