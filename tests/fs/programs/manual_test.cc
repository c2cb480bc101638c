#include "fs/programs/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "fs/options/option_list.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class ManualTest : public testing::TestWithParam<const Manual*> {};

TEST_P(ManualTest, FitsIntoATerminal) {
  constexpr std::size_t kColumns = 80;
  const std::string text = help_text(*GetParam());
  EXPECT_THAT(text, StartsWith("usage: " + std::string(GetParam()->name) + " "));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), kColumns) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_THAT(text, Not(HasSubstr("\n\n\n")));
}

TEST_P(ManualTest, HelpNamesEachOption) {
  const std::string text = help_text(*GetParam());
  for (const OptionGroup& group : GetParam()->groups) {
    for (const OptionText& option : group.options) {
      EXPECT_THAT(text, HasSubstr("\n  " + std::string(option.names)));
      EXPECT_THAT(text, HasSubstr(std::string(option.value)));
    }
  }
  EXPECT_THAT(text, HasSubstr("\nExit codes: 0 "));
}

TEST_P(ManualTest, ListsEachOptionOnce) {
  std::set<std::string_view> names;
  for (const WordOption& word : words_of(*GetParam())) {
    EXPECT_TRUE(names.insert(word.name).second) << word.name;
    EXPECT_THAT(word.name, AllOf(StartsWith("-"), Not(HasSubstr(" "))));
  }
  EXPECT_THAT(names, Contains("--help"));
  EXPECT_THAT(names, Contains("-V"));
}

INSTANTIATE_TEST_SUITE_P(All, ManualTest,
                         testing::Values(&mount_manual(), &get_manual(), &import_manual(),
                                         &serve_manual(), &pack_manual(), &book_manual()),
                         [](const testing::TestParamInfo<const Manual*>& tested) {
                           return std::regex_replace(std::string(tested.param->name),
                                                     std::regex("-"), "_");
                         });

// What -o takes and what the manual says of it are the same.
TEST(MountManual, DescribesAllOptionsOfLists) {
  const auto names = OptionList::names();
  const std::set<std::string_view> known(names.begin(), names.end());
  EXPECT_THAT(known, SizeIs(names.size()));
  std::set<std::string_view> said;
  for (const OptionGroup& group : mount_manual().groups) {
    for (const OptionText& option : group.options) {
      if (listed_name(option).empty()) continue;
      said.insert(listed_name(option));
      EXPECT_THAT(known, Contains(listed_name(option)));
      OptionList list;
      const std::string name(listed_name(option));
      EXPECT_EQ(list.add(name).ok(), option.value.empty()) << name;
      for (const std::string& part : tests::split(std::string(option.value), '|')) {
        if (std::regex_search(part, std::regex("[A-Z]"))) continue;  // no word, but any value
        EXPECT_TRUE(list.add(name + "=" + part).ok()) << name << "=" << part;
      }
    }
  }
  // The others are listed after the table, in a line.
  for (const std::string_view name : known) {
    if (said.contains(name)) continue;
    EXPECT_TRUE(std::regex_search(std::string(mount_manual().notes),
                                  std::regex("\\b" + std::string(name) + "=?[,.]\\s")))
        << name;
  }
}

}  // namespace
}  // namespace scidfs::fs
