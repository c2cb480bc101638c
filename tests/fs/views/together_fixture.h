// The games of a database dealt to several, which together/ shows as one.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/names.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {

// Some games of a database as one of its own, whose names have other numbers.
class PartBuilder {
 public:
  explicit PartBuilder(const tests::ScidDatabase& from) : from_(from) {}

  void add(std::uint32_t game) {
    codec::scid::IndexEntry entry = from_.entry(game);
    entry.white = own(codec::scid::NameKind::Player, entry.white);
    entry.black = own(codec::scid::NameKind::Player, entry.black);
    entry.event = own(codec::scid::NameKind::Event, entry.event);
    entry.site = own(codec::scid::NameKind::Site, entry.site);
    entry.round = own(codec::scid::NameKind::Round, entry.round);
    const std::optional<codec::Bytes> record = from_.record(game);
    ASSERT_TRUE(record.has_value()) << game;
    builder_.game(entry, {reinterpret_cast<const char*>(record->data()), record->size()});
  }
  tests::ScidFiles files() const { return builder_.files(); }

 private:
  std::uint32_t own(codec::scid::NameKind kind, std::uint32_t id) {
    const auto [found, is_new] = ids_.try_emplace({kind, id}, 0);
    if (is_new) found->second = builder_.name(kind, from_.names()[kind].text(id));
    return found->second;
  }

  const tests::ScidDatabase& from_;
  tests::ScidFilesBuilder builder_;
  std::map<std::pair<codec::scid::NameKind, std::uint32_t>, std::uint32_t> ids_;
};

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
    PartBuilder whole(from);
    std::uint32_t before = 0;
    before_.clear();
    for (const auto& [path, games] : dealt) {
      PartBuilder part(from);
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
