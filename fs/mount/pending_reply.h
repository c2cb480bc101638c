// A request of the kernel that another thread answers than the one that took it.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>
#include <sys/types.h>

#include <atomic>
#include <memory>

#include "fs/mount/asking_thread.h"
#include "fs/requests/caller.h"

namespace scidfs::fs {

// When the user interrupts the request (mostly by Ctrl-C), it fails with EINTR at once, even if the
// thread that works for it still waits. The kernel interrupts no read that it sends ahead of a
// program: the work for a read ends, too, when the thread that has sent it has ended. If another
// program waits for the same bytes, the kernel asks for them anew. Thread-safe.
class PendingReply final : public Caller {
 public:
  enum class Kind : bool { Read, Other };
  // REQUIRES: no other code uses the request from now on.
  static std::shared_ptr<PendingReply> of(fuse_req_t request, Kind kind);

  uid_t user() const override { return user_; }
  bool is_cancelled() const override { return is_cancelled_ || thread_.has_ended(); }
  bool claim() override;

  PendingReply(fuse_req_t request, Kind kind)
      : request_(request),
        user_(fuse_req_ctx(request)->uid),
        thread_(kind == Kind::Read ? fuse_req_ctx(request)->pid : 0) {}

 private:
  static void interrupted(fuse_req_t request, void* asker);
  void cancel();

  fuse_req* const request_;
  const uid_t user_;
  const AskingThread thread_;
  std::atomic<bool> is_cancelled_ = false;
  std::atomic<bool> may_cancel_ = false;
  std::atomic<bool> is_claimed_ = false;
};

}  // namespace scidfs::fs
