#include "fs/positions/opening_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/scid/seek.h"
#include "codec/scid/walk.h"
#include "fs/database/game_reader.h"
#include "fs/database/measure.h"
#include "tests/fs/database/listed_games.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/files.h"

namespace scidfs::fs {
namespace {

using codec::Move;
using codec::Position;
using codec::Result;
using codec::TargetPosition;
using codec::scid::ExtraTag;
using codec::scid::RecordHead;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Tree = std::shared_ptr<const OpeningTree>;

constexpr std::string_view kStart = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w";

TargetPosition target_of(std::string_view name) {
  const auto target = codec::parse_position_name(name);
  EXPECT_TRUE(target.ok()) << name << ": " << target.status();
  return target.value_or(TargetPosition());
}

// The values of a table in a form that can be compared.
struct MoveRow {
  std::vector<std::uint32_t> results = {0, 0, 0, 0};  // by Score
  std::uint64_t elo = 0, rated = 0, against = 0, rated_against = 0;
  std::uint32_t year = 0;

  std::uint32_t games() const { return results[0] + results[1] + results[2] + results[3]; }
  friend bool operator==(const MoveRow&, const MoveRow&) = default;
  friend std::ostream& operator<<(std::ostream& out, const MoveRow& row) {
    for (const std::uint32_t games : row.results) out << games << ' ';
    return out << row.elo << '/' << row.rated << ' ' << row.against << '/' << row.rated_against
               << ' ' << row.year;
  }
};
struct Table {
  std::vector<std::pair<std::string, MoveRow>> moves;
  MoveRow all;
};

MoveRow row_of(const MoveScore& games) {
  return {.results = {games.score.games.begin(), games.score.games.end()},
          .elo = games.elo.sum,
          .rated = games.elo.count,
          .against = games.against.sum,
          .rated_against = games.against.count,
          .year = games.last_year};
}
Table table_of(const MoveTable& table) {
  Table result{.moves = {}, .all = row_of(table.all())};
  for (const PlayedMove& move : table.moves()) {
    result.moves.emplace_back(move.san, row_of(move.games));
  }
  return result;
}

// The games of one position, counted one by one.
class Count {
 public:
  void add(const codec::scid::GameEntry& entry, const std::optional<Move>& next,
           const TargetPosition& target) {
    std::string san = "";
    if (next.has_value()) {
      san = codec::to_san(target.position, *next);
      san.resize(san.find_last_not_of("+#") + 1);
    }
    const bool is_white = target.position.side_to_move() == codec::Color::White;
    const std::uint32_t elo = is_white ? entry.white_rating.elo() : entry.black_rating.elo();
    const std::uint32_t other = is_white ? entry.black_rating.elo() : entry.white_rating.elo();
    const auto row_number = next.has_value() ? std::optional(number_of(*next)) : std::nullopt;
    for (MoveRow* const row : {&rows_[{san, row_number}], &all_}) {
      constexpr std::array<std::size_t, 4> kPlaces = {3, 0, 2, 1};
      ++row->results[kPlaces[static_cast<std::size_t>(entry.result)]];
      row->elo += elo;
      row->rated += elo != 0 ? 1 : 0;
      row->against += other;
      row->rated_against += other != 0 ? 1 : 0;
      row->year = std::max<std::uint32_t>(row->year, entry.date.year);
    }
  }
  Table table() const {
    Table table{.moves = {}, .all = all_};
    for (const auto& [key, row] : rows_) {
      if (key.second.has_value()) table.moves.emplace_back(key.first, row);
    }
    std::ranges::stable_sort(table.moves, std::greater(),
                             [](const auto& move) { return move.second.games(); });
    return table;
  }
  // The moves by SAN; several illegal ones may have the same.
  std::multimap<std::string, std::pair<MoveNumber, std::uint32_t>> moves() const {
    std::multimap<std::string, std::pair<MoveNumber, std::uint32_t>> moves;
    for (const auto& [key, row] : rows_) {
      if (key.second.has_value()) {
        moves.emplace(key.first, std::pair(*key.second, row.games()));
      }
    }
    return moves;
  }
  std::uint32_t games() const { return all_.games(); }

 private:
  std::map<std::pair<std::string, std::optional<MoveNumber>>, MoveRow> rows_;
  MoveRow all_;
};

// The main line of a game by the walk.
struct MainLineMoves {
  std::vector<Position> positions;
  std::vector<Move> moves;
  codec::scid::CommentTexts texts;
  int depth = 0;

  void start(const Position& position) { positions.push_back(position); }
  template <codec::Color>
  void move(const Position& after, const Move& move) {
    if (depth != 0) return;
    positions.push_back(after);
    moves.push_back(move);
  }
  static std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() { return texts.next().has_value() ? "" : "missing"; }
  void begin_variation(const Position&) { ++depth; }
  void end_variation(const Position&) { --depth; }
  static void end(const Position&) {}
};

// The listed lines by the rule alone: a line with blanks, and the moves listed after it.
using Lines = std::map<std::string, std::vector<std::string>>;
struct Listed {
  Lines lines;
  std::map<std::string, TargetPosition> positions;  // of the lines, by name
};

// All positions of all games of a set, by name.
class TreeOracle {
 public:
  TreeOracle(const DatabaseGames& set, bool with_rights) : with_rights_(with_rights) {
    const ReaderPool::Loan reader = set.database()->readers().borrow();
    for (const GameIndex game : games_in(set)) {
      const codec::scid::GameEntry entry = set.database()->entry(game);
      const auto record = reader->record(entry);
      EXPECT_TRUE(record.ok()) << record.status();
      if (record.ok() && record->has_value()) add(entry, **record);
    }
  }

  Listed listed(const TargetPosition& root) {
    struct Way {
      TargetPosition target;
      std::vector<std::string> path;
    };
    Listed result;
    const std::uint64_t of_root = count(root).games();
    std::map<std::pair<std::int64_t, std::vector<std::string>>, Way> waiting;
    const auto reach = [&](const Way& line) {
      result.lines[join(line.path)];
      result.positions.emplace(codec::position_name(line.target), line.target);
      if (line.path.size() == 12) return;
      for (const auto& [san, move] : count(line.target).moves()) {
        const auto& [number, games] = move;
        if (std::uint64_t{games} * 100 < of_root || san == "--") continue;
        const std::optional<Move> named = line.target.parse_move(san);
        if (!named.has_value() || number_of(*named) != number) continue;
        const auto legal = codec::legal_moves(line.target.position);
        if (named->kind != codec::MoveKind::EnPassant) {
          EXPECT_TRUE(std::ranges::find(legal, *named) != legal.end());
        }
        Way next{.target = line.target.after(*named), .path = line.path};
        next.path.push_back(san);
        waiting.emplace(std::pair(-std::int64_t{games}, next.path), next);
      }
    };
    reach({.target = root, .path = {}});
    for (int lines = 0; lines < 1000 && !waiting.empty(); ++lines) {
      const Way line = waiting.extract(waiting.begin()).mapped();
      std::vector<std::string> before = line.path;
      before.pop_back();
      result.lines[join(before)].push_back(line.path.back());
      reach(line);
    }
    return result;
  }

  const Count& count(const TargetPosition& target) { return counts_[codec::position_name(target)]; }
  static std::string join(const std::vector<std::string>& path) {
    std::string text;
    for (const std::string& san : path) text += (text.empty() ? "" : " ") + san;
    return text;
  }

 private:
  void add(const codec::scid::GameEntry& entry, codec::Bytes record) {
    std::vector<ExtraTag> tags;
    RecordHead head;
    if (parse_record_head(record, tags, head).has_value()) return;
    MainLineMoves line{.positions = {},
                       .moves = {},
                       .texts = codec::scid::CommentTexts(record, head.moves_offset)};
    codec::scid::Walker walker;
    walker.walk(record, head, line);
    std::set<std::string> seen;
    for (std::size_t ply = 0; ply < line.positions.size(); ++ply) {
      const TargetPosition target{.position = line.positions[ply], .with_rights = with_rights_};
      const std::string name = codec::position_name(target);
      if (!seen.insert(name).second) continue;
      counts_[name].add(
          entry, ply < line.moves.size() ? std::optional(line.moves[ply]) : std::nullopt, target);
    }
  }

  const bool with_rights_;
  std::map<std::string, Count> counts_;
};

void expect_table(const OpeningTree& tree, const std::string& position, const Table& wanted) {
  const MoveTable* const table = tree.find(position);
  ASSERT_NE(table, nullptr) << position;
  const Table found = table_of(*table);
  EXPECT_EQ(found.all, wanted.all) << position;
  EXPECT_EQ(found.moves, wanted.moves) << position;
}

class OpeningTreeTest : public SetsTest {
 protected:
  static Tree make(const DatabaseGames& set, std::string_view root = kStart,
                   const WorkBudget& budget = whole()) {
    auto tree = OpeningTree::make(set, target_of(root), budget);
    EXPECT_TRUE(tree.ok()) << tree.status();
    return tree.value_or(nullptr);
  }
  static std::vector<std::string> listed(const OpeningTree& tree, const TargetPosition& root,
                                         const std::string& line) {
    std::vector<Move> moves;
    TargetPosition target = root;
    std::istringstream sans(line);
    for (std::string san; sans >> san;) {
      const std::optional<Move> move = target.parse_move(san);
      if (!move.has_value()) {
        ADD_FAILURE() << line << ": " << san;
        break;
      }
      moves.push_back(*move);
      target = target.after(*move);
    }
    const auto after = tree.listed(moves);
    return {after.begin(), after.end()};
  }
  static std::vector<std::string> listed(const OpeningTree& tree, const std::string& line) {
    return listed(tree, target_of(kStart), line);
  }

  // The tree agrees with the oracle.
  static void compare(const DatabaseGames& set, TreeOracle& oracle, std::string_view name,
                      const WorkBudget& budget) {
    const TargetPosition root = target_of(name);
    const Tree tree = make(set, name, budget);
    ASSERT_NE(tree, nullptr);
    const Listed wanted = oracle.listed(root);
    for (const auto& [line, moves] : wanted.lines) {
      EXPECT_EQ(listed(*tree, root, line), moves) << name << ": " << line;
    }
    for (const auto& [position, target] : wanted.positions) {
      expect_table(*tree, position, oracle.count(target).table());
    }
  }

  // Games by their moves, one after the other, in SAN; "FEN: " precedes the moves of a game with a
  // start position of its own.
  static tests::ScidFiles files_with(const std::vector<std::string>& games) {
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (const std::string& game : games) {
      const std::size_t colon = game.find(": ");
      tests::ScidEncoder encoder = colon == std::string::npos
                                       ? tests::ScidEncoder()
                                       : tests::ScidEncoder(game.substr(0, colon));
      encoder.moves(colon == std::string::npos ? game : game.substr(colon + 2));
      builder.game({}, encoder.record());
    }
    return builder.files();
  }
};

TEST_F(OpeningTreeTest, ListsPlayedMoves) {
  const Shared database = open(files_with({
      "e4 c5 Nf3",
      "e4 e5",
      "e4 c5 Nc3 a6",
      "d4",
      "Nf3 c5 e4 d6",  // the same position as after the first
      "",
  }));
  const Tree tree = make(shown(database));
  EXPECT_THAT(listed(*tree, ""), ElementsAre("e4", "Nf3", "d4"));
  EXPECT_THAT(listed(*tree, "e4"), ElementsAre("c5", "e5"));
  EXPECT_THAT(listed(*tree, "e4 c5"), ElementsAre("Nc3", "Nf3"));
  EXPECT_THAT(listed(*tree, "e4 c5 Nf3"), ElementsAre("d6"));
  EXPECT_THAT(listed(*tree, "Nf3 c5"), ElementsAre("e4"));
  EXPECT_THAT(listed(*tree, "Nf3 c5 e4"), ElementsAre("d6"));
  EXPECT_THAT(listed(*tree, "d4"), IsEmpty());
  EXPECT_THAT(listed(*tree, "a4"), IsEmpty());
  EXPECT_THAT(listed(*tree, "a4 e5"), IsEmpty());

  const MoveTable* const start = tree->find(kStart);
  ASSERT_NE(start, nullptr);
  EXPECT_EQ(start->all().score.all(), 6U) << "with the game that ends there";
  EXPECT_EQ(start->moves().size(), 3U);
  const MoveTable* const sicilian =
      tree->find("rnbqkbnr-pp1ppppp-8-2p5-4P3-5N2-PPPP1PPP-RNBQKB1R_b");
  ASSERT_NE(sicilian, nullptr);
  EXPECT_EQ(sicilian->all().score.all(), 2U);
  EXPECT_EQ(tree->find("rnbqkbnr-pppppppp-8-8-P7-8-1PPPPPPP-RNBQKBNR_b"), nullptr);
  EXPECT_GT(tree->memory(), sizeof(OpeningTree) + 9 * sizeof(MoveTable));
}

TEST_F(OpeningTreeTest, IsEmptyWithoutGames) {
  const Shared database = open(files_with({"e4", "d4"}));
  for (const DatabaseGames& set : {set_of(database, {}), set_of(database, {0, 1})}) {
    const Tree tree = make(set, "4k3-8-8-8-8-8-8-4K3_w");
    EXPECT_THAT(tree->listed({}), IsEmpty());
    const MoveTable* const table = tree->find("4k3-8-8-8-8-8-8-4K3_w");
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->all().score.all(), 0U);
    EXPECT_TRUE(table->moves().empty());
  }
}

TEST_F(OpeningTreeTest, ListsMovesOfOnePercentOfGames) {
  std::vector<std::string> games(198, "e4 e5");
  games.insert(games.end(), {"d4", "d4", "a4"});
  const Shared database = open(files_with(games));
  // 2 of 201 are too few, 2 of 200 are enough.
  EXPECT_THAT(listed(*make(shown(database)), ""), ElementsAre("e4"));
  std::vector<GameIndex> some;
  for (GameIndex game = 0; game < 200; ++game) some.push_back(game);
  EXPECT_THAT(listed(*make(set_of(database, some)), ""), ElementsAre("e4", "d4"));
  EXPECT_THAT(listed(*make(set_of(database, {198, 200})), ""), ElementsAre("a4", "d4"));
}

TEST_F(OpeningTreeTest, EndsAtTheTwelfthPly) {
  const std::string line = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
  const Shared database = open(files_with({line + " Bb3 d6", line + " Bb3 O-O"}));
  const Tree tree = make(shown(database));
  EXPECT_THAT(listed(*tree, line.substr(0, line.rfind(' '))), ElementsAre("b5"));
  EXPECT_THAT(listed(*tree, line), IsEmpty());
  const MoveTable* const table =
      tree->find("r1bqk2r-2ppbppp-p1n2n2-1p2p3-B3P3-5N2-PPPP1PPP-RNBQR1K1_w");
  ASSERT_NE(table, nullptr) << "a position that is listed has its table";
  EXPECT_EQ(table->moves().size(), 1U);
}

TEST_F(OpeningTreeTest, CountsPositionsReachedLateOrWithoutTheRoot) {
  const std::string detour = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 ";
  const Shared database = open(files_with({
      "e4 e5",
      detour + "e4 e5 Nc3 Nc6",
      "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1: Nc3 Nf6 Nf3",
      "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1: Nf6 f4 -- --",
  }));
  const Tree tree = make(shown(database));
  EXPECT_THAT(listed(*tree, ""), ElementsAre("Nf3", "e4"));
  EXPECT_THAT(listed(*tree, "e4 e5"), ElementsAre("Nc3"));
  EXPECT_THAT(listed(*tree, "e4 e5 Nc3"), ElementsAre("Nf6", "Nc6"));
  EXPECT_THAT(listed(*tree, "e4 e5 Nc3 Nf6"), ElementsAre("Nf3", "f4"));
  EXPECT_THAT(listed(*tree, "e4 e5 Nc3 Nf6 f4"), IsEmpty()) << "a null move answers, unlisted";
}

TEST_F(OpeningTreeTest, ComparesRightsIfNamed) {
  // The same board, but in the second game Black's king has moved.
  const Shared database = open(files_with({
      "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O",
      "e4 e5 Nf3 Ke7 Be2 Ke8 O-O Nf6 Nc3 Be7",
      "e4 e5 Be2 Nf6 Nf3 Be7 d3",
  }));
  constexpr std::string_view kBoard = "rnbqkb1r-pppp1ppp-5n2-4p3-4P3-5N2-PPPPBPPP-RNBQK2R_b";
  const Tree by_board = make(shown(database), kBoard);
  EXPECT_EQ(by_board->find(kBoard)->all().score.all(), 2U);
  const std::string with_rights = std::string(kBoard) + "_KQkq_-";
  EXPECT_EQ(make(shown(database), with_rights)->find(with_rights)->all().score.all(), 2U);
  const std::string without_rights = std::string(kBoard) + "_KQ_-";
  EXPECT_EQ(make(shown(database), without_rights)->find(without_rights)->all().score.all(), 0U);
  constexpr std::string_view kCastled = "rnbqkb1r-pppp1ppp-5n2-4p3-4P3-5N2-PPPPBPPP-RNBQ1RK1_w";
  const std::string may_not = std::string(kCastled) + "_-_-";
  const std::string may = std::string(kCastled) + "_kq_-";
  EXPECT_EQ(make(shown(database), may_not)->find(may_not)->all().score.all(), 1U);
  EXPECT_EQ(make(shown(database), may)->find(may)->all().score.all(), 0U);
}

TEST_F(OpeningTreeTest, RespectsBudget) {
  const Shared database = open(files_with({"e4", "d4", "c4"}));
  const TargetPosition root = target_of(kStart);
  const DatabaseGames set = shown(database);
  EXPECT_EQ(OpeningTree::make(set, root, WorkBudget::limited(2)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(OpeningTree::make(set, root, WorkBudget::limited(3)).ok());
  EXPECT_EQ(OpeningTree::make(set, root, over()).status(), WorkBudget::cancelled());
}

// Games of few different moves, with many ways to the same position: knights move out and back, and
// pawns take one step or two.
class RandomOpeningTreeTest : public OpeningTreeTest {
 protected:
  static tests::ScidFiles random_openings(std::size_t games, std::size_t most_plies, bool damaged,
                                          std::uint64_t seed) {
    static const std::vector<std::string> kMoves = {
        "Nf3", "Nf6", "Nc3", "Nc6",  "Ng1",  "Ng8", "Nb1", "Nb8", "e3",   "e6",   "e4",
        "e5",  "d4",  "d5",  "exd5", "exd4", "Bb5", "Bb4", "O-O", "dxe6", "Qxd5", "--"};
    static const std::vector<std::string> kStarts = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w Qkq - 0 1",
        "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/4p3/8/8/8/PPPP1PPP/RNBQPKNR w kq - 0 1",  // a pawn that may move to its
                                                                     // home square
        "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKPNR w Qkq - 0 1"};
    tests::Random random(seed);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (std::size_t game = 0; game < games; ++game) {
      tests::ScidEncoder encoder = random.one_in(8)
                                       ? tests::ScidEncoder(kStarts[random.below(kStarts.size())])
                                       : tests::ScidEncoder();
      for (std::size_t plies = random.below(most_plies + 1); plies > 0; --plies) {
        std::vector<Move> moves;
        for (const std::string& san : kMoves) {
          const auto move = codec::parse_san(encoder.position(), san);
          if (move.has_value() && (san != "--" || random.one_in(10))) moves.push_back(*move);
        }
        if (moves.empty() || random.one_in(20)) {
          moves = {tests::random_move(encoder.position(), random)};
        }
        encoder.move(moves[random.below(1 + random.below(moves.size()))]);
        if (random.one_in(20)) encoder.comment("so").nag(3);
        if (random.one_in(20)) {
          encoder.begin_variation();
          encoder.move(tests::random_move(encoder.position(), random));
          encoder.end_variation();
        }
      }
      std::string record = encoder.record();
      if (damaged && random.one_in(3)) {
        record[random.below(record.size())] = static_cast<char>(random.below(256));
      }
      Entry entry;
      entry.result = static_cast<Result>(random.below(4));
      entry.white_rating = {
          .value = static_cast<std::uint16_t>(random.below(3) * 1000),
          .type = random.one_in(5) ? codec::RatingType::Iccf : codec::RatingType::Elo};
      entry.black_rating.value = static_cast<std::uint16_t>(random.below(3) * 1001);
      entry.date.year = static_cast<std::uint16_t>(random.one_in(4) ? 0 : 1900 + random.below(99));
      if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, record);
    }
    return builder.files();
  }
};

constexpr std::array<std::string_view, 8> kRoots = {
    kStart,
    "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_b",
    "rnbqkbnr-pppp1ppp-8-4p3-4P3-8-PPPP1PPP-RNBQKBNR_w",
    "rnbqkbnr-pppp1ppp-4p3-8-8-4P3-PPPP1PPP-RNBQKBNR_b",
    "rnbqkbnr-pppppppp-8-8-8-8-PPPP1PPP-RNBQKPNR_w",
    "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-",
    "rnbqkbnr-pppp1ppp-8-4p3-4P3-8-PPPP1PPP-RNBQKBNR_w_Qkq_-",
    "rnbqkbnr-ppp2ppp-4p3-3p4-8-4P3-PPPP1PPP-RNBQKBNR_w_KQkq_-",
};

TEST_F(RandomOpeningTreeTest, AgreesWithCountingGameByGame) {
  for (const bool damaged : {false, true}) {
    const Shared database = open(random_openings(700, 30, damaged, damaged ? 1 : 2));
    std::vector<GameIndex> some;
    for (GameIndex game = 0; game < database->games(); game += 5) some.push_back(game);
    const std::vector<DatabaseGames> sets = {shown(database), deleted(database),
                                             set_of(database, some)};
    for (const DatabaseGames& set : sets) {
      TreeOracle by_board(set, false);
      TreeOracle by_rights(set, true);
      for (const std::string_view root : kRoots) {
        const TargetPosition target = target_of(root);
        TreeOracle& oracle = target.with_rights ? by_rights : by_board;
        compare(set, oracle, root, on_one_thread());
      }
    }
    // Then with known sizes of some games, and of all.
    ASSERT_TRUE(measure(*database, sets[2].list(), whole()).ok());
    TreeOracle oracle(sets[0], false);
    for (const std::string_view root : {kRoots[0], kRoots[2], kRoots[4]}) {
      compare(sets[0], oracle, root, whole());
    }
    ASSERT_TRUE(measure(*database, sets[0].list(), whole()).ok());
    EXPECT_EQ(database->sizes().damaged().size() != 0, damaged);
    for (const std::string_view root : {kRoots[0], kRoots[2], kRoots[4]}) {
      compare(sets[0], oracle, root, whole());
    }
    TreeOracle by_rights(sets[0], true);
    compare(sets[0], by_rights, kRoots[5], whole());
  }
}

// Nearly all games have different moves: more lines than the table has room for.
TEST_F(RandomOpeningTreeTest, HasAtMostThousandLines) {
  tests::Random random(3);
  tests::ScidFilesBuilder builder;
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    builder.name(static_cast<NameKind>(kind), "x");
  }
  for (int game = 0; game < 100; ++game) {
    tests::ScidEncoder encoder;
    for (int ply = 0; ply < 14; ++ply) encoder.move(tests::random_move(encoder.position(), random));
    builder.game({}, encoder.record());
  }
  const Shared database = open(builder.files());
  TreeOracle oracle(shown(database), false);
  const Listed listed = oracle.listed(target_of(kStart));
  EXPECT_EQ(listed.lines.size(), 1001U) << "with the empty one";
  compare(shown(database), oracle, kStart, whole());
}

// More games than the first sample, all of which reach the root, or few.
TEST_F(RandomOpeningTreeTest, AgreesWithOracleWhereSomeGamesAreSampledFirst) {
  const Shared database = open(random_openings(18'000, 8, false, 4));
  TreeOracle oracle(shown(database), false);
  compare(shown(database), oracle, kRoots[0], whole());
  compare(shown(database), oracle, kRoots[3], whole());
}

// Real games, if they exist: single searches find the same.
TEST_F(OpeningTreeTest, AgreesWithSearchesOfMasters) {
  const std::filesystem::path path =
      std::filesystem::path(tests::shared_folder()) / "data/masters.si4";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path;
  const auto opened = Database::open(path, "masters", {});
  ASSERT_TRUE(opened.ok()) << opened.status();
  const Shared& database = *opened;
  const Tree tree = make(shown(database));
  EXPECT_LT(tree->memory(), std::size_t{2} << 20);

  // All listed lines, in order.
  std::vector<TargetPosition> positions;
  std::vector<std::pair<TargetPosition, std::vector<Move>>> waiting = {{target_of(kStart), {}}};
  while (!waiting.empty()) {
    const auto [target, line] = waiting.back();
    waiting.pop_back();
    positions.push_back(target);
    const MoveTable* const table = tree->find(codec::position_name(target));
    ASSERT_NE(table, nullptr);
    std::vector<std::string> wanted;
    for (const PlayedMove& move : table->moves()) {
      if (line.size() < 12 && move.games.score.all() * 100 >= database->games()) {
        wanted.push_back(move.san);
      }
    }
    const auto listed = tree->listed(line);
    EXPECT_EQ(std::vector(listed.begin(), listed.end()), wanted);
    for (const std::string& san : listed) {
      const std::optional<Move> move = target.parse_move(san);
      ASSERT_TRUE(move.has_value());
      std::vector<Move> longer = line;
      longer.push_back(*move);
      waiting.emplace_back(target.after(*move), longer);
    }
  }
  ASSERT_GT(positions.size(), 100U);

  const auto reader = database->readers().borrow();
  reader->expect(database->games());
  constexpr std::size_t kSearched = 30;
  std::vector<TargetPosition> targets;
  std::vector<codec::scid::PositionSeeker> seekers;
  std::vector<Count> counts(kSearched);
  for (std::size_t i = 0; i < kSearched; ++i) {
    targets.push_back(positions[i * positions.size() / kSearched]);
    seekers.emplace_back(targets.back());
  }
  for (GameIndex game = 0; game < database->games(); ++game) {
    const codec::scid::GameEntry entry = database->entry(game);
    const auto record = reader->record(entry);
    ASSERT_TRUE(record.ok() && record->has_value());
    for (std::size_t i = 0; i < kSearched; ++i) {
      const auto reached = seekers[i].seek(**record);
      if (reached.has_value()) counts[i].add(entry, reached->next, targets[i]);
    }
  }
  for (std::size_t i = 0; i < kSearched; ++i) {
    expect_table(*tree, codec::position_name(targets[i]), counts[i].table());
  }
}

}  // namespace
}  // namespace scidfs::fs
