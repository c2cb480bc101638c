// A walk along the main line of a game that looks at its positions.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "codec/bytes.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::fs {

// A visitor of codec::scid::Walker that calls look(ply, position) for each position of the main
// line, from ply 0 on.
template <class Look>
class MainLine {
 public:
  // `texts` are those of the whole record, however much of it is walked.
  MainLine(codec::scid::CommentTexts texts, Look look) : texts_(texts), look_(std::move(look)) {}

  // How many moves there were.
  std::uint32_t plies() const { return plies_; }

  void start(const codec::Position& position) { look_(0U, position); }
  template <codec::Color>
  void move(const codec::Position& after, const codec::Move&) {
    if (depth_ == 0) look_(++plies_, after);
  }
  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() {
    return texts_.next().has_value() ? std::string_view() : "a comment's text is missing";
  }
  void begin_variation(const codec::Position&) { ++depth_; }
  void end_variation(const codec::Position&) { --depth_; }
  void end(const codec::Position&) {}

 private:
  codec::scid::CommentTexts texts_;
  Look look_;
  std::size_t depth_ = 0;  // of variations
  std::uint32_t plies_ = 0;
};

// Walks `part`, the front of a record whose head has been parsed, as far as it goes. Returns how
// many moves the main line has there.
template <class Look>
std::uint32_t walk_main_line(codec::scid::Walker& walker, codec::Bytes record, codec::Bytes part,
                             const codec::scid::RecordHead& head, Look look) {
  MainLine<Look> visitor(codec::scid::CommentTexts(record, head.moves_offset), std::move(look));
  walker.walk(part, head, visitor);
  return visitor.plies();
}

}  // namespace scidfs::fs
