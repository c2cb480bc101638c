#include "fs/tables/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/fs/database/listed_games.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

class PathsTest : public SetsTest {
 protected:
  // Events with colliding names, years of the event or of the game, deleted games.
  static tests::ScidFiles files_of_events() {
    tests::Random random(1);
    tests::ScidFilesBuilder builder;
    constexpr std::array<std::string_view, 5> kEvents = {"Cup", "CUP", "Open", "A--B", "Deleted"};
    constexpr std::array<std::string_view, 3> kSites = {"Town", "TOWN", "Village"};
    for (const std::string_view event : kEvents) builder.name(NameKind::Event, event);
    for (const std::string_view site : kSites) builder.name(NameKind::Site, site);
    builder.name(NameKind::Player, "Anna");
    builder.name(NameKind::Round, "1");
    const auto date = [&]() -> codec::Date {
      if (random.one_in(3)) return {};
      return {.year = static_cast<std::uint16_t>(2000 + random.below(4)), .month = 5, .day = 1};
    };
    const std::string text = record();
    for (int game = 0; game < 300; ++game) {
      Entry entry;
      entry.event = static_cast<std::uint32_t>(random.below(kEvents.size() - 1));
      entry.site = static_cast<std::uint32_t>(random.below(kSites.size()));
      entry.date = date();
      entry.event_date = date();
      if (random.one_in(2)) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, text);
    }
    Entry deleted;
    deleted.event = kEvents.size() - 1;
    deleted.flags = 1U << codec::scid::kFlagDeleted;
    builder.game(deleted, text);
    return builder.files();
  }
};

TEST_F(PathsTest, GamesLeadToTheirEvents) {
  const Shared database = open(files_of_events());
  // The directories by what their games have in common.
  using Event = std::tuple<std::uint32_t, std::uint32_t, std::uint16_t>;
  const auto event_of = [&](GameIndex game) {
    const codec::scid::GameEntry entry = database->entry(game);
    const codec::Date date = entry.event_date.year != 0 ? entry.event_date : entry.date;
    return Event(entry.event, entry.site, date.year);
  };
  std::map<Event, std::string> directories;
  std::size_t renamed = 0;
  const NamedSet& events = database->lists().event_set();
  for (const NamedSet::Group& group : events.groups()) {
    for (std::uint32_t position = group.begin; position < group.end; ++position) {
      const NamedSet::Listed event = events.at(group, position);
      const std::string path = "events/" + year_name(group.group) + '/' + event.name;
      renamed += event.name.find('~') != std::string::npos ? 1 : 0;
      for (const GameIndex game : games_in(database->lists().event_games().games(event.id))) {
        const auto [directory, is_new] = directories.try_emplace(event_of(game), path);
        EXPECT_EQ(directory->second, path) << game;
      }
    }
  }
  EXPECT_GT(renamed, 5U);
  std::size_t without = 0;
  for (GameIndex game = 0; game < database->games(); ++game) {
    std::string path;
    append_event_path(*database, database->entry(game), path);
    const auto directory = directories.find(event_of(game));
    EXPECT_EQ(path, directory == directories.end() ? "" : directory->second) << game;
    without += path.empty() ? 1 : 0;
  }
  EXPECT_GT(without, 0U) << "an event of deleted games alone has no directory";
}

}  // namespace
}  // namespace scidfs::fs
