#include "fs/pages/board_svg.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Piece;
using codec::Position;

constexpr int kSquare = 45;  // units
constexpr int kSide = 8;     // squares
constexpr int kBoard = kSide * kSquare;

// Outlines of the pieces on a square, by PieceType.
constexpr std::array<std::string_view, codec::kPieceTypes> kOutlines = {
    "M21 6h3v3h3v3h-3v4c2-2 5-3 7.5-3 5.5 0 8 5.5 5 10.5L32 31l1 4v3H12v-3l1-4-4.5-7.5c-3-5 "
    "-.5-10.5 5-10.5 2.5 0 5.5 1 7.5 3v-4h-3V9h3z",
    "M9 12.5a2.2 2.2 0 1 1 1.7 1.6L15 23l1.7-12.3a2.2 2.2 0 1 1 2 0L22.5 "
    "22l3.8-11.3a2.2 2.2 0 1 1 2 0L30 23l4.3-8.9A2.2 2.2 0 1 1 36 12.5L33 31l1.5 "
    "4v3h-24v-3l1.5-4z",
    "M11 8h5v3.5h4V8h5v3.5h4V8h5v9l-4 3v11l3 3.5V38H12v-3.5l3-3.5V20l-4-3z",
    "M22.5 5a2.8 2.8 0 0 1 2 4.8c4.5 3 7.5 7.2 7.5 12 0 3.2-1.4 5.4-3.8 7l1.5 "
    "5.2h4V38H11.3v-4h4l1.5-5.2c-2.4-1.6-3.8-3.8-3.8-7 0-4.8 3-9 7.5-12A2.8 2.8 0 "
    "0 1 22.5 5z",
    "M20 7l3.5 4c7.5 1 11.5 8 11.5 27H14c0-8 7-9.5 7.5-15.5-3 2.5-6 2-8.5 5.5l-4-1.5-1-4.5 "
    "4.5-8c1-3 4-4.5 6.5-4.5z",
    "M22.5 10a5 5 0 0 1 3.3 8.8c2.8 1.5 4.2 4 4.2 6.7h-3.2c1 4.5 4 6.5 6.2 9V38H12v-3.5c2.2-2.5 "
    "5.2-4.5 6.2-9H15c0-2.7 1.4-5.2 4.2-6.7A5 5 0 0 1 22.5 10z"};

constexpr std::string_view kLetters = "KQRBNP";  // by PieceType

char letter_of(Piece piece) { return kLetters[static_cast<std::size_t>(piece.type)]; }

char letter_of(Color color) { return color == Color::White ? 'w' : 'b'; }

// Returns the dark squares as one path.
std::string dark_squares() {
  std::string path;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 1 - row % 2; column < kSide; column += 2) {
      path += fmt::format("M{} {}h{}v{}h-{}z", column * kSquare, row * kSquare, kSquare, kSquare,
                          kSquare);
    }
  }
  return path;
}

// Visits the squares row by row from the upper left corner of the picture.
template <class Visit>
void for_each_square(const Position& position, Color seen_from, const Visit& visit) {
  const bool is_turned = seen_from == Color::Black;
  for (int row = 0; row < kSide; ++row) {
    for (int column = 0; column < kSide; ++column) {
      const int file = is_turned ? kSide - 1 - column : column;
      const int rank = is_turned ? row : kSide - 1 - row;
      visit(column, row, position.piece_at(codec::make_square(file, rank)));
    }
  }
}

// Returns definitions of the pieces that the position has, for <use>.
std::string definitions(const Position& position) {
  std::string text;
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t type = 0; type < kOutlines.size(); ++type) {
      if (position.pieces(color, static_cast<codec::PieceType>(type)) == 0) continue;
      text += fmt::format(
          "<path id=\"{}{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.4\" "
          "stroke-linejoin=\"round\" d=\"{}\"/>\n",
          letter_of(color), kLetters[type], color == Color::White ? "#fff" : "#222",
          color == Color::White ? "#222" : "#eee", kOutlines[type]);
    }
  }
  return text;
}

// Visits the letters of the files and the numbers of the ranks, in the corners of squares.
template <class Visit>
void for_each_coordinate(Color seen_from, const Visit& visit) {
  const bool is_turned = seen_from == Color::Black;
  for (int i = 0; i < kSide; ++i) {
    const int file = is_turned ? kSide - 1 - i : i;
    const int rank = is_turned ? i : kSide - 1 - i;
    visit(i * kSquare + kSquare - 8, kBoard - 3, static_cast<char>('a' + file));
    visit(2, i * kSquare + 11, static_cast<char>('1' + rank));
  }
}

std::string coordinates(Color seen_from) {
  std::string text;
  for_each_coordinate(seen_from, [&](int x, int y, char sign) {
    text += fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", x, y, sign);
  });
  return text;
}

}  // namespace

std::string pieces_in_words(const Position& position) {
  std::array<std::string, 2> pieces;
  for (const char letter : kLetters) {
    for_each_square(position, Color::White, [&](int column, int row, Piece piece) {
      if (piece.empty() || letter_of(piece) != letter) return;
      pieces[static_cast<std::size_t>(piece.color)] += fmt::format(
          " {}{}{}", letter, static_cast<char>('a' + column), static_cast<char>('0' + kSide - row));
    });
  }
  return fmt::format("White:{}; Black:{}; {}", pieces[0], pieces[1], side_to_move(position));
}

std::string_view side_to_move(const Position& position) {
  return position.side_to_move() == Color::White ? "White to move" : "Black to move";
}

void add_board(const Position& position, Html& html) {
  const Html::Scope svg = html.in("svg", {{"id", "board"},
                                          {"class", "board"},
                                          {"viewBox", "0 0 360 360"},
                                          {"role", "img"},
                                          {"aria-label", pieces_in_words(position)}});
  {
    const Html::Scope defs = html.in("defs");
    for (const Color color : {Color::White, Color::Black}) {
      for (std::size_t type = 0; type < kOutlines.size(); ++type) {
        html.add("path", "",
                 {{"id", fmt::format("{}{}", letter_of(color), kLetters[type])},
                  {"class", color == Color::White ? "white" : "black"},
                  {"d", kOutlines[type]}});
      }
    }
  }
  html.add("rect", "", {{"class", "light"}, {"width", "360"}, {"height", "360"}});
  html.add("path", "", {{"class", "dark"}, {"d", dark_squares()}});
  html.add("g", "", {{"id", "squares"}});
  for (const Color side : {Color::White, Color::Black}) {
    const Html::Scope group =
        html.in("g", {{"class", side == Color::White ? "from-white" : "from-black"}});
    for_each_coordinate(side, [&](int x, int y, char sign) {
      html.add("text", std::string_view(&sign, 1),
               {{"x", static_cast<std::uint64_t>(x)}, {"y", static_cast<std::uint64_t>(y)}});
    });
  }
  {
    const Html::Scope men = html.in("g", {{"id", "men"}});
    for_each_square(position, Color::White, [&](int column, int row, Piece piece) {
      if (piece.empty()) return;
      const std::string id = fmt::format("{}{}", letter_of(piece.color), letter_of(piece));
      html.add("use", "",
               {Attribute::href(Link::to_element(id)),
                {"x", static_cast<std::uint64_t>(column * kSquare)},
                {"y", static_cast<std::uint64_t>(row * kSquare)}});
    });
  }
  html.add("g", "", {{"id", "arrows"}});
}

std::string board_svg(const Position& position, Color seen_from) {
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" "
      "aria-labelledby=\"title\">\n<title id=\"title\">{}</title>\n<defs>\n{}</defs>\n"
      "<path fill=\"#ecebe0\" d=\"M0 0h{}v{}H0z\"/>\n<path fill=\"#8fa37e\" d=\"{}\"/>\n"
      "<g font-family=\"sans-serif\" font-size=\"10\" fill=\"#2b3425\">\n{}</g>\n",
      kBoard, kBoard, pieces_in_words(position), definitions(position), kBoard, kBoard,
      dark_squares(), coordinates(seen_from));
  for_each_square(position, seen_from, [&](int column, int row, Piece piece) {
    if (piece.empty()) return;
    text += fmt::format("<use href=\"#{}{}\" x=\"{}\" y=\"{}\"/>\n", letter_of(piece.color),
                        letter_of(piece), column * kSquare, row * kSquare);
  });
  return text + "</svg>\n";
}

}  // namespace scidfs::fs
