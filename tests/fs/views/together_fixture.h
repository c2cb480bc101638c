// Databases in folders, and their tables without what depends on the order of games.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/files.h"
#include "tests/support/part_builder.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/text.h"

namespace scidfs::fs {

inline std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines = tests::split(text, '\n');
  std::ranges::sort(lines);
  return lines;
}

// The lines of index.tsv without what says where a game is stored.
inline std::vector<std::string> sorted_games(const std::string& index) {
  const std::vector<std::string> head = tests::fields_of(index.substr(0, index.find('\n')));
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : tests::rows_of(index)) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (head[i] == "number" || head[i] == "path" || head[i] == "offset" ||
          head[i] == "database") {
        continue;
      }
      line += row[i] + '\t';
    }
    lines.push_back(line);
  }
  std::ranges::sort(lines);
  return lines;
}

inline std::vector<std::string> sorted_texts(const std::string& pgn) {
  std::vector<std::string> games;
  for (const tests::PgnGame& game : tests::parse_pgn(pgn)) games.emplace_back(game.text);
  std::ranges::sort(games);
  return games;
}

class TogetherTest : public LibraryTest {
 protected:
  // The sample in one folder, and its games dealt to `count` databases in another one, every second
  // one in a sub-folder.
  void deal(std::size_t count, std::uint64_t seed) {
    const tests::ScidDatabase sample(tests::test_data("sample/sample"));
    tests::Random random(seed);
    std::vector<tests::PartBuilder> parts(count, tests::PartBuilder(sample));
    for (std::uint32_t game = 0; game < sample.games(); ++game) {
      parts[random.below(count)].add(game);
    }
    std::filesystem::create_directories(source_ / "one");
    std::filesystem::create_directories(source_ / "parts/sub");
    tests::PartBuilder whole(sample);
    for (std::uint32_t game = 0; game < sample.games(); ++game) whole.add(game);
    put("one/whole", whole.files());
    for (std::size_t part = 0; part < count; ++part) {
      put(fmt::format("parts/{}part{}", part % 2 == 0 ? "" : "sub/", part), parts[part].files());
    }
    open(source_);
  }
};

constexpr std::string_view kWhole = "one/whole.si4/";
constexpr std::string_view kTogether = "parts/together/";

}  // namespace scidfs::fs
