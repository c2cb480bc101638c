// scripts/count-tests: the number of passed, failed and skipped test cases, and its report of
// failed ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/scripts/verdict.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// The logs of a run of one program, "fs".
class CountTests : public testing::Test {
 protected:
  CountTests() { std::filesystem::create_directory(folder_ / "meson-logs"); }

  Verdict count(std::string_view ending, const std::string& cases, int status) const {
    write_file(folder_ / "meson-logs/testlog.json",
               "{\"name\": \"fs\", \"result\": \"" + std::string(ending) + "\"}\n");
    write_file(
        folder_ / "meson-logs/testlog.junit.xml",
        "<testsuites><testsuite name=\"scidfs.fs.Names\">" + cases + "</testsuite></testsuites>");
    return verdict_of("count-tests", folder_.path().string() + " " + std::to_string(status));
  }
  static std::string good(const std::string& name) {
    return "<testcase name=\"" + name + "\" classname=\"Names\"/>";
  }
  static std::string bad(const std::string& name, const std::string& failures) {
    return "<testcase name=\"" + name + "\" classname=\"Names\">" + failures + "</testcase>";
  }
  static std::string failure(const std::string& text) { return "<failure>" + text + "</failure>"; }

 private:
  TemporaryFolder folder_;
};

TEST_F(CountTests, PassingRunPrintsOneLine) {
  const Verdict verdict = count("OK", good("One") + good("Two"), 0);
  EXPECT_EQ(verdict.exit_code, 0);
  EXPECT_EQ(verdict.lines, "2 passed, 0 failed, 0 skipped\n");
}

TEST_F(CountTests, FailedCasesArePrintedWithTheirAssertions) {
  const Verdict verdict = count(
      "FAIL", good("One") + bad("Two", failure("a_test.cc:7\nExpected: 1\n\nWhich is: 2\n")), 1);
  EXPECT_EQ(verdict.exit_code, 1);
  EXPECT_EQ(verdict.lines,
            "failed: fs: Names.Two\n"
            "    a_test.cc:7\n"
            "    Expected: 1\n"
            "    Which is: 2\n"
            "failed: fs: FAIL\n"
            "1 passed, 1 failed, 0 skipped\n");
}

TEST_F(CountTests, ManyFailuresAreTruncated) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "line " + std::to_string(i) + "\n";
  std::string cases;
  for (int i = 0; i < 30; ++i) {
    cases += bad("Case" + std::to_string(i),
                 failure(lines) + failure("second") + failure("third") + failure("fourth"));
  }
  const Verdict verdict = count("FAIL", cases, 1);
  EXPECT_THAT(verdict.lines, HasSubstr("    line 5\n    ...\n    second\n    third\n"
                                       "    and 1 more failures of this case\n"));
  EXPECT_THAT(verdict.lines, HasSubstr("failed: fs: Names.Case19\n"));
  EXPECT_THAT(verdict.lines, Not(HasSubstr("Names.Case20")));
  EXPECT_THAT(verdict.lines, HasSubstr("and 10 more cases failed\n"));
  EXPECT_THAT(verdict.lines, EndsWith("0 passed, 30 failed, 0 skipped\n"));
}

TEST_F(CountTests, KilledProgramCountsAsFailedEvenIfItsCasesPassed) {
  const Verdict verdict = count("TIMEOUT", good("One"), 1);
  EXPECT_EQ(verdict.exit_code, 1);
  EXPECT_EQ(verdict.lines, "failed: fs: TIMEOUT\n1 passed, 1 failed, 0 skipped\n");
}

}  // namespace
}  // namespace scidfs::tests
