// What our own writer of PGN has written is read back: the same tags, moves, NAGs, comments and
// variations in the same places. tests/support/pgn_parse.h says what is written, and shares no code
// with the reader.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "codec/pgn.h"
#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/pgn_events.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"

namespace scidfs::codec {
namespace {

using tests::EventsOfGame;
using tests::PgnGame;
using tests::PgnTag;
using tests::PgnToken;

// A line end beside a blank goes, any other one becomes a blank.
std::string in_one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) {
    const bool beside_blank =
        (at != 0 && text[at - 1] == ' ') || (at + 1 < text.size() && text[at + 1] == ' ');
    text.replace(at, 1, beside_blank ? "" : " ");
  }
  return std::string(trim(text));
}

// The tokens that the reader must find: without numbers and the result; comments without blanks at
// their ends, and not if nothing else is in them.
std::vector<PgnToken> tokens_of(const PgnGame& game) {
  std::vector<PgnToken> tokens;
  for (PgnToken& token : tests::parse_movetext(game.movetext)) {
    if (token.kind == PgnToken::Kind::Result) continue;
    token.number.clear();
    if (token.kind == PgnToken::Kind::Comment) {
      token.text = in_one_line(token.text);
      if (token.text.empty()) continue;
    }
    tokens.push_back(token);
  }
  return tokens;
}

std::vector<PgnTag> tags_of(const PgnGame& game) {
  std::vector<PgnTag> tags;
  for (const PgnTag& tag : game.tags) tags.push_back({tag.name, tests::unescape(tag.value)});
  return tags;
}

// Returns whether the reader finds one game in the text, which is the one that is written there.
bool reads_back(const std::string& text) {
  const tests::PgnEvents events = tests::events_of(text);
  const PgnGame written = tests::parse_pgn(text).at(0);
  if (events.games().size() != 1) {
    ADD_FAILURE() << events.games().size() << " games in " << text;
    return false;
  }
  const EventsOfGame& read = events.games()[0];
  EXPECT_EQ(read.line, 1U);
  EXPECT_EQ(read.tags, tags_of(written)) << text;
  EXPECT_EQ(result_token(read.result), tests::tag_value(written, "Result")) << text;
  std::vector<PgnToken> expected = tokens_of(written);
  std::vector<PgnToken> found = read.tokens;
  // Before a null move the writer does not look for mate.
  for (std::vector<PgnToken>* tokens : {&expected, &found}) {
    for (PgnToken& token : *tokens) {
      if (token.kind == PgnToken::Kind::Move && token.text.ends_with('#')) token.text.back() = '+';
    }
  }
  return found == expected;
}

TEST(PgnRoundTrip, ReadsRandomGames) {
  tests::Random random(32);
  for (int i = 0; i < 300; ++i) {
    tests::RandomGameOptions options{.plies = random.below(120)};
    if (random.one_in(3)) options.fen = tests::random_fen(random);
    const std::string record = tests::random_game(random, options).record();
    for (const unsigned width : {0U, 80U}) {
      const std::string text = tests::render_record(record, {.width = width}).text;
      EXPECT_TRUE(reads_back(text)) << text << tests::events_of(text).text();
    }
  }
}

struct Database {
  std::string path;
  std::string_view suffix = ".si4";
  std::uint32_t step = 1;   // every so many games
  std::size_t illegal = 0;  // games that have illegal moves
};

void expect_read_back(const Database& tested) {
  if (!std::filesystem::exists(tested.path + std::string(tested.suffix))) GTEST_SKIP();
  const tests::ScidDatabase database(tested.path, tested.suffix);
  codec::scid::GameText writer({}, database.format().castling);
  std::size_t illegal = 0;
  for (std::uint32_t game = 0; game < database.games(); game += tested.step) {
    const tests::RenderedGame rendered = database.render(game, writer);
    if (rendered.damage.has_value()) continue;
    if (reads_back(rendered.text)) continue;
    const std::string events = tests::events_of(rendered.text).text();
    EXPECT_NE(events.find(": illegal move "), std::string::npos) << rendered.text << events;
    ++illegal;
  }
  EXPECT_EQ(illegal, tested.illegal) << tested.path;
}

TEST(PgnRoundTrip, ReadsFixtures) {
  for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
    expect_read_back({.path = tests::test_data("scid4/" + stem)});
  }
  expect_read_back({.path = tests::test_data("scid5/chess960"), .suffix = ".si5"});
  expect_read_back({.path = tests::test_data("scid3/endings"), .suffix = ".si3"});
  expect_read_back({.path = tests::test_data("sample/sample")});
}

class PgnRoundTripLarge : public ::testing::TestWithParam<Database> {};

TEST_P(PgnRoundTripLarge, ReadsGames) {
  Database tested = GetParam();
  tested.path = tests::shared_folder() + "/data/" + tested.path;
  expect_read_back(tested);
}

INSTANTIATE_TEST_SUITE_P(Shared, PgnRoundTripLarge,
                         ::testing::Values(Database{.path = "masters", .step = 7},
                                           Database{.path = "annotated"},
                                           Database{.path = "third_party/five"},
                                           Database{.path = "third_party/scid_gtest"},
                                           Database{.path = "third_party/scinc_test"},
                                           Database{.path = "third_party/svpc_endings"},
                                           Database{.path = "third_party/svpc_matein1"}));

}  // namespace
}  // namespace scidfs::codec
