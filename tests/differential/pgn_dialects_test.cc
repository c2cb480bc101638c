// What Scid's import and pgn-extract make of PGN, and what our reader makes of it.
#include "tests/support/pgn_dialects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/differential/reference.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/pgn_events.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

using Kind = PgnToken::Kind;

// A line of moves as Scid stores it: the notes of a move in the order NAGs, comment, variations.
// Scid joins comments of one place, so blanks do not count.
class ScidLine {
 public:
  // Takes the tokens of a line, up to the bracket that closes it.
  static std::string of(const std::vector<PgnToken>& tokens, std::size_t& at) {
    ScidLine line;
    for (; at < tokens.size() && tokens[at].kind != Kind::Close; ++at) line.take(tokens, at);
    line.end_move();
    return line.text_;
  }

 private:
  void take(const std::vector<PgnToken>& tokens, std::size_t& at) {
    const PgnToken& token = tokens[at];
    if (token.kind == Kind::Nag) {
      nags_ += " $" + token.text;
    } else if (token.kind == Kind::Comment) {
      for (const char c : token.text) {
        if (static_cast<unsigned char>(c) > ' ') comment_ += c;
      }
    } else if (token.kind == Kind::Open) {
      variations_ += " (" + of(tokens, ++at) + ")";
    } else if (token.kind == Kind::Move) {
      end_move();
      text_ += ' ' + token.text;
    }
  }

  void end_move() {
    text_ += nags_;
    if (!comment_.empty()) text_ += " {" + comment_ + "}";
    text_ += variations_;
    nags_.clear();
    comment_.clear();
    variations_.clear();
  }

  std::string text_, nags_, comment_, variations_;
};

std::string scid_form(const std::vector<PgnToken>& tokens, std::string_view result) {
  std::size_t at = 0;
  return ScidLine::of(tokens, at) + ' ' + std::string(result);
}

std::vector<std::string> our_games(const char* pgn) {
  std::vector<std::string> games;
  const PgnEvents events = events_of(pgn);
  for (const EventsOfGame& game : events.games()) {
    games.push_back(scid_form(game.tokens, codec::result_token(game.result)));
  }
  return games;
}

std::string scids_game(const std::string& text) {
  const std::vector<PgnGame> games = parse_pgn(text);
  if (games.size() != 1) return text;
  return scid_form(parse_movetext(games[0].movetext), tag_value(games[0], "Result"));
}

// Returns the games of each dialect, as Scid imports it. A game of its own ends each.
std::vector<std::vector<std::string>> scids_games(const TemporaryFolder& folder) {
  std::string files;
  int number = 0;
  for (const PgnDialect& dialect : pgn_dialects()) {
    const std::filesystem::path file = folder / fmt::format("{}.pgn", number++);
    write_file(file, dialect.pgn);
    files += fmt::format(" '{}' '{}'", file.native(), (folder / "end.pgn").native());
  }
  write_file(folder / "end.pgn", "[Event \"the end of a dialect\"]\n\n*\n");
  const std::optional<std::string> printed = output_of(
      fmt::format("LC_ALL=C.UTF-8 timeout 120 '{}' '{}' '{}' {} < /dev/null",
                  find_program("tkscid"), source_path("tests/differential/scid_games.tcl").native(),
                  (folder / "base").native(), files));
  std::vector<std::vector<std::string>> games(1);
  for (const std::string& text : split(printed.value_or(""), '\f')) {
    if (text.find("the end of a dialect") != std::string::npos) {
      games.emplace_back();
    } else {
      games.back().push_back(scids_game(text));
    }
  }
  games.pop_back();
  return games;
}

TEST(PgnDialects, AreReadAsByScid) {
  if (find_program("tkscid").empty()) GTEST_SKIP() << "Scid is not installed";
  const TemporaryFolder folder;
  const auto theirs = scids_games(folder);
  ASSERT_EQ(theirs.size(), pgn_dialects().size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const PgnDialect& dialect = pgn_dialects()[i];
    std::string difference;
    const std::vector<std::string> ours = our_games(dialect.pgn);
    if (ours != theirs[i]) {
      for (const std::string& game : theirs[i]) difference += game + '\n';
    }
    EXPECT_EQ(difference, dialect.scid) << dialect.name;
  }
}

// The moves and brackets of each game.
std::vector<std::string> moves_in(const std::string& pgn) {
  std::vector<std::string> games;
  const PgnEvents events = events_of(pgn);
  for (const EventsOfGame& game : events.games()) {
    std::string& moves = games.emplace_back();
    for (const PgnToken& token : game.tokens) {
      if (token.kind == Kind::Open) moves += " (";
      if (token.kind == Kind::Close) moves += " )";
      if (token.kind == Kind::Move) moves += ' ' + token.text;
    }
    EXPECT_EQ(game.text.find(": the rest of the "), std::string::npos) << game.text;
  }
  return games;
}

// pgn-extract writes the games in each of its notations.
void expect_notations_read(const std::string& path, std::uint32_t step) {
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the database is not here";
  const TemporaryFolder folder;
  const ScidDatabase database(path);
  codec::scid::GameText writer({});
  std::string pgn;
  for (std::uint32_t game = 0; game < database.games(); game += step) {
    pgn += database.render(game, writer).text;
  }
  write_file(folder / "all.pgn", pgn);
  const std::vector<std::string> expected = moves_in(pgn);
  for (const std::string_view notation : {"san", "lalg", "halg", "elalg", "xlalg", "xolalg"}) {
    const std::optional<std::string> written = output_of(
        fmt::format("'{}' -s -W{} --allownullmoves '{}' 2> /dev/null", find_program("pgn-extract"),
                    notation, (folder / "all.pgn").native()));
    ASSERT_TRUE(written.has_value());
    EXPECT_EQ(moves_in(*written), expected) << notation << ' ' << path;
  }
}

TEST(PgnNotations, OfPgnExtractAreRead) {
  if (find_program("pgn-extract").empty()) GTEST_SKIP() << "pgn-extract is not installed";
  for (const std::string_view stem :
       {"captures", "castling", "comments", "enpassant", "promotions", "variations"}) {
    expect_notations_read(test_data("scid4/" + std::string(stem)), 1);
  }
  expect_notations_read(test_data("sample/sample"), 1);
}

TEST(PgnNotations, OfMastersAreRead) {
  if (find_program("pgn-extract").empty()) GTEST_SKIP() << "pgn-extract is not installed";
  expect_notations_read(shared_folder() + "/data/masters", 40);
}

}  // namespace
}  // namespace scidfs::tests
