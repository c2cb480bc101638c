#include "codec/scid/facts.h"

#include <algorithm>
#include <bit>

#include "codec/scid/lines.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::size_t kMaxHomePawns = 16;
constexpr int kMaxCountedPieces = 3;
// No stored line is longer.
constexpr std::size_t kMaxLinePlies = 32;

// A collector of facts from a walk. All but the counts of notes are about the main line only.
class FactsVisitor {
 public:
  FactsVisitor(GameFacts& facts, const RecordHead& head, CommentTexts texts)
      : facts_(facts), standard_start_(!head.fen.has_value()), texts_(texts) {}

  void start(const Position& position) { home_pawns_ = home_pawns_of(position); }

  template <Color>
  void move(const Position& after, const Move& move) {
    if (depth_ != 0) return;
    ++facts_.plies;
    facts_.promotion |= move.promotion != PieceType::None;
    facts_.underpromotion |=
        move.promotion != PieceType::None && move.promotion != PieceType::Queen;
    if (line_.size() < kMaxLinePlies) line_.push_back(move);
    if (!standard_start_) return;
    const Bitboard left = home_pawns_ & ~home_pawns_of(after);
    home_pawns_ &= ~left;
    if (left != 0 && facts_.home_pawn_count < kMaxHomePawns) add_home_pawn(first_square(left));
  }

  std::string_view nag(std::uint8_t value) {
    if (value != 0) ++facts_.nags;
    return {};
  }

  std::string_view comment() {
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return "a comment's text is missing";
    if (!text->empty()) ++facts_.comments;
    return {};
  }

  void begin_variation(const Position&) {
    ++depth_;
    ++facts_.variations;
  }
  void end_variation(const Position&) { --depth_; }

  void end(const Position& end_of_line) {
    facts_.material = material_of(end_of_line);
    if (standard_start_) facts_.stored_line = static_cast<std::uint8_t>(find_stored_line(line_));
  }

 private:
  void add_home_pawn(Square square) {
    const std::size_t at = facts_.home_pawn_count++;
    const unsigned shift = at % 2 == 0 ? 4 : 0;
    facts_.home_pawns[at / 2] |= static_cast<std::uint8_t>(home_pawn_item(square) << shift);
  }

  GameFacts& facts_;
  const bool standard_start_;
  CommentTexts texts_;
  Bitboard home_pawns_ = 0;  // pawns that have neither moved nor been taken
  std::size_t depth_ = 0;
  std::vector<Move> line_;
};

}  // namespace

Bitboard home_pawns_of(const Position& position) {
  return home_pawns_of(position.pieces(Color::White, PieceType::Pawn),
                       position.pieces(Color::Black, PieceType::Pawn));
}

Bitboard home_pawns_of(Bitboard white, Bitboard black) {
  return (white & rank_mask(1)) | (black & rank_mask(6));
}

std::uint32_t material_of(const Position& position) {
  std::uint32_t material = 0;
  for (const Color color : {Color::White, Color::Black}) {
    const auto count = [&](PieceType type) {
      return static_cast<std::uint32_t>(std::popcount(position.pieces(color, type)));
    };
    for (const PieceType type :
         {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
      material = material << 2 | std::min<std::uint32_t>(count(type), kMaxCountedPieces);
    }
    material = material << 4 | std::min<std::uint32_t>(count(PieceType::Pawn), 15);
  }
  return material;
}

GameFacts facts_of(Walker& walker, Bytes record, const RecordHead& head) {
  GameFacts facts;
  facts.own_start = head.fen.has_value();
  FactsVisitor visitor(facts, head, CommentTexts(record, head.moves_offset));
  facts.damage = walker.walk(record, head, visitor);
  return facts;
}

NoteCounts count_notes(Bytes record, const RecordHead& head) {
  NoteCounts counts;
  CommentTexts texts(record, head.moves_offset);
  // The second byte of a queen's move is never a mark.
  for (std::size_t i = head.moves_offset; i < record.size(); ++i) {
    const std::uint8_t byte = record[i];
    if (!is_mark(byte)) continue;
    if (byte == kMarkEndGame) break;
    if (byte == kMarkBeginVariation) ++counts.variations;
    if (byte == kMarkNag && ++i < record.size() && record[i] != 0) ++counts.nags;
    if (byte != kMarkComment) continue;
    const std::optional<Bytes> text = texts.next();
    if (text.has_value() && !text->empty()) ++counts.comments;
  }
  return counts;
}

std::uint32_t disagreements(const IndexEntry& entry, const GameFacts& facts) {
  constexpr std::uint32_t kPlyLimit = 1024;  // of which the index keeps ten bits
  std::uint32_t fields = 0;
  const auto compare = [&fields](IndexField field, const auto& stored, const auto& computed) {
    if (stored != computed) fields |= 1U << static_cast<unsigned>(field);
  };
  compare(IndexField::Plies, std::uint32_t{entry.plies}, facts.plies % kPlyLimit);
  compare(IndexField::Material, entry.material, facts.material);
  compare(IndexField::HomePawns, entry.home_pawn_count, facts.home_pawn_count);
  compare(IndexField::HomePawns, entry.home_pawns, facts.home_pawns);
  compare(IndexField::StoredLine, entry.stored_line, facts.stored_line);
  compare(IndexField::Start, entry.has(kFlagStart), facts.own_start);
  compare(IndexField::Promotion, entry.has(kFlagPromotion), facts.promotion);
  compare(IndexField::Underpromotion, entry.has(kFlagUnderpromotion), facts.underpromotion);
  compare(IndexField::Variations, entry.variation_code, count_code(facts.variations));
  compare(IndexField::Comments, entry.comment_code, count_code(facts.comments));
  compare(IndexField::Nags, entry.nag_code, count_code(facts.nags));
  return fields;
}

}  // namespace scidfs::codec::scid
