// Which games of a database go into a book, and what they say about positions.
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

// The games of a database that are counted in a book with these limits: neither deleted nor without
// a result. Ratings of other systems than Elo are no Elo.
std::vector<GameIndex> games_for_book(const Database& database,
                                      const codec::kvetka::RatingLimits& limits);

// The Elo of an entry's players; 0: none.
std::uint16_t elo_of(const codec::Rating& rating);

// Finds the positions of games. For one thread.
class BookGatherer {
 public:
  // `plies` of each game; codec::kvetka::kAllPlies: all.
  BookGatherer(const Database& database, unsigned plies);

  // Appends the positions of a game, which gets the number `number`, from its own start on, be that
  // a FEN or not. A damaged game counts with the moves before the damage, one that leaves the rules
  // (null moves, illegal moves) with those before that, one of Chess960 with the positions in which
  // nobody may castle from other squares than in chess: a book has no others. Whether the game was
  // damaged. DataLoss if the game file cannot be read.
  absl::StatusOr<bool> gather(GameIndex game, BookGameNumber number,
                              std::vector<Sighting>& sightings);

 private:
  Database::ReaderPtr reader_;
  const Database& database_;
  const unsigned plies_;
  codec::scid::Walker walker_;
  std::vector<codec::scid::ExtraTag> tags_;
};

}  // namespace scidfs::fs
