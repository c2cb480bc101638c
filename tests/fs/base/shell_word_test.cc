// Names that users copy into a shell.
#include "fs/base/shell_word.h"

#include <gtest/gtest.h>

#include "tests/support/shell.h"

namespace scidfs::fs {
namespace {

TEST(ShellWordTest, IsReadByAShellAsItIs) {
  const struct {
    std::string text;
    bool is_plain;
  } cases[] = {
      {"mega.si4/search/year=2010..,eco=B90/50%25.tsv", true},
      {"K\xc3\xa1rpov", true},
      {"", false},
      {"a b", false},
      {"it's", false},
      {"''", false},
      {"`id` $HOME $(id) \\", false},
      {"*?[a]!~#;&|<>(){}^\"", false},
      {"~", false},
      {"\xff\xfe\x1b\n\n x", false},
  };
  for (const auto& [text, is_plain] : cases) {
    EXPECT_EQ(shell_word(text) == text, is_plain) << text;
    EXPECT_EQ(tests::read_by_shell(shell_word(text)), text);
  }
}

TEST(ShellWordTest, MessagesHaveBackticksOrAWordOfAShell) {
  for (const char* const name : {"Karpov,A", "karp*", "[ab]?", "-x", "50%25"}) {
    EXPECT_EQ(in_quotes(name), '`' + std::string(name) + '`');
  }
  for (const char* const name : {"a`b", "O'Kelly", "$HOME", "a b", "a;b", "\"", "(a)"}) {
    EXPECT_EQ(in_quotes(name), shell_word(name));
  }
}

}  // namespace
}  // namespace scidfs::fs
