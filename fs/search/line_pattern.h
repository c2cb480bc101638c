// The moves with which a game begins: `e4,c5,Nf3`.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/types.h"

namespace scidfs::fs {

// A line of at least one move, each legal after the moves before it, beginning in the standard
// position. A value.
class LinePattern {
 public:
  // Parses moves in any usual notation (codec::parse_san()), separated by commas. Returns
  // InvalidArgument, with a one-line reason for users, if one of them is no legal move.
  static absl::StatusOr<LinePattern> parse(std::string_view text);
  // Returns the moves in their shortest SAN, without check marks: one text for all equivalent
  // inputs.
  const std::string& text() const { return text_; }

  std::span<const codec::Move> moves() const { return moves_; }

 private:
  std::vector<codec::Move> moves_;
  std::string text_;
};

}  // namespace scidfs::fs
