#include "codec/scid/facts.h"

#include <algorithm>
#include <bit>
#include <span>

#include "codec/scid/lines.h"

namespace scidfs::codec::scid {
namespace {

// Returns the final-material field. `count` returns the number of pieces of a color and type.
template <typename Count>
std::uint32_t pack_material(const Count& count) {
  constexpr std::uint32_t kMostPieces = 3;
  constexpr std::uint32_t kMostPawns = 15;
  std::uint32_t material = 0;
  for (const Color color : {Color::White, Color::Black}) {
    for (const PieceType type :
         {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
      material = material << 2 | std::min<std::uint32_t>(count(color, type), kMostPieces);
    }
    material = material << 4 | std::min<std::uint32_t>(count(color, PieceType::Pawn), kMostPawns);
  }
  return material;
}

std::uint8_t count_of(const Position& position, Color color, PieceType type) {
  return static_cast<std::uint8_t>(std::popcount(position.pieces(color, type)));
}

// A visitor of a walk that collects the facts.
class FactsVisitor {
 public:
  FactsVisitor(FactsCollector& facts, bool is_standard, CommentTexts texts)
      : facts_(facts), is_standard_(is_standard), texts_(texts) {}

  void start(const Position& position) { facts_.start(position, is_standard_); }

  template <Color>
  void move(const Position& after, const Move& move) {
    facts_.move(after, move);
  }

  std::string_view nag(std::uint8_t value) {
    if (value != 0) facts_.nag();
    return {};
  }

  std::string_view comment() {
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return "a comment's text is missing";
    if (!text->empty()) facts_.comment();
    return {};
  }

  void begin_variation(const Position&) { facts_.begin_variation(); }
  void end_variation(const Position&) { facts_.end_variation(); }
  void end(const Position&) {}

 private:
  FactsCollector& facts_;
  const bool is_standard_;
  CommentTexts texts_;
};

}  // namespace

void FactsCollector::start(const Position& position, bool is_standard) {
  facts_ = {.own_start = !is_standard};
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t type = 0; type < kPieceTypes; ++type) {
      counts_[static_cast<std::size_t>(color)][type] =
          count_of(position, color, static_cast<PieceType>(type));
    }
  }
  is_standard_ = is_standard;
  home_pawns_ = is_standard ? home_pawns_of(position) : 0;
  left_count_ = 0;
  depth_ = 0;
}

GameFacts FactsCollector::facts() const {
  GameFacts facts = facts_;
  facts.material = pack_material([this](Color color, PieceType type) {
    return counts_[static_cast<std::size_t>(color)][static_cast<std::size_t>(type)];
  });
  facts.home_pawn_count = static_cast<std::uint8_t>(left_count_);
  for (std::size_t i = 0; i < left_count_; ++i) {
    const unsigned shift = i % 2 == 0 ? 4 : 0;
    facts.home_pawns[i / 2] |= static_cast<std::uint8_t>(home_pawn_item(left_homes_[i]) << shift);
  }
  if (is_standard_) {
    const std::size_t plies = std::min<std::size_t>(facts.plies, kMaxLinePlies);
    facts.stored_line = static_cast<std::uint8_t>(find_stored_line(std::span(line_).first(plies)));
  }
  return facts;
}

Bitboard home_pawns_of(const Position& position) {
  return home_pawns_of(position.pieces(Color::White, PieceType::Pawn),
                       position.pieces(Color::Black, PieceType::Pawn));
}

Bitboard home_pawns_of(Bitboard white, Bitboard black) {
  return (white & rank_mask(1)) | (black & rank_mask(6));
}

std::uint32_t material_of(const Position& position) {
  return pack_material(
      [&position](Color color, PieceType type) { return count_of(position, color, type); });
}

GameFacts facts_of(Walker& walker, Bytes record, const RecordHead& head) {
  FactsCollector collector;
  FactsVisitor visitor(collector, !head.fen.has_value(), CommentTexts(record, head.moves_offset));
  const std::optional<Damage> damage = walker.walk(record, head, visitor);
  GameFacts facts = collector.facts();
  facts.damage = damage;
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
