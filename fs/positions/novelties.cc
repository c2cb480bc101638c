#include "fs/positions/novelties.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/main_line.h"
#include "codec/target_position.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/memory_claim.h"
#include "fs/content/sort.h"
#include "fs/content/step_watch.h"
#include "fs/database/decoding.h"
#include "fs/positions/earlier_games.h"
#include "fs/positions/move_table.h"
#include "fs/scan/listed_records.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Position;
using codec::TargetPosition;
using codec::scid::RecordHead;
using codec::scid::Walker;

constexpr std::size_t kRowsOfLook = 256;  // that are written between two looks at the budget

// A game of the set, and how far it is known to follow earlier games.
struct FollowingGame {
  GameOfPart place;
  std::uint32_t day = 0;    // codec::pack_date()
  std::uint32_t plies = 0;  // its first moves, which are not new
  EarlierGames before{};    // that had the position after them
  std::size_t asked = 0;    // positions in a pass
};

struct NoveltyRow {
  const GameSet& parts;
  FollowingGame game;
  std::string move;
  std::string path;
};

constexpr TsvColumns kNoveltyColumns{
    TsvColumn{"number", [](const NoveltyRow& row) { return row.game.place.game + 1; }},
    TsvColumn{"ply", [](const NoveltyRow& row) { return row.game.plies + 1; }},
    TsvColumn{"move", [](const NoveltyRow& row) -> std::string_view { return row.move; }},
    TsvColumn{"games", [](const NoveltyRow& row) { return row.game.before.games; }},
    TsvColumn{"last",
              [](const NoveltyRow& row, std::string& out) {
                const auto& [part, game] = row.game.before.last.game;
                if (row.game.before.games != 0) out += game_id(row.parts[part], game);
              }},
    TsvColumn{"path", [](const NoveltyRow& row) -> std::string_view { return row.path; }},
};

// Finds the move of a main line (codec/scid/main_line.h) that is new.
class RowFinder {
 public:
  RowFinder(const GameSet& parts, const FollowingGame& game, std::vector<NoveltyRow>& rows)
      : parts_(parts), game_(game), rows_(rows) {}

  void start(const Position& position) { before_ = position; }
  void move(const Position& after, const codec::Move& move) {
    if (ply_++ == game_.plies) {
      rows_.push_back({.parts = parts_,
                       .game = game_,
                       .move = san_without_marks(before_, move),
                       .path = "positions/" + codec::position_name({.position = before_})});
    }
    before_ = after;
  }

 private:
  const GameSet& parts_;
  const FollowingGame& game_;
  std::vector<NoveltyRow>& rows_;
  Position before_;
  std::uint32_t ply_ = 0;
};

struct FollowingReader {
  FollowingReader(const Database& database, const WorkBudget& budget)
      : records(database, GameFile::Check::Now, budget) {}

  GameRecords records;
  Walker walker;
};

// The search for the novelties of a set. The set and the budget outlive it.
class NoveltySearch {
 public:
  NoveltySearch(const GameSet& parts, const WorkBudget& budget, const NoveltyPasses& passes)
      : parts_(parts), budget_(budget), passes_(passes), memory_(budget) {}

  absl::StatusOr<std::string> table() {
    RETURN_IF_ERROR(add_games());
    std::size_t games = 0;
    for (const DatabaseGames& part : parts_) games += part.database()->loaded().shown_count();
    if (games >= passes_.fewest_to_sample) {
      constexpr std::size_t kOneIn = 16;
      RETURN_IF_ERROR(pass(kOneIn));
    }
    while (!open_.empty()) {
      RETURN_IF_ERROR(pass(1));
    }
    const auto is_before = [](const FollowingGame& a, const FollowingGame& b) {
      return a.place < b.place;
    };
    RETURN_IF_ERROR(sort_while_wanted(std::span(found_), budget_, is_before));
    std::vector<NoveltyRow> rows;
    RETURN_IF_ERROR(visit_games(found_, [&](const FollowingGame& game, Walker& walker, Bytes record,
                                            const RecordHead& head) {
      RowFinder finder(parts_, game, rows);
      walk_main_line(walker, record, record, head, finder);
    }));
    std::string text = kNoveltyColumns.header();
    add_database_column(parts_, text);
    StepWatch watch(budget_, kRowsOfLook);
    for (const NoveltyRow& row : rows) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      kNoveltyColumns.append_row(row, text);
      add_database(parts_[row.game.place.part], text);
    }
    return text;
  }

 private:
  absl::Status add_games() {
    if (parts_.count(kMostGamesOfNovelties + 1) > kMostGamesOfNovelties) {
      return absl::UnimplementedError(fmt::format(
          "more than {} games: too many to find their novelties", kMostGamesOfNovelties));
    }
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
      const Database& database = *parts_[part].database();
      RETURN_IF_ERROR(begin_decoding(database, parts_[part].list(), budget_, 2));
      DatabaseGames::Cursor rest = parts_[part].begin();
      for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
        const std::uint32_t day = database.index().value(game, PackedIndex::Column::Date);
        const bool has_year = codec::unpack_date(day).year != 0;
        if (has_year) open_.push_back({.place = {.part = part, .game = game}, .day = day});
      }
    }
    return absl::OkStatus();
  }

  // Calls visit(game, walker, record, head) for each of these games, ascending, whose record says
  // where it starts.
  template <class Visit>
  absl::Status visit_games(std::span<FollowingGame> games, const Visit& visit) const {
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
      const auto part_of = [](const FollowingGame& game) { return game.place.part; };
      const std::span<FollowingGame> of_part(std::ranges::lower_bound(games, part, {}, part_of),
                                             std::ranges::upper_bound(games, part, {}, part_of));
      std::vector<FollowingReader> readers;
      readers.emplace_back(*parts_[part].database(), budget_);
      RETURN_IF_ERROR(for_each_record(
          of_part.size(), [&](std::size_t i) { return of_part[i].place.game; }, readers, budget_,
          [&](FollowingReader& reader, std::size_t i, Bytes record, const RecordHead& head) {
            visit(of_part[i], reader.walker, record, head);
          }));
    }
    return absl::OkStatus();
  }

  // Asks for the next positions of the open games: of each the one after its known plies, and up to
  // passes_.plies more. A sample cannot tell that a position is new.
  absl::Status pass(std::size_t one_in) {
    // The positions and their days, and the rest in count_earlier().
    constexpr std::size_t kOfPosition =
        sizeof(TargetPosition) + sizeof(std::uint32_t) + kBytesOfEarlier;
    RETURN_IF_ERROR(memory_.grow_to(open_.size() * (passes_.plies + 1) * kOfPosition));
    std::vector<TargetPosition> positions;
    std::vector<std::uint32_t> days;
    for (FollowingGame& game : open_) game.asked = 0;
    absl::Status status = visit_games(
        open_, [&](FollowingGame& game, Walker& walker, Bytes record, const RecordHead& head) {
          walk_positions(walker, record, record, head,
                         [&](std::uint32_t ply, const Position& position) {
                           if (ply < game.plies || ply - game.plies > passes_.plies) return;
                           positions.push_back({.position = position});
                           days.push_back(game.day);
                           ++game.asked;
                         });
        });
    if (!status.ok()) return status;
    ASSIGN_OR_RETURN(const std::vector<EarlierGames> counted,
                     count_earlier(parts_, positions, days, one_in, budget_));
    std::vector<FollowingGame> open;
    std::span<const EarlierGames> rest = counted;
    for (FollowingGame& game : open_) {
      const std::span<const EarlierGames> of_game = rest.first(game.asked);
      rest = rest.subspan(game.asked);
      if (of_game.empty()) continue;
      std::size_t next = 1;
      while (next < of_game.size() && of_game[next].games != 0) ++next;
      game.plies += static_cast<std::uint32_t>(next - 1);
      game.before = of_game[next - 1];
      const bool is_new = next < of_game.size();
      if (is_new && one_in == 1) {
        found_.push_back(game);
      } else if (is_new || of_game.size() > passes_.plies) {
        open.push_back(game);
      }
    }
    open_ = std::move(open);
    return absl::OkStatus();
  }

  const GameSet& parts_;
  const WorkBudget& budget_;
  const NoveltyPasses& passes_;
  MemoryClaim memory_;
  std::vector<FollowingGame> open_;   // without a new move so far, in the order of the set
  std::vector<FollowingGame> found_;  // with one
};

}  // namespace

absl::StatusOr<std::string> novelty_table(const GameSet& parts, const WorkBudget& budget,
                                          const NoveltyPasses& passes) {
  return NoveltySearch(parts, budget, passes).table();
}

}  // namespace scidfs::fs
