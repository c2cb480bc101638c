#include "codec/scid/record_encoder.h"

#include <algorithm>
#include <array>
#include <cassert>
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

constexpr int file_distance(Square from, Square to) { return file_of(to) - file_of(from); }
constexpr int rank_distance(Square from, Square to) { return rank_of(to) - rank_of(from); }
constexpr bool is_diagonal(Square from, Square to) {
  return file_distance(from, to) != 0 && rank_distance(from, to) != 0;
}

// Codes of king and knight count the steps from the lowest to the highest.
template <std::size_t kSize>
constexpr unsigned step_code(const std::array<int, kSize>& steps, int step) {
  return static_cast<unsigned>(std::ranges::lower_bound(steps, step) - steps.begin()) + 1;
}

constexpr unsigned rook_code(Square from, Square to) {
  constexpr unsigned kAlongFile = 8;
  return rank_distance(from, to) == 0 ? static_cast<unsigned>(file_of(to))
                                      : kAlongFile + static_cast<unsigned>(rank_of(to));
}

constexpr unsigned bishop_code(Square from, Square to) {
  constexpr unsigned kFalling = 8;
  const bool rises = file_distance(from, to) == rank_distance(from, to);
  return static_cast<unsigned>(file_of(to)) + (rises ? 0 : kFalling);
}

// Of both colors: a pawn steps in one direction.
constexpr unsigned pawn_code(Square from, Square to) {
  constexpr int kToTheRight = 7;  // by the lowest code
  constexpr int kDoubleStep = 16;
  const int step = to > from ? to - from : from - to;
  return step == kDoubleStep ? kDoublePush : static_cast<unsigned>(step - kToTheRight);
}

constexpr unsigned find_code(PieceType piece, Square from, Square to) {
  constexpr std::array<int, 8> kStepsOfKing = {-9, -8, -7, -1, 1, 7, 8, 9};
  constexpr std::array<int, 8> kStepsOfKnight = {-17, -15, -10, -6, 6, 10, 15, 17};
  switch (piece) {
    case PieceType::King:
      return step_code(kStepsOfKing, to - from);
    case PieceType::Queen:
      return is_diagonal(from, to) ? static_cast<unsigned>(file_of(from)) : rook_code(from, to);
    case PieceType::Rook:
      return rook_code(from, to);
    case PieceType::Bishop:
      return bishop_code(from, to);
    case PieceType::Knight:
      return step_code(kStepsOfKnight, to - from);
    default:
      return pawn_code(from, to);
  }
}

// The codes of a piece's moves that are neither castling nor promotions, by their squares, and
// kSecondByte where one follows. Squares between which it cannot move have any code.
constexpr unsigned kSecondByte = 0x10;
using SquareCodes = std::array<std::array<std::uint8_t, 64>, 64>;
template <PieceType kPiece>
constexpr SquareCodes kCodesOf = [] {
  SquareCodes codes{};
  for (Square from = 0; from < 64; ++from) {
    for (Square to = 0; to < 64; ++to) {
      const bool has_second = kPiece == PieceType::Queen && is_diagonal(from, to);
      codes[from][to] = static_cast<std::uint8_t>((find_code(kPiece, from, to) & 0xF) |
                                                  (has_second ? kSecondByte : 0));
    }
  }
  return codes;
}();

// The same by piece. Tables, since which piece moves next is hard to predict.
constexpr std::array<const SquareCodes*, kPieceTypes> kCodes = {
    &kCodesOf<PieceType::King>,   &kCodesOf<PieceType::Queen>,  &kCodesOf<PieceType::Rook>,
    &kCodesOf<PieceType::Bishop>, &kCodesOf<PieceType::Knight>, &kCodesOf<PieceType::Pawn>};

template <Color kUs>
unsigned move_code(const Move& move) {
  constexpr unsigned kCodesOfPiece = 3;
  if (move.kind == MoveKind::Castling) [[unlikely]] {
    return move.to == castling_target(kUs, true) ? kShortCastling : kLongCastling;
  }
  const unsigned code = (*kCodes[static_cast<std::size_t>(move.piece)])[move.from][move.to];
  if (move.promotion == PieceType::None) [[likely]]
    return code;
  return code +
         kCodesOfPiece * static_cast<unsigned>(std::ranges::find(kPromotions, move.promotion) -
                                               kPromotions.begin());
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
  assert(!name.empty() && name.size() <= kMaxTagName && value.size() <= kMaxTagValue);
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
  for (Buffer* const buffer : {&tags_, &fen_, &comments_}) buffer->clear();
  moves_end_ = 0;
  parents_.clear();
  if (parents_.capacity() > kKeptNesting) std::vector<Line>().swap(parents_);
  is_full_ = false;
}

bool RecordEncoder::tag(std::string_view name, std::string_view value) {
  if (name.empty() || name.size() > kMaxTagName || is_full_) return false;
  const std::string_view stored = cut_utf8(value.substr(0, value.find('\0')), kMaxTagValue);
  append_tag(name, stored, tags_);
  check_size(tags_.size());
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
[[gnu::always_inline]] inline void RecordEncoder::encode(const Move move) {
  line_.mover = kUs;
  if (move.kind == MoveKind::Null) [[unlikely]] {
    add_byte(0);  // the king, and no step
    return;
  }
  const std::size_t number = line_.lists.number_on(move.from);
  assert(line_.lists.piece(kUs, number) == NumberedPiece(move.piece, move.from));
  const unsigned code = move_code<kUs>(move);
  // Whether there is a second byte is hard to predict: what is written after the end means nothing.
  std::uint8_t* const end = moves_.data() + moves_end_;
  moves_end_ += 1 + (code / kSecondByte);
  end[0] = static_cast<std::uint8_t>(number << 4U | (code & ~kSecondByte));
  end[1] = static_cast<std::uint8_t>(kDiagonalBase + move.to);
  line_.captured_number = line_.lists.number_on(victim_of(move, kUs));
  line_.lists.make<kUs>(number, move);
}

[[gnu::noinline]] void RecordEncoder::clear_notes() { line_.notes.clear(); }

void RecordEncoder::open_gap(std::size_t at, std::size_t size) {
  const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = moves_.begin() + static_cast<std::ptrdiff_t>(moves_end_);
  std::copy_backward(begin, end, end + static_cast<std::ptrdiff_t>(size));
  moves_end_ += size;
}

void RecordEncoder::move(const Move& made, const Position& after) {
  // A copy: no byte that is written below can be one of its.
  const Move move = made;
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
  check_size(moves_end_);
}

bool RecordEncoder::nag(std::uint8_t value) {
  if (!line_.has_move || is_full_) return true;
  const std::size_t before = line_.notes.nags().size();
  if (!line_.notes.add_nag(value)) return false;
  const std::span<const std::uint8_t> nags = line_.notes.nags();
  const std::size_t mark = line_.has_comment ? 1 : 0;
  std::size_t begin = line_.nags_end - mark - 2 * before;
  if (nags.size() != before) {
    open_gap(begin, 2);
    line_.nags_end += 2;
    facts_.nag();
    check_size(moves_end_);
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
    open_gap(line_.nags_end, 1);
    moves_[line_.nags_end++] = kMarkComment;
    comments_.insert(place(comments_, line_.text_end), 0);
    line_.has_comment = true;
    facts_.comment();
  }
  text = text.substr(0, kMaxRecordSize);
  const auto added = comments_.insert(place(comments_, line_.text_end), text.begin(), text.end());
  line_.text_end += text.size();
  std::replace(added, place(comments_, line_.text_end), std::uint8_t{0}, std::uint8_t{' '});
  check_size(comments_.size());
  check_size(moves_end_);
}

void RecordEncoder::open_variation() {
  if (is_full_) return;
  assert(line_.has_move);
  parents_.push_back(line_);
  line_.lists.unmake(line_.mover, line_.last, line_.captured_number);
  line_.has_move = false;
  add_byte(kMarkBeginVariation);
  facts_.begin_variation();
  begin_node();
  check_size(moves_end_);
}

void RecordEncoder::close_variation() {
  if (is_full_) return;
  assert(!parents_.empty());
  add_byte(kMarkEndVariation);
  check_size(moves_end_);
  facts_.end_variation();
  line_ = parents_.back();
  parents_.pop_back();
}

Bytes RecordEncoder::end() {
  // A record that is too long has stopped following variations.
  assert(is_full_ || parents_.empty());
  constexpr std::size_t kFixed = 3;  // the ends of tags and moves, and the flags
  record_.clear();
  const std::size_t size = tags_.size() + fen_.size() + moves_end_ + comments_.size() + kFixed;
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
  record_.insert(record_.end(), moves_.begin(),
                 moves_.begin() + static_cast<std::ptrdiff_t>(moves_end_));
  record_.push_back(kMarkEndGame);
  append(comments_);
  return record_;
}

}  // namespace scidfs::codec::scid
