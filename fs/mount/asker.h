// Who waits for an answer that is given by another thread than the one that took the request.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>

#include <atomic>
#include <memory>

namespace scidfs::fs {

// Somebody who is interrupted (by Ctrl-C, mostly) hears EINTR at once, whatever the thread that
// works for him waits for. So the request belongs to whoever takes it first. Thread-safe.
class Asker {
 public:
  // REQUIRES: nobody else uses the request from now on.
  static std::shared_ptr<Asker> of(fuse_req_t request);

  // Whether nobody waits for the answer any more.
  bool has_left() const { return has_left_; }
  // Whether the answer is still to be given; then the caller must give it, and nobody else will.
  // False for ever after.
  bool take();

  explicit Asker(fuse_req_t request) : request_(request) {}

 private:
  static void interrupted(fuse_req_t request, void* asker);
  void leave();

  fuse_req* const request_;
  std::atomic<bool> has_left_ = false;
  std::atomic<bool> may_leave_ = false;
  std::atomic<bool> is_taken_ = false;
};

}  // namespace scidfs::fs
