// The records of some games of a set, block by block.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/record.h"
#include "fs/database/database.h"
#include "fs/database/decoding.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {

// The games of a block that are in a mask, ascending.
class BlockGames {
 public:
  BlockGames(std::size_t block, const BlockMask& mask) {
    for_each_bit(mask, [&](std::size_t i) {
      games_[count_++] = static_cast<GameIndex>(block * PackedIndex::kBlock + i);
    });
  }
  operator std::span<const GameIndex>() const {  // NOLINT(google-explicit-constructor)
    return std::span(games_).first(count_);
  }

 private:
  std::array<GameIndex, PackedIndex::kBlock> games_;
  std::size_t count_ = 0;
};

// What `scan`, which returns a StatusOr, finds in the records of a database. It reads them as it is
// told, first without a look at their checksums; if the file turns out to have changed meanwhile,
// once more with one at each.
template <class Scan>
auto scan_records(const Database& database, const Scan& scan) {
  auto found = scan(GameFile::Check::Later);
  if (database.game_file().is_as_opened() || absl::IsCancelled(found.status())) return found;
  return scan(GameFile::Check::Now);
}

// Working room for one thread, for scan_records().
class GameRecords {
 public:
  // The effort outlives it.
  GameRecords(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : index_(database.index()),
        rule_(database.format().castling),
        reader_(database.borrow_reader()),
        watch_(budget) {
    reader_->check(check);
  }

  // Calls visit(i, record) for each of some games of one block, games[i], whose record lies in the
  // game file. Errors: Cancelled, also between two of them; those of GameFile::read().
  using Visit = absl::FunctionRef<void(std::size_t i, codec::Bytes record)>;
  absl::Status for_each(std::span<const GameIndex> games, Visit visit);
  // The same for those whose record says where the game starts.
  using VisitGame = absl::FunctionRef<void(std::size_t i, codec::Bytes record,
                                           const codec::scid::RecordHead& head)>;
  absl::Status for_each_game(std::span<const GameIndex> games, VisitGame visit);

 private:
  const PackedIndex& index_;
  const codec::CastlingRule rule_;
  Database::ReaderPtr reader_;
  EffortWatch watch_;
  std::vector<codec::scid::ExtraTag> tags_;
  PackedIndex::Values offset_{}, offset_high_{}, length_{};
};

}  // namespace scidfs::fs
