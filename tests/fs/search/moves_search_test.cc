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
#include "codec/target_position.h"
#include "fs/positions/moves_played.h"
#include "fs/search/search.h"
#include "tests/fs/search/moves_of_games.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_writer.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;

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
  auto found = search(DatabaseGames(database, database->shown()), std::nullopt, groups,
                      WorkBudget::unlimited(nullptr));
  ASSERT_TRUE(found.ok());
  const auto table = moves_played(DatabaseGames(database, *std::move(found)), *target,
                                  WorkBudget::unlimited(nullptr));
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

// Searches of all kinds for things that occur in some games.
void expect_all(const DatabasePtr& database, const std::vector<Plies>& all, tests::Random& random,
                std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Plies& plies = all[random.below(all.size())];
    if (plies.empty()) continue;
    const std::size_t ply = random.below(plies.size());
    expect_position(database, all, plies[ply].fen);
    expect_table(database, all, plies[ply].fen);
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

class MovesSearchTest : public DatabaseTest {};

TEST_F(MovesSearchTest, AgreesWithPositionsOfGames) {
  tests::Random random(11);
  const tests::ScidFiles files = random_files(random, 400);
  const Shared database = open(files);
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  // Without and with known sizes of the games.
  expect_all(database, all, random, 15);
  ASSERT_NO_FATAL_FAILURE(verify_signatures(*database));
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
      ASSERT_NO_FATAL_FAILURE(verify_signatures(*database));
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
  ASSERT_NO_FATAL_FAILURE(verify_signatures(*database));
  const std::vector<Plies> all =
      all_plies(tests::ScidDatabase(files, ".si4"), codec::CastlingRule::Standard);
  expect_all(database, all, random, 60);
}

TEST_F(MovesSearchTest, RespectsBudget) {
  tests::Random random(13);
  const DatabasePtr database = open(random_files(random, 50));
  const auto facet = parse_facet("position=rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b");
  const std::vector<FacetGroup> groups = {{*facet}};
  const DatabaseGames all(database, database->shown());
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
        absl::IsFailedPrecondition(search(DatabaseGames(database, database->shown()), std::nullopt,
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
      "position=rnbqkb1r-1p2pppp-p2p1n2-6B1-3NP3-2N5-PPP2PPP-R2QKB1R_b",
      "line=e4,c5,Nf3",
      "reached=KRPvKR",
      "reached=KQ+R+P+vKRR+P+",
      "pawns=8-pp3ppp-2p1p3-8-3P4-8-PPP2PPP-8",
      "white_pawns=8-8-8-8-2PP4-8-PP3PPP-8"};
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
