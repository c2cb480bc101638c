#include "tests/mounted/course_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "codec/movegen.h"

namespace scidfs::tests {
namespace {

long balance_of(const GamePly& ply) {
  struct Value {
    char man;
    long pawns;
  };
  constexpr std::array<Value, 5> kValues = {{{'P', 1}, {'N', 3}, {'B', 3}, {'R', 5}, {'Q', 9}}};
  long balance = 0;
  for (const auto& [man, pawns] : kValues) {
    const auto black = static_cast<char>(man - 'A' + 'a');
    balance += pawns * (static_cast<long>(ply.counts[man]) - static_cast<long>(ply.counts[black]));
  }
  return balance;
}

// The first of two positions one after another that meet a condition.
template <class Meets>
std::optional<std::size_t> first_of_two(const GamePlies& game, Meets meets) {
  bool was_met = false;
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const bool is_met = meets(game.plies[ply]);
    if (was_met && is_met) return ply - 1;
    was_met = is_met;
  }
  return std::nullopt;
}

std::optional<MoveQuestion> ask_balance(QuestionSource& source) {
  constexpr std::size_t kSpread = 3;
  Random& random = source.random();
  const NumberRange range =
      range_around(balance_of(source.any_ply(source.any_game())), kSpread, random);
  return MoveQuestion{
      .name = "balance=" + text_of(range, random, [](long pawns) { return std::to_string(pawns); }),
      .judge = [range](const GamePlies& game) {
        return verdict_of(game, first_of_two(game, [&](const GamePly& ply) {
                            return range.has(balance_of(ply));
                          }));
      }};
}

// Whether each side has one bishop, and these stand on squares of the same color, or not.
bool has_bishops(const GamePly& ply, bool same) {
  if (ply.counts['B'] != 1 || ply.counts['b'] != 1) return false;
  const auto color_of = [&](char man) {
    const auto square = static_cast<std::size_t>(std::ranges::find(ply.men, man) - ply.men.begin());
    return (square / kBoardWidth + square % kBoardWidth) % 2;
  };
  return (color_of('B') == color_of('b')) == same;
}

std::optional<MoveQuestion> ask_bishops(QuestionSource& source) {
  const bool same = source.random().one_in(2);
  return MoveQuestion{
      .name = same ? "bishops=same" : "bishops=opposite", .judge = [same](const GamePlies& game) {
        return verdict_of(
            game, first_of_two(game, [&](const GamePly& ply) { return has_bishops(ply, same); }));
      }};
}

using Castling = PlayedMove::Kind;  // Short, Long; None: not yet

// The ply after a side's castling, and on which side.
struct Castled {
  Castling where = Castling::None;
  std::size_t ply = 0;
};

Castled castling_of(const GamePlies& game, bool white) {
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const Castling kind = game.plies[ply].move.kind;
    if (game.plies[ply].is_white_to_move != white) continue;
    if (kind == Castling::Short || kind == Castling::Long) return {.where = kind, .ply = ply + 1};
  }
  return {};
}

Verdict verdict_of_side(const GamePlies& game, bool white, Castling where) {
  const Castled castled = castling_of(game, white);
  if (castled.where != where) return verdict_of(game, std::nullopt);
  if (where != Castling::None) return verdict_of(game, castled.ply);
  // That a side never castles is known at the end of the game.
  return verdict_of(game, game.is_damaged ? std::nullopt : std::optional(game.plies.size() - 1));
}

std::optional<MoveQuestion> ask_castled(QuestionSource& source) {
  constexpr std::array<Castling, 3> kWhere = {Castling::Short, Castling::Long, Castling::None};
  Random& random = source.random();
  if (random.one_in(3)) {
    const bool same = random.one_in(2);
    return MoveQuestion{.name = same ? "castled=same" : "castled=opposite",
                        .judge = [same](const GamePlies& game) {
                          const Castled white = castling_of(game, true);
                          const Castled black = castling_of(game, false);
                          if (white.where == Castling::None || black.where == Castling::None ||
                              (white.where == black.where) != same) {
                            return verdict_of(game, std::nullopt);
                          }
                          return verdict_of(game, std::max(white.ply, black.ply));
                        }};
  }
  const bool white = random.one_in(2);
  const Castling where = kWhere[random.below(kWhere.size())];
  const std::string_view word = where == Castling::Short  ? "short"
                                : where == Castling::Long ? "long"
                                                          : "no";
  return MoveQuestion{.name = fmt::format("{}_castled={}", white ? "white" : "black", word),
                      .judge = [white, where](const GamePlies& game) {
                        return verdict_of_side(game, white, where);
                      }};
}

// The letter of the man that mates, ' ' for stalemate, '-' for neither at the end of the moves.
char mate_of(const GamePlies& game) {
  constexpr char kNeither = '-';
  if (game.plies.empty() || game.is_damaged) return kNeither;
  const absl::StatusOr<codec::Position> last =
      codec::Position::from_fen(game.plies.back().fields, codec::CastlingRule::Chess960);
  if (!last.ok() || !codec::legal_moves(*last).empty()) return kNeither;
  if (!last->in_check(last->side_to_move())) return ' ';
  return game.plies.size() < 2 ? kNeither : game.plies[game.plies.size() - 2].move.man;
}

std::optional<MoveQuestion> ask_mate(QuestionSource& source) {
  constexpr std::string_view kMen = "QRBNPK ";
  const char man = kMen[source.random().below(kMen.size())];
  return MoveQuestion{
      .name = man == ' ' ? std::string("mate=stalemate") : fmt::format("mate={}", man),
      .judge = [man](const GamePlies& game) {
        return verdict_of(
            game, mate_of(game) == man ? std::optional(game.plies.size() - 1) : std::nullopt);
      }};
}

}  // namespace

std::span<const QuestionKind> course_kinds() {
  static constexpr std::array<QuestionKind, 4> kKinds = {{{"balance", 40, ask_balance, true},
                                                          {"bishops", 4, ask_bishops, true},
                                                          {"castled", 16, ask_castled, true},
                                                          {"mate", 14, ask_mate, true}}};
  return kKinds;
}

}  // namespace scidfs::tests
