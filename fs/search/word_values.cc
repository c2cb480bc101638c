#include "fs/search/word_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "codec/castling_target.h"
#include "codec/mate_target.h"
#include "codec/material_target.h"
#include "fs/search/condition.h"

namespace scidfs::fs {
namespace {

// Parses one of some words.
template <class T, std::size_t kWords>
std::optional<ParsedValue> parse_word(
    std::string_view value, const std::array<std::pair<std::string_view, T>, kWords>& words) {
  const auto found = std::ranges::find(words, value, &std::pair<std::string_view, T>::first);
  if (found == words.end()) return std::nullopt;
  return ParsedValue{.value = found->second, .canonical = std::string(value)};
}

std::optional<ParsedValue> parse_castling_of(codec::Color side, std::string_view value) {
  using codec::CastlingTarget;
  return parse_word<CastlingTarget, 3>(value, {{{"short", {CastlingTarget::Way::Short, side}},
                                                {"long", {CastlingTarget::Way::Long, side}},
                                                {"no", {CastlingTarget::Way::No, side}}}});
}

}  // namespace

std::optional<ParsedValue> parse_result(std::string_view value) {
  using codec::Result;
  return parse_word<Result, 4>(value, {{{"1-0", Result::WhiteWins},
                                        {"0-1", Result::BlackWins},
                                        {"draw", Result::Draw},
                                        {"unknown", Result::Unknown}}});
}

std::optional<ParsedValue> parse_annotation(std::string_view value) {
  return parse_word<Annotation, 5>(value, {{{"comments", Annotation::Comments},
                                            {"variations", Annotation::Variations},
                                            {"nags", Annotation::Nags},
                                            {"any", Annotation::Any},
                                            {"no", Annotation::No}}});
}

std::optional<ParsedValue> parse_start(std::string_view value) {
  return parse_word<StartKind, 3>(value, {{{"standard", StartKind::Standard},
                                           {"fen", StartKind::Fen},
                                           {"chess960", StartKind::Chess960}}});
}

std::optional<ParsedValue> parse_bishops(std::string_view value) {
  using codec::BishopsTarget;
  return parse_word<BishopsTarget, 2>(
      value, {{{"opposite", BishopsTarget::Opposite}, {"same", BishopsTarget::Same}}});
}

std::optional<ParsedValue> parse_white_castled(std::string_view value) {
  return parse_castling_of(codec::Color::White, value);
}

std::optional<ParsedValue> parse_black_castled(std::string_view value) {
  return parse_castling_of(codec::Color::Black, value);
}

std::optional<ParsedValue> parse_castled(std::string_view value) {
  using codec::CastlingTarget;
  return parse_word<CastlingTarget, 2>(value, {{{"opposite", {CastlingTarget::Way::Opposite, {}}},
                                                {"same", {CastlingTarget::Way::Same, {}}}}});
}

std::optional<ParsedValue> parse_mate(std::string_view value) {
  using codec::MateTarget;
  using codec::PieceType;
  return parse_word<MateTarget, 7>(value, {{{"Q", {PieceType::Queen}},
                                            {"R", {PieceType::Rook}},
                                            {"B", {PieceType::Bishop}},
                                            {"N", {PieceType::Knight}},
                                            {"P", {PieceType::Pawn}},
                                            {"K", {PieceType::King}},
                                            {"stalemate", {PieceType::None}}}});
}

}  // namespace scidfs::fs
