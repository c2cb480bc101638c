// The numbers of views, and of the entries of sets: fields of inode numbers (fs/base/inode.h).
//
// The meaning of a number never changes. A new view or entry gets the next free number, above the
// last; a removed one leaves its number unused. Any other change requires another kInodeLayout.
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
  kDirectoryPagesView,
  kEndingsView,
  kViews,
  // The numbers up to here are free.
  kFreeViewsEnd = kQueryView - 1,
  kPgnView = kFreeViewsEnd,  // of the files beside a database of PGN (fs/pgn/pgn_snapshot.h)
};
static_assert(kViews <= kFreeViewsEnd);

// The directory of a set, its entries (fs/views/set_files.cc), and the entries of its directories.
// The key of the place identifies the set within the view.
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
  kSetSearch,  // search/, positions/, against/, and the files that explain them
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
  kSetStyleSheet,  // of a database: what its pages load
  kSetBoardScript,
  kSetGamePage,  // of deleted/: a game's page in a directory of games, and in its own; its picture
  kSetGamePageAbove,
  kSetGamePicture,
  kSetSearchPage,
  kSetPositionsPage,
  kSetLines,                           // lines.pgn, and each file in lines/
  kSetLinesDirectory = kSetLines + 3,  // two numbers before it and after it are free
  kSetEvents = kSetLinesDirectory + 3,
  kSetAgainstPage,
  kSetIcon,  // of a database, as its style sheet
  kSetBook,  // book.bin, and each file in book/
  kSetBookDirectory,
  kSetEndings,
  kSetNovelties,
  kSetTags,  // tags.tsv, and each file in values/
  kSetValues,
  kSetEvals,
  kSetMoments,
  kSetTogetherInfo,
  kSetTogetherIgnore,
  kSetParts,  // parts/, and parts/64/
  kSetPartsOf,
  kSetPlies,
  kSetUci,
  kSetEntries,
  // A bit beside the number of an entry: the same table in the other format, if there is one.
  kSetCsvTwin = 1U << (kEntryBits - 1),
};
static_assert(kSetEntries <= kSetCsvTwin);

}  // namespace scidfs::fs
