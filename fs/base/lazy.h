// Values that are made on first use.
#pragma once

#include <atomic>
#include <mutex>

namespace scidfs::fs {

// A value that the first caller makes, once. Thread-safe.
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
  // Returns null until the value has been made.
  const T* made() const { return is_made_.load(std::memory_order_acquire) ? &value_ : nullptr; }

 private:
  mutable std::once_flag once_;
  mutable std::atomic<bool> is_made_ = false;
  mutable T value_;
};

}  // namespace scidfs::fs
