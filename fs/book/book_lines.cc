#include "fs/book/book_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/kvetka/key.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/book/book_moves.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;

constexpr std::size_t kSectionSize = std::size_t{64} << 10;
// The longest line; later moves begin lines of their own.
constexpr std::size_t kMaxDepth = 512;
// A line that branches off after more moves begins at its branch, with a FEN.
constexpr std::size_t kMaxPrefix = 60;
constexpr std::size_t kColumns = 80;

// A text of words with blanks or line ends between them.
class Wrapper {
 public:
  explicit Wrapper(std::string& out) : out_(out) {}

  // Adds a word, which stays on one line.
  void add(std::string_view word) {
    if (column_ != 0 && column_ + 1 + word.size() > kColumns) {
      out_ += '\n';
      column_ = 0;
    } else if (column_ != 0) {
      out_ += ' ';
      ++column_;
    }
    out_ += word;
    column_ += word.size();
  }
  // Adds words, with line breaks at blanks where needed.
  void add_words(std::string_view words) {
    for (std::size_t end = 0; !words.empty(); words.remove_prefix(end)) {
      end = std::min(words.find(' '), words.size());
      if (end != 0) add(words.substr(0, end));
      end = std::min(end + 1, words.size());
    }
  }

 private:
  std::string& out_;
  std::size_t column_ = 0;
};

std::string numbered(const Position& before, std::string_view san, bool always) {
  if (before.side_to_move() == Color::White)
    return fmt::format("{}. {}", before.move_number(), san);
  return always ? fmt::format("{}... {}", before.move_number(), san) : std::string(san);
}

}  // namespace

// A walk from line to line. The first walk, with `lines.parents_` still open, decides where each
// position is continued; later walks follow that.
class LineWalk {
 public:
  explicit LineWalk(const BookLines& lines) : lines_(lines) {}
  LineWalk(BookLines& lines, std::vector<std::uint32_t>& parents)
      : lines_(lines), open_parents_(&parents) {}

  // Moves to the very first line. Returns false if there is none.
  absl::StatusOr<bool> begin();
  // Moves to the line where a section starts.
  absl::Status resume(const BookLines::Start& start);
  // Moves to the next line. Returns false if there are no more.
  absl::StatusOr<bool> next();

  BookLines::Start here(std::uint64_t line) const;
  void append(std::uint64_t number, std::string& out) const;

 private:
  // A position of the line, and the move that the line plays.
  struct Frame {
    Position position;
    std::uint32_t number = 0;
    std::vector<BookMove> moves{};
    std::vector<bool> goes_on{};  // by move: whether this line or a later one continues it
    std::size_t taken = 0;        // moves.size(): none
  };

  std::uint32_t number_of(const BookMove& move) const {
    return lines_.first_[move.block] + static_cast<std::uint32_t>(move.index);
  }
  const std::vector<std::uint32_t>& parents() const {
    return open_parents_ != nullptr ? *open_parents_ : lines_.parents_;
  }
  std::size_t next_that_goes_on(const Frame& frame, std::size_t from) const {
    return static_cast<std::size_t>(
        std::find(frame.goes_on.begin() + static_cast<std::ptrdiff_t>(from), frame.goes_on.end(),
                  true) -
        frame.goes_on.begin());
  }
  absl::Status push(const Position& position, std::uint32_t number, std::string_view codes);
  absl::Status push_taken();
  // Follows the first moves that are continued, to the end of the line.
  absl::Status descend();
  absl::StatusOr<bool> push_root(std::uint32_t number);
  absl::StatusOr<bool> next_root(std::uint32_t from);
  absl::StatusOr<std::optional<std::uint32_t>> start_number() const;
  std::string remark(const Frame& frame, std::size_t move) const;
  void append_moves(const Frame& frame, bool is_new, bool& number_wanted, Wrapper& out) const;

  const BookLines& lines_;
  std::vector<std::uint32_t>* const open_parents_ = nullptr;
  std::vector<Frame> frames_;
  std::uint32_t root_ = 0;
  std::optional<std::uint32_t> start_;  // number of the start position
  std::size_t branch_ = 0;              // the frame where the line leaves the previous one
  bool is_new_tree_ = true;
};

absl::Status LineWalk::push(const Position& position, std::uint32_t number,
                            std::string_view codes) {
  ASSIGN_OR_RETURN(std::vector<BookMove> moves,
                   book_moves(*lines_.book_, position, codes, /*all=*/false));
  Frame frame{.position = position, .number = number, .moves = std::move(moves)};
  frame.goes_on.resize(frame.moves.size());
  for (std::size_t i = 0; i < frame.moves.size(); ++i) {
    const BookMove& move = frame.moves[i];
    if (!move.is_found) continue;
    const std::uint32_t child = number_of(move);
    if (open_parents_ != nullptr && (*open_parents_)[child] == BookLines::kNoParent &&
        frames_.size() < kMaxDepth) {
      (*open_parents_)[child] = number;
    }
    // Two moves may lead to one position, or to a position and its mirror image.
    const bool is_first = std::none_of(
        frame.moves.begin(), frame.moves.begin() + static_cast<std::ptrdiff_t>(i),
        [&](const BookMove& other) { return other.is_found && number_of(other) == child; });
    frame.goes_on[i] = is_first && child != number && parents()[child] == number;
  }
  frame.taken = next_that_goes_on(frame, 0);
  frames_.push_back(std::move(frame));
  return absl::OkStatus();
}

absl::Status LineWalk::push_taken() {
  const Frame& frame = frames_.back();
  const BookMove& move = frame.moves[frame.taken];
  Position after = frame.position;
  after.make(move.move);
  const std::string codes = move.codes;
  return push(after, number_of(move), codes);
}

absl::Status LineWalk::descend() {
  while (frames_.back().taken < frames_.back().moves.size()) {
    RETURN_IF_ERROR(push_taken());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::uint32_t>> LineWalk::start_number() const {
  BookPosition found;
  ASSIGN_OR_RETURN(const bool is_there,
                   lines_.book_->find(*codec::kvetka::key_of(Position()), found));
  if (!is_there) return std::nullopt;
  return lines_.first_[found.block_number] + static_cast<std::uint32_t>(found.index);
}

absl::StatusOr<bool> LineWalk::push_root(std::uint32_t number) {
  const auto block = std::ranges::upper_bound(lines_.first_, number) - lines_.first_.begin() - 1;
  BookPosition found;
  ASSIGN_OR_RETURN(const bool is_there,
                   lines_.book_->read_position(static_cast<std::uint64_t>(block),
                                               number - lines_.first_[block], found));
  if (!is_there) return absl::DataLossError("the book changed since it was opened");
  if (open_parents_ != nullptr) (*open_parents_)[number] = number;
  const std::optional<Position> position = codec::kvetka::position_of(found.element.key);
  if (!position.has_value()) return false;
  frames_.clear();
  root_ = number;
  branch_ = 0;
  is_new_tree_ = true;
  RETURN_IF_ERROR(
      push(number == start_ ? Position() : *position, number, codec::as_text(found.element.moves)));
  return true;
}

absl::StatusOr<bool> LineWalk::next_root(std::uint32_t from) {
  const std::vector<std::uint32_t>& parents = this->parents();
  for (std::uint32_t number = from; number < parents.size(); ++number) {
    const bool is_root = open_parents_ != nullptr ? parents[number] == BookLines::kNoParent
                                                  : parents[number] == number;
    if (!is_root || number == start_) continue;
    absl::StatusOr<bool> pushed = push_root(number);
    if (!pushed.ok() || *pushed) return pushed;
  }
  return false;
}

absl::StatusOr<bool> LineWalk::begin() {
  ASSIGN_OR_RETURN(const std::optional<std::uint32_t> start, start_number());
  start_ = start;
  absl::StatusOr<bool> pushed = start_.has_value() ? push_root(*start_) : next_root(0);
  if (!pushed.ok() || !*pushed) return pushed;
  RETURN_IF_ERROR(descend());
  return true;
}

absl::Status LineWalk::resume(const BookLines::Start& start) {
  ASSIGN_OR_RETURN(const std::optional<std::uint32_t> number, start_number());
  start_ = number;
  RETURN_IF_ERROR(push_root(start.root).status());
  for (const std::uint8_t taken : start.path) {
    if (taken >= frames_.back().moves.size()) {
      return absl::DataLossError("the book changed since it was opened");
    }
    branch_ = frames_.size() - 1;
    is_new_tree_ = false;
    frames_.back().taken = taken;
    RETURN_IF_ERROR(push_taken());
  }
  return descend();
}

absl::StatusOr<bool> LineWalk::next() {
  for (; !frames_.empty(); frames_.pop_back()) {
    Frame& frame = frames_.back();
    if (frame.taken >= frame.moves.size()) continue;
    frame.taken = next_that_goes_on(frame, frame.taken + 1);
    if (frame.taken < frame.moves.size()) break;
  }
  if (!frames_.empty()) {
    branch_ = frames_.size() - 1;
    is_new_tree_ = false;
  } else {
    absl::StatusOr<bool> found = next_root(root_ == start_ ? 0 : root_ + 1);
    if (!found.ok() || !*found) return found;
  }
  RETURN_IF_ERROR(descend());
  return true;
}

BookLines::Start LineWalk::here(std::uint64_t line) const {
  BookLines::Start start{.line = line, .root = root_};
  for (std::size_t i = 0; !is_new_tree_ && i <= branch_; ++i) {
    start.path.push_back(static_cast<std::uint8_t>(frames_[i].taken));
  }
  return start;
}

std::string LineWalk::remark(const Frame& frame, std::size_t i) const {
  const BookMove& move = frame.moves[i];
  if (!move.is_found) return "{not in the book}";
  std::string text = fmt::format("{{{} game{} +{} ={} -{} {}%", move.score.games(),
                                 move.score.games() == 1 ? "" : "s", move.score.wins,
                                 move.score.draws, move.score.losses, score_text(move.score));
  if (!move.comment.empty()) text += "; " + comment_text(move.comment);
  if (!frame.goes_on[i]) text += "; transposes";
  std::replace(text.begin() + 1, text.end(), '}', ')');
  std::replace(text.begin() + 1, text.end(), '{', '(');
  return text + "}";
}

// Appends the move that the line plays, or the first move at the end of the line; the others as
// variations.
void LineWalk::append_moves(const Frame& frame, bool is_new, bool& number_wanted,
                            Wrapper& out) const {
  const std::size_t main = frame.taken < frame.moves.size() ? frame.taken : 0;
  out.add(numbered(frame.position, frame.moves[main].san, number_wanted));
  out.add_words(remark(frame, main));
  number_wanted = true;
  for (std::size_t i = 0; is_new && i < frame.moves.size(); ++i) {
    if (i == main) continue;
    out.add("(" + numbered(frame.position, frame.moves[i].san, true));
    out.add_words(remark(frame, i) + ")");
  }
}

void LineWalk::append(std::uint64_t number, std::string& out) const {
  const std::size_t begin = branch_ > kMaxPrefix ? branch_ : 0;
  const Position& start = frames_[begin].position;
  out += fmt::format(
      "[Event \"{}\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"{}\"]\n"
      "[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n",
      codec::pgn_escape(lines_.title_), number);
  if (begin != 0 || root_ != start_) {
    out += fmt::format("[SetUp \"1\"]\n[FEN \"{}\"]\n", start.fen());
  }
  out += '\n';
  Wrapper text(out);
  bool number_wanted = true;
  for (std::size_t i = begin; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    if (frame.moves.empty()) break;
    if (i < branch_) {
      text.add(numbered(frame.position, frame.moves[frame.taken].san, number_wanted));
      number_wanted = false;
    } else {
      append_moves(frame, is_new_tree_ || i > branch_, number_wanted, text);
    }
  }
  text.add("*");
  out += "\n\n";
}

absl::StatusOr<std::shared_ptr<const BookLines>> BookLines::make(std::shared_ptr<const Book> book,
                                                                 std::string title,
                                                                 const BookSurvey& survey,
                                                                 const WorkBudget& budget) {
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  std::shared_ptr<BookLines> lines(new BookLines());
  lines->book_ = std::move(book);
  lines->title_ = title.empty() ? "?" : std::move(title);
  lines->first_ = survey.first;
  lines->parents_.assign(survey.positions(), kNoParent);
  auto ends = std::make_shared<std::vector<std::uint64_t>>();
  LineWalk walk(*lines, lines->parents_);
  std::string text;
  std::uint64_t size = 0;
  absl::StatusOr<bool> more = walk.begin();
  for (; more.ok() && *more; more = walk.next()) {
    if (budget.is_cancelled()) return budget.cancelled();
    ++lines->lines_;
    if (text.empty()) lines->starts_.push_back(walk.here(lines->lines_));
    walk.append(lines->lines_, text);
    if (text.size() < kSectionSize) continue;
    ends->push_back(size += text.size());
    text.clear();
  }
  if (!more.ok()) return more.status();
  if (!text.empty()) ends->push_back(size + text.size());
  lines->ends_ = std::move(ends);
  return std::shared_ptr<const BookLines>(std::move(lines));
}

absl::Status BookLines::append(std::size_t section, std::string& out) const {
  LineWalk walk(*this);
  RETURN_IF_ERROR(walk.resume(starts_[section]));
  const std::uint64_t end = section + 1 < starts_.size() ? starts_[section + 1].line : lines_ + 1;
  for (std::uint64_t line = starts_[section].line; line < end; ++line) {
    walk.append(line, out);
    if (line + 1 == end) break;
    ASSIGN_OR_RETURN(const bool more, walk.next());
    if (!more) return absl::DataLossError("the book changed since it was opened");
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
