// title=, country=, born= and fide=, held against people.tsv and the games of each person's
// directory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fs/views/together_fixture.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// A line of people.tsv.
struct KnownFacts {
  std::vector<std::string> titles, countries;
  unsigned born = 0, id = 0;  // 0: unknown
};

// Whether a game meets a condition; nothing: that is not known of it.
using Verdict = std::optional<bool>;

struct Asked {
  std::string name;
  std::function<Verdict(const KnownFacts&)> holds;
  std::string_view side;  // a prefix of the key
  bool is_negated = false;
};

// A game with whom the players are, as far as that is known.
struct ToldGame {
  std::string place;  // number and database
  std::string white, black;
  std::map<std::string_view, KnownFacts> persons{};  // by prefix of the key

  Verdict side(std::string_view prefix, const Asked& asked) const {
    const auto found = persons.find(prefix);
    return found == persons.end() ? std::nullopt : asked.holds(found->second);
  }
  bool meets(const Asked& asked) const {
    Verdict verdict = asked.side.empty() ? std::nullopt : side(asked.side, asked);
    if (asked.side.empty()) {
      const Verdict one = side("white_", asked);
      const Verdict other = side("black_", asked);
      if (one == Verdict(true) || other == Verdict(true)) {
        verdict = true;
      } else if (one.has_value() && other.has_value()) {
        verdict = false;
      }
    }
    return verdict == Verdict(!asked.is_negated);
  }
};

class PersonFactsTest : public TogetherTest {
 protected:
  template <std::size_t kCount>
  std::string any(const std::array<const char*, kCount>& these) {
    return these[random_.below(kCount)];
  }

  // People with the names of a database: some unknown, some several persons, with random facts.
  std::string invent_people(const tests::ScidDatabase& database) {
    std::string text = "@PLAYER \"., -_*\"\n";
    const codec::scid::NameTable& names = database.names()[NameKind::Player];
    for (std::uint32_t player = 0; player < names.size(); ++player) {
      const std::string name(names.text(player));
      if (name.find(',') == std::string::npos || name.find('#') != std::string::npos) continue;
      const std::size_t persons = random_.one_in(5) ? 0 : 1 + random_.below(2);
      for (std::size_t person = 1; person <= persons; ++person) {
        const std::string number = persons == 1 ? "" : std::to_string(person);
        text += fmt::format("{}{} {}\n", name, number, some_data());
        if (random_.one_in(3)) continue;
        text += fmt::format("   %Bio FIDEID {}\n", kFirstId + random_.below(kIds));
      }
    }
    return text;
  }
  std::string some_data() {
    const std::string born =
        random_.one_in(3) ? "" : std::to_string(kFirstYear + random_.below(kYears));
    return fmt::format(
        "#{} {} [{}] {}", any<8>({"-", "-", "GM", "WGM", "IM", "FM", "GM+HGM", "gm+w"}),
        any<8>({"", "NOR", "RUS", "URS/RUS", "IND", "URS/GEO/USA", "Ind", "HUN"}),
        random_.one_in(3) ? "" : std::to_string(2000 + 50 * random_.below(17)), born);
  }

  // The cells of some columns of a table, which may lack the last one.
  std::vector<std::vector<std::string>> cells(const std::string& path,
                                              const std::vector<std::string>& wanted) const {
    const std::string table = text(path);
    const std::vector<std::string> head = tests::fields_of(table.substr(0, table.find('\n')));
    std::vector<std::vector<std::string>> rows;
    for (const std::vector<std::string>& row : tests::rows_of(table)) {
      std::vector<std::string>& found = rows.emplace_back();
      for (const std::string& name : wanted) {
        const auto column = static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
        found.push_back(column < row.size() ? row[column] : "");
      }
    }
    return rows;
  }
  std::vector<ToldGame> games(const std::string& set) const {
    std::vector<ToldGame> games;
    for (const auto& row : cells(set + "index.tsv", {"number", "database", "white", "black"})) {
      games.push_back({.place = row[0] + " " + row[1], .white = row[2], .black = row[3]});
    }
    return games;
  }
  std::vector<std::string> places(const std::string& set) const {
    std::vector<std::string> places;
    for (const ToldGame& game : games(set)) places.push_back(game.place);
    return places;
  }

  // By place: who the players of all games are.
  using Told = std::map<std::string, std::map<std::string_view, KnownFacts>>;
  Told tell(const std::string& root) const {
    Told told;
    for (const auto& row : cells(root + "people.tsv", {"path", "title", "country", "born", "id"})) {
      const auto number = [](const std::string& cell) {
        return cell.empty() ? 0U : static_cast<unsigned>(std::stoul(cell));
      };
      const KnownFacts facts = {.titles = tests::split(row[1], '+'),
                                .countries = tests::split(row[2], '/'),
                                .born = number(row[3]),
                                .id = number(row[4])};
      for (const auto& [prefix, color] : {std::pair("white_", "/white/"), {"black_", "/black/"}}) {
        const std::string set = root + row[0] + color;
        if (!exists(set)) continue;
        for (const std::string& place : places(set)) told[place].emplace(prefix, facts);
      }
    }
    return told;
  }
  std::vector<ToldGame> told_games(const std::string& set, const Told& told) const {
    std::vector<ToldGame> all = games(set);
    for (ToldGame& game : all) {
      if (const auto found = told.find(game.place); found != told.end()) {
        game.persons = found->second;
      }
    }
    return all;
  }

  std::string in_any_case(std::string text) {
    for (char& c : text) {
      if (random_.one_in(2)) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
  }

  using Holds = std::function<Verdict(const KnownFacts&)>;
  std::pair<std::string, Holds> some_number(std::size_t first, std::size_t count,
                                            unsigned KnownFacts::*number) {
    unsigned least = static_cast<unsigned>(first + random_.below(count));
    unsigned most = static_cast<unsigned>(first + random_.below(count));
    if (least > most) std::swap(least, most);
    std::string value = fmt::format("{}..{}", least, most);
    if (random_.one_in(3)) {
      most = ~0U;
      value = fmt::format("{}..", least);
    } else if (random_.one_in(2)) {
      most = least;
      value = std::to_string(least);
    }
    return {value, [=](const KnownFacts& of) {
              const unsigned it = of.*number;
              return it == 0 ? std::nullopt : Verdict(it >= least && it <= most);
            }};
  }
  std::pair<std::string, Holds> some_value(std::string_view key) {
    if (key == "born") return some_number(kFirstYear, kYears, &KnownFacts::born);
    if (key == "fide") return some_number(kFirstId, kIds, &KnownFacts::id);
    if (key == "title") {
      const std::string title = any<6>({"GM", "WGM", "IM", "FM", "HGM", "CM"});
      return {title, [title](const KnownFacts& of) {
                return Verdict(std::ranges::find(of.titles, title) != of.titles.end());
              }};
    }
    const std::string country = any<7>({"NOR", "RUS", "URS", "IND", "GEO", "HUN", "XXX"});
    return {country, [country](const KnownFacts& of) {
              const auto is_it = [&](std::string one) {
                std::ranges::transform(one, one.begin(), [](unsigned char c) {
                  return static_cast<char>(std::toupper(c));
                });
                return one == country;
              };
              if (of.countries.empty()) return Verdict();
              return Verdict(std::ranges::any_of(of.countries, is_it));
            }};
  }
  Asked some_condition() {
    const std::string key = any<4>({"title", "country", "born", "fide"});
    Asked asked{.name = "", .holds = nullptr, .side = any_side(), .is_negated = random_.one_in(2)};
    std::vector<Holds> alternatives;
    std::string values;
    for (std::size_t count = 1 + random_.below(3); count != 0; --count) {
      auto [value, holds] = some_value(key);
      values += (values.empty() ? "" : ",") + in_any_case(value);
      alternatives.push_back(std::move(holds));
    }
    asked.name = fmt::format("{}{}{}={}", asked.is_negated ? "not-" : "", asked.side, key, values);
    asked.holds = [alternatives](const KnownFacts& of) {
      Verdict any;
      for (const Holds& holds : alternatives) {
        const Verdict one = holds(of);
        if (one.has_value()) any = any.value_or(false) || *one;
      }
      return any;
    };
    return asked;
  }
  std::string_view any_side() {
    constexpr std::array<std::string_view, 3> kSides = {"", "white_", "black_"};
    return kSides[random_.below(kSides.size())];
  }

  static constexpr std::size_t kFirstYear = 1840, kYears = 160;
  static constexpr std::size_t kFirstId = 1'000'000, kIds = 200;

  tests::Random random_{5};
};

TEST_F(PersonFactsTest, AgreeWithPeopleAndTheirGames) {
  const tests::ScidDatabase sample(tests::test_data("sample/sample"));
  const Path people = folder_ / "x.ssp";
  put(people, invent_people(sample));
  options_.database.reference = reference(people);
  deal(sample, 3, 7);
  std::map<std::string, std::size_t> met;  // by condition without its value
  bool is_decided_by_game = false;
  for (const std::string_view of : {kWhole, kTogether}) {
    const std::string root(of);
    const Told told = tell(root);
    std::map<std::string, std::set<bool>> known;  // by name
    for (const ToldGame& game : told_games(root, told)) {
      known[game.white].insert(game.persons.contains("white_"));
    }
    is_decided_by_game = is_decided_by_game || std::ranges::any_of(known, [](const auto& name) {
                           return name.second.size() == 2;
                         });
    for (const std::string set :
         {"", "players/ca/Carlsen,_Magnus/", "eco/B/", "tree/e4/", "parts/4/2/",
          "search/year=2000../", "search/sample=1of2/", "search/opponent=Carlsen*/"}) {
      const std::vector<ToldGame> all = told_games(root + set, told);
      ASSERT_FALSE(all.empty()) << set;
      for (int round = 0; round < 40; ++round) {
        const Asked one = some_condition();
        const Asked other = some_condition();
        const bool has_other = random_.one_in(3);
        std::string asked = fmt::format("{}{}search/{}/", root, set, one.name);
        if (has_other) asked += fmt::format("search/{}/", other.name);
        std::size_t most = all.size();
        if (random_.one_in(4)) {
          most = 5;
          asked += "first=5/";
        }
        std::vector<std::string> expected;
        for (const ToldGame& game : all) {
          const bool is_found = game.meets(one) && (!has_other || game.meets(other));
          if (is_found && expected.size() < most) expected.push_back(game.place);
        }
        ASSERT_EQ(places(asked), expected) << asked;
        met[one.name.substr(0, one.name.find('='))] += expected.size();
      }
    }
  }
  EXPECT_TRUE(is_decided_by_game);
  EXPECT_EQ(met.size(), 2U * 3 * 4);
  for (const auto& [key, games] : met) EXPECT_NE(games, 0U) << key;
}

}  // namespace
}  // namespace scidfs::fs
