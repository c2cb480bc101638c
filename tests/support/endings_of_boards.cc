#include "tests/support/endings_of_boards.h"

#include <algorithm>
#include <array>

#include "codec/ending_classes.h"

namespace scidfs::tests {
namespace {

using codec::EndingClass;

std::string sorted(std::string_view letters) {
  std::string text(letters);
  std::ranges::sort(text);
  return text;
}

bool has_bishops(const EndingClass& ending, const std::vector<int>& colors) {
  using Bishops = EndingClass::Bishops;
  if (ending.bishops == Bishops::OfAnyColor) return true;
  return (colors.at(0) == colors.at(1)) == (ending.bishops == Bishops::OfOneColor);
}

}  // namespace

std::string_view ending_of_board(std::string_view board) {
  constexpr std::size_t kMost = 2;
  std::array<std::string, 2> sides;
  std::vector<int> bishops;  // the colors of their squares
  bool has_pawns = false;
  int square = 0;  // from a8 on
  for (const char c : board) {
    if (c == '/') continue;
    if (c >= '1' && c <= '8') {
      square += c - '0';
      continue;
    }
    const bool is_white = c < 'a';
    const char letter = is_white ? c : static_cast<char>(c - 'a' + 'A');
    if (letter == 'B') bishops.push_back((square % 8 + square / 8) % 2);
    if (letter == 'P') {
      has_pawns = true;
    } else if (letter != 'K') {
      sides[is_white ? 0 : 1] += letter;
    }
    ++square;
  }
  if (sides[0].size() > kMost || sides[1].size() > kMost) return "";
  for (std::string& side : sides) side = sorted(side);
  for (const EndingClass& ending : codec::kEndingClasses) {
    const std::array<std::string, 2> wanted = {sorted(ending.pieces[0]), sorted(ending.pieces[1])};
    const bool has_pieces = sides == wanted || (sides[0] == wanted[1] && sides[1] == wanted[0]);
    if (has_pieces && has_pawns == ending.has_pawns && has_bishops(ending, bishops)) {
      return ending.name;
    }
  }
  return "";
}

Endings endings_of_boards(const std::vector<std::string>& boards) {
  Endings endings;
  std::string_view last;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const std::string_view here = ending_of_board(boards[i]);
    if (!here.empty() && here == last) {
      endings.try_emplace(std::string(here), static_cast<std::uint32_t>(boards.size() - i));
    }
    last = here;
  }
  return endings;
}

}  // namespace scidfs::tests
