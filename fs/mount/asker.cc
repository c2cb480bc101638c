#include "fs/mount/asker.h"

#include <cerrno>

namespace scidfs::fs {

std::shared_ptr<Asker> Asker::of(fuse_req_t request) {
  auto asker = std::make_shared<Asker>(request);
  fuse_req_interrupt_func(request, &Asker::interrupted, asker.get());
  // Not from within the call above: libfuse still uses the request then.
  asker->may_leave_ = true;
  if (asker->has_left_) asker->leave();
  return asker;
}

void Asker::interrupted(fuse_req_t /*request*/, void* asker) {
  auto* const self = static_cast<Asker*>(asker);
  self->has_left_ = true;
  if (self->may_leave_) self->leave();
}

// Once it is taken nobody keeps this object alive for an interruption.
void Asker::leave() {
  fuse_req* const request = request_;
  if (!is_taken_.exchange(true)) fuse_reply_err(request, EINTR);
}

bool Asker::take() {
  if (is_taken_.exchange(true)) return false;
  // Waits for an interruption that is being told of.
  fuse_req_interrupt_func(request_, nullptr, nullptr);
  return true;
}

}  // namespace scidfs::fs
