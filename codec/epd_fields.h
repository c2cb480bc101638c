// The first four fields of a FEN for the positions of a game, one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

// A writer of the fields that Position::write_epd_fields() writes. It keeps the text of each rank,
// since a move changes at most two. A plain value; begin() comes first.
class EpdFields {
 public:
  // The bytes that write() may touch. The text itself has at most Position::kMaxEpdFields.
  static constexpr std::size_t kRoom = Position::kMaxEpdFields + 16;

  void begin(const Position& position) {
    for (int rank = 0; rank < 8; ++rank) keep(position, rank);
  }
  // Follows a move that led to `after`, from the position before it.
  void move(const Position& after, const Move& move) {
    keep(after, rank_of(move.from));
    keep(after, rank_of(move.to));
  }
  // Writes the fields of `position`, the last one of these. Returns the end of the text.
  char* write(const Position& position, char* out) const {
    for (std::size_t rank = ranks_.size(); rank-- > 0;) {
      std::memcpy(out, &ranks_[rank], sizeof(Rank));
      out += ranks_[rank].length;
    }
    return position.write_state(out);
  }

 private:
  // Letters and digits of a rank, and the slash or blank after them. Copied as a whole.
  struct Rank {
    std::array<char, 15> text;
    std::uint8_t length;
  };

  void keep(const Position& position, int rank) {
    Rank& kept = ranks_[static_cast<std::size_t>(rank)];
    char* const begin = kept.text.data();
    char* end = position.write_rank(rank, begin);
    *end++ = rank == 0 ? ' ' : '/';
    kept.length = static_cast<std::uint8_t>(end - begin);
  }

  std::array<Rank, 8> ranks_{};
};

}  // namespace scidfs::codec
