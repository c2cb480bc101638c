// The player from whose point of view a set of games is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codec/types.h"
#include "fs/database/people.h"
#include "fs/scan/column_batch.h"

namespace scidfs::fs {

// Ids of names: one, or any number of them. A value, cheap to copy.
class NameIds {
 public:
  // Makes an empty set.
  NameIds() = default;
  explicit NameIds(std::uint32_t id) : one_(id) {}
  // Contains the ids whose element of `ids` is true. `others`: whether it contains ids beyond the
  // end of `ids`.
  explicit NameIds(std::vector<bool> ids, bool others = false)
      : many_(std::make_shared<const std::vector<bool>>(std::move(ids))), others_(others) {}

  bool contains(std::uint32_t id) const {
    if (many_ != nullptr) return id < many_->size() ? (*many_)[id] : others_;
    return one_ == id;
  }
  // Returns the only id; nothing if it was made from many.
  std::optional<std::uint32_t> one() const { return one_; }

 private:
  std::optional<std::uint32_t> one_;
  std::shared_ptr<const std::vector<bool>> many_;
  bool others_ = false;
};

// Returns a side of the game of a row. REQUIRES: names, date, ratings and events have been read.
inline PlayerOfGame player_of(const ColumnBatch& rows, std::size_t row, codec::Color color) {
  return {.player = rows.player(row, color),
          .date = rows.date(row),
          .elo = rows.elo(row, color),
          .event = rows.event(row),
          .game = rows.games()[row],
          .color = color};
}

// The player of a set below a player, or below `player=NAME`. The opponents are those who play
// against the subject. A name with wildcards makes several players one subject.
struct Subject {
  NameIds players;
  // The color of the subject in all games of the set; nothing: either.
  std::optional<codec::Color> color{};
  // Of the games of these names those of some persons, numbers of People::identity_of(); null: all.
  // The people outlive this.
  const People* people = nullptr;
  NameIds identities{};

  // Returns whether a player of a game, with this color, has a name of the subject.
  bool has_name(std::uint32_t player, codec::Color with) const {
    return (!color.has_value() || *color == with) && players.contains(player);
  }
  // Returns whether a side of the game of a row is the subject. REQUIRES: what player_of() does.
  bool is(const ColumnBatch& rows, std::size_t row, codec::Color side) const {
    return has_name(rows.player(row, side), side) &&
           (people == nullptr ||
            identities.contains(people->identity_of(player_of(rows, row, side))));
  }
  // Does the same by the index of its database.
  bool is(const PackedIndex& index, GameIndex game, codec::Color side) const {
    const auto name =
        side == codec::Color::White ? PackedIndex::Column::White : PackedIndex::Column::Black;
    return has_name(index.value(game, name), side) &&
           (people == nullptr ||
            identities.contains(people->identity_of(player_of(index, game, side))));
  }
};

// The subject of a set over several databases, as it is in each part, or none. A view, cheap to
// copy: the subjects must outlive it.
class Subjects {
 public:
  // One subject is that of a set of one part.
  Subjects(std::nullopt_t = std::nullopt) {}
  Subjects(const std::optional<Subject>& only) {
    if (only.has_value()) of_parts_ = std::span(&*only, 1);
  }
  // Take one for each part, or none at all.
  Subjects(std::span<const Subject> of_parts) : of_parts_(of_parts) {}
  Subjects(const std::vector<Subject>& of_parts) : of_parts_(of_parts) {}

  bool has_value() const { return !of_parts_.empty(); }
  // Returns null for no subject.
  const Subject* of(std::size_t part) const { return has_value() ? &of_parts_[part] : nullptr; }

 private:
  std::span<const Subject> of_parts_;
};

}  // namespace scidfs::fs
