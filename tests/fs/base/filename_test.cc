#include "fs/base/filename.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "codec/text.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using codec::Date;
using codec::Result;
using ::testing::Eq;
using ::testing::Optional;
using ::testing::Pair;

constexpr Date kDay = {.year = 2013, .month = 11, .day = 9};

bool is_utf8(std::string_view text) {
  return codec::is_utf8({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void append_character(std::uint32_t code, std::string& out) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Half of it ASCII, with special characters and controls; `length` characters at most.
std::string random_name(std::mt19937& generator, unsigned length) {
  const auto random = [&] { return static_cast<std::uint32_t>(generator()); };
  std::string name;
  for (unsigned left = random() % (length + 1); left > 0; --left) {
    switch (random() % 6) {
      case 0:
        append_character(0x80 + random() % 0x780, name);
        break;
      case 1:
        append_character(0x3000 + random() % 0x8000, name);
        break;
      case 2:
        append_character(0x1F300 + random() % 0x300, name);
        break;
      default:
        append_character(random() % 0x80, name);
    }
  }
  return name;
}

// Invariants of every file name.
void expect_safe(const std::string& name, std::size_t limit) {
  SCOPED_TRACE(name);
  EXPECT_LE(name.size(), limit);
  ASSERT_FALSE(name.empty());
  EXPECT_TRUE(is_utf8(name));
  EXPECT_EQ(name.find_first_of("/*?\"<>|:\\'[]{};$~` "), std::string::npos);
  for (std::size_t i = 0; i < name.size(); ++i) {
    EXPECT_GE(static_cast<unsigned char>(name[i]), 0x20U);
    EXPECT_NE(name[i], 0x7F);
    if (name[i] != '%') continue;
    ASSERT_LT(i + 2, name.size());
    EXPECT_NE(std::string_view("0123456789ABCDEF").find(name[i + 1]), std::string_view::npos);
    EXPECT_NE(std::string_view("0123456789ABCDEF").find(name[i + 2]), std::string_view::npos);
  }
  EXPECT_NE(name.front(), '.');
  EXPECT_NE(name.front(), '-');
  EXPECT_NE(name.back(), '.');
  EXPECT_EQ(name.front() == '_', name.starts_with(kUnknownName));
}

TEST(EscapeName, EscapesExamples) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Carlsen,M", "Carlsen,M"},
      {"Carlsen, Magnus", "Carlsen,_Magnus"},
      {"", "_unknown"},
      {"?", "_unknown"},
      {"??", "%3F%3F"},
      {"_unknown", "%5Funknown"},
      {".", "%2E"},
      {"..", "%2E%2E"},
      {"...", "%2E.%2E"},
      {".hidden", "%2Ehidden"},
      {"-rf", "%2Drf"},
      {"a-b_c.d", "a-b_c.d"},
      {"-", "%2D"},
      {"_", "%5F"},
      {" ", "%20"},
      {"  ", "%20%20"},
      {"   ", "%20_%20"},
      {" a", "%20a"},
      {"_a", "%5Fa"},
      {"a ", "a%20"},
      {"a_", "a_"},
      {"Smith, J.", "Smith,_J%2E"},
      {"a/b", "a%2Fb"},
      {"100%", "100%25"},
      {"Bob~7", "Bob%7E7"},
      {"*?\"<>|", "%2A%3F%22%3C%3E%7C"},
      {":\\'[]{};$~%`", "%3A%5C%27%5B%5D%7B%7D%3B%24%7E%25%60"},
      {std::string("a\0b\x1F\x7F", 5), "a%00b%1F%7F"},
      {"Élő, Árpád", "Élő,_Árpád"},
      {"(a) & b! #1 @x ^ + = ,", "(a)_&_b!_#1_@x_^_+_=_,"},
      {"Карпов", "Карпов"},
      // Characters that terminals obey, that end lines, and that change the direction of text
      // beside them.
      {"a\u009Bb\u0085", "a%C2%9Bb%C2%85"},
      {"\u2028a\u202E\u2066b\u2069", "%E2%80%A8a%E2%80%AE%E2%81%A6b%E2%81%A9"},
      {"\u00A0«\u2027“\u206A", "\u00A0«\u2027“\u206A"},
  };
  for (const auto& [name, escaped] : cases) {
    EXPECT_EQ(escape_name(name), escaped);
    std::string out = "before/";
    append_escaped(name, out);
    EXPECT_EQ(out, "before/" + escaped);
  }
}

TEST(EscapeName, TruncatesBetweenCharacters) {
  const std::string full(kMaxNameBytes, 'a');
  EXPECT_EQ(escape_name(full), full);
  EXPECT_EQ(escape_name(full + "b"), full);
  for (std::size_t before = kMaxNameBytes - 4; before <= kMaxNameBytes; ++before) {
    const std::string start(before, 'a');
    const std::string_view whole = std::string_view(full).substr(0, before);
    const std::size_t room = kMaxNameBytes - before;
    EXPECT_EQ(escape_name(start + "%%%"), std::string(whole) + (room >= 3 ? "%25" : ""));
    EXPECT_EQ(escape_name(start + "♔♕"), std::string(whole) + (room >= 3 ? "♔" : ""));
    EXPECT_EQ(escape_name(start + "𝄞𝄞"), std::string(whole) + (room >= 4 ? "𝄞" : ""));
  }
}

TEST(EscapeName, InvalidUtf8DoesNotGiveEmptyName) {
  EXPECT_EQ(escape_name(std::string(1000, '\x80')).size(), kMaxNameBytes - 3);
}

TEST(EscapeName, TruncationLeavesNoDotAtTheEnd) {
  EXPECT_EQ(escape_name(std::string(kMaxNameBytes - 2, 'a') + "..bc"),
            std::string(kMaxNameBytes - 2, 'a'));
  EXPECT_EQ(escape_name(std::string(kMaxNameBytes - 1, 'a') + "."),
            std::string(kMaxNameBytes - 1, 'a'));
  EXPECT_EQ(escape_name(std::string(1000, '.')), "%2E");
}

TEST(EscapeName, RandomNamesAreSafe) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) expect_safe(escape_name(random_name(random, 120)), kMaxNameBytes);
}

// All short texts over an alphabet of all characters that are treated specially.
TEST(EscapeName, ShortNamesCollideOnlyByUnderscoreAndBlank) {
  constexpr std::string_view kAlphabet = "a _.-%~2E?";
  std::vector<std::string> names = {""};
  for (std::size_t i = 0; i < names.size() && names[i].size() < 4; ++i) {
    for (const char c : kAlphabet) names.push_back(names[i] + c);
  }
  std::map<std::string, std::string> seen;
  for (const std::string& name : names) {
    if (name == "?") continue;
    const auto [at, is_new] = seen.try_emplace(escape_name(name), name);
    if (is_new) continue;
    std::string first = at->second;
    std::string second = name;
    for (std::string* text : {&first, &second}) std::ranges::replace(*text, '_', ' ');
    EXPECT_EQ(first, second) << '"' << at->second << "\" and \"" << name << '"';
  }
}

TEST(EscapeName, RandomNamesCollideOnlyByTruncation) {
  std::mt19937 random(2);
  std::map<std::string, std::string> seen;
  for (int i = 0; i < 20000; ++i) {
    std::string name = random_name(random, 12);
    std::erase(name, '_');
    if (name.empty() || name == "?") continue;
    EXPECT_EQ(seen.try_emplace(escape_name(name), name).first->second, name);
  }
}

TEST(ShardOf, MatchesExamples) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"Carlsen,M", "ca"}, {"carlsen", "ca"}, {"Élő", "_l"},    {"Ok", "ok"},       {"Oé", "o_"},
      {"x", "x_"},         {"x~12", "x_"},    {"", "__"},       {"_unknown", "_u"}, {"%2Ea", "__"},
      {"7th", "_t"},       {"Карпов", "__"},  {"D'Arcy", "d_"}, {"♔a", "_a"},       {"Z[", "z_"},
  };
  for (const auto& [name, shard] : cases) EXPECT_EQ(shard_of(name), shard) << name;
}

TEST(FreeName, IsFreeAndNotTooLong) {
  struct Case {
    std::string stem;
    std::string ending;
    std::set<std::string> taken;
    std::string name;
  };
  const std::string most(251, 'x');
  const std::string accents = most + "é";
  for (const Case& one :
       std::vector<Case>{{"a", "", {}, "a"},
                         {"a", "", {"a", "a~1"}, "a~2"},
                         {"a", ".pgn", {"a"}, "a.pgn"},
                         {"a", ".pgn", {"a.pgn", "a~2.pgn"}, "a~1.pgn"},
                         {most + "yz", ".pgn", {}, most + ".pgn"},
                         {accents, ".db", {}, most + ".db"},
                         {most, ".pgn", {most + ".pgn"}, most.substr(2) + "~1.pgn"}}) {
    EXPECT_EQ(free_name(one.stem, one.ending,
                        [&one](const std::string& name) { return one.taken.contains(name); }),
              one.name);
  }
}

TEST(CollisionSuffix, SurvivesRoundTrip) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const std::string name = escape_name(random_name(random, 100));
    EXPECT_EQ(parse_collision_suffix(name), std::nullopt) << name;
    for (const std::uint32_t id : {0U, 1U, 4294967295U, static_cast<std::uint32_t>(random())}) {
      const std::string suffixed = with_collision_suffix(name, id);
      EXPECT_THAT(parse_collision_suffix(suffixed), Optional(Pair(Eq(name), id)));
      EXPECT_EQ(shard_of(suffixed), shard_of(name));
      EXPECT_LE(suffixed.size(), 255U);
    }
  }
}

TEST(CollisionSuffix, RefusesInvalidSuffixes) {
  for (const char* name : {"", "~", "~1", "a~", "a~x", "a~1x", "a~01", "a~-1", "a~+1", "a~ 1",
                           "a~4294967296", "a~99999999999", "a~1~2", "a"}) {
    EXPECT_EQ(parse_collision_suffix(name), std::nullopt) << name;
  }
}

TEST(GameFileName, MatchesExamples) {
  EXPECT_EQ(game_file_name(12345, "Carlsen,M", "Anand,V", kDay, Result::Draw),
            "00012345-Carlsen,M-Anand,V-2013.11.09-draw.pgn");
  EXPECT_EQ(game_file_name(1, "", "?", {}, Result::Unknown),
            "00000001-_unknown-_unknown-_unknown-unfinished.pgn");
  EXPECT_EQ(game_file_name(123456789, "A B", "-c.", {.year = 1851}, Result::WhiteWins),
            "123456789-A_B-%2Dc%2E-1851-1-0.pgn");
  EXPECT_EQ(game_file_name(4294967295, "a", "b", {.year = 850, .month = 6}, Result::BlackWins),
            "4294967295-a-b-0850.06-0-1.pgn");
  EXPECT_EQ(game_file_name(7, "a", "b", {.year = 1900, .month = 0, .day = 5}, Result::Draw),
            "00000007-a-b-1900-draw.pgn");
  EXPECT_EQ(game_file_name(7, "a", "b", {.year = 10000, .month = 1}, Result::Draw),
            "00000007-a-b-_unknown-draw.pgn");
  std::string out = "games/00012/";
  append_game_file_name(12345, "a", "b", kDay, Result::Draw, out);
  EXPECT_EQ(out, "games/00012/00012345-a-b-2013.11.09-draw.pgn");
}

TEST(GameFileName, PositionsHaveExtensionEpd) {
  EXPECT_EQ(game_file_name(12345, "a", "b", kDay, Result::Draw, kPositionsSuffix),
            "00012345-a-b-2013.11.09-draw.epd");
  bool alone = true;
  EXPECT_EQ(parse_game_number("00012345-a-b.epd", &alone, kPositionsSuffix), 12345u);
  EXPECT_FALSE(alone);
  EXPECT_EQ(parse_game_number("12345.epd", &alone, kPositionsSuffix), 12345u);
  EXPECT_TRUE(alone);
  EXPECT_EQ(parse_game_number("12345.pgn", nullptr, kPositionsSuffix), std::nullopt);
  EXPECT_EQ(parse_game_number("12345.epd"), std::nullopt);
}

TEST(GameFileName, LongNamesAreTruncatedEqually) {
  const std::string tail = "-2013.11.09-draw.pgn";
  const std::string a(300, 'a');
  const std::string b(300, 'b');
  std::string name = game_file_name(1, a, b, kDay, Result::Draw);
  EXPECT_EQ(name.size(), kMaxNameBytes + 4);
  EXPECT_EQ(std::ranges::count(name, 'b'), std::ranges::count(name, 'a') - 1) << "draw has one";
  EXPECT_TRUE(name.ends_with(tail));
  for (const bool long_white : {false, true}) {
    name = game_file_name(1, long_white ? a : "x", long_white ? "x" : b, kDay, Result::Draw);
    EXPECT_EQ(name.size(), kMaxNameBytes + 4);
    EXPECT_TRUE(name.starts_with(long_white ? "00000001-a" : "00000001-x-b"));
    EXPECT_TRUE(name.ends_with((long_white ? "a-x" : "b") + tail));
  }
}

TEST(GameFileName, RandomNamesSurviveRoundTrip) {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    const auto number = static_cast<std::uint32_t>(random() >> random() % 32);
    if (number == 0) continue;
    const Date date = {.year = static_cast<std::uint16_t>(random() % 65536),
                       .month = static_cast<std::uint8_t>(random() % 256),
                       .day = static_cast<std::uint8_t>(random() % 256)};
    const std::string name =
        game_file_name(number, random_name(random, 80), random_name(random, 80), date,
                       static_cast<Result>(random() % 4));
    expect_safe(name, kMaxNameBytes + 4);
    bool alone = true;
    EXPECT_EQ(parse_game_number(name, &alone), number);
    EXPECT_FALSE(alone);
    EXPECT_EQ(parse_game_number(std::to_string(number) + ".pgn", &alone), number);
    EXPECT_TRUE(alone);
    EXPECT_EQ(parse_games_directory(games_directory_name(number)), number / kGamesPerDirectory);
  }
}

TEST(ParseGameNumber, MatchesExamples) {
  const std::vector<std::pair<std::string, std::uint32_t>> good = {
      {"1.pgn", 1},
      {"12345.pgn", 12345},
      {"00012345.pgn", 12345},
      {"0000012345.pgn", 12345},
      {"4294967295.pgn", 4294967295},
      {"00012345-whatever it says.pgn", 12345},
      {"00012345--.pgn", 12345},
      {"123456789-a.pgn", 123456789},
  };
  for (const auto& [name, number] : good) EXPECT_EQ(parse_game_number(name), number) << name;
  for (const std::string& name : tests::words(
           ".pgn 0.pgn 00000000.pgn 00000000-a.pgn -1.pgn +1.pgn 1 1.PGN 1.epd 1.pgn.pgn "
           "1a.pgn a1.pgn 4294967296.pgn 9999999999.pgn 00000000001.pgn "
           "99999999999999999999999.pgn 12345-a.pgn 012345678-a.pgn 00012345-.pgn 00012345-a "
           "00012345_a.pgn -.pgn 0x10.pgn")) {
    EXPECT_EQ(parse_game_number(name), std::nullopt) << name;
  }
  for (const char* name : {"", " 1.pgn", "1 .pgn"}) {
    EXPECT_EQ(parse_game_number(name), std::nullopt) << name;
  }
}

TEST(GamesDirectory, MatchesExamples) {
  EXPECT_EQ(games_directory_name(1), "00000");
  EXPECT_EQ(games_directory_name(999), "00000");
  EXPECT_EQ(games_directory_name(1000), "00001");
  EXPECT_EQ(games_directory_name(12345), "00012");
  EXPECT_EQ(games_directory_name(4294967295), "4294967");
  EXPECT_EQ(parse_games_directory("00012"), 12U);
  EXPECT_EQ(parse_games_directory("4294967"), 4294967U);
  for (const char* name :
       {"", "0", "12", "0012", "000012", "4294968", "0001x", "-0001", "00012 "}) {
    EXPECT_EQ(parse_games_directory(name), std::nullopt) << name;
  }
}

TEST(EventDirectoryName, MatchesExamples) {
  EXPECT_EQ(event_directory_name("World Championship", "Chennai IND"),
            "World_Championship--Chennai_IND");
  EXPECT_EQ(event_directory_name("", "?"), "_unknown--_unknown");
  EXPECT_EQ(event_directory_name("A/B.", "-c"), "A%2FB%2E--%2Dc");
  const std::string long_event = event_directory_name(std::string(300, 'e'), "Linares");
  EXPECT_EQ(long_event, std::string(kMaxNameBytes - 9, 'e') + "--Linares");
  const std::string both = event_directory_name(std::string(300, 'e'), std::string(300, 's'));
  EXPECT_EQ(both, std::string(99, 'e') + "--" + std::string(99, 's'));
}

TEST(EventDirectoryName, DifferentPairsDoNotCollide) {
  constexpr std::string_view kAlphabet = "a-%2D";
  std::vector<std::string> texts = {""};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 4; ++i) {
    for (const char c : kAlphabet) texts.push_back(texts[i] + c);
  }
  std::set<std::string> seen;
  for (const std::string& event : texts) {
    for (const std::string& site : texts) {
      if (event.find('-') == std::string::npos && site.find('-') == std::string::npos) continue;
      EXPECT_TRUE(seen.insert(event_directory_name(event, site)).second) << event << '|' << site;
    }
  }
}

TEST(EventDirectoryName, RandomNamesAreSafe) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    expect_safe(event_directory_name(random_name(random, 80), random_name(random, 80)),
                kMaxNameBytes);
  }
}

}  // namespace
}  // namespace scidfs::fs
