#include "fs/positions/frequent_tables.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/base/varint.h"
#include "fs/positions/met_targets.h"
#include "fs/positions/position_games.h"
#include "fs/positions/target_boards.h"
#include "fs/positions/target_hits.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::TargetPosition;
using codec::scid::RecordHead;

// Returns the positions of places.
absl::StatusOr<std::vector<TargetPosition>> targets_at(const Database& database,
                                                       const OpeningOrder& order,
                                                       std::span<const BoardPlaceInGame> places,
                                                       const WorkBudget& budget) {
  GameRecords records(database, GameFile::Check::Later, budget);
  codec::scid::Walker walker;
  std::vector<TargetPosition> targets;
  for (const BoardPlaceInGame& place : places) {
    RETURN_IF_ERROR(records.for_each_game(
        std::array{order.games[place.rank]},
        [&](std::size_t, Bytes record, const RecordHead& head) {
          walk_positions(walker, record, record, head,
                         [&](std::uint32_t ply, const codec::Position& position) {
                           if (ply == place.ply) targets.push_back({.position = position});
                         });
        }));
  }
  return targets;
}

// The tallies of boards, by their place among the targets: of all games that come to a board, and
// of those that come there with the rights of its target. Nearly all games do both at the same
// place: these have one tally, and the two together need hardly more memory than one.
struct BoardTallies {
  explicit BoardTallies(std::size_t boards) : common(boards) {}

  std::vector<BoardTally> common;  // the first time they come there they have the rights
  absl::flat_hash_map<std::uint32_t, BoardTally> others;       // they have other ones then
  absl::flat_hash_map<std::uint32_t, BoardTally> with_rights;  // such a game has them later
};

// Counts in one thread.
class BoardCounter {
 public:
  BoardCounter(const Database& database, std::span<const TargetPosition> targets,
               const TargetBoards& boards, std::span<const unsigned> plies,
               const WorkBudget& budget)
      : targets_(targets),
        records_(database, GameFile::Check::Later, budget),
        hits_(boards, plies, TargetHits::Which::All),
        met_(database, boards, targets),
        seen_(targets.size(), kNoGame),
        seen_with_rights_(targets.size(), kNoGame),
        rows_(MoveTally::Game::kColumns),
        index_(database.index()),
        tallies_(targets.size()) {}

  BoardTallies& tallies() { return tallies_; }

  absl::Status count(std::size_t block, const BlockMask& mask) {
    const BlockGames games(block, mask);
    rows_.read(index_, block, games);
    return records_.for_each_game(games,
                                  [this](std::size_t row, Bytes record, const RecordHead& head) {
                                    count_game(row, record, head);
                                  });
  }

 private:
  void count_game(std::size_t row, Bytes record, const RecordHead& head) {
    const GameIndex game = rows_.games()[row];
    const std::span<const TargetHits::Hit> hits = hits_.find(game, record, head);
    if (hits.empty()) return;
    const MoveTally::Game facts = MoveTally::Game::of(rows_, row);
    for (const MetTargets::Place& place : met_.find(game, record, head, hits_, hits)) {
      const bool is_first = std::exchange(seen_[place.target], game) != game;
      const bool has_rights =
          place.has_rights && std::exchange(seen_with_rights_[place.target], game) != game;
      if (!is_first && !has_rights) continue;
      BoardTally& tally = is_first && has_rights ? tallies_.common[place.target]
                          : is_first             ? tallies_.others[place.target]
                                                 : tallies_.with_rights[place.target];
      tally.moves.add(facts, place.hit->ply < met_.plies() ? place.hit->next : std::nullopt,
                      targets_[place.target].position.side_to_move());
      tally.notable.add(rows_, row);
    }
  }

  const std::span<const TargetPosition> targets_;
  GameRecords records_;
  TargetHits hits_;
  MetTargets met_;
  std::vector<GameIndex> seen_, seen_with_rights_;  // by target: the last game that came there
  ColumnBatch rows_;
  const PackedIndex& index_;
  BoardTallies tallies_;
};

// Adds the games of `shown` to the tallies of as many targets.
absl::Status count_boards(const Database& database, const GameBitmap& shown,
                          std::span<const TargetPosition> targets, const WorkBudget& budget,
                          BoardTallies& all) {
  const TargetBoards boards(targets, budget);
  const std::vector<unsigned> plies(boards.size(), 1);
  std::vector<std::unique_ptr<BoardCounter>> counters(scan_workers(budget));
  RETURN_IF_ERROR(
      scan_blocks(shown, budget, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
        std::unique_ptr<BoardCounter>& counter = counters[worker];
        if (counter == nullptr) {
          counter = std::make_unique<BoardCounter>(database, targets, boards, plies, budget);
        }
        return counter->count(block, mask);
      }));
  for (std::unique_ptr<BoardCounter>& counter : counters) {
    if (counter == nullptr) continue;
    BoardTallies& own = counter->tallies();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      all.common[i] += std::exchange(own.common[i], BoardTally());
    }
    for (const auto& [target, tally] : own.others) all.others[target] += tally;
    for (const auto& [target, tally] : own.with_rights) all.with_rights[target] += tally;
    counter.reset();
  }
  return absl::OkStatus();
}

}  // namespace

void BoardTally::write(std::vector<std::uint8_t>& out) const {
  for (const std::vector<GameOfPart>& games : {notable.strongest(), notable.newest()}) {
    add_varint(games.size(), out);
    for (const GameOfPart& game : games) add_varint(game.game, out);
  }
  moves.write(out);
}

absl::Status count_frequent(
    const Database& database, const OpeningOrder& order, std::span<const BoardPlaceInGame> places,
    const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::string_view name, const BoardTally& tally)> add) {
  constexpr std::size_t kMemory = std::size_t{192} << 20;
  constexpr std::size_t kMemoryOfTarget = 2200;  // in each thread
  const std::size_t most = kMemory / kMemoryOfTarget / scan_workers(budget);
  GameBitmap shown(database.games());
  shown.add(database.shown());
  for (std::size_t first = 0; first < places.size(); first += most) {
    const std::size_t count = std::min(most, places.size() - first);
    ASSIGN_OR_RETURN(std::vector<TargetPosition> targets,
                     targets_at(database, order, places.subspan(first, count), budget));
    BoardTallies tallies(targets.size());
    RETURN_IF_ERROR(count_boards(database, shown, targets, budget, tallies));
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      const auto add_one = [&](bool with_rights, const auto& more) {
        targets[i].with_rights = with_rights;
        const std::string name = codec::position_name(targets[i]);
        const auto own = more.find(i);
        if (own == more.end()) return add(name, tallies.common[i]);
        BoardTally sum = tallies.common[i];
        sum += own->second;
        return add(name, sum);
      };
      RETURN_IF_ERROR(add_one(false, tallies.others));
      RETURN_IF_ERROR(add_one(true, tallies.with_rights));
    }
  }
  return absl::OkStatus();
}

std::optional<StoredPosition> stored_position(const Database& database,
                                              const TargetPosition& target) {
  const StoredPositions* const stored = stored_positions_of(database);
  if (stored == nullptr) return std::nullopt;
  const auto bytes = stored->table(codec::position_name(target));
  if (!bytes.has_value()) return std::nullopt;
  StoredPosition position;
  VarintReader in(*bytes);
  const auto read_games = [&](std::size_t most, std::vector<GameIndex>& games) {
    const std::uint64_t count = in.next();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, most); ++i) {
      games.push_back(static_cast<GameIndex>(in.next()));
    }
    return count <= most &&
           std::ranges::all_of(games, [&](GameIndex game) { return game < database.games(); });
  };
  if (!read_games(kTopGames, position.strongest) || !read_games(kRecentGames, position.newest)) {
    return std::nullopt;
  }
  std::optional<MoveTally> tally = MoveTally::read(in.rest(), database.games(), target.position);
  if (!tally.has_value()) return std::nullopt;
  position.moves = *std::move(tally);
  return position;
}

}  // namespace scidfs::fs
