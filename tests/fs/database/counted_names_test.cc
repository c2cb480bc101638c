// Which names of a database count as one, and which names no directory of one may have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/database/common_events.h"
#include "fs/database/common_players.h"
#include "fs/database/event_sites.h"
#include "fs/database/group_names.h"
#include "tests/fs/database/database_fixture.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

struct Game {
  std::string_view event, site, white, black;
};

class CountedNamesTest : public DatabaseTest {
 protected:
  Shared open(const std::vector<Game>& games) {
    tests::ScidFilesBuilder builder;
    std::map<std::pair<NameKind, std::string_view>, std::uint32_t> ids;
    const auto id_of = [&](NameKind kind, std::string_view name) {
      const auto [known, is_new] = ids.try_emplace({kind, name}, 0);
      if (is_new) known->second = builder.name(kind, name);
      return known->second;
    };
    builder.name(NameKind::Round, "1");
    for (const Game& game : games) {
      codec::scid::IndexEntry entry;
      entry.event = id_of(NameKind::Event, game.event);
      entry.site = id_of(NameKind::Site, game.site);
      entry.white = id_of(NameKind::Player, game.white);
      entry.black = id_of(NameKind::Player, game.black);
      entry.date.year = 2024;
      builder.game(entry, tests::ScidEncoder().record());
    }
    return DatabaseTest::open(builder.files());
  }

  static std::vector<std::string> listed(const NamedSet& set) {
    std::vector<std::string> names;
    for (const NamedSet::Group& group : set.groups()) {
      for (std::uint32_t i = group.begin; i < group.end; ++i)
        names.push_back(set.at(group, i).name);
    }
    return names;
  }
  static std::vector<std::string> listed(const CommonSet& set, std::uint32_t group) {
    std::vector<std::string> names;
    for (std::uint64_t i = 0; i < set.positions(group); ++i) {
      if (const auto name = set.at(group, i); name.has_value()) names.push_back(*name);
    }
    return names;
  }
};

TEST_F(CountedNamesTest, UnknownNamesAreOne) {
  const Shared database =
      open({{"", "x", "", "A"}, {"?", "x", "?", "B"}, {"?", "x", "A", ""}, {"", "x", "B", "?"}});
  const GameLists& lists = database->lists();
  EXPECT_THAT(listed(lists.player_set()), UnorderedElementsAre("_unknown", "A", "B"));
  EXPECT_THAT(listed(lists.event_set()), ElementsAre("_unknown--x"));
  const std::uint32_t unknown = database->entry(1).white;
  EXPECT_EQ(database->names()[NameKind::Player].text(unknown), "?");
  EXPECT_EQ(database->entry(0).white, unknown);
  EXPECT_EQ(lists.player_games().games(unknown).count(100), 4U);
  EXPECT_EQ(lists.event_of(database->entry(0)), lists.event_of(database->entry(1)));

  const Shared other = open({{"", "x", "", "A"}});
  const auto players =
      CommonPlayers::merge({database, other}, WorkBudget::unlimited(nullptr)).value();
  const std::uint32_t group = shard_key("_u");
  EXPECT_THAT(listed(players->set(), group), ElementsAre("_unknown"));
  const auto common = players->set().find(group, "_unknown");
  ASSERT_TRUE(common.has_value());
  EXPECT_THAT(players->set().ids_in(1, *common), ElementsAre(other->entry(0).white));
}

// Their items have numbers, which lead to them, also of several databases together.
TEST_F(CountedNamesTest, NamesOfPagesAreThoseOfPagesAlone) {
  const Shared one = open({{"e", "s", "index.html", "Index.HTML"}, {"e", "s", "Indra", "x"}});
  const Shared other = open({{"e", "s", "a", "Index.HTML"}, {"e", "s", "b", "index.html"}});
  const std::uint32_t group = shard_key("in");
  EXPECT_THAT(listed(one->lists().player_set()),
              UnorderedElementsAre("index.html~0", "Index.HTML~1", "Indra", "x"));
  const NamedSet& set = one->lists().player_set();
  EXPECT_FALSE(set.find(*set.find_group(group), "index.html").has_value());
  EXPECT_EQ(set.find(*set.find_group(group), "Index.HTML~1")->id, 1U);

  const auto players = CommonPlayers::merge({one, other}, WorkBudget::unlimited(nullptr)).value();
  const std::vector<std::string> names = listed(players->set(), group);
  EXPECT_THAT(names, ElementsAre("index.html~0", "Index.HTML~1", "Indra"));
  EXPECT_FALSE(players->set().find(group, "index.html").has_value());
  EXPECT_THAT(players->set().ids_in(1, *players->set().find(group, "index.html~0")),
              ElementsAre(3));
  EXPECT_THAT(players->set().ids_in(1, *players->set().find(group, "Index.HTML~1")),
              ElementsAre(1));
}

TEST(EventSite, OfAnAddressIsItsHost) {
  for (const auto& [site, counts] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"https://lichess.org/abcdefgh", "lichess.org"},
           {"HTTP://user@lichess.org:8080?x#y", "lichess.org"},
           {"https://[::1]:80/", "[::1]:80"},
           {"http://", "http://"},
           {"https:///x", "https:///x"},
           {"ftp://x/y", "ftp://x/y"},
           {"London https://x", "London https://x"},
           {"?", "?"},
           {"", ""}}) {
    EXPECT_EQ(event_site(site), counts) << site;
  }
}

TEST_F(CountedNamesTest, AddressesOfGamesAreOneSiteOfAnEvent) {
  const Shared database = open({{"Arena", "https://lichess.org/a", "A", "B"},
                                {"Arena", "https://lichess.org/b", "A", "B"},
                                {"Arena", "lichess.org", "A", "B"},
                                {"Arena", "https://chess.com/a", "A", "B"}});
  const GameLists& lists = database->lists();
  EXPECT_THAT(listed(lists.event_set()), ElementsAre("Arena--chess.com", "Arena--lichess.org"));
  EXPECT_EQ(lists.event_games().games(*lists.event_of(database->entry(1))).count(100), 3U);
  EXPECT_EQ(database->names()[NameKind::Site].text(database->entry(1).site),
            "https://lichess.org/b")
      << "the tag stays";
  const Shared other = open({{"Arena", "https://lichess.org/z", "A", "B"}});
  const auto events =
      CommonEvents::merge({database, other}, WorkBudget::unlimited(nullptr)).value();
  EXPECT_THAT(listed(events->set(), 2024),
              UnorderedElementsAre("Arena--chess.com", "Arena--lichess.org"));
}

}  // namespace
}  // namespace scidfs::fs
