// The names of openings, from a file such as scid.eco.
#pragma once

#include <array>
#include <cassert>
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

// The number of an entry of the file, from 1 in the order of the file.
using OpeningNumber = std::uint16_t;
inline constexpr OpeningNumber kNoOpening = 0;

// The names of openings. Takes a few milliseconds to make. The positions are made on first use, in
// some dozens of milliseconds, and then take four megabytes for ten thousand names. Thread-safe.
class OpeningNames {
 public:
  // Reads the text of a file (codec/scid/eco_file.h). Logs a warning that names the file for lines
  // that cannot be read.
  explicit OpeningNames(std::string text, std::string_view file_name = "the file");

  // Returns the fingerprint of the text.
  std::uint64_t fingerprint() const { return fingerprint_; }
  // Returns the number of entries.
  std::size_t size() const { return file_.lines.size(); }
  // Returns the name of an entry. Empty for kNoOpening. REQUIRES: number <= size().
  std::string_view name(OpeningNumber number) const {
    assert(number <= size());
    return number == kNoOpening ? std::string_view() : file_.lines[number - 1].name;
  }
  codec::EcoCode code(OpeningNumber number) const {
    assert(number <= size());
    return number == kNoOpening ? codec::EcoCode{0} : file_.lines[number - 1].code;
  }

  // Returns the name of a code: that of its entry with the fewest moves, of several the first. A
  // code without an entry has the name of the code without its digit, or else without any
  // extension. A code without an extension has the name of the entry with the fewest moves among
  // all that begin with it, if possible with at least one move. Empty if there is none.
  std::string_view name_of(codec::EcoCode code) const {
    return name(code > codec::kMaxEco ? kNoOpening : by_code_[code]);
  }
  // Returns the number of bytes of name_of(code).
  std::size_t length_of(codec::EcoCode code) const {
    return code > codec::kMaxEco ? 0 : lengths_[code];
  }
  // Returns name_of(code) as the value of a tag.
  std::string_view tag_value_of(codec::EcoCode code) const;
  std::string_view name_of_base(unsigned base) const {
    return base >= codec::kEcoBases
               ? std::string_view()
               : name_of(static_cast<codec::EcoCode>(1 + base * codec::kEcoExtensions));
  }

  // Returns the entry that leads to a position, of several the last. Castling rights count, and en
  // passant where a pawn is beside the one that has just moved.
  OpeningNumber find(const codec::Position& position) const;
  // Returns the position that each entry leads to, by number - 1. An entry with illegal moves leads
  // to an empty board with only two kings, a position that no game reaches.
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
  // Names as values of tags, where the two differ.
  std::map<OpeningNumber, std::string> escaped_;

  mutable std::once_flag played_;
  mutable std::vector<codec::Position> positions_;
  struct Place {
    std::uint64_t hash = 0;
    OpeningNumber number = kNoOpening;
  };
  mutable std::vector<Place> by_position_;  // by hash; of equal positions only the last entry
};

// Returns whether two positions are the same for Scid's names: pieces, side to move, castling, and
// the en passant square where a pawn is beside the one that has moved.
bool is_same_for_openings(const codec::Position& a, const codec::Position& b);
// Returns that square, or kNoSquare.
codec::Square en_passant_for_openings(const codec::Position& position);

}  // namespace scidfs::fs
