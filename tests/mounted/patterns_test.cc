// pieces=, balance= and bishops=: held against Scid's search for material and patterns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// One pattern in both languages.
struct Pattern {
  std::string ours;
  std::string scid;
};

// Scid's search with any number of men, for so many positions on end, without a change of colors.
std::string material_search(std::size_t length, std::string_view bishops = "{0 20}") {
  std::string scid = fmt::format("material -flip 0 -range {{0 999}} -length {}", length);
  for (const std::string_view men : {"q", "r", "b", "n", "m", "p"}) {
    scid += fmt::format(" -w{0} {1} -b{0} {1}", men, men == "b" ? bishops : "{0 20}");
  }
  return scid;
}

// A balance of material, or one bishop of each side.
Pattern random_counts(Random& random) {
  if (random.one_in(10)) {
    return {.ours = "bishops=opposite", .scid = material_search(2, "{1 1}") + " -bishops Opposite"};
  }
  if (random.one_in(10)) {
    return {.ours = "bishops=same", .scid = material_search(2, "{1 1}") + " -bishops Same"};
  }
  const int least = static_cast<int>(random.below(25)) - 12;
  const int most = least + static_cast<int>(random.one_in(2) ? 0 : random.below(4));
  return {.ours = fmt::format("balance={}..{}", least, most),
          .scid = material_search(2) + fmt::format(" -diff {{{} {}}}", least, most)};
}

// Men on one square, on a file or on a rank.
Pattern random_pattern(Random& random) {
  constexpr std::string_view kPieces = "kqrbnp";
  const std::size_t length = random.one_in(3) ? 2 + random.below(6) : 1;
  Pattern pattern{.ours = "pieces=", .scid = material_search(length)};
  const std::size_t men = 1 + random.below(3);
  for (std::size_t i = 0; i < men; ++i) {
    const bool is_white = random.one_in(2);
    const char piece = kPieces[random.below(kPieces.size())];
    const char letter = is_white ? static_cast<char>(piece - 'a' + 'A') : piece;
    const auto file = static_cast<char>('a' + random.below(8));
    // Pawns on the first ranks or the last are in no game.
    const auto rank = static_cast<char>('2' + random.below(6));
    const std::size_t kind = random.below(4);
    const std::string files = kind == 0 ? "a-h" : std::string(1, file);
    const std::string ranks = kind == 1 ? "1-8" : std::string(1, rank);
    pattern.ours += fmt::format("{}{}{}{}", i == 0 ? "" : ",", letter, files, ranks);
    pattern.scid += fmt::format(" -pattern {{1 {}{} {} {}}}", is_white ? 'w' : 'b', piece,
                                kind == 0 ? "?" : files, kind == 1 ? "?" : ranks);
  }
  if (length > 1) pattern.ours += fmt::format(",for{}", length);
  return pattern;
}

std::vector<std::string> numbers_in(const filesystem::path& index) {
  std::vector<std::string> numbers;
  for (const auto& row : rows_of(read_all(index))) numbers.push_back(row.at(0));
  return numbers;
}

class PatternsTest : public WithScidTest {
 protected:
  static void compare(const filesystem::path& prefix, std::size_t count) {
    const Mount mount({.source = prefix.string() + ".si4"});
    ASSERT_TRUE(mount.ok());
    const TemporaryFolder folder;
    Random random(count);
    std::vector<Pattern> patterns;
    std::ofstream questions(folder / "patterns");
    while (patterns.size() < count) {
      patterns.push_back(random.one_in(3) ? random_counts(random) : random_pattern(random));
      questions << patterns.back().scid << '\n';
    }
    questions.close();
    std::istringstream answers(run_ok(
        fmt::format("tkscid {} {} {} answers", word(source_path("tests/bench/scid_positions.tcl")),
                    word(prefix), word(folder / "patterns"))));
    const std::vector<std::string> listed = numbers_in(mount / "index.tsv");
    const std::set<std::string> shown(listed.begin(), listed.end());
    std::size_t found = 0;
    for (const Pattern& pattern : patterns) {
      std::string numbers;
      std::string moves;  // for a position alone
      ASSERT_TRUE(std::getline(answers, numbers) && std::getline(answers, moves));
      std::vector<std::string> theirs = split(numbers, ' ');
      // Scid finds deleted games, too.
      std::erase_if(theirs, [&](const std::string& number) { return !shown.contains(number); });
      EXPECT_EQ(numbers_in(mount / ("search/" + pattern.ours + "/index.tsv")), theirs)
          << pattern.ours;
      found += theirs.empty() ? 0 : 1;
    }
    EXPECT_GT(found, count / 3);
  }
};

TEST_F(PatternsTest, ScidFindsTheSameGames) { compare(test_data("sample/sample"), 150); }

TEST_F(PatternsTest, ScidFindsTheSameMastersGames) {
  const filesystem::path masters = shared_folder() + "/data/masters";
  if (!filesystem::exists(masters.string() + ".si4")) GTEST_SKIP() << "no " << masters;
  compare(masters, 20);
}

}  // namespace
}  // namespace scidfs::tests
