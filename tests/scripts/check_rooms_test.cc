// scripts/check-rooms: which includes pass and which do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "tests/scripts/verdict.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Verdict check_rooms(const std::string& argument) { return verdict_of("check-rooms", argument); }

// A tree of two rooms, the lower one called base, that passes.
class CheckRooms : public testing::Test {
 protected:
  CheckRooms() {
    write("fs/meson.build", "rooms = [\n  'base',\n  'tree',\n]\n");
    write("codec/move.h", "");
    write("cache/lru.h", "");
    write("fs/base/log.h", "#include \"codec/move.h\"\n");
    write("fs/tree/tree.h", "#include <string>\n\n#include \"fs/base/log.h\"\n");
  }

  void write(std::string_view name, std::string_view text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, text);
  }
  Verdict verdict() const { return check_rooms(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

TEST(CheckRoomsHere, ThisCheckoutPasses) {
  const Verdict verdict = check_rooms("");
  EXPECT_EQ(verdict.exit_code, 0);
  EXPECT_EQ(verdict.lines, "");
}

TEST_F(CheckRooms, DownwardIncludesPass) {
  EXPECT_EQ(verdict().exit_code, 0);
  EXPECT_EQ(verdict().lines, "");
}

TEST_F(CheckRooms, UpwardIncludeIsReportedWithBothFiles) {
  write("fs/base/log.cc", "#include \"fs/tree/tree.h\"\n");
  EXPECT_EQ(verdict().exit_code, 1);
  EXPECT_THAT(verdict().lines, AllOf(HasSubstr("fs/base/log.cc: includes fs/tree/tree.h"),
                                     HasSubstr("fs/base may not use fs/tree")));
}

TEST_F(CheckRooms, CircleIsReportedWithItsFiles) {
  write("fs/tree/tree.h", "#include \"fs/tree/status.h\"\n");
  write("fs/tree/status.h", "#include \"fs/tree/tree.h\"\n");
  EXPECT_EQ(verdict().exit_code, 1);
  EXPECT_THAT(verdict().lines,
              HasSubstr("a circle: fs/tree/status.h -> fs/tree/tree.h -> fs/tree/status.h"));
}

TEST_F(CheckRooms, CodecAndCacheMayIncludeNeitherEachOtherNorFs) {
  write("codec/move.h", "#include \"cache/lru.h\"\n");
  write("cache/lru.h", "#include \"fs/base/log.h\"\n");
  EXPECT_EQ(verdict().exit_code, 1);
  EXPECT_THAT(verdict().lines, AllOf(HasSubstr("codec/move.h: includes cache/lru.h"),
                                     HasSubstr("cache/lru.h: includes fs/base/log.h")));
}

TEST_F(CheckRooms, FolderOutsideTheRoomsIsReported) {
  write("fs/attic/old.h", "");
  EXPECT_EQ(verdict().exit_code, 1);
  EXPECT_THAT(verdict().lines, HasSubstr("fs/attic/old.h: fs/attic is no room of fs/meson.build"));
}

}  // namespace
}  // namespace scidfs::tests
