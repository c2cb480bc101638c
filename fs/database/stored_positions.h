// The positions file of a database: which games come to which boards, for each board that some game
// comes to by its 24th ply. It has all games that come to it, at any ply, but tells boards
// apart by a part of their numbers: it may name more games, never fewer.
//
// It is a file of sections in the cache folder (fs/file/section_file.h) that is read piece by
// piece. Games have ranks there, in the order of their first moves, so that those that come to a
// board are a few runs of ranks. The sections, for B boards, ascending by number
// (codec/scid/board_key.h):
//
//  number  values            what
//       1  3 of 8 bytes      PositionFacts
//       2  2^b + 1 of 4      where the boards of each bucket begin, those with the same upper b
//          bytes             bits
//       3  B of 2 bytes      the 16 bits of the number after these
//       4  B of 4 bytes      the rank of the only game; or, with bit 31 set, where its list begins
//       5  bytes             lists
//       6  of 4 bytes        the game of each rank
//       7  T of 8 bytes      of T positions with many games: hashes of their names, ascending
//       8  T + 1 of 4 bytes  where the table of each begins
//       9  bytes             tables: the length of the name in a byte, the name, and what is stored
//                            of the shown games (BoardTally, fs/positions/frequent_tables.h)
//
// A list, of numbers of 7 bits a byte, the lowest first (game_list.h): how many games; the place
// among them of one that comes there by the 24th ply; then the runs: the ranks left out since the
// run before, times two, plus one if the run has more than one game, and how many more than two.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/scid/board_key.h"
#include "fs/database/database_files.h"
#include "fs/file/section_file.h"

namespace scidfs::fs {

enum class PositionPart : std::uint64_t {
  Facts = 1,
  Buckets,
  Marks,
  Values,
  Lists,
  Games,
  TableHashes,
  TableEnds,
  Tables,
};

struct PositionFacts {
  std::uint64_t games = 0;  // of the database
  std::uint64_t boards = 0;
  std::uint64_t bucket_bits = 0;
};

// How many plies of a game are in it.
inline constexpr std::uint32_t kStoredPlies = 24;

// Where a board's number is looked up.
struct BoardPlace {
  std::uint64_t bucket = 0;
  std::uint16_t mark = 0;
};
constexpr BoardPlace board_place(codec::scid::BoardKey key, unsigned bucket_bits) {
  constexpr unsigned kMarkBits = 16;
  return {.bucket = key >> (64 - bucket_bits),
          .mark = static_cast<std::uint16_t>(key << bucket_bits >> (64 - kMarkBits))};
}
inline constexpr std::uint32_t kListedBit = std::uint32_t{1} << 31;

// A positions file. Immutable; any number of threads may use it.
class StoredPositions {
 public:
  // Games that may be those of a board.
  struct Games {
    // Comes to the board by kStoredPlies if these are its games; so if it does not, they are not.
    GameIndex witness = 0;
    std::vector<GameIndex> games;  // in the order of their ranks
  };

  // Returns the file of a database; null if there is none for this version, or none that can be
  // used, of which a damaged one says so in the log. REQUIRES: is_worth_storing()
  // (stored_index.h).
  static std::shared_ptr<const StoredPositions> find(const DatabaseFiles& files,
                                                     const DatabaseOptions& options);
  // Return where it is, or will be, and its key.
  static std::filesystem::path path_of(const DatabaseFiles& files, const DatabaseOptions& options);
  static std::uint64_t key_of(const DatabaseFiles& files, const DatabaseOptions& options);

  // Returns the games of each board that may be the one with this number: no element if no game
  // comes to it by kStoredPlies, nothing if one of these boards has more than `most` games. A
  // damaged file says so once in the log, is removed, and has nothing from then on.
  std::optional<std::vector<Games>> find(codec::scid::BoardKey key, std::size_t most) const {
    return checked(find_games(key, most));
  }

  // Returns the tally of the position of this name (codec::position_name()); nothing if it is none
  // of those with many games, or the file is damaged.
  std::optional<std::vector<std::uint8_t>> table(std::string_view name) const {
    return checked(find_table(name));
  }

  std::size_t memory() const { return sizeof *this; }

 private:
  StoredPositions(std::filesystem::path path, std::unique_ptr<const SectionReader> file,
                  const PositionFacts& facts)
      : path_(std::move(path)), file_(std::move(file)), facts_(facts) {}

  template <class Value>
  std::optional<Value> checked(absl::StatusOr<std::optional<Value>> found) const {
    if (!found.ok()) refuse(found.status());
    return found.ok() && !is_refused_ ? *std::move(found) : std::nullopt;
  }
  void refuse(const absl::Status& status) const;
  absl::StatusOr<std::optional<std::vector<Games>>> find_games(codec::scid::BoardKey key,
                                                               std::size_t most) const;
  absl::StatusOr<std::optional<std::vector<std::uint8_t>>> find_table(std::string_view name) const;

  // Returns the games of a value; nothing if there are more than `most`.
  absl::StatusOr<std::optional<Games>> games_of(std::uint32_t value, std::size_t most) const;
  // Appends the games of a run of ranks.
  absl::Status add_run(std::uint64_t first, std::uint64_t count, Games& out) const;

  const std::filesystem::path path_;
  const std::unique_ptr<const SectionReader> file_;
  const PositionFacts facts_;
  mutable std::atomic<bool> is_refused_ = false;
};

}  // namespace scidfs::fs
