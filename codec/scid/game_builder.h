// Builds what a database stores of a game, in the order of the game's PGN text: its record and its
// entry in the index, as Scid does.
// Source: FORMAT.md, sections 3.2, 4.3 and 14.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index.h"
#include "codec/scid/record_encoder.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// A builder of one game after the other; allocates nothing after the first few. Its functions are
// those of a sink of the PGN reader, but that a class derived from it says what happens at the end
// of a game and with remarks. Texts are clean UTF-8. One for each thread.
//
// Tags that the index has a field for go there: names, dates, ratings (the first of a player),
// ECO, flags. All others, and values that the field cannot hold, become extra tags. The result is
// that of finish(), not that of the tag. A date that is unknown is that of the tag UTCDate, which
// stays.
class GameBuilder {
 public:
  void begin_game(std::uint64_t line);
  void tag(std::string_view name, std::string_view value);
  void start(const Position& position, bool is_standard, bool is_chess960);
  void move(const Move& move, const Position& after) { encoder_.move(move, after); }
  void nag(std::uint8_t value) {
    if (!encoder_.nag(value)) loss_ = "a move has more than seven NAGs";
  }
  void comment(std::string_view text) { encoder_.comment(text); }
  void open_variation() { encoder_.open_variation(); }
  void close_variation() { encoder_.close_variation(); }
  // Ends the game. REQUIRES: no variation is open.
  void finish(Result result);

  // Each is valid from finish() to begin_game(). The entry has neither ids nor the record's place.
  const IndexEntry& entry() const { return entry_; }
  std::string_view event() const { return names_[kEvent]; }
  std::string_view site() const { return names_[kSite]; }
  std::string_view round() const { return names_[kRound]; }
  std::string_view white() const { return names_[kWhite]; }
  std::string_view black() const { return names_[kBlack]; }
  // Returns the record; of a game that is too long for one, that of its start without tags and
  // moves.
  Bytes record() const { return record_; }
  // Returns what could not be stored as it is; empty if all was.
  std::string_view loss() const { return loss_; }
  // Returns the line of the game in its text.
  std::uint64_t line() const { return line_; }

 private:
  enum Name : std::uint8_t { kEvent, kSite, kRound, kWhite, kBlack, kNames };

  // Each takes a tag of the index. Returns false if the index has no field for it, or has no room
  // for the value.
  bool take_name(std::string_view name, std::string_view value);
  bool take_date(std::string_view name, std::string_view value);
  bool take_rating(std::string_view name, std::string_view value);
  bool take_other(std::string_view name, std::string_view value);

  RecordEncoder encoder_;
  IndexEntry entry_;
  std::array<std::string, kNames> names_;
  std::string fen_;  // by its tag
  Date utc_date_;
  Position start_;
  bool has_fen_ = false;
  Bytes record_;
  std::string_view loss_;
  std::uint64_t line_ = 0;
};

}  // namespace scidfs::codec::scid
