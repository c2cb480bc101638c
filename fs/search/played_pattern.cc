#include "fs/search/played_pattern.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "codec/bitboard.h"
#include "codec/text.h"

namespace scidfs::fs {
namespace {

using codec::MoveStep;
using codec::PieceType;

constexpr std::string_view kAnyMoves = "..";
constexpr std::string_view kNullMove = "--";
constexpr std::string_view kSanLetters = "KQRBN";  // in the order of PieceType
constexpr std::uint8_t kAllPieces = (1U << codec::kPieceTypes) - 1;

constexpr std::uint8_t set_of(PieceType type) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type));
}

// One move of a sequence, and its text.
struct Step {
  MoveStep step;
  std::string text;
};

std::optional<Step> parse_castling(std::string_view text) {
  constexpr std::array<std::array<std::string_view, 2>, 2> kSpellings = {
      {{"O-O", "0-0"}, {"O-O-O", "0-0-0"}}};
  constexpr std::array<int, 2> kKingFiles = {6, 2};
  for (std::size_t i = 0; i < kSpellings.size(); ++i) {
    if (text != kSpellings[i][0] && text != kSpellings[i][1]) continue;
    return Step{.step = {.kind = MoveStep::Kind::Castling,
                         .pieces = set_of(PieceType::King),
                         .to = codec::file_mask(kKingFiles[i])},
                .text = std::string(kSpellings[i][0])};
  }
  return std::nullopt;
}

bool is_file(char c) { return c >= 'a' && c <= 'h'; }
bool is_rank(char c) { return c >= '1' && c <= '8'; }

// A reader of the parts of a move, from its end. Each function takes a part, if it is there.
class MoveText {
 public:
  explicit MoveText(std::string_view text) : text_(text) {}

  bool is_empty() const { return text_.empty(); }

  // Takes "=Q" or, after a rank, "Q".
  PieceType take_promotion() {
    constexpr std::size_t kLeast = 2;
    if (text_.size() <= kLeast) return PieceType::None;
    const std::size_t piece = kSanLetters.find(text_.back());
    if (piece == std::string_view::npos || piece == 0) return PieceType::None;
    text_.remove_suffix(1);
    take('=');
    return static_cast<PieceType>(piece);
  }
  std::optional<codec::Square> take_square() {
    constexpr std::size_t kSize = 2;
    if (text_.size() < kSize) return std::nullopt;
    const char file = text_[text_.size() - kSize];
    const char rank = text_.back();
    if (!is_file(file) || !is_rank(rank)) return std::nullopt;
    text_.remove_suffix(kSize);
    return codec::make_square(file - 'a', rank - '1');
  }
  bool take(char c) {
    if (text_.empty() || text_.back() != c) return false;
    text_.remove_suffix(1);
    return true;
  }
  // Takes "1", "a" or "a1", as the squares of a move's departure.
  codec::Bitboard take_departure(std::string& text) {
    codec::Bitboard from = ~codec::Bitboard{0};
    if (!text_.empty() && is_rank(text_.back())) {
      from &= codec::rank_mask(text_.back() - '1');
      text.insert(0, 1, text_.back());
      text_.remove_suffix(1);
    }
    if (!text_.empty() && is_file(text_.back())) {
      from &= codec::file_mask(text_.back() - 'a');
      text.insert(0, 1, text_.back());
      text_.remove_suffix(1);
    }
    return from;
  }
  // Takes the letter of a piece; nothing for a pawn.
  PieceType take_piece() {
    const std::size_t piece = text_.empty() ? kSanLetters.npos : kSanLetters.find(text_.back());
    if (piece == kSanLetters.npos) return PieceType::Pawn;
    text_.remove_suffix(1);
    return static_cast<PieceType>(piece);
  }

 private:
  std::string_view text_;
};

std::optional<Step> parse_plain(std::string_view name) {
  MoveText rest(name);
  MoveStep step{.promotion = rest.take_promotion()};
  const std::optional<codec::Square> to = rest.take_square();
  if (!to.has_value()) return std::nullopt;
  step.to = codec::bit(*to);
  step.takes = rest.take('x');
  const std::string square = {static_cast<char>('a' + codec::file_of(*to)),
                              static_cast<char>('1' + codec::rank_of(*to))};
  if (*step.takes && rest.is_empty() && step.promotion == PieceType::None) {
    step.pieces = kAllPieces;
    return Step{.step = step, .text = "x" + square};
  }
  std::string departure;
  step.from = rest.take_departure(departure);
  const PieceType piece = rest.take_piece();
  step.pieces = set_of(piece);
  const bool is_pawn = piece == PieceType::Pawn;
  if (!rest.is_empty() || (!is_pawn && step.promotion != PieceType::None)) return std::nullopt;
  const auto letter = [](PieceType type) { return kSanLetters[static_cast<std::size_t>(type)]; };
  std::string text = is_pawn ? departure : letter(piece) + departure;
  if (*step.takes) text += 'x';
  text += square;
  if (step.promotion != PieceType::None) text += fmt::format("={}", letter(step.promotion));
  return Step{.step = step, .text = std::move(text)};
}

std::optional<Step> parse_step(std::string_view name) {
  if (name == kNullMove) {
    return Step{.step = {.kind = MoveStep::Kind::Null, .pieces = set_of(PieceType::None)},
                .text = std::string(kNullMove)};
  }
  name = name.substr(0, name.find_last_not_of("+#") + 1);
  if (std::optional<Step> castling = parse_castling(name)) return castling;
  return parse_plain(name);
}

absl::Status misplaced() {
  return absl::InvalidArgumentError(fmt::format("`{}` stands between two moves", kAnyMoves));
}

}  // namespace

absl::StatusOr<PlayedPattern> PlayedPattern::parse(std::string_view text) {
  PlayedPattern pattern;
  bool is_after_move = false;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    is_last = comma == std::string_view::npos;
    if (!is_last) text.remove_prefix(comma + 1);
    if (!pattern.text_.empty()) pattern.text_ += ',';
    if (name == kAnyMoves) {
      if (!is_after_move || is_last) return misplaced();
      is_after_move = false;
      pattern.moves_.back().is_followed_by_any = true;
      pattern.text_ += kAnyMoves;
      continue;
    }
    std::optional<Step> step = parse_step(name);
    if (!step.has_value()) {
      return absl::InvalidArgumentError(fmt::format("`{}` is no move", codec::clean_line(name)));
    }
    if (pattern.moves_.size() == codec::kMostSteps) {
      return absl::InvalidArgumentError(fmt::format("more than {} moves", codec::kMostSteps));
    }
    is_after_move = true;
    pattern.text_ += step->text;
    pattern.moves_.push_back(step->step);
  }
  return pattern;
}

}  // namespace scidfs::fs
