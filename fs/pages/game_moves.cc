#include "fs/pages/game_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/target_position.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/comment_marks.h"

namespace scidfs::fs {
namespace {

using codec::Color;

// Returns the SAN of a move that led to `after`.
std::string san_of(const codec::Position& after, const codec::Move& move, bool is_check) {
  std::array<char, codec::ShortText::kRoom> room{};
  const codec::ShortText text = after.side_to_move() == Color::Black
                                    ? codec::find_san<Color::White>(after, move)
                                    : codec::find_san<Color::Black>(after, move);
  text.write(room.data());
  std::string san(room.data() + 1, text.size() - 1);  // without the blank in front
  if (is_check) san += codec::is_checkmate(after) ? '#' : '+';
  return san;
}

std::string id_of(std::uint32_t move) { return fmt::format("m{}", move); }

std::string squares_of(const codec::Move& move) {
  if (move.kind == codec::MoveKind::Null) return {};
  std::string squares;
  for (const codec::Square square : {move.from, move.to}) {
    squares += static_cast<char>('a' + codec::file_of(square));
    squares += static_cast<char>('1' + codec::rank_of(square));
  }
  return squares;
}

struct Sign {
  unsigned nag;
  std::string_view text;
};
constexpr auto kSigns = std::to_array<Sign>({
    {1, "!"},   {2, "?"},   {3, "‼"},   {4, "⁇"},   {5, "⁉"},   {6, "⁈"},   {7, "□"},   {10, "="},
    {11, "="},  {13, "∞"},  {14, "⩲"},  {15, "⩱"},  {16, "±"},  {17, "∓"},  {18, "+−"}, {19, "−+"},
    {22, "⨀"},  {23, "⨀"},  {32, "⟳"},  {33, "⟳"},  {36, "↑"},  {37, "↑"},  {40, "→"},  {41, "→"},
    {44, "=∞"}, {132, "⇆"}, {133, "⇆"}, {138, "⊕"}, {139, "⊕"}, {140, "∆"}, {146, "N"},
});

}  // namespace

std::string nag_sign(unsigned value) {
  const auto* const found = std::ranges::find(kSigns, value, &Sign::nag);
  return found == kSigns.end() ? fmt::format("${}", value) : std::string(found->text);
}

void GameMoves::start(const codec::Position& position) {
  first_ = last_ = position;
  html_ = Html();
  before_.assign(1, 0);
  current_ = 0;
  variations_.clear();
  is_numbered_ = is_first_ = true;
}

void GameMoves::separate() {
  if (!is_first_) html_.add_text(" ");
  is_first_ = false;
}

void GameMoves::move(const codec::Position& after, const codec::Move& move, bool is_check) {
  const bool is_white = after.side_to_move() == Color::Black;
  std::string text;
  if (is_white) {
    text = fmt::format("{}.", after.move_number());
  } else if (is_numbered_) {
    text = fmt::format("{}…", after.move_number() - 1);
  }
  text += san_of(after, move, is_check);
  before_.push_back(current_);
  const std::string before = id_of(current_);
  current_ = static_cast<Id>(before_.size() - 1);
  is_numbered_ = false;
  const bool is_main = variations_.empty();
  if (is_main) last_ = after;
  const Link link = is_main ? positions_.name(codec::position_name({.position = after})).page()
                            : Link::to_element(id_of(current_));
  separate();
  html_.add("a", text,
            {{"id", id_of(current_)},
             {"class", "move"},
             {"data-fen", after.fen()},
             {"data-squares", squares_of(move)},
             {"data-before", before},
             Attribute::href(link)});
}

void GameMoves::nag(unsigned value) {
  // A sign of the move is a part of it; one of the position stands off, on the same line.
  constexpr unsigned kLastMoveSign = 9;
  constexpr std::string_view kNoBreakBlank = "\u00A0";
  if (value > kLastMoveSign && !is_first_) html_.add_text(kNoBreakBlank);
  is_first_ = false;
  html_.add("span", nag_sign(value), {{"class", "nag"}});
}

void GameMoves::comment(std::string_view text) {
  separate();
  const MarkedComment marked = take_marks(text);
  if (marked.marks.empty()) {
    html_.add("span", marked.text, {{"class", "comment"}});
  } else {
    html_.add("span", marked.text,
              {{"class", "comment"}, {"data-of", id_of(current_)}, {"data-marks", marked.marks}});
  }
  is_numbered_ = true;
}

void GameMoves::open_variation() {
  separate();
  html_.begin("span", {{"class", "variation"}});
  html_.add_text("(");
  is_first_ = true;
  variations_.push_back(current_);
  current_ = before_[current_];
  is_numbered_ = true;
}

void GameMoves::close_variation() {
  html_.add_text(")");
  html_.end();
  is_first_ = false;
  current_ = variations_.back();
  variations_.pop_back();
  is_numbered_ = true;
}

}  // namespace scidfs::fs
