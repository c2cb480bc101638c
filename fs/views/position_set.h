// tree/e4/c5/ and positions/FEN/ below any set: the games of the set that come to a position.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "codec/target_position.h"
#include "fs/positions/move_table.h"
#include "fs/positions/move_texts.h"
#include "fs/positions/opening_tree.h"
#include "fs/views/known_position.h"
#include "fs/views/query_set.h"

namespace scidfs::fs {

// The result of a query that ends in a line of moves, so query().line is not null. Its directory
// lists the moves played from there.
class PositionSet : public QuerySet {
 public:
  using QuerySet::QuerySet;

  const PositionSet* at_position() const override { return this; }
  Listing listing() const override { return Listing::Position; }
  // Counts the tree that the line belongs to once, and holds it for the whole listing.
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;

  // Returns the position that the line leads to.
  const codec::TargetPosition& target() const;
  // Returns it with the castling rights, en passant and counters that the line gives it.
  const codec::Position& position() const { return query().line->position; }

  // Returns the games in which the tree of the line is counted: those of the set in which the line
  // begins. Errors: those of games().
  absl::StatusOr<GameSet> games_of_tree(const WorkBudget& budget) const;

  // Returns the opening of the position, or of the last one before it.
  NamedPosition named() const;
  // Returns the table of the position: from the tree, if it has been counted and has the position;
  // else made from the games that come to the position. Errors: those of moves_played() and of
  // games().
  absl::StatusOr<std::shared_ptr<const MoveTable>> table(const WorkBudget& budget) const;

  // Returns the table that the positions files know of a position; null if there is none, or
  // something besides the position tells the games of the set from all others.
  std::shared_ptr<const MoveTable> known_table(const codec::TargetPosition& position) const;

  // Open moves.txt, moves.tsv, board.txt and explorer.json. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> open_moves(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_moves_tsv(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_board(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_explorer(const WorkBudget& budget) const;

 protected:
  std::optional<Child> find_child(std::string_view name) const override;
  // Adds the name to the rejected names: it is no move.
  void note_unknown(std::string_view name) const override;

 private:
  // Returns whether nothing but the position tells its games from all others.
  bool is_of_all_games() const;
  std::string tree_key() const;
  // Returns the tree that the line belongs to; counts it if necessary. Errors: those of
  // OpeningTree::make() and of games().
  absl::StatusOr<std::shared_ptr<const OpeningTree>> tree(const WorkBudget& budget) const;
};

// Returns tree/ of a set: the position in which games begin.
std::optional<Child> find_tree(const Set& set);
// Finds the name of a position (codec/target_position.h) in the positions/ of a set. A name that
// looks like a position but is none is added to the rejected names.
std::optional<Child> find_in_positions(const Set& set, std::string_view name);
// Returns the text of positions/README.txt.
std::string positions_help();

}  // namespace scidfs::fs
