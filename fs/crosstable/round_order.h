// The games of an event as they were played.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fs/content/work_budget.h"
#include "fs/database/game_order.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// A round as it sorts: the first numbers in it, "1.2" before "1.10" before "2". What does not begin
// with a number from 1 on is not known, and comes last.
struct RoundNumbers {
  static constexpr std::size_t kNumbers = 4;
  std::array<std::uint32_t, kNumbers> numbers{};  // 0: no more

  static RoundNumbers of(std::string_view round);
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const RoundNumbers&, const RoundNumbers&) = default;
};

// By round and board, then date, then place in the database. `round_of` says how a round is
// written, by the id of its name. Errors: Unavailable if that wants more effort (ten games count as
// the decoding of one); Cancelled.
absl::StatusOr<GameOrder> order_by_round(const GameSet& set,
                                         absl::FunctionRef<std::string(std::uint32_t id)> round_of,
                                         const WorkBudget& budget);

}  // namespace scidfs::fs
