// The games of a database dealt to several, which together/ shows as one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/database_parts.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/text.h"

namespace scidfs::fs {

using tests::games_of_index;
using tests::sorted_lines;

inline std::vector<std::string> sorted_texts(const std::string& pgn) {
  std::vector<std::string> games;
  for (const tests::PgnGame& game : tests::parse_pgn(pgn)) games.emplace_back(game.text);
  std::ranges::sort(games);
  return games;
}

class TogetherTest : public LibraryTest {
 protected:
  // The games of a database dealt to `count` ones in a folder, every second one in a sub-folder,
  // and in another folder one database with all of them, in the order of together/.
  void deal(const tests::ScidDatabase& from, std::size_t count, std::uint64_t seed) {
    tests::Random random(seed);
    std::map<std::string, std::vector<std::uint32_t>> dealt;
    std::vector<std::string> paths;
    for (std::size_t part = 0; part < count; ++part) {
      paths.push_back(fmt::format("{}part{}", part % 2 == 0 ? "" : "sub/", part));
      dealt[paths.back()] = {};
    }
    for (std::uint32_t game = 0; game < from.games(); ++game) {
      dealt[paths[random.below(count)]].push_back(game);
    }
    std::filesystem::create_directories(source_ / "one");
    std::filesystem::create_directories(source_ / "parts/sub");
    tests::PartBuilder whole(from);
    std::uint32_t before = 0;
    before_.clear();
    for (const auto& [path, games] : dealt) {
      tests::PartBuilder part(from);
      for (const std::uint32_t game : games) {
        part.add(game);
        whole.add(game);
      }
      put("parts/" + path, part.files());
      before_[path + ".si4"] = before;
      before += static_cast<std::uint32_t>(games.size());
    }
    put("one/whole", whole.files());
    open(source_);
  }
  void deal(std::size_t count, std::uint64_t seed) {
    deal(tests::ScidDatabase(tests::test_data("sample/sample")), count, seed);
  }

  // The games of all databases in front of one, by its path from the folder.
  std::map<std::string, std::uint32_t> before_;
};

inline constexpr std::string_view kWhole = "one/whole.si4/";
inline constexpr std::string_view kTogether = "parts/together/";

}  // namespace scidfs::fs
