// Decodes a whole database in memory, in stages: the work that the benchmarks measure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/scid/game_text.h"
#include "codec/scid/replay.h"
#include "codec/scid/seek.h"
#include "codec/scid/walk.h"
#include "codec/text_buffer.h"
#include "tests/support/scid_database.h"

namespace scidfs::bench {

// Visits moves and ignores everything else.
struct MoveVisitor {
  void start(const codec::Position& /*position*/) {}
  template <codec::Color kUs>
  void move(const codec::Position& /*after*/, const codec::Move& /*move*/) {}
  std::string_view nag(std::uint8_t /*value*/) { return {}; }
  std::string_view comment() { return {}; }
  void begin_variation(const codec::Position& /*before*/) {}
  void end_variation(const codec::Position& /*end_of_line*/) {}
  void end(const codec::Position& /*end_of_line*/) {}
};

class Decoding {
 public:
  // `prefix`: see ScidDatabase.
  explicit Decoding(const std::string& prefix);

  std::size_t games() const { return games_.size(); }
  // Number of moves, those of variations included.
  std::uint64_t plies() const { return plies_; }
  // Bytes that text() returns.
  std::uint64_t text_size() const { return text_size_; }

  // Each passes over all games once and returns a value that depends on all of its work.
  std::uint64_t moves();   // plays the moves
  std::uint64_t replay();  // replays those of the main lines and returns their number
  std::uint64_t seek();    // replays them and looks for a position that no game reaches
  std::uint64_t san();     // plays them and writes their names, without check marks
  std::uint64_t length();  // finds the lengths of the texts
  std::uint64_t text();    // writes the texts

 private:
  struct Game {
    codec::GameTags tags;
    codec::scid::GamePlace place;
    codec::Bytes record;
    codec::scid::IndexEntry entry;
  };

  template <class Visitor>
  void walk_all(Visitor& visitor);

  tests::ScidDatabase database_;
  std::vector<Game> games_;
  std::uint64_t plies_ = 0;
  std::uint64_t text_size_ = 0;
  codec::scid::Walker walker_;
  codec::scid::Replay replay_;
  codec::scid::PositionSeeker seeker_;
  std::vector<codec::scid::ExtraTag> extra_tags_;
  codec::scid::GameText writer_{codec::PgnOptions{}};
  codec::TextBuffer buffer_;
};

}  // namespace scidfs::bench
