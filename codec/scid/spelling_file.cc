#include "codec/scid/spelling_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "codec/number.h"
#include "codec/text.h"
#include "codec/unicode.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::uint32_t kMostYear = 2047;  // the index has room for no greater year

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes the first word from a text.
std::string_view take_word(std::string_view& text) {
  text = trim_left(text);
  const std::size_t end = std::min(text.find_first_of(kWhiteSpace), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, to_ascii_lower, to_ascii_lower);
}

// Takes the digits from the front; returns 0 if there are none or too many.
std::uint32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc() ? number : 0;
}

struct Command {
  std::string_view name;
  SpellingLine::Kind kind;
};
constexpr std::array<Command, 5> kCommands = {{
    {"%Elo ", SpellingLine::Kind::Elo},
    {"%Bio ", SpellingLine::Kind::Bio},
    {"%Prefix ", SpellingLine::Kind::Prefix},
    {"%Infix ", SpellingLine::Kind::Infix},
    {"%Suffix ", SpellingLine::Kind::Suffix},
}};

SpellingLine parse_command(std::string_view text) {
  for (const Command& command : kCommands) {
    if (text.starts_with(command.name)) {
      return {.kind = command.kind, .text = text.substr(command.name.size())};
    }
  }
  return {};
}

SpellingLine parse_section(std::string_view text) {
  SpellingLine line{.kind = SpellingLine::Kind::Section};
  const std::size_t quote = text.find('"');
  if (quote != std::string_view::npos) {
    const std::size_t end = text.find('"', quote + 1);
    if (end != std::string_view::npos) line.data = text.substr(quote + 1, end - quote - 1);
  }
  line.text = take_word(text);
  return line;
}

constexpr std::array<std::string_view, kTitles> kTitleNames = {
    "GM", "WGM", "IM", "WIM", "FM", "WFM", "CM", "WCM", "HGM", "CGM", "CLG", "CIM", "CLM", "CSM"};

// Reads titles and `W` for a woman, joined by `+`.
void read_titles(std::string_view word, PlayerData& data) {
  while (!word.empty()) {
    const std::size_t end = std::min(word.find('+'), word.size());
    const std::string_view title = word.substr(0, end);
    if (equal_but_for_case(title, "W")) data.is_woman = true;
    data.titles |= parse_title(title).value_or(0);
    word.remove_prefix(std::min(end + 1, word.size()));
  }
}

// Parses "1963.04.13", "1963", "1963.??.??", "????".
Date read_date(std::string_view text) {
  constexpr std::uint32_t kMonths = 12;
  constexpr std::uint32_t kDays = 31;
  const auto next = [&text](std::uint32_t most) {
    if (text.starts_with('.')) text.remove_prefix(1);
    const std::uint32_t number = take_number(text);
    text.remove_prefix(std::min(text.find('.'), text.size()));
    return number <= most ? number : 0;
  };
  Date date;
  date.year = static_cast<std::uint16_t>(next(kMostYear));
  date.month = static_cast<std::uint8_t>(next(kMonths));
  date.day = static_cast<std::uint8_t>(next(kDays));
  return date.year == 0 ? Date{} : date;
}

}  // namespace

SpellingLine parse_spelling_line(std::string_view line) {
  std::string_view text = trim_left(line);
  if (text.empty() || text.front() == '#') return {};
  // Most lines are commands, and have no comments.
  if (text.front() == '%' && text.find('#') == std::string_view::npos) {
    return parse_command(trim(text));
  }
  const std::size_t hash = text.find('#');
  const std::string_view comment =
      hash == std::string_view::npos ? std::string_view() : text.substr(hash + 1);
  text = trim(text.substr(0, hash));
  switch (text.front()) {
    case '>':
      return {};
    case '=':
      return {.kind = SpellingLine::Kind::Spelling, .text = trim_left(text.substr(1))};
    case '%':
      return parse_command(text);
    case '@':
      return parse_section(text.substr(1));
    default:
      return {.kind = SpellingLine::Kind::Name, .text = text, .data = trim(comment)};
  }
}

std::optional<NameKind> parse_spelling_section(std::string_view word) {
  for (const auto& [name, kind] :
       {std::pair("player", NameKind::Player), std::pair("event", NameKind::Event),
        std::pair("site", NameKind::Site), std::pair("round", NameKind::Round)}) {
    if (equal_but_for_case(word, name)) return kind;
  }
  return std::nullopt;
}

std::optional<Replacement> parse_replacement(std::string_view text) {
  constexpr std::size_t kQuotes = 4;
  std::array<std::size_t, kQuotes> quotes{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '"') continue;
    if (count == kQuotes) return std::nullopt;
    quotes[count++] = i;
  }
  if (count != kQuotes || quotes[1] == quotes[0] + 1) return std::nullopt;
  const auto between = [&](std::size_t a) {
    return text.substr(quotes[a] + 1, quotes[a + 1] - quotes[a] - 1);
  };
  return Replacement{.from = between(0), .to = between(2)};
}

std::string titles_to_string(std::uint32_t titles) {
  std::string text;
  for (std::size_t i = 0; i < kTitleNames.size(); ++i) {
    if ((titles >> i & 1) == 0) continue;
    if (!text.empty()) text += '+';
    text += kTitleNames[i];
  }
  return text;
}

std::optional<std::uint32_t> parse_title(std::string_view text) {
  for (std::size_t i = 0; i < kTitleNames.size(); ++i) {
    if (equal_but_for_case(text, kTitleNames[i])) return std::uint32_t{1} << i;
  }
  return std::nullopt;
}

PlayerData parse_player_data(std::string_view data) {
  PlayerData player;
  const std::size_t rating = data.find('[');
  std::string_view front = data.substr(0, rating);
  read_titles(take_word(front), player);
  player.countries = take_word(front);
  if (rating == std::string_view::npos) return player;
  const std::size_t rating_end = std::min(data.find(']', rating), data.size());
  std::string_view highest = data.substr(rating + 1, rating_end - rating - 1);
  player.is_estimated = highest.find('*') != std::string_view::npos;
  constexpr std::uint32_t kMostRating = 9999;
  const std::uint32_t number = take_number(highest);
  player.highest = static_cast<std::uint16_t>(number <= kMostRating ? number : 0);

  std::string_view rest = data.substr(std::min(rating_end + 1, data.size()));
  const std::string_view life = take_word(rest);
  player.born = read_date(life.substr(0, life.find('-')));
  if (const std::size_t dash = life.find('-'); dash != std::string_view::npos) {
    const std::size_t death = life.find_first_not_of('-', dash);
    if (death != std::string_view::npos) player.died = read_date(life.substr(death));
  }
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (word.find('w') != std::string_view::npos) player.is_woman = true;
    if (word.find('i') != std::string_view::npos) player.is_inactive = true;
  }
  return player;
}

// These lines are nearly all of a spelling file.
void parse_elo(std::string_view text, std::vector<YearRating>& ratings) {
  constexpr std::size_t kYearDigits = 4;
  constexpr std::uint32_t kMostRating = 9999;
  while (true) {
    text = trim_left(text);
    const auto year = parse_number<std::uint16_t>(text.substr(0, kYearDigits));
    if (!year.has_value() || text.size() <= kYearDigits || text[kYearDigits] != ':') return;
    text.remove_prefix(kYearDigits + 1);
    while (!text.empty() && text.front() != ' ') {
      std::uint32_t elo = 0;
      if (is_digit(text.front())) {
        do {
          elo =
              std::min(elo * 10 + static_cast<std::uint32_t>(text.front() - '0'), kMostRating + 1);
          text.remove_prefix(1);
        } while (!text.empty() && is_digit(text.front()));
      } else if (text.front() == '?') {
        text.remove_prefix(1);
      } else {
        return;
      }
      ratings.push_back(
          {.year = *year, .elo = static_cast<std::uint16_t>(elo <= kMostRating ? elo : 0)});
      if (text.starts_with(',')) text.remove_prefix(1);
    }
  }
}

void append_months(const std::vector<YearRating>& ratings, std::vector<MonthRating>& months) {
  constexpr std::size_t kMonths = 12;
  for (std::size_t begin = 0, end = 0; begin < ratings.size(); begin = end) {
    const std::uint16_t year = ratings[begin].year;
    while (end < ratings.size() && ratings[end].year == year) ++end;
    if (year > kMostYear) continue;
    for (std::size_t i = begin; i < end; ++i) {
      if (ratings[i].elo == 0) continue;
      const std::size_t month = year * kMonths + (i - begin) * kMonths / (end - begin);
      months.push_back({.month = static_cast<std::uint16_t>(month), .elo = ratings[i].elo});
    }
  }
}

std::uint32_t parse_fide_id(std::string_view text) {
  if (take_word(text) != "FIDEID") return 0;
  return parse_number<std::uint32_t>(take_word(text)).value_or(0);
}

}  // namespace scidfs::codec::scid
