// Who waits for the answer to a request.
#pragma once

#include <sys/types.h>

namespace scidfs::fs {

// The side of a request that a front end knows: FUSE, or another one. Several threads may reply or
// give up; the first to claim the request replies to it. Thread-safe.
class Caller {
 public:
  virtual ~Caller() = default;

  // Returns the user who asks.
  virtual uid_t user() const = 0;
  // Returns whether the request has been interrupted and needs no answer. Never waits.
  virtual bool is_cancelled() const = 0;
  // Returns whether the answer is still to be given. If true, the code that called this must give
  // it, and no other will; all later calls return false.
  virtual bool claim() = 0;

 protected:
  Caller() = default;
  Caller(const Caller&) = default;
  Caller& operator=(const Caller&) = default;
};

}  // namespace scidfs::fs
