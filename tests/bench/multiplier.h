// Makes large Scid 4 databases out of small real ones, byte by byte: only games that get moves of
// their own are decoded.
// Source: codec/scid/FORMAT.md, sections 2, 3, 4.1 and 14.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/names.h"

namespace scidfs::bench {

// One dictionary of a name file with raw names, by id.
struct RawNames {
  std::vector<std::string> names;
  std::vector<std::uint32_t> frequencies;
};
using RawDictionaries = std::array<RawNames, codec::scid::kNameKinds>;

// Strict, unlike the reader of the product: any fault is an error.
absl::StatusOr<RawDictionaries> read_names(codec::Bytes file);
// A whole name file, sorted as Scid sorts.
std::string write_names(const RawDictionaries& dictionaries);

inline constexpr std::uint32_t kMostGames = (1U << 24) - 2;
inline constexpr std::uint64_t kMostGameBytes = std::uint64_t{1} << 32;
// Records may not cross a multiple of this number.
inline constexpr std::uint64_t kGameBlock = 1U << 17;

// The greatest number of names of each kind that an index can refer to.
using NameLimits = std::array<std::uint32_t, codec::scid::kNameKinds>;
inline constexpr NameLimits kNameLimits = {(1 << 20) - 1, (1 << 19) - 1, (1 << 19) - 1,
                                           (1 << 18) - 1};

// How the copies of a game differ besides their names.
enum class Copies : std::uint8_t {
  SameMoves,
  // From the second copy on, games leave the real one and go on with moves of their own
  // (own_lines.h): so copies differ, even when names run out, and boards of one game are as many as
  // in a large real database. Games from a FEN are not changed.
  OwnMoves,
};

// Writes the database `target` with `games` games: those of `source` over and over. From the second
// copy on, players and events have different names, as long as there is room for them. Both are
// paths without extension. Never overwrites existing files; after an error it removes the files of
// the target.
absl::Status multiply(const std::string& source, std::uint32_t games, const std::string& target,
                      const NameLimits& limits = kNameLimits, Copies copies = Copies::SameMoves);

}  // namespace scidfs::bench
