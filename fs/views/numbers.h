// The numbers of views, and of the entries of sets: fields of inode numbers (fs/base/inode.h).
//
// A number belongs to one thing for ever. What is new gets the next free one, above the last; what
// goes leaves its number unused; a change of either takes another kInodeLayout.
#pragma once

#include <cstdint>

#include "fs/base/inode.h"

namespace scidfs::fs {

enum ViewNumber : std::uint8_t {
  kDatabaseView,
  kGamesView,
  kPlayersView,
  kEventsView,
  kYearsView,
  kEcoView,
  kDeletedView,
  kFlagsView,
  kFensView,
  kPlayerView,
  kWhiteView,
  kBlackView,
  kPlayerAliasView,
  kWhiteAliasView,
  kBlackAliasView,
  kEventView,
  kYearView,
  kMonthView,
  kEcoLetterView,
  kEcoCodeView,
  kFlagView,
  kPeopleView,
  kPersonView,
  kPersonWhiteView,
  kPersonBlackView,
  kOpeningsView,
  kDoublesView,
  kUniqueView,
  kTournamentsView,
  kTournamentView,
  kViews,
  // Up to here there is room, for endings/ and its classes and the pages of directories first.
  kFreeViewsEnd = kQueryView,
};
static_assert(kViews <= kFreeViewsEnd);

// The directory of a set, what stands in it (fs/views/set_files.cc), and what stands in a directory
// of these. The key of the place says which set of the view it is.
enum SetEntry : std::uint8_t {
  kSet,  // the directory itself
  kSetGames,
  kSetIndex,
  kSetSummary,
  kSetPlayers,
  kSetOpponents,
  kSetPeople,
  kSetOpenings,
  kSetYears,
  kSetSearch,  // search/, positions/, against/, and what tells how to use them
  kSetSearchHelp,
  kSetPositions,
  kSetPositionsHelp,
  kSetAgainst,
  kSetCrosstable,  // of events and tournaments
  kSetStandingsTsv,
  kSetCrosstableTsv,
  kSetMoves,  // of positions
  kSetMovesTsv,
  kSetBoard,
  kSetCodes,  // of openings
  kSetInfo,   // of a database: info.txt without and with a count of the damaged games
  kSetInfoCounted,
  kSetErrors,
  kSetIgnore,
  kSetFdIgnore,
  kSetThousand,  // of deleted/: a directory of games, and a game
  kSetNumberedGame,
  kSetPage,  // index.html
  kSetBoardSvg,
  kSetBlackBoardSvg,
  kSetExplorer,
  kSetEntries,
  // Reserved, in this order: lines.pgn,
  // lines-white.pgn, lines-black.pgn, lines/, book.bin, book/; events.tsv, endings.tsv, endings/,
  // novelties.tsv; tags.tsv, values/, evals.tsv, moments.epd; parts/.
  kSetReservedEnd = kSetEntries + 15,
  // The same table in the other format, when there is one: a bit beside the number of its entry.
  kSetCsvTwin = 1U << (kEntryBits - 1),
};
static_assert(kSetReservedEnd <= kSetCsvTwin);

}  // namespace scidfs::fs
