// Games as their files in fens/ show them: boards, moves, damage. All that the oracle of questions
// about moves knows of chess is here; it shares no code with the searches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/game_notes.h"

namespace scidfs::tests {

constexpr std::size_t kBoardWidth = 8;
constexpr std::size_t kBoardSquares = kBoardWidth * kBoardWidth;

// Letters as in a FEN, a blank for an empty square; a1, b1, ..., h8.
using MenOnBoard = std::array<char, kBoardSquares>;

MenOnBoard men_of(std::string_view fen);
// The first field of a FEN, with `-` for slashes.
std::string board_name(const MenOnBoard& men);
std::string name_of_square(std::size_t square);

// A move of a game, from its SAN and from the boards around it.
struct PlayedMove {
  enum class Kind : std::uint8_t { None, Usual, Short, Long, Null };

  Kind kind = Kind::None;  // None: the game ends here
  char man = ' ';          // a capital letter; `P` also if it promotes
  std::size_t from = 0;
  std::size_t to = 0;
  bool takes = false;
  char promotion = ' ';
};

// How many men of each kind of MenCounts::kLetters stand on a board.
class MenCounts {
 public:
  static constexpr std::string_view kLetters = "KQRBNPkqrbnp";

  MenCounts() = default;
  explicit MenCounts(const MenOnBoard& men);
  unsigned operator[](char letter) const { return counts_[kLetters.find(letter)]; }

 private:
  std::array<std::uint8_t, kLetters.size()> counts_{};
};

struct GamePly {
  std::string_view line;    // of the file, with its line end
  std::string_view fields;  // the first four fields of a FEN
  std::string_view san;     // with check marks; empty: none
  MenOnBoard men;
  MenCounts counts;
  bool is_white_to_move = true;
  PlayedMove move;
};

// A game; its plies are views of `epd`.
struct GamePlies {
  GamePlies(unsigned game_number, std::string text);
  GamePlies(const GamePlies&) = delete;
  GamePlies& operator=(const GamePlies&) = delete;

  unsigned number;
  std::string epd;
  std::vector<GamePly> plies;  // the last one has no move
  bool is_damaged = false;     // after the last position
  GameNotes notes;             // of its PGN, if the test reads that
};

}  // namespace scidfs::tests
