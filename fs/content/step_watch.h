// Asks a budget in loops of short steps.
#pragma once

#include <cstddef>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Checks a budget before the first of `between` steps each, for one thread. Choose `between` such
// that so many steps take some milliseconds at most.
class StepWatch {
 public:
  StepWatch(const WorkBudget& budget, std::size_t between) : budget_(&budget), between_(between) {}

  // Returns whether the budget is cancelled. Call this before each step.
  bool is_cancelled() {
    if (left_ != 0) {
      --left_;
      return false;
    }
    left_ = between_ - 1;
    return budget_->is_cancelled();
  }

 private:
  const WorkBudget* budget_;
  const std::size_t between_;
  std::size_t left_ = 0;
};

}  // namespace scidfs::fs
