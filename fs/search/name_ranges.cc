#include "fs/search/name_ranges.h"

#include <algorithm>
#include <atomic>

#include "fs/base/parallel.h"

namespace scidfs::fs {
namespace {

constexpr std::uint32_t kNamesOfRange = 1U << 14;

}  // namespace

std::size_t count_name_ranges(std::uint32_t count) {
  return (std::size_t{count} + kNamesOfRange - 1) / kNamesOfRange;
}

absl::Status visit_name_ranges(
    std::uint32_t count, const WorkBudget& budget,
    absl::FunctionRef<void(std::size_t number, std::uint32_t first, std::uint32_t end)> visit) {
  const std::size_t ranges = count_name_ranges(count);
  std::atomic<bool> is_cancelled = false;
  run_parallel(ranges, budget.is_unlimited() ? thread_count(0, ranges) : 1,
               [&](std::size_t number) {
                 if (is_cancelled || budget.is_cancelled()) {
                   is_cancelled = true;
                   return;
                 }
                 const auto first = static_cast<std::uint32_t>(number * kNamesOfRange);
                 visit(number, first, std::min(first + kNamesOfRange, count));
               });
  return is_cancelled ? WorkBudget::cancelled() : absl::OkStatus();
}

}  // namespace scidfs::fs
