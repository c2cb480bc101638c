// Arrays and Parquet files of sets, held against index.tsv, plies.tsv, games.uci and fens/.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "codec/position.h"
#include "codec/uci.h"
#include "fs/columns/parquet_file.h"
#include "tests/fs/library_fixture.h"
#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/noted_games.h"
#include "tests/support/parquet_reader.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;
using tests::ParquetFile;
using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

// An array of a file of NumPy, whose numbers have so many bytes.
class Array {
 public:
  Array(const std::string& file, std::size_t item) : item_(item) {
    EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header =
        10 + static_cast<std::uint8_t>(file.at(8)) + 256 * static_cast<std::uint8_t>(file.at(9));
    EXPECT_EQ(header % 64, 0U);
    head_ = file.substr(10, header - 10);
    EXPECT_EQ(head_.back(), '\n');
    bytes_ = file.substr(header);
    EXPECT_EQ(bytes_.size() % item, 0U);
  }

  const std::string& head() const { return head_; }
  std::size_t size() const { return bytes_.size() / item_; }
  std::uint64_t at(std::size_t i) const {
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < item_; ++byte) {
      value |= std::uint64_t{static_cast<std::uint8_t>(bytes_.at(i * item_ + byte))} << (8 * byte);
    }
    return value;
  }
  std::int8_t signed_at(std::size_t i) const { return static_cast<std::int8_t>(at(i)); }

 private:
  const std::size_t item_;
  std::string head_, bytes_;
};

// A move of an array as UCI writes it.
std::string uci_of(std::uint64_t move) {
  if (move == 0x8000) return "0000";
  std::string text;
  for (const std::uint64_t square : {move & 63, move >> 6 & 63}) {
    text += static_cast<char>('a' + square % 8);
    text += static_cast<char>('1' + square / 8);
  }
  constexpr std::string_view kPromotions = "..nbrq";
  if (move >> 12 != 0) text += kPromotions.at(move >> 12);
  return text;
}

class ColumnFilesTest : public PgnLibraryTest {
 protected:
  Rows table(const std::string& path) const { return tests::rows_of(text(path)); }
  ParquetFile parquet(const std::string& path) const {
    ParquetFile file = tests::read_parquet(text(path));
    EXPECT_EQ(file.error, "") << path;
    return file;
  }

  // The cells of a column, as those of a table of text, as far as the types let them be.
  static void expect_column(const ParquetFile& file, std::string_view name, const Rows& rows,
                            std::size_t column) {
    const std::vector<std::string>& cells = file.column(name);
    ASSERT_EQ(cells.size(), rows.size()) << name;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      ASSERT_EQ(cells[row], rows[row].at(column)) << name << " of row " << row;
    }
  }

  void expect_games(const std::string& set) {
    SCOPED_TRACE(set);
    const Rows rows = table(set + "index.tsv");
    const ParquetFile file = parquet(set + "games.parquet");
    // The columns of index.tsv with the same cells.
    constexpr auto kSame = std::to_array<std::pair<const char*, std::size_t>>(
        {{"number", 0},    {"white", 1},        {"white_elo", 2},     {"black", 3},
         {"black_elo", 4}, {"result", 5},       {"date", 6},          {"round", 7},
         {"event", 8},     {"site", 9},         {"eco", 10},          {"plies", 11},
         {"path", 12},     {"event_date", 13},  {"variations", 15},   {"comments", 16},
         {"nags", 17},     {"stored_line", 18}, {"home_pawns", 20},   {"offset", 21},
         {"length", 22},   {"opening", 23},     {"white_rating", 25}, {"black_rating", 26}});
    for (const auto& [name, column] : kSame) expect_column(file, name, rows, column);
    EXPECT_EQ(file.all_rows(), rows.size());
    constexpr auto kFlags = std::to_array<const char*>(
        {"own_start",     "promotion",  "underpromotion", "deleted",    "white_opening",
         "black_opening", "middlegame", "endgame",        "novelty",    "pawn_structure",
         "tactics",       "kingside",   "queenside",      "brilliancy", "blunder",
         "user",          "custom1",    "custom2",        "custom3",    "custom4",
         "custom5",       "custom6"});
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t flag = 0; flag < kFlags.size(); ++flag) {
        const bool has = rows[row].at(14).find("SXYDWBMENPTKQ!?U123456"[flag]) != std::string::npos;
        ASSERT_EQ(file.column(kFlags[flag])[row], has ? "1" : "0") << kFlags[flag] << " " << row;
      }
      std::string material;
      for (const char* const side : {"white_material", "black_material"}) {
        const Row counts = tests::split(file.column(side)[row], ' ');
        material += fmt::format("{}Q{}R{}B{}N{}P{}", material.empty() ? "" : "-", counts.at(0),
                                counts.at(1), counts.at(2), counts.at(3), counts.at(4));
      }
      ASSERT_EQ(material, rows[row].at(19));
      const std::string& day = file.column("iso_date")[row];
      const bool is_whole = rows[row].at(24).size() == 10;
      ASSERT_EQ(!day.empty(), is_whole) << rows[row].at(24);
    }
  }

  // All that tells of positions; a game without any row in plies.tsv has one in the others.
  void expect_positions(const std::string& set) {
    SCOPED_TRACE(set);
    const Rows games = table(set + "index.tsv");
    const Array offsets(text(set + "offsets.npy"), 8);
    const Array moves(text(set + "moves.npy"), 2);
    const Array boards(text(set + "boards.npy"), 1);
    const Array states(text(set + "state.npy"), 1);
    ASSERT_EQ(offsets.size(), games.size() + 1);
    ASSERT_EQ(moves.size(), offsets.at(games.size()));
    ASSERT_EQ(boards.size(), (moves.size() + games.size()) * 64);
    ASSERT_EQ(states.size(), (moves.size() + games.size()) * 4);
    std::map<std::string, Rows> plies;
    for (const Row& row : table(set + "plies.tsv")) plies[row.at(0)].push_back(row);
    const ParquetFile file = parquet(set + "plies.parquet");
    const ParquetFile position_file = parquet(set + "positions.parquet");
    ASSERT_EQ(file.all_rows(), moves.size() + games.size());
    ASSERT_EQ(position_file.all_rows(), file.all_rows());
    std::size_t at = 0;
    for (std::size_t game = 0; game < games.size(); ++game) {
      ASSERT_EQ(at, offsets.at(game) + game);
      const Rows& rows = plies[games[game].at(0)];
      ASSERT_EQ(offsets.at(game + 1) - offsets.at(game) + 1, std::max<std::size_t>(1, rows.size()));
      for (std::size_t ply = 0; ply < std::max<std::size_t>(1, rows.size()); ++ply, ++at) {
        if (ply > 0) {
          ASSERT_EQ(uci_of(moves.at(at - game - 1)), rows.at(ply).at(3));
        }
        expect_row(file, at, rows.empty() ? nullptr : &rows.at(ply), games[game]);
        expect_board(boards, states, position_file, at, rows.empty() ? nullptr : &rows.at(ply));
      }
    }
  }
  static void expect_row(const ParquetFile& file, std::size_t at, const Row* row, const Row& game) {
    ASSERT_EQ(file.column("number")[at], game.at(0));
    ASSERT_EQ(file.column("result")[at], game.at(5));
    ASSERT_EQ(file.column("white_elo")[at], game.at(2));
    ASSERT_EQ(file.column("black_elo")[at], game.at(4));
    constexpr auto kSame = std::to_array<std::pair<const char*, std::size_t>>(
        {{"ply", 1}, {"san", 2}, {"uci", 3}, {"eval", 5}, {"clock", 6}, {"nag", 7}});
    for (const auto& [name, column] : kSame) {
      const std::string none = std::string_view(name) == "ply" ? "0" : "";
      ASSERT_EQ(file.column(name)[at], row == nullptr ? none : row->at(column))
          << name << " " << at;
    }
  }
  static void expect_board(const Array& boards, const Array& states, const ParquetFile& file,
                           std::size_t at, const Row* row) {
    std::string board;
    for (int rank = 7; rank >= 0; --rank) {
      int empty = 0;
      for (int square = 8 * rank; square < 8 * rank + 8; ++square) {
        const std::int8_t piece = boards.signed_at(at * 64 + static_cast<std::size_t>(square));
        char letter = ' ';
        constexpr std::string_view kLetters = "kqrbnp PNBRQK";
        letter = kLetters.at(static_cast<std::size_t>(piece + 6));
        if (letter == ' ') {
          ++empty;
          continue;
        }
        if (empty != 0) board += std::to_string(empty);
        empty = 0;
        board += letter;
        const std::string column = std::string(piece > 0 ? "white_" : "black_") +
                                   std::array{"",      "pawns",  "knights", "bishops",
                                              "rooks", "queens", "kings"}[static_cast<std::size_t>(
                                       std::abs(piece))];
        ASSERT_NE(std::stoull(file.column(column)[at]) >> square & 1, 0U) << column << at;
      }
      if (empty != 0) board += std::to_string(empty);
      if (rank != 0) board += '/';
    }
    if (row == nullptr) {
      EXPECT_EQ(board, "8/8/8/8/8/8/8/8");
      EXPECT_EQ(file.column("damaged")[at], "1");
      return;
    }
    const Row fen = tests::split(row->at(4), ' ');
    ASSERT_EQ(board, fen.at(0));
    const auto position =
        codec::Position::from_fen(row->at(4) + " 0 1", codec::CastlingRule::Chess960);
    ASSERT_TRUE(position.ok());
    ASSERT_EQ(states.at(at * 4), fen.at(1) == "w" ? 0U : 1U);
    ASSERT_EQ(states.at(at * 4 + 1), position->castling());
    const std::string square =
        states.at(at * 4 + 2) == 64 ? "-" : uci_of(states.at(at * 4 + 2)).substr(0, 2);
    if (fen.at(3) != "-") {
      ASSERT_EQ(square, fen.at(3));
    }
    for (const auto& [name, i] : {std::pair{"side", 0}, {"castling", 1}, {"halfmove_clock", 3}}) {
      ASSERT_EQ(file.column(name)[at],
                std::to_string(states.at(at * 4 + static_cast<std::size_t>(i))));
    }
    ASSERT_EQ(file.column("en_passant")[at],
              states.at(at * 4 + 2) == 64 ? "" : std::to_string(states.at(at * 4 + 2)));
  }

  // What the index says.
  void expect_index(const std::string& set) {
    const Rows games = table(set + "index.tsv");
    const Array numbers(text(set + "numbers.npy"), 4);
    const Array results(text(set + "results.npy"), 1);
    const Array elos(text(set + "elos.npy"), 2);
    ASSERT_EQ(numbers.size(), games.size());
    ASSERT_EQ(elos.size(), 2 * games.size());
    const std::map<std::string, int> values = {
        {"1-0", 1}, {"1/2-1/2", 0}, {"0-1", -1}, {"*", -128}};
    const auto shown = [](std::uint64_t elo) { return elo == 0 ? "" : std::to_string(elo); };
    for (std::size_t game = 0; game < games.size(); ++game) {
      ASSERT_EQ(std::to_string(numbers.at(game)), games[game].at(0));
      ASSERT_EQ(results.signed_at(game), values.at(games[game].at(5)));
      ASSERT_EQ(shown(elos.at(2 * game)), games[game].at(2));
      ASSERT_EQ(shown(elos.at(2 * game + 1)), games[game].at(4));
    }
    const auto manifest = nlohmann::json::parse(text(set + "manifest.json"));
    EXPECT_EQ(manifest["games"], games.size());
    for (const auto& [name, file] : manifest["files"].items()) {
      EXPECT_EQ(file["bytes"], text(set + name).size()) << name;
    }
  }
  void expect_all(const std::string& set) {
    expect_games(set);
    expect_positions(set);
    expect_index(set);
  }
};

TEST_F(ColumnFilesTest, AgreeWithTheTables) {
  LibraryTest::put("x", tests::read_scid_files(tests::test_data("sample/sample")));
  LibraryTest::open(source_);
  for (const std::string set : {"", "search/annotated=any/", "years/2018/", "parts/9/4/",
                                "tree/e4/c5/search/result=draw/", "search/year=1..2/"}) {
    expect_all("x.si4/" + set);
  }
  const ParquetFile none = parquet("x.si4/search/year=1..2/games.parquet");
  EXPECT_EQ(none.rows.size(), 0U);
  EXPECT_EQ(none.names.size(), 49U);
  EXPECT_GT(parquet("x.si4/plies.parquet").rows.size(), 1U);  // games lie in two groups
}

TEST_F(ColumnFilesTest, HaveNotesStartsAndNullMoves) {
  tests::Random random(7);
  tests::ScidWriter games;
  for (int i = 0; i < 200; ++i) games.add(tests::noted_record(random, 40), "A", "B");
  games.add(tests::ScidEncoder("4k3/P7/8/8/8/8/8/R3K3 w Q - 3 9").moves("a8=N Kd7 -- Ke6").record(),
            "A", "B");
  games.add(tests::ScidEncoder().record(), "A", "B");
  games.add("", "A", "B");
  tests::ScidFiles files = games.files();
  for (int i = 0; i < 40; ++i) {
    files.games[random.below(files.games.size())] = static_cast<char>(random.below(256));
  }
  LibraryTest::put("x", files);
  LibraryTest::open(source_);
  expect_all("x.si4/");
  const std::vector<std::string> damaged = parquet("x.si4/plies.parquet").column("damaged");
  EXPECT_GT(std::ranges::count(damaged, "1"), 0);
  EXPECT_GT(std::ranges::count(damaged, "0"), 0);
}

TEST_F(ColumnFilesTest, KingTakesItsRookInChess960) {
  put("x.pgn",
      "[Variant \"Chess960\"]\n"
      "[FEN \"bbqnrnkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNRNKR w KQkq - 0 1\"]\n\n"
      "1. Ng3 Ng6 2. O-O O-O 3. d3 1-0\n\n"
      "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O 1-0\n");
  open();
  expect_all("x.pgn/");
  const Array moves(text("x.pgn/moves.npy"), 2);
  EXPECT_EQ(uci_of(moves.at(2)), "g1h1");
  EXPECT_EQ(uci_of(moves.at(moves.size() - 1)), "e8g8");
}

TEST_F(ColumnFilesTest, TellTheDatabaseTogether) {
  LibraryTest::put("x", example_database(300, 1).files());
  LibraryTest::put("y", example_database(200, 2).files());
  LibraryTest::open(source_);
  const Rows rows = table("together/index.tsv");
  const ParquetFile file = parquet("together/games.parquet");
  expect_column(file, "database", rows, 27);
  expect_column(file, "number", rows, 0);
  expect_column(file, "path", rows, 12);
  EXPECT_EQ(parquet("together/plies.parquet").column("database").front(), "x.si4");
  const Array databases(text("together/databases.npy"), 2);
  const auto manifest = nlohmann::json::parse(text("together/manifest.json"));
  for (std::size_t game = 0; game < rows.size(); ++game) {
    ASSERT_EQ(manifest["databases"][databases.at(game)]["name"], rows[game].at(27));
  }
  EXPECT_FALSE(exists("x.si4/databases.npy"));
}

}  // namespace
}  // namespace scidfs::fs
