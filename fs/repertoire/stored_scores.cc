#include "fs/repertoire/stored_scores.h"

#include "codec/target_position.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/frequent_tables.h"
#include "fs/positions/position_games.h"
#include "fs/repertoire/replay.h"

namespace scidfs::fs {
namespace {

// Adds the scores of the games of one part. Returns whether its positions file knows all places.
absl::StatusOr<bool> add_scores(const DatabaseGames& part,
                                const std::shared_ptr<const SideLines>& lines,
                                std::span<const SideLines::Place> places, const WorkBudget& budget,
                                std::vector<Score>& scores) {
  const Database& database = *part.database();
  if (stored_positions_of(database) == nullptr) return false;
  GameBitmap candidates(database.games());
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const codec::TargetPosition board{.position = lines->position(places[i])};
    if (const std::optional<StoredPosition> stored = stored_position(database, board)) {
      scores[i] += stored->moves.all().score;
      continue;
    }
    ASSIGN_OR_RETURN(const std::optional<DeltaList> few,
                     games_that_may_come(database, part.list(), board, budget));
    if (!few.has_value()) return false;
    candidates.add(GameList::of(few->bytes()));
    rest.push_back(i);
  }
  if (rest.empty()) return true;
  const DatabaseGames games(part.database(), candidates.to_deltas());
  ASSIGN_OR_RETURN(const std::shared_ptr<const RepertoireReplay> replay,
                   RepertoireReplay::make(games, std::nullopt, lines, budget));
  for (const std::size_t i : rest) scores[i] += replay->score(places[i]);
  return true;
}

}  // namespace

absl::StatusOr<std::optional<std::vector<Score>>> stored_scores(
    const GameSet& all, const std::shared_ptr<const SideLines>& lines,
    std::span<const SideLines::Place> places, const WorkBudget& budget) {
  std::vector<Score> scores(places.size());
  for (const DatabaseGames& part : all) {
    ASSIGN_OR_RETURN(const bool are_known, add_scores(part, lines, places, budget, scores));
    if (!are_known) return std::nullopt;
  }
  return scores;
}

}  // namespace scidfs::fs
