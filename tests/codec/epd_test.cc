// Compares EPD lines with a slow path: the moves of the PGN text, played one by one.
#include "codec/epd.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "codec/movegen.h"
#include "codec/scid/game_epd.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::PgnToken;
using tests::Random;
using tests::ScidEncoder;

constexpr std::uint32_t kNumber = 12345;

// Writes the lines of game 12345, and checks their announced length, and each line alone.
std::string epd_of(Bytes record, Result result = Result::Unknown,
                   CastlingRule rule = CastlingRule::Chess960) {
  const GamePlace place{.number = kNumber, .offset = 1000};
  GameEpd writer(rule);
  TextBuffer out;
  writer.append(place, result, record, out);
  EXPECT_EQ(writer.length(place, result, record), out.size());
  TextBuffer lines;
  const auto count = static_cast<std::uint32_t>(std::ranges::count(out.view(), '\n'));
  for (std::uint32_t ply = 0; ply <= count; ++ply) {
    writer.append_line(place, result, record, ply, lines);
  }
  EXPECT_EQ(lines.view(), out.view());
  return std::string(out.view());
}

std::string epd_of(const std::string& record, Result result = Result::Unknown) {
  // A copy of the exact size, so that a sanitizer detects reads beyond the end.
  return epd_of(std::vector<std::uint8_t>(record.begin(), record.end()), result);
}

// Returns the first four fields of a FEN, square by square.
std::string slow_fields(const Position& position) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    for (int file = 0; file < 8; ++file) {
      const Piece piece = position.piece_at(make_square(file, rank));
      const char letter = "KQRBNP1"[static_cast<std::size_t>(piece.type)];
      text +=
          piece.color == Color::Black && !piece.empty() ? static_cast<char>(letter + 32) : letter;
    }
    if (rank != 0) text += '/';
  }
  for (int run = 8; run > 1; --run) {
    const std::string ones(static_cast<std::size_t>(run), '1');
    for (std::size_t at; (at = text.find(ones)) != std::string::npos;) {
      text.replace(at, ones.size(), std::to_string(run));
    }
  }
  const std::string fen = position.fen();
  std::istringstream fields(fen.substr(fen.find(' ')));
  for (std::string field;
       text.find_last_of(' ') == std::string::npos || std::ranges::count(text, ' ') < 3;) {
    fields >> field;
    text += ' ' + field;
  }
  return text;
}

// Returns the expected lines of a game that begins in `position`, from its PGN.
std::string slow_epd(Position position, std::string_view movetext, Result result) {
  std::string text;
  unsigned ply = 0;
  int depth = 0;
  for (const PgnToken& token : tests::parse_movetext(movetext)) {
    if (token.kind == PgnToken::Kind::Open) ++depth;
    if (token.kind == PgnToken::Kind::Close) --depth;
    if (token.kind != PgnToken::Kind::Move || depth != 0) continue;
    const std::string played =
        token.text.starts_with("--") ? "c2 \"null move\"" : "sm " + token.text;
    text += fmt::format("{} id \"{}.{}\"; {};\n", slow_fields(position), kNumber, ++ply, played);
    const std::optional<Move> move = parse_san(position, token.text);
    EXPECT_TRUE(move.has_value()) << token.text << " in " << position.fen();
    if (!move.has_value()) return text;
    position.make(*move);
  }
  return text + fmt::format("{} id \"{}.{}\"; c0 \"{}\";\n", slow_fields(position), kNumber,
                            ply + 1, result_token(result));
}

TEST(Epd, MatchesExampleInHeader) {
  const std::string record = ScidEncoder().moves("e4 e5").record();
  EXPECT_EQ(epd_of(record, Result::WhiteWins),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"12345.1\"; sm e4;\n"
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 id \"12345.2\"; sm e5;\n"
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 id \"12345.3\"; c0 "
            "\"1-0\";\n");
}

TEST(Epd, GameWithoutMovesHasItsStartPosition) {
  EXPECT_EQ(epd_of(std::string("\0\0\x0F", 3)),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"12345.1\"; c0 \"*\";\n");
}

TEST(Epd, LastMoveIsMarkedAsMate) {
  EXPECT_THAT(epd_of(ScidEncoder().moves("f3 e5 g4 Qh4").record()),
              HasSubstr("id \"12345.4\"; sm Qh4#;\nrnb1kbnr"));
  // A check before it is not marked.
  EXPECT_THAT(epd_of(ScidEncoder().moves("e4 f5 Qh5 g6").record()), HasSubstr("; sm Qh5+;\n"));
}

// `sm --` is not valid EPD.
TEST(Epd, NullMoveBecomesComment) {
  EXPECT_THAT(epd_of(ScidEncoder().moves("e4 -- d4").record()),
              HasSubstr("id \"12345.2\"; c2 \"null move\";\n"));
}

TEST(Epd, RandomGamesAgreeWithTheirPgn) {
  Random random(20);
  std::vector<std::string> starts = tests::example_fens();
  starts.emplace_back();
  for (int round = 0; round < 200; ++round) {
    const std::string& fen = starts[random.below(starts.size())];
    const std::string record =
        tests::random_game(random, {.plies = 10 + random.below(250), .fen = fen}).record();
    const Position start = fen.empty() ? Position() : *Position::from_fen(fen);
    const auto result = static_cast<Result>(random.below(4));
    const std::string pgn = tests::render_record(record).text;
    ASSERT_EQ(epd_of(record, result), slow_epd(start, tests::parse_pgn(pgn)[0].movetext, result));
  }
}

class EpdFixture : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EpdFixture, GamesAgreeWithTheirPgn) {
  const auto& [prefix, suffix] = GetParam();
  const tests::ScidDatabase database(tests::test_data(prefix), suffix);
  const CastlingRule rule = database.format().castling;
  const std::vector<tests::RenderedGame> games = database.render_games();
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const tests::PgnGame pgn = tests::parse_pgn(games[game].text)[0];
    const std::string fen = tests::tag_value(pgn, "FEN");
    const Position start = fen.empty() ? Position() : *Position::from_fen(fen, rule);
    const Result result = database.entry(game).result;
    ASSERT_EQ(epd_of(*database.record(game), result, rule), slow_epd(start, pgn.movetext, result))
        << game + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bundled, EpdFixture,
    ::testing::Values(std::pair("scid3/endings", ".si3"), std::pair("scid4/castling", ".si4"),
                      std::pair("scid4/enpassant", ".si4"), std::pair("scid4/fen", ".si4"),
                      std::pair("scid4/captures", ".si4"), std::pair("scid5/chess960", ".si5")),
    [](const auto& test) { return test.param.first.substr(6); });

TEST(Epd, DamagedGameEndsAtItsDamage) {
  std::string record = ScidEncoder().moves("e4 e5 Nf3").record();
  const std::string whole = epd_of(record);
  ASSERT_EQ(record.back(), '\x0F');
  record.back() = '\x20';  // no move of a knight
  const std::string text = epd_of(record, Result::Draw);
  const std::size_t same = whole.rfind("; c0");
  EXPECT_EQ(text.substr(0, same), whole.substr(0, same));
  EXPECT_THAT(text, EndsWith("; c0 \"1/2-1/2\"; c1 \"scidfs: game 12345 is damaged at byte 1005 of "
                             "the game file: a piece's move leaves the board\";\n"));
}

TEST(Epd, GameWithBadStartHasNoPositions) {
  EXPECT_EQ(epd_of(std::string("\0\1no position\0\x0F", 15)), "");
  EXPECT_EQ(epd_of(std::string()), "");
}

// For any bytes of a record: lines have the announced length, each is a position, and they are
// numbered one by one.
TEST(Epd, RandomlyDamagedGamesKeepLengthAndNumbering) {
  Random random(21);
  for (int round = 0; round < 1000; ++round) {
    std::string record = tests::random_game(random, {.plies = 40}).record();
    for (int i = 0; i < 3; ++i) {
      record[random.below(record.size())] = static_cast<char>(random.below(256));
    }
    std::istringstream lines(epd_of(record));
    unsigned ply = 0;
    bool is_over = true;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t id = line.find(" id ");
      ASSERT_NE(id, std::string::npos) << line;
      const auto position = Position::from_fen(line.substr(0, id), CastlingRule::Chess960);
      ASSERT_TRUE(position.ok()) << line;
      ASSERT_TRUE(line.substr(id).starts_with(fmt::format(" id \"{}.{}\"; ", kNumber, ++ply)));
      is_over = line.find("\"; c0 \"*\";") != std::string::npos;
      ASSERT_EQ(tests::epd_move(line).empty(), is_over) << line;
    }
    EXPECT_TRUE(is_over);
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
