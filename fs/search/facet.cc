#include "fs/search/facet.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/move_notes.h"
#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "fs/base/glob.h"
#include "fs/search/condition.h"
#include "fs/search/facet_filters.h"
#include "fs/search/facet_list.h"
#include "fs/search/facet_row.h"
#include "fs/search/facet_value.h"
#include "fs/search/person_facts.h"
#include "fs/search/word_values.h"

namespace scidfs::fs {
namespace {

using Parsed = ParsedValue;

constexpr std::string_view kPositionKey = "position";
constexpr std::string_view kTagKey = "tag";
constexpr std::string_view kAnnotator = "Annotator";
constexpr std::string_view kTimeControl = "TimeControl";
constexpr std::string_view kNot = "not-";
using codec::scid::NameKind;

// Parses a name of a player or person, whose directory may have a name that ends in `~N`.
std::optional<Parsed> parse_listed_name(std::string_view value) {
  std::optional<NamePattern> pattern = NamePattern::parse(value);
  if (!pattern.has_value()) return std::nullopt;
  std::string canonical = pattern->value();
  return Parsed{.value = *std::move(pattern), .canonical = std::move(canonical)};
}

std::optional<Parsed> parse_name(std::string_view value) {
  if (parse_collision_suffix(value).has_value()) return std::nullopt;
  return parse_listed_name(value);
}

std::optional<Parsed> parse_text(std::string_view value) {
  const std::optional<std::string> text = unescape_value(value, true);
  if (!text.has_value()) return std::nullopt;
  std::optional<CommentPattern> pattern = CommentPattern::parse(*text);
  if (!pattern.has_value()) return std::nullopt;
  std::string canonical = escape_value(pattern->text());
  return Parsed{.value = *std::move(pattern), .canonical = std::move(canonical)};
}

std::optional<Parsed> parse_position(std::string_view value) {
  const absl::StatusOr<codec::TargetPosition> target = codec::parse_position_name(value);
  if (!target.ok()) return std::nullopt;
  return Parsed{.value = *target, .canonical = codec::position_name(*target)};
}

template <std::int64_t kLeast, std::int64_t kMost>
std::optional<Parsed> parse_numbers(std::string_view value) {
  const std::optional<NumberRange> range = NumberRange::parse(value, kLeast, kMost);
  if (!range.has_value()) return std::nullopt;
  return Parsed{.value = *range, .canonical = range->text(kLeast)};
}

template <std::int64_t kLeast, std::size_t kDecimals = 0>
void combine_numbers(std::vector<Parsed>& alternatives) {
  merge_numbers(alternatives, kLeast, kDecimals);
}

// Parses a range in which `kMost` stands for all greater numbers, too.
template <std::int64_t kLeast, std::int64_t kMost, std::size_t kDecimals = 0>
std::optional<Parsed> parse_capped(std::string_view value) {
  std::optional<NumberRange> range = NumberRange::parse(value, kLeast, kMost, kDecimals);
  if (!range.has_value()) return std::nullopt;
  if (range->last == kMost) range->last = NumberRange::kNoEnd;
  return Parsed{.value = *range, .canonical = range->text(kLeast, kDecimals)};
}

// Parses numbers of NAGs, or the word of one that assesses a move.
std::optional<Parsed> parse_nags(std::string_view value) {
  constexpr std::array<std::string_view, 6> kWords = {"good",    "mistake",     "brilliant",
                                                      "blunder", "interesting", "dubious"};
  const auto word = std::ranges::find(kWords, value);
  if (word == kWords.end()) return parse_capped<1, 255>(value);
  return parse_capped<1, 255>(std::to_string(word - kWords.begin() + 1));
}

// Parses a DateSpan, EcoRange, MaterialPattern or ReachedMaterial.
template <class T>
std::optional<Parsed> parse_as(std::string_view value) {
  const std::optional<T> parsed = T::parse(value);
  if (!parsed.has_value()) return std::nullopt;
  return Parsed{.value = *parsed, .canonical = parsed->text()};
}

std::optional<Parsed> parse_flags(std::string_view value) {
  constexpr std::string_view kLetters(codec::scid::kFlagLetters, codec::scid::kFlagCount);
  FlagSet set;
  // Letters are at even places, `+` at odd ones.
  if (value.size() % 2 == 0) return std::nullopt;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool is_small = value[i] >= 'a' && value[i] <= 'z';
    const std::size_t flag =
        kLetters.find(is_small ? static_cast<char>(value[i] - 'a' + 'A') : value[i]);
    if (i % 2 == 1 ? value[i] != '+' : flag == std::string_view::npos) return std::nullopt;
    if (i % 2 == 0) set.flags |= std::uint32_t{1} << flag;
  }
  std::string canonical;
  for (const char letter : codec::scid::flags_to_string(set.flags)) {
    if (!canonical.empty()) canonical += '+';
    canonical += letter;
  }
  return Parsed{.value = set, .canonical = std::move(canonical)};
}

// Parse by a function that says what is wrong with a text, and say it.
template <auto kParse>
std::optional<Parsed> parse_by(std::string_view value) {
  auto parsed = kParse(value);
  if (!parsed.ok()) return std::nullopt;
  std::string canonical = parsed->text();
  return Parsed{.value = *std::move(parsed), .canonical = std::move(canonical)};
}
template <auto kParse>
std::string explain_by(std::string_view text) {
  return std::string(kParse(text).status().message());
}

template <PiecesPattern::Pawns kPawns>
absl::StatusOr<PiecesPattern> parse_pawns(std::string_view value) {
  return PiecesPattern::parse_pawns(value, kPawns);
}

std::string explain_position(std::string_view text) {
  return std::string(codec::parse_position_name(text).status().message());
}

// Parses the pattern after `annotator=` and the like.
template <const std::string_view& kTag>
std::optional<Parsed> parse_tag_of(std::string_view pattern) {
  return parse_by<&TagPattern::parse>(fmt::format("{},{}", kTag, pattern));
}

constexpr std::int64_t kMostGameNumber = 0xFFFFFFFF;
constexpr std::int64_t kMostFideId = 0xFFFFFFFF;
constexpr std::int64_t kMostEval = codec::scid::MoveNotes::kMostEval;
constexpr std::int64_t kMostSwing = 2 * kMostEval;
constexpr std::int64_t kMostBalance = codec::BalanceTarget::kMost;

constexpr std::string_view kValidName =
    "a name, in which * and ? are wildcards and _ is a blank, or _unknown; a ~ before a number at "
    "its end is %7E";
constexpr std::string_view kValidListedName =
    "a name, in which * and ? are wildcards and _ is a blank, or _unknown, or a directory's name "
    "that ends in ~ and a number; a ~ of its own is %7E";
constexpr std::string_view kValidMaterial =
    "a king and pieces of both sides such as KRPvKR, with + after a piece for as many or more; at "
    "most eight pawns and three of another piece are counted";
constexpr std::string_view kValidCastling = "short, long or no";
constexpr std::string_view kValidPawns =
    "a board with pawns alone such as 8-pp3ppp-4p3-3p4-3P4-4P3-PP3PPP-8";
constexpr std::string_view kValidTitle =
    "GM, WGM, IM, WIM, FM, WFM, CM, WCM, HGM, CGM, CLG, CIM, CLM or CSM";
constexpr std::string_view kValidRating = "a rating from 1 to 9999 or a range such as 2500..2599";

// Make the rows that differ in only a few fields.
constexpr FacetRow player_row(std::string_view name, std::optional<codec::Color> color,
                              FacetRole role = FacetRole::Plain,
                              FacetStage stage = FacetStage::Names) {
  return {.name = name,
          .valid_values = kValidListedName,
          .parse = &parse_listed_name,
          .stage = stage,
          .role = role,
          .color = color};
}
constexpr FacetRow person_row(std::string_view name, std::optional<codec::Color> color,
                              FacetRole role = FacetRole::Plain) {
  return player_row(name, color, role, FacetStage::Persons);
}
constexpr FacetRow name_row(std::string_view name, NameKind dictionary,
                            PackedIndex::Column column) {
  return {.name = name,
          .valid_values = kValidName,
          .parse = &parse_name,
          .stage = FacetStage::Names,
          .dictionary = dictionary,
          .column = column};
}
constexpr FacetRow memory_row(std::string_view name, std::string_view valid_values,
                              std::optional<Parsed> (*parse)(std::string_view),
                              std::unique_ptr<ColumnFilter> (*filter)(const Condition&, bool),
                              void (*combine)(std::vector<Parsed>&) = &sort_alternatives) {
  return {.name = name,
          .valid_values = valid_values,
          .parse = parse,
          .combine = combine,
          .filter = filter};
}
constexpr FacetRow file_row(std::string_view name, std::string_view valid_values,
                            std::optional<Parsed> (*parse)(std::string_view),
                            bool (*meets)(const Condition&, const codec::scid::IndexEntry&),
                            void (*combine)(std::vector<Parsed>&) = &sort_alternatives) {
  return {.name = name,
          .valid_values = valid_values,
          .parse = parse,
          .combine = combine,
          .stage = FacetStage::File,
          .meets = meets};
}
// A row of ranges of numbers.
template <std::int64_t kLeast, std::int64_t kMost>
constexpr FacetRow number_row(std::string_view name, std::string_view valid_values,
                              std::unique_ptr<ColumnFilter> (*filter)(const Condition&, bool)) {
  return memory_row(name, valid_values, &parse_numbers<kLeast, kMost>, filter,
                    &combine_numbers<kLeast>);
}

template <const std::string_view& kTag>
constexpr FacetRow tag_row(std::string_view name) {
  return {.name = name,
          .valid_values = kValidName,
          .canonical_key = kTagKey,
          .parse = &parse_tag_of<kTag>,
          .stage = FacetStage::Tags};
}

template <auto kParse>
constexpr FacetRow moves_row(std::string_view name, std::string_view valid_values,
                             std::unique_ptr<MovesFilter> (*filter)(const Condition&,
                                                                    codec::CastlingRule)) {
  return {.name = name,
          .valid_values = valid_values,
          .parse = &parse_by<kParse>,
          .explain = &explain_by<kParse>,
          .stage = FacetStage::Moves,
          .filter_moves = filter};
}

// A row of values without commas of their own.
constexpr FacetRow listed_moves_row(std::string_view name, std::string_view valid_values,
                                    std::optional<Parsed> (*parse)(std::string_view),
                                    std::unique_ptr<MovesFilter> (*filter)(const Condition&,
                                                                           codec::CastlingRule),
                                    void (*combine)(std::vector<Parsed>&) = &sort_alternatives) {
  return {.name = name,
          .valid_values = valid_values,
          .parse = parse,
          .combine = combine,
          .stage = FacetStage::Moves,
          .filter_moves = filter};
}

constexpr FacetRow sample_row(std::string_view name,
                              std::unique_ptr<MovesFilter> (*filter)(const Condition&,
                                                                     codec::CastlingRule)) {
  FacetRow row = listed_moves_row(name, "a number, `of` and a number of samples such as 3of20",
                                  &parse_by<&SetPart::parse>, filter);
  row.has_moment = false;
  return row;
}

template <FirstGames::End kEnd>
constexpr FacetRow first_row(std::string_view name) {
  return {.name = name,
          .valid_values = "a number of games such as 20, also in an order such as 20,by=elo",
          .parse = &parse_by<&FirstGames::parse<kEnd>>,
          .explain = &explain_by<&FirstGames::parse<kEnd>>,
          .stage = FacetStage::Firsts,
          .takes_not = false};
}

using Column = PackedIndex::Column;

// What is known of persons, for which there are keys of either player and of one.
struct PersonFact {
  std::string_view valid_values;
  std::optional<Parsed> (*parse)(std::string_view);
  std::optional<bool> (*meets)(const Condition&, const SpellingIndex::Person&);
  void (*combine)(std::vector<Parsed>&) = &sort_alternatives;
};
constexpr PersonFact kTitle = {kValidTitle, &parse_title, &meets_title};
constexpr PersonFact kCountry = {"three letters of a country such as NOR", &parse_country,
                                 &meets_country};
constexpr PersonFact kBorn = {"a year from 1 to 9999 or a range such as 2000..",
                              &parse_numbers<1, 9999>, &meets_born, &combine_numbers<1>};
constexpr PersonFact kFideId = {"a number from 1 to 4294967295 or a range such as 1500000..1599999",
                                &parse_numbers<1, kMostFideId>, &meets_fide_id,
                                &combine_numbers<1>};
constexpr FacetRow fact_row(const PersonFact& fact, std::string_view name,
                            std::optional<codec::Color> color = std::nullopt) {
  return {.name = name,
          .valid_values = fact.valid_values,
          .parse = fact.parse,
          .combine = fact.combine,
          .stage = FacetStage::Facts,
          .color = color,
          .meets_person = fact.meets};
}

constexpr auto kRows = std::to_array<FacetRow>({
    player_row("player", std::nullopt, FacetRole::Player),
    player_row("white", codec::Color::White),
    player_row("black", codec::Color::Black),
    player_row("opponent", std::nullopt, FacetRole::Opponent),
    name_row("event", NameKind::Event, Column::Event),
    name_row("site", NameKind::Site, Column::Site),
    name_row("round", NameKind::Round, Column::Round),
    number_row<1, 9999>("year", "a number from 1 to 9999 or a range such as 2010..2015",
                        &filter_year),
    number_row<1, 12>("month", "a number from 1 to 12 or a range such as 4..6", &filter_month),
    memory_row("date", "a date such as 2013, 2013.05 or 2013.05.17, or a range of dates",
               &parse_as<DateSpan>, &filter_date),
    memory_row("result", "1-0, 0-1, draw or unknown", &parse_result, &filter_result),
    memory_row("eco", "a code such as B, B9 or B90, or a range such as B90..B99",
               &parse_as<EcoRange>, &filter_eco, &merge_codes),
    number_row<1, 9999>("elo", kValidRating, &filter_elo),
    number_row<1, 9999>("white_elo", kValidRating, &filter_white_elo),
    number_row<1, 9999>("black_elo", kValidRating, &filter_black_elo),
    number_row<-9999, 9999>("elo_difference",
                            "a number from -9999 to 9999 or a range such as 200..",
                            &filter_elo_difference),
    file_row("plies", "a number from 0 to 9999 or a range such as ..40", &parse_numbers<0, 9999>,
             &meets_plies, &combine_numbers<0>),
    number_row<1, kMostGameNumber>(
        "number", "a number from 1 to 4294967295 or a range such as 1..1000", &filter_number),
    memory_row("flag", "letters of flags such as W, or W+T for games with both", &parse_flags,
               &filter_flags),
    file_row("annotated", "comments, variations, nags, any or no", &parse_annotation,
             &meets_annotation),
    {.name = "start",
     .valid_values = "standard, fen or chess960",
     .parse = &parse_start,
     .combine = &sort_alternatives,
     .stage = FacetStage::Starts},
    file_row("material", kValidMaterial, &parse_as<MaterialPattern>, &meets_material),
    {.name = kTagKey,
     .valid_values = "the name of a tag, a comma, and a pattern as for names such as "
                     "Annotator,Nunn*",
     .parse = &parse_by<&TagPattern::parse>,
     .explain = &explain_by<&TagPattern::parse>,
     .stage = FacetStage::Tags},
    tag_row<kAnnotator>("annotator"),
    tag_row<kTimeControl>("time_control"),
    {.name = "text",
     .valid_values = "a word or several with _ between them, in which * and ? are wildcards",
     .parse = &parse_text,
     .stage = FacetStage::Texts},
    {.name = kPositionKey,
     .valid_values = "a FEN with _ for blanks and - for slashes",
     .parse = &parse_position,
     .explain = &explain_position,
     .stage = FacetStage::Moves,
     .filter_moves = &filter_position},
    moves_row<&LinePattern::parse>("line", "moves with commas between them such as e4,c5,Nf3",
                                   &filter_line),
    moves_row<&PlayedPattern::parse>(
        "played", "moves with commas between them such as Bxh7,Kxh7,Ng5", &filter_played),
    moves_row<&PiecesPattern::parse>(
        "pieces", "men on squares with commas between them such as Nd5,pe6,_c6", &filter_pieces),
    moves_row<&parse_pawns<PiecesPattern::Pawns::OfBoth>>("pawns", kValidPawns, &filter_pieces),
    moves_row<&parse_pawns<PiecesPattern::Pawns::OfWhite>>("white_pawns", kValidPawns,
                                                           &filter_pieces),
    moves_row<&parse_pawns<PiecesPattern::Pawns::OfBlack>>("black_pawns", kValidPawns,
                                                           &filter_pieces),
    listed_moves_row("reached", kValidMaterial, &parse_as<ReachedMaterial>, &filter_reached),
    // The balance must stay in one range of a list: ranges are not merged.
    listed_moves_row("balance", "a number from -135 to 135 or a range such as 3.. or -1..1",
                     &parse_numbers<-kMostBalance, kMostBalance>, &filter_balance),
    listed_moves_row("bishops", "opposite or same", &parse_bishops, &filter_bishops),
    listed_moves_row("white_castled", kValidCastling, &parse_white_castled, &filter_castling),
    listed_moves_row("black_castled", kValidCastling, &parse_black_castled, &filter_castling),
    listed_moves_row("castled", "opposite or same", &parse_castled, &filter_castling),
    listed_moves_row("mate", "Q, R, B, N, P, K or stalemate", &parse_mate, &filter_mate),
    listed_moves_row("nag",
                     "a number from 1 to 255, a range such as 10..21, or good, mistake, brilliant, "
                     "blunder, interesting or dubious",
                     &parse_nags, &filter_nag, &combine_numbers<1>),
    listed_moves_row("eval", "pawns from -100 to 100 or a range such as -0.3..0.3",
                     &parse_capped<-kMostEval, kMostEval, 2>, &filter_eval,
                     &combine_numbers<-kMostEval, 2>),
    listed_moves_row("swing", "pawns from -200 to 200 or a range such as 3..",
                     &parse_capped<-kMostSwing, kMostSwing, 2>, &filter_swing,
                     &combine_numbers<-kMostSwing, 2>),
    listed_moves_row("clock", "seconds from 0 to 9999999 or a range such as ..10",
                     &parse_capped<0, codec::scid::MoveNotes::kMostClock>, &filter_clock,
                     &combine_numbers<0>),
    person_row("person", std::nullopt, FacetRole::Player),
    person_row("white_person", codec::Color::White),
    person_row("black_person", codec::Color::Black),
    fact_row(kTitle, "title"),
    fact_row(kTitle, "white_title", codec::Color::White),
    fact_row(kTitle, "black_title", codec::Color::Black),
    fact_row(kCountry, "country"),
    fact_row(kCountry, "white_country", codec::Color::White),
    fact_row(kCountry, "black_country", codec::Color::Black),
    fact_row(kBorn, "born"),
    fact_row(kBorn, "white_born", codec::Color::White),
    fact_row(kBorn, "black_born", codec::Color::Black),
    fact_row(kFideId, "fide"),
    fact_row(kFideId, "white_fide", codec::Color::White),
    fact_row(kFideId, "black_fide", codec::Color::Black),
    {.name = "opening",
     .valid_values = kValidName,
     .parse = &parse_name,
     .stage = FacetStage::Openings},
    {.name = "base", .valid_values = kValidName, .parse = &parse_name, .stage = FacetStage::Bases},
    sample_row("sample", &filter_sample),
    sample_row("sample_exact", &filter_exact_sample),
    {.name = "part",
     .valid_values = "a number, `of` and a number of parts such as 17of64",
     .parse = &parse_by<&SetPart::parse>,
     .explain = &explain_by<&SetPart::parse>,
     .stage = FacetStage::Parts},
    first_row<FirstGames::End::First>("first"),
    first_row<FirstGames::End::Last>("last"),
    {.name = "within",
     .valid_values = "the name of a repertoire such as my.pgn, also with a side and a number of "
                     "plies such as my.pgn,white,to=12",
     .parse = &parse_by<&WithinLines::parse>,
     .explain = &explain_by<&WithinLines::parse>,
     .stage = FacetStage::Lines},
});

// Returns the row of a key; null if no key has this name.
const FacetRow* find_row(std::string_view name) {
  const auto* const row = std::ranges::find(kRows, name, &FacetRow::name);
  return row == kRows.end() ? nullptr : row;
}

// Returns whether the values of a key are texts with wildcards.
bool takes_pattern(const FacetRow& key) {
  return key.parse == &parse_name || key.parse == &parse_listed_name || key.parse == &parse_text;
}

// Returns whether the parser of a key handles escapes in a value.
bool takes_escapes(const FacetRow& key) {
  return takes_pattern(key) || key.parse == &parse_position || key.stage == FacetStage::Tags ||
         key.stage == FacetStage::Lines;
}

absl::Status no_key(std::string_view name, bool is_negated) {
  std::string names;
  for (const FacetRow& key : kRows) {
    if (!names.empty()) names += ", ";
    names += key.name;
  }
  return absl::InvalidArgumentError(fmt::format("unknown key `{}`{}; valid keys: {}",
                                                codec::clean_line(name),
                                                is_negated ? " after `not-`" : "", names));
}

// Explains why a text without escapes is not one value of a key.
absl::Status bad_one(const FacetRow& key, std::string_view text, std::string_view details) {
  const auto [first, last] = NumberRange::split(text);
  if (last.has_value() && key.parse(std::string(*last) + ".." + std::string(first)).has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("the range of {} ends before it begins", key.name));
  }
  return absl::InvalidArgumentError(
      fmt::format("{} requires {}{}", key.name, key.valid_values, details));
}

// Explains why a text with commas is no list of a key.
absl::Status bad_list(const FacetRow& key, std::string_view text) {
  const std::vector<std::string_view> parts = split_list(text);
  if (parts.size() > kMostAlternatives) {
    return absl::InvalidArgumentError(
        fmt::format("{} takes {} alternatives at most", key.name, kMostAlternatives));
  }
  const auto bad = std::ranges::find_if(
      parts, [&key](std::string_view part) { return !key.parse(part).has_value(); });
  if (bad->empty()) {
    return absl::InvalidArgumentError(
        fmt::format("an alternative of {} is missing before or after a comma", key.name));
  }
  return bad_one(key, *bad, fmt::format(": {} is none", codec::clean_line(*bad)));
}

absl::Status bad_value(const FacetRow& key, std::string_view value) {
  const std::optional<std::string> text = unescape_value(value, false);
  if (!text.has_value()) {
    return absl::InvalidArgumentError(
        "% must be followed by two hexadecimal digits; write %25 for a %");
  }
  if (takes_pattern(key)) {
    const std::optional<std::string> pattern = unescape_value(value, true);
    if (pattern.has_value() && Glob(*pattern).is_too_long()) {
      return absl::InvalidArgumentError(
          fmt::format("{} takes {} bytes at most", key.name, Glob::kMostBytes));
    }
  }
  if (key.combine != nullptr && text->find(',') != std::string::npos) return bad_list(key, *text);
  std::string details;
  if (key.explain != nullptr) details = ": " + key.explain(takes_escapes(key) ? value : *text);
  if (!takes_escapes(key)) return bad_one(key, *text, details);
  return absl::InvalidArgumentError(
      fmt::format("{} requires {}{}", key.name, key.valid_values, details));
}

// Parses the value of a key. Returns nothing if it is none.
std::optional<std::vector<Parsed>> parse_value(const FacetRow& key, std::string_view value) {
  std::optional<std::string> unescaped;
  if (!takes_escapes(key)) {
    unescaped = unescape_value(value, false);
    if (!unescaped.has_value()) return std::nullopt;
    value = *unescaped;
  }
  const bool is_list = key.combine != nullptr && value.find(',') != std::string_view::npos;
  const std::vector<std::string_view> parts =
      is_list ? split_list(value) : std::vector<std::string_view>{value};
  if (parts.size() > kMostAlternatives) return std::nullopt;
  std::vector<Parsed> alternatives;
  for (const std::string_view part : parts) {
    std::optional<Parsed> parsed = key.parse(part);
    if (!parsed.has_value()) return std::nullopt;
    alternatives.push_back(*std::move(parsed));
  }
  if (is_list) key.combine(alternatives);
  return alternatives;
}

Facet make_facet(const FacetRow& of_name, bool is_negated, std::vector<Parsed> values) {
  const FacetRow& key = of_name.canonical_key.empty() ? of_name : *find_row(of_name.canonical_key);
  Facet facet{.row = &key,
              .is_negated = is_negated,
              .canonical = fmt::format("{}{}=", is_negated ? kNot : "", key.name),
              .alternatives = nullptr};
  std::vector<Condition> conditions;
  for (Parsed& value : values) {
    if (!conditions.empty()) facet.canonical += ',';
    facet.canonical += value.canonical;
    conditions.emplace_back(std::move(value.value));
  }
  facet.alternatives = std::make_shared<const std::vector<Condition>>(std::move(conditions));
  return facet;
}

}  // namespace

std::span<const FacetRow> facet_rows() { return kRows; }

absl::StatusOr<Facet> parse_facet(std::string_view name) {
  const std::size_t equals = name.find('=');
  if (equals == std::string_view::npos) {
    return absl::InvalidArgumentError("a facet is a key, `=` and a value, such as year=2013");
  }
  std::string_view key_name = name.substr(0, equals);
  const bool is_negated = key_name.starts_with(kNot);
  if (is_negated) key_name.remove_prefix(kNot.size());
  const FacetRow* const key = find_row(key_name);
  if (key == nullptr) return no_key(key_name, is_negated);
  if (is_negated && !key->takes_not) {
    return absl::InvalidArgumentError(fmt::format("{} takes no `not-`", key->name));
  }
  const std::string_view value = name.substr(equals + 1);
  std::optional<std::vector<Parsed>> values = parse_value(*key, value);
  if (!values.has_value()) return bad_value(*key, value);
  return make_facet(*key, is_negated, *std::move(values));
}

Facet position_facet(const codec::TargetPosition& target) {
  static const FacetRow* const kRow = find_row(kPositionKey);
  return make_facet(*kRow, false, {{.value = target, .canonical = codec::position_name(target)}});
}

const Condition& Facet::condition() const { return alternatives->front(); }

bool Facet::has_key_of(const Facet& other) const {
  if (row->stage == FacetStage::Firsts) return other.row->stage == FacetStage::Firsts;
  if (row != other.row) return false;
  if (is_negated != other.is_negated) return row->stage == FacetStage::Parts;
  const auto* const tag = condition().find<TagPattern>();
  return tag == nullptr || tag->tag() == other.condition().as<TagPattern>().tag();
}

}  // namespace scidfs::fs
