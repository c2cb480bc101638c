#include "fs/views/set_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/pages/board_svg.h"
#include "fs/positions/code_table.h"
#include "fs/positions/year_table.h"
#include "fs/search/moments.h"
#include "fs/tables/event_table.h"
#include "fs/tables/player_table.h"
#include "fs/tables/set_tables.h"
#include "fs/views/column_files.h"
#include "fs/views/database_files.h"
#include "fs/views/endings.h"
#include "fs/views/event_set.h"
#include "fs/views/findings.h"
#include "fs/views/line_files.h"
#include "fs/views/name_advice.h"
#include "fs/views/polyglot_book_file.h"
#include "fs/views/position_set.h"
#include "fs/views/repertoires.h"
#include "fs/views/row_files.h"
#include "fs/views/search_directory.h"
#include "fs/views/set_pages.h"
#include "fs/views/set_parts.h"
#include "fs/views/tag_files.h"

namespace scidfs::fs {
namespace {

using ContentOr = absl::StatusOr<std::unique_ptr<Content>>;

ContentOr text_content(absl::StatusOr<std::string> text) {
  if (!text.ok()) return text.status();
  return std::make_unique<TextContent>(*std::move(text));
}

// Opens a text made from the games of a set.
template <auto kMakeText>
ContentOr open_text(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  return text_content(kMakeText(games, budget));
}

ContentOr open_games_file(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  return set.open_games_file(games, budget);
}

ContentOr open_index(const Set& set, const WorkBudget& budget) { return set.open_index(budget); }

ContentOr open_summary(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const CountedSet counted, count_set(set, budget));
  ASSIGN_OR_RETURN(const std::string introduction, set.introduction(set.version(), budget));
  const std::string title = codec::clean_line(set.title());
  std::string text =
      summary_text(counted.games, counted.who, counted.has_subject,
                   {.title = title, .introduction = introduction, .players = set.players_are()},
                   *counted.findings);
  if (counted.findings->games == 0) {
    ASSIGN_OR_RETURN(const std::string advice, name_advice(set, budget));
    text += advice;
  }
  return text_content(std::move(text));
}

// Opens a table of players, which is kept as a cached result.
ContentOr open_player_rows(const Set& set, SetEntry entry, PlayerTable::Rows rows, bool is_against,
                           const WorkBudget& budget) {
  ASSIGN_OR_RETURN(
      const std::shared_ptr<const PlayerTable> table,
      set.version().searches->results.get<PlayerTable>(
          fmt::format("{}:{}:{}", set.version().id, static_cast<unsigned>(entry), set.answer_key()),
          budget, [&]() -> absl::StatusOr<std::shared_ptr<const PlayerTable>> {
            ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
            if (!is_against) return PlayerTable::make(games, std::nullopt, rows, budget);
            ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
            return PlayerTable::make(games, subject, rows, budget);
          }));
  ASSIGN_OR_RETURN(CommonPlayersPtr players, players_of(set.version(), budget));
  return open_player_table(std::move(players), table);
}

PlayerTable::Rows player_rows(const Set& set) {
  return set.players_are() == Identities::Of::Persons ? PlayerTable::Rows::PersonsOrSpellings
                                                      : PlayerTable::Rows::Spellings;
}

ContentOr open_players(const Set& set, const WorkBudget& budget) {
  return open_player_rows(set, kSetPlayers, player_rows(set), false, budget);
}

ContentOr open_opponents(const Set& set, const WorkBudget& budget) {
  return open_player_rows(set, kSetOpponents, player_rows(set), true, budget);
}

ContentOr open_people(const Set& set, const WorkBudget& budget) {
  return open_player_rows(set, kSetPeople, PlayerTable::Rows::Persons, false, budget);
}

ContentOr open_years(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  const PositionSet* const position = set.at_position();
  return text_content(position == nullptr ? year_table(games, budget)
                                          : year_table(games, position->target(), budget));
}

ContentOr open_events(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(const CommonEventsPtr common, common_events(set.version(), budget));
  return text_content(event_table(games, common.get(), budget));
}

ContentOr open_endings(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const auto endings, endings_of(set, budget));
  return std::make_unique<TextContent>(endings->table());
}

ContentOr open_moments_of(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  return open_moments(games, *moment_of(set.asked()->groups), budget);
}

// Opens a file of a position.
template <auto kOpen>
ContentOr open_at_position(const Set& set, const WorkBudget& budget) {
  return (set.at_position()->*kOpen)(budget);
}

template <codec::Color kSeenFrom>
ContentOr open_board_svg(const Set& set, const WorkBudget&) {
  return std::make_unique<TextContent>(board_svg(set.at_position()->position(), kSeenFrom));
}

template <ArrayFile kFile>
ContentOr open_array(const Set& set, const WorkBudget& budget) {
  return open_array_of(set, kFile, budget);
}

absl::Status list_nothing(const Set&, std::uint64_t, const WorkBudget&, EmitChild) {
  return absl::OkStatus();
}

std::optional<Child> find_nothing(const Set&, std::string_view) { return std::nullopt; }

bool has_subject(const Set& set) { return set.has_subject(); }
bool has_event(const Set& set) { return set.event() != nullptr; }
bool is_position(const Set& set) { return set.at_position() != nullptr; }
bool is_of_openings(const Set& set) { return set.is_of_openings(); }
bool has_moment(const Set& set) { return moment_of(set.asked()->groups).has_value(); }
bool has_repertoire(const Set& set) { return !set.asked()->repertoire.empty(); }
bool has_side(const Set& set) { return set.asked()->side.has_value(); }
bool is_prepared(const Set& set) { return has_subject(set) && has_repertoire(set); }
bool is_prepared_side(const Set& set) { return has_subject(set) && has_side(set); }
bool has_number_of_parts(const Set& set) { return !set.asked()->file.empty(); }

constexpr unsigned kInGames = SetFile::in(Listing::Games);
constexpr unsigned kInAllGames = SetFile::in(Listing::AllGames);
constexpr unsigned kInTables = SetFile::in(Listing::Tables);
constexpr unsigned kInDatabase = SetFile::in(Listing::Database);
constexpr unsigned kInPosition = SetFile::in(Listing::Position);
constexpr unsigned kInEach = kInGames | kInAllGames | kInTables | kInDatabase;

constexpr auto kFiles = std::to_array<SetFile>({
    {.name = "games.pgn", .entry = kSetGames, .listed = kInGames, .open = &open_games_file},
    {.name = "all.pgn", .entry = kSetGames, .listed = kInAllGames, .open = &open_games_file},
    {.name = "index.tsv", .entry = kSetIndex, .listed = kInEach, .open = &open_index},
    {.name = "all.pgn", .entry = kSetGames, .listed = kInDatabase, .open = &open_games_file},
    {.name = "summary.txt", .entry = kSetSummary, .listed = kInEach, .open = &open_summary},
    {.name = "players.tsv", .entry = kSetPlayers, .listed = kInDatabase, .open = &open_players},
    {.name = "people.tsv",
     .entry = kSetPeople,
     .needs_spelling = true,
     .listed = kInDatabase,
     .open = &open_people},
    {.name = "opponents.tsv", .entry = kSetOpponents, .has = &has_subject, .open = &open_opponents},
    {.name = "openings.tsv",
     .entry = kSetOpenings,
     .listed = kInDatabase,
     .open = &open_text<&opening_table>},
    {.name = "years.tsv", .entry = kSetYears, .listed = kInDatabase, .open = &open_years},
    // Not listed: its size is that of a crosstable of every event, too much for `ls -l`.
    {.name = "events.tsv", .entry = kSetEvents, .open = &open_events},
    {.name = "search",
     .entry = kSetSearch,
     .listed = kInDatabase,
     .list = &list_search,
     .find = &find_in_search},
    {.name = "README.txt", .directory = kSetSearch, .child = &search_guide},
    {.name = "tree", .listed = kInDatabase, .child = &find_tree},
    {.name = "positions",
     .entry = kSetPositions,
     .listed = kInDatabase,
     .list = &list_nothing,
     .find = &find_in_positions},
    {.name = "README.txt", .directory = kSetPositions, .child = &positions_guide},
    {.name = "parts", .entry = kSetParts, .list = &list_nothing, .find = &find_in_parts},
    {.name = {},
     .entry = kSetPartsOf,
     .has = &has_number_of_parts,
     .list = &list_parts,
     .find = &find_part},
    {.name = "repertoire",
     .entry = kSetRepertoires,
     .list = &list_nothing,
     .find = &find_repertoire},
    {.name = {},
     .entry = kSetRepertoire,
     .has = &has_repertoire,
     .list = &list_sides<kSetRepertoireSide>,
     .find = &find_side<kSetRepertoireSide>},
    {.name = {},
     .entry = kSetRepertoireSide,
     .has = &has_side,
     .list = &list_nothing,
     .find = &find_nothing},
    {.name = "left.tsv",
     .entry = kSetLeft,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_left},
    {.name = "gaps.tsv",
     .entry = kSetGaps,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_gaps},
    {.name = "choices.tsv",
     .entry = kSetChoices,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_choices},
    {.name = "unused.tsv",
     .entry = kSetUnused,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_unused},
    {.name = "summary.txt",
     .entry = kSetLinesSummary,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_lines_summary},
    {.name = "index.html",
     .entry = kSetLinesPage,
     .has = &has_side,
     .directory = kSetRepertoireSide,
     .open = &open_lines_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "prepare",
     .entry = kSetPrepares,
     .has = &has_subject,
     .list = &list_nothing,
     .find = &find_prepared},
    {.name = {},
     .entry = kSetPrepare,
     .has = &is_prepared,
     .list = &list_sides<kSetPrepareSide>,
     .find = &find_side<kSetPrepareSide>},
    {.name = {},
     .entry = kSetPrepareSide,
     .has = &is_prepared_side,
     .list = &list_nothing,
     .find = &find_nothing},
    {.name = "prepare.tsv",
     .entry = kSetPrepareTable,
     .has = &is_prepared_side,
     .directory = kSetPrepareSide,
     .open = &open_prepare_table},
    {.name = "prepare.txt",
     .entry = kSetPrepareText,
     .has = &is_prepared_side,
     .directory = kSetPrepareSide,
     .open = &open_prepare_text},
    {.name = "index.html",
     .entry = kSetPreparePage,
     .has = &is_prepared_side,
     .directory = kSetPrepareSide,
     .open = &open_prepare_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "against",
     .entry = kSetAgainst,
     .has = &has_subject,
     .list = &list_nothing,
     .find = &find_against},
    {.name = "crosstable.txt",
     .entry = kSetCrosstable,
     .has = &has_event,
     .listed = kInGames,
     .open = &open_crosstable},
    {.name = "standings.tsv",
     .entry = kSetStandingsTsv,
     .has = &has_event,
     .listed = kInGames,
     .open = &open_standings_tsv},
    {.name = "crosstable.tsv",
     .entry = kSetCrosstableTsv,
     .has = &has_event,
     .listed = kInGames,
     .open = &open_crosstable_tsv},
    {.name = "moves.txt",
     .entry = kSetMoves,
     .has = &is_position,
     .listed = kInPosition,
     .open = &open_at_position<&PositionSet::open_moves>},
    {.name = "moves.tsv",
     .entry = kSetMovesTsv,
     .has = &is_position,
     .listed = kInPosition,
     .open = &open_at_position<&PositionSet::open_moves_tsv>},
    {.name = "board.txt",
     .entry = kSetBoard,
     .has = &is_position,
     .listed = kInPosition,
     .open = &open_at_position<&PositionSet::open_board>},
    {.name = "board.svg",
     .entry = kSetBoardSvg,
     .has = &is_position,
     .open = &open_board_svg<codec::Color::White>},
    {.name = "board-black.svg",
     .entry = kSetBlackBoardSvg,
     .has = &is_position,
     .open = &open_board_svg<codec::Color::Black>},
    {.name = "explorer.json",
     .entry = kSetExplorer,
     .has = &is_position,
     .open = &open_at_position<&PositionSet::open_explorer>},
    {.name = "lines.pgn", .entry = kSetLines, .open = &open_lines_of, .is_costly = true},
    {.name = "lines", .entry = kSetLinesDirectory, .list = &list_nothing, .find = &find_lines_of},
    {.name = "book.bin", .entry = kSetBook, .open = &open_polyglot_book, .is_costly = true},
    {.name = "book",
     .entry = kSetBookDirectory,
     .list = &list_nothing,
     .find = &find_polyglot_book},
    {.name = "novelties.tsv", .entry = kSetNovelties, .open = &open_novelties, .is_costly = true},
    {.name = "evals.tsv", .entry = kSetEvals, .open = &open_evals, .is_costly = true},
    {.name = "plies.tsv", .entry = kSetPlies, .open = &open_ply_table, .is_costly = true},
    {.name = "games.uci", .entry = kSetUci, .open = &open_uci_moves, .is_costly = true},
    {.name = "numbers.npy",
     .entry = kSetNumbers,
     .open = &open_array<ArrayFile::Numbers>,
     .is_costly = true},
    {.name = "results.npy",
     .entry = kSetResults,
     .open = &open_array<ArrayFile::Results>,
     .is_costly = true},
    {.name = "elos.npy",
     .entry = kSetElos,
     .open = &open_array<ArrayFile::Elos>,
     .is_costly = true},
    {.name = "databases.npy",
     .entry = kSetDatabases,
     .has = &has_databases,
     .open = &open_array<ArrayFile::Databases>,
     .is_costly = true},
    {.name = "offsets.npy",
     .entry = kSetOffsets,
     .open = &open_array<ArrayFile::Offsets>,
     .is_costly = true},
    {.name = "moves.npy",
     .entry = kSetMoveArray,
     .open = &open_array<ArrayFile::Moves>,
     .is_costly = true},
    {.name = "boards.npy",
     .entry = kSetBoards,
     .open = &open_array<ArrayFile::Boards>,
     .is_costly = true},
    {.name = "state.npy",
     .entry = kSetStates,
     .open = &open_array<ArrayFile::States>,
     .is_costly = true},
    {.name = "games.parquet",
     .entry = kSetGamesParquet,
     .open = &open_games_parquet,
     .is_costly = true},
    {.name = "plies.parquet",
     .entry = kSetPliesParquet,
     .open = &open_plies_parquet,
     .is_costly = true},
    {.name = "positions.parquet",
     .entry = kSetPositionsParquet,
     .open = &open_positions_parquet,
     .is_costly = true},
    {.name = "manifest.json", .entry = kSetManifest, .open = &open_manifest, .is_costly = true},
    {.name = "endings.tsv", .entry = kSetEndings, .open = &open_endings, .is_costly = true},
    {.name = "moments.epd",
     .entry = kSetMoments,
     .has = &has_moment,
     .open = &open_moments_of,
     .is_costly = true},
    {.name = "tags.tsv", .entry = kSetTags, .open = &open_tags, .is_costly = true},
    {.name = "values", .entry = kSetValues, .list = &list_values, .find = &find_values},
    {.name = "index.html",
     .entry = kSetPage,
     .open = &open_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "index.html",
     .entry = kSetSearchPage,
     .directory = kSetSearch,
     .open = &open_search_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "index.html",
     .entry = kSetPositionsPage,
     .directory = kSetPositions,
     .open = &open_positions_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "index.html",
     .entry = kSetAgainstPage,
     .has = &has_subject,
     .directory = kSetAgainst,
     .open = &open_against_page,
     .depends_on_path = true,
     .is_of_pages = true},
    {.name = "codes.tsv",
     .entry = kSetCodes,
     .has = &is_of_openings,
     .listed = kInGames | kInTables,
     .open = &open_text<&code_table>},
});

// The rows by entry.
constexpr auto kByEntry = [] {
  std::array<const SetFile*, kMaxEntry + 1> by_entry{};
  for (const SetFile& file : kFiles) {
    if (file.entry != kSet) by_entry[file.entry] = &file;
  }
  return by_entry;
}();
static_assert(std::ranges::none_of(kFiles, [](const SetFile& file) {
  if (!file.is_table()) return false;
  return file.entry >= kSetCsvTwin || kByEntry[file.entry | kSetCsvTwin] != nullptr;
}));

}  // namespace

std::span<const SetFile> set_files() { return kFiles; }

std::vector<const SetFile*> listed_files(Listing listing) {
  std::vector<const SetFile*> files;
  for (const SetFile& file : kFiles) {
    const bool is_listed = (file.listed & SetFile::in(listing)) != 0;
    if (file.directory == kSet && is_listed) files.push_back(&file);
  }
  return files;
}

std::vector<const SetFile*> files_in(std::uint8_t directory) {
  std::vector<const SetFile*> files;
  for (const SetFile& file : kFiles) {
    if (file.directory == directory) files.push_back(&file);
  }
  return files;
}

const SetFile* set_file(std::uint8_t entry) {
  return entry < kByEntry.size() ? kByEntry[entry] : nullptr;
}

bool has_file(const Set& set, const SetFile& file) {
  const bool has_pages =
      !set.version().is_together() && set.version().options().pages != PagesMode::None;
  if (file.is_of_pages && !has_pages) return false;
  if (file.needs_spelling && set.version().reference().spelling == nullptr) return false;
  return file.has == nullptr || file.has(set);
}

std::optional<Child> set_child(const Set& set, const SetFile& file) {
  if (!has_file(set, file)) return std::nullopt;
  if (file.child != nullptr) return file.child(set);
  const bool is_below = file.is_directory() || file.depends_on_path;
  return Child{.name = std::string(file.name),
               .place = is_below ? set.below(file.entry) : set.file(file.entry),
               .is_directory = file.is_directory()};
}

}  // namespace scidfs::fs
