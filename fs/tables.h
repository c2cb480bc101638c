// The text files about a database: info.txt, index.tsv, errors.tsv.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>

#include "fs/content.h"
#include "fs/database.h"
#include "fs/game_list.h"

namespace scidfs::fs {

// `key: value` lines: what the database is, counts, dates, custom flags, health.
std::string info_text(const Database& database);

// One line for each game of `list` from index and names alone; a header line first. `directory` is
// where the games of the list lie ("games" or "deleted"). Lines are made when they are read.
std::unique_ptr<Content> open_index_table(std::shared_ptr<const Database> database, GameList list,
                                          std::string_view directory);

// The damaged games: number, byte in the game file, reason. Unavailable until all games have been
// looked at.
absl::StatusOr<std::string> errors_text(const Database& database);

}  // namespace scidfs::fs
