// Many names, looked at by several threads.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Names lie in memory in another order than ids, and waiting for them costs most of the time: so
// many ahead a loop asks for one.
inline constexpr std::uint32_t kNamesAhead = 8;

// Returns into how many ranges visit_name_ranges() divides so many ids.
std::size_t count_name_ranges(std::uint32_t count);

// Calls visit(number, first, end) for each range of ids below `count`, 0 to count_name_ranges() -
// 1, on all processors if the budget is unlimited. Errors: Cancelled.
absl::Status visit_name_ranges(
    std::uint32_t count, const WorkBudget& budget,
    absl::FunctionRef<void(std::size_t number, std::uint32_t first, std::uint32_t end)> visit);

}  // namespace scidfs::fs
