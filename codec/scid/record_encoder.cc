#include "codec/scid/record_encoder.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::uint8_t kHasFen = 1;
constexpr std::uint8_t kHasPromotion = 2;
constexpr std::uint8_t kHasUnderpromotion = 4;

constexpr int file_distance(const Move& move) { return file_of(move.to) - file_of(move.from); }
constexpr int rank_distance(const Move& move) { return rank_of(move.to) - rank_of(move.from); }

// Codes of king and knight count the steps from the lowest to the highest.
template <std::size_t kSize>
unsigned step_code(const std::array<int, kSize>& steps, int step) {
  return static_cast<unsigned>(std::ranges::lower_bound(steps, step) - steps.begin()) + 1;
}

unsigned rook_code(const Move& move) {
  constexpr unsigned kAlongFile = 8;
  return rank_distance(move) == 0 ? static_cast<unsigned>(file_of(move.to))
                                  : kAlongFile + static_cast<unsigned>(rank_of(move.to));
}

unsigned bishop_code(const Move& move) {
  constexpr unsigned kFalling = 8;
  const bool rises = file_distance(move) == rank_distance(move);
  return static_cast<unsigned>(file_of(move.to)) + (rises ? 0 : kFalling);
}

template <Color kUs>
unsigned pawn_code(const Move& move) {
  constexpr int kToTheRight = 7;  // by the lowest code
  constexpr unsigned kCodesOfPiece = 3;
  if (move.kind == MoveKind::DoublePush) return kDoublePush;
  const int step = kUs == Color::White ? move.to - move.from : move.from - move.to;
  unsigned code = static_cast<unsigned>(step - kToTheRight);
  if (move.promotion != PieceType::None) {
    code += kCodesOfPiece * static_cast<unsigned>(std::ranges::find(kPromotions, move.promotion) -
                                                  kPromotions.begin());
  }
  return code;
}

bool is_diagonal(const Move& move) { return file_distance(move) != 0 && rank_distance(move) != 0; }

template <Color kUs>
unsigned move_code(const Move& move) {
  constexpr std::array<int, 8> kStepsOfKing = {-9, -8, -7, -1, 1, 7, 8, 9};
  constexpr std::array<int, 8> kStepsOfKnight = {-17, -15, -10, -6, 6, 10, 15, 17};
  switch (move.piece) {
    case PieceType::King:
      if (move.kind == MoveKind::Castling) {
        return move.to == castling_target(kUs, true) ? kShortCastling : kLongCastling;
      }
      return step_code(kStepsOfKing, move.to - move.from);
    case PieceType::Queen:
      return is_diagonal(move) ? static_cast<unsigned>(file_of(move.from)) : rook_code(move);
    case PieceType::Rook:
      return rook_code(move);
    case PieceType::Bishop:
      return bishop_code(move);
    case PieceType::Knight:
      return step_code(kStepsOfKnight, move.to - move.from);
    default:
      return pawn_code<kUs>(move);
  }
}

void append_text(std::string_view text, std::vector<std::uint8_t>& out) {
  out.insert(out.end(), text.begin(), text.end());
}

void append_number(std::uint32_t number, std::vector<std::uint8_t>& out) {
  std::array<char, 12> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  out.push_back(' ');
  out.insert(out.end(), digits.data(), end);
}

void append_fen(const Position& position, std::vector<std::uint8_t>& out) {
  std::array<char, Position::kMaxEpdFields> fields;
  out.insert(out.end(), fields.data(), position.write_epd_fields(fields.data()));
  append_number(position.halfmove_clock(), out);
  append_number(position.move_number(), out);
  out.push_back(0);
}

}  // namespace

void append_tag(std::string_view name, std::string_view value, std::vector<std::uint8_t>& out) {
  if (const std::optional<std::uint8_t> code = code_of_tag(name)) {
    out.push_back(*code);
  } else {
    out.push_back(static_cast<std::uint8_t>(name.size()));
    append_text(name, out);
  }
  out.push_back(static_cast<std::uint8_t>(value.size()));
  append_text(value, out);
}

void RecordEncoder::begin() {
  // A game can nest as deep as it is long: that much room is not kept.
  constexpr std::size_t kKeptNesting = 256;
  for (Buffer* const buffer : {&tags_, &fen_, &moves_, &comments_}) buffer->clear();
  parents_.clear();
  if (parents_.capacity() > kKeptNesting) std::vector<Line>().swap(parents_);
  is_full_ = false;
}

bool RecordEncoder::tag(std::string_view name, std::string_view value) {
  if (name.empty() || name.size() > kMaxTagName || is_full_) return false;
  const std::string_view stored = cut_utf8(value.substr(0, value.find('\0')), kMaxTagValue);
  append_tag(name, stored, tags_);
  check_size(tags_);
  return stored.size() == value.size();
}

void RecordEncoder::start(const Position& position, bool is_standard) {
  static const PieceLists kStandard = PieceLists::standard();
  facts_.start(position, is_standard);
  line_.lists = is_standard ? kStandard : PieceLists::from_position(position);
  line_.has_move = false;
  if (!is_standard) append_fen(position, fen_);
  begin_node();
}

template <Color kUs>
[[gnu::always_inline]] inline void RecordEncoder::encode(const Move& move) {
  line_.mover = kUs;
  if (move.kind == MoveKind::Null) [[unlikely]] {
    moves_.push_back(0);  // the king, and no step
    return;
  }
  const std::size_t number = line_.lists.number_on(move.from);
  moves_.push_back(static_cast<std::uint8_t>(number << 4U | move_code<kUs>(move)));
  if (move.piece == PieceType::Queen && is_diagonal(move)) {
    moves_.push_back(static_cast<std::uint8_t>(kDiagonalBase + move.to));
  }
  line_.captured_number = line_.lists.number_on(victim_of(move, kUs));
  line_.lists.make<kUs>(number, move);
}

void RecordEncoder::move(const Move& move, const Position& after) {
  if (is_full_) [[unlikely]]
    return;
  line_.last = move;
  line_.has_move = true;
  if (after.side_to_move() == Color::Black) {
    encode<Color::White>(move);
  } else {
    encode<Color::Black>(move);
  }
  facts_.move(after, move);
  begin_node();
  check_size(moves_);
}

bool RecordEncoder::nag(std::uint8_t value) {
  if (!line_.has_move || is_full_) return true;
  const std::size_t before = line_.notes.nags().size();
  if (!line_.notes.add_nag(value)) return false;
  const std::span<const std::uint8_t> nags = line_.notes.nags();
  const std::size_t mark = line_.has_comment ? 1 : 0;
  std::size_t begin = line_.nags_end - mark - 2 * before;
  if (nags.size() != before) {
    moves_.insert(moves_.begin() + static_cast<std::ptrdiff_t>(begin), 2, 0);
    line_.nags_end += 2;
    facts_.nag();
    check_size(moves_);
  }
  for (const std::uint8_t nag : nags) {
    moves_[begin++] = kMarkNag;
    moves_[begin++] = nag;
  }
  return true;
}

void RecordEncoder::comment(std::string_view text) {
  if (text.empty() || is_full_) return;
  const auto place = [](Buffer& buffer, std::size_t at) {
    return buffer.begin() + static_cast<std::ptrdiff_t>(at);
  };
  if (line_.has_comment) {
    comments_.insert(place(comments_, line_.text_end++), ' ');
  } else {
    moves_.insert(place(moves_, line_.nags_end++), kMarkComment);
    comments_.insert(place(comments_, line_.text_end), 0);
    line_.has_comment = true;
    facts_.comment();
  }
  text = text.substr(0, kMaxRecordSize);
  const auto added = comments_.insert(place(comments_, line_.text_end), text.begin(), text.end());
  line_.text_end += text.size();
  std::replace(added, place(comments_, line_.text_end), std::uint8_t{0}, std::uint8_t{' '});
  check_size(comments_);
}

void RecordEncoder::open_variation() {
  if (is_full_) return;
  parents_.push_back(line_);
  line_.lists.unmake(line_.mover, line_.last, line_.captured_number);
  line_.has_move = false;
  moves_.push_back(kMarkBeginVariation);
  facts_.begin_variation();
  begin_node();
  check_size(moves_);
}

void RecordEncoder::close_variation() {
  if (is_full_) return;
  moves_.push_back(kMarkEndVariation);
  facts_.end_variation();
  line_ = parents_.back();
  parents_.pop_back();
}

Bytes RecordEncoder::end() {
  constexpr std::size_t kFixed = 3;  // the ends of tags and moves, and the flags
  record_.clear();
  const std::size_t size = tags_.size() + fen_.size() + moves_.size() + comments_.size() + kFixed;
  if (is_full_ || size > kMaxRecordSize) return {};
  record_.reserve(size);
  const auto append = [this](const Buffer& part) {
    record_.insert(record_.end(), part.begin(), part.end());
  };
  append(tags_);
  record_.push_back(0);
  record_.push_back(static_cast<std::uint8_t>(
      (fen_.empty() ? 0 : kHasFen) | (facts_.has_promotion() ? kHasPromotion : 0) |
      (facts_.has_underpromotion() ? kHasUnderpromotion : 0)));
  append(fen_);
  append(moves_);
  record_.push_back(kMarkEndGame);
  append(comments_);
  return record_;
}

}  // namespace scidfs::codec::scid
