// The parts that pages of sets and of positions share.
#pragma once

#include <span>
#include <string_view>

#include "fs/pages/set_page.h"

namespace scidfs::fs {

// Write one part each: the conditions of a search; a form for more of them, which leads below
// `directory`; one with only one facet of it, or `person`; tables of players and of games.
void add_conditions(const PageHead& head, Html& html);
void add_search_form(Html& html, std::string_view directory);
void add_find_form(Html& html, std::string_view directory, std::string_view facet);
void add_players(const PageHead& head, const Identities& who, const SetFindings& findings,
                 Page& page);
void add_games(const PageHead& head, const DatabaseGames& set, std::string_view caption,
               std::span<const GameIndex> games, Page& page);

}  // namespace scidfs::fs
