// Memory that a budget counts.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <utility>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Memory that a part of an answer has, until this is destroyed. The budget outlives it. Used by one
// thread at a time.
class MemoryClaim {
 public:
  explicit MemoryClaim(const WorkBudget& budget) : budget_(&budget) {}
  ~MemoryClaim() { budget_->give_back_memory(bytes_); }
  MemoryClaim(MemoryClaim&& other) noexcept
      : budget_(other.budget_), bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryClaim(const MemoryClaim&) = delete;
  MemoryClaim& operator=(const MemoryClaim&) = delete;
  MemoryClaim& operator=(MemoryClaim&&) = delete;

  // Takes as much as is missing to `bytes`, which may be less than before. Call it before a
  // container grows, or at the latest when it has grown a little. Errors: see
  // WorkBudget::take_memory().
  absl::Status grow_to(std::size_t bytes) {
    if (bytes <= bytes_) return absl::OkStatus();
    absl::Status status = budget_->take_memory(bytes - bytes_);
    if (status.ok()) bytes_ = bytes;
    return status;
  }
  absl::Status add(std::size_t bytes) { return grow_to(bytes_ + bytes); }
  // Gives back what is beyond `bytes`.
  void shrink_to(std::size_t bytes) {
    if (bytes >= bytes_) return;
    budget_->give_back_memory(bytes_ - bytes);
    bytes_ = bytes;
  }

 private:
  const WorkBudget* budget_;
  std::size_t bytes_ = 0;
};

}  // namespace scidfs::fs
