#include "tests/mounted/tag_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace scidfs::tests {
namespace {

// Tags that an index has, or that follow from the start of the game: tag= has none of these.
bool is_of_index(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {"Event", "Site",   "Date", "Round",
                                                       "White", "Black",  "ECO",  "EventDate",
                                                       "FEN",   "Result", "SetUp"};
  constexpr std::array<std::string_view, 7> kRatings = {"Elo",  "Rating", "Rapid", "ICCF",
                                                        "USCF", "DWZ",    "ECF"};
  if (std::ranges::find(kNames, name) != kNames.end()) return true;
  if (!name.starts_with("White") && !name.starts_with("Black")) return false;
  constexpr std::size_t kColor = 5;  // the letters of White
  return std::ranges::find(kRatings, name.substr(kColor)) != kRatings.end();
}

bool is_known(std::string_view value) { return !value.empty() && value != "?" && value != "-"; }

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), [](char c) {
    return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return small;
}

// In the name of a file, as values are written there.
std::string escaped(std::string_view text) {
  constexpr std::string_view kPlain = ",.()+-&#!@";
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') {
      name += '_';
    } else if (std::isalnum(byte) != 0 || byte >= 0x80 ||
               kPlain.find(c) != std::string_view::npos) {
      name += c;
    } else {
      name += fmt::format("%{:02X}", byte);
    }
  }
  return name;
}

bool is_ascii_text(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// A pattern of values, and which values it fits.
struct TagPattern {
  std::string text;
  std::function<bool(const std::string& value)> fits;  // small letters
};

TagPattern pattern_of(const std::string& value, Random& random) {
  const std::string small = in_small_letters(value);
  const std::size_t from = random.below(small.size());
  const std::size_t length = 1 + random.below(small.size() - from);
  const std::string part = small.substr(from, length);
  const std::string head = small.substr(0, from + 1);
  switch (random.below(6)) {
    case 0:
      return {.text = escaped(value.substr(0, from + 1)) + "*",
              .fits = [head](const std::string& other) { return other.starts_with(head); }};
    case 1:
      return {.text = "*" + escaped(value.substr(from, length)) + "*",
              .fits = [part](const std::string& other) {
                return other.find(part) != std::string::npos;
              }};
    case 2:
      return {.text = escaped(value.substr(0, from)) + "?" + escaped(value.substr(from + 1)),
              .fits = [small, from](const std::string& other) {
                return other.size() == small.size() && other.starts_with(small.substr(0, from)) &&
                       other.substr(from + 1) == small.substr(from + 1);
              }};
    case 3:
      return {.text = escaped(small),
              .fits = [small](const std::string& other) { return other == small; }};
    default:
      return {.text = escaped(value),
              .fits = [small](const std::string& other) { return other == small; }};
  }
}

// The value of a tag of a game, if it is known.
std::optional<std::string> value_of(const GamePlies& game, std::string_view name) {
  const auto found = std::ranges::find(game.notes.tags, name, &PgnTag::name);
  if (found == game.notes.tags.end() || !is_known(found->value)) return std::nullopt;
  return found->value;
}

// `key` is all that stands before the pattern.
std::optional<MoveQuestion> ask_of_tag(QuestionSource& source, const std::string& key,
                                       const PgnTag& tag) {
  // Letters beyond ASCII have further rules.
  if (!is_known(tag.value) || !is_ascii_text(tag.value)) return std::nullopt;
  if (source.random().one_in(8)) {
    return MoveQuestion{.name = key + "_unknown",
                        .judge =
                            [name = tag.name](const GamePlies& game) {
                              return Verdict{.answer = value_of(game, name).has_value()
                                                           ? Verdict::Answer::No
                                                           : Verdict::Answer::Yes};
                            },
                        .has_moments = false};
  }
  const TagPattern pattern = pattern_of(tag.value, source.random());
  return MoveQuestion{.name = key + pattern.text,
                      .judge =
                          [name = tag.name, fits = pattern.fits](const GamePlies& game) {
                            const std::optional<std::string> value = value_of(game, name);
                            if (!value.has_value()) {
                              return Verdict{.answer = Verdict::Answer::Unknown};
                            }
                            return Verdict{.answer = fits(in_small_letters(*value))
                                                         ? Verdict::Answer::Yes
                                                         : Verdict::Answer::No};
                          },
                      .has_moments = false};
}

std::optional<MoveQuestion> ask_tag(QuestionSource& source) {
  const std::vector<PgnTag>& tags = source.any_game().notes.tags;
  const PgnTag& tag = tags[source.random().below(tags.size())];
  if (is_of_index(tag.name)) return std::nullopt;
  return ask_of_tag(source, "tag=" + tag.name + ",", tag);
}

std::optional<MoveQuestion> ask_frequent(QuestionSource& source, const std::string& key,
                                         std::string_view name) {
  const std::optional<std::string> value = value_of(source.any_game(), name);
  if (!value.has_value()) return std::nullopt;
  return ask_of_tag(source, key, {.name = std::string(name), .value = *value});
}

std::optional<MoveQuestion> ask_annotator(QuestionSource& source) {
  return ask_frequent(source, "annotator=", "Annotator");
}
std::optional<MoveQuestion> ask_time_control(QuestionSource& source) {
  return ask_frequent(source, "time_control=", "TimeControl");
}

}  // namespace

void TagCounts::add(const GamePlies& game) {
  for (const PgnTag& tag : game.notes.tags) {
    if (!is_of_index(tag.name) && is_known(tag.value)) ++games_[tag.name][tag.value];
  }
}

void TagCounts::add(const TagCounts& others) {
  for (const auto& [tag, values] : others.games_) {
    for (const auto& [value, games] : values) games_[tag][value] += games;
  }
}

std::vector<std::string> TagCounts::tags() const {
  std::vector<std::string> lines;
  for (const auto& [tag, values] : games_) {
    std::size_t games = 0;
    for (const auto& [value, some] : values) games += some;
    lines.push_back(fmt::format("{}\t{}\t{}", tag, games, values.size()));
  }
  return lines;
}

std::vector<std::string> TagCounts::values(const std::string& tag) const {
  std::vector<std::string> lines;
  for (const auto& [value, games] : games_.at(tag))
    lines.push_back(fmt::format("{}\t{}", value, games));
  return lines;
}

std::span<const QuestionKind> tag_kinds() {
  static constexpr std::array<QuestionKind, 3> kKinds = {{{"tag", 40, ask_tag},
                                                          {"annotator", 10, ask_annotator},
                                                          {"time_control", 10, ask_time_control}}};
  return kKinds;
}

}  // namespace scidfs::tests
