// Compares the output of `PROGRAM --help` with the manual page of the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/install/manual_page.h"
#include "tests/support/mount.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Program {
  std::string name;
  std::string path;

  friend void PrintTo(const Program& program, std::ostream* out) { *out << program.name; }
};

std::string joined(const std::string& lines) {
  return std::regex_replace(lines, std::regex(R"(\s+)"), " ");
}

struct Option {
  std::string head;  // "-o width=N"
  std::string text;  // in one line
};

// The options that a help text lists, with their descriptions in a column of their own.
std::vector<Option> options_of(const std::string& help) {
  constexpr std::size_t kIndent = 2;
  constexpr std::size_t kColumn = 23;
  std::vector<Option> options;
  bool is_option = false;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  -")) {
      const bool has_text = line.size() > kColumn && line[kColumn - 1] == ' ';
      std::string head = line.substr(kIndent, has_text ? kColumn - kIndent : std::string::npos);
      head.resize(head.find_last_not_of(' ') + 1);
      options.push_back({.head = std::move(head), .text = has_text ? line.substr(kColumn) : ""});
      is_option = true;
    } else if (is_option && line.starts_with(std::string(kColumn, ' '))) {
      options.back().text += ' ' + line.substr(kColumn);
    } else {
      is_option = false;
    }
  }
  return options;
}

class ManualOptionsTest : public testing::TestWithParam<Program> {
 protected:
  std::vector<ManualEntry> options() const {
    std::vector<ManualEntry> options = page_.section("OPTIONS");
    std::erase_if(options, [](const ManualEntry& entry) { return !entry.head.starts_with('-'); });
    return options;
  }

  const std::string help_ = run_ok(shell_word(GetParam().path) + " --help");
  const ManualPage page_{GetParam().name + ".1"};
};

TEST_P(ManualOptionsTest, OptionsEqualThoseOfHelp) {
  const std::vector<ManualEntry> told = options();
  std::set<std::string> heads;
  for (const Option& option : options_of(help_)) {
    heads.insert(option.head);
    const auto entry = std::ranges::find(told, option.head, &ManualEntry::head);
    if (entry == told.end()) {
      ADD_FAILURE() << "the page does not tell of " << option.head;
      continue;
    }
    EXPECT_THAT(entry->text, Not(IsEmpty())) << option.head;
    for (const std::string& value :
         matches(option.text, std::regex(R"((\(default: [^)]*\)|\d+ to \d+))"))) {
      // Other text may be in the parentheses too.
      const std::string wanted = value.substr(0, value.find_last_not_of(')') + 1);
      EXPECT_THAT(entry->text, HasSubstr(wanted)) << option.head;
    }
  }
  EXPECT_THAT(heads, Not(IsEmpty()));
  for (const ManualEntry& entry : told) EXPECT_THAT(heads, Contains(entry.head));
}

TEST_P(ManualOptionsTest, ExitCodesEqualThoseOfHelp) {
  const std::size_t from = help_.find("Exit codes:");
  ASSERT_NE(from, std::string::npos);
  const std::vector<std::string> codes =
      matches(joined(help_.substr(from)), std::regex(R"( (\d) [a-z])"));
  std::set<std::string> told;
  for (const ManualEntry& entry : page_.section("EXIT STATUS")) told.insert(entry.head);
  EXPECT_EQ(told, std::set<std::string>(codes.begin(), codes.end()));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, ManualOptionsTest,
    testing::Values(Program{.name = "scidfs", .path = scidfs_binary()},
                    Program{.name = "scidfs-book", .path = program("scidfs-book")},
                    Program{.name = "scidfs-pack", .path = program("scidfs-pack")}),
    [](const testing::TestParamInfo<Program>& program) {
      std::string name = program.param.name;
      std::erase(name, '-');
      return name;
    });

TEST(ManualTest, DescribesOptionsThatArePassedOn) {
  const ManualPage page("scidfs.1");
  const std::string help = joined(run_ok(shell_word(scidfs_binary()) + " --help"));
  const std::vector<std::string> all = matches(
      help, std::regex(R"(Further options of mount\(8\) and FUSE: (.*) Options for fstab)"));
  ASSERT_EQ(all.size(), 1U);
  const std::string list = std::regex_replace(all.front(), std::regex(R"( \([^)]*\))"), "");
  // A comma or a dot follows each; values have capital letters.
  const std::vector<std::string> words = matches(list, std::regex(R"(([a-z_]+=?)[A-Z]*(?:,|\.))"));
  EXPECT_THAT(words, Contains("noexec"));
  EXPECT_THAT(words, Contains("context="));
  EXPECT_THAT(words, Contains("auto_unmount"));
  for (const std::string& word : words) EXPECT_THAT(page.bold(), Contains(word));
}

TEST(ManualTest, DescribesExitCodesOfMountHelper) {
  const ManualPage page("mount.scidfs.8");
  for (const char* const code : {"0", "1", "2"}) EXPECT_THAT(page.bold(), Contains(code));
}

}  // namespace
}  // namespace scidfs::tests
