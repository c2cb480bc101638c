#include "codec/pgn_reader/start.h"

#include <absl/status/statusor.h>
#include <fmt/format.h>

#include "codec/pgn_reader/tag.h"
#include "codec/text.h"
#include "codec/variant.h"

namespace scidfs::codec::pgn_reader {
namespace {

// Returns whether the castling rights of a FEN name files of rooks.
bool names_files(std::string_view fen) {
  const std::size_t side = fen.find(' ');
  if (side == std::string_view::npos) return false;
  const std::size_t rights = fen.find_first_not_of(" wWbB", side);
  if (rights == std::string_view::npos) return false;
  return fen.substr(rights, fen.find(' ', rights) - rights).find_first_of("ACDEFGHacdefgh") !=
         std::string_view::npos;
}

// Returns the FEN without the men in hand, which follow the board in brackets or as a ninth rank,
// and without the marks of men that were pawns.
std::string without_hands(std::string_view fen) {
  constexpr int kRanks = 8;
  std::string plain;
  int ranks = 1;
  bool in_hand = false;
  for (std::size_t at = 0; at < fen.size(); ++at) {
    if (fen[at] == ' ') return plain.append(fen.substr(at));
    ranks += fen[at] == '/' ? 1 : 0;
    in_hand |= fen[at] == '[' || ranks > kRanks;
    if (!in_hand && fen[at] != '~') plain += fen[at];
  }
  return plain;
}

}  // namespace

void StartTags::begin() {
  variant_.clear();
  fen_.clear();
  result_.reset();
}

void StartTags::take(std::string_view name, std::string_view value) {
  if (name == "FEN") {
    fen_ = value;
  } else if (name == "Variant") {
    variant_ = value;
  } else if (name == "Result") {
    result_ = result_of_tag(value);
  }
}

StartPosition StartTags::start() const {
  static const Position kStandard;
  StartPosition start{.position = kStandard, .fault = {}, .doubt = {}};
  start.is_chess960 = names_chess960(variant_);
  const bool is_other = !start.is_chess960 && !names_chess(variant_);
  if (is_other) {
    constexpr std::size_t kMostOfName = 40;  // bytes
    start.doubt = fmt::format("the variant {} is read by the rules of chess",
                              clean_line(std::string_view(variant_).substr(0, kMostOfName)));
  }
  if (fen_.empty()) return start;
  const CastlingRule rule =
      start.is_chess960 || names_files(fen_) ? CastlingRule::Chess960 : CastlingRule::Standard;
  absl::StatusOr<Position> position = Position::from_fen(fen_, rule);
  if (!position.ok() && is_other) position = Position::from_fen(without_hands(fen_), rule);
  if (!position.ok()) {
    start.fault = std::string(position.status().message()) + ": the moves are left out";
    return start;
  }
  start.position = *position;
  start.is_standard = start.position == kStandard;
  start.is_chess960 |= !start.position.castles_as_in_chess();
  return start;
}

}  // namespace scidfs::codec::pgn_reader
