// positions/ of sets of games: compares random positions with fens/ and with Scid.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "tests/bench/multiplier.h"
#include "tests/mounted/asked_positions.h"
#include "tests/mounted/index_table.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/played_positions.h"
#include "tests/support/configuration.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// A database below a mounted folder, and the number of positions to query.
struct AskedDatabase {
  std::string path;  // "scid4/fen.si4"
  std::size_t positions;
};

// All databases below a folder.
std::vector<AskedDatabase> databases_below(const filesystem::path& folder, std::size_t positions) {
  std::vector<AskedDatabase> databases;
  for (const auto& entry : filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".si4" && extension != ".si3" && extension != ".si5") continue;
    databases.push_back({filesystem::relative(entry.path(), folder), positions});
  }
  std::ranges::sort(databases, {}, &AskedDatabase::path);
  return databases;
}

std::vector<AskedDatabase> fixtures() {
  std::vector<AskedDatabase> databases = databases_below(test_data(""), 4);
  for (AskedDatabase& database : databases) {
    if (database.path == "sample/sample.si4") database.positions = 60;
    if (database.path == "scid5/chess960.si5") database.positions = 20;
  }
  return databases;
}

filesystem::path large_folder() { return filesystem::path(shared_folder()) / "data"; }

// Empty if they do not exist.
std::vector<AskedDatabase> large_databases() {
  if (!filesystem::exists(large_folder() / "masters.si4")) return {};
  std::vector<AskedDatabase> databases = databases_below(large_folder(), 8);
  for (AskedDatabase& database : databases) {
    if (database.path == "annotated.si4") database.positions = 40;
    if (database.path == "masters.si4") database.positions = is_sanitized() ? 0 : 60;
  }
  return databases;
}

// The positions are always the same, unless the environment sets a seed.
std::uint64_t seed() {
  const char* const text = std::getenv("SCIDFS_POSITIONS_SEED");
  return text == nullptr ? 1 : to_number(text);
}

// The numbers of the games in an index.tsv.
std::string numbers_in(const std::string& index) {
  std::string numbers;
  const IndexTable table(index);
  for (const IndexLine& line : table.lines()) numbers.append(" ").append(line[kNumberColumn]);
  return numbers;
}

// The same for a database that has each game several times.
std::string repeated(const std::string& numbers, unsigned games, unsigned copies) {
  std::string all;
  for (unsigned copy = 0; copy < copies; ++copy) {
    std::istringstream in(numbers);
    for (unsigned number = 0; in >> number;) all += fmt::format(" {}", number + copy * games);
  }
  return all;
}

// moves.tsv if each game occurred several times.
std::string multiplied(const std::string& table, unsigned copies) {
  std::string all;
  std::istringstream in(table);
  for (std::string line; std::getline(in, line); all += '\n') {
    const bool is_head = all.empty();
    std::istringstream fields(line);
    std::size_t column = 0;
    for (std::string field; std::getline(fields, field, '\t'); ++column) {
      constexpr std::size_t kFirstCount = 2;
      constexpr std::size_t kLastCount = 6;
      const bool is_count = column >= kFirstCount && column <= kLastCount && !is_head;
      if (column != 0) all += '\t';
      all += is_count ? std::to_string(to_number(field) * copies) : field;
    }
    if (line.ends_with('\t')) all += '\t';
  }
  return all;
}

class PositionsTest : public MountedTest {
 protected:
  // Queries positions of a set, and compares all games that reach them.
  void query_positions(const filesystem::path& directory, std::size_t count) {
    if (count == 0 || !filesystem::exists(directory / "fens")) return;
    const IndexTable index(read_all(directory / "index.tsv"));
    const PlayedSet set{.directory = directory, .index = &index};
    const std::vector<std::string> fens = positions_at_random(set, count, random_);
    PlayedPositions played;
    for (const std::string& fen : fens) played.add(fen);
    played.count(set);
    for (const std::string& fen : fens) check(set, fen, played.games(fen));
  }

  void check(const PlayedSet& set, const std::string& fen, const std::vector<PlayedGame>& games) {
    const std::string name = position_directory(fen);
    const filesystem::path directory = set.directory / "positions" / name;
    SCOPED_TRACE(directory);
    std::string index(set.index->head());
    for (const PlayedGame& game : games) index += game.line->text;
    const std::string found = read_all(directory / "index.tsv");
    constexpr std::size_t kSome = 300;  // characters of a message
    EXPECT_TRUE(found == index) << "found:   " << numbers_in(found).substr(0, kSome)
                                << "\nexpected:" << numbers_in(index).substr(0, kSome);
    EXPECT_EQ(read_all(directory / "moves.tsv"), moves_table(games, fen));
    // The same query as a facet.
    if (name.size() + std::string_view("position=").size() <= NAME_MAX) {
      EXPECT_TRUE(read_all(set.directory / "search" / ("position=" + name) / "index.tsv") == index);
    }
    ++queried_;
    without_games_ += games.empty() ? 1 : 0;
    with_many_games_ += games.size() > 1 ? 1 : 0;
  }

  void query_all(const filesystem::path& folder, const std::vector<AskedDatabase>& databases) {
    const Mount mount({.source = folder});
    ASSERT_TRUE(mount.ok());
    for (const AskedDatabase& database : databases) {
      query_positions(mount / database.path, database.positions);
      query_positions(mount / database.path / "deleted", database.positions);
    }
    RecordProperty("positions", static_cast<int>(queried_));
    RecordProperty("without_games", static_cast<int>(without_games_));
    RecordProperty("with_many_games", static_cast<int>(with_many_games_));
  }

  Random random_{seed()};
  std::size_t queried_ = 0;
  std::size_t without_games_ = 0;
  std::size_t with_many_games_ = 0;
};

TEST_F(PositionsTest, AgreeWithFensOfFixtures) {
  query_all(test_data(""), fixtures());
  EXPECT_GE(queried_, 200U);
  EXPECT_GE(without_games_, 20U);
  EXPECT_GE(with_many_games_, 50U);
}

TEST_F(PositionsTest, AgreeWithFensOfLargeDatabases) {
  const std::vector<AskedDatabase> databases = large_databases();
  if (databases.empty()) GTEST_SKIP() << "the shared databases are not here";
  query_all(large_folder(), databases);
  EXPECT_GE(queried_, is_sanitized() ? 60U : 120U);
}

// Before the pass that finds the sizes, signatures are not verified.
TEST_F(PositionsTest, AgreeWithFensWithoutKnownSizes) {
  const Mount mount({.source = test_data(""), .options = "index=none,cache_dir=none"});
  ASSERT_TRUE(mount.ok());
  for (const AskedDatabase& database : fixtures()) query_positions(mount / database.path, 2);
  EXPECT_GE(queried_, 80U);
}

// Databases with so many games that signatures exclude most first: each game of a small one many
// times.
class SignatureFilterTest : public PositionsTest {
 protected:
  struct Repeated {
    std::string name;  // "scid4/fen"
    unsigned games;
    unsigned copies;

    std::string stem() const { return name.substr(name.find('/') + 1); }
  };

  void SetUp() override {
    PositionsTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    for (const char* const name :
         {"sample/sample", "scid4/castling", "scid4/fen", "scid4/matsig", "scid4/nullmoves",
          "scid4/promotions", "scid4/random_fen", "scid4/stored_lines"}) {
      const std::string head = read_file(test_data(std::string(name) + ".si4")).substr(0, 17);
      const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head.at(i)); };
      const unsigned games = static_cast<unsigned>(byte(14) << 16 | byte(15) << 8 | byte(16));
      constexpr unsigned kMany = 25'000;
      repeated_.push_back({.name = name, .games = games, .copies = kMany / games + 1});
      const Repeated& made = repeated_.back();
      const absl::Status status =
          bench::multiply(test_data(name), made.copies * games, folder_ / made.stem());
      ASSERT_TRUE(status.ok()) << name << ": " << status;
    }
  }

  void compare(std::size_t positions) {
    const Mount mount({.source = test_data("")});
    const Mount many({.source = folder_.path()});
    ASSERT_TRUE(mount.ok() && many.ok());
    for (const Repeated& each : repeated_) {
      const filesystem::path once = mount / (each.name + ".si4");
      const filesystem::path often = many / (each.stem() + ".si4");
      const IndexTable index(read_all(once / "index.tsv"));
      for (const std::string& fen : positions_at_random({once, &index}, positions, random_)) {
        const filesystem::path position = filesystem::path("positions") / position_directory(fen);
        SCOPED_TRACE(often / position);
        EXPECT_TRUE(
            numbers_in(read_all(often / position / "index.tsv")) ==
            repeated(numbers_in(read_all(once / position / "index.tsv")), each.games, each.copies));
        EXPECT_EQ(read_all(often / position / "moves.tsv"),
                  multiplied(read_all(once / position / "moves.tsv"), each.copies));
        ++queried_;
      }
    }
  }

  TemporaryFolder folder_;
  std::vector<Repeated> repeated_;
};

TEST_F(SignatureFilterTest, FindsTheSameGames) {
  compare(12);
  EXPECT_GE(queried_, 90U);
}

// In each changed game, one of the fields by which a search could skip it is wrong.
TEST_F(SignatureFilterTest, IgnoresFalseSignatures) {
  constexpr std::size_t kHeader = 182;
  constexpr std::size_t kEntry = 47;
  constexpr std::size_t kFlags = 8;
  constexpr std::size_t kStoredLine = 33;
  constexpr std::size_t kMaterial = 34;
  constexpr std::size_t kHomePawns = 39;
  Random random(seed());
  for (const Repeated& each : repeated_) {
    const std::string path = folder_ / (each.stem() + ".si4");
    std::string index = read_file(path);
    for (std::size_t at = kHeader; at + kEntry <= index.size(); at += kEntry) {
      if (!random.one_in(3)) continue;
      const auto any = static_cast<char>(random.next());
      switch (random.below(5)) {
        case 0:
          index[at + kStoredLine] = any;
          break;
        case 1:
          index[at + kMaterial + random.below(3)] = any;
          break;
        case 2:
          index[at + kHomePawns + random.below(8)] = any;
          break;
        case 3:  // their number
          index[at + kHomePawns - 1] = static_cast<char>((index[at + kHomePawns - 1] & 0xC0) |
                                                         static_cast<int>(random.below(17)));
          break;
        default:  // starts from a FEN, has a promotion, an underpromotion
          index[at + kFlags] = static_cast<char>(index[at + kFlags] ^ (1 << random.below(3)));
          break;
      }
    }
    write_file(path, index);
  }
  compare(20);
  EXPECT_GE(queried_, 150U);
}

// Scid searches for positions of two fields, and counts the moves played there.
class ScidPositionsTest : public WithScidTest {
 protected:
  // The output of the script for queries about a database.
  std::istringstream answers(const filesystem::path& database, const std::string& queries) const {
    // Scid reads only real files, and might write beside them, so it gets a copy.
    const filesystem::path copy = folder_ / "database";
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::copy_file(filesystem::path(database).replace_extension(extension),
                            copy.string() + extension,
                            filesystem::copy_options::overwrite_existing);
    }
    write_file(folder_ / "questions", queries);
    return std::istringstream(run_ok(
        fmt::format("tkscid {} {} {} answers", word(source_path("tests/bench/scid_positions.tcl")),
                    word(copy), word(folder_ / "questions"))));
  }

  void compare(const filesystem::path& database, std::size_t count) {
    SCOPED_TRACE(database.filename());
    // Scid finds deleted games too.
    const Mount mount({.source = database, .options = "deleted=show"});
    ASSERT_TRUE(mount.ok());
    const IndexTable index(read_all(mount / "index.tsv"));
    std::string queries;
    std::vector<std::string> asked;
    for (const std::string& fen : positions_at_random({mount.path(), &index}, count, random_)) {
      asked.push_back(fen.substr(0, fen.find(' ') + 2));
      queries += "board " + asked.back() + '\n';
    }
    std::istringstream from_scid = answers(database, queries);
    for (const std::string& fen : asked) {
      std::string numbers;
      std::string table;
      std::getline(from_scid, numbers);
      // Scid refuses positions in which the king could be captured, and others.
      if (numbers == "?") continue;
      std::getline(from_scid, table);
      expect_same(mount / "positions" / position_directory(fen), numbers, table);
    }
  }

  // Exactly these pieces at any time, of either color.
  void compare_material(const filesystem::path& database, const std::vector<std::string>& names) {
    const Mount mount({.source = database, .options = "deleted=show"});
    ASSERT_TRUE(mount.ok());
    std::string queries;
    for (const std::string& name : names) {
      const std::size_t middle = name.find('v');
      queries += "material";
      for (const char piece : std::string_view("QRBNP")) {
        const char letter = static_cast<char>(piece - 'A' + 'a');
        for (const bool is_white : {true, false}) {
          const std::string side = is_white ? name.substr(0, middle) : name.substr(middle);
          queries += fmt::format(" -{}{} {{{} {}}}", is_white ? 'w' : 'b', letter,
                                 std::ranges::count(side, piece), std::ranges::count(side, piece));
        }
      }
      queries += " -flip 1 -range {0 999} -length 2 -bishops Either -diff {-40 40}\n";
    }
    std::istringstream from_scid = answers(database, queries);
    for (const std::string& name : names) {
      std::string numbers;
      std::string table;
      std::getline(from_scid, numbers);
      std::getline(from_scid, table);
      EXPECT_TRUE(numbers_in(read_all(mount / ("search/reached=" + name + "/index.tsv"))) ==
                  numbers)
          << name;
      found_ += static_cast<std::size_t>(std::ranges::count(numbers, ' '));
    }
  }

 private:
  void expect_same(const filesystem::path& directory, const std::string& numbers,
                   const std::string& table) {
    SCOPED_TRACE(directory);
    const std::string ours = numbers_in(read_all(directory / "index.tsv"));
    constexpr std::size_t kSome = 300;  // characters of a message
    EXPECT_TRUE(numbers == ours) << "Scid:" << numbers.substr(0, kSome)
                                 << "\nhere:" << ours.substr(0, kSome);
    EXPECT_EQ(sorted_lines(read_all(directory / "moves.tsv")), sorted_words(table));
    ++compared_;
  }
  // "Nf3 12 5 4 2": games, then wins of White, draws and losses.
  static std::vector<std::string> sorted_lines(const std::string& table) {
    std::vector<std::string> lines;
    std::istringstream in(table);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream fields(line);
      std::string san;
      std::string uci;
      std::string games;
      std::string white;
      std::string draws;
      std::string black;
      fields >> san >> uci >> games >> white >> draws >> black;
      lines.push_back(fmt::format("{} {} {} {} {}", san, games, white, draws, black));
    }
    std::ranges::sort(lines);
    return lines;
  }
  // The same from the output of the script: moves, each followed by a comma.
  static std::vector<std::string> sorted_words(const std::string& table) {
    std::vector<std::string> moves;
    std::istringstream in(table);
    std::string move;
    while (std::getline(in, move, ',')) {
      std::erase_if(move, [](char c) { return c == '+' || c == '#'; });
      moves.push_back(move);
    }
    std::ranges::sort(moves);
    return moves;
  }

 protected:
  TemporaryFolder folder_;
  Random random_{seed()};
  std::size_t compared_ = 0;
  std::size_t found_ = 0;  // number of games, by material
};

TEST_F(ScidPositionsTest, AgreesWithScidOnFixtures) {
  compare(sample_database(), 40);
  for (const char* const name : {"captures", "castling", "enpassant", "fen", "flags", "longgame",
                                 "matsig", "nullmoves", "promotions", "queens", "stored_lines"}) {
    compare(test_data("scid4/" + std::string(name) + ".si4"), 6);
  }
  EXPECT_GE(compared_, 80U);
}

TEST_F(ScidPositionsTest, AgreesWithScidOnMaterial) {
  const std::vector<std::string> names = {
      "KRPvKR", "KRvKRP",   "KPvK",   "KQvKR",  "KBNvK",
      "KRBvKR", "KRPPvKRP", "KQPvKQ", "KBPvKN", "KQRRBBNPPPPPPPPvKQRRBBNPPPPPPPP"};
  compare_material(sample_database(), names);
  EXPECT_GE(found_, 10U);
  if (large_databases().empty()) return;
  compare_material(large_folder() / "masters.si4", names);
  EXPECT_GE(found_, 5000U);
}

TEST_F(ScidPositionsTest, AgreesWithScidOnLargeDatabases) {
  if (large_databases().empty()) GTEST_SKIP() << "the shared databases are not here";
  compare(large_folder() / "masters.si4", 70);
  compare(large_folder() / "annotated.si4", 50);
  EXPECT_GE(compared_, 100U);
}

}  // namespace
}  // namespace scidfs::tests
