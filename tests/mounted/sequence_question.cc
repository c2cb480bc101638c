#include "tests/mounted/sequence_question.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace scidfs::tests {
namespace {

// A move of a sequence as it is written: parts that are not there fit any move.
struct AskedMove {
  enum class Kind : std::uint8_t { Move, Taking, Between };

  Kind kind = Kind::Move;  // Taking: any capture on a square; Between: any moves, or none
  PlayedMove move{};
  bool with_file = false;
  bool with_rank = false;

  bool fits(const PlayedMove& played) const {
    if (kind == Kind::Taking) return played.takes && played.to == move.to;
    if (played.kind != move.kind) return false;
    if (move.kind != PlayedMove::Kind::Usual) return true;
    return played.man == move.man && played.to == move.to && played.takes == move.takes &&
           played.promotion == move.promotion &&
           (!with_file || played.from % kBoardWidth == move.from % kBoardWidth) &&
           (!with_rank || played.from / kBoardWidth == move.from / kBoardWidth);
  }

  std::string text() const {
    if (kind == Kind::Between) return "..";
    if (kind == Kind::Taking) return "x" + name_of_square(move.to);
    switch (move.kind) {
      case PlayedMove::Kind::Short:
        return "O-O";
      case PlayedMove::Kind::Long:
        return "O-O-O";
      case PlayedMove::Kind::Null:
        return "--";
      default:
        break;
    }
    const std::string from = name_of_square(move.from);
    std::string text = move.man == 'P' ? "" : std::string(1, move.man);
    if (with_file) text += from[0];
    if (with_rank) text += from[1];
    if (move.takes) text += 'x';
    text += name_of_square(move.to);
    if (move.promotion != ' ') text += {'=', move.promotion};
    return text;
  }
};

// A move as some question may have it: with more of the square of departure than its SAN, or less.
AskedMove asked(const GamePly& ply, Random& random) {
  AskedMove asked{.move = ply.move};
  if (ply.move.takes && random.one_in(5)) {
    asked.kind = AskedMove::Kind::Taking;
  } else if (ply.move.man == 'P') {
    asked.with_file = ply.move.takes;
  } else if (random.one_in(3)) {
    asked.with_file = random.one_in(2);
    asked.with_rank = random.one_in(4);
  }
  return asked;
}

// The first position before which all moves have been played.
std::optional<std::size_t> first_end(const GamePlies& game, const std::vector<AskedMove>& moves) {
  const std::size_t plies = game.plies.size();
  // Whether the moves so far can end before a ply.
  std::vector<bool> ends(plies, true);
  for (const AskedMove& move : moves) {
    std::vector<bool> next(plies, false);
    for (std::size_t ply = 0; ply < plies; ++ply) {
      if (move.kind == AskedMove::Kind::Between) {
        next[ply] = ends[ply] || (ply > 0 && next[ply - 1]);
      } else if (ends[ply] && ply + 1 < plies && move.fits(game.plies[ply].move)) {
        next[ply + 1] = true;
      }
    }
    ends = std::move(next);
  }
  for (std::size_t ply = 0; ply < plies; ++ply) {
    if (ends[ply]) return ply;
  }
  return std::nullopt;
}

}  // namespace

std::string san_without_marks(const GamePly& ply) {
  return std::string(ply.san.substr(0, ply.san.find_first_of("+#")));
}

std::optional<MoveQuestion> ask_played(QuestionSource& source) {
  constexpr std::size_t kMost = 5;
  constexpr std::size_t kFar = 30;
  Random& random = source.random();
  const GamePlies* game = &source.any_game();
  std::size_t ply = random.below(game->plies.size());
  std::vector<AskedMove> moves;
  for (std::size_t count = 1 + random.below(kMost); count > 0; --count) {
    if (!moves.empty() && random.one_in(4)) {
      moves.push_back({.kind = AskedMove::Kind::Between});
      ply += random.below(kFar);
    }
    // Seldom a move of another game.
    if (random.one_in(20)) game = &source.any_game();
    if (ply + 1 >= game->plies.size()) break;
    moves.push_back(asked(game->plies[ply++], random));
  }
  if (!moves.empty() && moves.back().kind == AskedMove::Kind::Between) moves.pop_back();
  if (moves.empty()) return std::nullopt;
  std::string name = "played=";
  for (const AskedMove& move : moves) name += move.text() + ',';
  name.pop_back();
  return MoveQuestion{.name = name, .judge = [moves](const GamePlies& each) {
                        return verdict_of(each, first_end(each, moves));
                      }};
}

}  // namespace scidfs::tests
