// What looking into one archive may cost.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>

namespace scidfs::fs {

// Whether nobody waits for the outcome any more. Asked often, and from one thread at a time.
using IsOver = absl::FunctionRef<bool()>;
inline bool never_over() { return false; }

// The bytes that come out and the processor's time, measured against the size of the archive: real
// databases are packed to a tenth at best, hostile members to a thousandth. Not thread-safe, and
// for the thread that made it.
class UnpackWork {
 public:
  // `is_over` outlives it.
  UnpackWork(std::uint64_t archive_size, IsOver is_over);

  // How many bytes may come out of so many.
  static std::uint64_t most_of(std::uint64_t stored);
  // How many more may come out of the archive.
  std::uint64_t left() const { return left_; }

  // After so many bytes have come out, and now and then in between. False: it has to stop.
  bool go_on(std::uint64_t bytes = 0);
  // Why it had to stop. Neither: it had not.
  bool is_cancelled() const { return is_cancelled_; }
  bool is_used_up() const { return is_used_up_; }

 private:
  const IsOver is_over_;
  std::uint64_t left_;
  std::int64_t end_;  // of the thread's time, in nanoseconds
  bool is_cancelled_ = false;
  bool is_used_up_ = false;
};

}  // namespace scidfs::fs
