// The head of a Kvetka book (NAME_0.kob) and its index (NAME.kin).
// Source: FORMAT.md, sections 3.1 and 6.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/kvetka/element.h"
#include "codec/kvetka/strings.h"
#include "codec/text.h"

namespace scidfs::codec::kvetka {

inline constexpr std::uint8_t kBookType = 1;
inline constexpr std::uint8_t kAllPlies = 0xFF;
// A caption is a short description; longer captions are not read.
inline constexpr std::size_t kMaxCaptionUnits = 0xFFFF;
inline constexpr std::size_t kMaxHeaderSize = 20 + 2 * kMaxCaptionUnits;
// A larger piece of a book is split in two.
inline constexpr std::uint64_t kMaxPieceSize = std::uint64_t{20} << 20;

// The least ratings that a game must have to be added to a book; 0: none.
struct RatingLimits {
  std::uint16_t white = 0, black = 0, strong = 0, weak = 0;

  bool admits(std::uint16_t white_elo, std::uint16_t black_elo) const;
  friend bool operator==(const RatingLimits&, const RatingLimits&) = default;
};

struct BookHeader {
  std::string caption{};  // 16-bit units as they are stored
  RatingLimits limits{};
  std::uint8_t max_plies = kAllPlies;  // of each game
  std::uint8_t element_type = 0;
  std::uint8_t links = 0;  // not 0: moves are added that lead to a position that is present
  std::uint32_t blocks = 0;
  std::size_t size = 0;  // in bytes; where block 0 begins

  bool has_links() const { return (element_type & 1) != 0; }
  // Returns whether elements may have fields of which no description exists.
  bool is_unknown_type() const { return element_type > 1; }
  Bytes caption_units() const { return as_bytes(caption); }
};

// Parses the first bytes of a book: all of them, or kMaxHeaderSize. Errors (InvalidArgument): too
// short, another type than 1, a caption longer than the file or kMaxCaptionUnits.
absl::StatusOr<BookHeader> parse_book_header(Bytes front);

// Returns the bytes of a header; ignores `size`.
std::vector<std::uint8_t> book_header_bytes(const BookHeader& header);
// Returns where the number of blocks is in a header of this size, in four bytes.
constexpr std::size_t block_count_offset(std::size_t header_size) { return header_size - 4; }

// Parses the keys of an index, ascending. Returns nothing if it is not an index of `blocks` blocks.
std::optional<std::vector<Key>> parse_book_index(Bytes file, std::uint64_t blocks);

}  // namespace scidfs::codec::kvetka
