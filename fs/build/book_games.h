// The games of a database that go into a book, and their positions.
// Source: codec/kvetka/FORMAT.md, section 9.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "codec/kvetka/book.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "fs/build/book_sort.h"
#include "fs/database/database.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {

// Returns the games of a database that a book with these limits counts: neither deleted nor without
// a result. Ignores ratings of other systems than Elo.
std::vector<GameIndex> games_for_book(const Database& database,
                                      const codec::kvetka::RatingLimits& limits);

// A collector of the positions of games. For one thread.
class BookGatherer {
 public:
  // Collects `plies` plies of each game; codec::kvetka::kAllPlies: all.
  BookGatherer(const Database& database, unsigned plies);

  // Appends the positions of a game, from its start position on, even if that is a FEN. `number`
  // becomes the game's number. A damaged game counts with the moves before the damage; a game that
  // breaks the rules (null moves, illegal moves) with the moves before that; a game of Chess960
  // with the positions in which neither side may castle from other squares than in chess, since a
  // book has no others. Returns whether the game was damaged. DataLoss if the game file cannot be
  // read.
  absl::StatusOr<bool> gather(GameIndex game, BookGameNumber number,
                              std::vector<Sighting>& sightings);

 private:
  ReaderPool::Loan reader_;
  const Database& database_;
  const unsigned plies_;
  codec::scid::Walker walker_;
  std::vector<codec::scid::ExtraTag> tags_;
};

}  // namespace scidfs::fs
