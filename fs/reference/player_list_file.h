// The file of FIDE's list of players: read once, then mapped from the cache folder.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <filesystem>
#include <memory>

#include "fs/file/source_file.h"
#include "fs/reference/player_list.h"

namespace scidfs::fs {

// Returns the players of a list, as text or in a zip file: its only text, or the only one that
// begins as a list does. Maps the arrays from the cache folder (empty: none) if it has those of
// this file. Otherwise reads the file in blocks, saves the arrays there, and maps them; without a
// folder, or where files cannot be mapped, they are in memory. The ratings are of the month of the
// file's last change; in a zip file, of the text's. Lines that name no player are left out, with
// one warning. Errors: InvalidArgument if the file is no such list, or too large; Cancelled; those
// of SourceFile::read() and of zip_file.h.
absl::StatusOr<std::shared_ptr<const PlayerList>> load_player_list(
    SourceFile file, const std::filesystem::path& folder, absl::FunctionRef<bool()> is_cancelled);

}  // namespace scidfs::fs
