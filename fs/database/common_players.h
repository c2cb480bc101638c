// The players of several databases: names, persons and directories.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/common_names.h"
#include "fs/database/common_set.h"
#include "fs/database/database.h"
#include "fs/database/derived.h"
#include "fs/database/people.h"

namespace scidfs::fs {

// The people of some databases, the parts, which share the numbers of one spelling file. With one
// part, its persons are all, and nothing is kept. Immutable; any number of threads may use it.
class CommonPeople {
 public:
  // The parts must outlive this. REQUIRES: there is a part.
  CommonPeople(std::vector<const People*> parts, const CommonNames& names);

  std::size_t parts() const { return parts_.size(); }
  const People& part(std::size_t part) const { return *parts_[part]; }
  const Spelling& spelling() const { return parts_.front()->spelling(); }
  // Returns all persons of the parts, ascending.
  std::span<const std::uint32_t> persons() const {
    return places_.empty() ? parts_.front()->persons() : persons_;
  }
  // Returns the places in persons() of the persons of a part. Nothing if there is one part.
  std::span<const std::uint32_t> places(std::size_t part) const {
    return places_.empty() ? std::span<const std::uint32_t>() : places_[part];
  }
  // Returns the players who are a person in some games or all, as common ids, ascending; empty for
  // an unknown person.
  std::span<const std::uint32_t> spellings(std::uint32_t person) const;
  // Returns whether one of the names that can mean a person (People::can_mean()) is meant.
  bool has_name(std::uint32_t person,
                absl::FunctionRef<bool(std::uint32_t common_id)> is_meant) const;
  // Returns whether a part has a shown game of a person.
  bool is_shown(std::uint32_t person) const;
  // Returns the directories of the persons who have shown games, by the shards of their correct
  // names; their common ids are their numbers. REQUIRES: there are several parts.
  const CommonSet& set() const {
    assert(parts() > 1);
    return set_;
  }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  std::vector<const People*> parts_;
  // With several parts only:
  std::vector<std::uint32_t> persons_;
  std::vector<std::vector<std::uint32_t>> places_;  // by part
  std::vector<std::uint32_t> spellings_;            // by place in persons_
  std::vector<bool> is_by_id_;                      // of each: no part's name can mean the person
  std::vector<std::uint32_t> spelling_ends_;
  CommonSet set_;
};

// The players of some databases, the parts. Keeps the databases. Immutable; what is made at first
// use stays; any number of threads may use it.
class CommonPlayers {
 public:
  // Takes the players of one database as they are, at no cost.
  explicit CommonPlayers(DatabasePtr only);
  // Merges the names. Errors: those of CommonNames::merge(). REQUIRES: there is a database, and all
  // have the same Reference.
  static absl::StatusOr<std::shared_ptr<const CommonPlayers>> merge(
      std::vector<DatabasePtr> databases, const WorkBudget& budget);

  std::size_t parts() const { return databases_.size(); }
  const std::vector<DatabasePtr>& databases() const { return databases_; }
  const CommonNames& names() const { return names_; }
  // Returns null without a spelling file.
  const CommonPeople* people() const;
  // Returns whether a part has a shown game of a player. Accepts any common id.
  bool is_shown(std::uint32_t player) const;
  // Returns the directories of the players who have shown games, by shard. REQUIRES: there are
  // several parts.
  const CommonSet& set() const;

  // Returns the bytes of memory that this takes, without the databases.
  std::size_t memory() const;

 private:
  // Which players have shown games, by common id, and their directories.
  struct Shown {
    std::vector<bool> is_shown;
    CommonSet set;

    std::size_t memory() const { return is_shown.capacity() / 8 + set.memory(); }
  };

  CommonPlayers(std::vector<DatabasePtr> databases, CommonNames names)
      : databases_(std::move(databases)), names_(std::move(names)) {}
  const Shown& shown() const;

  const std::vector<DatabasePtr> databases_;
  const CommonNames names_;
  Derived<CommonPeople> people_;
  Derived<Shown> shown_;
};

// Never null.
using CommonPlayersPtr = std::shared_ptr<const CommonPlayers>;

// The players of one part, among those of all. A view: `all` must outlive it.
struct PlayersOfPart {
  const CommonPlayers& all;
  std::size_t part = 0;
};

}  // namespace scidfs::fs
