// Compares tag= with the tags in the PGN text of the same games.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fs/search/moves_of_games.h"
#include "tests/support/library.h"
#include "tests/support/tags_of_games.h"

namespace scidfs::fs {
namespace {

using GameNumbers = std::vector<GameIndex>;

// What a pattern of tag= looks like for a text: small letters, blanks for `_`; `*` at the end.
std::string small(std::string_view text) {
  std::string small(text);
  for (char& c : small) {
    c = c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c;
  }
  return small;
}

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
}

std::string escaped(std::string_view text) {
  std::string value;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ',';
    value += is_letter ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return value;
}

// The shown games for whose value `holds` is true; an unknown one is empty.
template <class Holds>
std::vector<GameIndex> games_with(const Database& database, const std::vector<tests::Tags>& all,
                                  const std::string& tag, const Holds& holds) {
  std::vector<GameIndex> games;
  for (GameIndex game = 0; game < all.size(); ++game) {
    const auto found = all[game].find(tag);
    const std::string value = found == all[game].end() ? "" : found->second;
    if (database.loaded().has(Part::Shown, game) && holds(value)) games.push_back(game);
  }
  return games;
}

// Asks for values of all tags, and for a tag of no game.
std::size_t compare_tags(const DatabasePtr& database, const std::vector<tests::Tags>& all,
                         tests::Random& random, std::size_t questions) {
  std::vector<std::pair<std::string, std::string>> pairs = {{"Nothing", "x"}};
  for (const tests::Tags& tags : all) std::ranges::copy(tags, std::back_inserter(pairs));
  std::size_t found = 0;
  for (std::size_t i = 0; i < questions; ++i) {
    const auto& pair = pairs[i == 0 ? 0 : random.below(pairs.size())];
    const std::string& tag = pair.first;
    const std::string& value = pair.second;
    const auto with = [&](const auto& holds) { return games_with(*database, all, tag, holds); };
    const auto known = [](const std::string& text) { return !text.empty(); };
    EXPECT_EQ(find(database, "tag=" + tag + ",*"), with(known)) << tag;
    EXPECT_EQ(find(database, "not-tag=" + tag + ",_unknown"), with(known)) << tag;
    EXPECT_EQ(find(database, "tag=" + tag + ",_unknown"), with(std::not_fn(known))) << tag;
    EXPECT_EQ(find(database, "not-tag=" + tag + ",*"), std::vector<GameIndex>()) << tag;
    if (!is_plain(value)) continue;
    const std::string whole = fmt::format("tag={},{}", tag, escaped(value));
    const auto is_same = [&](const std::string& text) { return small(text) == small(value); };
    std::vector<GameIndex> games = with(is_same);
    // The letters of other texts may be equal without their accents.
    const std::vector<GameIndex> all_found = find(database, whole);
    std::vector<GameIndex> more;
    std::ranges::set_difference(all_found, games, std::back_inserter(more));
    for (const GameIndex game : more) EXPECT_FALSE(is_plain(all[game].at(tag))) << whole;
    EXPECT_TRUE(std::ranges::includes(all_found, games)) << whole;
    found += games.size();
    // The others, of which the value is known.
    std::vector<GameIndex> others;
    std::ranges::set_difference(with(known), all_found, std::back_inserter(others));
    EXPECT_EQ(find(database, "not-" + whole), others) << whole;

    const std::string beginning = value.substr(0, 1 + random.below(value.size()));
    const auto begins = [&](const std::string& text) {
      return is_plain(text) && small(text).starts_with(small(beginning));
    };
    std::vector<GameIndex> plain;
    for (const GameIndex game :
         find(database, fmt::format("tag={},{}*", tag, escaped(beginning)))) {
      if (is_plain(all[game].at(tag))) plain.push_back(game);
    }
    EXPECT_EQ(plain, with(begins)) << tag << ' ' << beginning;
  }
  return found;
}

class TagSearchTest : public DatabaseTest {};

TEST_F(TagSearchTest, AgreesWithTagsOfGames) {
  tests::Random random(31);
  const tests::ScidFiles files = tests::files_with_tags(random, 700);
  const std::vector<tests::Tags> all = tests::tags_of(tests::ScidDatabase(files, ".si4"));
  EXPECT_GT(compare_tags(open(files), all, random, 150), 1000U);
}

TEST_F(TagSearchTest, AgreesWithTagsOfLargeDatabases) {
  for (const std::string name : {"annotated", "third_party/five", "third_party/scinc_test"}) {
    const std::string path = tests::shared_folder() + "/data/" + name;
    if (!std::filesystem::exists(path + ".si4")) continue;
    const auto database = Database::open(path + ".si4", "x", {});
    ASSERT_TRUE(database.ok()) << database.status();
    tests::Random random(7);
    compare_tags(*database, tests::tags_of(tests::ScidDatabase(path)), random, 10);
  }
}

TEST_F(TagSearchTest, TagsOfOneGroupAreOneKeyEach) {
  tests::ScidFilesBuilder builder;
  const auto add = [&](std::string_view annotator, std::string_view control) {
    builder.game({}, tests::ScidEncoder()
                         .tag("Annotator", annotator)
                         .tag("TimeControl", control)
                         .move("e4")
                         .record());
  };
  add("Nunn", "40/7200");
  add("nunn, J", "-");
  add("N\xFCnn", "300+3");
  add("?", "40/7200:3600");
  const DatabasePtr database = open(builder.files());
  EXPECT_EQ(find(database, "annotator=NUNN*"), (GameNumbers{0, 1, 2}));
  EXPECT_EQ(find(database, "tag=Annotator,NUNN,*"), (GameNumbers{1}));
  EXPECT_EQ(find(database, "tag=annotator,*"), GameNumbers());
  EXPECT_EQ(find(database, "annotator=_unknown"), (GameNumbers{3}));
  EXPECT_EQ(find(database, "not-annotator=nunn"), (GameNumbers{1}));
  EXPECT_EQ(find(database, "time_control=40%2F7200*"), (GameNumbers{0, 3}));
  EXPECT_EQ(find(database, "not-time_control=300+3"), (GameNumbers{0, 3}));
  const std::vector<FacetGroup> groups = {
      {*parse_facet("annotator=*"), *parse_facet("time_control=40*")}};
  const auto both = search(DatabaseGames(database, database->shown()), std::nullopt, groups,
                           WorkBudget::unlimited(nullptr));
  ASSERT_TRUE(both.ok());
  EXPECT_EQ(games_in(*both), (GameNumbers{0}));
  EXPECT_EQ(canonical_text(groups), "tag=Annotator,*/tag=TimeControl,40*");
  EXPECT_FALSE(groups[0][0].has_key_of(groups[0][1]));
  EXPECT_TRUE(groups[0][0].has_key_of(*parse_facet("tag=Annotator,x")));
}

TEST_F(TagSearchTest, RefusesMoreThanTheBudget) {
  tests::Random random(1);
  const DatabasePtr database = open(tests::files_with_tags(random, 100));
  const std::vector<FacetGroup> groups = {{*parse_facet("annotator=x")}};
  const DatabaseGames set(database, database->shown());
  EXPECT_TRUE(
      absl::IsUnavailable(search(set, std::nullopt, groups, WorkBudget::limited(20)).status()));
  EXPECT_TRUE(search(set, std::nullopt, groups, WorkBudget::limited(5000)).ok());
  EXPECT_TRUE(absl::IsCancelled(
      search(set, std::nullopt, groups, WorkBudget::unlimited([] { return true; })).status()));
}

}  // namespace
}  // namespace scidfs::fs
