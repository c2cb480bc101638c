// The data of a Kvetka book about one position, and the blocks that hold positions.
// Source: FORMAT.md, sections 2 and 3.2 to 3.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/kvetka/key.h"

namespace scidfs::codec::kvetka {

inline constexpr std::size_t kBlockSize = 2048;
inline constexpr std::size_t kMaxElementSize = 682;
inline constexpr std::size_t kMaxMoves = 255;
inline constexpr std::size_t kMaxCommentUnits = 300;
// The bytes in front of the elements of a block, which hold the number of bytes in use.
inline constexpr std::size_t kBlockHeadSize = 2;

// Read and append a CompactInt. One that is longer than its width allows moves the reader to its
// end, as a cut would.
inline constexpr std::size_t kShortCompact = 5;  // bytes, for 32 bits
inline constexpr std::size_t kLongCompact = 10;  // for 64 bits
std::optional<std::uint64_t> read_compact(ByteReader& in, std::size_t most_bytes);
void append_compact(std::uint64_t value, std::vector<std::uint8_t>& out);

// A game of a source of the book.
struct GameLink {
  std::uint16_t source = 0;
  std::uint32_t game = 0;  // from 0

  friend constexpr auto operator<=>(const GameLink&, const GameLink&) = default;
};
inline constexpr std::size_t kLinkSize = 6;

// How the list of games that end in a position is stored. The published description does not say
// it, but the list is the last field, so that its size tells (section 3.4).
enum class LinkLayout : std::uint8_t { None, Compact, U16, U32, Bare, Unknown };

// An element as it lies in its block. The views are valid as long as the block's bytes.
struct Element {
  Key key{};
  // Games won, drawn and lost by the side to move; each below 2^62.
  std::uint64_t wins = 0, draws = 0, losses = 0;
  Bytes moves{};                          // codes
  std::optional<GameLink> some_source{};  // a game with this position
  std::optional<Bytes> comment{};         // 16-bit units
  LinkLayout layout = LinkLayout::None;
  Bytes links{};         // of games that end here, kLinkSize bytes each
  std::size_t size = 0;  // of the whole element

  std::uint64_t games() const { return wins + draws + losses; }
  std::size_t link_count() const { return links.size() / kLinkSize; }
  // REQUIRES: i < link_count()
  GameLink link(std::size_t i) const;
};

// A reader of the elements of one block.
class BlockElements {
 public:
  // `has_links`: bit 0 of the book's element type. REQUIRES: block.size() == kBlockSize.
  BlockElements(Bytes block, bool has_links);

  enum class Next { Element, Damage, End };
  // Reads the next element. May be called again after Damage: skips an element of known length.
  Next next(Element& element);

  // Returns the reason after Damage; static text.
  std::string_view error() const { return error_; }
  // Returns where the last element begins, from the start of the block.
  std::size_t offset() const { return offset_; }

 private:
  Next fail(std::string_view error);
  bool parse(Bytes fields, Element& element);

  Bytes block_;
  bool has_links_;
  std::size_t used_ = 0;
  std::size_t at_ = kBlockHeadSize;
  std::size_t offset_ = 0;
  std::string_view error_;
};

// The data to be written about one position.
struct NewElement {
  Key key{};
  std::uint64_t wins = 0, draws = 0, losses = 0;
  std::span<const std::uint8_t> moves{};  // most important first
  std::optional<GameLink> some_source{};
  std::span<const GameLink> links{};
};

// Appends an element to `out`: at most kMaxElementSize bytes. To fit, it leaves out first links,
// then moves, from the end. Without `has_links` it names no game. Returns its size.
std::size_t append_element(const NewElement& element, bool has_links,
                           std::vector<std::uint8_t>& out);

}  // namespace scidfs::codec::kvetka
