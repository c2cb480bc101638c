// tree/ and positions/ of a set: the games that come to a position, by names that users compose.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/effort.h"
#include "fs/sets/opening_tree.h"
#include "fs/sets/questions.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// tree/ of the set whose directory is `set`: the position in which games begin.
std::optional<Child> find_tree(const Version& version, Place set);

// positions/ of a set: lists README.txt; a name of a position (codec/position_goal.h) answers. What
// looks like one and is none is noted among the refusals.
absl::Status list_positions(Place set, std::uint64_t first, EmitChild emit);
std::optional<Child> find_in_positions(const Version& version, Place set, std::string_view name);
// positions/README.txt.
std::string positions_help();

// A further move after a line. REQUIRES for all below: question.line != nullptr.
std::optional<Child> find_move(const Version& version, const Question& question,
                               std::string_view name);

// The tree that the line is part of, counted if that has not been done yet; `all` are the games of
// the set that the tree belongs to. Errors: as OpeningTree::make(), and those of `all`.
absl::StatusOr<std::shared_ptr<const OpeningTree>> tree_of(
    const Version& version, const Question& question, const Effort& effort,
    absl::FunctionRef<absl::StatusOr<GameSet>()> all);
// The table of the line's last position: that of the tree, if it has been counted and has it; else
// made of `here`, the games that come to the position. Errors: as moves_played(), and those of
// `here`.
absl::StatusOr<std::shared_ptr<const MoveTable>> table_of(
    const Version& version, const Question& question, const Effort& effort,
    absl::FunctionRef<absl::StatusOr<GameSet>()> here);

}  // namespace scidfs::fs
