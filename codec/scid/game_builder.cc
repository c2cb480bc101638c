#include "codec/scid/game_builder.h"

#include <algorithm>
#include <charconv>

#include "codec/date.h"
#include "codec/eco.h"
#include "codec/scid/extra_tags.h"

namespace scidfs::codec::scid {
namespace {

// Scid takes no higher rating.
constexpr unsigned kMaxRating = 4000;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Returns a code as people write it: also in small letters, and with missing digits.
EcoCode parse_loose_eco(std::string_view text) {
  std::array<char, kMaxEcoLength> code = {'?', '0', '0', '\0', '\0'};
  std::ranges::copy(text.substr(0, code.size()), code.begin());
  if (code[0] >= 'a' && code[0] <= 'e') code[0] = static_cast<char>(code[0] - 'a' + 'A');
  return parse_eco({code.data(), std::clamp<std::size_t>(text.size(), 3, code.size())});
}

std::uint32_t parse_flags(std::string_view letters) {
  std::uint32_t flags = 0;
  for (const char letter : letters) {
    const std::size_t bit = std::string_view(kFlagLetters).find(letter);
    // The first three follow from the moves.
    if (bit != std::string_view::npos && bit > kFlagUnderpromotion) flags |= 1U << bit;
  }
  return flags;
}

}  // namespace

void GameBuilder::begin_game(std::uint64_t line) {
  encoder_.begin();
  entry_ = {};
  for (std::string& name : names_) name.clear();
  fen_.clear();
  utc_date_ = {};
  loss_ = {};
  line_ = line;
}

void GameBuilder::tag(std::string_view name, std::string_view value) {
  if (take_name(name, value) || take_date(name, value) || take_rating(name, value) ||
      take_other(name, value)) {
    return;
  }
  if (name == "UTCDate") utc_date_ = read_date(value).date;
  if (!encoder_.tag(name, value)) loss_ = "a tag is too long for a record";
}

bool GameBuilder::take_name(std::string_view name, std::string_view value) {
  std::string* const kept = name == "Event"   ? &names_[kEvent]
                            : name == "Site"  ? &names_[kSite]
                            : name == "Round" ? &names_[kRound]
                            : name == "White" ? &names_[kWhite]
                            : name == "Black" ? &names_[kBlack]
                                              : nullptr;
  if (kept != nullptr) *kept = value;
  return kept != nullptr;
}

bool GameBuilder::take_date(std::string_view name, std::string_view value) {
  const bool is_date = name == "Date";
  if (!is_date && name != "EventDate") return false;
  const ReadDate read = read_date(value);
  (is_date ? entry_.date : entry_.event_date) = read.date;
  if (!std::ranges::any_of(value, is_digit)) return true;
  if (!read.date.empty()) {
    if (!read.is_whole) {
      loss_ =
          is_date ? "a part of the date cannot be read" : "a part of the event date cannot be read";
    }
    return true;
  }
  if (is_date) loss_ = "the date cannot be read";
  return is_date;
}

bool GameBuilder::take_rating(std::string_view name, std::string_view value) {
  constexpr std::size_t kColor = 5;
  const bool is_white = name.starts_with("White");
  if (!is_white && !name.starts_with("Black")) return false;
  for (unsigned type = 0; type <= static_cast<unsigned>(RatingType::Ecf); ++type) {
    const auto rating_type = static_cast<RatingType>(type);
    if (name.substr(kColor) != rating_name(rating_type)) continue;
    Rating& rating = is_white ? entry_.white_rating : entry_.black_rating;
    unsigned number = 0;
    const char* const end = value.data() + value.size();
    if (std::from_chars(value.data(), end, number).ec != std::errc()) return !is_known_value(value);
    if (number == 0) return true;
    if (number > kMaxRating || rating.value != 0) return false;
    rating = {.value = static_cast<std::uint16_t>(number), .type = rating_type};
    return true;
  }
  return false;
}

bool GameBuilder::take_other(std::string_view name, std::string_view value) {
  if (name == "Result") return true;
  if (name == "ECO") {
    const EcoCode eco = parse_loose_eco(value);
    if (eco != 0) entry_.eco = eco;
    return eco != 0 || !is_known_value(value);
  }
  if (name == "ScidFlags") {
    entry_.flags |= parse_flags(value);
    return true;
  }
  if (name != "FEN") return false;
  fen_ = value;
  return true;
}

void GameBuilder::start(const Position& position, bool is_standard, bool) {
  // Scid keeps even the FEN of the standard position. One that is no position stays as it is.
  has_fen_ = !is_standard;
  if (is_standard && !fen_.empty()) {
    const absl::StatusOr<Position> of_tag = Position::from_fen(fen_);
    has_fen_ = of_tag.ok() && *of_tag == position;
    if (!has_fen_) encoder_.tag("FEN", fen_);
  }
  if (entry_.date.empty()) entry_.date = utc_date_;
  start_ = position;
  encoder_.start(position, !has_fen_);
  entry_.chess960 = !position.castles_as_in_chess();
}

void GameBuilder::finish(Result result) {
  constexpr std::uint32_t kPlyLimit = 1024;  // of which the index keeps ten bits
  record_ = encoder_.end();
  if (record_.empty()) {
    loss_ = "the game is too long for a record: its tags, moves and notes are left out";
    encoder_.begin();
    encoder_.start(start_, !has_fen_);
    record_ = encoder_.end();
  }
  const GameFacts facts = encoder_.facts();
  entry_.result = result;
  entry_.variation_code = count_code(facts.variations);
  entry_.comment_code = count_code(facts.comments);
  entry_.nag_code = count_code(facts.nags);
  entry_.stored_line = facts.stored_line;
  entry_.home_pawn_count = facts.home_pawn_count;
  entry_.home_pawns = facts.home_pawns;
  entry_.plies = static_cast<std::uint16_t>(facts.plies % kPlyLimit);
  entry_.material = facts.material;
  entry_.flags |= (facts.own_start ? 1U << kFlagStart : 0) |
                  (facts.promotion ? 1U << kFlagPromotion : 0) |
                  (facts.underpromotion ? 1U << kFlagUnderpromotion : 0);
}

}  // namespace scidfs::codec::scid
