// scripts/check-alone: a file includes the headers that it uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scripts/verdict.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kUse = "inline std::string word() { return {}; }\n";

TEST(CheckAlone, FindsHeaderAndSourceThatDependOnEarlierIncludes) {
  const TemporaryFolder folder;
  write_file(folder / "good.h", std::string("#pragma once\n#include <string>\n") + kUse);
  write_file(folder / "bad.h", std::string("#pragma once\n") + kUse);
  write_file(folder / "good.cc",
             "#include \"" + (folder / "good.h").string() + "\"\nconst auto text = word();\n");
  write_file(folder / "bad.cc", "const auto number = std::size_t{1};\n");
  const std::string at = folder.path().string() + "/";
  const Verdict good = verdict_of("check-alone", at + "good.h " + at + "good.cc");
  EXPECT_EQ(good.exit_code, 0) << good.lines;
  const Verdict bad = verdict_of("check-alone", at + "good.h " + at + "bad.h " + at + "bad.cc");
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_THAT(bad.lines, AllOf(HasSubstr("bad.h"), HasSubstr("bad.cc"),
                               HasSubstr("2 do not compile by themselves")));
}

// Files that include the same headers start from one reading of them, whose names other files must
// not find.
TEST(CheckAlone, FindsNoNamesOfHeadersThatOnlyOtherFilesInclude) {
  const TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  std::string includes;
  std::string few;
  for (int i = 10; i < 30; ++i) {
    const std::string number = std::to_string(i);
    write_file(folder / (number + ".h"), "#pragma once\nusing Word" + number + " = int;\n");
    includes += "#include \"" + at + number + ".h\"\n";
    if (i == 19) few = includes;
  }
  write_file(folder / "leaning.h", "#pragma once\nusing Leaning = Word10;\n");
  includes += "#include \"" + at + "leaning.h\"\n";
  std::string files = at + "leaning.h " + at + "bad.cc";
  for (int i = 0; i < 6; ++i) {
    const std::string name = "good" + std::to_string(i) + ".cc";
    write_file(folder / name, includes + "const Leaning number = Word29{1};\n");
    files += " " + at + name;
  }
  write_file(folder / "bad.cc", few + "const auto number = Word29{1};\n");
  const Verdict verdict = verdict_of("check-alone", files);
  EXPECT_EQ(verdict.exit_code, 1);
  EXPECT_THAT(verdict.lines,
              AllOf(HasSubstr("leaning.h"), HasSubstr("bad.cc"), Not(HasSubstr("good")),
                    HasSubstr("9 files, 2 do not compile by themselves")));
}

}  // namespace
}  // namespace scidfs::tests
