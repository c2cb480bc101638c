#include "fs/programs/book_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<BookCommand> parse(std::vector<const char*> words) {
  return parse_book_command(words);
}

BookBuildOptions build_of(std::vector<const char*> words) {
  words.insert(words.begin(), "build");
  const absl::StatusOr<BookCommand> command = parse(words);
  EXPECT_TRUE(command.ok()) << std::string(command.status().message());
  if (!command.ok()) return {};
  EXPECT_EQ(command->action, BookCommand::Action::Build);
  return command->build;
}

std::string error_of(std::vector<const char*> words) {
  const absl::StatusOr<BookCommand> command = parse(words);
  EXPECT_FALSE(command.ok());
  return std::string(command.status().message());
}

TEST(BookOptions, ParseCommands) {
  EXPECT_EQ(parse({"--help"})->action, BookCommand::Action::Help);
  EXPECT_EQ(parse({"build", "--help"})->action, BookCommand::Action::Help);
  EXPECT_EQ(parse({"-V"})->action, BookCommand::Action::Version);
  const auto dump = parse({"dump", "book.ksf"});
  EXPECT_EQ(dump->action, BookCommand::Action::Dump);
  EXPECT_EQ(dump->book, "book.ksf");
}

TEST(BookOptions, ParseOptionsOfBuild) {
  const BookBuildOptions plain = build_of({"a.si4", "-o", "book"});
  EXPECT_THAT(plain.databases, ElementsAre("a.si4"));
  EXPECT_EQ(plain.book, "book");
  EXPECT_EQ(plain.plies, 20U);
  EXPECT_EQ(plain.limits, codec::kvetka::RatingLimits{});
  EXPECT_FALSE(plain.links);

  const BookBuildOptions full = build_of({"a.si4",
                                          "-o",
                                          "dir/book.kob",
                                          "--plies",
                                          "all",
                                          "--min-elo",
                                          "2200",
                                          "--min-strong-elo",
                                          "2400",
                                          "--min-white-elo",
                                          "2250",
                                          "--min-black-elo",
                                          "1",
                                          "--links",
                                          "--caption",
                                          "Книга",
                                          "--code-page",
                                          "1251",
                                          "--byte-order",
                                          "big",
                                          "--memory",
                                          "64",
                                          "--threads",
                                          "3",
                                          "--",
                                          "-b"});
  EXPECT_THAT(full.databases, ElementsAre("a.si4", "-b"));
  EXPECT_EQ(full.book, "dir/book");
  EXPECT_EQ(full.plies, unsigned{codec::kvetka::kAllPlies});
  EXPECT_EQ(full.limits,
            (codec::kvetka::RatingLimits{.white = 2250, .black = 1, .strong = 2400, .weak = 2200}));
  EXPECT_TRUE(full.links);
  EXPECT_EQ(full.caption, "Книга");
  EXPECT_EQ(full.code_page, codec::CodePage::Windows1251);
  EXPECT_EQ(full.byte_order, codec::kvetka::ByteOrder::Big);
  EXPECT_EQ(full.memory, std::size_t{64} << 20);
  EXPECT_EQ(full.threads, 3U);
}

TEST(BookOptions, ErrorsNameTheArgument) {
  EXPECT_THAT(error_of({}), HasSubstr("missing command"));
  EXPECT_THAT(error_of({"burn"}), HasSubstr("'burn'"));
  EXPECT_THAT(error_of({"dump"}), HasSubstr("one NAME"));
  EXPECT_THAT(error_of({"dump", "a", "b"}), HasSubstr("one NAME"));
  EXPECT_THAT(error_of({"build", "-o", "x"}), HasSubstr("DATABASE"));
  EXPECT_THAT(error_of({"build", "a.si4"}), HasSubstr("-o NAME"));
  EXPECT_THAT(error_of({"build", "a.si4", "-o"}), HasSubstr("requires a value"));
  EXPECT_THAT(error_of({"build", "a.si4", "-o", "dir/"}), HasSubstr("'dir/'"));
  EXPECT_THAT(error_of({"build", "a.si4", "--plies", "255"}), HasSubstr("'255'"));
  EXPECT_THAT(error_of({"build", "a.si4", "--plies", "0"}), HasSubstr("'0'"));
  EXPECT_THAT(error_of({"build", "a.si4", "--min-elo", "strong"}), HasSubstr("'strong'"));
  EXPECT_THAT(error_of({"build", "a.si4", "--fast"}), HasSubstr("'--fast'"));
  EXPECT_THAT(error_of({"build", "a.si4", "--code-page", "437"}), HasSubstr("'437'"));
}

}  // namespace
}  // namespace scidfs::fs
