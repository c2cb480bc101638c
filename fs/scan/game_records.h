// The records of some games of a set, block by block.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index.h"
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

// Returns the result of `scan`, which returns a StatusOr and reads records of a database with the
// given check. The first scan ignores checksums. If the file turns out to have changed meanwhile, a
// second scan checks each of them.
template <class Scan>
auto scan_records(const Database& database, const Scan& scan) {
  auto found = scan(GameFile::Check::Later);
  if (database.files().game_file().is_as_opened() || absl::IsCancelled(found.status()))
    return found;
  return scan(GameFile::Check::Now);
}

// Buffers for one thread, for scan_records().
class GameRecords {
 public:
  // The budget must outlive it.
  GameRecords(const Database& database, GameFile::Check check, const WorkBudget& budget)
      : index_(database.index()),
        file_size_(database.files().game_file().size()),
        rule_(database.files().format().castling),
        reader_(database.readers().borrow()),
        watch_(budget) {
    reader_->check(check);
  }

  // Calls visit(i, record) for each game of `games` whose record lies in the game file. The games
  // are of one block; i is the index into `games`. Errors: Cancelled, also between two of them;
  // those of GameFile::read().
  using Visit = absl::FunctionRef<void(std::size_t i, codec::Bytes record)>;
  absl::Status for_each(std::span<const GameIndex> games, Visit visit);
  // Does the same for games whose record says where the game starts.
  using VisitGame = absl::FunctionRef<void(std::size_t i, codec::Bytes record,
                                           const codec::scid::RecordHead& head)>;
  absl::Status for_each_game(std::span<const GameIndex> games, VisitGame visit);
  // Calls visit(i, tags) for each game of `games`, as above, with the tags that its PGN text has
  // beside those of the index (codec/scid/extra_tags.h) if all tags are shown. A record that does
  // not lie in the game file has none of its own. Of long records reads only the tags, if these are
  // not long. Errors as above.
  using VisitTags =
      absl::FunctionRef<void(std::size_t i, std::span<const codec::scid::ExtraTag> tags)>;
  absl::Status for_each_tags(std::span<const GameIndex> games, VisitTags visit);
  // Calls visit(i, start) for each game of `games`, as above, whose record has a FEN: that of the
  // position in which it begins. Of long records reads only the beginning, if that has the FEN.
  // Errors as above.
  using VisitStart = absl::FunctionRef<void(std::size_t i, const codec::Position& start)>;
  absl::Status for_each_start(std::span<const GameIndex> games, VisitStart visit);

 private:
  // Calls visit(i, entry) for each game, with the place of its record. Of a record `most` bytes are
  // read. Errors: Cancelled; those of `visit`.
  absl::Status for_each_entry(
      std::span<const GameIndex> games, std::uint32_t most,
      absl::FunctionRef<absl::Status(std::size_t i, const codec::scid::GameEntry& entry)> visit);
  // Calls parse(bytes) with the first bytes of a record, and again with all if they do not suffice.
  // It appends to tags_ and returns damage if a record of these bytes has any.
  absl::Status read_beginning(const codec::scid::GameEntry& entry,
                              absl::FunctionRef<std::optional<codec::Damage>(codec::Bytes)> parse);

  const PackedIndex& index_;
  const std::uint64_t file_size_;
  const codec::CastlingRule rule_;
  ReaderPool::Loan reader_;
  BudgetWatch watch_;
  std::vector<codec::scid::ExtraTag> tags_;
  std::vector<std::string> tag_names_;  // those that are not shown as they are stored
  PackedIndex::Values offset_{}, offset_high_{}, length_{}, flags_{};
};

}  // namespace scidfs::fs
