// Positions files: every position has the games that a look at all of them finds.
#include "fs/database/stored_positions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/movegen.h"
#include "codec/scid/board_key.h"
#include "fs/positions/board_lists.h"
#include "fs/positions/position_games.h"
#include "fs/positions/save_positions.h"
#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;
using tests::Random;
using tests::ScidEncoder;
using tests::unlimited_budget;

constexpr std::size_t kGamesWithPositions = 10'100;
constexpr std::string_view kPathOfAll = "a.si4/";
constexpr std::string_view kPathOfPlayer = "a.si4/players/White_3/";
constexpr std::string_view kPathOfDeleted = "a.si4/deleted/";

// A game that takes one of the first few moves: many games come to the same positions, by other
// moves and at other plies.
ScidEncoder narrow_game(Random& random, std::size_t plies, std::vector<codec::Position>& met,
                        ScidEncoder game = ScidEncoder()) {
  met.push_back(game.position());
  for (std::size_t ply = 0; ply < plies; ++ply) {
    const codec::MoveList moves = codec::legal_moves(game.position());
    if (moves.empty()) break;
    const std::size_t choice = ply < 12 ? 4 : 2;
    game.move(moves.begin()[moves.size() - 1 - random.below(std::min(choice, moves.size()))]);
    met.push_back(game.position());
  }
  return game;
}

class StoredPositionsTest : public LibraryTest {
 protected:
  StoredPositionsTest() {
    options_.index = IndexMode::None;  // nothing in the background
    options_.database.cache_folder = folder_ / "cache";
    options_.database.index_bytes = std::uint64_t{1} << 30;
    Random random(7);
    tests::ScidWriter writer;
    for (std::size_t game = 0; game < kGamesWithPositions; ++game) {
      writer.add(record_of(random, game), "White " + std::to_string(random.below(5)),
                 "Black " + std::to_string(random.below(5)));
      if (game % 97 == 0) writer.toggle_flag(game, codec::scid::kFlagDeleted);
    }
    tests::ScidFiles files = writer.files();
    for (int i = 0; i < 60; ++i) {
      files.games[random.below(files.games.size())] = static_cast<char>(random.below(256));
    }
    put("a", files);
  }
  ~StoredPositionsTest() override { close(); }

  std::string record_of(Random& random, std::size_t game) {
    std::vector<codec::Position> met;
    if (game % 50 == 0) {
      // Knights go out and home, so that the opening comes late.
      ScidEncoder late;
      for (std::size_t i = 0; i < 13 + random.below(3); ++i) late.moves("Nf3 Nf6 Ng1 Ng8");
      return remember(narrow_game(random, 20, met, late), met, 90);
    }
    if (game % 31 == 0) {
      return remember(narrow_game(random, 40, met, ScidEncoder(tests::random_fen(random))), met,
                      150);
    }
    if (game % 37 == 0) return tests::random_game(random, {.plies = 60}).record();
    return remember(narrow_game(random, random.below(70), met), met, 4000);
  }
  std::string remember(const ScidEncoder& game, const std::vector<codec::Position>& met,
                       std::size_t one_in) {
    if (dice_.one_in(one_in)) positions_.insert(positions_.end(), met.begin(), met.end());
    return game.record();
  }

  const Database& database() const { return *tests::shown_databases(*library_).front()->database; }
  void open_with_sizes() {
    open(source_);
    ASSERT_TRUE(database().compute_sizes(0, database().games()).ok());
  }
  // The tables of the remembered positions, of all games and of a player's.
  std::map<std::string, std::string> tables() const {
    std::map<std::string, std::string> texts;
    for (const codec::Position& position : positions_) {
      for (const bool with_rights : {false, true}) {
        const std::string name =
            codec::position_name({.position = position, .with_rights = with_rights});
        for (const std::string_view set : {kPathOfAll, kPathOfPlayer, kPathOfDeleted}) {
          const std::string path = std::string(set) + "positions/" + name;
          texts[path] = text(path + "/index.tsv");
          texts[path] += text(path + "/moves.tsv");
          if (set == kPathOfAll) texts[path] += text(path + "/explorer.json");
        }
      }
    }
    add_tree("a.si4/tree", texts);
    return texts;
  }
  // Adds the tables of a directory of the tree and of all below it.
  void add_tree(const std::string& path, std::map<std::string, std::string>& texts) const {
    texts[path] = text(path + "/moves.tsv");
    for (const std::string& name : names(path)) {
      if (name.find('.') == std::string::npos && name != "search") {
        add_tree(path + "/" + name, texts);
      }
    }
  }

  Random dice_{11};
  std::vector<codec::Position> positions_;
};

TEST_F(StoredPositionsTest, EveryPositionHasTheGamesThatALookAtAllFinds) {
  open_with_sizes();
  ASSERT_GT(positions_.size(), 80U);
  const std::map<std::string, std::string> expected = tables();

  open_with_sizes();
  EXPECT_EQ(database().positions().made(), nullptr);
  keep_positions(database(), unlimited_budget());
  ASSERT_NE(database().positions().made(), nullptr);
  std::size_t known = 0;
  std::size_t unknown = 0;
  for (const codec::Position& position : positions_) {
    const auto found = games_that_may_come(database(), database().shown(), {.position = position},
                                           unlimited_budget());
    ASSERT_TRUE(found.ok()) << found.status();
    ++(found->has_value() ? known : unknown);
  }
  EXPECT_GT(known, 40U);
  EXPECT_GT(unknown, 10U);  // frequent ones, and those after ply 24
  EXPECT_EQ(tables(), expected);

  // The next mount finds the file.
  open(source_);
  const auto found = StoredPositions::find(database().files(), database().options());
  EXPECT_NE(found, nullptr);
}

TEST_F(StoredPositionsTest, ADamagedFileIsNotUsed) {
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  const Path path = StoredPositions::path_of(database().files(), database().options());
  const std::string good = tests::read_file(path);
  const std::map<std::string, std::string> expected = [&] {
    positions_.resize(10);
    return tables();
  }();
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    close();
    std::string bad = good;
    for (std::size_t at = random.below(1000); at < bad.size(); at += 1 + random.below(5000)) {
      bad[at] = static_cast<char>(bad[at] ^ (1 + random.below(255)));
    }
    if (random.one_in(3)) bad.resize(random.below(bad.size()));
    tests::write_file(path, bad);
    open_with_sizes();
    // Unless its first bytes are damaged it is opened, and says so later.
    keep_positions(database(), unlimited_budget());
    EXPECT_EQ(tables(), expected);
  }
}

TEST_F(StoredPositionsTest, AnotherVersionHasAnother) {
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  set_time(source_ / "a.sg4", 1000);
  open_with_sizes();
  EXPECT_EQ(StoredPositions::find(database().files(), database().options()), nullptr);
  keep_positions(database(), unlimited_budget());
  EXPECT_NE(StoredPositions::find(database().files(), database().options()), nullptr);
}

TEST_F(StoredPositionsTest, NoneIsMadeWhereThereIsNoRoom) {
  options_.database.index_bytes = 1000;
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  EXPECT_EQ(database().positions().made(), nullptr);
  options_.database.cache_folder.clear();
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  EXPECT_EQ(database().positions().made(), nullptr);
}

TEST(BoardListsTest, JoinRunsOfOneBoard) {
  std::vector<BoardRun> runs = {{.key = 9, .rank = 4, .count = 1, .is_late = 0},
                                {.key = 5, .rank = 7, .count = 1, .is_late = 1},  // late only
                                {.key = 3, .rank = 10, .count = 3, .ply = 6, .is_late = 0},
                                {.key = 3, .rank = 2, .count = 1, .is_late = 1},
                                {.key = 3, .rank = 11, .count = 1, .is_late = 1},  // there already
                                {.key = 3, .rank = 13, .count = 1, .is_late = 1}};
  const BoardLists made = make_board_lists(runs, 5);
  ASSERT_EQ(made.frequent.size(), 1U);  // by the longest run in time
  EXPECT_EQ(made.frequent.front().rank, 10U);
  EXPECT_EQ(made.frequent.front().ply, 6U);
  EXPECT_EQ(made.keys, (std::vector<codec::scid::BoardKey>{3, 9}));
  EXPECT_EQ(made.values, (std::vector<std::uint32_t>{kListedBit, 4}));
  // Five games, the second is in time; rank 2 after a gap of 2; four more after a gap of 7.
  EXPECT_EQ(made.lists, (std::vector<std::uint8_t>{5, 1, 4, 15, 2}));
}

// All keys of a replay.
struct KeysVisitor {
  bool start(const codec::scid::ReplayBoard& board, codec::Color to_move) {
    key.start(board, to_move);
    keys.push_back(key.get());
    return true;
  }
  template <codec::Color kUs>
  bool move(const codec::scid::ReplayBoard& after, const codec::Move& move, const std::uint8_t*) {
    key.move<kUs>(after, move);
    keys.push_back(key.get());
    return true;
  }
  codec::scid::ReplayKey key;
  std::vector<codec::scid::BoardKey> keys;
};

TEST(BoardKeyTest, AReplayKeepsTheKeyOfItsBoard) {
  Random random(5);
  codec::scid::Replay replay;
  for (int i = 0; i < 300; ++i) {
    std::vector<codec::scid::BoardKey> expected;
    const std::vector<std::string>& fens = tests::example_fens();
    ScidEncoder game = i % 3 == 0 ? ScidEncoder() : ScidEncoder(fens[i % fens.size()]);
    expected.push_back(codec::scid::key_of_board(game.position()));
    for (int ply = 0; ply < 120; ++ply) {
      game.move(tests::random_move(game.position(), random));
      expected.push_back(codec::scid::key_of_board(game.position()));
    }
    const std::string record = game.record();
    std::vector<codec::scid::ExtraTag> tags;
    codec::scid::RecordHead head;
    const codec::Bytes bytes = codec::as_bytes(record);
    ASSERT_FALSE(codec::scid::parse_record_head(bytes, tags, head).has_value());
    KeysVisitor visitor;
    replay.run(bytes, head, visitor);
    EXPECT_EQ(visitor.keys, expected);
  }
}

}  // namespace
}  // namespace scidfs::fs
