// Searches with random facets, also negated ones and lists, against an oracle that reads entries
// and names one by one, and knows what is unknown of a game. The random questions of
// tests/mounted/sets_test.cc do not reach what this does, except in large databases: more games
// than a short list has (narrow()), blocks in which a column has one value; ids without a name;
// lists of players' games that are made between two searches.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fs/search/search.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;

constexpr std::array<const char*, 12> kNames = {
    "Anna", "anna", "Ann\xC3\xA9", "Ann", "Bert", "Berta", "?", "", "a b", "Nana", "*", "ANNE"};

// Folds a name as far as the oracle has to: small letters, one accent.
std::string plain(std::string text) {
  for (std::size_t at; (at = text.find("\xC3\xA9")) != std::string::npos;) text.replace(at, 2, "e");
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// `*` and `?` in the textbook way; a blank of the value is `_`.
bool like(const std::string& text, const std::string& value, std::size_t t = 0, std::size_t v = 0) {
  if (v == value.size()) return t == text.size();
  if (value[v] == '*') {
    return like(text, value, t, v + 1) || (t < text.size() && like(text, value, t + 1, v));
  }
  if (t == text.size()) return false;
  const char wanted = value[v] == '_' ? ' ' : value[v];
  return (wanted == '?' || wanted == text[t]) && like(text, value, t + 1, v + 1);
}

// Whether a game meets a condition; nothing: that is not known of it.
using Truth = std::optional<bool>;
using Holds = std::function<Truth(std::uint32_t game, const IndexEntry& entry)>;

struct Query {
  std::string facet;
  Holds holds;
};

Truth known_if(bool is_known, bool holds) { return is_known ? Truth(holds) : std::nullopt; }

Truth either(Truth a, Truth b) {
  if (a == Truth(true) || b == Truth(true)) return true;
  return a.has_value() && b.has_value() ? Truth(false) : std::nullopt;
}

Truth no(Truth a) { return a.has_value() ? Truth(!*a) : a; }

Query negated(const Query& query) {
  return {"not-" + query.facet, [holds = query.holds](std::uint32_t game, const IndexEntry& e) {
            return no(holds(game, e));
          }};
}

// Returns a query for games that meet one or another query of the same key.
Query listed(const Query& a, const Query& b) {
  return {a.facet + "," + b.facet.substr(b.facet.find('=') + 1),
          [a = a.holds, b = b.holds](std::uint32_t game, const IndexEntry& e) {
            return either(a(game, e), b(game, e));
          }};
}

class SearchOracle {
 public:
  SearchOracle(const tests::ScidDatabase& database, tests::Random& random)
      : database_(database), random_(random) {}

  Truth matches(NameKind kind, std::uint32_t id, const std::string& value) const {
    std::string text(database_.names()[kind].text(id));
    const bool is_known = !text.empty() && text != "?";
    // If there is a `?`, an empty name counts as one.
    for (std::uint32_t other = 0; text.empty() && other < database_.names()[kind].size(); ++other) {
      if (database_.names()[kind].text(other) == "?") text = "?";
    }
    if (value == "_unknown") return !is_known;
    if (like(plain(text), plain(value))) return true;
    return known_if(is_known, false);
  }

  std::string some_name() {
    if (random_.one_in(8)) return "_unknown";
    std::string name = kNames[random_.below(kNames.size())];
    std::ranges::replace(name, ' ', '_');
    if (name.empty()) name = "*";
    for (char& c : name) {
      if (random_.one_in(6) && static_cast<unsigned char>(c) < 0x80)
        c = random_.one_in(2) ? '*' : '?';
    }
    return name;
  }

  // A range of numbers around the median of others, as text, and whether a number is in it.
  std::pair<std::string, std::function<bool(int)>> some_range(int least, int most) {
    const auto some = [&] {
      return least + static_cast<int>(random_.below(static_cast<std::size_t>(most - least + 1)));
    };
    const int a = some();
    const int b = some();
    const int low = std::min(a, b);
    const int high = std::max(a, b);
    switch (random_.below(5)) {
      case 0:
        return {std::to_string(a), [a](int n) { return n == a; }};
      case 1:
        return {std::to_string(a) + "..", [a](int n) { return n >= a; }};
      case 2:
        return {".." + std::to_string(a), [a](int n) { return n <= a; }};
      case 3:
        return {"..", [](int) { return true; }};
      default:
        return {std::to_string(low) + ".." + std::to_string(high),
                [low, high](int n) { return n >= low && n <= high; }};
    }
  }

  // A range of dates as text, and whether any day that a date may mean is in it: all or none.
  std::pair<std::string, std::function<Truth(codec::Date)>> some_dates() {
    // Neither the first month or day, nor the last: such a bound would decide more than it says.
    const auto some = [&] {
      codec::Date date{.year = static_cast<std::uint16_t>(1999 + random_.below(5))};
      if (random_.one_in(4)) return date;
      date.month = static_cast<std::uint8_t>(2 + random_.below(10));
      if (random_.one_in(2)) date.day = static_cast<std::uint8_t>(2 + random_.below(27));
      return date;
    };
    const auto text_of = [](codec::Date date) {
      std::string text = std::to_string(date.year);
      if (date.month != 0) text += "." + std::to_string(date.month);
      if (date.day != 0) text += "." + std::to_string(date.day);
      return text;
    };
    const auto end_of = [](codec::Date date) {
      if (date.month == 0) date.month = 99;
      if (date.day == 0) date.day = 99;
      return date;
    };
    codec::Date first = some();
    codec::Date last = random_.one_in(3) ? first : some();
    if (end_of(last) < first) std::swap(first, last);
    const bool is_open = random_.one_in(3);
    const std::string text =
        is_open ? text_of(first) + ".." : text_of(first) + ".." + text_of(last);
    return {text, [=](codec::Date date) {
              std::array<bool, 2> occurs{};
              for_each_day(date, [&](codec::Date day) {
                const bool is_in = day >= first && (is_open || day <= end_of(last));
                occurs[is_in ? 1 : 0] = true;
              });
              return known_if(occurs[0] != occurs[1], occurs[1]);
            }};
  }

  // A day without its month says nothing.
  template <class Visit>
  static void for_each_day(codec::Date date, const Visit& visit) {
    for (std::uint8_t month = 1; month <= 12; ++month) {
      for (std::uint8_t day = 1; day <= 31; ++day) {
        codec::Date one = date;
        if (date.month == 0) one.month = month;
        if (date.month == 0 || date.day == 0) one.day = day;
        visit(one);
      }
    }
  }

  Query by_name(const std::string& key, NameKind kind, std::uint32_t IndexEntry::*id) {
    const std::string value = some_name();
    return {key + "=" + value,
            [=, this](std::uint32_t, const IndexEntry& e) { return matches(kind, e.*id, value); }};
  }

  // `holds(in, game, entry)` asks whether numbers are in a range from `least` to `most`.
  template <class HoldsIn>
  Query by_number(const std::string& key, int least, int most, const HoldsIn& holds) {
    const auto [text, in] = some_range(least, most);
    return {key + "=" + text, [holds, in = in](std::uint32_t game, const IndexEntry& e) -> Truth {
              return holds(in, game, e);
            }};
  }

  Query some_query(std::size_t key) {
    using In = std::function<bool(int)>;
    const auto known = [](int number, const In& in) { return known_if(number != 0, in(number)); };
    switch (key) {
      case 0:
        return by_name("white", NameKind::Player, &IndexEntry::white);
      case 1:
        return by_name("black", NameKind::Player, &IndexEntry::black);
      case 2:
        return by_name("event", NameKind::Event, &IndexEntry::event);
      case 3:
        return by_number("year", 1999, 2003, [=](const In& in, std::uint32_t, const IndexEntry& e) {
          return known(e.date.year, in);
        });
      case 4:
        return by_number("month", 1, 12, [=](const In& in, std::uint32_t, const IndexEntry& e) {
          return known(e.date.month, in);
        });
      case 5:
        return by_number("elo", 2400, 2700, [=](const In& in, std::uint32_t, const IndexEntry& e) {
          return either(known(e.white_rating.elo(), in), known(e.black_rating.elo(), in));
        });
      case 6:
        return by_number("elo_difference", -200, 200,
                         [](const In& in, std::uint32_t, const IndexEntry& e) {
                           const int white = e.white_rating.elo();
                           const int black = e.black_rating.elo();
                           return known_if(white != 0 && black != 0, in(white - black));
                         });
      case 7:
        return by_number("plies", 0, 60, [](const In& in, std::uint32_t, const IndexEntry& e) {
          return in(e.plies);
        });
      case 8:
        return by_number("number", 1, static_cast<int>(database_.games()),
                         [](const In& in, std::uint32_t game, const IndexEntry&) {
                           return in(static_cast<int>(game) + 1);
                         });
      case 9: {
        constexpr std::array<const char*, 4> kWords = {"unknown", "1-0", "0-1", "draw"};
        const std::size_t result = random_.below(4);
        return {std::string("result=") + kWords[result],
                [result](std::uint32_t, const IndexEntry& e) {
                  return static_cast<std::size_t>(e.result) == result;
                }};
      }
      case 10: {
        std::string prefix =
            codec::eco_to_string(static_cast<codec::EcoCode>(1 + 131 * random_.below(500)));
        prefix.resize(1 + random_.below(3));
        return {"eco=" + prefix, [prefix](std::uint32_t, const IndexEntry& e) {
                  const std::string code = codec::eco_to_string(e.eco);
                  return known_if(!code.empty(), code.starts_with(prefix));
                }};
      }
      case 11: {
        const std::string letters = codec::scid::kFlagLetters;
        const char one = letters[random_.below(letters.size())];
        const char other = letters[random_.below(letters.size())];
        return {std::string("flag=") + one + "+" + other,
                [one, other](std::uint32_t, const IndexEntry& e) {
                  const std::string set = codec::scid::flags_to_string(e.flags);
                  return set.find(one) != std::string::npos && set.find(other) != std::string::npos;
                }};
      }
      case 12: {
        const bool any = random_.one_in(2);
        return {any ? "annotated=any" : "annotated=no", [any](std::uint32_t, const IndexEntry& e) {
                  return any == (e.comment_code != 0 || e.variation_code != 0 || e.nag_code != 0);
                }};
      }
      case 13: {
        const auto [text, in] = some_dates();
        return {"date=" + text, [in = in](std::uint32_t, const IndexEntry& e) {
                  return e.date.year == 0 ? std::nullopt : in(e.date);
                }};
      }
      default: {
        const bool fen = random_.one_in(2);
        return {fen ? "start=fen" : "start=standard", [fen](std::uint32_t, const IndexEntry& e) {
                  return e.has(codec::scid::kFlagStart) == fen;
                }};
      }
    }
  }
  static constexpr std::size_t kKeys = 15;
  // The keys before this one have names.
  static constexpr std::size_t kFirstOfLists = 3;

  Query some_condition(std::size_t key) {
    Query query = some_query(key);
    while (key >= kFirstOfLists && random_.one_in(3)) query = listed(query, some_query(key));
    return random_.one_in(3) ? negated(query) : query;
  }

 private:
  const tests::ScidDatabase& database_;
  tests::Random& random_;
};

// Whether players of a game are a subject and its opponent.
Holds opponent(const SearchOracle& oracle, const std::string& subject, const std::string& other) {
  return [&oracle, subject, other](std::uint32_t, const IndexEntry& e) {
    const auto is = [&](std::uint32_t one, std::uint32_t id) -> Truth {
      if (oracle.matches(NameKind::Player, one, subject) != Truth(true)) return false;
      return oracle.matches(NameKind::Player, id, other);
    };
    return either(is(e.white, e.black), is(e.black, e.white));
  };
}

class SearchRandomTest : public DatabaseTest {
 protected:
  // Values change slowly, as in real databases, so that whole blocks agree on some.
  static tests::ScidFiles make(tests::Random& random, std::size_t games) {
    tests::ScidFilesBuilder builder;
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      builder.name(NameKind::Player, kNames[i]);
      builder.name(NameKind::Event, kNames[i]);
    }
    builder.name(NameKind::Site, "");
    builder.name(NameKind::Round, "1");
    const std::string record = tests::ScidEncoder().record();
    IndexEntry entry;
    for (std::size_t game = 0; game < games; ++game) {
      const std::size_t rarely = 1 + game / 300 % 3 * 100;
      // One id more than there are names.
      if (random.one_in(2))
        entry.white = static_cast<std::uint32_t>(random.below(kNames.size() + 1));
      if (random.one_in(2))
        entry.black = static_cast<std::uint32_t>(random.below(kNames.size() + 1));
      if (random.one_in(rarely))
        entry.event = static_cast<std::uint32_t>(random.below(kNames.size() + 1));
      if (random.one_in(rarely)) {
        entry.date = random.one_in(9)
                         ? codec::Date()
                         : codec::Date{.year = static_cast<std::uint16_t>(1999 + random.below(5)),
                                       .month = static_cast<std::uint8_t>(random.below(14)),
                                       .day = static_cast<std::uint8_t>(random.below(31))};
      }
      const auto rating = [&] {
        return codec::Rating{
            .value = static_cast<std::uint16_t>(random.one_in(4) ? 0 : 2400 + random.below(300)),
            .type = static_cast<codec::RatingType>(random.one_in(9) ? 1 + random.below(6) : 0)};
      };
      if (random.one_in(rarely)) entry.white_rating = rating();
      if (random.one_in(rarely)) entry.black_rating = rating();
      if (random.one_in(rarely))
        entry.flags = static_cast<std::uint32_t>(random.next() & random.next()) &
                      ((1U << codec::scid::kFlagCount) - 1);
      if (random.one_in(3)) entry.eco = static_cast<codec::EcoCode>(random.below(0x10000));
      if (random.one_in(2)) entry.result = static_cast<codec::Result>(random.below(4));
      entry.plies = static_cast<std::uint16_t>(random.below(60));
      entry.comment_code = static_cast<std::uint8_t>(random.one_in(3) ? 0 : random.below(16));
      entry.nag_code = static_cast<std::uint8_t>(random.one_in(3) ? 0 : random.below(16));
      builder.game(entry, record);
    }
    return builder.files();
  }
};

TEST_F(SearchRandomTest, AgreesWithOracle) {
  tests::Random random(20);
  std::size_t found_at_all = 0;
  for (const std::size_t games : {1, 127, 500, 3000, 9000}) {
    const tests::ScidFiles files = make(random, games);
    const tests::ScidDatabase read(files, ".si4");
    const DatabasePtr database = open(files);
    SearchOracle oracle(read, random);
    for (int round = 0; round < 120; ++round) {
      if (round == 40) (void)database->lists().player_games();
      std::vector<FacetGroup> groups;
      std::vector<Holds> all;
      std::string asked;
      std::string subject;  // none: empty
      for (std::size_t g = random.below(3) + 1; g != 0; --g) {
        FacetGroup& group = groups.emplace_back();
        const auto add = [&](const Query& query) {
          asked += " " + query.facet;
          all.push_back(query.holds);
          absl::StatusOr<Facet> facet = parse_facet(query.facet);
          ASSERT_TRUE(facet.ok()) << query.facet << facet.status();
          group.push_back(*std::move(facet));
        };
        const bool has_player = random.one_in(4);
        const bool has_opponent = random.one_in(4);
        if (has_player) subject = oracle.some_name();
        if (has_opponent) {
          const std::string other = oracle.some_name();
          add({"opponent=" + other, opponent(oracle, subject.empty() ? "*" : subject, other)});
        }
        if (random.one_in(6)) {
          const std::string other = oracle.some_name();
          add(negated(
              {"opponent=" + other, opponent(oracle, subject.empty() ? "*" : subject, other)}));
        }
        if (has_player) add({"player=" + subject, opponent(oracle, subject, "*")});
        if (random.one_in(6)) {
          const std::string other = oracle.some_name();
          add(negated({"player=" + other, opponent(oracle, "*", other)}));
        }
        for (std::size_t key = 0; key < SearchOracle::kKeys; ++key) {
          if (random.one_in(10)) add(oracle.some_condition(key));
        }
        asked += " /";
      }
      const bool deleted = random.one_in(4);
      const DatabaseGames set =
          deleted ? DatabaseGames(database, database->loaded().deleted(), Part::Deleted)
                  : DatabaseGames(database, database->shown());
      std::vector<GameIndex> expected;
      for (const GameIndex game : games_in(set)) {
        const IndexEntry entry = read.entry(game);
        if (std::ranges::all_of(
                all, [&](const Holds& holds) { return holds(game, entry) == Truth(true); })) {
          expected.push_back(game);
        }
      }
      const auto found = search(set, std::nullopt, groups, WorkBudget::unlimited(nullptr));
      ASSERT_TRUE(found.ok()) << found.status();
      ASSERT_EQ(games_in(*found), expected) << games << " games:" << asked;
      found_at_all += expected.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(found_at_all, 100U);
}

}  // namespace
}  // namespace scidfs::fs
