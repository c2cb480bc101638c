// novelties.tsv, against a recount from the positions of fens/.
#include "fs/positions/novelties.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/san.h"
#include "codec/scid/facts.h"
#include "codec/scid/game_epd.h"
#include "fs/database/measure.h"
#include "fs/positions/earlier_games.h"
#include "tests/fs/duplicates/doubles_fixture.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using codec::Date;

// A game as the oracle reads it.
struct ReadGame {
  std::uint32_t part = 0;
  GameIndex game = 0;
  Date date{};
  bool is_shown = true;
  std::vector<std::string> positions;  // board and side to move
  std::vector<std::string> moves;      // after each; the last is empty

  auto place() const { return std::pair(part, game); }
};

// The oracle: a part of a date that is not known may be any.
bool is_earlier(const Date& a, const Date& b) {
  if (a.year == 0 || b.year == 0) return false;
  if (a.year != b.year) return a.year < b.year;
  if (a.month == 0 || b.month == 0) return false;
  if (a.month != b.month) return a.month < b.month;
  return a.day != 0 && b.day != 0 && a.day < b.day;
}

std::vector<ReadGame> read_games(const tests::ScidFiles& files, std::uint32_t part = 0) {
  const tests::ScidDatabase database(files, ".si4");
  codec::scid::GameEpd epd(codec::CastlingRule::Standard);
  std::vector<ReadGame> games;
  for (GameIndex game = 0; game < database.games(); ++game) {
    const codec::scid::IndexEntry entry = database.entry(game);
    ReadGame read{.part = part, .game = game, .date = entry.date, .positions = {}, .moves = {}};
    read.is_shown = (entry.flags >> codec::scid::kFlagDeleted & 1) == 0;
    const std::optional<codec::Bytes> record = database.record(game);
    codec::TextBuffer text;
    if (record.has_value()) {
      epd.append(database.place(game), codec::Result::Unknown, *record, text);
    }
    for (const std::string& line : tests::split(std::string(text.view()), '\n')) {
      read.positions.push_back(line.substr(0, line.find(' ', line.find(' ') + 1)));
      read.moves.emplace_back(tests::epd_move(line));
    }
    games.push_back(std::move(read));
  }
  return games;
}

// Counts game by game.
class Recount {
 public:
  explicit Recount(std::vector<ReadGame> games) : games_(std::move(games)) {
    for (const ReadGame& game : games_) {
      if (!game.is_shown) continue;
      const std::set<std::string> different(game.positions.begin(), game.positions.end());
      for (const std::string& position : different) came_to_[position].push_back(&game);
    }
  }

  // The rows of some games, given by part and number.
  std::string rows(std::uint32_t part, std::span<const GameIndex> numbers) const {
    std::string text;
    for (const GameIndex number : numbers) {
      const auto game = std::ranges::find(games_, std::pair(part, number), &ReadGame::place);
      if (game->date.year == 0) continue;
      for (std::size_t ply = 1; ply < game->positions.size(); ++ply) {
        if (!earlier(*game, game->positions[ply]).empty()) continue;
        const auto before = earlier(*game, game->positions[ply - 1]);
        std::string path = game->positions[ply - 1];
        std::ranges::replace(path, '/', '-');
        std::ranges::replace(path, ' ', '_');
        text += fmt::format("{}\t{}\t{}\t{}\t{}\tpositions/{}\n", number + 1, ply,
                            game->moves[ply - 1], before.size(),
                            before.empty() ? "" : std::to_string(last_of(before) + 1), path);
        break;
      }
    }
    return text;
  }

 private:
  std::vector<const ReadGame*> earlier(const ReadGame& than, const std::string& position) const {
    std::vector<const ReadGame*> found;
    const auto games = came_to_.find(position);
    if (games == came_to_.end()) return found;
    for (const ReadGame* const game : games->second) {
      if (is_earlier(game->date, than.date)) found.push_back(game);
    }
    return found;
  }
  static GameIndex last_of(const std::vector<const ReadGame*>& games) {
    return (*std::ranges::max_element(games, {},
                                      [](const ReadGame* game) {
                                        return std::tuple(game->date, game->part, game->game);
                                      }))
        ->game;
  }

  const std::vector<ReadGame> games_;
  std::map<std::string, std::vector<const ReadGame*>> came_to_;
};

constexpr std::string_view kNoveltyHead = "number\tply\tmove\tgames\tlast\tpath\n";

class NoveltiesTest : public DoublesFixture {
 protected:
  struct PlayedGame {
    Date date{};
    std::string moves;
    std::string fen = {};
    bool is_deleted = false;
  };

  // Entries are true: what the index says of the moves can be verified.
  static Entry entry_of(const std::string& record, const Date& date) {
    const auto facts = tests::facts_of_record(tests::as_bytes(record));
    Entry entry = facts.has_value() ? tests::entry_of_facts(*facts) : Entry();
    entry.date = date;
    return entry;
  }
  static void add(tests::ScidFilesBuilder& builder, const std::string& record, const Date& date,
                  bool is_deleted) {
    Entry entry = entry_of(record, date);
    if (is_deleted) entry.flags |= 1U << codec::scid::kFlagDeleted;
    builder.game(entry, record);
  }
  static tests::ScidFiles played(const std::vector<PlayedGame>& games) {
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (const PlayedGame& game : games) {
      tests::ScidEncoder encoder =
          game.fen.empty() ? tests::ScidEncoder() : tests::ScidEncoder(game.fen);
      add(builder, encoder.moves(game.moves).record(), game.date, game.is_deleted);
    }
    return builder.files();
  }

  // Games that follow an earlier one for some moves, then play a few of their own; of a few weeks,
  // many days unknown. Some are from a FEN, some have null moves, notes, or damage.
  static tests::ScidFiles random_games(std::size_t count, std::uint64_t seed) {
    static const std::vector<std::string> kMoves = {"Nf3", "Nf6", "Nc3",  "Nc6",  "Ng1", "Ng8",
                                                    "e4",  "e5",  "e3",   "e6",   "d4",  "d5",
                                                    "c4",  "c5",  "exd5", "exd4", "O-O", "--"};
    const std::string fen = "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    tests::Random random(seed);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    std::vector<std::vector<codec::Move>> lines(1);  // from the standard position
    for (std::size_t game = 0; game < count; ++game) {
      const bool has_start = random.one_in(10);
      tests::ScidEncoder encoder = has_start ? tests::ScidEncoder(fen) : tests::ScidEncoder();
      std::vector<codec::Move> line;
      if (!has_start) {
        line = lines[random.below(lines.size())];
        line.resize(random.below(line.size() + 1));
      }
      for (const codec::Move& move : line) encoder.move(move);
      for (std::size_t plies = random.below(12); plies > 0; --plies) {
        codec::Move move = tests::random_move(encoder.position(), random);
        const auto usual =
            codec::parse_san(encoder.position(), kMoves[random.below(kMoves.size())]);
        if (usual.has_value() && !random.one_in(10)) move = *usual;
        encoder.move(move);
        line.push_back(move);
        if (random.one_in(20)) encoder.comment("so").nag(3);
      }
      if (!has_start) lines.push_back(line);
      std::string record = encoder.record();
      if (random.one_in(12)) record[random.below(record.size())] = static_cast<char>(random.next());
      Date date;
      if (!random.one_in(15)) date.year = static_cast<std::uint16_t>(2000 + random.below(3));
      if (!random.one_in(6)) date.month = static_cast<std::uint8_t>(1 + random.below(2));
      if (!random.one_in(4)) date.day = static_cast<std::uint8_t>(1 + random.below(9));
      add(builder, record, date, random.one_in(10));
    }
    return builder.files();
  }

  static std::string table(const GameSet& parts, const NoveltyPasses& passes = {},
                           const WorkBudget& budget = whole()) {
    const auto made = novelty_table(parts, budget, passes);
    EXPECT_TRUE(made.ok()) << made.status();
    return made.value_or("");
  }
  std::string table_of(const std::vector<PlayedGame>& games) {
    return table(shown(open(played(games))));
  }
};

TEST_F(NoveltiesTest, AgreeWithCountingGameByGame) {
  const tests::ScidFiles files = random_games(900, 1);
  const Recount recount(read_games(files));
  const Shared database = open(files);
  for (const bool is_measured : {false, true}) {
    if (is_measured) {
      ASSERT_TRUE(measure(*database, all_of(*database), whole()).ok());
      EXPECT_GT(database->sizes().damaged().size(), 10U);
      ASSERT_TRUE(database->signatures(whole()).ok());
    }
    for (const DatabaseGames& set : many_sets(database, 2)) {
      const std::string wanted = std::string(kNoveltyHead) + recount.rows(0, games_of(set));
      EXPECT_EQ(table(set), wanted);
      EXPECT_EQ(table(set, {}, on_one_thread()), wanted);
      for (const NoveltyPasses& passes :
           std::vector<NoveltyPasses>{{.plies = 1}, {.plies = 3, .fewest_to_sample = 0}}) {
        EXPECT_EQ(table(set, passes), wanted) << passes.plies;
      }
    }
  }
  // The games are of all kinds.
  const auto rows = tests::rows_of(table(shown(database)));
  EXPECT_GT(rows.size(), 300U);
  EXPECT_LT(rows.size(), 780U);
  EXPECT_GT(std::ranges::count_if(rows, [](const auto& row) { return std::stoi(row[1]) > 8; }), 20);
}

TEST_F(NoveltiesTest, CountTheGamesOfAllParts) {
  const std::vector<tests::ScidFiles> files = {random_games(300, 3), random_games(1, 4),
                                               random_games(400, 5)};
  std::vector<DatabaseGames> parts;
  std::vector<ReadGame> games;
  for (std::uint32_t part = 0; part < files.size(); ++part) {
    parts.push_back(shown(open(files[part])));
    std::ranges::move(read_games(files[part], part), std::back_inserter(games));
  }
  parts[0] = set_of(parts[0].database(), {3, 50, 200, 299});
  const Recount recount(std::move(games));
  std::string wanted(kNoveltyHead);
  for (std::uint32_t part = 0; part < parts.size(); ++part) {
    wanted += recount.rows(part, games_of(parts[part]));
  }
  EXPECT_EQ(table(GameSet(std::move(parts))), wanted);
}

// After 1.c4 Nf6 2.d4 the position is known, though d4 was never played there.
TEST_F(NoveltiesTest, KnowPositionsByTransposition) {
  EXPECT_EQ(table_of({{.date = {.year = 1998}, .moves = "c4 Nf6"},
                      {.date = {.year = 1999}, .moves = "d4 Nf6 c4 e6 Nf3"},
                      {.date = {.year = 2000}, .moves = "c4 Nf6 d4 e6 Nc3 Bb4"}}),
            std::string(kNoveltyHead) +
                "1\t1\tc4\t0\t\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n"
                "2\t1\td4\t1\t1\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n"
                "3\t5\tNc3\t1\t2\tpositions/rnbqkb1r-pppp1ppp-4pn2-8-2PP4-8-PP2PPPP-RNBQKBNR_w\n");
}

TEST_F(NoveltiesTest, HaveNoRowWhereNothingIsNew) {
  const Date before{.year = 1999};
  const Date after{.year = 2000};
  EXPECT_EQ(table_of({{.date = before, .moves = "e4 e5", .is_deleted = true},
                      {.date = before, .moves = "d4 d5"},
                      {.date = after, .moves = "d4 d5"},
                      {.date = after, .moves = ""},
                      {.date = {.month = 5, .day = 5}, .moves = "a4"},
                      {.date = {}, .moves = "a4"},
                      {.date = after, .moves = "e4 e5"}}),
            std::string(kNoveltyHead) +
                "2\t1\td4\t0\t\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n"
                "7\t1\te4\t1\t2\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n");
}

// A game of the same day is not earlier, nor one that may be.
TEST_F(NoveltiesTest, HaveNoDoubt) {
  const std::vector<std::pair<Date, unsigned>> plies_after = {
      {{.year = 2005, .month = 3, .day = 8}, 3},
      {{.year = 2005, .month = 3, .day = 9}, 1},
      {{.year = 2005, .month = 3}, 1},
      {{.year = 2005}, 1},
      {{.year = 2005, .day = 8}, 1},
      {{.month = 3, .day = 8}, 1},
      {{.year = 2005, .month = 2}, 3},
      {{.year = 2004}, 3},
      {{.year = 2004, .day = 31}, 3},
      {{}, 1}};
  for (const auto& [date, ply] : plies_after) {
    const auto rows = tests::rows_of(
        table_of({{.date = date, .moves = "e4 e5"},
                  {.date = {.year = 2005, .month = 3, .day = 9}, .moves = "e4 e5 Nf3"}}));
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows.back().at(0), "2");
    EXPECT_EQ(rows.back().at(1), std::to_string(ply)) << pack_date(date);
    EXPECT_EQ(rows.back().at(3), ply == 3 ? "1" : "0") << pack_date(date);
  }
}

TEST_F(NoveltiesTest, CountDaysFromTheLastOneThatADateMayMean) {
  for (const Date& date : std::vector<Date>{{.year = 2005, .month = 3, .day = 9},
                                            {.year = 2005, .month = 3},
                                            {.year = 2005},
                                            {.year = 2005, .day = 9},
                                            {.month = 3, .day = 9},
                                            {}}) {
    for (const Date& other : std::vector<Date>{{.year = 2004, .month = 12, .day = 31},
                                               {.year = 2005},
                                               {.year = 2005, .month = 3},
                                               {.year = 2005, .day = 10},
                                               {.year = 2005, .month = 3, .day = 9},
                                               {.year = 2005, .month = 3, .day = 10},
                                               {.year = 2005, .month = 4},
                                               {.year = 2006}}) {
      EXPECT_EQ(codec::last_day_of(pack_date(date)) < pack_date(other), is_earlier(date, other))
          << pack_date(date) << ' ' << pack_date(other);
    }
  }
}

// The second game comes to the FEN of the third, and the fourth goes on from there.
TEST_F(NoveltiesTest, FollowGamesFromAFen) {
  const std::string fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
  const std::string name = "positions/rnbqkbnr-pppp1ppp-8-4p3-4P3-8-PPPP1PPP-RNBQKBNR";
  EXPECT_EQ(table_of({{.date = {.year = 1999}, .moves = "Nc3", .fen = fen},
                      {.date = {.year = 2000}, .moves = "e4 e5 Nc3 Nc6"},
                      {.date = {.year = 2001}, .moves = "d4 exd4", .fen = fen}}),
            std::string(kNoveltyHead) + "1\t1\tNc3\t0\t\t" + name + "_w\n" +
                "2\t1\te4\t0\t\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n" +
                "3\t1\td4\t2\t2\t" + name + "_w\n");
}

// Doubles, whose dates do not contradict each other, are never earlier.
TEST_F(NoveltiesTest, DoNotCountDoubles) {
  const std::string record =
      tests::ScidEncoder().moves("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7").record();
  std::vector<Game> games;
  for (const Date& date : std::vector<Date>{{.year = 1985, .month = 11, .day = 9},
                                            {.year = 1985, .month = 11},
                                            {.year = 1985},
                                            {.year = 1985, .month = 11, .day = 9}}) {
    games.push_back({.white = "Karpov", .black = "Kasparov", .date = date, .record = record});
  }
  const Shared database = open(files_with(games));
  EXPECT_EQ(groups_of(*doubles_of(database)), (Groups{{1, 2, 3, 4}}));
  const auto rows = tests::rows_of(table(shown(database)));
  ASSERT_EQ(rows.size(), 4U);
  for (const auto& row : rows) EXPECT_EQ(row.at(1), "1");
}

TEST_F(NoveltiesTest, RefuseLargeSets) {
  const std::string record = tests::ScidEncoder().moves("e4").record();
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  for (std::size_t game = 0; game <= kMostGamesOfNovelties; ++game) {
    add(builder, record, {.year = static_cast<std::uint16_t>(game == 7 ? 1999 : 2000)}, false);
  }
  const Shared database = open(builder.files());
  EXPECT_TRUE(absl::IsUnimplemented(novelty_table(shown(database), whole()).status()));
  std::vector<GameIndex> games = games_of(shown(database));
  games.pop_back();
  EXPECT_EQ(table(set_of(database, games)),
            std::string(kNoveltyHead) +
                "8\t1\te4\t0\t\tpositions/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w\n");
}

// Three games of the set, twice, and all games of the database in one pass.
TEST_F(NoveltiesTest, ObeyTheBudget) {
  const Shared database =
      open(played(std::vector(50, PlayedGame{.date = {.year = 2000}, .moves = "e4"})));
  const DatabaseGames set = set_of(database, {5, 6, 7});
  EXPECT_EQ(novelty_table(set, WorkBudget::limited(55)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(novelty_table(set, WorkBudget::limited(56)).ok());
  EXPECT_EQ(novelty_table(set, over()).status(), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
