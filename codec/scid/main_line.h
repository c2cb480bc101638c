// The common part of the walks that confirm a find: they follow only the main line.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// A visitor for Walker::walk() that visits only the main line. `Look` is a class with these
// members:
//
//   void start(const Position&);
//   void move(const Position& after, const Move&);
//   void end(const Position& last);  // it may be missing
//
// Missing text is damage, as in all other texts that show positions (game_epd.h).
template <class Look>
class MainLine {
 public:
  MainLine(Look& look, CommentTexts texts) : look_(look), texts_(texts) {}

  void start(const Position& position) { look_.start(position); }
  template <Color>
  void move(const Position& after, const Move& move) {
    if (depth_ == 0) look_.move(after, move);
  }
  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() {
    return texts_.next().has_value() ? std::string_view() : "a comment's text is missing";
  }
  void begin_variation(const Position&) { ++depth_; }
  void end_variation(const Position&) { --depth_; }
  void end(const Position& last) {
    if constexpr (requires { look_.end(last); }) look_.end(last);
  }

 private:
  Look& look_;
  CommentTexts texts_;
  std::size_t depth_ = 0;  // of variations
};

// Shows `look` the main line of a record up to the end of `part`, a beginning of the record.
// Returns the damage that ended the walk, if any.
template <class Look>
std::optional<Damage> walk_main_line(Walker& walker, Bytes record, Bytes part,
                                     const RecordHead& head, Look& look) {
  MainLine<Look> visitor(look, CommentTexts(record, head.moves_offset));
  return walker.walk(part, head, visitor);
}

// Calls look_at(ply, position) for the positions of the main line, from ply 0 on, up to the end of
// `part`. Returns how many moves there are.
template <class LookAt>
std::uint32_t walk_positions(Walker& walker, Bytes record, Bytes part, const RecordHead& head,
                             LookAt look_at) {
  struct Look {
    void start(const Position& position) { look_at(0U, position); }
    void move(const Position& after, const Move&) { look_at(++plies, after); }

    LookAt look_at;
    std::uint32_t plies = 0;
  };
  Look look{.look_at = std::move(look_at)};
  walk_main_line(walker, record, part, head, look);
  return look.plies;
}

}  // namespace scidfs::codec::scid
