// scripts/check-alone: a file includes the headers that it uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scripts/verdict.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

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

}  // namespace
}  // namespace scidfs::tests
