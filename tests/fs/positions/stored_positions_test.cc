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
#include "fs/positions/frequent_tables.h"
#include "fs/positions/notable_tally.h"
#include "fs/positions/position_games.h"
#include "fs/positions/save_positions.h"
#include "fs/repertoire/replay.h"
#include "fs/repertoire/stored_scores.h"
#include "fs/views/known_position.h"
#include "fs/views/repertoires.h"
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

// Adds some players, and returns their ids.
std::vector<std::uint32_t> players_of(tests::ScidFilesBuilder& builder) {
  std::vector<std::uint32_t> ids;
  for (const char* const side : {"White ", "Black "}) {
    for (int i = 0; i < 5; ++i) {
      ids.push_back(builder.name(codec::scid::NameKind::Player, side + std::to_string(i)));
    }
  }
  return ids;
}

// Results, ratings and dates, each unknown in some games.
codec::scid::IndexEntry entry_of(Random& random, const std::vector<std::uint32_t>& players) {
  codec::scid::IndexEntry entry;
  entry.white = players[random.below(5)];
  entry.black = players[5 + random.below(5)];
  entry.result = static_cast<codec::Result>(random.below(4));
  for (codec::Rating* const rating : {&entry.white_rating, &entry.black_rating}) {
    if (!random.one_in(5)) rating->value = static_cast<std::uint16_t>(2000 + random.below(800));
  }
  if (!random.one_in(5)) {
    entry.date = {.year = static_cast<std::uint16_t>(1950 + random.below(70)),
                  .month = static_cast<std::uint8_t>(1 + random.below(12)),
                  .day = static_cast<std::uint8_t>(1 + random.below(28))};
  }
  return entry;
}

class StoredPositionsTest : public LibraryTest {
 protected:
  using Texts = std::map<std::string, std::string>;
  static void expect_equal(const Texts& texts, const Texts& expected) {
    ASSERT_EQ(texts.size(), expected.size());
    for (const auto& [path, text] : expected) EXPECT_EQ(texts.at(path), text) << path;
  }

  StoredPositionsTest() {
    options_.index = IndexMode::None;  // nothing in the background
    options_.database.cache_folder = folder_ / "cache";
    options_.database.index_bytes = std::uint64_t{1} << 30;
    Random random(7);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    const std::vector<std::uint32_t> players = players_of(builder);
    for (std::size_t game = 0; game < kGamesWithPositions; ++game) {
      const std::string record = record_of(random, game);
      codec::scid::IndexEntry entry = entry_of(random, players);
      if (game % 97 == 0) entry.flags |= 1U << codec::scid::kFlagDeleted;
      builder.game(entry, record);
    }
    tests::ScidFiles files = builder.files();
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
  Texts tables() const {
    Texts texts;
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
  void add_lines(Texts& texts) const {
    for (const char* const lines : {"lines.pgn", "lines/games=40.pgn", "lines/side=white.pgn",
                                    "lines/best=100,side=black.pgn"}) {
      for (const char* const set : {"a.si4/", "a.si4/tree/e4/", "a.si4/players/White_3/"}) {
        texts[std::string(set) + lines] = text(std::string(set) + lines);
      }
    }
  }
  // Adds the tables of a directory of the tree and of all below it.
  void add_tree(const std::string& path, Texts& texts) const {
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
  const auto all = [this] {
    Texts texts = tables();
    add_lines(texts);
    return texts;
  };
  const Texts expected = all();

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
  expect_equal(all(), expected);

  // The next mount finds the file.
  open(source_);
  const auto found = StoredPositions::find(database().files(), database().options());
  EXPECT_NE(found, nullptr);
}

TEST_F(StoredPositionsTest, ARemoteSourceHasThemToo) {
  positions_.resize(20);
  open_with_sizes();
  const Texts expected = tables();
  options_.locality = Locality::Remote;
  open_with_sizes();
  ASSERT_TRUE(database().files().is_remote());
  keep_positions(database(), unlimited_budget());
  ASSERT_NE(database().positions().made(), nullptr);
  expect_equal(tables(), expected);
}

TEST_F(StoredPositionsTest, TellTheScoresOfAllGamesInTheLinesOfARepertoire) {
  Random random(9);
  tests::ScidFilesBuilder lines_builder = tests::builder_with_names();
  std::vector<codec::Position> met;
  for (int game = 0; game < 40; ++game) {
    lines_builder.game({}, narrow_game(random, 18, met).record());
  }
  put("lines", lines_builder.files());
  const auto prepared = [&] {
    const std::string directory = "a.si4/players/White_3/prepare/lines.si4/white/";
    return text(directory + "prepare.tsv") + text(directory + "prepare.txt");
  };
  open_with_sizes();
  const std::string expected = prepared();
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  EXPECT_EQ(prepared(), expected);

  const auto lines = lines_of(*tests::shown_databases(*library_).front()->views, "lines.si4",
                              codec::Color::White, unlimited_budget());
  ASSERT_TRUE(lines.ok()) << lines.status();
  const DatabaseGames all(tests::shown_databases(*library_).front()->database, database().shown());
  const auto replay = RepertoireReplay::make(all, std::nullopt, *lines, unlimited_budget());
  ASSERT_TRUE(replay.ok()) << replay.status();
  // Boards that games come to late, and those with many games but no table, need the replay.
  std::vector<SideLines::Place> places;
  std::size_t with_tables = 0;
  for (SideLines::Place place = 0; place < (*lines)->size(); ++place) {
    const auto alone = stored_scores(all, *lines, std::span(&place, 1), unlimited_budget());
    ASSERT_TRUE(alone.ok()) << alone.status();
    if (!alone->has_value()) continue;
    places.push_back(place);
    with_tables += (*alone)->front().all() < kFrequentGames ? 0 : 1;
  }
  EXPECT_GT(with_tables, 10U);
  EXPECT_GT(places.size(), with_tables + 100);
  const auto stored = stored_scores(all, *lines, places, unlimited_budget());
  ASSERT_TRUE(stored.ok()) << stored.status();
  ASSERT_TRUE(stored->has_value());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const MoveTable* const played = (*replay)->played(places[i]);
    const Score expected_score = played == nullptr ? Score() : played->all().score;
    EXPECT_EQ((*stored)->at(i).all(), expected_score.all()) << places[i];
    EXPECT_EQ(percent_of((*stored)->at(i)), percent_of(expected_score)) << places[i];
  }
}

TEST_F(StoredPositionsTest, TogetherHasThoseOfItsDatabases) {
  constexpr std::size_t kFewGames = 3'000;
  options_.database.index_games = kFewGames;
  Random random(8);
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  const std::vector<std::uint32_t> players = players_of(builder);
  std::vector<codec::Position> met;
  for (std::size_t game = 0; game < kFewGames; ++game) {
    const std::string record = narrow_game(random, 30, met).record();
    builder.game(entry_of(random, players), record);
  }
  put("b", builder.files());
  // Early positions are frequent in both, and in one of them.
  const std::vector<codec::Position> early(met.begin(), met.begin() + 12);
  const auto open_all = [&] {
    open(source_);
    for (const MountedVersionPtr& shown : tests::shown_databases(*library_)) {
      ASSERT_TRUE(shown->database->compute_sizes(0, shown->database->games()).ok());
    }
  };
  const auto all = [&] {
    Texts texts;
    for (const codec::Position& position : early) {
      const std::string path = "together/positions/" + codec::position_name({.position = position});
      for (const char* const name : {"/moves.tsv", "/index.tsv", "/explorer.json"}) {
        texts[path + name] = text(path + name);
      }
    }
    add_tree("together/tree", texts);
    texts["lines"] = text("together/lines.pgn");
    return texts;
  };
  open_all();
  const Texts expected = all();
  EXPECT_GT(expected.size(), 50U);
  for (const std::size_t with_file : {0, 1}) {
    open_all();
    keep_positions(*tests::shown_databases(*library_)[with_file]->database, unlimited_budget());
    expect_equal(all(), expected);
  }
  const auto known = known_position(*tests::shown_databases(*library_).front()->views,
                                    {.position = early.front()});
  ASSERT_TRUE(known.has_value());
  EXPECT_EQ(known->strongest.size(), kTopGames);
}

TEST_F(StoredPositionsTest, ADamagedFileIsNotUsed) {
  open_with_sizes();
  keep_positions(database(), unlimited_budget());
  const Path path = StoredPositions::path_of(database().files(), database().options());
  const std::string good = tests::read_file(path);
  const Texts expected = [&] {
    positions_.resize(10);
    return tables();
  }();
  Random random(3);
  for (int i = 0; i < 6; ++i) {
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
    expect_equal(tables(), expected);
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
