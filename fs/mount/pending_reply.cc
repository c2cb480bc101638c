#include "fs/mount/pending_reply.h"

#include <cerrno>

namespace scidfs::fs {

std::shared_ptr<PendingReply> PendingReply::of(fuse_req_t request, Kind kind) {
  auto asker = std::make_shared<PendingReply>(request, kind);
  fuse_req_interrupt_func(request, &PendingReply::interrupted, asker.get());
  // Not during the call above: libfuse still uses the request then.
  asker->may_cancel_ = true;
  if (asker->is_cancelled_) asker->cancel();
  return asker;
}

void PendingReply::interrupted(fuse_req_t /*request*/, void* asker) {
  auto* const self = static_cast<PendingReply*>(asker);
  self->is_cancelled_ = true;
  if (self->may_cancel_) self->cancel();
}

// Reads `request_` first: once the request is claimed, nothing keeps this object alive for an
// interruption.
void PendingReply::cancel() {
  fuse_req* const request = request_;
  if (!is_claimed_.exchange(true)) fuse_reply_err(request, EINTR);
}

bool PendingReply::claim() {
  if (is_claimed_.exchange(true)) return false;
  // Waits until a running call of interrupted() has returned.
  fuse_req_interrupt_func(request_, nullptr, nullptr);
  return true;
}

}  // namespace scidfs::fs
