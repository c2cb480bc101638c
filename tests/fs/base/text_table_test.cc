#include "fs/base/text_table.h"

#include <gtest/gtest.h>

namespace scidfs::fs {
namespace {

TEST(Clip, CutsAtColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("Élő½"), 4U);
  EXPECT_EQ(clip("Élő", 3), "Élő");
  EXPECT_EQ(clip("Élőbb", 4), "Élő…");
  EXPECT_EQ(clip("ab", 1), "…");
  EXPECT_EQ(clip("", 5), "");
  // Wide characters, which are never cut in half.
  EXPECT_EQ(clip("丁立人", 6), "丁立人");
  EXPECT_EQ(clip("丁立人", 5), "丁立…");
  EXPECT_EQ(clip("丁立人", 4), "丁…");
  // A combining accent stays with its letter.
  EXPECT_EQ(clip("E\u0301lo", 3), "E\u0301lo");
  EXPECT_EQ(clip("E\u0301lo", 2), "E\u0301…");
}

TEST(TextTable, AlignsByCharacters) {
  TextTable table;
  table.add_column("#", TextTable::Align::Right);
  table.add_column("Name", TextTable::Align::Left);
  table.add_column("P", TextTable::Align::Right, 1);
  table.add_column("", TextTable::Align::Left);
  for (const char* cell : {"9", "Élő", "½", "x", "10", "Smith", "10½", ""}) table.add(cell);
  std::string out = "before\n";
  table.write(out);
  EXPECT_EQ(out,
            "before\n"
            " #  Name    P\n"
            " 9  Élő     ½  x\n"
            "10  Smith 10½\n");
}

TEST(TextTable, AlignsWideAndCombiningCharacters) {
  TextTable table;
  table.add_column("Name", TextTable::Align::Left);
  table.add_column("games", TextTable::Align::Right);
  for (const char* cell : {"丁立人", "7", "E\u0301lo\u030B", "10", "Ｗｅｉ", "丁", "นิ้ว", "1"}) {
    table.add(cell);
  }
  std::string out;
  table.write(out);
  EXPECT_EQ(out,
            "Name    games\n"
            "丁立人      7\n"
            "E\u0301lo\u030B        10\n"
            "Ｗｅｉ     丁\n"
            "นิ้ว          1\n");
}

TEST(TextTable, LevelsColumns) {
  TextTable table;
  for (const char* header : {"a", "bb", "c"}) table.add_column(header, TextTable::Align::Left, 1);
  table.level(0, 2);
  for (const char* cell : {"1", "2", "3"}) table.add(cell);
  std::string out;
  table.write(out);
  EXPECT_EQ(out, "a  bb c\n1  2  3\n");
}

TEST(TextTable, EmptyTableHasNoText) {
  TextTable table;
  std::string out;
  table.write(out);
  EXPECT_EQ(out, "");
  table.add_column("a", TextTable::Align::Left);
  table.write(out);
  EXPECT_EQ(out, "a\n");
}

}  // namespace
}  // namespace scidfs::fs
