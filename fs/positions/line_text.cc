#include "fs/positions/line_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/movegen.h"
#include "codec/movetext.h"
#include "codec/text.h"
#include "codec/text_blocks.h"
#include "codec/text_buffer.h"
#include "fs/content/step_watch.h"
#include "fs/positions/line_tree.h"
#include "fs/positions/move_table.h"
#include "fs/scan/score.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Move;
using codec::MovetextWriter;
using codec::Position;

// Returns "1. d4 Nf6 2. c4".
class NumberedMoves {
 public:
  void add(const Position& before, std::string_view san) {
    if (!text_.empty()) text_ += ' ';
    if (before.side_to_move() == Color::White) {
      text_ += fmt::format("{}. ", before.move_number());
    } else if (text_.empty()) {
      text_ += fmt::format("{}... ", before.move_number());
    }
    text_ += san;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string tags_of(const Position& first) {
  std::string tags =
      "[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n"
      "[Result \"*\"]\n";
  if (!first.castles_as_in_chess()) tags += "[Variant \"Chess960\"]\n";
  if (const std::string fen = first.fen(); fen != Position().fen()) {
    tags += fmt::format("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen);
  }
  return tags + '\n';
}

std::string remark_on_bounds(const LineBounds& bounds, std::uint32_t games) {
  const std::string moves =
      games == 1 ? "any move" : fmt::format("moves of at least {} games", grouped(games));
  std::string text = moves;
  if (bounds.side.has_value()) {
    const std::string one = bounds.best == 0 ? "the move with most games"
                                             : fmt::format("the best score of at least {}",
                                                           counted(bounds.best, "game"));
    const bool is_white = bounds.side == Color::White;
    text = fmt::format("White: {}; Black: {}", is_white ? one : moves, is_white ? moves : one);
  }
  return fmt::format("{}; {} {}", text, bounds.plies, bounds.plies == 1 ? "ply" : "plies");
}

// The writer of one text.
class LineWriter {
 public:
  LineWriter(const LineTree& tree, const LineStart& start, const LineBounds& bounds,
             const WorkBudget& budget)
      : tree_(tree),
        start_(start),
        head_(remark_on_bounds(bounds, tree.games)),
        watch_(budget, kMovesOfLook) {}

  absl::StatusOr<std::string> text() {
    remarks_.reserve(tree_.moves.size());
    for (std::size_t move = 0; move < tree_.moves.size(); ++move) {
      if (watch_.is_cancelled()) return WorkBudget::cancelled();
      remarks_.push_back(remark(move));
    }
    codec::TextBuffer out;
    out.append(tags_of(start_.first));
    writer_.begin(out.room(max_length()), kColumns);
    writer_.comment(codec::as_bytes(head_));
    Position position = start_.first;
    for (const Move& move : start_.moves) {
      position.make(move);
      write(position, move);
    }
    write_from(0);
    if (is_over_) return WorkBudget::cancelled();
    out.commit(writer_.end(codec::Result::Unknown));
    return std::string(out.view());
  }

 private:
  static constexpr unsigned kColumns = 80;
  // Remarks may each have the moves of a long line.
  static constexpr std::size_t kMovesOfLook = 32;

  // Returns the most that the movetext may write.
  std::size_t max_length() const {
    // A move, its brackets, and its comment.
    constexpr std::size_t kMoveRoom = 4 * MovetextWriter::kPlyRoom + codec::kTextBlock;
    std::size_t length = (start_.moves.size() + 2) * kMoveRoom + 3 * head_.size();
    for (const std::string& text : remarks_) length += kMoveRoom + 3 * text.size();
    return length;
  }

  // Returns the moves that lead to a place from where the game begins.
  std::string way_to(std::uint32_t place) const {
    std::vector<const LineTree::Move*> line;
    while (place != 0) {
      line.push_back(&tree_.moves[tree_.places[place].before]);
      place = line.back()->from;
    }
    NumberedMoves moves;
    Position position = start_.first;
    for (const Move& move : start_.moves) {
      moves.add(position, san_without_marks(position, move));
      position.make(move);
    }
    std::ranges::reverse(line);
    for (const LineTree::Move* move : line) {
      moves.add(tree_.places[move->from].board, move->played.san);
    }
    return moves.text();
  }

  std::string remark(std::size_t number) const {
    const LineTree::Move& move = tree_.moves[number];
    std::string text = grouped(move.played.score.all());
    if (const std::string score = percent_of(move.played.score); !score.empty()) {
      text += fmt::format(": {}%", score);
    }
    const LineTree::Place& to = tree_.places[move.to];
    if (tree_.goes_on(number) || to.first_move == to.end_move) return text;
    const std::string way = way_to(move.to);
    return way.empty() ? text + "; goes on at the beginning" : text + "; goes on after " + way;
  }

  void write(const Position& after, const Move& move) {
    const bool check = after.in_check(after.side_to_move());
    if (after.side_to_move() == Color::Black) {
      writer_.move<Color::White>(after, move, check);
    } else {
      writer_.move<Color::Black>(after, move, check);
    }
    if (check && codec::is_checkmate(after)) MovetextWriter::mark_mate(writer_.check_mark());
  }
  void write(std::size_t number) {
    const LineTree::Move& move = tree_.moves[number];
    Position after = tree_.places[move.from].board;
    after.make(move.played.move);
    write(after, move.played.move);
    writer_.comment(codec::as_bytes(remarks_[number]));
  }
  // Writes the moves of a place, and what follows them, as long as the budget allows. Calls itself
  // for each variation, so at most as often as a line has plies.
  void write_from(std::uint32_t place) {
    while (tree_.places[place].first_move != tree_.places[place].end_move) {
      is_over_ = is_over_ || watch_.is_cancelled();
      if (is_over_) return;
      const LineTree::Place& here = tree_.places[place];
      write(here.first_move);
      for (std::size_t other = here.first_move + 1; other < here.end_move; ++other) {
        writer_.open_variation();
        write(other);
        if (tree_.goes_on(other)) write_from(tree_.moves[other].to);
        writer_.close_variation();
      }
      if (!tree_.goes_on(here.first_move)) return;
      place = tree_.moves[here.first_move].to;
    }
  }

  const LineTree& tree_;
  const LineStart& start_;
  const std::string head_;
  StepWatch watch_;
  bool is_over_ = false;
  std::vector<std::string> remarks_;  // by move
  MovetextWriter writer_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const LineText>> LineText::make(const GameSet& parts,
                                                               const LineStart& start,
                                                               const LineBounds& bounds,
                                                               const WorkBudget& budget,
                                                               KnownTable known) {
  Position board = start.first;
  for (const Move& move : start.moves) board.make(move);
  const absl::StatusOr<LineTree> tree =
      find_line_tree(parts, start.position, board, bounds, budget, known);
  if (absl::IsUnimplemented(tree.status())) {
    return std::shared_ptr<const LineText>(new LineText(tree.status()));
  }
  if (!tree.ok()) return tree.status();
  absl::StatusOr<std::string> text = LineWriter(*tree, start, bounds, budget).text();
  if (!text.ok()) return text.status();
  return std::shared_ptr<const LineText>(new LineText(std::move(text)));
}

absl::StatusOr<std::string> LineText::with_title(std::string_view title) const {
  if (!text_.ok()) return text_.status();
  return fmt::format("[Event \"{}\"]\n{}", codec::pgn_escape(codec::clean_line(title)), *text_);
}

}  // namespace scidfs::fs
