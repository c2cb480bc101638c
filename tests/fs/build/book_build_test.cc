// Compares built books with those of the reference writer for the same games, and with positions
// counted in the plain way.
#include "fs/build/book_build.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <thread>

#include "codec/kvetka/moves.h"
#include "codec/movegen.h"
#include "codec/san.h"
#include "fs/build/book_dump.h"
#include "fs/database/database.h"
#include "fs/database/game_reader.h"
#include "fs/file/folder.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using codec::Position;
using codec::Result;
using codec::kvetka::Key;
using codec::scid::IndexEntry;
using codec::scid::NameKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::MemoryFolder;
using tests::ScidEncoder;
using tests::ScidFilesBuilder;
using tests::split;

Result result_of(std::string_view token) {
  for (const Result result : {Result::WhiteWins, Result::BlackWins, Result::Draw}) {
    if (token == codec::result_token(result)) return result;
  }
  return Result::Unknown;
}

// The games of the books of the reference writer, as a database.
void write_fixture_games(const std::filesystem::path& prefix) {
  const std::string text = tests::read_file(tests::test_data("kvetka/games.pgn"));
  ScidFilesBuilder builder;
  std::map<std::string, std::uint32_t> players;
  const auto player = [&](const std::string& name) {
    const auto [at, is_new] = players.try_emplace(name);
    if (is_new) at->second = builder.name(NameKind::Player, name);
    return at->second;
  };
  const auto elo = [](const std::string& value) -> codec::Rating {
    return {.value =
                value.empty() ? std::uint16_t{0} : static_cast<std::uint16_t>(std::stoi(value))};
  };
  for (const tests::PgnGame& game : tests::parse_pgn(text)) {
    IndexEntry entry;
    entry.white = player(tests::tag_value(game, "White"));
    entry.black = player(tests::tag_value(game, "Black"));
    entry.white_rating = elo(tests::tag_value(game, "WhiteElo"));
    entry.black_rating = elo(tests::tag_value(game, "BlackElo"));
    entry.result = result_of(tests::tag_value(game, "Result"));
    ScidEncoder record;
    for (const tests::PgnToken& token : tests::parse_movetext(game.movetext)) {
      if (token.kind == tests::PgnToken::Kind::Move) record.move(std::string_view(token.text));
    }
    builder.game(entry, record.record());
  }
  tests::write_scid_files(builder.files(), prefix);
}

// Lines of a dump without the free choices of a writer: blocks, the order of moves, comments.
// Removes the number of the source from links.
std::vector<std::string> essence(const std::string& dump) {
  std::vector<std::string> lines;
  for (const std::string& line : split(dump, '\n')) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> fields = split(line, '\t');
    std::vector<std::string> moves = split(fields[6], ' ');
    std::ranges::sort(moves);
    std::string links = fields[7] + " " + fields[8];
    for (std::size_t at = 0; (at = links.find('/')) != std::string::npos;) links.erase(at - 1, 2);
    lines.push_back(fmt::format("{} {} {} {} {} {} {}", fields[1], fields[2], fields[3], fields[4],
                                fields[5], fmt::join(moves, ","), links));
  }
  return lines;
}

BookBuildReport build(const BookBuildOptions& options) {
  const auto report = build_book(options, [](std::uint64_t, std::uint64_t) {});
  EXPECT_TRUE(report.ok()) << std::string(report.status().message());
  return report.value_or(BookBuildReport{});
}

std::string dump(const std::filesystem::path& path) {
  std::string text;
  const auto problems = dump_book(path, [&text](std::string_view part) { text += part; });
  EXPECT_TRUE(problems.ok()) << std::string(problems.status().message());
  EXPECT_THAT(problems.value_or(std::vector<std::string>{"?"}), ElementsAre());
  return text;
}

std::string expected(const std::string& name) {
  return tests::read_file(tests::test_data("kvetka/" + name + ".expected.tsv"));
}

TEST(BookBuild, MatchesReferenceWriter) {
  const MemoryFolder folder;
  write_fixture_games(folder / "games");
  const auto report =
      build({.databases = {folder / "games.si4"}, .book = folder / "small", .threads = 2});
  EXPECT_EQ(report.games, 200U);
  EXPECT_EQ(report.positions, 2176U);
  EXPECT_EQ(report.damaged, 0U);
  // One position had an additional game, added manually, that ends there.
  std::string theirs = expected("small");
  constexpr std::string_view kByHand = "\t0/0\t0/0\t";
  ASSERT_NE(theirs.find(kByHand), std::string::npos);
  theirs.replace(theirs.find(kByHand), kByHand.size(), "\t-\t0/0\t");
  EXPECT_EQ(essence(dump(folder / "small")), essence(theirs));
}

TEST(BookBuild, MatchesReferenceWriterWithLimitsAndUnplayedMoves) {
  const MemoryFolder folder;
  write_fixture_games(folder / "games");
  const auto report = build({.databases = {folder / "games.si4"},
                             .book = folder / "split",
                             .caption = "Книга",
                             .plies = 16,
                             .limits = {.white = 2250, .strong = 2400, .weak = 2200},
                             .links = true,
                             .byte_order = codec::kvetka::ByteOrder::Big});
  EXPECT_EQ(report.games, 98U);
  EXPECT_EQ(report.left_out, 102U);
  const std::string text = dump(folder / "split");
  EXPECT_THAT(text, HasSubstr("caption=Книга\torder=be\telo=2250,0,2400,2200\tmax_move=16\t"
                              "element_type=1\tlinks=1\t"));
  // Links count the games of the book, and those of the reference writer the games of the source:
  // they are last.
  const auto without_links = [](std::vector<std::string> lines) {
    for (std::string& line : lines) {
      const std::vector<std::string> words = split(line, ' ');
      // Key, position (four words), three counters, moves.
      line = fmt::format("{}", fmt::join(words.begin(), words.begin() + 9, " "));
    }
    return lines;
  };
  EXPECT_EQ(without_links(essence(text)), without_links(essence(expected("split"))));
}

TEST(BookBuild, CountsWholeGamesWithoutLimitOfPlies) {
  const MemoryFolder folder;
  write_fixture_games(folder / "games");
  build({.databases = {folder / "games.si4"},
         .book = folder / "whole",
         .plies = codec::kvetka::kAllPlies});
  // The reference book has the first twelve games only.
  std::map<std::string, std::string> lines;
  for (const std::string& line : essence(dump(folder / "whole"))) {
    lines[line.substr(0, line.find(' '))] = line;
  }
  std::size_t found = 0;
  for (const std::string& line : essence(expected("nolinks"))) {
    found += lines.contains(line.substr(0, line.find(' '))) ? 1 : 0;
  }
  EXPECT_EQ(found, 932U);
}

// A position as it is counted here: a game counts as won, drawn or lost for the side to move.
struct Count {
  std::array<std::uint64_t, 3> games{};
  std::set<std::uint8_t> codes;
};

// Random games, whose positions are counted one by one.
class RandomGames {
 public:
  void add(std::uint64_t seed, std::size_t count, std::size_t plies, std::size_t counted_plies);

  ScidFilesBuilder builder;
  std::map<Key, Count> positions;
  std::uint64_t counted = 0;
};

void RandomGames::add(std::uint64_t seed, std::size_t count, std::size_t plies,
                      std::size_t counted_plies) {
  tests::Random random(seed);
  const std::uint32_t player = builder.name(NameKind::Player, "Nobody, \"N.\"");
  for (std::size_t i = 0; i < count; ++i) {
    IndexEntry entry;
    entry.white = entry.black = player;
    entry.result = static_cast<Result>(random.below(4));
    const bool is_deleted = random.one_in(10);
    if (is_deleted) entry.flags |= 1U << codec::scid::kFlagDeleted;
    // Few possible moves, so that games share positions.
    ScidEncoder record;
    std::map<Key, std::size_t> seen;  // result for the side to move at the first occurrence
    const bool is_counted = !is_deleted && entry.result != Result::Unknown;
    counted += is_counted ? 1 : 0;
    for (std::size_t ply = 0;; ++ply) {
      const Position& position = record.position();
      const Key key = *codec::kvetka::key_of(position);
      const bool white = position.side_to_move() == codec::Color::White;
      if (is_counted && ply <= counted_plies) {
        Count& at = positions[key];
        if (seen.try_emplace(key).second) {
          const bool white_won = entry.result == Result::WhiteWins;
          ++at.games[entry.result == Result::Draw ? 1 : white_won == white ? 0 : 2];
        }
      }
      const codec::MoveList moves = codec::legal_moves(position);
      if (ply == plies || moves.empty()) break;
      const codec::Move move =
          moves.begin()[random.below(std::min<std::size_t>(moves.size(), 3 + ply % 2))];
      if (is_counted && ply < counted_plies) {
        const auto code =
            codec::kvetka::encode_move(position, codec::kvetka::turning_of(position), move);
        if (code.has_value()) positions[key].codes.insert(*code);
      }
      record.move(move);
    }
    builder.game(entry, record.record());
  }
}

void expect_same(const std::string& dump, const std::map<Key, Count>& positions) {
  std::map<std::string, std::string> lines;
  for (const std::string& line : split(dump, '\n')) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> fields = split(line, '\t');
    std::set<std::string> codes;
    if (fields[6] != "-") {
      for (const std::string& move : split(fields[6], ' ')) codes.insert(move.substr(0, 2));
    }
    lines[fields[1]] =
        fmt::format("{} {} {} {}", fields[3], fields[4], fields[5], fmt::join(codes, ","));
  }
  EXPECT_EQ(lines.size(), positions.size());
  for (const auto& [key, count] : positions) {
    std::set<std::string> codes;
    for (const std::uint8_t code : count.codes) codes.insert(fmt::format("{:02X}", code));
    EXPECT_EQ(lines[codec::kvetka::key_to_hex(key)],
              fmt::format("{} {} {} {}", count.games[0], count.games[1], count.games[2],
                          fmt::join(codes, ",")));
  }
}

TEST(BookBuild, CountsEachGameOnceInEachOfItsPositions) {
  for (const unsigned plies : {6U, 20U, unsigned{codec::kvetka::kAllPlies}}) {
    const MemoryFolder folder;
    RandomGames games;
    games.add(plies, 300, 60, plies == codec::kvetka::kAllPlies ? 1000 : plies);
    tests::write_scid_files(games.builder.files(), folder / "x");
    const auto report = build({.databases = {folder / "x.si4"},
                               .book = folder / "book",
                               .plies = plies,
                               .threads = 2,
                               // Many runs, of a few games each.
                               .memory = 1});
    EXPECT_EQ(report.games, games.counted);
    EXPECT_EQ(report.positions, games.positions.size());
    expect_same(dump(folder / "book"), games.positions);
  }
}

// The main lines of a PGN file, read as Chess960: those of their positions that chess has too,
// because a FEN is the same in both.
std::map<Key, Count> count_positions_of_chess(const std::string& pgn) {
  constexpr auto kRule = codec::CastlingRule::Chess960;
  std::map<Key, Count> positions;
  for (const tests::PgnGame& game : tests::parse_pgn(pgn)) {
    const Result result = result_of(tests::tag_value(game, "Result"));
    if (result == Result::Unknown) continue;
    const std::string fen = tests::tag_value(game, "FEN");
    Position position = fen.empty() ? Position() : *Position::from_fen(fen, kRule);
    Count* current = nullptr;
    const auto count = [&] {
      const auto in_chess = Position::from_fen(position.fen());
      const bool is_same = in_chess.ok() && in_chess->fen() == position.fen();
      current = is_same ? &positions[*codec::kvetka::key_of(*in_chess)] : nullptr;
      if (current == nullptr) return;
      const bool white = position.side_to_move() == codec::Color::White;
      ++current->games[result == Result::Draw ? 1 : (result == Result::WhiteWins) == white ? 0 : 2];
    };
    count();
    int depth = 0;
    for (const tests::PgnToken& token : tests::parse_movetext(game.movetext)) {
      using Kind = tests::PgnToken::Kind;
      if (token.kind == Kind::Open) ++depth;
      if (token.kind == Kind::Close) --depth;
      if (token.kind != Kind::Move || depth != 0) continue;
      const std::optional<codec::Move> move = codec::parse_san(position, token.text);
      if (!move.has_value()) {
        ADD_FAILURE() << token.text << " is no move in " << position.fen();
        break;
      }
      if (current != nullptr) {
        const auto turning = codec::kvetka::turning_of(position);
        const auto code = codec::kvetka::encode_move(position, turning, *move);
        if (code.has_value()) current->codes.insert(*code);
      }
      position.make(*move);
      count();
    }
  }
  return positions;
}

TEST(BookBuild, Chess960GamesCountFromWhereNoChess960CastlingIsLeft) {
  const MemoryFolder folder;
  const auto report = build({.databases = {tests::test_data("scid5/chess960.si5")},
                             .book = folder / "book",
                             .plies = codec::kvetka::kAllPlies});
  EXPECT_EQ(report.games, 6U);
  EXPECT_EQ(report.damaged, 0U);
  const std::map<Key, Count> positions =
      count_positions_of_chess(tests::read_file(tests::test_data("scid5/chess960.expected.pgn")));
  EXPECT_GT(positions.size(), 13U);
  EXPECT_EQ(report.positions, positions.size());
  expect_same(dump(folder / "book"), positions);
}

TEST(BookBuild, BookDoesNotDependOnMemoryAndThreads) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(11, 400, 40, 40);
  tests::write_scid_files(games.builder.files(), folder / "x");
  std::vector<std::string> books;
  for (const std::size_t memory : {std::size_t{1}, std::size_t{1} << 16, std::size_t{1} << 28}) {
    for (const unsigned threads : {1U, 3U}) {
      const std::string name = fmt::format("book{}", books.size());
      build({.databases = {folder / "x.si4"},
             .book = folder / name,
             .caption = "Book",
             .threads = threads,
             .memory = memory});
      std::string bytes;
      for (const char* const suffix : {"_0.kob", ".kin", ".ksf"}) {
        bytes += tests::read_file((folder / (name + suffix)).string());
      }
      books.push_back(std::move(bytes));
      EXPECT_EQ(books.back(), books.front());
    }
  }
}

TEST(BookBuild, SourcesPointToGamesInTextsOfMount) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(3, 50, 30, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  write_fixture_games(folder / "games");
  build({.databases = {folder / "x.si4", folder / "games.si4"}, .book = folder / "book"});
  std::map<std::string, std::string> texts;
  for (const std::string name : {"x.si4", "games.si4"}) {
    const auto database = Database::open(folder / name, name, {});
    ASSERT_TRUE(database.ok());
    codec::TextBuffer text;
    const auto reader = (*database)->readers().borrow();
    for (GameIndex game = 0; game < (*database)->games(); ++game) {
      if (!(*database)->loaded().has(Part::Shown, game)) continue;
      ASSERT_TRUE(reader->append(game, text).ok());
    }
    texts[name + "/all.pgn"] = std::string(text.view());
  }
  std::size_t checked = 0;
  for (const std::string& line : split(dump(folder / "book.ksf"), '\n')) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> fields = split(line, '\t');
    const std::string text =
        texts.at(fields[3]).substr(std::stoul(fields[5]), std::stoul(fields[6]));
    const std::vector<tests::PgnGame> found = tests::parse_pgn(text);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(tests::unescape(tests::tag_value(found[0], "White")), fields[7]);
    EXPECT_EQ(tests::tag_value(found[0], "Result"), fields[11]);
    ++checked;
  }
  EXPECT_EQ(checked, 200 + games.counted);
}

TEST(BookBuild, NewBookReplacesAllFilesOfLargerOne) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(5, 20, 10, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  for (const char* const name : {"book_0.kob", "book_1.kob", "book_2.kob", "book.kin"}) {
    tests::write_file(folder / name, "old");
  }
  build({.databases = {folder / "x.si4"}, .book = folder / "book"});
  expect_same(dump(folder / "book"), games.positions);
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.insert(entry.path().filename());
  }
  EXPECT_THAT(names, ElementsAre("book.kin", "book.ksf", "book_0.kob", "x.sg4", "x.si4", "x.sn4"));
}

std::set<std::string> names_in(const MemoryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.insert(entry.path().filename());
  }
  return names;
}

// Any user who can guess a name may have made them.
TEST(BookBuild, LinksAreNeitherFollowedNorReplaced) {
  const MemoryFolder folder;
  const MemoryFolder elsewhere;
  RandomGames games;
  games.add(3, 10, 10, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  tests::write_file(elsewhere / "victim", "precious");
  for (const std::string name : {"book_0.kob", "book_1.kob", "book.kin", "book.ksf"}) {
    for (const std::string end : {"", ".new"}) {
      std::filesystem::create_symlink(elsewhere / "victim", folder / (name + end));
    }
  }
  const auto build_result = [&] {
    return build_book({.databases = {folder / "x.si4"}, .book = folder / "book"},
                      [](std::uint64_t, std::uint64_t) {});
  };
  for (const std::string name : {"book.kin", "book.ksf", "book_0.kob", "book_1.kob"}) {
    EXPECT_EQ(build_result().status(),
              absl::AlreadyExistsError(fmt::format("Cannot write {0}: {0} is a symbolic link: not "
                                                   "replaced",
                                                   (folder / name).string())));
    EXPECT_TRUE(std::filesystem::remove(folder / name));
  }
  EXPECT_TRUE(build_result().ok()) << "links with other names are in nobody's way";
  EXPECT_EQ(tests::read_file(elsewhere / "victim"), "precious");
  EXPECT_EQ(names_in(elsewhere), std::set<std::string>{"victim"});
  expect_same(dump(folder / "book"), games.positions);
}

// The old book is not changed, nor is its index.
TEST(BookBuild, NonFilesAreDetectedBeforeAnyFileIsReplaced) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(3, 10, 10, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  build({.databases = {folder / "x.si4"}, .book = folder / "book"});
  const std::set<std::string> before = names_in(folder);
  // Another file appears while the book is being built.
  auto other = std::make_optional(FolderLock::take(folder.path(), std::chrono::seconds(0)));
  ASSERT_TRUE((*other).ok());
  absl::Status status;
  std::thread builder([&] {
    status = build_book({.databases = {folder / "x.si4"}, .book = folder / "book", .threads = 1},
                        [](std::uint64_t, std::uint64_t) {})
                 .status();
  });
  while (names_in(folder) == before) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::filesystem::create_directory(folder / "book_1.kob");
  other.reset();
  builder.join();
  EXPECT_THAT(std::string(status.message()), HasSubstr("book_1.kob is a folder: not replaced"));
  std::filesystem::remove(folder / "book_1.kob");
  EXPECT_EQ(names_in(folder), before);
  expect_same(dump(folder / "book"), games.positions);
}

TEST(BookBuild, ConcurrentBuildsLeaveOneCompleteBook) {
  const MemoryFolder folder;
  constexpr unsigned kBooks = 4;
  const auto database = [](unsigned number) { return fmt::format("x{}", number); };
  for (unsigned number = 0; number < kBooks; ++number) {
    RandomGames games;
    games.add(number + 1, 20 + 100 * number, 10, 20);
    tests::write_scid_files(games.builder.files(), folder / database(number));
  }
  const auto options_of = [&](unsigned number, const std::string& book) {
    return BookBuildOptions{.databases = {folder / (database(number) + ".si4")},
                            .book = folder / book,
                            .caption = "all",
                            .threads = 1};
  };
  std::set<std::string> expected;
  const auto bytes_of = [&](const std::string& book) {
    return tests::read_file(folder / (book + "_0.kob")) +
           tests::read_file(folder / (book + ".kin")) + tests::read_file(folder / (book + ".ksf"));
  };
  for (unsigned number = 0; number < kBooks; ++number) {
    build(options_of(number, "alone"));
    expected.insert(bytes_of("alone"));
  }
  ASSERT_EQ(expected.size(), kBooks);
  for (unsigned round = 0; round < 10; ++round) {
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < kBooks; ++number) {
      threads.emplace_back([&, number] { build(options_of(number, "book")); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(expected.contains(bytes_of("book"))) << "a mixture";
  }
  EXPECT_EQ(names_in(folder).size(), 3 * kBooks + 6);
}

// Files of two books must never be mixed.
TEST(BookBuild, WaitsForLockOfAnotherBuild) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(3, 10, 10, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  tests::write_file(folder / "book.kin", "old");
  auto other = std::make_optional(FolderLock::take(folder.path(), std::chrono::seconds(0)));
  ASSERT_TRUE((*other).ok());
  std::thread builder(
      [&] { build({.databases = {folder / "x.si4"}, .book = folder / "book", .threads = 1}); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(tests::read_file(folder / "book.kin"), "old");
  EXPECT_FALSE(std::filesystem::exists(folder / "book_0.kob"));
  other.reset();
  builder.join();
  expect_same(dump(folder / "book"), games.positions);
}

TEST(BookBuild, FilesOfKilledBuildAreRemoved) {
  const MemoryFolder folder;
  RandomGames games;
  games.add(3, 10, 10, 20);
  tests::write_scid_files(games.builder.files(), folder / "x");
  const std::set<std::string> of_others = {
      ".other.kin.scidfs-01234567", ".book_x.kob.scidfs-01234567", ".book_.kob.scidfs-01234567"};
  for (const std::string& name : of_others) tests::write_file(folder / name, "half");
  for (const char* const name : {".book_0.kob.scidfs-01234567", ".book_12.kob.scidfs-01234567",
                                 ".book.kin.scidfs-89abcdef", ".book.ksf.scidfs-89abcdef"}) {
    tests::write_file(folder / name, "half");
  }
  build({.databases = {folder / "x.si4"}, .book = folder / "book"});
  std::set<std::string> expected = of_others;
  expected.insert({"book.kin", "book.ksf", "book_0.kob", "x.sg4", "x.si4", "x.sn4"});
  EXPECT_EQ(names_in(folder), expected);
}

TEST(BookBuild, FailureKeepsTheOldBook) {
  const MemoryFolder folder;
  tests::write_file(folder / "book_0.kob", "old");
  tests::write_file(folder / "x.si4", "no index");
  const auto report = build_book({.databases = {folder / "x.si4"}, .book = folder / "book"},
                                 [](std::uint64_t, std::uint64_t) {});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(tests::read_file((folder / "book_0.kob").string()), "old");
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    ++files;
  }
  EXPECT_EQ(files, 2U);
}

}  // namespace
}  // namespace scidfs::fs
