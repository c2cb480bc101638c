// Reads what Scid prints, from files and from Scid itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scidfs::tests {

// A game that Scid has read: its PGN, or nothing if Scid called it corrupt.
struct JudgedGame {
  std::uint32_t number = 0;
  std::optional<std::string> pgn;
};

// The `GAME n` blocks of tests/data/scid4/handmade/NAME.expected.txt; none if Scid did not open it.
std::vector<JudgedGame> parse_verdicts(const std::string& text);

// Returns the output of a shell command. Nothing if it fails.
std::optional<std::string> output_of(const std::string& command);

// The path of a program on the PATH or in /usr/games; empty if it is not installed.
std::string find_program(const std::string& name);

// The databases of a folder as paths without extension, e.g. ".../masters"; empty if the folder
// does not exist.
std::vector<std::string> databases_in(const std::string& folder);

}  // namespace scidfs::tests
