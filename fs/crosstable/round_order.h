// The games of an event in the order of play.
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

// A round as a sort key: the first numbers in its text, "1.2" before "1.10" before "2". A text that
// does not begin with a number from 1 on is an unknown round, which comes last.
struct RoundNumbers {
  static constexpr std::size_t kNumbers = 4;
  std::array<std::uint32_t, kNumbers> numbers{};  // 0: no more

  static RoundNumbers of(std::string_view round);
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const RoundNumbers&, const RoundNumbers&) = default;
};

// Returns the games by round and board, then date, then their place in the set. `round_of` returns
// the text of a round of a part by the id of its name. Errors: Unavailable if that exceeds the
// budget (ten games count as the decoding of one); Cancelled; Unimplemented if the databases have
// more games than there are numbers.
absl::StatusOr<GameOrder> order_by_round(
    const GameSet& sets,
    absl::FunctionRef<std::string(std::size_t part, std::uint32_t id)> round_of,
    const WorkBudget& budget);

}  // namespace scidfs::fs
