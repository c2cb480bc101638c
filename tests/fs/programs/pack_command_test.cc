#include "fs/programs/pack_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PackCommand, ParsesArguments) {
  const auto parse = [](std::vector<const char*> words) { return parse_pack_command(words); };
  const auto good = parse({"a.si4", "-o", "x.scv", "--force", "--", "-b.si4"});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_THAT(good->options.databases, ElementsAre("a.si4", "-b.si4"));
  EXPECT_EQ(good->options.archive, "x.scv");
  EXPECT_TRUE(good->options.overwrite);
  EXPECT_FALSE(parse({"a.si4", "-o", "x.scv"})->options.overwrite);
  EXPECT_EQ(parse({"a.si4", "-o", "x.scv", "--sandbox=strict"})->sandbox, SandboxMode::Strict);
  EXPECT_EQ(parse({"--help"})->action, PackCommand::Action::Help);
  EXPECT_EQ(parse({"-V"})->action, PackCommand::Action::Version);
  for (const std::vector<const char*>& bad : {std::vector<const char*>{},
                                              {"a.si4"},
                                              {"-o", "x.scv"},
                                              {"a.si4", "-o"},
                                              {"a.si4", "-o", ""},
                                              {"", "-o", "x"},
                                              {"a.si4", "-o", "x", "-o", "y"},
                                              {"a.si4", "-o", "x", "-q"},
                                              {"a.si4", "-o", "x", "--sandbox", "no"}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(parse(bad).status()));
  }
  EXPECT_THAT(help_text(kPackManual), HasSubstr("--force"));
}

}  // namespace
}  // namespace scidfs::fs
