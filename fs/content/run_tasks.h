// Tasks that several threads share within a budget.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstddef>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Calls run(worker, task) for tasks 0 .. count-1, on at most `workers` threads. Each thread has its
// own number below that. Returns Cancelled when the budget is cancelled, which is checked before
// each task. The first failure of a task ends all.
absl::Status run_tasks(std::size_t count, std::size_t workers, const WorkBudget& budget,
                       absl::FunctionRef<absl::Status(std::size_t worker, std::size_t task)> run);

}  // namespace scidfs::fs
