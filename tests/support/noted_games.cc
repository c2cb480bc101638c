#include "tests/support/noted_games.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string_view>

#include "tests/support/pgn_parse.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::tests {
namespace {

using codec::Color;

constexpr auto kCommands = std::to_array<std::string_view>(
    {"[%eval 0.35]",     "[%eval -2.1]", "[%eval 2.17,18]", "[%eval -335,18]",  "[%eval #3]",
     "[%eval #-3,20]",   "[%eval -#2]",  "[%eval #0]",      "[%eval 4.]",       "[%eval\n0.5]",
     "[%eval 0.355]",    "[%eval ]",     "[%eval 152.65]",  "[%clk 0:05:23]",   "[%clk 1:02:03.4]",
     "[%clk 59:59]",     "[%clk 0:0:7]", "[%clk 7]",        "[%emt 0:00:30.5]", "[%csl Ra1]",
     "[%eval 0.1]}[%clk"});

class NotedGame {
 public:
  explicit NotedGame(Random& random)
      : random_(random),
        game_(random.one_in(3) ? ScidEncoder(random_fen(random)) : ScidEncoder()) {}

  std::string record(std::size_t plies) {
    line(plies, random_.one_in(2));
    std::string record = game_.record();
    if (random_.one_in(4)) record.append(text()).append(1, '\0');
    if (random_.one_in(8)) record.append(text()).append(1, '\0');
    return record;
  }

 private:
  std::string command() { return std::string(kCommands.at(random_.below(kCommands.size()))); }
  std::string text() {
    if (random_.one_in(6)) return random_comment(random_, 4);
    return random_.one_in(2) ? command() : command() + ' ' + command();
  }
  void notes() {
    constexpr std::size_t kMostNags = 3;
    for (std::size_t nags = random_.below(kMostNags + 1); nags != 0; --nags) {
      if (random_.one_in(2)) game_.nag(static_cast<std::uint8_t>(random_.below(24)));
    }
    while (random_.one_in(2)) game_.comment(text());
  }
  void line(std::size_t plies, bool has_variations) {
    notes();
    for (std::size_t ply = 0; ply < plies; ++ply) {
      game_.move(random_move(game_.position(), random_));
      notes();
      for (int i = 0; i < 2 && has_variations && game_.depth() < 3 && random_.one_in(4); ++i) {
        game_.begin_variation();
        line(random_.below(3), true);
        game_.end_variation();
        if (random_.one_in(3)) game_.comment(text());
        if (random_.one_in(3)) game_.nag(static_cast<std::uint8_t>(random_.below(24)));
      }
    }
  }

  Random& random_;
  ScidEncoder game_;
};

}  // namespace

std::string noted_record(Random& random, std::size_t plies) {
  return NotedGame(random).record(plies);
}

std::optional<std::int64_t> eval_by_pattern(const std::string& comments, Color to_move) {
  static const std::regex kPattern(
      R"(\[%eval[\s\x01-\x1F\x7F]+(?:([+-]?)#([+-]?)(\d+)|([+-]0{1,10},\d+|[+-]?(?:\d{0,10}\.\d+|\d{1,10},\d+(?=[,/])|\d{1,10}\.?)))([,/]\d+)?[\s\x01-\x1F\x7F]*\])");
  constexpr std::int64_t kMost = 10000;
  std::smatch match;
  if (!std::regex_search(comments, match, kPattern)) return std::nullopt;
  if (match[4].matched) {
    constexpr std::size_t kPlaces = 2;
    std::string number = match[4].str();
    std::ranges::replace(number, ',', '.');
    if (const std::size_t point = number.find('.'); point != std::string::npos) {
      number.resize(std::min(number.size(), point + 1 + kPlaces));
    }
    const bool is_in_hundredths = match[5].matched && number.find('.') == std::string::npos;
    const long double value = std::stold(number) * (is_in_hundredths ? 1 : 100);
    return std::clamp<std::int64_t>(std::llround(value), -kMost, kMost);
  }
  if (std::stold(match[3].str()) == 0) return to_move == Color::White ? -kMost : kMost;
  return (match[1] == "-") == (match[2] == "-") ? kMost : -kMost;
}

std::optional<std::int64_t> clock_by_pattern(const std::string& comments) {
  static const std::regex kPattern(
      R"(\[%clk[\s\x01-\x1F\x7F]+(?:(\d+):)?(\d+):(\d+)(?:[.,]\d*)?[\s\x01-\x1F\x7F]*\])");
  constexpr long double kMost = 9999999;
  std::smatch match;
  if (!std::regex_search(comments, match, kPattern)) return std::nullopt;
  const long double hours = match[1].matched ? std::stold(match[1].str()) : 0;
  const long double seconds =
      (hours * 60 + std::stold(match[2].str())) * 60 + std::stold(match[3].str());
  return static_cast<std::int64_t>(std::min(seconds, kMost));
}

ShownNotes::Values ShownNotes::evals() const {
  Values values;
  for (std::size_t ply = 0; ply < comments.size(); ++ply) {
    values.push_back(eval_by_pattern(comments[ply], to_move(ply)));
  }
  return values;
}

ShownNotes::Values ShownNotes::swings() const {
  const Values of_positions = evals();
  Values values(of_positions.size());
  for (std::size_t ply = 1; ply < values.size(); ++ply) {
    const auto& before = of_positions[ply - 1];
    const auto& after = of_positions[ply];
    if (!before.has_value() || !after.has_value()) continue;
    values[ply] = to_move(ply - 1) == Color::White ? *before - *after : *after - *before;
  }
  return values;
}

ShownNotes::Values ShownNotes::clocks() const {
  Values values;
  for (const std::string& comment : comments) values.push_back(clock_by_pattern(comment));
  return values;
}

ShownNotes shown_notes(const std::string& pgn) {
  ShownNotes shown{.comments = {""}, .nags = {}};
  const PgnGame game = parse_pgn(pgn).at(0);
  const bool is_black = tag_value(game, "FEN").find(" b ") != std::string::npos;
  if (is_black) shown.first_to_move = Color::Black;
  std::size_t depth = 0;
  for (const PgnToken& token : parse_movetext(game.movetext)) {
    const auto ply = static_cast<std::uint32_t>(shown.comments.size() - 1);
    if (token.kind == PgnToken::Kind::Open) ++depth;
    if (token.kind == PgnToken::Kind::Close) --depth;
    if (token.kind == PgnToken::Kind::Nag) {
      shown.nags.emplace_back(depth == 0 ? ply : ply - 1, std::stoi(token.text));
    }
    if (depth != 0) continue;
    if (token.kind == PgnToken::Kind::Move) shown.comments.emplace_back();
    if (token.kind == PgnToken::Kind::Comment) shown.comments.back() += token.text + ' ';
  }
  return shown;
}

std::optional<std::uint32_t> first_in(const ShownNotes::Values& values, std::int64_t first,
                                      std::int64_t last) {
  for (std::uint32_t ply = 0; ply < values.size(); ++ply) {
    const std::optional<std::int64_t>& value = values[ply];
    if (value.has_value() && *value >= first && *value <= last) return ply;
  }
  return std::nullopt;
}

std::vector<std::int64_t> known_of(const ShownNotes::Values& values) {
  std::vector<std::int64_t> known;
  for (const auto& value : values) {
    if (value.has_value()) known.push_back(*value);
  }
  return known;
}

}  // namespace scidfs::tests
