#include "fs/database/example_game.h"

#include <algorithm>

#include "fs/base/filename.h"

namespace scidfs::fs {

GameIndex find_example_game(const LoadedIndex& index, const codec::scid::Names& names) {
  constexpr GameIndex kLooks = 1000;
  const codec::scid::NameTable& players = names[codec::scid::NameKind::Player];
  const auto is_named = [&players](std::uint32_t id) {
    return escape_name(players.text(id)) != kUnknownName;
  };
  const GameIndex stride = std::max<GameIndex>(1, index.games() / kLooks);
  GameIndex best = kNoGame;
  int best_rank = -1;
  for (GameIndex game = 0; game < index.games(); game += stride) {
    if (!index.has(Part::Shown, game)) continue;
    const codec::scid::GameEntry entry = index.packed().entry(game);
    const int rank = is_named(entry.white) && is_named(entry.black)
                         ? 1 + entry.white_rating.elo() + entry.black_rating.elo()
                         : 0;
    if (rank > best_rank) {
      best = game;
      best_rank = rank;
    }
  }
  return best;
}

}  // namespace scidfs::fs
