#include "tests/mounted/game_plies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace scidfs::tests {
namespace {

constexpr std::string_view kCheckMarks = "+#";

// The operand of an operation of a line of EPD; empty if there is none.
std::string_view epd_operand(std::string_view line, std::string_view operation) {
  const std::size_t at = line.find(operation);
  if (at == std::string_view::npos) return "";
  line.remove_prefix(at + operation.size());
  return line.substr(0, line.find(';'));
}

// The length of the first four fields.
std::size_t length_of_fields(std::string_view line) {
  std::size_t end = 0;
  for (int field = 0; field < 4; ++field) end = line.find(' ', end + 1);
  return end;
}

bool is_of(char man, bool white) { return man != ' ' && (man < 'a') == white; }

// The move that makes one position of the next.
PlayedMove move_of(const GamePly& ply, const GamePly& next) {
  std::string_view san = ply.san;
  if (san == "--") return {.kind = PlayedMove::Kind::Null};
  san = san.substr(0, san.find_first_of(kCheckMarks));
  if (san == "O-O") return {.kind = PlayedMove::Kind::Short, .man = 'K'};
  if (san == "O-O-O") return {.kind = PlayedMove::Kind::Long, .man = 'K'};
  PlayedMove move{.kind = PlayedMove::Kind::Usual, .man = san[0] < 'a' ? san[0] : 'P'};
  move.takes = san.find('x') != std::string_view::npos;
  const std::size_t equals = san.find('=');
  if (equals != std::string_view::npos) move.promotion = san[equals + 1];
  san = san.substr(0, equals);
  const std::string_view to = san.substr(san.size() - 2);
  move.to =
      static_cast<std::size_t>(to[1] - '1') * kBoardWidth + static_cast<std::size_t>(to[0] - 'a');
  const char man = ply.is_white_to_move ? move.man : static_cast<char>(move.man - 'A' + 'a');
  std::size_t left = 0;
  for (std::size_t square = 0; square < kBoardSquares; ++square) {
    if (ply.men[square] != man || next.men[square] == man) continue;
    move.from = square;
    ++left;
  }
  EXPECT_EQ(left, 1U) << ply.line << next.line;
  EXPECT_TRUE(is_of(next.men[move.to], ply.is_white_to_move)) << ply.line << next.line;
  return move;
}

}  // namespace

MenCounts::MenCounts(const MenOnBoard& men) {
  for (const char man : men) {
    if (man != ' ') ++counts_.at(kLetters.find(man));
  }
}

MenOnBoard men_of(std::string_view fen) {
  MenOnBoard men;
  men.fill(' ');
  std::size_t rank = kBoardWidth - 1;
  std::size_t file = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += static_cast<std::size_t>(c - '0');
    } else {
      men.at(rank * kBoardWidth + file++) = c;
    }
  }
  return men;
}

std::string board_name(const MenOnBoard& men) {
  std::string name;
  for (std::size_t rank = kBoardWidth; rank-- > 0;) {
    std::size_t empty = 0;
    const auto end_empty = [&] {
      if (empty != 0) name += std::to_string(empty);
      empty = 0;
    };
    for (std::size_t file = 0; file < kBoardWidth; ++file) {
      const char man = men.at(rank * kBoardWidth + file);
      if (man == ' ') {
        ++empty;
      } else {
        end_empty();
        name += man;
      }
    }
    end_empty();
    if (rank != 0) name += '-';
  }
  return name;
}

std::string name_of_square(std::size_t square) {
  return {static_cast<char>('a' + square % kBoardWidth),
          static_cast<char>('1' + square / kBoardWidth)};
}

GamePlies::GamePlies(unsigned game_number, std::string text)
    : number(game_number), epd(std::move(text)) {
  std::string_view rest = epd;
  while (!rest.empty()) {
    GamePly ply;
    ply.line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(ply.line.size());
    const std::size_t fields = length_of_fields(ply.line);
    ply.fields = ply.line.substr(0, fields);
    ply.men = men_of(ply.fields);
    ply.counts = MenCounts(ply.men);
    ply.is_white_to_move = ply.fields[ply.fields.find(' ') + 1] == 'w';
    const std::string_view operations = ply.line.substr(fields);
    ply.san = epd_operand(operations, "; sm ");
    if (!epd_operand(operations, "; c2 ").empty()) ply.san = "--";
    is_damaged = !epd_operand(operations, "; c1 ").empty();
    if (!plies.empty()) plies.back().move = move_of(plies.back(), ply);
    plies.push_back(ply);
  }
  // A record that cannot be read at all has no positions.
  is_damaged = is_damaged || plies.empty();
}

}  // namespace scidfs::tests
