// A value that is derived from a database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <cstddef>
#include <memory>

#include "fs/base/status_macros.h"
#include "fs/content/once_value.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// A value that the first caller makes, once; others wait as long as their budget allows. It stays
// until this is destroyed. A failure is not kept. Thread-safe; takes no lock once the value exists.
template <class T>
class Derived {
 public:
  using Ptr = typename OnceValue<T>::Ptr;

  // Returns the value. `make` itself obeys the budget. Errors: those of OnceValue::get().
  absl::StatusOr<const T*> get(const WorkBudget& budget,
                               absl::FunctionRef<absl::StatusOr<Ptr>()> make) const {
    if (const T* const value = made()) return value;
    ASSIGN_OR_RETURN(const Ptr value, once_.get(budget, make));
    made_.store(value.get(), std::memory_order_release);
    return value.get();
  }
  // Do the same without a budget.
  const T& get(absl::FunctionRef<T()> make) const {
    return get_ptr([make] { return std::make_shared<const T>(make()); });
  }
  const T& get_ptr(absl::FunctionRef<Ptr()> make) const {
    return **get(WorkBudget::unlimited(nullptr),
                 [make]() -> absl::StatusOr<Ptr> { return make(); });
  }
  // Returns null until the value has been made.
  const T* made() const { return made_.load(std::memory_order_acquire); }

  // Returns the bytes of memory that keeping the value costs so far.
  std::size_t memory() const { return made() == nullptr ? 0 : made()->memory(); }

 private:
  mutable OnceValue<T> once_;  // keeps it
  mutable std::atomic<const T*> made_ = nullptr;
};

}  // namespace scidfs::fs
