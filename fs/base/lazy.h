// Values that are made on first use.
#pragma once

#include <atomic>
#include <mutex>

namespace scidfs::fs {

// A value that the first caller makes, once, while all others wait. Use it for work that cannot
// fail, of which the caller has made sure that it may be done now. Loops may call get() for every
// game: of a value that has been made it costs an atomic load. OnceValue (fs/content/once_value.h)
// is for work that obeys a budget. Thread-safe.
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
