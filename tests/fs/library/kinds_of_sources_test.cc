// The kinds of sources stand in one table, source_formats(); other places repeat it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fs/library/source_format.h"
#include "fs/programs/manual.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"

namespace scidfs::fs {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Returns the text of a file of the checkout.
std::string file(std::string_view name) { return tests::read_file(tests::source_path(name)); }

// Returns the part of a text from `begin` to `end`.
std::string part(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  return text.substr(from, text.find(end, from) - from);
}

TEST(KindsOfSources, EveryPlaceThatNamesThemNamesAll) {
  const std::string bash =
      part(file("scripts/install/completions/scidfs.bash"), "_filedir '@(", ")");
  const std::string zsh =
      part(file("scripts/install/completions/scidfs.zsh"), "source:_files", ")");
  const std::string page =
      part(file("scripts/install/man/scidfs.1.scd"), "# DESCRIPTION", "# OPTIONS");
  const std::string help = help_text(mount_manual());
  const std::string types = file("scripts/install/desktop/scidfs.xml");
  for (const SourceFormat& format : source_formats()) {
    const std::string ending(format.extension);
    SCOPED_TRACE(ending);
    const std::string word = fmt::format("[(|]{}([|]|$)", ending.substr(1));
    EXPECT_THAT(bash, ContainsRegex(word));
    EXPECT_THAT(zsh, ContainsRegex(word));
    EXPECT_THAT(help, HasSubstr(ending));
    EXPECT_THAT(page, HasSubstr(ending));
    // The desktop has its own types for PGN and zip files; .ive is known there by its first bytes.
    const bool is_known_elsewhere = ending == ".pgn" || ending == ".zip" || ending == ".ive";
    if (!is_known_elsewhere) {
      EXPECT_THAT(types, HasSubstr(ending + "\"/>"));
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
