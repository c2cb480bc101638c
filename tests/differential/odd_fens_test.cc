// Compares games with odd FENs, as Scid imports them and as other programs may store them, with the
// output of Scid 4.7.4: no FEN that Scid reads counts as damage.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/position.h"
#include "codec/san.h"
#include "tests/differential/reference.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/pgn_compare.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

using codec::Position;

constexpr int kGames = 480;

struct OddGame {
  std::string fen;  // as Scid imports it
  std::string san;
  std::string record;
};

// Returns a spelling of the board with slashes too many or missing, or with split runs of empty
// squares.
std::string odd_board(std::string board, Random& random) {
  switch (random.below(6)) {
    case 0:
      board.insert(board.find('/', random.below(board.rfind('/'))), random.below(3), '/');
      break;
    case 1:
      std::erase(board, '/');
      break;
    case 2:
      board.insert(0, "/");
      break;
    case 3:
      if (const std::size_t run = board.find('8'); run != std::string::npos) {
        board.replace(run, 1, "413");
      }
      break;
    default:
      break;
  }
  return board;
}

// A record may have any letters for castling; on import Scid skips games with some letters of
// Chess960.
enum class Source { Import, Record };

std::string odd_fen(const Position& position, Source source, Random& random) {
  const std::string fen = position.fen();
  const std::string_view rights = std::string_view(fen).substr(fen.find(' ') + 3);
  std::vector<std::string> castling = {std::string(rights.substr(0, rights.find(' ')))};
  const std::vector<std::string> others =
      tests::words("- -- --- KQkq K qk KKQQ HAha GBgb BFbf A hH ABCDEFGH");
  castling.insert(castling.end(), others.begin(), others.end());
  constexpr std::array<std::string_view, 16> kPassed = {"-",   "-",    "-",    "--", "---", "e3",
                                                        "d6",  "a3",   "h6",   "b3", "e6x", "d33",
                                                        "e60", "-e3x", "- - ", "g6"};
  static const std::vector<std::string> kCounters = tests::fields_of(
      "0 1|0 0|5 7|-1 -1|49 120|300 7|32767 32767|100 65535|70000 70000|0 99999999999|x y|3x "
      "7y|3,7|| 5|5 7 end|0 1;|007 0009|1000000 1000000|12 20000",
      '|');
  const std::string board = odd_board(fen.substr(0, fen.find(' ')), random);
  const char side = fen[fen.find(' ') + 1];
  const std::string_view blank = random.one_in(4) ? "" : random.one_in(6) ? "  " : " ";
  std::string odd = fmt::format("{}{}{}", board, blank, side);
  if (random.one_in(12)) return odd;
  odd += random.one_in(8) ? "" : " ";
  odd += castling[random.below(source == Source::Import ? 4 : castling.size())];
  if (random.one_in(12)) return odd;
  odd += fmt::format(" {}", kPassed[random.below(kPassed.size())]);
  if (random.one_in(12)) return odd;
  return odd + fmt::format(" {}", kCounters[random.below(kCounters.size())]);
}

// Plays four moves from the position, none of them by a right that depends on an odd field. Fewer
// if there are no more.
OddGame odd_game(Position position, Source source, Random& random) {
  OddGame game{.fen = odd_fen(position, source, random), .san = "", .record = ""};
  ScidEncoder encoder(position.fen());
  for (int ply = 0; ply < 4; ++ply) {
    const codec::Move move = random_move(position, random);
    if (move.kind != codec::MoveKind::Normal && move.kind != codec::MoveKind::DoublePush) break;
    game.san += codec::to_san(position, move) + ' ';
    encoder.move(move);
    position.make(move);
  }
  game.record = encoder.record();
  const std::size_t begin = 2;  // after the tags and the flags
  game.record.replace(begin, game.record.find('\0', begin) - begin, game.fen);
  return game;
}

std::vector<std::string> moves_of(const PgnGame& game) {
  std::vector<std::string> moves;
  for (const PgnToken& token : parse_movetext(game.movetext)) moves.push_back(token.text);
  return moves;
}

std::vector<OddGame> odd_games(Source source) {
  Random random(11);
  std::vector<OddGame> games;
  while (games.size() < kGames) {
    const std::string& fen = example_fens()[random.below(example_fens().size())];
    Position position = Position::from_fen(fen).value();
    for (std::size_t plies = random.below(20); plies != 0; --plies) {
      position.make(random_move(position, random));
    }
    games.push_back(odd_game(position, source, random));
  }
  return games;
}

// Returns Scid's text of each game of a database, or of a PGN file that is imported first.
std::vector<std::string> printed_by_scid(const std::filesystem::path& database,
                                         const std::string& pgn = "") {
  const std::optional<std::string> printed = output_of(fmt::format(
      "LC_ALL=C.UTF-8 timeout 120 '{}' '{}' '{}' {} < /dev/null", find_program("tkscid"),
      source_path("tests/differential/scid_games.tcl").native(), database.native(), pgn));
  return split(printed.value_or(""), '\f');
}

// Scid's text with the FEN that scidfs reads from it, without invalid fields.
std::string with_sensible_fen(std::string text) {
  constexpr std::string_view kTag = "[FEN \"";
  const std::size_t begin = text.find(kTag);
  if (begin == std::string::npos) return text;
  const std::size_t fen = begin + kTag.size();
  const std::size_t length = text.find('"', fen) - fen;
  const absl::StatusOr<Position> position = Position::from_fen(text.substr(fen, length));
  EXPECT_TRUE(position.ok()) << text;
  if (position.ok()) text.replace(fen, length, position->fen());
  return text;
}

class OddFens : public ::testing::Test {
 protected:
  void SetUp() override {
    if (find_program("tkscid").empty()) GTEST_SKIP() << "Scid is not installed";
  }

  TemporaryFolder folder_;
};

TEST_F(OddFens, AreShownAsScidShowsThemAfterImport) {
  std::string pgn;
  for (const OddGame& game : odd_games(Source::Import)) {
    pgn +=
        fmt::format("[Event \"odd\"]\n[Result \"*\"]\n[FEN \"{}\"]\n\n{}*\n\n", game.fen, game.san);
  }
  write_file(folder_ / "odd.pgn", pgn);
  const std::vector<std::string> theirs =
      printed_by_scid(folder_ / "odd", (folder_ / "odd.pgn").native());
  const std::vector<RenderedGame> ours = ScidDatabase(folder_ / "odd").render_games();
  ASSERT_EQ(theirs.size(), kGames);
  ASSERT_EQ(ours.size(), kGames);
  int with_fen = 0;
  for (std::size_t game = 0; game < kGames; ++game) {
    EXPECT_FALSE(ours[game].damage.has_value()) << ours[game].text;
    std::vector<PgnDifference> differences =
        compare_pgn(ours[game].text, with_sensible_fen(theirs[game]), {.scid = true});
    // Scid has 16 bits for move numbers.
    if (theirs[game].find(" 32767\"]") != std::string::npos) {
      std::erase_if(differences, [](const auto& one) { return one.aspect == PgnAspect::Numbers; });
    }
    EXPECT_THAT(differences, testing::IsEmpty()) << theirs[game];
    with_fen += theirs[game].find("[FEN ") == std::string::npos ? 0 : 1;
  }
  EXPECT_GE(with_fen, 400);
}

// The same FENs in records that another program has written.
TEST_F(OddFens, AreNotDamageIfScidReadsThem) {
  ScidFilesBuilder builder;
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    for (const std::string_view name : {"odd", "odder"}) {
      builder.name(static_cast<codec::scid::NameKind>(kind), name);
    }
  }
  for (const OddGame& game : odd_games(Source::Record)) builder.game({}, game.record);
  write_scid_files(builder.files(), folder_ / "odd");
  const std::vector<std::string> theirs = printed_by_scid(folder_ / "odd");
  const std::vector<RenderedGame> ours = ScidDatabase(folder_ / "odd").render_games();
  ASSERT_EQ(theirs.size(), kGames);
  ASSERT_EQ(ours.size(), kGames);
  int read = 0;
  for (std::size_t game = 0; game < kGames; ++game) {
    if (theirs[game] == "corrupt") continue;
    ++read;
    const PgnGame mine = parse_pgn(ours[game].text).at(0);
    const PgnGame scids = parse_pgn(theirs[game]).at(0);
    const auto board = [](const PgnGame& of) {
      const std::string fen = tag_value(of, "FEN");
      return fen.substr(0, fen.find(' ') + 2);
    };
    EXPECT_FALSE(ours[game].damage.has_value()) << ours[game].text;
    EXPECT_EQ(board(mine), board(scids));
    EXPECT_EQ(moves_of(mine), moves_of(scids)) << theirs[game];
  }
  EXPECT_GE(read, 400);
}

}  // namespace
}  // namespace scidfs::tests
