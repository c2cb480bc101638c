// Writes lists of games for tests.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "fs/database/game_list.h"
#include "fs/database/postings.h"

namespace scidfs::fs {

// Of a GameList or a DatabaseGames.
template <typename List>
std::vector<GameIndex> games_in(const List& list) {
  std::vector<GameIndex> games;
  GameList::Cursor cursor = list.begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) games.push_back(game);
  EXPECT_EQ(cursor.next(), kNoGame) << "the end is the end";
  return games;
}

inline std::vector<GameIndex> games_in(const DeltaList& deltas) {
  return games_in(GameList::of(deltas.bytes()));
}

inline DeltaList deltas_of(const std::vector<GameIndex>& games) {
  DeltaList deltas;
  for (const GameIndex game : games) deltas.add(game);
  return deltas;
}

}  // namespace scidfs::fs
