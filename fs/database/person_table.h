// What the spelling file knows of the persons of a database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fs/database/database_options.h"
#include "fs/database/person_evidence.h"
#include "fs/reference/spelling.h"

namespace scidfs::fs {

// Some persons of a spelling file and their facts, by place: in the order of their numbers.
// Immutable.
class PersonTable {
 public:
  PersonTable() = default;
  // Accepts persons in any order, and any number of times. Evidence::Lifetime: of their facts only
  // the lifetime.
  PersonTable(const Spelling& spelling, std::vector<std::uint32_t> persons, Evidence evidence);
  PersonTable(PersonTable&&) = default;
  PersonTable& operator=(PersonTable&&) = default;

  std::uint32_t size() const { return static_cast<std::uint32_t>(persons_.size()); }
  std::span<const std::uint32_t> persons() const { return persons_; }
  std::span<const PersonFacts> facts() const { return facts_; }
  // Returns the place of a person; nothing for another one.
  std::optional<std::uint32_t> find(std::uint32_t person) const;
  // Returns the place of a person. REQUIRES: the table has the person.
  std::uint32_t place(std::uint32_t person) const { return *find(person); }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  std::vector<std::uint32_t> persons_;  // ascending
  std::vector<PersonFacts> facts_;      // their ratings are parts of ratings_
  std::vector<MonthRating> ratings_;
};

}  // namespace scidfs::fs
