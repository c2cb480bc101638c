// What is found about the parts of a set, each by itself, and kept for the version of its database:
// when one of several databases changes, that of the others stays.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/views/set.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Calls add() with a result for each part of a set over several databases that has games, in their
// order: one that cached results keep, or else that of make(). `key` is its answer_key(), or
// begins with that. Errors: those of make().
template <class Result>
absl::Status add_kept_parts(
    const Set& set, std::string_view key, const GameSet& games, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::shared_ptr<const Result>>(const DatabaseGames&)> make,
    absl::FunctionRef<void(std::uint32_t part, const Result&)> add) {
  const Version& version = set.version();
  for (std::uint32_t part = 0; part < version.parts(); ++part) {
    const DatabaseGames& of_part = games[part];
    // `base=` chooses by the path from the folder, which the key does not have: it leaves a part as
    // it is, or without games.
    if (of_part.empty()) continue;
    ASSIGN_OR_RETURN(
        const auto found,
        version.part(part).searches->results.get<Result>(
            fmt::format("{}:part:{}", set.owner_of_part(part, set.is_sum_of_parts()), key), budget,
            [&] { return make(of_part); }));
    add(part, *found);
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
