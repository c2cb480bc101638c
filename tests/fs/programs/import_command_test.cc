#include "fs/programs/import_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace scidfs::fs {
namespace {

using testing::ElementsAre;

TEST(ImportCommand, ParsesArguments) {
  const auto parse = [](std::vector<const char*> words) { return parse_import_command(words); };
  const auto good = parse({"a.si4", "-o", "x.si5", "--", "-b.si3"});
  ASSERT_TRUE(good.ok()) << good.status();
  EXPECT_THAT(good->options.sources, ElementsAre("a.si4", "-b.si3"));
  EXPECT_EQ(good->options.database, "x.si5");
  EXPECT_TRUE(parse({"a.si4", "-o", "x.si5", "--partial"})->options.takes_partial);
  const ImportOptions both = parse({"a", "-o", "x.si5", "--encoding=866"})->options;
  EXPECT_EQ(both.page.number(), 866);
  EXPECT_EQ(both.names.number(), 866);
  const ImportOptions names = parse({"a", "-o", "x.si5", "--encoding", "names:932"})->options;
  EXPECT_EQ(names.page, codec::CodePage::Windows1252);
  EXPECT_EQ(names.names.number(), 932);
  EXPECT_FALSE(parse({"a", "-o", "x.si5", "--encoding=1"}).ok());
  EXPECT_FALSE(parse({"a", "-o", "x.si5", "--encoding=500"}).ok()) << "EBCDIC";
  EXPECT_EQ(parse({"a.si4", "-o", "x.si5", "--sandbox=strict"})->sandbox, SandboxMode::Strict);
  EXPECT_THAT(parse({"-", "-o", "x.si5"})->options.sources, ElementsAre("-"));
  EXPECT_EQ(parse({"a.pgn", "-o", "x.si5", "--threads=3"})->options.threads, 3u);
  EXPECT_FALSE(parse({"a.pgn", "-o", "x.si5"})->options.is_append);
  EXPECT_TRUE(parse({"a.pgn", "--append", "-o", "x.si5"})->options.is_append);
  EXPECT_EQ(parse({"a.pgn", "-o", "x.si5", "--encoding=1251"})->options.page,
            codec::CodePage::Windows1251);
  EXPECT_EQ(parse({"--help"})->action, ImportCommand::Action::Help);
  EXPECT_EQ(parse({"-V"})->action, ImportCommand::Action::Version);
  for (const std::vector<const char*>& bad : {std::vector<const char*>{},
                                              {"a.si4"},
                                              {"-o", "x.si5"},
                                              {"a.si4", "-o"},
                                              {"a.si4", "-o", ""},
                                              {"", "-o", "x.si5"},
                                              {"a.si4", "-o", "x.si5", "-o", "y.si5"},
                                              {"a.si4", "-o", "x.si5", "-q"},
                                              {"a.si4", "-o", "x.si5", "--threads=0"},
                                              {"a.si4", "-o", "x.si5", "--encoding=99"},
                                              {"a.si4", "-o", "x.si5", "--sandbox", "no"}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(parse(bad).status()));
  }
}

}  // namespace
}  // namespace scidfs::fs
