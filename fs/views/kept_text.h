// Files of sets whose text the cached results of a mount keep.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens a file whose bytes are make(games) for the games of a set. The file shares them with the
// cached results. Large ones have no room there, and live as long as the file. `name` tells the
// file from others of the set. Errors: those of the set's games and of `make`.
absl::StatusOr<std::unique_ptr<Content>> open_kept_text(
    const Set& set, std::string_view name, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::string>(const GameSet& games)> make);

// Opens a file with bytes that a cached result holds.
std::unique_ptr<Content> shared_text(std::shared_ptr<const std::string> bytes);

}  // namespace scidfs::fs
