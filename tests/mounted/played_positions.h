// Reads from fens/ of a set which games reached a position, and which moves they played there. The
// oracle of positions/, independent of the code that searches games.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/mounted/index_table.h"

namespace scidfs::tests {

// A line of a file in fens/.
struct EpdLine {
  std::string_view fields;  // the first four fields of a FEN
  std::string_view board;   // the first two of these
  std::string_view move;    // SAN without check marks; empty: the game ends here
};

// All lines of a file; they are views of the text.
std::vector<EpdLine> epd_lines(std::string_view text);

// The parts of a position besides its board that count: castling rights, and legal en passant.
std::string rights_of(std::string_view fields);

// A game that reaches a position, and its next move there; empty if it ends.
struct PlayedGame {
  const IndexLine* line = nullptr;
  std::string san;
  std::string uci;
};

// A set of games on a mount. Its index.tsv may have been read already.
struct PlayedSet {
  std::filesystem::path directory;  // of the set
  const IndexTable* index = nullptr;

  // The file in fens/ of a game.
  std::string epd(const IndexLine& line) const;
};

// Counts the games of positions that were added before.
class PlayedPositions {
 public:
  // A FEN with blanks and slashes: two fields, or four and more, of which the first four count.
  void add(const std::string& fen);
  // Reads all of fens/ once.
  void count(const PlayedSet& set);
  // In the order of index.tsv. REQUIRES: added and counted.
  const std::vector<PlayedGame>& games(const std::string& fen) const;

 private:
  struct Wanted {
    bool with_rights = false;
    std::string rights;
    std::vector<PlayedGame> games;
  };
  struct Hit;

  std::vector<Hit> hits_in(const PlayedSet& set, std::size_t begin, std::size_t end) const;

  std::map<std::string, Wanted> positions_;  // by FEN
  std::unordered_map<std::string_view, std::vector<Wanted*>> by_board_;
};

// moves.tsv of these games. `fen` is that of their position.
std::string moves_table(const std::vector<PlayedGame>& games, std::string_view fen);

// The name in positions/ of a FEN.
std::string position_directory(std::string_view fen);

}  // namespace scidfs::tests
