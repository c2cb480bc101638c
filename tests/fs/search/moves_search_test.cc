// Compares position=, line= and reached=, and tables of moves, with the positions that fens/ shows;
// what is negated, with the games that are whole.
#include "fs/search/moves_search.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/san.h"
#include "codec/scid/facts.h"
#include "codec/scid/game_epd.h"
#include "codec/target_position.h"
#include "fs/positions/moves_played.h"
#include "fs/search/search.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_writer.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;

// A position of a game and the next move, which is empty at the end.
struct Ply {
  std::string fen;  // four fields
  std::string move;
};
struct Plies : std::vector<Ply> {
  bool is_whole = false;  // the game is not damaged
};

std::string board_and_side(std::string_view fen) {
  return std::string(fen.substr(0, fen.find(' ', fen.find(' ') + 1)));
}

Plies plies_of(const std::string& epd) {
  Plies plies;
  plies.is_whole = !epd.empty() && epd.find("is damaged at byte") == std::string::npos;
  std::string_view rest = epd;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    constexpr std::string_view kId = " id \"";
    plies.push_back({.fen = std::string(line.substr(0, line.find(kId))),
                     .move = std::string(tests::epd_move(line))});
  }
  return plies;
}

std::vector<Plies> all_plies(const tests::ScidDatabase& read, codec::CastlingRule rule) {
  std::vector<Plies> all(read.games());
  codec::scid::GameEpd epd(rule);
  for (std::uint32_t game = 0; game < read.games(); ++game) {
    const std::optional<codec::Bytes> record = read.record(game);
    if (!record.has_value()) continue;
    codec::TextBuffer text;
    epd.append(read.place(game), codec::Result::Unknown, *record, text);
    all[game] = plies_of(std::string(text.view()));
  }
  return all;
}

// The name of a position: two fields of a FEN, or four.
std::string name_of(std::string fen) {
  const std::size_t blank = fen.find(' ');
  std::replace(fen.begin(), fen.begin() + static_cast<std::ptrdiff_t>(blank), '/', '-');
  std::ranges::replace(fen, ' ', '_');
  return fen;
}

// The fields that count with rights: en passant only if a pawn can capture.
std::string with_rights(const std::string& fen) {
  return codec::position_name(*codec::parse_position_name(name_of(fen)));
}

// The pieces of both sides as a text, each side sorted: "KRPvKR".
std::string material_of(std::string_view fen) {
  std::array<std::string, 2> sides;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c >= 'A' && c <= 'Z') sides[0] += c;
    if (c >= 'a' && c <= 'z') sides[1] += static_cast<char>(c - 'a' + 'A');
  }
  constexpr std::string_view kOrder = "KQRBNP";
  for (std::string& side : sides) {
    std::ranges::sort(side, {}, [&](char c) { return kOrder.find(c); });
  }
  return std::max(sides[0], sides[1]) + "v" + std::min(sides[0], sides[1]);
}

std::vector<GameIndex> to_vector(const GameList& list) {
  std::vector<GameIndex> games;
  GameList::Cursor cursor = list.begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) games.push_back(game);
  return games;
}

std::vector<GameIndex> find(const DatabasePtr& database, const std::string& facet) {
  const auto parsed = parse_facet(facet);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  if (!parsed.ok()) return {};
  const std::vector<FacetGroup> groups = {{*parsed}};
  const auto found = search(GameSet(database, database->shown()), std::nullopt, groups,
                            WorkBudget::unlimited(nullptr));
  EXPECT_TRUE(found.ok()) << found.status();
  return to_vector(GameList::of(found->bytes()));
}

// The games for which holds(plies) is true.
template <class Holds>
std::vector<GameIndex> games_where(const std::vector<Plies>& all, const Holds& holds) {
  std::vector<GameIndex> games;
  for (std::size_t game = 0; game < all.size(); ++game) {
    if (holds(all[game])) games.push_back(static_cast<GameIndex>(game));
  }
  return games;
}

// What is negated finds the whole games that the facet does not find.
void expect_negated(const DatabasePtr& database, const std::vector<Plies>& all,
                    const std::string& facet) {
  const std::vector<GameIndex> found = find(database, facet);
  std::vector<GameIndex> expected;
  for (const GameIndex game : games_where(all, [](const Plies& plies) { return plies.is_whole; })) {
    if (!std::ranges::binary_search(found, game)) expected.push_back(game);
  }
  EXPECT_EQ(find(database, "not-" + facet), expected) << facet;
}

void expect_position(const DatabasePtr& database, const std::vector<Plies>& all,
                     const std::string& fen) {
  SCOPED_TRACE(fen);
  const std::string two = board_and_side(fen);
  EXPECT_EQ(find(database, "position=" + name_of(two)), games_where(all, [&](const Plies& plies) {
              return std::ranges::any_of(
                  plies, [&](const Ply& ply) { return board_and_side(ply.fen) == two; });
            }));
  const std::string four = with_rights(fen);
  EXPECT_EQ(find(database, "position=" + name_of(fen)), games_where(all, [&](const Plies& plies) {
              return std::ranges::any_of(plies, [&](const Ply& ply) {
                return board_and_side(ply.fen) == two && with_rights(ply.fen) == four;
              });
            }));
  expect_negated(database, all, "position=" + name_of(two));
  expect_negated(database, all, "position=" + name_of(fen));
}

void expect_table(const DatabasePtr& database, const std::vector<Plies>& all,
                  const std::string& fen) {
  SCOPED_TRACE(fen);
  const std::string two = board_and_side(fen);
  std::map<std::string, std::uint32_t> expected;
  for (const Plies& plies : all) {
    const auto first =
        std::ranges::find_if(plies, [&](const Ply& ply) { return board_and_side(ply.fen) == two; });
    if (first != plies.end()) ++expected[first->move];
  }
  const auto target = codec::parse_position_name(name_of(two));
  ASSERT_TRUE(target.ok());
  const std::vector<FacetGroup> groups = {{position_facet(*target)}};
  auto found = search(GameSet(database, database->shown()), std::nullopt, groups,
                      WorkBudget::unlimited(nullptr));
  ASSERT_TRUE(found.ok());
  const auto table =
      moves_played(GameSet(database, *std::move(found)), *target, WorkBudget::unlimited(nullptr));
  ASSERT_TRUE(table.ok()) << table.status();
  std::map<std::string, std::uint32_t> counted;
  std::uint32_t with_moves = 0;
  for (const PlayedMove& move : (*table)->moves()) {
    counted[move.san] += move.games.score.all();
    with_moves += move.games.score.all();
  }
  const std::uint32_t ended = (*table)->all().score.all() - with_moves;
  if (ended != 0) counted[""] = ended;
  EXPECT_EQ(counted, expected);
}

// The 64 squares of a board in the order of a FEN, `_` for nothing.
std::string squares_of(std::string_view fen) {
  std::string squares;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c >= '1' && c <= '8') {
      squares.append(static_cast<std::size_t>(c - '0'), '_');
    } else if (c != '/') {
      squares += c;
    }
  }
  return squares;
}

// The men on every eleventh square of a position, and all its pawns.
void expect_men(const DatabasePtr& database, const std::vector<Plies>& all, const std::string& fen,
                std::size_t first) {
  const std::string board = squares_of(fen);
  std::string facet = "pieces=";
  std::vector<std::size_t> asked;
  for (std::size_t i = first % 11; i < board.size(); i += 11) {
    asked.push_back(i);
    facet += fmt::format("{}{}{}{}", asked.size() == 1 ? "" : ",", board[i],
                         static_cast<char>('a' + i % 8), 8 - i / 8);
  }
  const auto are_there = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    return std::ranges::all_of(asked, [&](std::size_t i) { return other[i] == board[i]; });
  };
  const auto has_any = [&](const auto& is_so) {
    return games_where(all, [&](const Plies& game) { return std::ranges::any_of(game, is_so); });
  };
  EXPECT_EQ(find(database, facet), has_any(are_there)) << facet;
  expect_negated(database, all, facet);

  std::string pawns;
  for (std::size_t i = 0; i < board.size(); ++i) {
    if (i > 0 && i % 8 == 0) pawns += '-';
    pawns += board[i] == 'P' || board[i] == 'p' ? board[i] : '1';
  }
  const auto have_same_pawns = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    const auto is_pawn = [](char c) { return c == 'P' || c == 'p'; };
    return std::ranges::equal(
        board, other, [&](char a, char b) { return a == b || (!is_pawn(a) && !is_pawn(b)); });
  };
  EXPECT_EQ(find(database, "pawns=" + pawns), has_any(have_same_pawns)) << pawns;
  expect_negated(database, all, "pawns=" + pawns);
  std::ranges::replace(pawns, 'p', '1');
  const auto has_same_white_pawns = [&](const Ply& ply) {
    const std::string other = squares_of(ply.fen);
    return std::ranges::equal(board, other,
                              [](char a, char b) { return (a == 'P') == (b == 'P'); });
  };
  EXPECT_EQ(find(database, "white_pawns=" + pawns), has_any(has_same_white_pawns)) << pawns;
}

// Two moves from a place on, and later a third one; without those that name their departure.
void expect_played(const DatabasePtr& database, const std::vector<Plies>& all, const Plies& plies,
                   std::size_t first) {
  constexpr std::size_t kLater = 4;
  if (first + kLater >= plies.size()) return;
  const auto plain = [](std::string move) {
    move.resize(move.find_last_not_of("+#") + 1);
    if (move.empty() || move.find_first_of("QRBN") != 0) return move;
    const std::size_t end = move.find('x') != std::string::npos ? move.find('x') : move.size() - 2;
    return move.front() + move.substr(end);
  };
  const std::array wanted = {plain(plies[first].move), plain(plies[first + 1].move),
                             plain(plies[first + kLater].move)};
  if (std::ranges::any_of(wanted, &std::string::empty)) return;
  const std::string facet = fmt::format("played={},{},..,{}", wanted[0], wanted[1], wanted[2]);
  EXPECT_EQ(find(database, facet),
            games_where(all,
                        [&](const Plies& game) {
                          std::size_t found = 0;
                          for (std::size_t at = 0; at < game.size() && found < 3; ++at) {
                            if (found == 2) {
                              if (plain(game[at].move) == wanted[2]) ++found;
                            } else if (at + 1 < game.size() && plain(game[at].move) == wanted[0] &&
                                       plain(game[at + 1].move) == wanted[1]) {
                              found = 2;
                              ++at;
                            }
                          }
                          return found == 3;
                        }))
      << facet;
  expect_negated(database, all, facet);
}

// Searches of all kinds for things that occur in some games.
void expect_all(const DatabasePtr& database, const std::vector<Plies>& all, tests::Random& random,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Plies& plies = all[random.below(all.size())];
    if (plies.empty()) continue;
    const std::size_t ply = random.below(plies.size());
    expect_position(database, all, plies[ply].fen);
    expect_table(database, all, plies[ply].fen);
    expect_men(database, all, plies[ply].fen, i);
    expect_played(database, all, plies, ply);
    const std::string material = material_of(plies[ply].fen);
    if (parse_facet("reached=" + material).ok()) {
      expect_negated(database, all, "reached=" + material);
      const auto found = find(database, "reached=" + material);
      // For more than three of a kind the pattern matches three or more, so it finds more games.
      const auto expected = games_where(all, [&](const Plies& game) {
        for (std::size_t at = 1; at < game.size(); ++at) {
          if (material_of(game[at - 1].fen) == material && material_of(game[at].fen) == material) {
            return true;
          }
        }
        return false;
      });
      const bool is_exact =
          material.find("QQQ") == std::string::npos && material.find("RRR") == std::string::npos &&
          material.find("BBB") == std::string::npos && material.find("NNN") == std::string::npos;
      if (is_exact) {
        EXPECT_EQ(found, expected) << material;
      } else {
        EXPECT_TRUE(std::ranges::includes(found, expected)) << material;
      }
    }
    const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
    std::string line;
    for (std::size_t at = 0; at < std::min<std::size_t>(ply, 6); ++at) {
      line += (at == 0 ? "" : ",") + plies[at].move;
    }
    if (line.empty() || line.find("--") != std::string::npos ||
        board_and_side(plies[0].fen) != start) {
      continue;
    }
    EXPECT_EQ(find(database, "line=" + line),
              games_where(all,
                          [&](const Plies& game) {
                            if (game.empty() || board_and_side(game[0].fen) != start) return false;
                            std::string begins;
                            for (std::size_t at = 0; at < std::min<std::size_t>(ply, 6); ++at) {
                              if (at < game.size()) begins += (at == 0 ? "" : ",") + game[at].move;
                            }
                            return begins == line;
                          }))
        << line;
    expect_negated(database, all, "line=" + line);
  }
}

class MovesSearchTest : public DatabaseTest {
 protected:
  // Random games, of which every `honest` out of four have a true index entry.
  static tests::ScidFiles random_files(tests::Random& random, std::size_t games) {
    tests::ScidFilesBuilder builder;
    for (std::size_t game = 0; game < games; ++game) {
      tests::RandomGameOptions options{.plies = random.below(70), .annotated = random.one_in(3)};
      if (random.one_in(4)) {
        options.fen = tests::example_fens()[random.below(tests::example_fens().size())];
      }
      // Some short games occur many times, like openings.
      tests::Random seed(random.below(40));
      tests::Random& dice = random.one_in(2) ? seed : random;
      std::string record = tests::random_game(dice, options).record();
      IndexEntry entry;
      if (!random.one_in(4)) {
        const auto facts = tests::facts_of_record(tests::as_bytes(record));
        if (facts.has_value()) entry = tests::entry_of_facts(*facts);
      }
      if (random.one_in(10)) record[random.below(record.size())] = static_cast<char>(random.next());
      if (random.one_in(20)) record.resize(record.size() / 2);
      builder.game(entry, record);
    }
    return builder.files();
  }
};

TEST_F(MovesSearchTest, AgreesWithPositionsOfGames) {
  tests::Random random(11);
  const tests::ScidFiles files = random_files(random, 400);
  const Shared database = open(files);
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  // Without and with known sizes of the games.
  expect_all(database, all, random, 15);
  ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
  ASSERT_TRUE(database->signatures(WorkBudget::unlimited(nullptr)).ok());
  expect_all(database, all, random, 60);
}

TEST_F(MovesSearchTest, DamageHidesOnlyWhatComesAfterIt) {
  const auto queen_takes = [](tests::ScidEncoder encoder) {
    return encoder.move("e4").move("d5").move("exd5").move("Qxd5").move("Nc3").record();
  };
  const std::string whole = queen_takes({});
  tests::ScidFilesBuilder builder;
  builder.game({}, whole);
  builder.game({}, whole.substr(0, whole.size() - 2));  // does not end
  builder.game({}, whole.substr(0, whole.size() - 5));
  builder.game({}, tests::ScidEncoder().move("d4").record());
  builder.game({}, tests::ScidEncoder().move("e4").comment("with a text").record());
  const tests::ScidFiles files = builder.files();
  const std::string after_e4 = "position=rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b";
  for (const bool is_measured : {false, true}) {
    const Shared database = open(files);
    ASSERT_TRUE(!is_measured || database->compute_sizes(0, database->games()).ok());
    EXPECT_EQ(find(database, after_e4), (std::vector<GameIndex>{0, 1, 2, 4}));
    EXPECT_EQ(find(database, "not-" + after_e4), (std::vector<GameIndex>{3}));
    EXPECT_EQ(find(database, "line=e4,d5,exd5,Qxd5"), (std::vector<GameIndex>{0, 1}));
    EXPECT_EQ(find(database, "not-line=e4,d5,exd5,Qxd5"), (std::vector<GameIndex>{3, 4}));
    EXPECT_EQ(find(database, "not-line=d4"), (std::vector<GameIndex>{0, 4}));
  }
}

TEST_F(MovesSearchTest, ListFindsGamesOfAllItsMaterials) {
  tests::Random random(14);
  const tests::ScidFiles files = random_files(random, 200);
  const Shared database = open(files);
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  const std::vector<std::string> materials = {
      "KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPPP", "KQ+R+BB+N+P+vKQ+R+BN+P+", "KQ+R+B+NN+P+vKQ+R+BB+NP+"};
  for (const bool is_measured : {false, true}) {
    if (is_measured) {
      ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
      ASSERT_TRUE(database->signatures(WorkBudget::unlimited(nullptr)).ok());
    }
    std::set<GameIndex> expected;
    std::string list = "reached=";
    for (const std::string& material : materials) {
      const std::vector<GameIndex> found = find(database, "reached=" + material);
      EXPECT_FALSE(found.empty()) << material;
      expected.insert(found.begin(), found.end());
      list += material + (material == materials.back() ? "" : ",");
    }
    EXPECT_EQ(find(database, list), std::vector(expected.begin(), expected.end()));
    EXPECT_LT(expected.size(), all.size());
    expect_negated(database, all, list);
  }
}

TEST_F(MovesSearchTest, FindsOpeningsByStoredLines) {
  tests::Random random(12);
  tests::ScidFilesBuilder builder;
  const std::vector<std::vector<const char*>> lines = {{"e4", "c5", "Nf3", "d6"},
                                                       {"e4", "c5", "Nf3", "Nc6"},
                                                       {"Nf3", "c5", "e4", "d6"},
                                                       {"d4", "Nf6", "c4", "g6"},
                                                       {"c4", "Nf6", "d4", "g6"},
                                                       {"e4", "c5"},
                                                       {"e4", "c5", "c3", "d5", "exd5"},
                                                       {"a3", "e5"},
                                                       {}};
  for (int game = 0; game < 300; ++game) {
    codec::Position position;
    tests::ScidEncoder encoder;
    for (const char* const san : lines[random.below(lines.size())]) encoder.move(san);
    const std::string record = encoder.record();
    const auto facts = tests::facts_of_record(tests::as_bytes(record));
    ASSERT_TRUE(facts.has_value());
    IndexEntry entry = tests::entry_of_facts(*facts);
    // A wrong stored line in the index hides no game.
    if (game % 30 == 7) entry.stored_line = 15;
    builder.game(entry, record);
  }
  const tests::ScidFiles files = builder.files();
  const Shared database = open(files);
  ASSERT_TRUE(database->compute_sizes(0, database->games()).ok());
  ASSERT_TRUE(database->signatures(WorkBudget::unlimited(nullptr)).ok());
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  expect_all(database, all, random, 60);
}

TEST_F(MovesSearchTest, RespectsBudget) {
  tests::Random random(13);
  const DatabasePtr database = open(random_files(random, 50));
  const auto facet = parse_facet("position=rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b");
  const std::vector<FacetGroup> groups = {{*facet}};
  const GameSet all(database, database->shown());
  EXPECT_TRUE(
      absl::IsUnavailable(search(all, std::nullopt, groups, WorkBudget::limited(49)).status()));
  EXPECT_TRUE(search(all, std::nullopt, groups, WorkBudget::limited(50)).ok());
  const std::vector<FacetGroup> negated = {{*parse_facet("not-reached=KQvK,KRvK")}};
  EXPECT_TRUE(
      absl::IsUnavailable(search(all, std::nullopt, negated, WorkBudget::limited(149)).status()));
  EXPECT_TRUE(search(all, std::nullopt, negated, WorkBudget::limited(150)).ok());
  EXPECT_TRUE(absl::IsCancelled(
      search(all, std::nullopt, groups, WorkBudget::unlimited([] { return true; })).status()));
}

TEST_F(MovesSearchTest, FailsIfRecordsAreOverwritten) {
  tests::ScidFilesBuilder builder;
  for (int game = 0; game < 300; ++game) {
    builder.game({}, tests::ScidEncoder().move("e4").move("e5").record());
  }
  const tests::ScidFiles files = builder.files();
  const std::string facet = "position=rnbqkbnr-pppppppp-8-8-3P4-8-PPP1PPPP-RNBQKBNR_b";
  const std::vector<FacetGroup> groups = {{*parse_facet(facet)}};
  for (const bool is_summed : {false, true}) {
    const Shared database = open(files);
    if (is_summed) database->files().game_file().sum_up([] { return false; });
    // Overwrites one of the games with another.
    std::string games = files.games;
    const std::string other = tests::ScidEncoder().move("d4").move("d5").record();
    games.replace(0, other.size(), other);
    ASSERT_EQ(games.size(), files.games.size());
    tests::overwrite(game_file(), games);
    std::filesystem::last_write_time(
        game_file(), std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    EXPECT_TRUE(
        absl::IsFailedPrecondition(search(GameSet(database, database->shown()), std::nullopt,
                                          groups, WorkBudget::unlimited(nullptr))
                                       .status()));
  }
  // Appended records, as Scid writes them, change nothing.
  const Shared database = open(files);
  database->files().game_file().sum_up([] { return false; });
  tests::overwrite(game_file(), files.games + "more");
  EXPECT_EQ(find(database, "line=e4").size(), 300U);
}

TEST_F(MovesSearchTest, AgreesOnLargeDatabases) {
  const std::string masters = tests::shared_folder() + "/data/masters";
  if (!std::filesystem::exists(masters + ".si4")) GTEST_SKIP() << "no " << masters;
  const auto database = Database::open(masters + ".si4", "masters", {});
  ASSERT_TRUE(database.ok()) << database.status();
  const std::vector<std::string> facets = {
      "position=rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w",
      "position=rnbqkb1r-1p2pppp-p2p1n2-6B1-3NP3-2N5-PPP2PPP-R2QKB1R_b", "line=e4,c5,Nf3",
      "reached=KRPvKR", "reached=KQ+R+P+vKRR+P+"};
  std::vector<std::vector<GameIndex>> replayed;
  for (const std::string& facet : facets) replayed.push_back(find(*database, facet));
  ASSERT_TRUE((*database)->compute_sizes(0, (*database)->games()).ok());
  ASSERT_TRUE((*database)->signatures(WorkBudget::unlimited(nullptr)).ok());
  for (std::size_t i = 0; i < facets.size(); ++i) {
    EXPECT_FALSE(replayed[i].empty()) << facets[i];
    EXPECT_EQ(find(*database, facets[i]), replayed[i]) << facets[i];
  }
}

}  // namespace
}  // namespace scidfs::fs
