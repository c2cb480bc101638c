// A value that takes work to make.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// A value that the first caller makes, once; others wait as long as their budget allows, and give
// their turns to the first one meanwhile. A failure is not kept. Use it for work that obeys a
// budget or may fail. Each get() takes a lock and shares the value, so callers get it once for a
// request; Lazy (fs/base/lazy.h) is for values that loops read. Thread-safe.
template <class Value>
class OnceValue {
 public:
  using Ptr = std::shared_ptr<const Value>;

  // `value`: one that has been made already; null: none.
  explicit OnceValue(Ptr value = nullptr) : value_(std::move(value)) {}

  // Returns the value. `make` itself obeys the budget. Returns Unavailable if another thread makes
  // the value and the budget is limited, so that no thread in a hurry waits; Cancelled; the errors
  // of `make`.
  absl::StatusOr<Ptr> get(const WorkBudget& budget, absl::FunctionRef<absl::StatusOr<Ptr>()> make)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      // The maximum delay until this notices that the request is cancelled.
      constexpr auto kPause = std::chrono::milliseconds(20);
      const cache::MutexLock lock(mutex_);
      while (value_ == nullptr && is_making_) {
        if (!budget.is_unlimited()) return WorkBudget::exceeded();
        if (budget.has_left()) return WorkBudget::cancelled();
        budget.will_wait(maker_);
        made_.wait_for(mutex_, kPause);
      }
      if (value_ != nullptr) return value_;
      is_making_ = true;
      maker_ = budget.asker();
    }
    absl::StatusOr<Ptr> made = WorkBudget::cancelled();
    {
      const Release release(*this, made);
      made = make();
    }
    return made;
  }

  // Returns null if the value has not been made yet.
  Ptr made() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const cache::MutexLock lock(mutex_);
    return value_;
  }

 private:
  // Wakes all waiting threads, even if `make` fails or throws.
  class Release {
   public:
    Release(OnceValue& owner, const absl::StatusOr<Ptr>& made) : owner_(owner), made_(made) {}
    ~Release() {
      {
        const cache::MutexLock lock(owner_.mutex_);
        if (made_.ok()) owner_.value_ = *made_;
        owner_.is_making_ = false;
        if (owner_.maker_ != nullptr) owner_.maker_->end_help();
        owner_.maker_ = nullptr;
      }
      owner_.made_.notify_all();
    }
    Release(const Release&) = delete;
    Release& operator=(const Release&) = delete;

   private:
    OnceValue& owner_;
    const absl::StatusOr<Ptr>& made_;
  };

  mutable cache::Mutex mutex_;
  cache::CondVar made_;
  bool is_making_ ABSL_GUARDED_BY(mutex_) = false;
  Asker* maker_ ABSL_GUARDED_BY(mutex_) = nullptr;  // null: not known
  Ptr value_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
