// Classes of endings, by what the sides have besides their kings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace scidfs::codec {

// A class of positions. Either color may have the pieces of either side. No position belongs to two
// classes. A plain value.
struct EndingClass {
  enum class Bishops : std::uint8_t { OfAnyColor, OfOneColor, OfOppositeColors };

  std::string_view name;                   // of a directory, and in tables
  std::array<std::string_view, 2> pieces;  // of each side, without king and pawns, as in "RB"
  bool has_pawns = true;                   // whether at least one side has pawns
  Bishops bishops = Bishops::OfAnyColor;   // the squares of the only bishops of the sides
};

// Positions in this table are part of inode numbers: a new class comes last.
inline constexpr auto kEndingClasses = std::to_array<EndingClass>({
    {"pawn", {"", ""}},
    {"knight-v-pawns", {"N", ""}},
    {"bishop-v-pawns", {"B", ""}},
    {"two-knights-v-pawns", {"NN", ""}},
    {"rook-v-pawns", {"R", ""}},
    {"queen-v-pawns", {"Q", ""}},
    {"knight", {"N", "N"}},
    {"bishop-v-knight", {"B", "N"}},
    {"bishop-one-color", {"B", "B"}, true, EndingClass::Bishops::OfOneColor},
    {"bishop-opposite-colors", {"B", "B"}, true, EndingClass::Bishops::OfOppositeColors},
    {"two-bishops-v-knight", {"BB", "N"}},
    {"two-bishops-v-bishop", {"BB", "B"}},
    {"two-bishops-v-two-knights", {"BB", "NN"}},
    {"two-bishops-v-bishop-knight", {"BB", "BN"}},
    {"two-bishops", {"BB", "BB"}},
    {"bishop-knight", {"BN", "BN"}},
    {"rook-v-knight", {"R", "N"}},
    {"rook-v-bishop", {"R", "B"}},
    {"rook-v-two-knights", {"R", "NN"}},
    {"rook-v-bishop-knight", {"R", "BN"}},
    {"rook-v-two-bishops", {"R", "BB"}},
    {"rook", {"R", "R"}},
    {"rook-knight-v-rook", {"RN", "R"}},
    {"rook-bishop-v-rook", {"RB", "R"}},
    {"rook-knight", {"RN", "RN"}},
    {"rook-bishop-v-rook-knight", {"RB", "RN"}},
    {"rook-bishop-one-color", {"RB", "RB"}, true, EndingClass::Bishops::OfOneColor},
    {"rook-bishop-opposite-colors", {"RB", "RB"}, true, EndingClass::Bishops::OfOppositeColors},
    {"two-rooks-v-rook-knight", {"RR", "RN"}},
    {"two-rooks-v-rook-bishop", {"RR", "RB"}},
    {"two-rooks", {"RR", "RR"}},
    {"queen-v-knight", {"Q", "N"}},
    {"queen-v-bishop", {"Q", "B"}},
    {"queen-v-two-knights", {"Q", "NN"}},
    {"queen-v-bishop-knight", {"Q", "BN"}},
    {"queen-v-two-bishops", {"Q", "BB"}},
    {"queen-v-rook", {"Q", "R"}},
    {"queen-v-rook-knight", {"Q", "RN"}},
    {"queen-v-rook-bishop", {"Q", "RB"}},
    {"queen-v-two-rooks", {"Q", "RR"}},
    {"queen", {"Q", "Q"}},
    {"queen-knight", {"QN", "QN"}},
    {"queen-bishop-v-queen-knight", {"QB", "QN"}},
    {"queen-bishop-one-color", {"QB", "QB"}, true, EndingClass::Bishops::OfOneColor},
    {"queen-bishop-opposite-colors", {"QB", "QB"}, true, EndingClass::Bishops::OfOppositeColors},
    {"queen-rook", {"QR", "QR"}},
    {"two-knights-v-king", {"NN", ""}, false},
    {"bishop-knight-v-king", {"BN", ""}, false},
    {"two-bishops-v-king", {"BB", ""}, false},
    {"rook-v-king", {"R", ""}, false},
    {"queen-v-king", {"Q", ""}, false},
    {"pawnless-rook-v-knight", {"R", "N"}, false},
    {"pawnless-rook-v-bishop", {"R", "B"}, false},
    {"pawnless-rook", {"R", "R"}, false},
    {"pawnless-rook-knight-v-rook", {"RN", "R"}, false},
    {"pawnless-rook-bishop-v-rook", {"RB", "R"}, false},
    {"pawnless-queen-v-rook", {"Q", "R"}, false},
    {"pawnless-queen", {"Q", "Q"}, false},
});

// The number of a class in this table.
using EndingNumber = std::uint8_t;
inline constexpr EndingNumber kNoEnding = 0xFF;
inline constexpr std::size_t kEndings = kEndingClasses.size();
static_assert(kEndings <= 64);  // so that a word has a bit for each class

}  // namespace scidfs::codec
