#include "fs/file/time.h"

#include <gtest/gtest.h>

namespace scidfs::fs {
namespace {

TEST(FileTime, NewVersionIsLater) {
  EXPECT_EQ(later_than({5, 7}, {6, 0}), (FileTime{6, 0}));
  EXPECT_EQ(later_than({5, 7}, {5, 8}), (FileTime{5, 8}));
  EXPECT_EQ(later_than({5, 7}, {5, 7}), (FileTime{5, 8}));
  EXPECT_EQ(later_than({5, 7}, {4, 9}), (FileTime{5, 8}));
  EXPECT_EQ(later_than({5, 999'999'999}, {5, 999'999'999}), (FileTime{6, 0}));
  EXPECT_EQ(later_than({-1, 999'999'999}, {-3, 0}), (FileTime{0, 0}));
}

}  // namespace
}  // namespace scidfs::fs
