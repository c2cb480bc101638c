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
  StartPosition start{.position = kStandard, .fault = {}};
  start.is_chess960 = names_chess960(variant_);
  if (!start.is_chess960 && !names_chess(variant_)) {
    constexpr std::size_t kMostOfName = 40;  // bytes
    start.fault = fmt::format("the moves of the variant {} are left out",
                              clean_line(std::string_view(variant_).substr(0, kMostOfName)));
    return start;
  }
  if (fen_.empty()) return start;
  const bool by_files = start.is_chess960 || names_files(fen_);
  absl::StatusOr<Position> position =
      Position::from_fen(fen_, by_files ? CastlingRule::Chess960 : CastlingRule::Standard);
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
