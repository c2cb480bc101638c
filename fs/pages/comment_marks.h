// Marks on the board that programs keep in comments: `[%csl Ga1,Rb2]` colors squares, and `[%cal
// Gd1h5]` draws arrows.
#pragma once

#include <string>
#include <string_view>

namespace scidfs::fs {

// A comment without its marks, and these.
struct MarkedComment {
  std::string text;
  std::string marks;  // "Ga1 Rb2 Gd1h5"; empty: none
};

// Takes the marks out of a comment, with the blanks that would be left at its ends. Commands of
// another form stay text: a color is one of B, C, G, O, R and Y, followed by one or two squares.
MarkedComment take_marks(std::string_view comment);

}  // namespace scidfs::fs
