#include "fs/pages/board_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/random_game.h"
#include "tests/support/xml_check.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using testing::HasSubstr;
using testing::Not;
using tests::ParsedXml;
using tests::XmlElement;

Position board_of(std::string_view fen) {
  const auto position = Position::from_fen(fen);
  EXPECT_TRUE(position.ok()) << fen << ": " << position.status();
  return position.value_or(Position());
}

std::string attribute(const XmlElement& element, std::string_view name) {
  for (const auto& [key, value] : element.attributes) {
    if (key == name) return value;
  }
  return "";
}

// The pieces of a picture: "bK 180 0" is a black king whose square begins at 180, 0.
std::vector<std::string> pieces_in(const ParsedXml& picture) {
  std::vector<std::string> pieces;
  for (const XmlElement& element : picture.elements) {
    if (element.name != "use") continue;
    pieces.push_back(attribute(element, "href").substr(1) + ' ' + attribute(element, "x") + ' ' +
                     attribute(element, "y"));
  }
  return pieces;
}

// What the elements of a name say together.
std::string texts_of(const ParsedXml& picture, std::string_view name) {
  std::string texts;
  for (const XmlElement& element : picture.elements) {
    if (element.name == name) texts += element.text;
  }
  return texts;
}

TEST(BoardSvg, ShowsThePiecesFromEitherSide) {
  struct Case {
    const char* fen;
    const char* title;
    std::vector<std::string> from_white;
    std::vector<std::string> from_black;
  };
  const Case cases[] = {
      {"4k3/8/8/8/8/8/P7/4K3 b - - 0 1",
       "White: Ke1 Pa2; Black: Ke8; Black to move",
       {"bK 180 0", "wP 0 270", "wK 180 315"},
       {"wK 135 0", "wP 315 45", "bK 135 315"}},
      {"7k/8/8/8/8/8/8/K7 w - - 0 1",
       "White: Ka1; Black: Kh8; White to move",
       {"bK 315 0", "wK 0 315"},
       {"wK 315 0", "bK 0 315"}},
      {"r2qk3/8/8/8/8/8/6b1/2N1K2R w - - 0 1",
       "White: Ke1 Rh1 Nc1; Black: Ke8 Qd8 Ra8 Bg2; White to move",
       {"bR 0 0", "bQ 135 0", "bK 180 0", "bB 270 270", "wN 90 315", "wK 180 315", "wR 315 315"},
       {"wR 0 0", "wK 135 0", "wN 225 0", "bB 45 45", "bK 135 315", "bQ 180 315", "bR 315 315"}},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.fen);
    const ParsedXml white = tests::parse_xml(board_svg(board_of(test.fen), Color::White));
    const ParsedXml black = tests::parse_xml(board_svg(board_of(test.fen), Color::Black));
    EXPECT_EQ(pieces_in(white), test.from_white);
    EXPECT_EQ(pieces_in(black), test.from_black);
    EXPECT_EQ(texts_of(white, "title"), test.title);
    EXPECT_EQ(texts_of(black, "title"), test.title);
  }
}

TEST(BoardSvg, NamesFilesAndRanks) {
  const ParsedXml white = tests::parse_xml(board_svg(Position(), Color::White));
  const ParsedXml black = tests::parse_xml(board_svg(Position(), Color::Black));
  EXPECT_EQ(texts_of(white, "text"), "a8b7c6d5e4f3g2h1");
  EXPECT_EQ(texts_of(black, "text"), "h1g2f3e4d5c6b7a8");
  EXPECT_EQ(texts_of(white, "title"),
            "White: Ke1 Qd1 Ra1 Rh1 Bc1 Bf1 Nb1 Ng1 Pa2 Pb2 Pc2 Pd2 Pe2 Pf2 Pg2 Ph2; "
            "Black: Ke8 Qd8 Ra8 Rh8 Bc8 Bf8 Nb8 Ng8 Pa7 Pb7 Pc7 Pd7 Pe7 Pf7 Pg7 Ph7; "
            "White to move");
}

// The luminance of a color "#123456" (WCAG 2).
double luminance_of(const std::string& color) {
  constexpr std::array<double, 3> kWeights = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (std::size_t i = 0; i < kWeights.size(); ++i) {
    const double part = std::stoi(color.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += kWeights[i] * (part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4));
  }
  return sum;
}

TEST(BoardSvg, FilesAndRanksStandOutFromTheirSquares) {
  constexpr double kLeastContrast = 4.5;  // WCAG 2, 1.4.3
  const ParsedXml picture = tests::parse_xml(board_svg(Position(), Color::White));
  std::vector<double> squares;
  double names = 1;
  for (const XmlElement& element : picture.elements) {
    const std::string fill = attribute(element, "fill");
    if (element.name == "path" && attribute(element, "id").empty()) {
      squares.push_back(luminance_of(fill));
    } else if (element.name == "g") {
      names = luminance_of(fill);
    }
  }
  ASSERT_EQ(squares.size(), 2U);
  for (const double square : squares) {
    EXPECT_GE((square + 0.05) / (names + 0.05), kLeastContrast);
  }
}

// Anything that can stand on a board, from both sides.
TEST(BoardSvg, IsWholeAndRefersToNothingElse) {
  tests::Random random(1);
  std::vector<std::string> fens = tests::example_fens();
  for (int i = 0; i < 100; ++i) fens.push_back(tests::random_fen(random));
  for (const std::string& fen : fens) {
    const Position position = board_of(fen);
    for (const Color side : {Color::White, Color::Black}) {
      SCOPED_TRACE(fen);
      const std::string text = board_svg(position, side);
      const ParsedXml picture = tests::parse_xml(text);
      ASSERT_EQ(picture.fault, "");
      EXPECT_EQ(picture.elements[0].name, "svg");
      EXPECT_EQ(attribute(picture.elements[0], "xmlns"), "http://www.w3.org/2000/svg");
      EXPECT_EQ(attribute(picture.elements[0], "role"), "img");
      EXPECT_EQ(attribute(picture.elements[0], "aria-labelledby"),
                attribute(*picture.find("title"), "id"));
      std::set<std::string> ids;
      std::set<std::string> used;
      for (const XmlElement& element : picture.elements) {
        EXPECT_NE(element.name, "style");
        EXPECT_NE(element.name, "script");
        EXPECT_NE(element.name, "image");
        EXPECT_NE(element.name, "a");
        for (const auto& [key, value] : element.attributes) {
          EXPECT_NE(key, "style");
          EXPECT_FALSE(key.starts_with("on")) << key;
          EXPECT_TRUE(key != "id" || ids.insert(value).second) << value;
          EXPECT_TRUE(key != "href" || value.starts_with('#')) << value;
          EXPECT_TRUE(key == "xmlns" || value.find("//") == std::string::npos) << value;
          if (key == "href") used.insert(value.substr(1));
          EXPECT_THAT(value, Not(HasSubstr("url(")));
        }
      }
      // No definition is missing, and none is there for nothing.
      used.insert("title");
      EXPECT_EQ(used, ids);
      EXPECT_EQ(pieces_in(picture).size(),
                static_cast<std::size_t>(std::popcount(position.occupied())));
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
