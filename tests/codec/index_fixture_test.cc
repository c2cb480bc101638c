// Compares index and names of every fixture with Scid's own export of its games.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "codec/date.h"
#include "codec/scid/index.h"
#include "codec/scid/lines.h"
#include "codec/scid/names.h"
#include "tests/support/files.h"

namespace scidfs::codec::scid {
namespace {

using tests::as_bytes;
using tests::read_file;
using tests::test_data;

struct PrintedGame {
  std::vector<std::string> tags;
  std::string moves;  // in one line
};

std::vector<PrintedGame> parse_print(const std::string& text) {
  std::vector<PrintedGame> games;
  std::istringstream in(text);
  bool in_tags = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[Event \"")) {
      games.emplace_back();
      in_tags = true;
    }
    if (games.empty()) continue;
    if (line.empty()) {
      in_tags = false;
    } else if (in_tags) {
      games.back().tags.push_back(line);
    } else if (!line.starts_with("GAME ")) {
      std::string& moves = games.back().moves;
      if (!moves.empty() && moves.back() != ' ') moves += ' ';
      moves += line;
    }
  }
  return games;
}

struct Database {
  explicit Database(const std::string& path)
      : index(read_file(path + ".si4")), names(parse_names(as_bytes(read_file(path + ".sn4")))) {
    const absl::StatusOr<IndexHeader> header = parse_index_header(as_bytes(index));
    EXPECT_TRUE(header.ok()) << path;
    if (header.ok()) games = header->games;
    EXPECT_EQ(index.size(), kIndexHeaderSize + games * kIndexEntrySize);
    EXPECT_TRUE(names.status.ok()) << path << ": " << names.status.ToString();
  }

  IndexEntry entry(std::size_t game) const {
    return parse_index_entry(as_bytes(index).subspan(kIndexHeaderSize + game * kIndexEntrySize));
  }

  std::string index;
  Names names;
  std::size_t games = 0;
};

// Returns the tags that come from the index and the names, as Scid writes them (without escapes).
std::vector<std::string> index_tags(const IndexEntry& entry, const Names& names) {
  std::vector<std::string> tags;
  const auto add = [&tags](std::string_view name, std::string_view value) {
    tags.push_back(fmt::format("[{} \"{}\"]", name, value));
  };
  add("Event", names[NameKind::Event].text(entry.event));
  add("Site", names[NameKind::Site].text(entry.site));
  add("Date", to_string(entry.date));
  add("Round", names[NameKind::Round].text(entry.round));
  add("White", names[NameKind::Player].text(entry.white));
  add("Black", names[NameKind::Player].text(entry.black));
  add("Result", result_token(entry.result));
  const auto add_rating = [&add](std::string_view color, Rating rating) {
    if (rating.value == 0) return;
    add(fmt::format("{}{}", color, rating_name(rating.type)), std::to_string(rating.value));
  };
  add_rating("White", entry.white_rating);
  add_rating("Black", entry.black_rating);
  if (const std::string eco = eco_to_string(entry.eco); !eco.empty()) add("ECO", eco);
  if (!entry.event_date.empty()) add("EventDate", to_string(entry.event_date));
  return tags;
}

bool is_rating_of(std::string_view color, std::string_view tag) {
  for (const RatingType type :
       {RatingType::Elo, RatingType::Rating, RatingType::Rapid, RatingType::Iccf, RatingType::Uscf,
        RatingType::Dwz, RatingType::Ecf}) {
    if (tag.starts_with(fmt::format("[{}{} ", color, rating_name(type)))) return true;
  }
  return false;
}

std::string without_comments(std::string_view moves) {
  std::string rest;
  bool in_comment = false;
  for (const char c : moves) {
    if (c == '{') in_comment = true;
    if (!in_comment) rest += c;
    if (c == '}') in_comment = false;
  }
  return rest;
}

// Compares all games except those with (1-based) numbers in `odd`.
void compare(const std::string& database_path, const std::string& print_path,
             const std::vector<std::size_t>& odd = {}) {
  const Database database(database_path);
  const std::vector<PrintedGame> printed = parse_print(read_file(print_path));
  ASSERT_EQ(printed.size(), database.games);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    SCOPED_TRACE(fmt::format("{} game {}", database_path, i + 1));
    if (std::ranges::find(odd, i + 1) != odd.end()) continue;
    const std::vector<std::string>& tags = printed[i].tags;
    const IndexEntry entry = database.entry(i);
    const std::vector<std::string> ours = index_tags(entry, database.names);
    ASSERT_GE(tags.size(), ours.size());
    const auto extra = tags.begin() + static_cast<std::ptrdiff_t>(ours.size());
    EXPECT_EQ(std::vector(tags.begin(), extra), ours);
    // The index is complete except for the second rating of a player, which is stored with the
    // game.
    for (auto tag = extra; tag != tags.end(); ++tag) {
      EXPECT_FALSE(tag->starts_with("[ECO ") || tag->starts_with("[EventDate ")) << *tag;
      EXPECT_FALSE(entry.white_rating.value == 0 && is_rating_of("White", *tag)) << *tag;
      EXPECT_FALSE(entry.black_rating.value == 0 && is_rating_of("Black", *tag)) << *tag;
    }
  }
}

class IndexFixture : public ::testing::TestWithParam<std::string> {};

TEST_P(IndexFixture, TagsEqualThoseOfScid) {
  const std::string path = test_data("scid4/" + GetParam());
  compare(path, path + ".expected.pgn");
}

INSTANTIATE_TEST_SUITE_P(Scid4, IndexFixture, ::testing::ValuesIn(tests::stems_in("scid4", ".si4")),
                         [](const auto& test) { return test.param; });

TEST(IndexFixtures, AllBundledFixturesExist) {
  EXPECT_EQ(tests::stems_in("scid4", ".si4").size(), 35u);
}

class HandmadeIndexFixture : public ::testing::TestWithParam<std::string> {};

TEST_P(HandmadeIndexFixture, TagsEqualThoseOfScid) {
  const std::string path = test_data("scid4/handmade/" + GetParam());
  compare(path, path + ".expected.txt");
}

INSTANTIATE_TEST_SUITE_P(Handmade, HandmadeIndexFixture,
                         ::testing::Values("bad_name_ids", "edge_comments", "edge_nags",
                                           "names_nul_inside", "names_trailing", "names_unsorted",
                                           "text_latin1_raw"),
                         [](const auto& test) { return test.param; });

TEST(IndexFixtures, OddValuesAreReadAsDocumented) {
  const std::string path = test_data("scid4/handmade/edge_index");
  compare(path, path + ".expected.txt", {1, 6});
  const Database database(path);
  // Where Scid prints White(null) and F00.
  EXPECT_EQ(database.entry(0).white_rating, (Rating{1500, RatingType::Elo}));
  EXPECT_EQ(database.entry(0).black_rating, (Rating{1400, RatingType::Ecf}));
  EXPECT_GT(database.entry(5).eco, kMaxEco);
  EXPECT_EQ(eco_to_string(database.entry(5).eco), "");
  EXPECT_EQ(flags_to_string(database.entry(6).flags), kFlagLetters);
}

TEST(IndexFixtures, TagsOfRealTournamentEqualThoseOfScid) {
  const std::string path = tests::shared_folder() + "/fixtures/scid4/res_database";
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared fixtures are not here";
  compare(path, path + ".expected.pgn");
}

TEST(IndexFixtures, StoredLinesEqualMovesOfTheirGames) {
  const std::string path = test_data("scid4/stored_lines");
  const Database database(path);
  const std::vector<PrintedGame> printed = parse_print(read_file(path + ".expected.pgn"));
  ASSERT_GE(printed.size(), kStoredLines);
  for (unsigned code = 1; code <= kStoredLines; ++code) {
    EXPECT_EQ(database.entry(code - 1).stored_line, code);
    EXPECT_EQ(std::string(stored_line(code)) + " *", printed[code - 1].moves);
  }
  for (std::size_t game = 0; game < printed.size(); ++game) {
    EXPECT_TRUE(printed[game].moves.starts_with(stored_line(database.entry(game).stored_line)));
  }
}

TEST(IndexFixtures, CountCodesAgreeWithText) {
  for (const std::string name : {"counts", "worked_example", "nags"}) {
    const std::string path = test_data("scid4/" + name);
    const Database database(path);
    const std::vector<PrintedGame> printed = parse_print(read_file(path + ".expected.pgn"));
    for (std::size_t game = 0; game < printed.size(); ++game) {
      SCOPED_TRACE(fmt::format("{} game {}", name, game + 1));
      const std::string& text = printed[game].moves;
      const std::string moves = without_comments(text);
      const auto count = [](const std::string& where, char what) {
        return static_cast<unsigned>(std::ranges::count(where, what));
      };
      const IndexEntry entry = database.entry(game);
      EXPECT_EQ(count_code(count(text, '{')), entry.comment_code);
      EXPECT_EQ(count_code(count(moves, '$')), entry.nag_code);
      EXPECT_EQ(count_code(count(moves, '(')), entry.variation_code);
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
