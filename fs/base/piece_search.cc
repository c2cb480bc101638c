#include "fs/base/piece_search.h"

#include "fs/base/wildcards.h"

namespace scidfs::fs {

PieceSearch::PieceSearch(std::span<const std::string> pieces) {
  std::string all;
  for (const std::string& piece : pieces) {
    if (piece.empty()) {
      pieces_.emplace_back();
      continue;
    }
    const std::size_t last = all.size() + piece.size() - 1;
    pieces_.push_back({.first_word = all.size() / kBits,
                       .words = last / kBits - all.size() / kBits + 1,
                       .first = std::uint64_t{1} << all.size() % kBits,
                       .last = std::uint64_t{1} << last % kBits,
                       .begin = piece.front(),
                       .begins_anyhow = piece.front() == kAnyCharacter});
    all += piece;
  }
  words_ = (all.size() + kBits - 1) / kBits;
  // Bytes that are in no piece have two classes: those that begin a character, and others.
  constexpr std::uint8_t kContinues = 1;
  std::uint8_t classes = 2;
  for (unsigned byte = 0; byte < class_of_.size(); ++byte) {
    const char c = static_cast<char>(byte);
    if (c != kAnyCharacter && all.find(c) != std::string::npos) {
      class_of_[byte] = classes++;
    } else if (codec::continues_character(c)) {
      class_of_[byte] = kContinues;
    }
  }
  masks_.resize(classes * words_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i % kBits;
    if (all[i] != kAnyCharacter) {
      masks_[class_of_[static_cast<unsigned char>(all[i])] * words_ + i / kBits] |= bit;
      continue;
    }
    any_[i / kBits] |= bit;
    for (unsigned byte = 0; byte < class_of_.size(); ++byte) {
      if (codec::continues_character(static_cast<char>(byte))) continue;
      masks_[class_of_[byte] * words_ + i / kBits] |= bit;
    }
  }
}

}  // namespace scidfs::fs
