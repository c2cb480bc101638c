#include "fs/programs/get_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;

absl::StatusOr<GetCommand> parse_get(const std::vector<const char*>& words) {
  return parse_get_command(words);
}

TEST(GetCommandTest, ParsesActionsWithTheirOptions) {
  const auto list =
      parse_get({"ls", "-l", "/src/", "-R", "-o", "width=0,deleted=show", "a", "/b/"});
  ASSERT_TRUE(list.ok()) << list.status();
  EXPECT_EQ(list->action, GetCommand::Action::List);
  EXPECT_TRUE(list->is_long);
  EXPECT_TRUE(list->is_recursive);
  EXPECT_EQ(list->options.source, "/src");
  EXPECT_THAT(list->paths, ElementsAre("a", "/b/"));
  EXPECT_EQ(list->options.library.database.pgn.width, 0);
  EXPECT_TRUE(list->options.library.database.show_deleted);
  const auto top = parse_get({"ls", "/src"});
  ASSERT_TRUE(top.ok()) << top.status();
  EXPECT_TRUE(top->paths.empty());
  const auto print = parse_get({"cat", "-o", "follow,sandbox=off", "--", "/src", "-l"});
  ASSERT_TRUE(print.ok()) << print.status();
  EXPECT_EQ(print->action, GetCommand::Action::Print);
  EXPECT_TRUE(print->options.library.follow_links);
  EXPECT_EQ(print->options.sandbox, SandboxMode::Off);
  EXPECT_THAT(print->paths, ElementsAre("-l"));
  const auto copy = parse_get({"cp", "-r", "--continue", "/src", "a", "b", "/to/"});
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(copy->action, GetCommand::Action::Copy);
  EXPECT_TRUE(copy->copy.is_recursive);
  EXPECT_TRUE(copy->copy.continues);
  EXPECT_FALSE(copy->copy.overwrites);
  EXPECT_THAT(copy->paths, ElementsAre("a", "b"));
  EXPECT_EQ(copy->target, "/to");
  const auto site = parse_get({"site", "--force", "/src", "a", "/to"});
  ASSERT_TRUE(site.ok()) << site.status();
  EXPECT_EQ(site->action, GetCommand::Action::Site);
  EXPECT_TRUE(site->copy.overwrites);
  EXPECT_THAT(site->paths, ElementsAre("a"));
  EXPECT_EQ(site->target, "/to");
  const auto whole = parse_get({"site", "/src", "/to"});
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(whole->paths.empty());
  EXPECT_EQ(whole->target, "/to");
}

TEST(GetCommandTest, RefusesWhatItDoesNotKnow) {
  const struct {
    std::vector<const char*> words;
    std::string error;
  } cases[] = {
      {{}, "missing command: ls, cat, cp or site"},
      {{"lss", "/src"}, "unknown command 'lss'"},
      {{"ls"}, "SOURCE is missing"},
      {{"cat", "", "a"}, "SOURCE is empty"},
      {{"cat", "/src"}, "PATH is missing"},
      {{"cat", "-l", "/src", "a"}, "cat does not take -l"},
      {{"cat", "-R", "/src", "a"}, "cat does not take -R"},
      {{"ls", "--force", "/src", "a"}, "ls does not take --force"},
      {{"cp", "-R", "/src", "a", "/to"}, "cp does not take -R"},
      {{"site", "-r", "/src", "/to"}, "site does not take -r"},
      {{"site", "/src"}, "TARGET is missing"},
      {{"site", "/src", "a", "b", "/to"}, "site takes one PATH and TARGET"},
      {{"cp", "/src"}, "PATH and TARGET are missing"},
      {{"cp", "/src", "a"}, "TARGET is missing"},
      {{"cp", "/src", "a", ""}, "TARGET is empty"},
      {{"ls", "-o", "allow_other", "/src"}, "option allow_other is for mounts alone"},
      {{"ls", "-o", "width=0,uid=7", "/src"}, "option uid is for mounts alone"},
      {{"ls", "-o", "nofail", "/src"}, "option nofail is for mounts alone"},
      {{"ls", "-o", "x-systemd.automount", "/src"},
       "option x-systemd.automount is for mounts alone"},
      {{"ls", "-o", "context=x", "/src"}, "option context is for mounts alone"},
      {{"ls", "-o", "noexec", "/src"}, "option noexec is for mounts alone"},
      {{"ls", "-o", "nothing", "/src"}, "unknown option 'nothing'"},
      {{"ls", "-o", "deleted=no", "/src"}, "option deleted requires hide or show, not 'no'"},
      {{"ls", "-f", "/src"}, "unknown option '-f'"},
  };
  for (const auto& test : cases) {
    const auto command = parse_get(test.words);
    EXPECT_EQ(command.status().code(), absl::StatusCode::kInvalidArgument) << test.error;
    EXPECT_EQ(command.status().message(), test.error);
  }
}

TEST(GetCommandTest, HelpFitsAScreen) {
  const std::string help = help_text(get_manual());
  EXPECT_LE(std::ranges::count(help, '\n'), 24);
}

}  // namespace
}  // namespace scidfs::fs
