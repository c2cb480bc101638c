// Reads games of PGN as they are found: the standard's import format, and the dialects that
// programs and people write. It never fails: what it cannot read it leaves out, with a remark.
//
// What is accepted beyond the standard, by example:
//  - no empty line between games, or several; CR before LF; a byte order mark; bytes that are no
//    UTF-8;
//  - tags that are missing, repeated, after moves, several on a line, one on several lines; quotes
//    in values, or none;
//  - blanks and signs beyond ASCII (typography.h), and signs at a move that say nothing;
//  - moves in the usual notations (move_name.h), also "e8(Q)", with and without `x`, `+`, "e.p.";
//    null moves; glyphs (glyphs.h); a last rank that is reached without a piece means a queen;
//  - comments after `;`, lines that begin with `%`, a brace that is never closed (scanner.h);
//  - games without tags, one after the other: each ends with its result, which may follow the last
//    move without a blank;
//  - a NAG before the first move of a line: it is that move's.
//
// As in Scid, the result after the moves counts, and the tag Result only where there is none. A
// result in a variation ends the game only before an empty line or at the end. Where a move cannot
// be read, the rest of its line is left out: of a variation up to its closing bracket, of the game
// up to its result. What follows is read as if nothing had happened. Words that look like no move
// are passed over. More than Scid 4.7 keeps: games that consist of tags, the moves after a
// variation that cannot be read, glyphs that it does not know, tags after moves, results in
// variations, and comments where they stand. A comment after a result belongs to the next game if
// that has no tags, else to the one before.
//
// Time is linear in the bytes; memory is bounded (scanner.h, Line::kMaxDepth).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/move_name.h"
#include "codec/number.h"
#include "codec/pgn_reader/clean_text.h"
#include "codec/pgn_reader/glyphs.h"
#include "codec/pgn_reader/known_names.h"
#include "codec/pgn_reader/lexer.h"
#include "codec/pgn_reader/line.h"
#include "codec/pgn_reader/scanner.h"
#include "codec/pgn_reader/sink.h"
#include "codec/pgn_reader/start.h"
#include "codec/pgn_reader/tag.h"
#include "codec/pgn_reader/words.h"
#include "codec/position.h"
#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::codec {

// A reader that keeps its room between texts. One per thread. Does not own the sink.
template <PgnSink Sink>
class PgnReader {
 public:
  // The code page decodes texts that are no UTF-8 (text.h).
  PgnReader(Sink& sink, CodePage page) : sink_(&sink), page_(page) {}

  // Reads games that follow each other in a text. `line` is the number of their first line.
  void read(std::span<const pgn_reader::FoundGame> games, std::uint64_t line);
  // Reads all games of a text.
  void read(std::string_view text, std::uint64_t line) {
    std::vector<pgn_reader::FoundGame> games;
    pgn_reader::GameScanner().find_all(text, true, games);
    read(games, line);
  }

 private:
  using Token = pgn_reader::Token;
  using Lexer = pgn_reader::Lexer;
  using Word = pgn_reader::Word;
  using Reading = pgn_reader::Line::Reading;

  // The part of a game that the next token belongs to: none, its moves, what follows its result.
  enum class Part : std::uint8_t { None, Moves, AfterResult };
  // What is left out at the moment.
  enum class Skip : std::uint8_t { Nothing, Variation, Game };

  void read_game(const pgn_reader::FoundGame& game);
  void read_tags(const pgn_reader::FoundGame& game);
  void take_tag(const pgn_reader::RawTag& tag, const char* at);
  void read_comments(std::string_view text);
  void take(const Token& token, Lexer& lexer);
  void take_word(const Token& token, Lexer& lexer);
  void take_move(std::string_view text, const MoveName& name, std::uint8_t nag);
  void take_nag(std::string_view digits);
  // Gives a NAG to the last move, or to the first one of a line that has none yet.
  void give_nag(std::uint8_t value);
  void give_early_nags();
  void drop_early_nags(const char* at);
  void clear_early_nags() {
    early_nags_.clear();
    has_early_nags_ = false;
  }
  void take_comment(std::string_view text);
  void take_result(Result result, const Lexer& lexer);
  void open(const Token& token);
  void close(const Token& token);
  // Leaves out the rest of a line whose next move cannot be read.
  void fail(std::string_view text, Reading reading);
  // Gives the comments that came before `end`, outside of the moves of a game, to the game that has
  // begun, if there is one.
  void take_pending(const char* end);
  void begin_untagged(const char* at);
  void begin_moves(const char* at);
  void close_variations();
  void end_game(const char* at);
  // Returns whether tokens belong to moves that are read.
  bool reads_moves() const { return part_ == Part::Moves && skip_ == Skip::Nothing; }

  // Returns the number of the line. REQUIRES: places come in the order of the text, or nearly.
  std::uint64_t line_of(const char* at);
  void remark(const char* at, std::string_view reason) { sink_->remark(line_of(at), reason); }

  Sink* sink_;
  CodePage page_;
  pgn_reader::Line line_;
  pgn_reader::StartTags start_;
  pgn_reader::KnownNames names_;
  std::string room_, name_room_, value_room_;

  std::string_view moves_;          // of the game text
  const char* comments_ = nullptr;  // the first of the comments that are outside of moves
  const char* counted_ = nullptr;   // how far lines are counted
  std::uint64_t counted_line_ = 0;
  Part part_ = Part::None;
  Skip skip_ = Skip::Nothing;
  bool skips_open_ = false;       // whether the variation that is left out has been opened
  std::size_t skipped_ = 0;       // brackets that are open in what is left out
  std::optional<Result> result_;  // after the moves
  bool has_early_nags_ = false;   // before the first move of a line
  std::vector<std::uint8_t> early_nags_;
};

template <PgnSink Sink>
void PgnReader<Sink>::read(std::span<const pgn_reader::FoundGame> games, std::uint64_t line) {
  if (games.empty()) return;
  counted_ = games.front().text.data();
  counted_line_ = line;
  for (const pgn_reader::FoundGame& game : games) read_game(game);
}

template <PgnSink Sink>
void PgnReader<Sink>::read_game(const pgn_reader::FoundGame& game) {
  part_ = Part::None;
  skip_ = Skip::Nothing;
  skipped_ = 0;
  comments_ = nullptr;
  moves_ = game.text.substr(game.moves);
  if (game.moves != 0) read_tags(game);
  const char* end = moves_.data();  // of the last token
  Lexer lexer(moves_);
  while (true) {
    const std::string_view rest = lexer.find_word();
    const pgn_reader::KnownNames::Known known =
        reads_moves() ? names_.find(rest) : pgn_reader::KnownNames::Known{};
    if (known.name != nullptr) {
      lexer.pass(known.length + 1);  // with the blank
      take_move(rest.substr(0, known.length), *known.name, 0);
      end = rest.data() + known.length;
    } else {
      const Token token = lexer.next();
      if (token.kind == Token::Kind::End) break;
      take(token, lexer);
      end = moves_.data() + lexer.at();
    }
  }
  if (game.text.size() == pgn_reader::kMaxGame) remark(end, "a game is too long: it ends here");
  if (game.text.find('\0') != std::string_view::npos) {
    remark(end, "zero bytes: part of the text is lost");
  }
  take_pending(end);
  end_game(end);
}

template <PgnSink Sink>
void PgnReader<Sink>::read_tags(const pgn_reader::FoundGame& game) {
  const std::string_view tags = game.text.substr(0, game.moves);
  sink_->begin_game(line_of(pgn_reader::first_tag(tags).data()));
  start_.begin();
  for (std::string_view rest = pgn_reader::first_tag(tags); !rest.empty();) {
    // With what follows the tags: no tag depends on it, and near the end of a text one takes
    // longer.
    const auto at = static_cast<std::size_t>(rest.data() - game.text.data());
    const pgn_reader::RawTag tag = pgn_reader::parse_tag(game.text.substr(at));
    take_tag(tag, rest.data());
    rest = pgn_reader::first_tag(rest.substr(tag.length));
  }
  if (game.has_late_tag) {
    Lexer lexer(moves_);
    for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
      if (token.kind == Token::Kind::Tag) {
        take_tag(pgn_reader::parse_tag(token.text), token.text.data());
      }
    }
  }
  begin_moves(moves_.data());
  if (game.has_early_comment) read_comments(tags);
}

template <PgnSink Sink>
void PgnReader<Sink>::take_tag(const pgn_reader::RawTag& tag, const char* at) {
  if (tag.name.empty()) return remark(at, "a tag has no name");
  std::string_view name = tag.name, value = tag.value;
  if (!tag.is_clean) {
    name = pgn_reader::clean_value(name, page_, name_room_);
    value = pgn_reader::clean_value(pgn_reader::unescape_value(value, room_), page_, value_room_);
  }
  start_.take(name, value);
  sink_->tag(name, value);
}

template <PgnSink Sink>
void PgnReader<Sink>::read_comments(std::string_view text) {
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    if (token.kind == Token::Kind::Comment || token.kind == Token::Kind::Unclosed) {
      take_comment(token.text);
    }
  }
}

template <PgnSink Sink>
void PgnReader<Sink>::begin_untagged(const char* at) {
  end_game(at);
  sink_->begin_game(line_of(comments_ != nullptr ? comments_ : at));
  start_.begin();
  begin_moves(at);
  take_pending(at);
}

template <PgnSink Sink>
void PgnReader<Sink>::take_pending(const char* end) {
  if (comments_ == nullptr) return;
  if (part_ != Part::None) read_comments({comments_, static_cast<std::size_t>(end - comments_)});
  comments_ = nullptr;
}

template <PgnSink Sink>
void PgnReader<Sink>::begin_moves(const char* at) {
  const pgn_reader::StartPosition start = start_.start();
  sink_->start(start.position, start.is_standard, start.is_chess960);
  line_.start(start.position);
  part_ = Part::Moves;
  skip_ = start.fault.empty() ? Skip::Nothing : Skip::Game;
  skipped_ = 0;
  result_.reset();
  clear_early_nags();
  if (!start.doubt.empty()) remark(at, start.doubt);
  if (!start.fault.empty()) remark(at, start.fault);
}

template <PgnSink Sink>
void PgnReader<Sink>::end_game(const char* at) {
  if (part_ == Part::None) return;
  drop_early_nags(at);
  close_variations();
  const std::optional<Result> of_tag = start_.result();
  if (!result_.has_value()) {
    remark(at, "the game ends without a result");
  } else if (of_tag.has_value() && *of_tag != *result_) {
    remark(at, "the result after the moves is not that of the tag");
  }
  part_ = Part::None;
  sink_->end_game(result_.value_or(of_tag.value_or(Result::Unknown)));
}

template <PgnSink Sink>
void PgnReader<Sink>::close_variations() {
  for (; line_.is_variation(); line_.close()) sink_->close_variation();
  skip_ = Skip::Nothing;
  skipped_ = 0;
}

template <PgnSink Sink>
std::uint64_t PgnReader<Sink>::line_of(const char* at) {
  if (at > counted_) {
    counted_line_ += pgn_reader::count_lines({counted_, at});
    counted_ = at;
  }
  return counted_line_;
}

template <PgnSink Sink>
void PgnReader<Sink>::take(const Token& token, Lexer& lexer) {
  switch (token.kind) {
    case Token::Kind::Word:
      return take_word(token, lexer);
    case Token::Kind::Suffix:
      if (reads_moves()) give_nag(*pgn_reader::nag_of_glyph(token.text));
      return;
    case Token::Kind::Nag:
      return take_nag(token.text);
    case Token::Kind::Unclosed:
      remark(token.text.data(), "a comment is not closed");
      [[fallthrough]];
    case Token::Kind::Comment:
      if (skip_ != Skip::Nothing) return;
      if (part_ == Part::Moves) return take_comment(token.text);
      if (comments_ == nullptr) comments_ = token.text.data() - 1;
      return;
    case Token::Kind::Open:
      return open(token);
    case Token::Kind::Close:
      return close(token);
    case Token::Kind::Star:
      return take_result(Result::Unknown, lexer);
    case Token::Kind::Junk:
      if (skip_ == Skip::Nothing)
        remark(token.text.data(), pgn_reader::describe_junk(token.text, page_));
      return;
    default:
      return;
  }
}

template <PgnSink Sink>
void PgnReader<Sink>::take_word(const Token& token, Lexer& lexer) {
  const Word word = pgn_reader::read_word(token.text, lexer, page_);
  if (word.kind == Word::Kind::Result) return take_result(word.result, lexer);
  const char* const at = token.text.data();
  const bool is_move = word.kind == Word::Kind::Move || word.kind == Word::Kind::NullMove;
  if (part_ != Part::Moves && skip_ == Skip::Nothing) {
    if (is_move) {
      begin_untagged(at);
    } else {
      take_pending(at);
      return remark(at, pgn_reader::describe_junk(token.text, page_));
    }
  }
  if (skip_ != Skip::Nothing) {
    if (word.ends_game) take_result(word.result, lexer);
    return;
  }
  switch (word.kind) {
    case Word::Kind::Move:
      if (word.is_bare()) {
        names_.add({at, static_cast<std::size_t>(moves_.data() + moves_.size() - at)},
                   token.text.size(), word.name);
      }
      take_move(token.text, word.name, word.nag);
      if (word.has_junk && reads_moves()) {
        remark(at, pgn_reader::describe_signs(token.text, page_));
      }
      if (word.ends_game) take_result(word.result, lexer);
      return;
    case Word::Kind::NullMove:
      line_.pass();
      sink_->move(line_.last_move(), line_.position());
      if (has_early_nags_) give_early_nags();
      return;
    case Word::Kind::Glyph:
      return give_nag(word.nag);
    case Word::Kind::NoMove:
      return fail(token.text, Reading::Illegal);
    case Word::Kind::Unknown:
      return remark(at, pgn_reader::describe_junk(token.text, page_));
    default:
      return;
  }
}

template <PgnSink Sink>
void PgnReader<Sink>::take_move(std::string_view text, const MoveName& name, std::uint8_t nag) {
  const Reading reading = line_.play(name);
  if (reading == Reading::Illegal || reading == Reading::Ambiguous) return fail(text, reading);
  sink_->move(line_.last_move(), line_.position());
  if (has_early_nags_) [[unlikely]]
    give_early_nags();
  if (nag != 0) sink_->nag(nag);
  if (reading != Reading::Move) {
    remark(text.data(), reading == Reading::PromotedToQueen
                            ? "a pawn became a queen: the move does not say what"
                            : "castling is against the rules here");
  }
}

template <PgnSink Sink>
void PgnReader<Sink>::fail(std::string_view text, Reading reading) {
  remark(text.data(), pgn_reader::describe_fault(line_, text, reading, page_));
  clear_early_nags();
  skip_ = line_.is_variation() ? Skip::Variation : Skip::Game;
  skips_open_ = line_.is_variation();
  skipped_ = skips_open_ ? 1 : 0;
}

template <PgnSink Sink>
void PgnReader<Sink>::take_nag(std::string_view digits) {
  if (!reads_moves() || digits.empty()) return;
  const std::optional<std::uint8_t> value = parse_number<std::uint8_t>(digits);
  if (!value.has_value()) return remark(digits.data(), "a NAG is greater than 255");
  if (*value != 0) give_nag(*value);
}

template <PgnSink Sink>
void PgnReader<Sink>::give_nag(std::uint8_t value) {
  if (line_.has_move()) return sink_->nag(value);
  constexpr std::size_t kMost = 256;  // no move has room for so many
  if (early_nags_.size() < kMost) early_nags_.push_back(value);
  has_early_nags_ = true;
}

template <PgnSink Sink>
void PgnReader<Sink>::give_early_nags() {
  for (const std::uint8_t nag : early_nags_) sink_->nag(nag);
  clear_early_nags();
}

template <PgnSink Sink>
void PgnReader<Sink>::drop_early_nags(const char* at) {
  if (has_early_nags_) remark(at, "a NAG belongs to no move");
  clear_early_nags();
}

template <PgnSink Sink>
void PgnReader<Sink>::take_comment(std::string_view text) {
  const std::string_view clean = pgn_reader::clean_comment(text, page_, room_);
  if (!clean.empty()) sink_->comment(clean);
}

template <PgnSink Sink>
void PgnReader<Sink>::take_result(Result result, const Lexer& lexer) {
  const bool in_variation = line_.is_variation() || skipped_ != 0;
  if (part_ != Part::Moves || (in_variation && !lexer.is_before_gap())) return;
  close_variations();
  result_ = result;
  part_ = Part::AfterResult;
}

template <PgnSink Sink>
void PgnReader<Sink>::open(const Token& token) {
  if (skip_ != Skip::Nothing) {
    ++skipped_;
  } else if (part_ == Part::Moves && line_.open()) {
    sink_->open_variation();
  } else {
    const bool is_too_deep = part_ == Part::Moves && line_.has_move();
    remark(token.text.data(),
           is_too_deep ? "variations are nested too deep" : "a variation has no move before it");
    skip_ = Skip::Variation;
    skips_open_ = false;
    skipped_ = 1;
  }
}

template <PgnSink Sink>
void PgnReader<Sink>::close(const Token& token) {
  if (skip_ == Skip::Game) {
    skipped_ -= std::min<std::size_t>(skipped_, 1);
    return;
  }
  if (skip_ == Skip::Variation) {
    if (--skipped_ != 0) return;
    skip_ = Skip::Nothing;
    if (!skips_open_) return;
  } else if (!line_.is_variation()) {
    return remark(token.text.data(), "a bracket closes no variation");
  }
  drop_early_nags(token.text.data());
  line_.close();
  sink_->close_variation();
}

}  // namespace scidfs::codec
