// The notes at a node of a game, besides moves: NAGs and a comment.
// Source: FORMAT.md, section 6.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// The notes of one node: of a move, or of the start of a line.
class Notes {
 public:
  static constexpr std::size_t kMaxNags = 7;

  bool empty() const { return nag_count_ == 0 && comment_.empty() && more_comments_.empty(); }
  std::span<const std::uint8_t> nags() const { return {nags_.data(), nag_count_}; }
  Bytes comment() const { return comment_; }
  // Returns comments of variations of the move that have no moves. Only a NotesPlan adds them, and
  // owns them.
  std::span<const Bytes> more_comments() const { return more_comments_; }

  // Adds a NAG by Scid's rules: 0 is dropped; a move assessment (1..6) or a position assessment
  // (10..21) replaces its like; a move assessment comes first. Returns false if there are too many.
  bool add_nag(std::uint8_t value);
  void set_comment(Bytes text) { comment_ = text; }
  void set_more_comments(std::span<const Bytes> texts) { more_comments_ = texts; }
  void clear() { *this = {}; }

 private:
  std::array<std::uint8_t, kMaxNags> nags_{};
  std::uint8_t nag_count_ = 0;
  Bytes comment_;
  std::span<const Bytes> more_comments_;
};

// The notes of a game by node, for records that do not keep the order of their text: notes of a
// move that come after its variations, comments of variations without moves, and more texts than
// comment markers. Nodes are numbered as a walk meets them: the start of the game is 0; each move,
// each start and each end of a variation the next.
class NotesPlan {
 public:
  // Makes the notes of all nodes of the record, whose notes are out of order.
  static NotesPlan make(Walker& walker, Bytes record, const RecordHead& head);

  // Returns the notes of a node. REQUIRES: each call has a greater node than the last.
  Notes take(std::uint32_t node);

  // Returns how many notes the walk may meet before one turns out to damage the game, and why.
  std::uint32_t good_notes() const { return good_notes_; }
  std::string_view error() const { return error_; }

 private:
  class Collector;
  struct Item {
    std::uint32_t node;
    Notes notes;
  };
  // A line without moves, whose comments move_comments() gives to the move that it follows.
  struct EmptyLine {
    std::uint32_t node;    // its start
    std::uint32_t parent;  // the move
  };
  void move_comments(std::span<const EmptyLine> lines);

  std::vector<Item> items_;               // by node
  std::vector<std::uint32_t> receivers_;  // the node of each of moved_, in order
  std::vector<Bytes> moved_;
  std::size_t next_ = 0;
  std::size_t next_moved_ = 0;
  std::uint32_t good_notes_ = 0;
  std::string_view error_;
};

}  // namespace scidfs::codec::scid
