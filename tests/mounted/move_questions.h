// Random questions about moves and positions, from games that a database has, and what each game
// answers: by brute force over its plies, from the manual alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/game_plies.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {

struct Verdict {
  enum class Answer : std::uint8_t { No, Yes, Unknown };

  Answer answer = Answer::No;
  std::size_t ply = 0;  // of the first position that meets the condition: moves before it
};

// Yes from a ply on; without one, no, or unknown of a damaged game.
Verdict verdict_of(const GamePlies& game, std::optional<std::size_t> ply);

struct MoveQuestion {
  std::string name;  // "pieces=Nd5"
  std::function<Verdict(const GamePlies&)> judge;
  bool has_moments = true;
};

// Games of a database, from which questions are made. Some games have positions.
class QuestionSource {
 public:
  QuestionSource(std::vector<std::unique_ptr<GamePlies>> games, std::uint64_t seed);

  Random& random() { return random_; }
  const GamePlies& any_game();
  // Of all plies of a game, seldom the first or the last.
  const GamePly& any_ply(const GamePlies& game);

 private:
  std::vector<std::unique_ptr<GamePlies>> games_;
  Random random_;
};

// A kind of question: how many are asked when 300 patterns are, and a function that makes one, or
// none of these games.
struct QuestionKind {
  std::string_view name;
  std::size_t share;
  std::optional<MoveQuestion> (*make)(QuestionSource& source);
  bool has_lists = false;  // a comma means or
};

// A question of a kind, seldom with a list of two values.
std::optional<MoveQuestion> any_question(const QuestionKind& kind, QuestionSource& source);

// pieces=, pawns= of either side or both, played=, line=, reached=, position=.
std::span<const QuestionKind> board_kinds();

// A range of numbers, as conditions have it: around a number, or with one bound.
struct NumberRange {
  std::optional<long> least, most;

  bool has(long number) const {
    return (!least.has_value() || number >= *least) && (!most.has_value() || number <= *most);
  }
};

// A range that has `number`, with bounds at most `spread` away.
NumberRange range_around(long number, std::size_t spread, Random& random);
// `write` writes a number.
std::string text_of(const NumberRange& range, Random& random,
                    const std::function<std::string(long)>& write);

}  // namespace scidfs::tests
