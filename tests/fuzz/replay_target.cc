// Replays a game record and compares the result with the walk, which makes all checks.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "codec/scid/ending_seek.h"
#include "codec/scid/main_line.h"
#include "codec/scid/material_test.h"
#include "codec/scid/notes_seek.h"
#include "codec/scid/pattern_seek.h"
#include "codec/scid/replay.h"
#include "codec/scid/seek.h"
#include "codec/scid/sequence_seek.h"
#include "tests/fuzz/course_check.h"
#include "tests/fuzz/target.h"
#include "tests/support/endings_of_boards.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::CastlingRule;
using codec::Color;
using codec::MaterialTarget;
using codec::Move;
using codec::PieceType;
using codec::Position;
using codec::TargetPosition;
using codec::scid::PieceLists;
using codec::scid::Reached;
using codec::scid::RecordHead;
using codec::scid::ReplayBoard;

// What a replay reports about a position and the move to it.
struct Visited {
  std::array<codec::Bitboard, 2> occupied;
  PieceLists lists;
  Move move;
};

struct ReplayVisitor {
  bool start(ReplayBoard board, Color) {
    add(board, {});
    return true;
  }
  template <Color>
  bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    require(next > last && next <= end, "a replay reads elsewhere");
    last = next;
    add(after, move);
    return true;
  }
  void add(ReplayBoard board, const Move& move) {
    visited.push_back(
        {{board.occupied(Color::White), board.occupied(Color::Black)}, board.lists(), move});
  }

  const std::uint8_t* last;
  const std::uint8_t* end;
  std::vector<Visited> visited = {};
};

// The main line by the walk.
struct WalkedLine {
  void start(const Position& position) { positions.push_back(position); }
  void move(const Position& after, const Move& move) {
    positions.push_back(after);
    moves.push_back(move);
  }

  std::vector<Position> positions;
  std::vector<Move> moves;
};

// True if the list has the pieces of a side, one by one.
bool has_pieces(const PieceLists& lists, const Position& position, Color color) {
  if (lists.count(color) != static_cast<std::size_t>(std::popcount(position.pieces(color)))) {
    return false;
  }
  codec::Bitboard seen = 0;
  for (std::size_t number = 0; number < lists.count(color); ++number) {
    const codec::scid::NumberedPiece piece = lists.piece(color, number);
    if (position.piece_at(piece.square()) != codec::Piece{piece.type(), color}) return false;
    if (lists.number_on(piece.square()) != number) return false;
    seen |= codec::bit(piece.square());
  }
  return seen == position.pieces(color);
}

void check_visited(Bytes record, const RecordHead& head, const WalkedLine& line) {
  ReplayVisitor visitor{.last = record.data(), .end = record.data() + record.size()};
  codec::scid::Replay replay;
  // Twice: no state of the first game may affect the second.
  replay.run(record, head, visitor);
  const std::size_t first = visitor.visited.size();
  visitor.last = record.data();
  replay.run(record, head, visitor);
  require(visitor.visited.size() == 2 * first, "the second time a replay goes elsewhere");
  require(first >= line.positions.size(), "the replay ends before the walk");
  for (std::size_t ply = 0; ply < line.positions.size(); ++ply) {
    const Visited& visited = visitor.visited[first + ply];
    const Position& position = line.positions[ply];
    for (const Color color : {Color::White, Color::Black}) {
      require(visited.occupied[static_cast<std::size_t>(color)] == position.pieces(color),
              "the replay has other squares");
      require(has_pieces(visited.lists, position, color), "the replay has other pieces");
    }
    require(ply == 0 || visited.move == line.moves[ply - 1], "the replay has another move");
  }
}

// The first ply at which the walk meets a target.
std::optional<std::size_t> first_met(const WalkedLine& line, const TargetPosition& target) {
  const auto found = std::ranges::find_if(
      line.positions, [&](const Position& position) { return target.is_met_by(position); });
  if (found == line.positions.end()) return std::nullopt;
  return static_cast<std::size_t>(found - line.positions.begin());
}

void check_target(Bytes record, CastlingRule rule, const WalkedLine& line,
                  const TargetPosition& target) {
  const std::optional<std::size_t> expected = first_met(line, target);
  codec::scid::PositionSeeker seeker(target, rule);
  const std::optional<Reached> reached = seeker.seek(record);
  require(
      reached.has_value() == expected.has_value(),
      expected.has_value() ? "a position is not found" : "a position is found that is not there");
  if (!reached.has_value()) return;
  require(reached->ply == *expected, "a position is found at another ply");
  const bool has_next = *expected < line.moves.size();
  require(reached->next.has_value() == has_next, "there is a move after the position, or none");
  require(!has_next || *reached->next == line.moves[*expected], "another move follows");
}

// The target that the name of a position means, with rights or without.
TargetPosition target_of(const Position& position, bool with_rights) {
  const std::string name = codec::position_name({.position = position, .with_rights = with_rights});
  const absl::StatusOr<TargetPosition> target = codec::parse_position_name(name);
  require(target.ok(), "a position's name is none: " + name);
  require(target->is_met_by(position), "a position is not what its name says: " + name);
  require(position_name(*target) == name, "a position's name has another: " + name);
  return *target;
}

void check_positions(Bytes record, CastlingRule rule, const WalkedLine& line) {
  constexpr std::size_t kMostTargets = 40;
  const std::size_t step = 1 + line.positions.size() / kMostTargets;
  for (std::size_t ply = 0; ply < line.positions.size(); ply += step) {
    const Position& position = line.positions[ply];
    check_target(record, rule, line, target_of(position, false));
    check_target(record, rule, line, target_of(position, true));
    // Nearly never reached: the same with the other side to move.
    Position other = position;
    other.make({.from = position.king(position.side_to_move()),
                .to = position.king(position.side_to_move()),
                .kind = codec::MoveKind::Null});
    check_target(record, rule, line, target_of(other, false));
  }
}

void check_lines(Bytes record, CastlingRule rule, const WalkedLine& line) {
  const bool is_standard = line.positions[0].has_same_board(Position());
  for (std::size_t plies = 1; plies <= line.moves.size(); plies += plies) {
    std::vector<Move> moves(line.moves.begin(),
                            line.moves.begin() + static_cast<std::ptrdiff_t>(plies));
    require(codec::scid::LineSeeker(moves, rule).seek(record).has_value() == is_standard,
            "a line is not found, or found in a game of its own start");
    moves.back().to ^= 1;
    require(!codec::scid::LineSeeker(moves, rule).seek(record), "another line is found");
  }
  std::vector<Move> longer = line.moves;
  longer.push_back({.from = 0, .to = 1, .piece = PieceType::Rook});
  require(!codec::scid::LineSeeker(longer, rule).seek(record), "a longer line is found");
}

// Exactly the pieces of both sides.
MaterialTarget material_of(const Position& position) {
  MaterialTarget target;
  for (const Color color : {Color::White, Color::Black}) {
    MaterialTarget::Side& side = target.sides[static_cast<std::size_t>(color)];
    for (std::size_t kind = 0; kind < MaterialTarget::kKinds; ++kind) {
      const auto type = static_cast<PieceType>(kind + 1);
      side.least[kind] = static_cast<std::uint8_t>(std::popcount(position.pieces(color, type)));
    }
    side.most = side.least;
  }
  return target;
}

bool is_within(const MaterialTarget::Side& wanted, const MaterialTarget::Side& counted) {
  for (std::size_t kind = 0; kind < MaterialTarget::kKinds; ++kind) {
    const std::uint8_t count = counted.least[kind];
    if (count < wanted.least[kind] || count > wanted.most[kind]) return false;
  }
  return true;
}

bool is_met(const MaterialTarget& target, const Position& position) {
  const MaterialTarget counted = material_of(position);
  return (is_within(target.sides[0], counted.sides[0]) &&
          is_within(target.sides[1], counted.sides[1])) ||
         (is_within(target.sides[0], counted.sides[1]) &&
          is_within(target.sides[1], counted.sides[0]));
}

void check_material(Bytes record, CastlingRule rule, const WalkedLine& line) {
  constexpr std::size_t kMostTargets = 30;
  const std::size_t step = 1 + line.positions.size() / kMostTargets;
  for (std::size_t ply = 0; ply < line.positions.size(); ply += step) {
    MaterialTarget target = material_of(line.positions[ply]);
    if (ply % 2 == 1) std::swap(target.sides[0], target.sides[1]);
    // Sometimes a minimum instead of a number, or a piece that may be missing.
    if (ply % 3 == 1)
      target.sides[0].most[ply % MaterialTarget::kKinds] = MaterialTarget::kAnyNumber;
    if (ply % 3 == 2) target.sides[1].least[ply % MaterialTarget::kKinds] = 0;
    std::optional<std::uint32_t> expected;
    for (std::uint32_t i = 1; i < line.positions.size() && !expected.has_value(); ++i) {
      if (is_met(target, line.positions[i - 1]) && is_met(target, line.positions[i])) {
        expected = i - 1;
      }
    }
    require(codec::scid::MaterialSeeker(target, rule).seek(record) == expected,
            expected ? "material is not found" : "material is found that is not there");
  }
}

void check_endings(Bytes record, const RecordHead& head, const WalkedLine& line) {
  std::vector<std::string> boards;
  for (const Position& position : line.positions) {
    const std::string fen = position.fen();
    boards.push_back(fen.substr(0, fen.find(' ')));
  }
  codec::scid::EndingSeeker seeker;
  tests::Endings reached;
  for (const auto& [ending, plies] : seeker.seek(record, head, false)) {
    reached.emplace(codec::kEndingClasses.at(ending).name, plies);
  }
  require(reached == tests::endings_of_boards(boards), "other endings are found than are there");
}

// Men on three squares as they stand in a position, and sometimes all its pawns.
codec::BoardPattern pattern_of(const Position& position, std::size_t seed) {
  codec::BoardPattern pattern;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto square = static_cast<codec::Square>((seed * 7 + i * 11) % codec::kNoSquare);
    const codec::Piece piece = position.piece_at(square);
    pattern.rules.push_back(
        {.squares = codec::bit(square),
         .kind = piece.empty() ? codec::kEmptySquare : codec::kind_of(piece.color, piece.type)});
  }
  if (seed % 4 == 1) pattern.pawns[0] = position.pieces(Color::White, PieceType::Pawn);
  if (seed % 4 >= 2) pattern.pawns[1] = position.pieces(Color::Black, PieceType::Pawn);
  pattern.positions = static_cast<std::uint32_t>(1 + seed % 3);
  return pattern;
}

bool is_true_of(const codec::BoardPattern& pattern, const Position& position) {
  for (const Color color : {Color::White, Color::Black}) {
    const auto& pawns = pattern.pawns[static_cast<std::size_t>(color)];
    if (pawns.has_value() && *pawns != position.pieces(color, PieceType::Pawn)) return false;
  }
  return std::ranges::all_of(pattern.rules, [&](const codec::BoardPattern::Rule& rule) {
    const codec::Piece piece = position.piece_at(codec::first_square(rule.squares));
    return piece.empty() ? rule.kind == codec::kEmptySquare
                         : rule.kind == codec::kind_of(piece.color, piece.type);
  });
}

void check_patterns(Bytes record, CastlingRule rule, const WalkedLine& line) {
  constexpr std::size_t kMostPatterns = 30;
  const std::size_t step = 1 + line.positions.size() / kMostPatterns;
  for (std::size_t ply = 0; ply < line.positions.size(); ply += step) {
    const codec::BoardPattern pattern = pattern_of(line.positions[ply], ply);
    std::optional<std::uint32_t> expected;
    std::uint32_t length = 0;
    for (std::size_t i = 0; i < line.positions.size() && !expected.has_value(); ++i) {
      length = is_true_of(pattern, line.positions[i]) ? length + 1 : 0;
      if (length == pattern.positions) expected = static_cast<std::uint32_t>(i + 1 - length);
    }
    require(codec::scid::PatternSeeker(pattern, rule).seek(record) == expected,
            "a pattern is found elsewhere than it is");
  }
}

codec::MoveStep step_of(const Move& move, std::size_t seed) {
  codec::MoveStep step{.pieces = static_cast<std::uint8_t>(1U << static_cast<unsigned>(move.piece)),
                       .to = codec::bit(move.to),
                       .takes = move.captured != PieceType::None};
  if (move.kind == codec::MoveKind::Castling) step.kind = codec::MoveStep::Kind::Castling;
  if (move.kind == codec::MoveKind::Null) step.kind = codec::MoveStep::Kind::Null;
  if (seed % 3 == 1) step.from = codec::bit(move.from);
  if (seed % 3 == 2) step.promotion = move.promotion;
  step.is_followed_by_any = seed % 2 == 1;
  return step;
}

bool fits(const codec::MoveStep& step, const Move& move) {
  const auto kind = move.kind == codec::MoveKind::Castling ? codec::MoveStep::Kind::Castling
                    : move.kind == codec::MoveKind::Null   ? codec::MoveStep::Kind::Null
                                                           : codec::MoveStep::Kind::Move;
  return kind == step.kind && (step.pieces >> static_cast<unsigned>(move.piece) & 1) != 0 &&
         (step.from & codec::bit(move.from)) != 0 && (step.to & codec::bit(move.to)) != 0 &&
         step.takes == (move.captured != PieceType::None) &&
         (step.promotion == PieceType::None || step.promotion == move.promotion);
}

// Returns how many moves there are up to the earliest end of the steps from one on, if these begin
// with the move at `at`.
std::optional<std::size_t> earliest_end(const codec::MoveSequence& steps, std::size_t first,
                                        const std::vector<Move>& moves, std::size_t at) {
  if (at >= moves.size() || !fits(steps[first], moves[at])) return std::nullopt;
  if (first + 1 == steps.size()) return at + 1;
  std::optional<std::size_t> earliest;
  const std::size_t last = steps[first].is_followed_by_any ? moves.size() : at + 2;
  for (std::size_t next = at + 1; next < last; ++next) {
    const std::optional<std::size_t> end = earliest_end(steps, first + 1, moves, next);
    if (end.has_value() && (!earliest.has_value() || *end < *earliest)) earliest = end;
  }
  return earliest;
}

void check_sequences(Bytes record, CastlingRule rule, const WalkedLine& line) {
  constexpr std::size_t kMostSequences = 20;
  constexpr std::size_t kMoves = 3;
  constexpr std::size_t kMostMoves = 300;  // what looks for all ends takes their cube
  if (line.moves.size() > kMostMoves) return;
  const std::size_t step = 1 + line.moves.size() / kMostSequences;
  for (std::size_t ply = 0; ply < line.moves.size(); ply += step) {
    codec::MoveSequence steps;
    for (std::size_t i = ply; i < std::min(ply + kMoves, line.moves.size()); ++i) {
      steps.push_back(step_of(line.moves[i], i));
    }
    // In the other order they are rarely there.
    if (ply % 5 == 4) std::ranges::reverse(steps);
    std::optional<std::uint32_t> expected;
    for (std::size_t at = 0; at < line.moves.size(); ++at) {
      const std::optional<std::size_t> end = earliest_end(steps, 0, line.moves, at);
      if (end.has_value() && (!expected.has_value() || *end < *expected)) {
        expected = static_cast<std::uint32_t>(*end);
      }
    }
    require(codec::scid::SequenceSeeker(steps, rule).seek(record) == expected,
            "moves are found elsewhere than they are");
  }
}

// The notes of a main line.
struct NotedPositions {
  void start(const Position&) { notes_at.clear(); }
  void move(const Position&, const Move&) {}
  void notes(const codec::scid::MoveNotes& notes) { notes_at.push_back(notes); }

  std::vector<codec::scid::MoveNotes> notes_at;
};

void check_notes(Bytes record, CastlingRule rule, const RecordHead& head, const WalkedLine& line) {
  codec::scid::Walker walker;
  NotedPositions noted;
  codec::scid::walk_notes(walker, record, head, noted);
  require(noted.notes_at.size() == line.positions.size(), "a position has no notes or too many");
  std::optional<std::int32_t> last;
  for (const codec::scid::MoveNotes& notes : noted.notes_at) {
    if (notes.eval.has_value()) last = notes.eval;
  }
  const codec::scid::SoughtRange range = {last.value_or(0), last.value_or(0)};
  const auto first = std::ranges::find(noted.notes_at, last, &codec::scid::MoveNotes::eval);
  codec::scid::NoteSeeker seeker(codec::scid::NoteKind::Eval, range, rule);
  const std::optional<std::uint32_t> ply = seeker.seek(record);
  require(ply.has_value() == last.has_value() && seeker.is_known() == last.has_value(),
          "an evaluation is not found, or is found that is not there");
  require(!ply.has_value() || *ply == first - noted.notes_at.begin(),
          "an evaluation is found elsewhere than it is");
  const std::optional<std::uint32_t> nag = codec::scid::NagSeeker({1, 255}, rule).seek(record);
  require(nag.value_or(0) < line.positions.size(), "a NAG is found behind the end");
}

void check_rule(Bytes record, CastlingRule rule) {
  std::vector<codec::scid::ExtraTag> tags;
  RecordHead head;
  if (codec::scid::parse_record_head(record, tags, head, rule).has_value()) {
    require(!codec::scid::PositionSeeker(TargetPosition{}, rule).seek(record).has_value(),
            "a position is found where no game begins");
    return;
  }
  codec::scid::Walker walker;
  WalkedLine line;
  const bool is_whole =
      !codec::scid::walk_main_line(walker, record, record, head, line).has_value();
  check_visited(record, head, line);
  check_positions(record, rule, line);
  check_lines(record, rule, line);
  check_material(record, rule, line);
  check_endings(record, head, line);
  check_patterns(record, rule, line);
  check_sequences(record, rule, line);
  check_notes(record, rule, head, line);
  check_course(record, rule, line.positions, line.moves, is_whole);
}

class ReplayTarget : public Target {
 public:
  std::string_view name() const override { return "replay"; }

  void check(std::string_view input) const override {
    // Exactly of this size, so that reads beyond its end are detected.
    const std::vector<std::uint8_t> record(input.begin(), input.end());
    check_rule(record, CastlingRule::Standard);
    check_rule(record, CastlingRule::Chess960);
  }

  // The mutator of records applies.
  std::vector<Seed> seeds() const override { return record_target().seeds(); }
  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    record_target().mutate(input, random, plain);
  }
};

}  // namespace

const Target& replay_target() {
  static const ReplayTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
