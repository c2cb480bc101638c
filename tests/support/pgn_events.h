// Takes what the reader of PGN finds, checks that it is chess, and keeps it as text and as tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"
#include "codec/text.h"
#include "codec/types.h"
#include "tests/support/pgn_parse.h"

namespace scidfs::tests {

struct EventsOfGame {
  std::uint64_t line = 0;
  std::vector<PgnTag> tags;  // values without escapes
  std::string start;  // the FEN, and " 960" if it is Chess960; empty for chess from its start
  std::vector<PgnToken> tokens;  // with check marks, without numbers and the result
  codec::Result result = codec::Result::Unknown;
  std::string text;  // all events in their order, with remarks as "<LINE: REASON>"
};

// A PgnSink (codec/pgn_reader/reader.h). Holds each move against all legal ones, and each position
// against its own. Throws std::runtime_error where an event contradicts the ones before.
class PgnEvents {
 public:
  void begin_game(std::uint64_t line);
  void tag(std::string_view name, std::string_view value);
  void start(const codec::Position& position, bool is_standard, bool is_chess960);
  void move(const codec::Move& move, const codec::Position& after);
  void nag(std::uint8_t value);
  void comment(std::string_view text);
  void open_variation();
  void close_variation();
  void remark(std::uint64_t line, std::string_view reason);
  void end_game(codec::Result result);

  const std::vector<EventsOfGame>& games() const { return games_; }
  // Of all games, and of remarks between them, one in a line.
  std::string text() const;

 private:
  struct Line {
    codec::Position position, before;  // before the last move
    bool has_move = false;
  };

  void add(PgnToken::Kind kind, std::string_view text, std::string_view shown);
  std::string& last_text() { return is_open_ ? games_.back().text : between_; }

  std::vector<EventsOfGame> games_;
  std::string between_, text_;  // before the next game; of the games before
  Line line_;
  std::vector<Line> parents_;
  bool is_open_ = false;
  bool is_started_ = false;
};

// Reads a whole text.
PgnEvents events_of(std::string_view pgn, codec::CodePage page = codec::CodePage::Windows1252);

}  // namespace scidfs::tests
