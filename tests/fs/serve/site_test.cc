// What the site says of files.
#include "fs/serve/site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/fs/library_fixture.h"
#include "tests/support/archive.h"

namespace scidfs::fs {
namespace {

class SiteTest : public LibraryTest {
 protected:
  HttpAnswer answer(const std::string& target) const {
    const Site site(*tree_, library_->searches().rejected_names, {});
    WalkState state;
    return site.answer({.method = "GET", .raw_target = target}, tests::unlimited_budget(), state)
        .value();
  }
};

TEST_F(SiteTest, PagesOfArchivesRunNoScripts) {
  put("a", example_database(3, 1).files());
  const std::string page = "<script>alert(1)</script>";
  put(source_ / "a.scv",
      std::string(tests::kArchiveStart) + tests::packed_member("x.html", page) +
          tests::packed_member("x.SVG", page) + tests::packed_member("x.txt", page),
      tests::replace);
  open(source_);
  const struct {
    std::string target;
    bool is_sandboxed;
  } cases[] = {
      {"/a.scv/files/x.html", true},
      {"/a.scv/files/x.SVG", true},
      {"/a.scv/files/x.txt", false},
      {"/a.scv/", false},
      {"/a.si4/", false},
      {"/a.si4/games/1.html", false},
  };
  for (const auto& [target, is_sandboxed] : cases) {
    const HttpAnswer got = answer(target);
    EXPECT_EQ(got.status, 200U) << target;
    const HeaderFields::value_type field("Content-Security-Policy", "sandbox");
    EXPECT_EQ(std::ranges::find(got.fields, field) != got.fields.end(), is_sandboxed) << target;
  }
}

}  // namespace
}  // namespace scidfs::fs
