// Checks every game of a PGN file.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fs/pgn/pgn_file.h"

namespace scidfs::fs {

struct PgnFindings {
  std::uint64_t games = 0;           // that can be read
  std::uint64_t damaged = 0;         // games that are not read as they are written
  std::uint64_t remarks = 0;         // about these, and about what stands between games
  std::vector<std::string> first{};  // of the remarks: "line 7: game 1: ..."
  std::string failure{};             // why the rest cannot be read; empty if there is no rest
};

// Reads all games on `threads` threads (0: one for each processor), and keeps the first
// `most_lines` remarks. One thread at a time calls `done` with the bytes of the file that were read
// since the last call.
PgnFindings check_pgn(const PgnFile& file, unsigned threads, std::size_t most_lines,
                      absl::FunctionRef<void(std::uint64_t bytes)> done);

}  // namespace scidfs::fs
