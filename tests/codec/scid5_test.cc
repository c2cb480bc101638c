// Databases of Scid 5 with values that only this format can store, from a writer that makes the
// same bytes as Scid 5.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/facts.h"
#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::PgnGame;
using tests::PgnToken;
using tests::Scid5Builder;
using tests::ScidDatabase;
using tests::ScidEncoder;

// An entry with the same data about the moves as Scid's.
IndexEntry entry_of(const std::string& record) {
  const GameFacts facts =
      tests::facts_of_record(tests::as_bytes(record), CastlingRule::Chess960).value();
  IndexEntry entry = tests::entry_of_facts(facts);
  entry.plies = facts.plies % 1024;
  entry.nag_code = count_code(facts.nags);
  return entry;
}

std::vector<PgnToken> tokens_of(const std::string& text) {
  std::vector<PgnToken> tokens = tests::parse_movetext(tests::parse_pgn(text).at(0).movetext);
  std::erase_if(tokens, [](const PgnToken& token) { return token.kind == PgnToken::Kind::Result; });
  for (PgnToken& token : tokens) token.number.clear();
  return tokens;
}

void encode(const PgnToken& token, ScidEncoder& encoder) {
  switch (token.kind) {
    case PgnToken::Kind::Move:
      encoder.move(token.text);
      break;
    case PgnToken::Kind::Open:
      encoder.begin_variation();
      break;
    case PgnToken::Kind::Close:
      encoder.end_variation();
      break;
    case PgnToken::Kind::Nag:
      encoder.nag(static_cast<std::uint8_t>(std::stoi(token.text)));
      break;
    case PgnToken::Kind::Comment:
      encoder.comment(token.text);
      break;
    default:
      break;
  }
}

// The fixture was made by Scid 5.0.2.
TEST(Scid5Writer, WritesTheSameBytesAsScid) {
  const std::string path = tests::test_data("scid5/chess960");
  const ScidDatabase database(path, ".si5");
  const std::string pgn = tests::read_file(path + ".expected.pgn");
  const std::vector<PgnGame> games = tests::parse_pgn(pgn);
  ASSERT_EQ(games.size(), database.games());
  Scid5Builder builder;
  for (std::uint32_t number = 0; number < database.games(); ++number) {
    const PgnGame& game = games[number];
    const std::string fen = tests::tag_value(game, "FEN");
    ScidEncoder encoder = fen.empty() ? ScidEncoder() : ScidEncoder(fen, CastlingRule::Chess960);
    std::vector<ExtraTag> tags;
    RecordHead head;
    parse_record_head(database.record(number).value_or(Bytes()), tags, head);
    for (const ExtraTag& tag : tags) encoder.tag(tag.name, as_text(tag.value));
    for (const PgnToken& token : tests::parse_movetext(game.movetext)) encode(token, encoder);
    builder.game({.event = tests::tag_value(game, "Event"),
                  .site = tests::tag_value(game, "Site"),
                  .round = tests::tag_value(game, "Round"),
                  .white = tests::tag_value(game, "White"),
                  .black = tests::tag_value(game, "Black")},
                 database.entry(number), encoder.record());
  }
  const tests::ScidFiles scids = tests::read_scid_files(path, ".si5");
  EXPECT_EQ(builder.files().index, scids.index);
  EXPECT_EQ(builder.files().names, scids.names);
  EXPECT_EQ(builder.files().games, scids.games);
}

TEST(Scid5, ReadsLongNames) {
  const std::string event(300, 'e');
  std::string site;
  for (int i = 0; i < 200; ++i) site += "\xC3\xA9";
  const std::string white(4096, 'w');
  Scid5Builder builder;
  const std::string record = ScidEncoder().moves("e4 e5").record();
  builder.game({.event = event, .site = site, .round = std::string(256, '1'), .white = white},
               entry_of(record), record);
  const std::string text = ScidDatabase(builder.files(), ".si5").render();
  EXPECT_THAT(text, HasSubstr("[Event \"" + event + "\"]\n[Site \"" + site + "\"]\n"));
  EXPECT_THAT(text, HasSubstr("[White \"" + white + "\"]\n"));
}

TEST(Scid5, ReadsRatingsOfEverySystem) {
  Scid5Builder builder;
  const std::string record = ScidEncoder().record();
  for (unsigned type = 0; type < 7; ++type) {
    IndexEntry entry = entry_of(record);
    entry.white_rating = {.value = 4000, .type = static_cast<RatingType>(type)};
    entry.black_rating = {.value = 1, .type = static_cast<RatingType>(6 - type)};
    builder.game({}, entry, record);
  }
  const std::vector<std::string_view> names = {"Elo",  "Rating", "Rapid", "ICCF",
                                               "USCF", "DWZ",    "ECF"};
  const auto games = ScidDatabase(builder.files(), ".si5").render_games();
  for (std::size_t type = 0; type < names.size(); ++type) {
    EXPECT_THAT(games[type].text, HasSubstr(fmt::format("[White{} \"4000\"]\n[Black{} \"1\"]\n",
                                                        names[type], names[6 - type])));
  }
}

// Records of 131,071 bytes, the greatest length that an entry can store, and short ones between
// them: each long one begins at a border of blocks.
TEST(Scid5, ReadsRecordsThatFillWholeBlocks) {
  Scid5Builder builder;
  std::vector<std::string> comments;
  for (int number = 0; number < 4; ++number) {
    const std::string empty = ScidEncoder().move("e4").comment("").record();
    comments.emplace_back(number % 2 == 0 ? 131'071 - empty.size() : 5,
                          static_cast<char>('a' + number));
    const std::string record = ScidEncoder().move("e4").comment(comments.back()).record();
    builder.game({}, entry_of(record), record);
  }
  const ScidDatabase database(builder.files(), ".si5");
  EXPECT_EQ(database.entry(2).offset, 2 * 131'072u);
  EXPECT_EQ(database.entry(2).length, 131'071u);
  const auto games = database.render_games({.width = 0});
  for (std::size_t number = 0; number < games.size(); ++number) {
    EXPECT_FALSE(games[number].damage.has_value());
    EXPECT_EQ(tokens_of(games[number].text).at(1).text, comments[number]) << number;
  }
}

TEST(Scid5, ReadsGamesOf3000Plies) {
  tests::Random random(16);
  ScidEncoder encoder = tests::random_game(random, {.plies = 3000, .annotated = false});
  Scid5Builder builder;
  builder.game({}, entry_of(encoder.record()), encoder.record());
  const auto games = ScidDatabase(builder.files(), ".si5").render_games();
  EXPECT_FALSE(games.at(0).damage.has_value());
  EXPECT_THAT(tests::pgn_faults(games[0].text), IsEmpty());
  EXPECT_EQ(tokens_of(games[0].text), encoder.tokens());
  EXPECT_EQ(encoder.tokens().size(), 3000u);
}

TEST(Scid5, ReadsNagsFrom0To255) {
  ScidEncoder encoder;
  std::vector<std::string> expected;
  const std::vector<std::string_view> moves = {"Nf3", "Nf6", "Ng1", "Ng8"};
  for (unsigned nag = 0; nag < 256; ++nag) {
    encoder.move(moves[nag % 4]).nag(static_cast<std::uint8_t>(nag));
    if (nag != 0) expected.push_back(std::to_string(nag));  // 0 has no meaning, as in Scid
  }
  Scid5Builder builder;
  builder.game({}, entry_of(encoder.record()), encoder.record());
  std::vector<std::string> shown;
  for (const PgnToken& token : tokens_of(ScidDatabase(builder.files(), ".si5").render())) {
    if (token.kind == PgnToken::Kind::Nag) shown.push_back(token.text);
  }
  EXPECT_EQ(shown, expected);
}

// Kings and rooks on all squares, both castlings of each side; the king may stay, and king and rook
// may exchange squares.
TEST(Scid5, ReadsCastlingOfChess960) {
  Scid5Builder builder;
  std::vector<ScidEncoder> games;
  for (int king = 1; king < 7; ++king) {
    for (int rook = 0; rook < 8; ++rook) {
      if (rook == king) continue;
      std::string rank(8, '1');
      rank[static_cast<std::size_t>(king)] = 'K';
      rank[static_cast<std::size_t>(rook)] = 'R';
      std::string black = rank;
      std::ranges::transform(black, black.begin(), [](char c) { return c == '1' ? c : c | 0x20; });
      const std::string_view rights = rook > king ? "Kk" : "Qq";
      const std::string fen =
          fmt::format("{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {} - 0 1", black, rank, rights);
      ScidEncoder encoder(fen, CastlingRule::Chess960);
      const std::string_view castling = rook > king ? "O-O" : "O-O-O";
      encoder.moves("a3 h6").move(castling).move(castling).moves("h3 a6");
      games.push_back(encoder);
      builder.game({}, entry_of(encoder.record()), encoder.record());
    }
  }
  const auto shown = ScidDatabase(builder.files(), ".si5").render_games();
  ASSERT_EQ(shown.size(), games.size());
  for (std::size_t game = 0; game < games.size(); ++game) {
    EXPECT_FALSE(shown[game].damage.has_value()) << shown[game].text;
    EXPECT_EQ(tokens_of(shown[game].text), games[game].tokens());
    EXPECT_THAT(shown[game].text, HasSubstr(game % 7 == 0 ? "O-O-O" : "O-O"));
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
