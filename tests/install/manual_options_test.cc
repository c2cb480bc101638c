// Compares `PROGRAM --help` with the manual page and with the completions of shells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/install/manual_page.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
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

// What a shell completes: options, "--plies", and those of the list after -o, "cache=", each also
// with every value that is a word, "--plies all".
using Offers = std::set<std::string>;

void add_values(const std::string& name, const std::vector<std::string>& values, Offers& offers) {
  for (const std::string& value : values) offers.insert(name + " " + value);
}

std::vector<std::string> words(const std::string& text) {
  return matches(text, std::regex(R"(([^\s|,]+))"));
}

// Of values, `N|all`, those that users type as they stand have no capital letters.
Offers told_by(const std::string& help) {
  Offers offers;
  for (const Option& option : options_of(help)) {
    std::smatch part;
    EXPECT_TRUE(
        std::regex_match(option.head, part, std::regex("-o ([a-z_]+=?)(.*)")) ||
        std::regex_match(option.head, part, std::regex("(-[A-Za-z-]+(?:, -[a-z-]+)?) ?(.*)")))
        << option.head;
    std::vector<std::string> values = split(part[2], '|');
    std::erase_if(values, [](const std::string& value) {
      return std::regex_search(value, std::regex("[A-Z]"));
    });
    for (const std::string& name : words(part[1])) {
      offers.insert(name);
      add_values(name, values, offers);
    }
  }
  return offers;
}

std::string completions(std::string_view shell) {
  return read_file(source_path("scripts/install/completions") / ("scidfs." + std::string(shell)));
}

std::string section(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin);
  EXPECT_NE(first, std::string::npos) << begin;
  return first == std::string::npos ? "" : text.substr(first, text.find(end, first) - first);
}

void add_of_bash(const std::string& function, const std::string& after_name, Offers& offers) {
  const std::string text = section(completions("bash"), "\n" + function + "() {\n", "\n}\n");
  for (const std::string& names :
       matches(text, std::regex(R"(_scidfs_offer '([\w-]*[=-][^']*)')"))) {
    for (const std::string& name : words(names)) offers.insert(name);
  }
  const std::regex branch(R"(\n +([\w| -]+)\) .*_scidfs_offer '([^']*)')");
  for (std::sregex_iterator match(text.begin(), text.end(), branch), end; match != end; ++match) {
    for (const std::string& name : words((*match)[1])) {
      add_values(name + after_name, words((*match)[2]), offers);
    }
  }
}

Offers told_by_bash(const std::string& program) {
  Offers offers;
  add_of_bash("_" + std::regex_replace(program, std::regex("-"), "_"), "", offers);
  if (program == "scidfs") add_of_bash("_scidfs_list", "=", offers);
  return offers;
}

Offers told_by_zsh(const std::string& program) {
  Offers offers;
  std::string text = section(completions("zsh"), "\n  " + program + ")\n", "\n    ;");
  if (program == "scidfs") {
    text += section(completions("zsh"), "\n  scidfs | scidfs-get | scidfs-serve)\n", "\n    ;");
  }
  const std::regex line(R"(\n +'([^\n\[]*)\[(.*))");
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    const std::string head = (*match)[1];
    const std::string rest = (*match)[2];
    std::vector<std::string> names = matches(head, std::regex("(--?[A-Za-z][a-z-]*)"));
    if (names.empty()) names = {rest.find("]:") == std::string::npos ? head : head + "="};
    for (const std::string& name : names) {
      offers.insert(name);
      for (const std::string& values : matches(rest, std::regex(R"(:(?:\(|\{compadd )([^);]*))"))) {
        add_values(name, words(values), offers);
      }
    }
  }
  return offers;
}

Offers told_by_fish(const std::string& program) {
  Offers offers;
  const std::string text = completions("fish");
  for (const std::string& line :
       matches(text, std::regex("\ncomplete -c " + program + " (.*) -d '"))) {
    for (const std::string& name : matches(line, std::regex("-[sl] ([A-Za-z-]+)"))) {
      const std::string option = (name.size() == 1 ? "-" : "--") + name;
      offers.insert(option);
      for (const std::string& values : matches(line, std::regex("-a '([a-z0-9 -]+)'"))) {
        add_values(option, words(values), offers);
      }
    }
  }
  if (program != "scidfs") return offers;
  const std::regex listed(R"(\n  printf '(\w+=?)(?:%s)?\\t[^']*'(.*))");
  for (std::sregex_iterator match(text.begin(), text.end(), listed), end; match != end; ++match) {
    offers.insert((*match)[1]);
    add_values((*match)[1], words((*match)[2]), offers);
  }
  return offers;
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

TEST_P(ManualOptionsTest, ShellsCompleteThoseOfTheHelp) {
  const std::string& program = GetParam().name;
  const Offers told = told_by(help_);
  for (const auto& [shell, offers] :
       {std::pair("bash", told_by_bash(program)), std::pair("zsh", told_by_zsh(program)),
        std::pair("fish", told_by_fish(program))}) {
    for (const std::string& offer : told) {
      EXPECT_TRUE(offers.contains(offer)) << "scidfs." << shell << " lacks " << offer;
    }
    for (const std::string& offer : offers) {
      EXPECT_TRUE(told.contains(offer)) << program << " --help lacks " << offer << " of " << shell;
    }
  }
}

TEST_P(ManualOptionsTest, ExitCodesAreThoseOfTheHelp) {
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
                    Program{.name = "scidfs-get", .path = program("scidfs-get")},
                    Program{.name = "scidfs-import", .path = program("scidfs-import")},
                    Program{.name = "scidfs-pack", .path = program("scidfs-pack")},
                    Program{.name = "scidfs-serve", .path = program("scidfs-serve")}),
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
