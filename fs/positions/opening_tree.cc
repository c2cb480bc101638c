#include "fs/positions/opening_tree.h"

#include <cassert>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/positions/position_sample.h"
#include "fs/positions/target_scan.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;

// The counts of positions; makes tables of them when they are needed. Tables keep their addresses.
class Counted {
 public:
  Counted(std::span<const PositionSample::Part> parts, KnownTable known)
      : parts_(parts), known_(known) {}

  // Counts the target positions that have not been counted yet.
  absl::Status count(const std::vector<TargetPosition>& targets, const WorkBudget& budget) {
    std::vector<TargetPosition> wanted;
    std::vector<Position*> positions;
    for (const TargetPosition& target : targets) {
      const auto [place, is_new] = positions_.try_emplace(codec::position_name(target));
      if (!is_new) continue;
      place->second =
          std::make_unique<Position>(Position{.target = target, .tally = {}, .table = {}});
      wanted.push_back(target);
      positions.push_back(place->second.get());
    }
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
      ASSIGN_OR_RETURN(
          const std::vector<MoveTally> tallies,
          count_moves(parts_[part].database, part, parts_[part].games, wanted, budget));
      for (std::size_t i = 0; i < positions.size(); ++i) positions[i]->tally += tallies[i];
    }
    return absl::OkStatus();
  }

  // Returns the table of a position; null if it is not known and has not been counted.
  const MoveTable* table(const std::string& name, const TargetPosition& target) {
    if (const MoveTable* const counted = mutable_table(name)) return counted;
    const std::shared_ptr<const MoveTable> known = known_(target);
    if (known == nullptr) return nullptr;
    auto position = std::make_unique<Position>(
        Position{.target = target, .tally = {}, .table = std::make_unique<MoveTable>(*known)});
    return positions_.emplace(name, std::move(position)).first->second->table.get();
  }
  // Moves a table out. REQUIRES: the position has been counted.
  MoveTable take(const std::string& name) {
    MoveTable* const counted = mutable_table(name);
    assert(counted != nullptr);
    return std::move(*counted);
  }

 private:
  struct Position {
    TargetPosition target;
    MoveTally tally;
    std::unique_ptr<MoveTable> table;
  };

  MoveTable* mutable_table(const std::string& name) {
    const auto found = positions_.find(name);
    if (found == positions_.end()) return nullptr;
    Position& position = *found->second;
    if (position.table == nullptr) {
      position.table =
          std::make_unique<MoveTable>(std::move(position.tally).table(position.target.position));
    }
    return position.table.get();
  }

  const std::span<const PositionSample::Part> parts_;
  const KnownTable known_;
  absl::flat_hash_map<std::string, std::unique_ptr<Position>> positions_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const OpeningTree>> OpeningTree::make(const GameSet& parts,
                                                                     const TargetPosition& root,
                                                                     const WorkBudget& budget,
                                                                     KnownTable known) {
  ASSIGN_OR_RETURN(PositionSample sample, PositionSample::of(parts, {}, budget));
  Counted counted(sample.parts(), known);
  const auto find = [&] {
    return find_lines(root, {.plies = kMostPlies, .lines = kMostLines},
                      [&](const std::string& position, const TargetPosition& target) {
                        return counted.table(position, target);
                      });
  };
  FoundLines found = find();
  // The sample is of games that come to the root.
  std::vector<Onward> missing = {{.target = root, .plies = kMostPlies}};
  while (!found.missing.empty()) {
    ASSIGN_OR_RETURN(const auto targets, sample.frequent(missing, budget));
    RETURN_IF_ERROR(counted.count(targets, budget));
    found = find();
    missing = found.missing;
  }
  Tables tables;
  for (const std::string& position : found.positions) {
    if (!tables.contains(position)) tables.emplace(position, counted.take(position));
  }
  return std::shared_ptr<const OpeningTree>(
      new OpeningTree(std::move(found.lines), std::move(tables)));
}

const MoveTable* OpeningTree::find(std::string_view position) const {
  const auto found = tables_.find(std::string(position));
  return found == tables_.end() ? nullptr : &found->second;
}

std::size_t OpeningTree::memory() const {
  std::size_t bytes =
      sizeof *this + lines_.memory() + tables_.capacity() * (sizeof(Tables::value_type) + 1);
  for (const auto& [name, table] : tables_) {
    bytes += name.capacity() + 1 + table.memory() - sizeof(MoveTable);
  }
  return bytes;
}

}  // namespace scidfs::fs
