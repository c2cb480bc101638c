// novelties.tsv: held against Scid's search for novelties.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

class NoveltiesTest : public MountedTest {};

// Scid compares a game with all games of a database, so that gets one game after the other, the
// earlier ones first. Only games that are alone on their day are asked for.
TEST_F(NoveltiesTest, ScidFindsTheSame) {
  if (run("command -v tkscid").exit_code != 0) GTEST_SKIP() << "tkscid is not installed";
  const filesystem::path prefix = test_data("sample/sample");
  const Mount mount({.source = prefix.string() + ".si4"});
  ASSERT_TRUE(mount.ok());
  constexpr std::size_t kDateOfIndex = 6;
  std::vector<std::pair<std::string, std::string>> games;  // last day and number
  std::map<std::string, int> of_day;
  for (const auto& game : rows_of(read_all(mount / "index.tsv"))) {
    std::string day = game.at(kDateOfIndex);
    if (day.find('?') == std::string::npos) ++of_day[day];
    std::ranges::replace(day, '?', '9');
    games.emplace_back(day, game[0]);
  }
  std::ranges::stable_sort(games, {}, &std::pair<std::string, std::string>::first);
  const TemporaryFolder folder;
  std::ofstream questions(folder / "questions");
  std::vector<std::string> asked;
  for (const auto& [day, number] : games) {
    const auto count = of_day.find(day);
    const bool is_alone = count != of_day.end() && count->second == 1;
    questions << (is_alone ? "ask " : "copy ") << number << '\n';
    if (is_alone) asked.push_back(number);
  }
  questions.close();
  EXPECT_GT(asked.size(), 100U);
  std::map<std::string, std::string> plies;
  for (const auto& row : rows_of(read_all(mount / "novelties.tsv"))) plies[row.at(0)] = row.at(1);
  const std::vector<std::string> theirs =
      split(run_ok("tkscid " + word(source_path("tests/mounted/scid_novelties.tcl")) + " " +
                   word(prefix) + " " + word(folder / "questions")),
            '\n');
  ASSERT_EQ(theirs.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const auto ours = plies.find(asked[i]);
    EXPECT_EQ(ours == plies.end() ? "-1" : ours->second, theirs[i]) << asked[i];
  }
}

}  // namespace
}  // namespace scidfs::tests
