#include "fs/requests/request_runner.h"

namespace scidfs::fs {

void RequestRunner::submit(const std::shared_ptr<SlowRequest>& request) {
  const absl::Status failure = caught([&] {
    workers_.submit(
        {.source = tree_.remote_slot(request->inode), .user = request->caller->user()},
        [request] { return request->caller->is_cancelled(); },
        [request](const WorkBudget& budget) { request->answer(budget); });
    return absl::OkStatus();
  });
  if (!failure.ok()) request->fail(failure);
}

void RequestRunner::submit_when_calm(const std::shared_ptr<SlowRequest>& request,
                                     const PendingChanges::Request& changes) {
  const absl::StatusOr<bool> waits = caught([&]() -> absl::StatusOr<bool> {
    return tree_.pending_changes().wait(changes, [this, request] { submit(request); });
  });
  if (!waits.ok()) return request->fail(waits.status());
  if (!*waits) submit(request);
}

}  // namespace scidfs::fs
