#include "fs/repertoire/side_lines.h"

#include <algorithm>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/positions/move_table.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;

constexpr std::size_t kReachedOfLook = 1024;
// Of a board of TargetBoards, its position while that is made, and the numbers here.
constexpr std::size_t kBytesOfPlace = 200;

// Returns whether a move can be played on a board: castling in Chess960 cannot, where king or rook
// has another home.
bool fits(const Position& position, const codec::Move& move) {
  if (move.kind != codec::MoveKind::Castling) return true;
  const Color us = position.side_to_move();
  const codec::CastlingHomes& homes = position.castling_homes();
  return homes.king(us) == move.from && position.piece_at(homes.rook_move(us, move.to).from) ==
                                            codec::Piece(codec::PieceType::Rook, us);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const SideLines>> SideLines::make(
    std::shared_ptr<const Repertoire> repertoire, Color side, const WorkBudget& budget) {
  MemoryClaim memory(budget);
  RETURN_IF_ERROR(memory.grow_to(repertoire->size() * kBytesOfPlace));
  std::shared_ptr<SideLines> lines(new SideLines(std::move(repertoire), side));
  RETURN_IF_ERROR(lines->reach(budget));
  lines->add_moves();
  lines->boards_ = std::make_unique<const TargetBoards>(
      lines->size(), [&](std::uint32_t place) { return lines->position(place); }, budget);
  if (budget.is_cancelled()) return WorkBudget::cancelled();
  return lines;
}

absl::Status SideLines::reach(const WorkBudget& budget) {
  const Repertoire& all = *repertoire_;
  of_repertoire_.assign(all.size(), kNoPlace);
  // By place in the repertoire, until the places here are known.
  std::vector<Repertoire::Place> from(all.size(), kNoPlace);
  std::vector<Repertoire::Place> queue;
  const auto visit = [&](Repertoire::Place place, Repertoire::Place before) {
    if (of_repertoire_[place] != kNoPlace) return;
    of_repertoire_[place] = 0;
    from[place] = before;
    queue.push_back(place);
  };
  for (const Repertoire::Place start : all.starts()) visit(start, kNoPlace);
  StepWatch watch(budget, kReachedOfLook);
  std::size_t next = 0;
  while (next < queue.size()) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const Repertoire::Place place = queue[next++];
    const bool is_mine = all.side_to_move(place) == side_;
    all.for_each_move(place, [&](const Repertoire::Move& move) {
      if (!is_mine || !move.is_doubtful) visit(move.to, place);
    });
  }
  places_ = std::move(queue);
  std::ranges::sort(places_);
  for (Place place = 0; place < places_.size(); ++place) of_repertoire_[places_[place]] = place;
  before_.reserve(places_.size());
  for (const Repertoire::Place place : places_) {
    before_.push_back(from[place] == kNoPlace ? kNoPlace : of_repertoire_[from[place]]);
  }
  return absl::OkStatus();
}

void SideLines::add_moves() {
  begins_.reserve(places_.size() + 1);
  for (Place place = 0; place < places_.size(); ++place) {
    begins_.push_back(static_cast<std::uint32_t>(moves_.size()));
    repertoire_->for_each_move(places_[place], [&](const Repertoire::Move& move) {
      if (is_mine(place) && move.is_doubtful) return;
      moves_.push_back({.move = move.move, .to = of_repertoire_[move.to]});
    });
  }
  begins_.push_back(static_cast<std::uint32_t>(moves_.size()));
}

SideLines::Place SideLines::find(const Position& position) const {
  const Repertoire::Place place = repertoire_->find(position);
  return place == Repertoire::kNoPlace ? kNoPlace : of_repertoire_[place];
}

SideLines::Place SideLines::after(Place place, const codec::Move& move) const {
  const std::span<const Move> here = moves(place);
  const auto written = std::ranges::find_if(
      here, [&](const Move& one) { return number_of(one.move) == number_of(move); });
  if (written != here.end()) return written->to;
  Position position = this->position(place);
  if (!fits(position, move)) return kNoPlace;
  position.make(move);
  return find(position);
}

std::size_t SideLines::memory() const {
  constexpr std::size_t kBytesOfBoard = 130;
  return sizeof *this + repertoire_->memory() + places_.size() * kBytesOfBoard +
         (places_.capacity() + of_repertoire_.capacity() + before_.capacity() +
          begins_.capacity()) *
             sizeof(Place) +
         moves_.capacity() * sizeof(Move);
}

std::string LineWriter::line(SideLines::Place place) {
  std::vector<SideLines::Place> way;
  for (; lines_.before(place) != SideLines::kNoPlace; place = lines_.before(place)) {
    way.push_back(place);
  }
  std::string text;
  for (std::size_t i = way.size(); i-- > 0;) {
    std::string& san = sans_[way[i]];
    if (san.empty()) {
      const SideLines::Place before = lines_.before(way[i]);
      const std::span<const SideLines::Move> moves = lines_.moves(before);
      const auto last = std::ranges::find(moves, way[i], &SideLines::Move::to);
      san = san_without_marks(lines_.position(before), last->move);
    }
    if (!text.empty()) text += ' ';
    text += san;
  }
  return text;
}

}  // namespace scidfs::fs
