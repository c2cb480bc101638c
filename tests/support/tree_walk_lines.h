// Compares tree/ of a database with its fens/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// The moves that games play in positions, counted from files of fens/.
class PlayedInPositions {
 public:
  // Adds the file of one game.
  void add(std::string_view epd);

  // The faults of a moves.tsv of the position with this FEN, one line each.
  std::vector<std::string> faults(std::string_view fen, std::string_view table) const;

 private:
  // Games by their next move; those that end there under "".
  using Moves = std::map<std::string, std::size_t, std::less<>>;
  // By board and side to move.
  std::map<std::string, Moves, std::less<>> positions_;
};

// The FEN in a board.txt; empty if it is missing.
std::string_view fen_of_board(std::string_view board);

}  // namespace scidfs::tests
