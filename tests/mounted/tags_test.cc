// tag=, tags.tsv and values/: held against the PGN text of the same mount.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/tags_of_games.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// Small ASCII letters and digits, which a shell and a pattern take as they are.
bool is_word(std::string_view text) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !text.empty() && std::ranges::all_of(text, is_plain);
}

std::vector<std::string> listing_of(const filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

// The tables of a set in the mount.
void expect_tables(const filesystem::path& set) {
  SCOPED_TRACE(set);
  const TagTexts expected = tables_of(tags_of_text(read_all(set / "all.pgn")));
  EXPECT_EQ(read_all(set / "tags.tsv"), expected.tags);
  std::vector<std::string> files;
  for (const auto& [tag, table] : expected.values) {
    files.push_back(tag + ".tsv");
    EXPECT_EQ(read_all(set / "values" / files.back()), table) << tag;
  }
  EXPECT_THAT(listing_of(set / "values"), testing::UnorderedElementsAreArray(files));
}

// Asks for the beginnings of values that occur.
std::size_t expect_games(const filesystem::path& mount, Random& random) {
  const std::vector<Tags> all = tags_of_text(read_all(mount / "all.pgn"));
  std::vector<std::string> numbers;
  for (const auto& row : rows_of(read_all(mount / "index.tsv"))) numbers.push_back(row.at(0));
  EXPECT_EQ(all.size(), numbers.size());
  std::size_t asked = 0;
  for (std::size_t look = 0; look < 3000 && asked < 100; ++look) {
    const Tags& some = all[random.below(all.size())];
    if (some.empty()) continue;
    const auto& pair =
        *std::next(some.begin(), static_cast<std::ptrdiff_t>(random.below(some.size())));
    const std::string& tag = pair.first;
    const std::string& value = pair.second;
    const std::string beginning = value.substr(0, 1 + random.below(value.size()));
    if (!is_word(beginning)) continue;
    // Letters with accents may be equal to those without.
    const bool is_certain = std::ranges::all_of(all, [&](const Tags& tags) {
      const auto found = tags.find(tag);
      return found == tags.end() || std::ranges::all_of(found->second.substr(0, beginning.size()),
                                                        [](char c) { return (c & 0x80) == 0; });
    });
    if (!is_certain) continue;
    ++asked;
    std::vector<std::string> meet;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto found = all[i].find(tag);
      if (found == all[i].end()) continue;
      std::string text = found->second.substr(0, beginning.size());
      for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
      (text == beginning ? meet : others).push_back(numbers[i]);
    }
    const std::string facet = fmt::format("tag={},{}*", tag, beginning);
    const auto games = [&](const std::string& asked_for) {
      std::vector<std::string> found;
      for (const auto& row : rows_of(read_all(mount / "search" / asked_for / "index.tsv"))) {
        found.push_back(row.at(0));
      }
      return found;
    };
    EXPECT_EQ(games(facet), meet) << facet;
    EXPECT_EQ(games("not-" + facet), others) << facet;
  }
  return asked;
}

TEST(TagsTest, AgreeWithTextsOfGames) {
  Random random(17);
  const TemporaryFolder folder;
  write_scid_files(files_with_tags(random, 600), folder / "x");
  const Mount mount({.source = folder / "x.si4"});
  ASSERT_TRUE(mount.ok());
  expect_tables(mount / "");
  expect_tables(mount / "search/annotator=nunn*");
  expect_tables(mount / "tree/e4");
  EXPECT_EQ(expect_games(mount / "", random), 100U);
}

TEST(TagsTest, AgreeWithTextsOfLargeDatabases) {
  Random random(18);
  for (const char* const name : {"masters", "annotated", "third_party/five"}) {
    const std::string path = shared_folder() + "/data/" + name + ".si4";
    if (!filesystem::exists(path)) continue;
    const Mount mount({.source = path});
    ASSERT_TRUE(mount.ok());
    expect_tables(mount / "");
    if (filesystem::file_size(path) < 1'000'000) expect_games(mount / "", random);
  }
}

}  // namespace
}  // namespace scidfs::tests
