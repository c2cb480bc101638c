#include "tests/support/pgn_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "codec/movegen.h"
#include "codec/pgn_reader/reader.h"
#include "codec/san.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

static_assert(codec::PgnSink<PgnEvents>);

void demand(bool holds, std::string_view what) {
  if (!holds) throw std::runtime_error(std::string(what));
}

void demand_clean(std::string_view text, bool with_tabs) {
  demand(codec::is_clean_utf8(as_bytes(text)), "a text is no clean UTF-8");
  demand(std::ranges::none_of(text,
                              [with_tabs](char c) {
                                return codec::is_ascii_control(c) && !(with_tabs && c == '\t');
                              }),
         "a text has control characters");
}

}  // namespace

void PgnEvents::begin_game(std::uint64_t line) {
  demand(!is_open_, "a game begins in another one");
  is_open_ = true;
  is_started_ = false;
  EventsOfGame& game = games_.emplace_back();
  game.line = line;
  game.text = fmt::format("{}:", line);
}

void PgnEvents::tag(std::string_view name, std::string_view value) {
  demand(is_open_ && !is_started_, "a tag that is not at the beginning");
  demand(!name.empty(), "a tag without a name");
  demand_clean(name, false);
  demand_clean(value, false);
  games_.back().tags.push_back({std::string(name), std::string(value)});
  games_.back().text += fmt::format(" [{} \"{}\"]", name, value);
}

void PgnEvents::start(const codec::Position& position, bool is_standard, bool is_chess960) {
  demand(is_open_ && !is_started_, "a second start");
  demand(is_standard == (position == codec::Position()), "a start that is not what it is called");
  demand(is_chess960 || position.castles_as_in_chess(), "castling as in Chess960 alone");
  is_started_ = true;
  line_ = {.position = position, .before = position};
  EventsOfGame& game = games_.back();
  if (!is_standard) game.start = position.fen();
  if (is_chess960) game.start += " 960";
  if (!game.start.empty()) game.text += " start " + game.start;
}

void PgnEvents::move(const codec::Move& move, const codec::Position& after) {
  demand(is_started_, "a move before the start");
  const codec::MoveList legal = codec::legal_moves(line_.position);
  // Castling needs only to fit the board.
  const bool castles =
      move.kind == codec::MoveKind::Castling &&
      codec::fitting_castling(line_.position, codec::file_of(move.to) == 6) == move;
  demand(move.kind == codec::MoveKind::Null || castles || std::ranges::count(legal, move) == 1,
         "an illegal move");
  const std::string san = codec::to_san(line_.position, move);
  line_.before = line_.position;
  line_.position.make(move);
  line_.has_move = true;
  demand(line_.position == after, "a move leads to another position");
  add(PgnToken::Kind::Move, san, san);
}

void PgnEvents::nag(std::uint8_t value) {
  demand(is_started_ && value != 0, "a NAG that is none");
  add(PgnToken::Kind::Nag, std::to_string(value), fmt::format("${}", value));
}

void PgnEvents::comment(std::string_view text) {
  demand(is_started_ && !text.empty(), "a comment that is none");
  demand(codec::trim(text) == text, "a comment with blanks at its ends");
  demand_clean(text, true);
  add(PgnToken::Kind::Comment, text, fmt::format("{{{}}}", text));
}

void PgnEvents::open_variation() {
  demand(line_.has_move, "a variation of no move");
  parents_.push_back(line_);
  line_ = {.position = parents_.back().before, .before = parents_.back().before};
  add(PgnToken::Kind::Open, "", "(");
}

void PgnEvents::close_variation() {
  demand(!parents_.empty(), "the end of no variation");
  line_ = parents_.back();
  parents_.pop_back();
  add(PgnToken::Kind::Close, "", ")");
}

void PgnEvents::remark(std::uint64_t line, std::string_view reason) {
  demand_clean(reason, false);
  demand(!reason.empty() && reason.size() < 200, "a remark that says nothing, or too much");
  last_text() += fmt::format(" <{}: {}>", line, reason);
}

void PgnEvents::end_game(codec::Result result) {
  demand(is_started_ && parents_.empty(), "a game that ends too early");
  games_.back().result = result;
  games_.back().text += fmt::format(" {}", codec::result_token(result));
  text_ += between_ + games_.back().text + '\n';
  between_.clear();
  is_open_ = false;
}

std::string PgnEvents::text() const { return text_ + between_; }

void PgnEvents::add(PgnToken::Kind kind, std::string_view text, std::string_view shown) {
  demand(is_open_, "an event between games");
  games_.back().tokens.push_back({.kind = kind, .text = std::string(text)});
  games_.back().text += fmt::format(" {}", shown);
}

PgnEvents events_of(std::string_view pgn, codec::CodePage page) {
  PgnEvents events;
  codec::PgnReader<PgnEvents>(events, page).read(pgn, 1);
  return events;
}

}  // namespace scidfs::tests
