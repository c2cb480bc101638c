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
  kDatabaseFilesView,
  kDeletedGamesView,
  kViews,
  // The numbers up to here are free.
  kFreeViewsEnd = kQueryView - 1,
  kPgnView = kFreeViewsEnd,  // of the files beside a database of PGN (fs/pgn/pgn_snapshot.h)
};
static_assert(kViews <= kFreeViewsEnd);

// The directory of a set, its entries (fs/views/set_files.cc), and the entries of its directories.
// The key of the place identifies the set within the view. What a database has once is in views of
// its own.
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
  kSetEvents,
  kSetEndings,
  kSetNovelties,
  kSetEvals,
  kSetMoments,
  kSetPlies,
  kSetUci,
  kSetCrosstable,  // of events and tournaments
  kSetStandingsTsv,
  kSetCrosstableTsv,
  kSetMoves,  // of positions
  kSetMovesTsv,
  kSetBoard,
  kSetBoardSvg,
  kSetBlackBoardSvg,
  kSetExplorer,
  kSetCodes,   // of openings
  kSetSearch,  // search/, positions/, against/
  kSetPositions,
  kSetAgainst,
  kSetPage,  // index.html, and that of each of these
  kSetSearchPage,
  kSetPositionsPage,
  kSetAgainstPage,
  kSetLines,  // lines.pgn, and each file in lines/
  kSetLinesDirectory,
  kSetBook,  // book.bin, and each file in book/
  kSetBookDirectory,
  kSetTags,  // tags.tsv, and each file in values/
  kSetValues,
  kSetParts,  // parts/, and parts/64/
  kSetPartsOf,
  kSetRepertoires,  // repertoire/, repertoire/NAME/, repertoire/NAME/white/ and its files
  kSetRepertoire,
  kSetRepertoireSide,
  kSetLeft,
  kSetGaps,
  kSetChoices,
  kSetUnused,
  kSetLinesSummary,
  kSetLinesPage,
  kSetPrepares,  // prepare/ and what is below it
  kSetPrepare,
  kSetPrepareSide,
  kSetPrepareTable,
  kSetPrepareText,
  kSetPreparePage,
  kSetNumbers,  // arrays of NumPy
  kSetResults,
  kSetElos,
  kSetDatabases,
  kSetOffsets,
  kSetMoveArray,
  kSetBoards,
  kSetStates,
  kSetManifest,
  kSetGamesParquet,
  // A bit beside the entry of a table: the same in the other format. An entry from here on is free
  // where the one without the bit is no table (a check in set_files.cc).
  kSetCsvTwin = 1U << (kEntryBits - 1),
  kSetPliesParquet = kSetCsvTwin | kSetSummary,
  kSetPositionsParquet = kSetCsvTwin | kSetUci,
};

}  // namespace scidfs::fs
