// The lines of a repertoire for one side.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/position.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/positions/target_boards.h"
#include "fs/repertoire/repertoire.h"

namespace scidfs::fs {

// What a side plays, and what it expects: the positions of a repertoire to which games of it lead
// without a doubtful move of that side. Doubtful moves of the other side are answered as all
// others. Immutable; any number of threads may use it.
class SideLines {
 public:
  using Place = std::uint32_t;  // the number of a position, in the order of the repertoire
  static constexpr Place kNoPlace = Repertoire::kNoPlace;

  // A move that stands in a position.
  struct Move {
    codec::Move move;
    Place to = 0;
  };

  // Errors: Cancelled; those of WorkBudget::take_memory().
  static absl::StatusOr<std::shared_ptr<const SideLines>> make(
      std::shared_ptr<const Repertoire> repertoire, codec::Color side, const WorkBudget& budget);

  codec::Color side() const { return side_; }
  std::size_t size() const { return places_.size(); }
  // Returns the boards of the positions, which have the numbers of these.
  const TargetBoards& boards() const { return *boards_; }
  codec::Position position(Place place) const { return repertoire_->position(places_[place]); }
  // Returns whether the side of the lines is to move.
  bool is_mine(Place place) const { return repertoire_->side_to_move(places_[place]) == side_; }
  // Returns the moves that stand in a position, in the order of the repertoire; at an end of the
  // lines there are none.
  std::span<const Move> moves(Place place) const {
    return std::span(moves_).subspan(begins_[place], begins_[place + 1] - begins_[place]);
  }
  // Returns the place of a position; kNoPlace if it is not in the lines.
  Place find(const codec::Position& position) const;
  // Returns the place after a move, which may stand there or not.
  Place after(Place place, const codec::Move& move) const;
  // Returns the place before a position in the shortest line to it, of several in the one that
  // comes first in the order of the moves; kNoPlace for a start.
  Place before(Place place) const { return before_[place]; }

  std::size_t memory() const;

 private:
  explicit SideLines(std::shared_ptr<const Repertoire> repertoire, codec::Color side)
      : repertoire_(std::move(repertoire)), side_(side) {}

  // Finds the positions of the lines, and the one before each.
  absl::Status reach(const WorkBudget& budget);
  void add_moves();

  const std::shared_ptr<const Repertoire> repertoire_;
  const codec::Color side_;
  std::vector<Repertoire::Place> places_;  // in the repertoire
  std::vector<Place> of_repertoire_;       // by place there
  std::vector<Place> before_;
  std::vector<std::uint32_t> begins_;  // of each position in moves_; then the end
  std::vector<Move> moves_;
  std::unique_ptr<const TargetBoards> boards_;
};

// Writes the shortest lines to positions as moves with blanks between: "e4 c5 Nf3". Keeps the texts
// of moves: one for each thread.
class LineWriter {
 public:
  explicit LineWriter(const SideLines& lines) : lines_(lines), sans_(lines.size()) {}

  std::string line(SideLines::Place place);

 private:
  const SideLines& lines_;
  std::vector<std::string> sans_;  // of the last moves of the lines; empty: not made
};

}  // namespace scidfs::fs
