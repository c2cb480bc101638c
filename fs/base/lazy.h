// Things that are made when they are first wanted.
#pragma once

#include <atomic>
#include <mutex>

namespace scidfs::fs {

// A value that is made once, by whoever wants it first. Thread-safe.
template <class T>
class Lazy {
 public:
  template <class Make>
  const T& get(const Make& make) const {
    std::call_once(once_, [&] {
      value_ = make();
      is_made_.store(true, std::memory_order_release);
    });
    return value_;
  }
  // Null as long as nobody has wanted it.
  const T* made() const { return is_made_.load(std::memory_order_acquire) ? &value_ : nullptr; }

 private:
  mutable std::once_flag once_;
  mutable std::atomic<bool> is_made_ = false;
  mutable T value_;
};

}  // namespace scidfs::fs
