#include "fs/programs/file_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Parses the words of `line`, separated by blanks; '' is an empty word.
template <class Command>
absl::StatusOr<Command> parse(absl::StatusOr<Command> (*parser)(std::span<const char* const>),
                              const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word == "''" ? "" : word);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  return parser(pointers);
}

template <class Command>
Command parse_good(absl::StatusOr<Command> (*parser)(std::span<const char* const>),
                   const std::string& line) {
  absl::StatusOr<Command> command = parse(parser, line);
  EXPECT_TRUE(command.ok()) << line << ": " << command.status();
  return command.ok() ? *std::move(command) : Command();
}

ImportCommand import_of(const std::string& line) { return parse_good(parse_import_command, line); }
PackCommand pack_of(const std::string& line) { return parse_good(parse_pack_command, line); }
BookCommand book_of(const std::string& line) { return parse_good(parse_book_command, line); }

TEST(FileCommand, AnswersHelpAndVersionBeforeAllElse) {
  for (const std::string before : {"", "a.si4 ", "build ", "-o x "}) {
    for (const std::string after : {"", " --nonsense", " -o"}) {
      for (const std::string word : {"-h", "--help", "--he", "-V", "--version"}) {
        const std::string line = before + word + after;
        const Asked asked = word[word.find_last_of('-') + 1] == 'h' ? Asked::Help : Asked::Version;
        EXPECT_EQ(import_of(line).asked, asked) << line;
        EXPECT_EQ(pack_of(line).asked, asked) << line;
        EXPECT_EQ(book_of(line).asked, asked) << line;
      }
    }
  }
}

TEST(FileCommand, ParsesWordsOfImport) {
  const ImportCommand plain = import_of("a.si4 -o x.si5 -- -b.si3");
  EXPECT_EQ(plain.asked, Asked::Work);
  EXPECT_THAT(plain.paths, ElementsAre("a.si4", "-b.si3"));
  EXPECT_EQ(plain.result, "x.si5");
  EXPECT_EQ(plain.sandbox, SandboxMode::Auto);
  EXPECT_FALSE(plain.options.is_append);
  EXPECT_FALSE(plain.options.takes_partial);
  EXPECT_EQ(plain.options.page, codec::CodePage::Windows1252);
  EXPECT_EQ(plain.options.names, codec::CodePage::Windows1252);

  const ImportCommand full =
      import_of("- --append -o x.si5 --partial --encoding=866 --threads=3 --sandbox=strict");
  EXPECT_THAT(full.paths, ElementsAre("-"));
  EXPECT_TRUE(full.options.is_append);
  EXPECT_TRUE(full.options.takes_partial);
  EXPECT_EQ(full.options.page.number(), 866);
  EXPECT_EQ(full.options.names.number(), 866);
  EXPECT_EQ(full.options.threads, 3U);
  EXPECT_EQ(full.sandbox, SandboxMode::Strict);

  const ImportOptions names = import_of("a -o x.si5 --encoding names:932").options;
  EXPECT_EQ(names.page, codec::CodePage::Windows1252);
  EXPECT_EQ(names.names.number(), 932);
}

TEST(FileCommand, ParsesWordsOfPack) {
  const PackCommand plain = pack_of("a.si4 -o x.scv -- -b.si4");
  EXPECT_THAT(plain.paths, ElementsAre("a.si4", "-b.si4"));
  EXPECT_EQ(plain.result, "x.scv");
  EXPECT_FALSE(plain.options.overwrite);
  const PackCommand full = pack_of("a.si4 --force --sandbox off -o x.scv");
  EXPECT_TRUE(full.options.overwrite);
  EXPECT_EQ(full.sandbox, SandboxMode::Off);
}

TEST(FileCommand, ParsesWordsOfBook) {
  const BookCommand dump = book_of("dump book.ksf --sandbox=off");
  EXPECT_TRUE(dump.dumps);
  EXPECT_THAT(dump.paths, ElementsAre("book.ksf"));

  const BookCommand plain = book_of("build a.si4 -o book");
  EXPECT_FALSE(plain.dumps);
  EXPECT_THAT(plain.paths, ElementsAre("a.si4"));
  EXPECT_EQ(plain.result, "book");
  EXPECT_EQ(plain.options.plies, 20U);
  EXPECT_EQ(plain.options.limits, codec::kvetka::RatingLimits{});
  EXPECT_FALSE(plain.options.links);
  EXPECT_THAT(plain.options.caption, IsEmpty());

  const BookCommand full = book_of(
      "build a.si4 -o dir/book.kob --plies all --min-elo 2200 --min-strong-elo 2400 "
      "--min-white-elo 2250 --min-black-elo 1 --links --caption Книга --code-page 1251 "
      "--byte-order big --memory 64 --threads 3 -- -b");
  EXPECT_THAT(full.paths, ElementsAre("a.si4", "-b"));
  EXPECT_EQ(full.result, "dir/book");
  EXPECT_EQ(full.options.plies, unsigned{codec::kvetka::kAllPlies});
  EXPECT_EQ(full.options.limits,
            (codec::kvetka::RatingLimits{.white = 2250, .black = 1, .strong = 2400, .weak = 2200}));
  EXPECT_TRUE(full.options.links);
  EXPECT_EQ(full.options.caption, "Книга");
  EXPECT_EQ(full.options.code_page, codec::CodePage::Windows1251);
  EXPECT_EQ(full.options.byte_order, codec::kvetka::ByteOrder::Big);
  EXPECT_EQ(full.options.memory, std::size_t{64} << 20);
  EXPECT_EQ(full.options.threads, 3U);
}

struct Mistake {
  const char* words;
  const char* message;
};

template <class Command>
void expect_errors(absl::StatusOr<Command> (*parser)(std::span<const char* const>),
                   const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const absl::Status status = parse(parser, mistake.words).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << mistake.words;
    EXPECT_THAT(std::string(status.message()), HasSubstr(mistake.message)) << mistake.words;
  }
}

TEST(FileCommand, ErrorsNameTheWord) {
  expect_errors(parse_import_command,
                {{"", "SOURCE is missing"},
                 {"a.si4", "-o DATABASE is missing"},
                 {"-o x.si5", "SOURCE is missing"},
                 {"a.si4 -o", "-o requires a value"},
                 {"a.si4 -o ''", "-o: ''"},
                 {"'' -o x.si5", "SOURCE is empty"},
                 {"a.si4 -o x.si5 -o y.si5", "-o DATABASE may be given only once"},
                 {"a.si4 -o x.si5 -q", "'-q'"},
                 {"a.si4 -o x.si5 --threads=0", "--threads: '0'"},
                 {"a.si4 -o x.si5 --encoding=1", "--encoding: '1'"},
                 {"a.si4 -o x.si5 --encoding=99", "--encoding: '99'"},
                 {"a.si4 -o x.si5 --encoding=500", "--encoding: '500'"},  // EBCDIC
                 {"a.si4 -o x.si5 --sandbox no", "--sandbox: 'no'"}});
  expect_errors(parse_pack_command, {{"", "DATABASE is missing"},
                                     {"a.si4", "-o ARCHIVE is missing"},
                                     {"-o x.scv", "DATABASE is missing"},
                                     {"a.si4 -o", "-o requires a value"},
                                     {"a.si4 -o ''", "-o: ''"},
                                     {"'' -o x", "DATABASE is empty"},
                                     {"a.si4 -o x -o y", "-o ARCHIVE may be given only once"},
                                     {"a.si4 -o x -q", "'-q'"},
                                     {"a.si4 -o x --sandbox no", "--sandbox: 'no'"}});
  expect_errors(parse_book_command, {{"", "missing command: build or dump"},
                                     {"burn", "'burn'"},
                                     {"dump", "dump takes one NAME"},
                                     {"dump a b", "dump takes one NAME"},
                                     {"dump a --links --plies 9", "only build takes --plies"},
                                     {"build -o x", "DATABASE is missing"},
                                     {"build a.si4", "-o NAME is missing"},
                                     {"build a.si4 -o", "-o requires a value"},
                                     {"build a.si4 -o dir/", "-o: 'dir/'"},
                                     {"build a.si4 -o x -o y", "-o NAME may be given only once"},
                                     {"build a.si4 --plies 255", "--plies: '255'"},
                                     {"build a.si4 --plies 0", "--plies: '0'"},
                                     {"build a.si4 --min-elo strong", "--min-elo: 'strong'"},
                                     {"build a.si4 --memory 0", "--memory: '0'"},
                                     {"build a.si4 --fast", "'--fast'"},
                                     {"build a.si4 --code-page 437", "--code-page: '437'"}});
}

}  // namespace
}  // namespace scidfs::fs
