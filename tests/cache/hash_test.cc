#include "cache/hash.h"

#include <gtest/gtest.h>

#include <vector>

namespace scidfs::cache {
namespace {

// Files of earlier versions contain them.
TEST(Hash, FingerprintsNeverChange) {
  EXPECT_EQ(fingerprint(""), 0x2d06800538d394c2);
  EXPECT_NE(fingerprint("abc"), fingerprint("abd"));
  EXPECT_NE(fingerprint("abc"), fingerprint("abc", 1));
  EXPECT_EQ(fingerprint(std::vector<std::uint8_t>{'a', 'b', 'c'}, 1), fingerprint("abc", 1));
}

}  // namespace
}  // namespace scidfs::cache
