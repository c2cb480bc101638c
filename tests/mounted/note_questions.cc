#include "tests/mounted/note_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "tests/mounted/sequence_question.h"

namespace scidfs::tests {
namespace {

constexpr long kHundredths = 100;

std::string text_of_pawns(long hundredths) {
  const std::string text =
      fmt::format("{}{}.{:02}", hundredths < 0 ? "-" : "", std::labs(hundredths) / kHundredths,
                  std::labs(hundredths) % kHundredths);
  return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

// Of a damaged game, whose notes may be damaged where its moves are not, it is unknown.
Verdict no_or_unknown(const GamePlies& game, bool is_known) {
  return is_known && !game.is_damaged && !game.notes.is_damaged
             ? Verdict{}
             : Verdict{.answer = Verdict::Answer::Unknown};
}

std::optional<MoveQuestion> ask_nag(QuestionSource& source) {
  constexpr std::array<std::string_view, 7> kWords = {
      "", "good", "mistake", "brilliant", "blunder", "interesting", "dubious"};
  constexpr std::size_t kNags = 255;
  Random& random = source.random();
  const std::set<unsigned>& nags = source.any_game().notes.nags;
  if (nags.empty() && !random.one_in(20)) return std::nullopt;
  auto nag = static_cast<unsigned>(1 + random.below(kNags));
  if (!nags.empty()) nag = *std::next(nags.begin(), static_cast<long>(random.below(nags.size())));
  const NumberRange range{.least = nag,
                          .most = nag + static_cast<long>(random.one_in(4) ? random.below(8) : 0)};
  const bool with_word = *range.most == nag && nag < kWords.size() && random.one_in(2);
  if (nag == 0 || *range.most > static_cast<long>(kNags)) return std::nullopt;
  return MoveQuestion{
      .name =
          "nag=" + (with_word ? std::string(kWords.at(nag))
                              : text_of(range, random, [](long n) { return std::to_string(n); })),
      .judge =
          [range](const GamePlies& game) {
            return std::ranges::any_of(game.notes.nags, [&](unsigned n) { return range.has(n); })
                       ? Verdict{.answer = Verdict::Answer::Yes}
                       : no_or_unknown(game, true);
          },
      .has_moments = false};
}

// The first position that is met; of a game without any number that could tell it is unknown.
template <class Value>
Verdict first_note(const GamePlies& game, const NumberRange& range, Value value) {
  bool is_known = false;
  for (std::size_t move = 0; move < std::min(game.notes.moves.size(), game.plies.size()); ++move) {
    const std::optional<long> number = value(game, move);
    if (!number.has_value()) continue;
    is_known = true;
    if (range.has(*number)) return {.answer = Verdict::Answer::Yes, .ply = move};
  }
  return no_or_unknown(game, is_known);
}

std::optional<long> eval_after(const GamePlies& game, std::size_t move) {
  return game.notes.moves[move].eval;
}
// How much a move costs the side that plays it.
std::optional<long> swing_of(const GamePlies& game, std::size_t move) {
  if (move == 0) return std::nullopt;
  const std::optional<long> before = eval_after(game, move - 1);
  const std::optional<long> after = eval_after(game, move);
  if (!before.has_value() || !after.has_value()) return std::nullopt;
  return game.plies[move - 1].is_white_to_move ? *before - *after : *after - *before;
}
std::optional<long> clock_after(const GamePlies& game, std::size_t move) {
  const std::optional<double> seconds = game.notes.moves[move].clock;
  if (!seconds.has_value()) return std::nullopt;
  return static_cast<long>(std::floor(*seconds));
}

using NoteValue = std::optional<long> (*)(const GamePlies&, std::size_t);

std::optional<MoveQuestion> ask_note(QuestionSource& source, std::string_view key, NoteValue value,
                                     const std::function<std::string(long)>& write) {
  constexpr std::size_t kTries = 10;
  Random& random = source.random();
  const GamePlies& game = source.any_game();
  std::optional<long> number;
  const std::size_t moves = std::min(game.notes.moves.size(), game.plies.size());
  for (std::size_t i = 0; i < kTries && !number.has_value(); ++i) {
    number = value(game, random.below(moves));
  }
  if (!number.has_value()) return std::nullopt;
  const auto spread = static_cast<std::size_t>(std::labs(*number)) / (random.one_in(2) ? 2 : 20);
  const NumberRange range = range_around(*number, spread, random);
  if (key == "clock" && range.least.value_or(0) < 0) return std::nullopt;
  return MoveQuestion{
      .name = fmt::format("{}={}", key, text_of(range, random, write)),
      .judge = [range, value](const GamePlies& each) { return first_note(each, range, value); }};
}

std::optional<MoveQuestion> ask_eval(QuestionSource& source) {
  return ask_note(source, "eval", eval_after, text_of_pawns);
}
std::optional<MoveQuestion> ask_swing(QuestionSource& source) {
  return ask_note(source, "swing", swing_of, text_of_pawns);
}
std::optional<MoveQuestion> ask_clock(QuestionSource& source) {
  return ask_note(source, "clock", clock_after,
                  [](long seconds) { return std::to_string(seconds); });
}

}  // namespace

std::string evals_of(const GamePlies& game) {
  std::string lines;
  for (std::size_t move = 0; move < std::min(game.notes.moves.size(), game.plies.size()); ++move) {
    const std::optional<long> eval = eval_after(game, move);
    const std::optional<long> clock = clock_after(game, move);
    if (!eval.has_value() && !clock.has_value()) continue;
    std::string pawns;
    if (eval.has_value()) {
      pawns = fmt::format("{}{}.{:02}", *eval < 0 ? "-" : "", std::labs(*eval) / kHundredths,
                          std::labs(*eval) % kHundredths);
    }
    lines += fmt::format("{}\t{}\t{}\t{}\t{}\n", game.number, move,
                         move == 0 ? "" : san_without_marks(game.plies[move - 1]), pawns,
                         clock.has_value() ? std::to_string(*clock) : "");
  }
  return lines;
}

std::span<const QuestionKind> note_kinds() {
  static constexpr std::array<QuestionKind, 4> kKinds = {{{"nag", 20, ask_nag, true},
                                                          {"eval", 25, ask_eval, true},
                                                          {"swing", 25, ask_swing, true},
                                                          {"clock", 40, ask_clock, true}}};
  return kKinds;
}

}  // namespace scidfs::tests
