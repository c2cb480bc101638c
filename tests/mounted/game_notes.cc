#include "tests/mounted/game_notes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "tests/mounted/index_table.h"

namespace scidfs::tests {
namespace {

// The operand of a command in a comment: "0.35,20" of "[%eval 0.35,20]".
std::optional<std::string_view> operand_of(std::string_view comment, std::string_view command) {
  const std::size_t at = comment.find(command);
  if (at == std::string_view::npos) return std::nullopt;
  comment.remove_prefix(at + command.size());
  return comment.substr(0, comment.find(']'));
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<long> eval_of(std::string_view comment) {
  constexpr long kMate = 100'00;
  constexpr double kHundredths = 100;
  const std::optional<std::string_view> operand = operand_of(comment, "[%eval ");
  if (!operand.has_value()) return std::nullopt;
  const std::string_view text = operand->substr(0, operand->find(','));
  if (text.starts_with('#')) return text.starts_with("#-") ? -kMate : kMate;
  if (text.starts_with("-#")) return -kMate;
  const std::optional<double> number = number_of(text);
  if (!number.has_value()) return std::nullopt;
  // ChessBase writes whole numbers, and a depth after them.
  const bool of_chessbase = text != *operand && text.find('.') == std::string_view::npos;
  return std::clamp(std::lround(of_chessbase ? *number : *number * kHundredths), -kMate, kMate);
}

// "1:02:03", "02:03", the last number with or without a fraction.
std::optional<double> clock_of(std::string_view comment) {
  constexpr double kSixty = 60;
  std::optional<std::string_view> text = operand_of(comment, "[%clk ");
  if (!text.has_value()) return std::nullopt;
  double seconds = 0;
  while (true) {
    const std::size_t colon = text->find(':');
    const std::optional<double> part = number_of(text->substr(0, colon));
    const bool is_whole = text->substr(0, colon).find('.') == std::string_view::npos;
    if (!part.has_value() || (colon != std::string_view::npos && !is_whole)) return std::nullopt;
    seconds = seconds * kSixty + *part;
    if (colon == std::string_view::npos) return seconds;
    text->remove_prefix(colon + 1);
  }
}

}  // namespace

GameNotes notes_of(const PgnGame& game) {
  GameNotes notes;
  std::size_t depth = 0;
  for (const PgnToken& token : parse_movetext(game.movetext)) {
    switch (token.kind) {
      case PgnToken::Kind::Open:
        ++depth;
        break;
      case PgnToken::Kind::Close:
        --depth;
        break;
      case PgnToken::Kind::Nag:
        notes.nags.insert(to_number(token.text));
        break;
      case PgnToken::Kind::Move:
        if (depth == 0) notes.moves.emplace_back();
        break;
      case PgnToken::Kind::Comment: {
        notes.is_damaged =
            fold_spaces(token.text).find(" is damaged at byte ") != std::string::npos;
        if (depth != 0) break;
        MoveNotes& after = notes.moves.back();
        if (!after.eval.has_value()) after.eval = eval_of(token.text);
        if (!after.clock.has_value()) after.clock = clock_of(token.text);
        break;
      }
      default:
        break;
    }
  }
  for (const PgnTag& tag : game.tags) {
    notes.tags.push_back({.name = tag.name, .value = unescape(tag.value)});
  }
  return notes;
}

}  // namespace scidfs::tests
