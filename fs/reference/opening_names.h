// The names of openings, as a file such as scid.eco has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/eco.h"
#include "codec/position.h"
#include "codec/scid/eco_file.h"

namespace scidfs::fs {

// The number of an entry of the file, from 1 in its order.
using OpeningNumber = std::uint16_t;
inline constexpr OpeningNumber kNoOpening = 0;

// Made in a few milliseconds; the positions when they are first wanted, in some dozens: four
// megabytes for ten thousand names then. Thread-safe.
class OpeningNames {
 public:
  // Of the text of a file (codec/scid/eco_file.h). What cannot be read is a warning that names the
  // file.
  explicit OpeningNames(std::string text, std::string_view file_name = "the file");

  // Of the text.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // How many entries there are.
  std::size_t size() const { return file_.lines.size(); }
  // Empty for kNoOpening. REQUIRES: number <= size().
  std::string_view name(OpeningNumber number) const {
    return number == kNoOpening ? std::string_view() : file_.lines[number - 1].name;
  }
  codec::EcoCode code(OpeningNumber number) const {
    return number == kNoOpening ? codec::EcoCode{0} : file_.lines[number - 1].code;
  }

  // The name of a code: that of its entry with the fewest moves, of several the first. A code that
  // no entry has is called as the code without its digit, or else without any extension. One
  // without an extension is called as the entry with the fewest moves among all that begin with it,
  // if possible with one move at least. Empty if there is none.
  std::string_view name_of(codec::EcoCode code) const {
    return name(code > codec::kMaxEco ? kNoOpening : by_code_[code]);
  }
  // The bytes of that name.
  std::size_t length_of(codec::EcoCode code) const {
    return code > codec::kMaxEco ? 0 : lengths_[code];
  }
  // The same as the value of a tag.
  std::string_view tag_value_of(codec::EcoCode code) const;
  std::string_view name_of_base(unsigned base) const {
    return base >= codec::kEcoBases
               ? std::string_view()
               : name_of(static_cast<codec::EcoCode>(1 + base * codec::kEcoExtensions));
  }

  // The entry that leads to a position, of several the last. Castling rights count, and en passant
  // where a pawn stands beside the one that has just moved.
  OpeningNumber find(const codec::Position& position) const;
  // Where each entry leads to, by number - 1. One whose moves are not legal leads to the position
  // of an empty board but for two kings, which no game comes to.
  std::span<const codec::Position> positions() const;

 private:
  void name_codes();
  void play_all() const;

  const std::string text_;
  const std::string file_name_;
  const std::uint64_t fingerprint_;
  codec::scid::EcoFile file_;           // views the text
  std::vector<OpeningNumber> by_code_;  // by EcoCode
  std::vector<std::uint16_t> lengths_;  // by EcoCode
  // As values of tags, names that are not the same there.
  std::map<OpeningNumber, std::string> escaped_;

  mutable std::once_flag played_;
  mutable std::vector<codec::Position> positions_;
  struct Place {
    std::uint64_t hash = 0;
    OpeningNumber number = kNoOpening;
  };
  mutable std::vector<Place> by_position_;  // by hash, of one position that of the last entry alone
};

// Whether two positions are the same to Scid's names: pieces, side to move, castling, and the
// square of en passant where a pawn stands beside the one that has moved.
bool is_same_for_openings(const codec::Position& a, const codec::Position& b);
// That square; kNoSquare.
codec::Square en_passant_for_openings(const codec::Position& position);

}  // namespace scidfs::fs
