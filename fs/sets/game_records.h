// The records of the games of a set, block by block.
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
#include "fs/database/game_bits.h"
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

// Working room for one thread.
class GameRecords {
 public:
  // `games`: how many of the database will be wanted.
  GameRecords(const Database& database, std::size_t games);

  // Calls visit(i, record, head) for each of some games of one block, games[i], whose record lies
  // in the game file and says where the game starts. Errors: those of GameFile::read().
  using Visit = absl::FunctionRef<void(std::size_t i, codec::Bytes record,
                                       const codec::scid::RecordHead& head)>;
  absl::Status for_each(std::span<const GameIndex> games, Visit visit);

 private:
  const Database& database_;
  Database::ReaderPtr reader_;
  std::vector<codec::scid::ExtraTag> tags_;
  PackedIndex::Values offset_{}, offset_high_{}, length_{};
};

}  // namespace scidfs::fs
