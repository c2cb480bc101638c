// The positions and moves of games as fens/ shows them, to compare searches of moves with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/game_epd.h"
#include "fs/search/facet.h"
#include "fs/search/search.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_writer.h"

namespace scidfs::fs {

// A position of a game and the next move, which is empty at the end.
struct Ply {
  std::string fen;  // four fields
  std::string move;
};
struct Plies : std::vector<Ply> {
  bool is_whole = false;  // the game is not damaged
};

inline std::string board_and_side(std::string_view fen) {
  return std::string(fen.substr(0, fen.find(' ', fen.find(' ') + 1)));
}

// The 64 squares of a board in the order of a FEN, `_` for nothing.
inline std::string squares_of(std::string_view fen) {
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

inline Plies plies_of(const std::string& epd) {
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

inline std::vector<Plies> all_plies(const tests::ScidDatabase& read, codec::CastlingRule rule) {
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

// Finds the sizes of all games, and with them which index signatures are verified.
inline void verify_signatures(Database& database) {
  ASSERT_TRUE(database.compute_sizes(0, database.games()).ok());
  ASSERT_TRUE(database.signatures(WorkBudget::unlimited(nullptr)).ok());
}

inline std::vector<GameIndex> find(const DatabasePtr& database, const std::string& facet) {
  const auto parsed = parse_facet(facet);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  if (!parsed.ok()) return {};
  const std::vector<FacetGroup> groups = {{*parsed}};
  const auto found = search(DatabaseGames(database, database->shown()), std::nullopt, groups,
                            WorkBudget::unlimited(nullptr));
  EXPECT_TRUE(found.ok()) << found.status();
  return games_in(*found);
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
inline void expect_negated(const DatabasePtr& database, const std::vector<Plies>& all,
                           const std::string& facet) {
  const std::vector<GameIndex> found = find(database, facet);
  std::vector<GameIndex> expected;
  for (const GameIndex game : games_where(all, [](const Plies& plies) { return plies.is_whole; })) {
    if (!std::ranges::binary_search(found, game)) expected.push_back(game);
  }
  EXPECT_EQ(find(database, "not-" + facet), expected) << facet;
}

// Random games, of which every `honest` out of four have a true index entry.
inline tests::ScidFiles random_files(tests::Random& random, std::size_t games) {
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
    codec::scid::IndexEntry entry;
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

}  // namespace scidfs::fs
