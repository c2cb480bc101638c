// Moves with which a game begins: `e4,c5,Nf3`.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/types.h"

namespace scidfs::fs {

// One move at least, each legal after those before it, the first one in the standard position. A
// value.
class LinePattern {
 public:
  // Moves in any usual notation (codec::parse_san()) with commas between them. InvalidArgument with
  // the reason, a line for people, if one of them is none.
  static absl::StatusOr<LinePattern> parse(std::string_view text);
  // The shortest SAN of the moves, without check marks: one text for all that mean the same.
  const std::string& text() const { return text_; }

  std::span<const codec::Move> moves() const { return moves_; }

 private:
  std::vector<codec::Move> moves_;
  std::string text_;
};

}  // namespace scidfs::fs
