#include "tests/mounted/set_queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace scidfs::tests {
namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view kNowhere = "0";  // a condition that is never met
constexpr const char* kBothNamed = "!nameless(white) && !nameless(black)";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; });
}
bool is_nameless(std::string_view name) { return name.empty() || name == "?"; }
// A name in index.tsv.
std::string_view shown_name(std::string_view name) { return is_nameless(name) ? "" : name; }
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}

// How names are compared, in ASCII: small letters, and blanks for `_`, which file names have for
// both.
std::string fold(std::string_view name) {
  std::string folded = to_lower(name);
  std::ranges::replace(folded, '_', ' ');
  return folded;
}

// A text as awk writes it.
std::string awk_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

// An option of the header search of Scid.
std::string scid_option(std::string_view option, std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (!is_letter(c) && !is_digit(c) && (c & 0x80) == 0) word += '\\';
    word += c;
  }
  return fmt::format("-{} {} ", option, word);
}
std::string scid_range(std::string_view option, std::string_view least, std::string_view most) {
  return fmt::format("-{} {{{} {}}} ", option, least, most);
}
// A quoted name must match completely.
std::string scid_name(std::string_view option, std::string_view name) {
  return scid_option(option, '"' + std::string(name) + '"');
}

// All pairs of these and those.
ScidSearches each_with_each(const ScidSearches& these, const ScidSearches& those) {
  ScidSearches all;
  for (const std::string& one : these) {
    for (const std::string& other : those) all.push_back(one + other);
  }
  return all;
}

std::string both(std::string_view one, std::string_view other) {
  return fmt::format("({}) && ({})", one, other);
}
std::string either(std::string_view one, std::string_view other) {
  return fmt::format("({}) || ({})", one, other);
}

// A value and its meaning for awk, for some name.
struct NamePattern {
  std::string value;
  std::string test;                      // after the name: `== fold("...")`; empty: nameless(NAME)
  std::optional<std::string> part = {};  // Scid searches for it anywhere in names
  bool is_whole = false;                 // equals the name except for its case
};

std::string holds(const NamePattern& pattern, std::string_view name) {
  return pattern.test.empty() ? fmt::format("nameless({})", name)
                              : fmt::format("{} {}", name, pattern.test);
}

// The player whose opponents are meant.
struct Subject {
  std::string white, black;  // if the player has this color
  ScidSearches scid_white, scid_black;
};

struct Facet {
  std::string name;
  std::string condition;
  ScidSearches scid;
  // Where the condition is not met: whether that is certain.
  std::string known = "1";
  // If Scid can search for the games of which it is: an option for these.
  std::optional<std::string> scid_known = {};
};

// The games of which it is known that they do not meet a condition.
Facet negated(const Facet& facet) {
  Facet negation{.name = "not-" + facet.name,
                 .condition = fmt::format("!({}) && ({})", facet.condition, facet.known),
                 .scid = {}};
  // Scid negates one option.
  if (facet.scid_known.has_value() && facet.scid.size() == 1) {
    std::string search = facet.scid[0];
    search.insert(search.find(' '), "!");
    negation.scid = {*facet.scid_known + search};
  }
  return negation;
}

// The games that meet one of two conditions with the same key.
Facet either(const Facet& one, const Facet& other) {
  Facet list{.name = one.name + ',' + other.name.substr(other.name.find('=') + 1),
             .condition = either(one.condition, other.condition),
             .scid = {},
             .known = both(one.known, other.known)};
  if (!one.scid.empty() && !other.scid.empty()) {
    list.scid = one.scid;
    list.scid.insert(list.scid.end(), other.scid.begin(), other.scid.end());
  }
  return list;
}

struct Range {
  std::string value;
  std::optional<long> least, most;
};

class QueryMaker {
 public:
  QueryMaker(const AskedDatabase& database, Random& random) : database_(database), random_(random) {
    for (const IndexTable* const table : {&database.games, &database.deleted}) {
      for (const IndexLine& line : table->lines()) {
        for (const IndexColumn column : {kWhiteColumn, kBlackColumn}) add(players_, line[column]);
        add(events_, line[kEventColumn]);
        add(sites_, line[kSiteColumn]);
        add(rounds_, line[kRoundColumn]);
        has_event_dates_ = has_event_dates_ || !line[kEventDateColumn].empty();
        has_other_ratings_ = has_other_ratings_ || !line[kWhiteRatingColumn].empty() ||
                             !line[kBlackRatingColumn].empty();
      }
    }
    for (const auto& [folded, names] : players_) {
      for (const std::string& name : names) ++directories_[to_lower(directory_name(name))];
    }
  }

  Query make() {
    Query query;
    do {
      query = try_to_query();
    } while (query.directory.empty());
    return query;
  }

 private:
  // By fold(): names that are equal after it.
  using Names = std::map<std::string, std::set<std::string>, std::less<>>;

  static void add(Names& names, std::string_view name) { names[fold(name)].emplace(name); }
  // Whether another name has the same field in index.tsv.
  static bool is_one_of_two(const Names& names, std::string_view name) {
    return is_nameless(name) && names.contains("") && names.contains("?");
  }

  bool one_in(std::size_t count) { return random_.one_in(count); }
  template <class T, std::size_t kCount>
  const T& any(const std::array<T, kCount>& these) {
    return these[random_.below(kCount)];
  }
  const IndexLine& any_line(const IndexTable& table) {
    return table.lines()[random_.below(table.lines().size())];
  }

  Query try_to_query();
  // Sets directory, condition, scid and of_deleted of the set to narrow. False: not possible here.
  bool start(const IndexLine& line, Query& query, std::optional<Subject>& subject);
  bool start_at_player(const IndexLine& line, Query& query, std::optional<Subject>& subject);
  std::optional<Facet> facet(std::string_view key, const IndexLine& line,
                             const std::optional<Subject>& subject);

  // The same, perhaps with several values.
  std::optional<Facet> listed_facet(std::string_view key, const IndexLine& line,
                                    const std::optional<Subject>& subject);

  // One of its values in a name of a file.
  std::string value_of(std::string_view text);
  std::string value_of_characters(std::string_view text, bool escape_letters);
  NamePattern pattern_of(std::string_view name);
  std::string other_case(std::string_view name);
  Range range_around(long value, std::size_t spread, std::optional<long> least);
  std::string date_bound(const IndexLine& line, int years, std::array<unsigned, 3>& bound);

  ScidSearches scid_names(const NamePattern& pattern, const Names& names, std::string_view name,
                          std::string_view option) const;
  Facet name_facet(std::string_view key, const Names& names, std::string_view name,
                   std::string_view folded);
  Facet player_facet(std::string_view name, Subject& subject);
  Facet colour_facet(std::string_view key, std::string_view name);
  Facet opponent_facet(std::string_view name, const std::optional<Subject>& subject);
  Facet range_facet(std::string_view key, const Range& range, std::string_view variable,
                    std::string_view known) const;
  std::optional<Facet> date_facet(const IndexLine& line);
  std::optional<Facet> eco_facet(std::string_view code);
  std::optional<Facet> flag_facet(std::string_view flags);
  Facet annotated_facet(const IndexLine& line);
  Facet material_facet(std::string_view material);

  const AskedDatabase& database_;
  Random& random_;
  Names players_, events_, sites_, rounds_;
  bool has_event_dates_ = false;
  bool has_other_ratings_ = false;               // than Elo
  std::map<std::string, unsigned> directories_;  // of players: how many would have this one
};

std::string QueryMaker::value_of_characters(std::string_view text, bool escape_letters) {
  constexpr std::string_view kAsTheyAre = ",.()+-&#!@";
  std::string value;
  for (const char c : text) {
    const bool beyond_ascii = (c & 0x80) != 0;
    const bool as_it_is = is_letter(c) || is_digit(c) || kAsTheyAre.find(c) != std::string::npos ||
                          (beyond_ascii && !escape_letters);
    if (c == ' ' || (c == '_' && one_in(2))) {
      value += '_';
    } else if (as_it_is && !one_in(60)) {
      value += c;
    } else {
      const auto byte = static_cast<unsigned>(static_cast<unsigned char>(c));
      value += one_in(2) ? fmt::format("%{:02x}", byte) : fmt::format("%{:02X}", byte);
    }
  }
  return value;
}

std::string QueryMaker::value_of(std::string_view text) {
  // A letter beyond ASCII is written as it is or as %XX, but completely.
  return value_of_characters(text, one_in(2));
}

std::string QueryMaker::other_case(std::string_view name) {
  std::string other(name);
  for (char& c : other) {
    if (is_letter(c) && one_in(2)) c = static_cast<char>(c ^ 0x20);
  }
  return other;
}

// As a regular expression.
std::string expression_of(std::string_view text) {
  std::string expression;
  for (const char c : text) {
    if (c == '\\' || c == '^') {
      expression += '\\';
      expression += c;
    } else if (is_letter(c) || is_digit(c) || c == ' ' || (c & 0x80) != 0) {
      expression += c;
    } else {
      expression += fmt::format("[{}]", c);
    }
  }
  return expression;
}

// Offsets of characters, and the end.
std::vector<std::size_t> characters_of(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] & 0xC0) != 0x80) starts.push_back(i);
  }
  starts.push_back(text.size());
  return starts;
}

std::string without_accents(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 12> kAccents = {{{"é", 'e'},
                                                                           {"è", 'e'},
                                                                           {"á", 'a'},
                                                                           {"à", 'a'},
                                                                           {"ä", 'a'},
                                                                           {"ã", 'a'},
                                                                           {"ö", 'o'},
                                                                           {"ü", 'u'},
                                                                           {"Ü", 'U'},
                                                                           {"Ú", 'U'},
                                                                           {"ì", 'i'},
                                                                           {"ñ", 'n'}}};
  std::string plain(text);
  for (const auto& [accent, letter] : kAccents) {
    for (std::size_t at = 0; (at = plain.find(accent)) != std::string::npos;) {
      plain.replace(at, accent.size(), 1, letter);
    }
  }
  return plain;
}

NamePattern QueryMaker::pattern_of(std::string_view name) {
  if (is_nameless(name)) return {.value = "_unknown", .test = ""};
  const auto whole = [&](std::string_view text) {
    return NamePattern{.value = value_of(text),
                       .test = fmt::format("== fold({})", awk_text(name)),
                       .is_whole = true};
  };
  const auto expression = [](std::string value, std::string_view text) {
    return NamePattern{.value = std::move(value),
                       .test = fmt::format("~ fold({})", awk_text(fmt::format("^{}$", text)))};
  };
  const std::vector<std::size_t> starts = characters_of(name);
  const std::size_t characters = starts.size() - 1;
  const auto part = [&](std::size_t from, std::size_t to) {
    return name.substr(starts[from], starts[to] - starts[from]);
  };
  // A pattern made from such a name may find the name `?`, which index.tsv does not tell.
  if (characters == 1 || name.find('?') != std::string_view::npos) return whole(name);
  switch (random_.below(10)) {
    case 0: {  // the beginning
      const std::string_view text = part(0, 1 + random_.below(characters));
      return expression(value_of(text) + "*", expression_of(text) + ".*");
    }
    case 1: {  // the end
      const std::string_view text = part(random_.below(characters), characters);
      return expression("*" + value_of(text), ".*" + expression_of(text));
    }
    case 2: {  // a middle part
      const std::size_t from = random_.below(characters);
      const std::string text(part(from, from + 1 + random_.below(characters - from)));
      NamePattern found = expression("*" + value_of(text) + "*", ".*" + expression_of(text) + ".*");
      if (text.size() >= 3 && std::ranges::all_of(text, is_letter)) found.part = text;
      return found;
    }
    case 3: {  // with a wildcard for one character
      const std::size_t at = random_.below(characters);
      return expression(
          value_of(part(0, at)) + "?" + value_of(part(at + 1, characters)),
          fmt::format("{}([\\001-\\177]|[\\302-\\364][\\200-\\277]+){}", expression_of(part(0, at)),
                      expression_of(part(at + 1, characters))));
    }
    case 4:
      return whole(other_case(name));
    case 5:
      return whole(without_accents(name));
    default:
      return whole(name);
  }
}

ScidSearches QueryMaker::scid_names(const NamePattern& pattern, const Names& names,
                                    std::string_view name, std::string_view option) const {
  ScidSearches searches;
  if (pattern.part.has_value()) {
    // Scid skips blanks.
    const std::string part = to_lower(*pattern.part);
    for (const auto& [folded, cased] : names) {
      std::string dense = folded;
      std::erase(dense, ' ');
      if (dense.find(part) != std::string::npos && folded.find(part) == std::string::npos)
        return {};
    }
    return {scid_option(option, *pattern.part)};
  }
  if (!pattern.is_whole || !is_ascii(name) || is_nameless(name)) return {};
  // Scid compares the case of whole names.
  for (const std::string& cased : names.find(fold(name))->second) {
    searches.push_back(scid_name(option, cased));
  }
  return searches;
}

Facet QueryMaker::name_facet(std::string_view key, const Names& names, std::string_view name,
                             std::string_view folded) {
  const NamePattern pattern = pattern_of(name);
  return {.name = fmt::format("{}={}", key, pattern.value),
          .condition = holds(pattern, folded),
          .scid = scid_names(pattern, names, name, key),
          .known = fmt::format("!nameless({})", folded)};
}

Facet QueryMaker::player_facet(std::string_view name, Subject& subject) {
  const NamePattern pattern = pattern_of(name);
  subject = {.white = holds(pattern, "white"),
             .black = holds(pattern, "black"),
             .scid_white = scid_names(pattern, players_, name, "white"),
             .scid_black = scid_names(pattern, players_, name, "black")};
  return {.name = "player=" + pattern.value,
          .condition = either(subject.white, subject.black),
          .scid = scid_names(pattern, players_, name, "player"),
          .known = kBothNamed};
}

Facet QueryMaker::opponent_facet(std::string_view name, const std::optional<Subject>& subject) {
  const NamePattern pattern = pattern_of(name);
  Facet facet{.name = "opponent=" + pattern.value, .condition = {}, .scid = {}};
  const std::string white = holds(pattern, "white");
  const std::string black = holds(pattern, "black");
  if (!subject.has_value()) {
    facet.condition = either(white, black);
    facet.scid = scid_names(pattern, players_, name, "player");
    facet.known = kBothNamed;
    return facet;
  }
  facet.condition = either(both(subject->white, black), both(subject->black, white));
  facet.known = fmt::format("(!({}) || !nameless(black)) && (!({}) || !nameless(white))",
                            subject->white, subject->black);
  facet.scid = each_with_each(subject->scid_white, scid_names(pattern, players_, name, "black"));
  const ScidSearches with_black =
      each_with_each(subject->scid_black, scid_names(pattern, players_, name, "white"));
  facet.scid.insert(facet.scid.end(), with_black.begin(), with_black.end());
  return facet;
}

Range QueryMaker::range_around(long value, std::size_t spread, std::optional<long> least) {
  long from = value - static_cast<long>(random_.below(spread + 1));
  if (least.has_value()) from = std::max(from, *least);
  const long to = value + static_cast<long>(random_.below(spread + 1));
  switch (random_.below(8)) {
    case 0:
      return {one_in(2) ? fmt::format("{}..", from) : fmt::format("from{}", from), from,
              std::nullopt};
    case 1:
      return {one_in(2) ? fmt::format("..{}", to) : fmt::format("to{}", to), std::nullopt, to};
    case 2:
    case 3:
      return {fmt::format("{}", value), value, value};
    case 4:
      if (one_in(3)) return {"..", std::nullopt, std::nullopt};
      [[fallthrough]];
    default:
      return {fmt::format("{}..{}", from, to), from, to};
  }
}

std::string condition_of(const Range& range, std::string_view variable) {
  std::string condition = "1";
  if (range.least.has_value()) condition += fmt::format(" && {} >= {}", variable, *range.least);
  if (range.most.has_value()) condition += fmt::format(" && {} <= {}", variable, *range.most);
  return condition;
}

Facet QueryMaker::range_facet(std::string_view key, const Range& range, std::string_view variable,
                              std::string_view known) const {
  const auto scid = [&](std::string_view option, long least, long most) {
    return scid_range(option, std::to_string(std::max(least, range.least.value_or(least))),
                      std::to_string(range.most.value_or(most)));
  };
  constexpr long kMostElo = 4000;
  Facet facet{.name = fmt::format("{}={}", key, range.value),
              .condition = fmt::format("{} && {}", known, condition_of(range, variable)),
              .scid = {},
              .known = std::string(known)};
  const std::string rated = scid_range("welo", "1", "4000") + scid_range("belo", "1", "4000");
  if (key == "year") {
    facet.scid = {scid_range("date", fmt::format("{:04}.00.00", range.least.value_or(1)),
                             fmt::format("{:04}.12.31", range.most.value_or(2047)))};
    facet.scid_known = scid_range("date", "0001.00.00", "2047.12.31");
  } else if (key == "white_elo") {
    facet.scid = {scid("welo", 1, kMostElo)};
    facet.scid_known = scid_range("welo", "1", "4000");
  } else if (key == "black_elo") {
    facet.scid = {scid("belo", 1, kMostElo)};
    facet.scid_known = scid_range("belo", "1", "4000");
  } else if (key == "elo") {
    facet.condition = either(fmt::format("white_elo > 0 && {}", condition_of(range, "white_elo")),
                             fmt::format("black_elo > 0 && {}", condition_of(range, "black_elo")));
    facet.known = "rated";
    facet.scid = {scid("welo", 1, kMostElo), scid("belo", 1, kMostElo)};
  } else if (key == "elo_difference") {
    facet.scid = {scid("delo", -kMostElo, kMostElo) + rated};
  } else if (key == "plies") {
    facet.scid = {scid("length", 0, 10'000)};
    facet.scid_known = "";
  } else if (key == "number") {
    facet.scid = {scid("gnum", 1, 100'000'000)};
    facet.scid_known = "";
  }
  // Scid compares ratings of all systems.
  if (has_other_ratings_ && key.find("elo") != std::string_view::npos) facet.scid.clear();
  return facet;
}

// A bound some years away from that of the line, as exact as that or less.
std::string QueryMaker::date_bound(const IndexLine& line, int years,
                                   std::array<unsigned, 3>& bound) {
  const std::string_view date = line[kDateColumn];
  bound = {static_cast<unsigned>(static_cast<int>(line.year()) + years),
           to_number(date.substr(5, 2)), to_number(date.substr(8, 2))};
  if (bound[1] == 0 || one_in(3)) bound[1] = bound[2] = 0;
  if (one_in(2)) bound[2] = 0;
  std::string text = fmt::format("{:04}", bound[0]);
  for (std::size_t part = 1; part < 3 && bound[part] != 0; ++part) {
    text += fmt::format(".{:02}", bound[part]);
  }
  return text;
}

std::optional<Facet> QueryMaker::date_facet(const IndexLine& line) {
  if (line.year() < 20 || line.year() > 2030) return std::nullopt;
  std::array<unsigned, 3> from{};
  std::array<unsigned, 3> until{};
  bool has_from = !one_in(5);
  bool has_until = !has_from || !one_in(5);
  std::string value;
  if (one_in(3)) {
    value = date_bound(line, 0, from);
    until = from;
    has_from = has_until = true;
  } else {
    const std::string begin = date_bound(line, -static_cast<int>(random_.below(4)), from);
    const std::string end = date_bound(line, static_cast<int>(random_.below(4)), until);
    if (from > until) return std::nullopt;
    value = (has_from ? begin : "") + ".." + (has_until ? end : "");
  }
  Facet facet{.name = "date=" + value, .condition = "1", .scid = {}, .known = "year > 0"};
  std::string least = "0001.00.00";
  std::string most = "2047.12.31";
  std::string but;
  if (has_from) {
    facet.condition += fmt::format(" && from({}, {}, {})", from[0], from[1], from[2]);
    facet.known += fmt::format(" && compares({}, {}, {})", from[0], from[1], from[2]);
    least = fmt::format("{:04}.{:02}.{:02}", from[0], from[1], from[2]);
  }
  if (has_until) {
    facet.condition += fmt::format(" && until({}, {}, {})", until[0], until[1], until[2]);
    facet.known += fmt::format(" && compares({}, {}, {})", until[0], until[1], until[2]);
    most = fmt::format("{:04}.{:02}.{:02}", until[0], until[1] == 0 ? 12 : until[1],
                       until[2] == 0 ? 31 : until[2]);
    // Unknown values come first in Scid's order.
    if (until[1] != 0) {
      but += scid_range("date!", fmt::format("{:04}.00.00", until[0]),
                        fmt::format("{:04}.00.31", until[0]));
    }
    if (until[2] != 0) {
      const std::string unknown = fmt::format("{:04}.{:02}.00", until[0], until[1]);
      but += scid_range("date!", unknown, unknown);
    }
  }
  facet.scid = {scid_range("date", least, most) + but};
  return facet;
}

std::optional<Facet> QueryMaker::eco_facet(std::string_view code) {
  if (code.empty()) return std::nullopt;
  const auto prefix = [&](std::string_view of) {
    return std::string(of.substr(0, 1 + random_.below(3)));
  };
  const auto written = [&](const std::string& text) { return one_in(4) ? to_lower(text) : text; };
  std::string least = prefix(code);
  std::string most = least;
  Facet facet{.name = "eco=" + written(least),
              .condition = {},
              .scid = {},
              .known = "eco != \"\"",
              .scid_known = scid_range("eco", "A00", "E99")};
  if (one_in(2)) {
    most = prefix(code);
    if (most.size() == 3 && one_in(2)) most[2] = '9';
    const bool has_least = !one_in(5);
    const bool has_most = !has_least || !one_in(5);
    facet.name =
        "eco=" + (has_least ? written(least) : "") + ".." + (has_most ? written(most) : "");
    if (!has_least) least = "A";
    if (!has_most) most = "E";
  }
  facet.condition =
      fmt::format("eco != \"\" && substr(eco, 1, {}) >= \"{}\" && substr(eco, 1, {}) <= \"{}\"",
                  least.size(), least, most.size(), most);
  facet.scid = {scid_range("eco", least + std::string(3 - least.size(), '0'),
                           most + std::string(3 - most.size(), '9'))};
  return facet;
}

std::optional<Facet> QueryMaker::flag_facet(std::string_view flags) {
  std::string letters;
  for (const char letter : flags) {
    if (letter != 'D' && (letters.empty() || one_in(2))) letters += letter;
  }
  if (letters.empty()) return std::nullopt;
  Facet facet{.name = "flag=", .condition = "1", .scid = {scid_option("flag", letters)}};
  for (const char letter : letters) {
    if (!facet.name.ends_with('=')) facet.name += '+';
    facet.name +=
        one_in(2) ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned>(letter));
    facet.condition += fmt::format(" && index($15, \"{}\")", letter);
  }
  return facet;
}

Facet QueryMaker::annotated_facet(const IndexLine& line) {
  const auto has = [&](IndexColumn column) { return line[column] != "0"; };
  const ScidSearches any = {"-n_comments! 0 ", "-n_variations! 0 ", "-n_nags! 0 "};
  Facet none{"annotated=no",
             "$16 == 0 && $17 == 0 && $18 == 0",
             {"-n_comments 0 -n_variations 0 -n_nags 0 "}};
  const bool is_annotated = has(kCommentsColumn) || has(kVariationsColumn) || has(kNagsColumn);
  if (!is_annotated && !one_in(5)) return none;
  switch (random_.below(4)) {
    case 0:
      return {"annotated=any", "$16 > 0 || $17 > 0 || $18 > 0", any};
    case 1:
      return {"annotated=comments", "$17 > 0", {any[0]}};
    case 2:
      return {"annotated=variations", "$16 > 0", {any[1]}};
    default:
      return {"annotated=nags", "$18 > 0", {any[2]}};
  }
}

// From "Q1R2B0N1P6-Q1R2B0N1P5".
Facet QueryMaker::material_facet(std::string_view material) {
  std::array<std::string, 2> values;
  std::array<std::string, 2> conditions;  // with SIDE for the side
  const std::size_t dash = material.find('-');
  const std::array<std::string_view, 2> sides = {material.substr(0, dash),
                                                 material.substr(dash + 1)};
  for (std::size_t side = 0; side < 2; ++side) {
    values[side] = "K";
    conditions[side] = "1";
    for (const char piece : {'Q', 'R', 'B', 'N', 'P'}) {
      const std::size_t at = sides[side].find(piece);
      const unsigned count = to_number(sides[side].substr(at + 1, 2));
      unsigned named = count;
      const bool or_more = count > 0 && one_in(5);
      if (or_more) named = static_cast<unsigned>(1 + random_.below(count));
      values[side] += std::string(named, piece) + (or_more ? "+" : "");
      conditions[side] +=
          fmt::format(" && has(SIDE, \"{}\") {} {}", piece, or_more ? ">=" : "==", named);
    }
  }
  if (one_in(2)) {
    std::swap(values[0], values[1]);
    std::swap(conditions[0], conditions[1]);
  }
  const auto of = [](std::string condition, std::string_view side) {
    for (std::size_t at = 0; (at = condition.find("SIDE")) != std::string::npos;) {
      condition.replace(at, 4, side);
    }
    return condition;
  };
  return {.name = fmt::format("material={}v{}", values[0], values[1]),
          .condition = either(both(of(conditions[0], "white_men"), of(conditions[1], "black_men")),
                              both(of(conditions[1], "white_men"), of(conditions[0], "black_men"))),
          .scid = {}};
}

std::optional<Facet> QueryMaker::facet(std::string_view key, const IndexLine& line,
                                       const std::optional<Subject>& subject) {
  const std::string_view date = line[kDateColumn];
  const unsigned white_elo = line.elo(kWhiteEloColumn);
  const unsigned black_elo = line.elo(kBlackEloColumn);
  if (key == "white") return name_facet(key, players_, line[kWhiteColumn], "white");
  if (key == "black") return name_facet(key, players_, line[kBlackColumn], "black");
  if (key == "opponent") {
    return opponent_facet(line[one_in(2) ? kWhiteColumn : kBlackColumn], subject);
  }
  if (key == "event") return name_facet(key, events_, line[kEventColumn], "event");
  if (key == "site") return name_facet(key, sites_, line[kSiteColumn], "site");
  if (key == "round") return name_facet(key, rounds_, line[kRoundColumn], "round");
  if (key == "date") return date_facet(line);
  if (key == "eco") return eco_facet(line[kEcoColumn].substr(0, 3));
  if (key == "flag") return flag_facet(line[kFlagsColumn]);
  if (key == "annotated") return annotated_facet(line);
  if (key == "material") return material_facet(line[kMaterialColumn]);
  if (key == "year") {
    if (line.year() == 0) return std::nullopt;
    return range_facet(key, range_around(line.year(), 5, 1), key, "year > 0");
  }
  if (key == "month") {
    const unsigned month = to_number(date.substr(5, 2));
    if (month == 0) return std::nullopt;
    const long most = 12;
    Range range = range_around(month, 3, 1);
    if (range.most.value_or(most) > most) return std::nullopt;
    return range_facet(key, range, key, "month > 0");
  }
  if (key == "result") {
    constexpr std::array<std::array<std::string_view, 3>, 4> kResults = {{{"1-0", "1-0", "1"},
                                                                          {"0-1", "0-1", "0"},
                                                                          {"1/2-1/2", "draw", "="},
                                                                          {"*", "unknown", "*"}}};
    for (const auto& [token, value, of_scid] : kResults) {
      if (line[kResultColumn] != token) continue;
      return Facet{.name = fmt::format("result={}", value),
                   .condition = fmt::format("$6 == \"{}\"", token),
                   .scid = {fmt::format("-result {} ", of_scid)},
                   .scid_known = ""};
    }
    return std::nullopt;
  }
  if (key == "elo") {
    const unsigned elo = one_in(2) && white_elo > 0 ? white_elo : black_elo;
    if (elo == 0) return std::nullopt;
    return range_facet(key, range_around(elo, 100, 1), "", "");
  }
  if (key == "white_elo") {
    if (white_elo == 0) return std::nullopt;
    return range_facet(key, range_around(white_elo, 100, 1), key, "white_elo > 0");
  }
  if (key == "black_elo") {
    if (black_elo == 0) return std::nullopt;
    return range_facet(key, range_around(black_elo, 100, 1), key, "black_elo > 0");
  }
  if (key == "elo_difference") {
    if (white_elo == 0 || black_elo == 0) return std::nullopt;
    const long difference = static_cast<long>(white_elo) - static_cast<long>(black_elo);
    return range_facet(key, range_around(difference, 80, std::nullopt), "difference", "rated");
  }
  if (key == "plies") {
    return range_facet(key, range_around(to_number(line[kPliesColumn]), 20, 0), "$12", "1");
  }
  if (key == "number") {
    const std::size_t spread = database_.games.lines().size() / 5;
    return range_facet(key, range_around(to_number(line[kNumberColumn]), spread, 1), "$1", "1");
  }
  if (key == "start" && database_.tells_starts) {
    if (line[kFlagsColumn].find('S') == std::string::npos) {
      return Facet{"start=standard", "!index($15, \"S\")", {"-flag! S "}};
    }
    return Facet{"start=fen", "index($15, \"S\")", {"-flag S "}};
  }
  return std::nullopt;
}

std::optional<Facet> QueryMaker::listed_facet(std::string_view key, const IndexLine& line,
                                              const std::optional<Subject>& subject) {
  constexpr std::array<std::string_view, 14> kWithLists = {
      "year",      "month",          "date",  "result", "eco",  "elo",       "white_elo",
      "black_elo", "elo_difference", "plies", "number", "flag", "annotated", "material"};
  std::optional<Facet> list = facet(key, line, subject);
  if (std::ranges::find(kWithLists, key) == kWithLists.end()) return list;
  while (list.has_value() && one_in(4)) {
    const std::optional<Facet> more = facet(key, any_line(database_.games), subject);
    if (more.has_value()) list = either(*list, *more);
  }
  return list;
}

bool QueryMaker::start_at_player(const IndexLine& line, Query& query,
                                 std::optional<Subject>& subject) {
  const bool is_white = one_in(2);
  const std::string name(line[is_white ? kWhiteColumn : kBlackColumn]);
  const std::string directory = directory_name(name);
  if (directory.empty() || directories_[to_lower(directory)] != 1) return false;
  query.directory = fmt::format("players/{}/{}", shard_name(directory), directory);
  const bool one_colour = one_in(3);
  if (one_colour) query.directory += is_white ? "/white" : "/black";
  const bool scid_has_name = is_ascii(name) && !is_nameless(name);
  subject.emplace();
  if (!one_colour || is_white) {
    subject->white = fmt::format("$2 == {}", awk_text(shown_name(name)));
    if (scid_has_name) subject->scid_white = {scid_name("white", name)};
  } else {
    subject->white = kNowhere;
  }
  if (!one_colour || !is_white) {
    subject->black = fmt::format("$4 == {}", awk_text(shown_name(name)));
    if (scid_has_name) subject->scid_black = {scid_name("black", name)};
  } else {
    subject->black = kNowhere;
  }
  query.condition = either(subject->white, subject->black);
  query.scid = subject->scid_white;
  query.scid.insert(query.scid.end(), subject->scid_black.begin(), subject->scid_black.end());
  return true;
}

bool QueryMaker::start(const IndexLine& line, Query& query, std::optional<Subject>& subject) {
  query.condition = "1";
  query.scid = {""};
  const std::string date(line[kDateColumn]);
  const std::string eco(line[kEcoColumn].substr(0, 3));
  const auto at = [&](std::string directory, std::string condition, std::string scid) {
    query.directory = std::move(directory);
    query.condition = std::move(condition);
    query.scid = scid.empty() ? ScidSearches() : ScidSearches{std::move(scid)};
    return true;
  };
  switch (random_.below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return start_at_player(line, query, subject);
    case 5:
    case 6: {
      const std::string_view event = line[kEventColumn];
      const std::string_view site = line[kSiteColumn];
      const std::string names = directory_name(event) + "--" + directory_name(site);
      const unsigned year = line.event_year();
      // Of an address only the host counts.
      if (year == 0 || names.size() > 100 || site.find("--") != std::string_view::npos ||
          site.find("://") != std::string_view::npos || directory_name(event).empty() ||
          directory_name(site).empty() || is_one_of_two(events_, event) ||
          is_one_of_two(sites_, site)) {
        return false;
      }
      std::string scid;
      if (is_ascii(names) && !is_nameless(event) && !is_nameless(site) && !has_event_dates_) {
        scid =
            scid_name("event", event) + scid_name("site", site) +
            scid_range("date", fmt::format("{:04}.00.00", year), fmt::format("{:04}.12.31", year));
      }
      return at(fmt::format("events/{:04}/{}", year, names),
                fmt::format("$9 == {} && $10 == {} && event_year == {}",
                            awk_text(shown_name(event)), awk_text(shown_name(site)), year),
                scid);
    }
    case 7:
      if (line.year() == 0) return false;
      return at("years/" + date.substr(0, 4), fmt::format("year == {}", line.year()),
                scid_range("date", date.substr(0, 4) + ".00.00", date.substr(0, 4) + ".12.31"));
    case 8:
      if (line.year() == 0 || date[5] == '?') return false;
      return at(fmt::format("years/{}/{}", date.substr(0, 4), date.substr(5, 2)),
                fmt::format("substr($7, 1, 7) == \"{}\"", date.substr(0, 7)),
                scid_range("date", date.substr(0, 7) + ".00", date.substr(0, 7) + ".31"));
    case 9:
      if (eco.empty()) return at("eco/_unknown", "eco == \"\"", "");
      return at(fmt::format("eco/{}", eco[0]), fmt::format("substr(eco, 1, 1) == \"{}\"", eco[0]),
                scid_range("eco", eco.substr(0, 1) + "00", eco.substr(0, 1) + "99"));
    case 10:
      if (eco.empty()) return at("eco/_unknown", "eco == \"\"", "");
      return at(fmt::format("eco/{}/{}", eco[0], eco), fmt::format("eco == \"{}\"", eco),
                scid_range("eco", eco, eco));
    case 11: {
      constexpr std::array<std::pair<char, std::string_view>, 8> kFlags = {{{'S', "start-position"},
                                                                            {'X', "promotion"},
                                                                            {'W', "white-opening"},
                                                                            {'T', "tactics"},
                                                                            {'!', "brilliancy"},
                                                                            {'?', "blunder"},
                                                                            {'U', "user"},
                                                                            {'E', "endgame"}}};
      const auto& [letter, name] = any(kFlags);
      if (line[kFlagsColumn].find(letter) == std::string_view::npos) return false;
      return at(fmt::format("flags/{}", name), fmt::format("index($15, \"{}\")", letter),
                scid_option("flag", std::string(1, letter)));
    }
    default:
      return true;
  }
}

Query QueryMaker::try_to_query() {
  constexpr std::array<std::string_view, 22> kKeys = {
      "player",    "white",          "black",  "opponent", "event",     "site",
      "round",     "year",           "month",  "date",     "result",    "eco",
      "elo",       "plies",          "number", "flag",     "white_elo", "black_elo",
      "annotated", "elo_difference", "start",  "material"};
  Query query;
  query.of_deleted = !database_.deleted.lines().empty() && one_in(25);
  const IndexTable& table = query.of_deleted ? database_.deleted : database_.games;
  const IndexLine& line = any_line(table);
  std::optional<Subject> subject;
  if (query.of_deleted) {
    query.directory = "deleted";
    query.condition = "1";
    query.scid = {"-flag D "};
  } else {
    if (!start(line, query, subject)) return {};
    query.scid = each_with_each({"-flag! D "}, query.scid);
  }
  const bool whole = query.directory.empty();
  const std::size_t groups = !whole && one_in(6) ? 0 : one_in(7) ? 2 : 1;
  for (std::size_t group = 0; group < groups; ++group) {
    std::set<std::string_view> keys;
    const std::size_t count = 1 + random_.below(3);
    while (keys.size() < count) keys.insert(any(kKeys));
    std::vector<Facet> facets;
    // The player first: it determines whose opponents are meant.
    if (keys.erase("player") != 0) {
      facets.push_back(
          player_facet(line[one_in(2) ? kWhiteColumn : kBlackColumn], subject.emplace()));
    }
    for (const std::string_view key : keys) {
      // Sometimes a value that other games have.
      std::optional<Facet> one = listed_facet(key, one_in(12) ? any_line(table) : line, subject);
      if (one.has_value()) facets.push_back(*std::move(one));
    }
    if (one_in(2)) {
      // With not-, also of a key that is there already: mostly a value of another game, so that
      // this one stays.
      constexpr std::array<std::string_view, 6> kPartlyUnknown = {"player", "opponent", "elo",
                                                                  "date",   "site",     "eco"};
      const std::string_view key = one_in(2) ? any(kPartlyUnknown) : any(kKeys);
      Subject ignored;
      const IndexLine& other = one_in(8) ? line : any_line(table);
      std::optional<Facet> one = key == "player" ? player_facet(other[kWhiteColumn], ignored)
                                                 : listed_facet(key, other, subject);
      if (one.has_value()) facets.push_back(negated(*one));
    }
    if (facets.empty()) return {};
    query.directory += query.directory.empty() ? "search" : "/search";
    for (std::size_t left = facets.size(); left > 0; --left) {
      std::swap(facets[left - 1], facets[random_.below(left)]);
      const Facet& next = facets[left - 1];
      if (next.name.size() > 240) return {};
      query.directory += "/" + next.name;
      query.condition = both(query.condition, next.condition);
      query.scid = each_with_each(query.scid, next.scid);
    }
  }
  if (subject.has_value()) {
    query.subject_white = subject->white;
    query.subject_black = subject->black;
  }
  return query;
}

}  // namespace

std::string directory_name(std::string_view name) {
  constexpr std::size_t kMost = 180;
  if (is_nameless(name)) return "_unknown";
  constexpr std::string_view kEscaped = "/*?\"<>|:\\'[]{};$~%`";
  std::string escaped;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_first = i == 0;
    const bool is_last = i + 1 == name.size();
    const bool is_special =
        kEscaped.find(c) != std::string_view::npos || c < ' ' ? (c & 0x80) == 0 : c == '\x7F';
    if (is_special || (is_first && (c == '.' || c == '-' || c == '_' || c == ' ')) ||
        (is_last && (c == '.' || c == ' '))) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      escaped += c == ' ' ? '_' : c;
    }
  }
  return escaped.size() > kMost ? "" : escaped;
}

std::string shard_name(std::string_view directory_name) {
  const std::vector<std::size_t> starts = characters_of(directory_name);
  std::string shard;
  for (std::size_t i = 0; i < 2; ++i) {
    const char c = i + 1 < starts.size() ? to_lower(directory_name[starts[i]]) : '_';
    shard += is_letter(c) ? c : '_';
  }
  return shard;
}

std::vector<Query> random_queries(const AskedDatabase& database, std::size_t count,
                                  Random& random) {
  QueryMaker maker(database, random);
  std::vector<Query> queries;
  std::set<std::string> seen;
  for (std::size_t tries = 0; queries.size() < count && tries < 100 * count; ++tries) {
    Query query = maker.make();
    if (seen.insert(query.directory).second) queries.push_back(std::move(query));
  }
  return queries;
}

}  // namespace scidfs::tests
