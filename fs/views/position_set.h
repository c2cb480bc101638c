// tree/e4/c5/ and positions/FEN/ below any set: the games of it that come to a position.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codec/target_position.h"
#include "fs/positions/move_table.h"
#include "fs/positions/opening_tree.h"
#include "fs/views/query_set.h"

namespace scidfs::fs {

// The answer to a question that ends in a line of moves: question().line is not null. Its directory
// has the moves that lead on.
class PositionSet : public QuerySet {
 public:
  using QuerySet::QuerySet;

  SetKind kind() const override { return SetKind::Position; }
  Listing listing() const override { return Listing::Position; }
  // The tree that the line is part of is counted once, and held for the whole listing.
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;

  // The position that the line leads to.
  const codec::TargetPosition& target() const;
  // The same with the castling rights, en passant and counters that the line gives it.
  const codec::Position& position() const { return query().line->position; }

  // moves.txt, moves.tsv and board.txt. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open_moves(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_moves_tsv(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_board(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_explorer(const WorkBudget& budget) const;

 protected:
  std::optional<Child> find_child(std::string_view name) const override;

 private:
  std::string tree_key() const;
  // The tree that the line is part of, counted if that has not been done yet. Errors: as
  // OpeningTree::make(), and those of games().
  absl::StatusOr<std::shared_ptr<const OpeningTree>> tree(const WorkBudget& budget) const;
  // The table of the position: that of the tree, if it has been counted and has it; else made of
  // the games that come to the position. Errors: as moves_played(), and those of games().
  absl::StatusOr<std::shared_ptr<const MoveTable>> table(const WorkBudget& budget) const;
};

// tree/ of a set: the position in which games begin.
std::optional<Child> find_tree(const Set& set);
// A name in the positions/ of a set, of a position (codec/target_position.h). What looks like one
// and is none is noted among the refusals.
std::optional<Child> find_in_positions(const Set& set, std::string_view name);
// positions/README.txt.
std::string positions_help();

}  // namespace scidfs::fs
