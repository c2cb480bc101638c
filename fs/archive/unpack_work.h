// The limits on the work for one archive.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>

namespace scidfs::fs {

// A function that returns whether no caller needs the result any more. Called often, but by one
// thread at a time.
using IsCancelled = absl::FunctionRef<bool()>;
inline bool never_cancelled() { return false; }

// The unpacked bytes and processor time of one archive, limited in proportion to its size. Real
// databases are packed to a tenth at best, hostile members to a thousandth. Not thread-safe; only
// the thread that made it may use it.
class UnpackWork {
 public:
  // `is_cancelled` must outlive this.
  UnpackWork(std::uint64_t archive_size, IsCancelled is_cancelled);

  // Returns how many bytes may come out of `stored` bytes.
  static std::uint64_t most_of(std::uint64_t stored);
  // Returns how many more bytes may come out of the archive.
  std::uint64_t left() const { return left_; }

  // Counts `bytes` unpacked bytes. Called after each piece, and periodically in between. Returns
  // false if the unpacking has to stop.
  bool go_on(std::uint64_t bytes = 0);
  // Return why it had to stop; both are false if it had not.
  bool is_cancelled() const { return is_cancelled_; }
  bool is_used_up() const { return is_used_up_; }

 private:
  const IsCancelled asks_if_cancelled_;
  std::uint64_t left_;
  std::int64_t end_;  // of the thread's time, in nanoseconds
  bool is_cancelled_ = false;
  bool is_used_up_ = false;
};

}  // namespace scidfs::fs
