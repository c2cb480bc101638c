#include "tests/mounted/move_questions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tests/mounted/played_positions.h"
#include "tests/mounted/sequence_question.h"

namespace scidfs::tests {
namespace {

constexpr char kAnyWhite = 'A';
constexpr char kAnyBlack = 'a';
constexpr char kEmpty = '_';

// A condition of pieces=: men on so many squares of a part of the board.
struct MenCondition {
  char letter = kEmpty;
  std::size_t first_file = 0, last_file = 0, first_rank = 0, last_rank = 0;
  std::size_t least = 1;

  bool fits(char man) const {
    if (letter == kEmpty) return man == ' ';
    if (letter == kAnyWhite) return man >= 'A' && man <= 'Z';
    if (letter == kAnyBlack) return man >= 'a' && man <= 'z';
    return man == letter;
  }
  std::size_t squares() const {
    return (last_file - first_file + 1) * (last_rank - first_rank + 1);
  }
  std::size_t count(const MenOnBoard& men, std::size_t enough) const {
    std::size_t found = 0;
    for (std::size_t rank = first_rank; rank <= last_rank; ++rank) {
      for (std::size_t file = first_file; file <= last_file; ++file) {
        if (fits(men[rank * kBoardWidth + file]) && ++found == enough) return found;
      }
    }
    return found;
  }
  bool is_met(const MenOnBoard& men) const { return count(men, least) >= least; }
  std::string text() const {
    const auto range = [](char base, std::size_t first, std::size_t last) {
      std::string part(1, static_cast<char>(base + static_cast<char>(first)));
      if (last != first) part += {'-', static_cast<char>(base + static_cast<char>(last))};
      return part;
    };
    return (least > 1 ? std::to_string(least) : "") + letter + range('a', first_file, last_file) +
           range('1', first_rank, last_rank);
  }
};

// The first of `length` positions one after another that meet all conditions.
std::optional<std::size_t> first_pattern(const GamePlies& game,
                                         const std::vector<MenCondition>& conditions,
                                         std::size_t length) {
  std::size_t run = 0;
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const MenOnBoard& men = game.plies[ply].men;
    const bool is_met =
        std::ranges::all_of(conditions, [&](const MenCondition& each) { return each.is_met(men); });
    run = is_met ? run + 1 : 0;
    if (run == length) return ply + 1 - length;
  }
  return std::nullopt;
}

// Makes the range larger on either side, up to the border.
void widen(std::size_t& first, std::size_t& last, Random& random) {
  first = random.below(first + 1);
  last += random.below(kBoardWidth - last);
}

MenCondition any_condition(const MenOnBoard& men, Random& random) {
  constexpr std::string_view kLetters = "KQRBNPkqrbnpAa_";
  MenCondition condition;
  std::size_t square = random.below(kBoardSquares);
  // Men rather than empty squares.
  for (int tries = 0; tries < 4 && men.at(square) == ' '; ++tries) {
    square = random.below(kBoardSquares);
  }
  condition.first_file = condition.last_file = square % kBoardWidth;
  condition.first_rank = condition.last_rank = square / kBoardWidth;
  const char man = men.at(square);
  condition.letter = man == ' ' ? kEmpty : man;
  if (man != ' ' && random.one_in(5)) condition.letter = man < 'a' ? kAnyWhite : kAnyBlack;
  if (random.one_in(8)) condition.letter = kLetters[random.below(kLetters.size())];
  if (random.one_in(3)) widen(condition.first_file, condition.last_file, random);
  if (random.one_in(3)) widen(condition.first_rank, condition.last_rank, random);
  const std::size_t there = condition.count(men, kBoardSquares + 1);
  if (there > 1 && random.one_in(2)) condition.least = 1 + random.below(there);
  if (random.one_in(10)) condition.least = there + 1;
  condition.least = std::clamp<std::size_t>(condition.least, 1, condition.squares());
  return condition;
}

std::optional<MoveQuestion> ask_pieces(QuestionSource& source) {
  Random& random = source.random();
  const GamePlies& game = source.any_game();
  const GamePly& ply = source.any_ply(game);
  std::vector<MenCondition> conditions;
  for (std::size_t count = 1 + random.below(4); count > 0; --count) {
    conditions.push_back(any_condition(ply.men, random));
  }
  std::size_t length = 1;
  if (random.one_in(3)) {
    constexpr std::size_t kSome = 12;
    length = 2 + random.below(kSome);
  }
  std::string name = "pieces=";
  for (const MenCondition& condition : conditions) name += condition.text() + ',';
  name += length > 1 ? fmt::format("for{}", length) : "";
  if (name.ends_with(',')) name.pop_back();
  return MoveQuestion{.name = name, .judge = [conditions, length](const GamePlies& each) {
                        return verdict_of(each, first_pattern(each, conditions, length));
                      }};
}

// The first position that meets a condition on a ply.
template <class Meets>
std::optional<std::size_t> first_ply(const GamePlies& game, Meets meets) {
  const auto found = std::ranges::find_if(game.plies, meets);
  if (found == game.plies.end()) return std::nullopt;
  return static_cast<std::size_t>(found - game.plies.begin());
}

std::optional<MoveQuestion> ask_pawns(QuestionSource& source) {
  struct Side {
    std::string_view key, letters;
  };
  constexpr std::array<Side, 3> kSides = {
      {{"pawns", "Pp"}, {"white_pawns", "P"}, {"black_pawns", "p"}}};
  Random& random = source.random();
  const Side& side = kSides[random.below(kSides.size())];
  const auto only_pawns = [letters = side.letters](char man) {
    return letters.find(man) == std::string_view::npos ? ' ' : man;
  };
  MenOnBoard pawns = source.any_ply(source.any_game()).men;
  std::ranges::transform(pawns, pawns.begin(), only_pawns);
  if (random.one_in(8)) {
    // Another pawn, or one less; not where no pawn can be.
    const std::size_t square = kBoardWidth + random.below(kBoardSquares - 2 * kBoardWidth);
    pawns.at(square) = pawns.at(square) == ' ' ? side.letters[0] : ' ';
    constexpr long kMostPawns = 8;
    if (std::ranges::count(pawns, side.letters[0]) > kMostPawns) return std::nullopt;
  }
  return MoveQuestion{.name = fmt::format("{}={}", side.key, board_name(pawns)),
                      .judge = [pawns, only_pawns](const GamePlies& game) {
                        return verdict_of(game, first_ply(game, [&](const GamePly& ply) {
                                            return std::ranges::equal(ply.men, pawns, {},
                                                                      only_pawns);
                                          }));
                      }};
}

// One side of reached=.
struct MenOfSide {
  static constexpr std::string_view kMen = "QRBNP";
  std::array<unsigned, kMen.size()> least{};
  std::array<bool, kMen.size()> or_more{};

  std::string text() const {
    std::string text = "K";
    for (std::size_t i = 0; i < kMen.size(); ++i) {
      text += std::string(least[i], kMen[i]) + (or_more[i] ? "+" : "");
    }
    return text;
  }
  bool is_met(const MenCounts& counts, bool white) const {
    for (std::size_t i = 0; i < kMen.size(); ++i) {
      const unsigned count = counts[white ? kMen[i] : static_cast<char>(kMen[i] - 'A' + 'a')];
      if (or_more[i] ? count < least[i] : count != least[i]) return false;
    }
    return true;
  }
};

std::optional<MoveQuestion> ask_reached(QuestionSource& source) {
  Random& random = source.random();
  const GamePlies& game = source.any_game();
  const MenCounts& counts = source.any_ply(game).counts;
  std::array<MenOfSide, 2> sides;
  for (const bool white : {true, false}) {
    MenOfSide& side = sides.at(white ? 0 : 1);
    for (std::size_t i = 0; i < MenOfSide::kMen.size(); ++i) {
      const char letter = MenOfSide::kMen[i];
      side.least[i] = counts[white ? letter : static_cast<char>(letter - 'A' + 'a')];
      // More of one kind than a game has by promotions only are counted in another way.
      if (side.least[i] > (letter == 'P' ? 8U : 2U)) return std::nullopt;
      if (side.least[i] == 0 || !random.one_in(5)) continue;
      side.or_more[i] = true;
      side.least[i] = static_cast<unsigned>(1 + random.below(side.least[i]));
    }
  }
  if (random.one_in(2)) std::swap(sides[0], sides[1]);
  const auto meets = [sides](const GamePly& ply, bool swapped) {
    return sides[0].is_met(ply.counts, !swapped) && sides[1].is_met(ply.counts, swapped);
  };
  return MoveQuestion{
      .name = fmt::format("reached={}v{}", sides[0].text(), sides[1].text()),
      .judge = [meets](const GamePlies& each) {
        std::optional<std::size_t> found;
        for (std::size_t ply = 0; ply + 1 < each.plies.size() && !found.has_value(); ++ply) {
          for (const bool swapped : {false, true}) {
            if (meets(each.plies[ply], swapped) && meets(each.plies[ply + 1], swapped)) found = ply;
          }
        }
        return verdict_of(each, found);
      }};
}

std::optional<MoveQuestion> ask_position(QuestionSource& source) {
  Random& random = source.random();
  const GamePly& ply = source.any_ply(source.any_game());
  const std::string fields(ply.fields);
  const bool with_rights = random.one_in(2);
  const std::string fen = with_rights ? fields : fields.substr(0, fields.find(' ') + 2);
  const std::string rights = with_rights ? rights_of(fields) : "";
  return MoveQuestion{
      .name = "position=" + position_directory(fen),
      .judge = [men = ply.men, white = ply.is_white_to_move, rights](const GamePlies& game) {
        return verdict_of(game, first_ply(game, [&](const GamePly& each) {
                            return each.is_white_to_move == white && each.men == men &&
                                   (rights.empty() || rights_of(each.fields) == rights);
                          }));
      }};
}

std::optional<MoveQuestion> ask_line(QuestionSource& source) {
  constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
  constexpr std::size_t kMost = 20;
  const GamePlies& game = source.any_game();
  if (!game.plies.front().fields.starts_with(kStart) || game.plies.size() < 2) return std::nullopt;
  const std::size_t count = 1 + source.random().below(std::min(game.plies.size() - 1, kMost));
  std::vector<std::string> moves;
  std::string name = "line=";
  for (std::size_t ply = 0; ply < count; ++ply) {
    moves.push_back(san_without_marks(game.plies[ply]));
    name += (ply == 0 ? "" : ",") + moves.back();
  }
  return MoveQuestion{.name = name, .judge = [moves, kStart](const GamePlies& each) {
                        const bool is_standard =
                            !each.plies.empty() && each.plies.front().fields.starts_with(kStart);
                        // Of a damaged game the moves before the damage may tell already.
                        std::size_t ply = 0;
                        while (is_standard && ply < moves.size() && ply < each.plies.size() &&
                               san_without_marks(each.plies[ply]) == moves[ply]) {
                          ++ply;
                        }
                        return verdict_of(each,
                                          ply == moves.size() ? std::optional(ply) : std::nullopt);
                      }};
}

}  // namespace

Verdict verdict_of(const GamePlies& game, std::optional<std::size_t> ply) {
  if (ply.has_value()) return {.answer = Verdict::Answer::Yes, .ply = *ply};
  return {.answer = game.is_damaged ? Verdict::Answer::Unknown : Verdict::Answer::No};
}

QuestionSource::QuestionSource(std::vector<std::unique_ptr<GamePlies>> games, std::uint64_t seed)
    : games_(std::move(games)), random_(seed) {
  std::erase_if(games_, [](const auto& game) { return game->plies.empty(); });
}

const GamePlies& QuestionSource::any_game() { return *games_.at(random_.below(games_.size())); }

const GamePly& QuestionSource::any_ply(const GamePlies& game) {
  constexpr std::size_t kSeldom = 12;
  if (random_.one_in(kSeldom)) return game.plies.front();
  if (random_.one_in(kSeldom)) return game.plies.back();
  return game.plies[random_.below(game.plies.size())];
}

std::optional<MoveQuestion> any_question(const QuestionKind& kind, QuestionSource& source) {
  std::optional<MoveQuestion> one = kind.make(source);
  if (!one.has_value() || !kind.has_lists || !source.random().one_in(3)) return one;
  const std::optional<MoveQuestion> other = kind.make(source);
  if (!other.has_value()) return one;
  const std::string key = one->name.substr(0, one->name.find('=') + 1);
  if (!other->name.starts_with(key) || other->name == one->name) return one;
  return MoveQuestion{.name = one->name + ',' + other->name.substr(key.size()),
                      .judge =
                          [these = one->judge, those = other->judge](const GamePlies& game) {
                            const Verdict first = these(game);
                            const Verdict second = those(game);
                            if (first.answer == second.answer) {
                              return first.ply < second.ply ? first : second;
                            }
                            return first.answer == Verdict::Answer::Yes ? first
                                   : second.answer == Verdict::Answer::Yes
                                       ? second
                                       : Verdict{.answer = Verdict::Answer::Unknown};
                          },
                      .has_moments = one->has_moments};
}

NumberRange range_around(long number, std::size_t spread, Random& random) {
  NumberRange range{.least = number - static_cast<long>(random.below(spread + 1)),
                    .most = number + static_cast<long>(random.below(spread + 1))};
  if (random.one_in(4)) range.least.reset();
  if (random.one_in(4) && range.least.has_value()) range.most.reset();
  return range;
}

std::string text_of(const NumberRange& range, Random& random,
                    const std::function<std::string(long)>& write) {
  if (range.least.has_value() && range.most.has_value()) {
    const std::string least = write(*range.least);
    return *range.least == *range.most && random.one_in(2) ? least
                                                           : least + ".." + write(*range.most);
  }
  const bool is_word = random.one_in(2);
  if (range.least.has_value()) {
    return is_word ? "from" + write(*range.least) : write(*range.least) + "..";
  }
  return is_word ? "to" + write(*range.most) : ".." + write(*range.most);
}

std::span<const QuestionKind> board_kinds() {
  static constexpr std::array<QuestionKind, 6> kKinds = {{{"pieces", 300, ask_pieces},
                                                          {"pawns", 100, ask_pawns},
                                                          {"played", 100, ask_played},
                                                          {"reached", 40, ask_reached, true},
                                                          {"position", 40, ask_position},
                                                          {"line", 20, ask_line}}};
  return kKinds;
}

}  // namespace scidfs::tests
