// The main line of one record after the other, for the searches of millions of games.
// Source: FORMAT.md, sections 4 to 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line.h"
#include "codec/scid/move_notes.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// A reader that first replays the main line of a record (replay.h), which is cheap, and then walks
// it (walk.h) to confirm what the replay finds. Holds working memory: one for each thread.
class MainLineReader {
 public:
  // `rule` is that of the records' format.
  explicit MainLineReader(CastlingRule rule) : rule_(rule) {}

  // Opens a record, which must outlive the calls below. Returns whether it says where the game
  // begins; if not, these must not be called.
  bool open(Bytes record) {
    tags_.clear();
    head_.fen.reset();
    record_ = record;
    return !parse_record_head(record, tags_, head_, rule_).has_value();
  }
  const RecordHead& head() const { return head_; }
  // Returns the position in which the game begins.
  const Position& start() const { return head_.fen.has_value() ? *head_.fen : standard_; }
  // Returns whether this is not the standard position, whose FEN a record may have, too.
  bool begins_elsewhere() const { return head_.fen.has_value() && !(*head_.fen == standard_); }
  // Returns the place of the first move.
  const std::uint8_t* moves() const { return record_.data() + head_.moves_offset; }

  // Shows the main line to a visitor of replays.
  template <class Scan>
  void replay(Scan& scan) {
    replay_.run(record_, head_, scan);
  }
  // Shows it to a visitor of walks (main_line.h): up to a place in the record, or all of it.
  // Returns the damage that ended the walk, if any.
  template <class Look>
  std::optional<Damage> walk_to(const std::uint8_t* end, Look& look) {
    const auto bytes = static_cast<std::size_t>(end - record_.data());
    return walk_main_line(walker_, record_, record_.first(bytes), head_, look);
  }
  template <class Look>
  std::optional<Damage> walk(Look& look) {
    return walk_main_line(walker_, record_, record_, head_, look);
  }
  // Shows it with its notes (move_notes.h).
  template <class Look>
  std::optional<Damage> walk_noted(Look& look) {
    return walk_notes(walker_, record_, head_, look);
  }
  // Shows the whole game to a visitor of walks (walk.h).
  template <class Visitor>
  std::optional<Damage> walk_game(Visitor& visitor) {
    return walker_.walk(record_, head_, visitor);
  }

 private:
  const CastlingRule rule_;
  const Position standard_;
  Replay replay_;
  Walker walker_;
  std::vector<ExtraTag> tags_;
  RecordHead head_;
  Bytes record_;
};

}  // namespace scidfs::codec::scid
