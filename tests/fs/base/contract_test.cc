// What functions require is asserted, and where faults are looked for, asserts are on.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fs/base/glob.h"
#include "tests/support/configuration.h"

namespace scidfs::fs {
namespace {

#ifdef NDEBUG

TEST(ContractDeathTest, SanitizersHaveAsserts) { EXPECT_EQ(tests::configured("sanitized"), "no"); }

#else

TEST(ContractDeathTest, BrokenRequirementEndsProcess) {
  const Glob glob(std::string(Glob::kMostBytes + 1, 'x'));
  ASSERT_TRUE(glob.is_too_long());
  EXPECT_DEATH(GlobMatcher{glob}, "is_too_long");
}

TEST(ContractDeathTest, StandardLibraryChecksWhatItRequires) {
  if (tests::configured("sanitized") == "no") return;
  const std::vector<int> three(3);
  EXPECT_DEATH(static_cast<void>(three[3]), "Assertion");
}

#endif

}  // namespace
}  // namespace scidfs::fs
