// What tree/ of a database says, against its fens/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// What games play in positions, counted from files of fens/.
class PlayedInPositions {
 public:
  // The file of one game.
  void add(std::string_view epd);

  // What is wrong with a moves.tsv of the position with this FEN, a line each.
  std::vector<std::string> faults(std::string_view fen, std::string_view table) const;

 private:
  // Games by the move that they go on with; those that end there under "".
  using Moves = std::map<std::string, std::size_t, std::less<>>;
  // By board and side to move.
  std::map<std::string, Moves, std::less<>> positions_;
};

// The FEN in a board.txt; empty if there is none.
std::string_view fen_of_board(std::string_view board);

}  // namespace scidfs::tests
