#include "fs/repertoire/repertoire.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "cache/hash.h"
#include "codec/scid/walk.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/database/decoding.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::Position;
using codec::Square;
using codec::scid::RecordHead;

constexpr std::size_t kFirstSlots = 64;
constexpr int kTurn = 21;  // so that both sides' squares count in a hash

}  // namespace

// Adds the positions and moves of one game after the other. A visitor of the walk (walk.h).
class RepertoireReader {
 public:
  explicit RepertoireReader(Repertoire& out) : out_(out) {}

  // Returns whether a game had more than the limits; nothing is added any more.
  bool is_full() const { return is_full_; }

  void start(const Position& position) {
    lines_.clear();
    line_ = {.at = reach(position)};
    if (line_.at == Repertoire::kNoPlace) return;
    std::vector<Place>& starts = out_.starts_;
    if (is_start_.size() <= line_.at) is_start_.resize(line_.at + std::size_t{1});
    if (!is_start_[line_.at]) starts.push_back(line_.at);
    is_start_[line_.at] = true;
  }
  template <Color kUs>
  void move(const Position& after, const codec::Move& move) {
    const Place before = line_.at;
    line_ = {.before = before};
    if (before == Repertoire::kNoPlace || move.kind == codec::MoveKind::Null) return;
    const Place to = reach(after);
    if (to == Repertoire::kNoPlace) return;
    line_.at = to;
    line_.move = add(before, move, to);
  }
  std::string_view nag(std::uint8_t value) {
    constexpr std::uint8_t kPoor = 2, kVeryPoor = 4, kQuestionable = 6;
    const bool is_doubtful = value == kPoor || value == kVeryPoor || value == kQuestionable;
    if (is_doubtful && line_.move != Repertoire::kNoPlace) {
      out_.moves_[line_.move].is_doubtful = true;
    }
    return {};
  }
  std::string_view comment() { return {}; }
  void begin_variation(const Position& /*before*/) {
    lines_.push_back(line_);
    line_ = {.at = line_.before};
  }
  void end_variation(const Position& /*end*/) {
    line_ = lines_.back();
    lines_.pop_back();
  }
  void end(const Position& /*end*/) {}

 private:
  using Place = Repertoire::Place;

  struct Line {
    Place at = Repertoire::kNoPlace;            // none: a null move came before
    Place before = Repertoire::kNoPlace;        // the position before the last move
    std::uint32_t move = Repertoire::kNoPlace;  // the last one, which glyphs are about
  };

  Place reach(const Position& position) {
    if (is_full_) return Repertoire::kNoPlace;
    const Place place = out_.place_of(position);
    is_full_ = out_.size() > kMostRepertoirePositions;
    return place;
  }
  std::uint32_t add(Place before, const codec::Move& move, Place to) {
    Repertoire::Node& node = out_.nodes_[before];
    std::vector<Repertoire::Move>& moves = out_.moves_;
    for (std::uint32_t i = node.first; i != Repertoire::kNoPlace; i = moves[i].next) {
      if (moves[i].move == move) return i;
    }
    const auto added = static_cast<std::uint32_t>(moves.size());
    (node.first == Repertoire::kNoPlace ? node.first : moves[node.last].next) = added;
    node.last = added;
    moves.push_back({.move = move, .is_doubtful = false, .to = to});
    is_full_ = is_full_ || moves.size() > kMostRepertoireMoves;
    return added;
  }

  Repertoire& out_;
  Line line_;
  std::vector<Line> lines_;     // that variations have left
  std::vector<bool> is_start_;  // by place, as far as there are starts
  bool is_full_ = false;
};

Repertoire::Board Repertoire::Board::of(const Position& position) {
  Board board{.occupied = {position.pieces(Color::White), position.pieces(Color::Black)},
              .side = position.side_to_move()};
  std::size_t man = 0;
  for (codec::Bitboard rest = position.occupied(); rest != 0; rest &= rest - 1, ++man) {
    const auto type = static_cast<unsigned>(position.piece_at(codec::first_square(rest)).type);
    board.types[man / 2] |= static_cast<std::uint8_t>(type << 4 * (man % 2));
  }
  return board;
}

std::size_t Repertoire::slot_of(const Board& board) const {
  const std::size_t mask = slots_.size() - 1;
  const std::uint64_t seed = board.occupied[0] ^ std::rotl(board.occupied[1], kTurn) ^
                             static_cast<std::uint64_t>(board.side);
  std::size_t slot = cache::fingerprint(std::span(board.types), seed) & mask;
  while (slots_[slot] != kNoPlace && nodes_[slots_[slot]].board != board) slot = (slot + 1) & mask;
  return slot;
}

Repertoire::Place Repertoire::find(const Position& position) const {
  if (slots_.empty()) return kNoPlace;
  return slots_[slot_of(Board::of(position))];
}

Repertoire::Place Repertoire::place_of(const Position& position) {
  if (2 * (nodes_.size() + 1) > slots_.size()) grow();
  const Board board = Board::of(position);
  Place& place = slots_[slot_of(board)];
  if (place == kNoPlace) {
    place = static_cast<Place>(nodes_.size());
    nodes_.push_back({.board = board});
  }
  return place;
}

void Repertoire::grow() {
  slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), kNoPlace);
  for (Place place = 0; place < nodes_.size(); ++place) {
    slots_[slot_of(nodes_[place].board)] = place;
  }
}

Position Repertoire::position(Place place) const {
  constexpr std::string_view kLetters = "kqrbnp";
  const Board& board = nodes_[place].board;
  std::array<char, 64> men{};
  std::size_t man = 0;
  for (codec::Bitboard rest = board.occupied[0] | board.occupied[1]; rest != 0;
       rest &= rest - 1, ++man) {
    const Square square = codec::first_square(rest);
    const char letter = kLetters[board.types[man / 2] >> 4 * (man % 2) & 0xF];
    const bool is_white = (board.occupied[0] & codec::bit(square)) != 0;
    men[square] = is_white ? static_cast<char>(letter - ('a' - 'A')) : letter;
  }
  std::string fen;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const char letter = men[codec::make_square(file, rank)];
      if (letter == '\0') {
        ++empty;
        continue;
      }
      if (empty != 0) fen += static_cast<char>('0' + std::exchange(empty, 0));
      fen += letter;
    }
    if (empty != 0) fen += static_cast<char>('0' + empty);
    if (rank != 0) fen += '/';
  }
  fen += board.side == Color::White ? " w" : " b";
  return Position::from_fen(fen).value_or(Position());
}

std::size_t Repertoire::memory() const {
  return sizeof *this + nodes_.capacity() * sizeof(Node) + moves_.capacity() * sizeof(Move) +
         (starts_.capacity() + slots_.capacity()) * sizeof(Place);
}

absl::StatusOr<std::shared_ptr<const Repertoire>> Repertoire::read(const Database& database,
                                                                   const WorkBudget& budget) {
  const GameList shown = database.shown();
  RETURN_IF_ERROR(begin_decoding(database, shown, budget));
  auto repertoire = std::make_shared<Repertoire>();
  RepertoireReader reader(*repertoire);
  codec::scid::Walker walker;
  GameRecords records(database, GameFile::Check::Now, budget);
  MemoryClaim memory(budget);
  std::vector<GameIndex> of_block;
  GameList::Cursor rest = shown.begin();
  for (GameIndex game = rest.next(); game != kNoGame;) {
    of_block.clear();
    const std::size_t block = game / PackedIndex::kBlock;
    for (; game != kNoGame && game / PackedIndex::kBlock == block; game = rest.next()) {
      of_block.push_back(game);
    }
    RETURN_IF_ERROR(
        records.for_each_game(of_block, [&](std::size_t, Bytes record, const RecordHead& head) {
          if (!reader.is_full()) walker.walk(record, head, reader);
        }));
    if (reader.is_full()) {
      return absl::UnimplementedError(
          fmt::format("more than {} positions, or {} moves: too many for a repertoire",
                      kMostRepertoirePositions, kMostRepertoireMoves));
    }
    RETURN_IF_ERROR(memory.grow_to(repertoire->memory()));
  }
  return repertoire;
}

}  // namespace scidfs::fs
