#include "fs/pages/comment_marks.h"

#include <gtest/gtest.h>

#include <string_view>

namespace scidfs::fs {
namespace {

TEST(CommentMarks, AreTakenOutOfTheTextAndOtherCommandsStay) {
  struct Case {
    std::string_view comment, text, marks;
  };
  constexpr Case kCases[] = {
      {"no marks", "no marks", ""},
      {"[%csl Ga1]", "", "Ga1"},
      {"[%csl Ga1,Rb2][%cal Gd1h5]", "", "Ga1 Rb2 Gd1h5"},
      {"[%cal Gd1h5, Ye2e4] a plan", "a plan", "Gd1h5 Ye2e4"},
      {"before [%csl Ra8] after", "before after", "Ra8"},
      {"before [%csl Ra8]", "before", "Ra8"},
      {"[%clk 0:01:00] [%csl Ca1]", "[%clk 0:01:00]", "Ca1"},
      {"[%eval 0.3]", "[%eval 0.3]", ""},
      {"[%csl Ga9]", "[%csl Ga9]", ""},
      {"[%csl Xa1]", "[%csl Xa1]", ""},
      {"[%csl Ga1h8]", "[%csl Ga1h8]", ""},
      {"[%cal Ga1]", "[%cal Ga1]", ""},
      {"[%csl ]", "", ""},
      {"[%csl Ga1", "[%csl Ga1", ""},
      {"[%c", "[%c", ""},
      {"[%cal", "[%cal", ""},
      {" blanks stay ", " blanks stay ", ""},
  };
  for (const Case& c : kCases) {
    const MarkedComment marked = take_marks(c.comment);
    EXPECT_EQ(marked.text, c.text) << c.comment;
    EXPECT_EQ(marked.marks, c.marks) << c.comment;
  }
}

}  // namespace
}  // namespace scidfs::fs
