// book.bin is what Polyglot makes of the same games, and engines play from it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

// Skips a test if a program is not installed; fails it in CI.
void require(const std::string& program) {
  if (run("command -v " + program).exit_code == 0) return;
  if (std::getenv("CI") != nullptr) FAIL() << program << " is required";
  GTEST_SKIP() << program << " is not installed, or not in PATH (/usr/games)";
}

// Returns the book that Polyglot makes of a file of games.
std::string book_of(const filesystem::path& games, const std::string& options) {
  const TemporaryFolder folder;
  const filesystem::path book = folder / "made.bin";
  run_ok(fmt::format("polyglot make-book -pgn {} -bin {} {}", word(games), word(book), options));
  return read_all(book);
}

// Compares books of a set with those of Polyglot. They are not printed if they differ.
void expect_books_of_polyglot(const filesystem::path& set) {
  SCOPED_TRACE(set.string());
  const filesystem::path games = set / "games.pgn";
  const std::string book = read_all(set / "book.bin");
  EXPECT_NE(book, "");
  EXPECT_TRUE(book == book_of(games, ""));
  for (const auto& [plies, fewest] :
       std::vector<std::pair<int, int>>{{1024, 1}, {40, 5}, {20, 2}, {7, 3}}) {
    const std::string name = fmt::format("plies={},games={}.bin", plies, fewest);
    EXPECT_TRUE(read_all(set / "book" / name) ==
                book_of(games, fmt::format("-max-ply {} -min-game {}", plies, fewest)))
        << name;
  }
}

class PolyglotTest : public SampleTest {};

// Polyglot reads neither null moves, as in game 1, nor the FEN of a game.
TEST_F(PolyglotTest, MakesTheSameBooks) {
  require("polyglot");
  if (is_over()) return;
  for (const char* const set :
       {"search/number=2../tree", "search/elo=2600..", "eco/B/tree/e4", "years/2018"}) {
    expect_books_of_polyglot(*mount_ / set);
  }
}

// Of so many games that it halves numbers.
TEST_F(PolyglotTest, MakesTheSameBookOfManyGames) {
  require("polyglot");
  if (is_over()) return;
  const filesystem::path masters = filesystem::path(shared_folder()) / "data" / "masters.si4";
  if (!filesystem::exists(masters)) GTEST_SKIP() << "the shared databases are not here";
  const Mount mount({.source = masters});
  ASSERT_TRUE(mount.ok());
  EXPECT_TRUE(read_all(mount / "book.bin") == book_of(mount / "all.pgn", ""));
}

// The games of each position have one reply to 1. d4.
TEST_F(PolyglotTest, AnEnginePlaysFromTheBook) {
  require("toga2");
  if (is_over()) return;
  for (const auto& [reply, move] : std::vector<std::pair<std::string, std::string>>{
           {"f5", "f7f5"}, {"e6", "e7e6"}, {"Nf6", "g8f6"}, {"d5", "d7d5"}}) {
    const filesystem::path book = *mount_ / "tree/d4" / reply / "book/games=1.bin";
    EXPECT_THAT(run_ok(fmt::format("printf '%s\\n' 'setoption name BookFile value {}' ucinewgame "
                                   "'position startpos moves d2d4' 'go depth 1' quit | toga2",
                                   book.string())),
                HasSubstr("bestmove " + move));
  }
}

}  // namespace
}  // namespace scidfs::tests
