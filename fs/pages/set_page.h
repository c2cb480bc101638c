// The pages of sets and of positions: index.html.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "fs/database/game_set.h"
#include "fs/pages/notable_games.h"
#include "fs/pages/page.h"
#include "fs/positions/move_table.h"
#include "fs/positions/move_texts.h"
#include "fs/tables/identities.h"
#include "fs/tables/set_findings.h"

namespace scidfs::fs {

// A condition of a search, and the page of the same search without it.
struct PageCondition {
  std::string text;
  Link without;
};

// What a page says about a set besides counts.
struct PageHead {
  std::string title;
  std::vector<Crumb> crumbs{};
  std::size_t levels = 0;  // between the set's directory and that of the database
  std::vector<PageCondition> conditions{};
  std::string text{};  // an introduction of several lines; empty: none
  std::vector<PageFile> files{};
  bool has_subject = false;
};

// The numbers of rows of the tables in pages.
inline constexpr std::size_t kPagePlayers = 20;
inline constexpr std::size_t kPageGames = 100;
inline constexpr std::size_t kPageNotable = 20;

// Returns the page of a set: results, years, openings, players or opponents, the ratings of one
// player over time, the first games, and a form for searches. `findings` are those of the set with
// kPagePlayers players.
std::string set_page(const PageHead& head, const DatabaseGames& set, const Identities& who,
                     const SetFindings& findings);

// Returns the page of a position: the board, the moves with a link to the page of each, the
// strongest and the newest games, players, and a form for searches.
std::string position_page(const PageHead& head, const DatabaseGames& set, const Identities& who,
                          const SetFindings& findings, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games);

}  // namespace scidfs::fs
