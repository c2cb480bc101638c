// Conditions on the names of games, bound to the ids of a database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "codec/scid/names.h"
#include "codec/types.h"
#include "fs/scan/subject.h"
#include "fs/search/column_filter.h"
#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// A test whether an id is one of some ids. If there is one id, the ranges rule out most blocks.
struct IsNamed {
  NameIds ids;

  bool operator()(std::uint32_t id) const { return ids.contains(id); }
  ZoneMatch of(PackedIndex::Range range) const;
};

// A test whether an id is none of a few ids, and one of a dictionary.
struct IsNoneOf {
  static constexpr std::size_t kFew = 4;

  std::uint32_t end = 0;  // the size of the dictionary
  std::array<std::uint32_t, kFew> ids{end, end, end, end};

  // Without branches, so that the compiler can vectorize.
  bool operator()(std::uint32_t id) const {
    unsigned is_other = id < end ? 1 : 0;
    for (const std::uint32_t one : ids) is_other &= id != one ? 1U : 0U;
    return is_other != 0;
  }
  ZoneMatch of(PackedIndex::Range range) const;
};

// The known names of a dictionary that do not match: those for which a negated condition holds.
class OtherNames {
 public:
  OtherNames(const codec::scid::NameTable& names, const MatchedNames& matched);

  // Returns visit(test) for a test of ids, which is a predicate of one column.
  template <class Visit>
  auto visit(const Visit& visit) const {
    return std::visit(visit, test_);
  }

 private:
  std::variant<IsNoneOf, IsNamed> test_;
};

// Match games that have one of these names in a column.
std::unique_ptr<ColumnFilter> filter_ids(PackedIndex::Column column, const NameIds& ids);
std::unique_ptr<ColumnFilter> filter_ids(PackedIndex::Column column, const OtherNames& others);
// Matches games of any of these players, with `color` or, without one, with either color.
std::unique_ptr<ColumnFilter> filter_players(const NameIds& ids, std::optional<codec::Color> color);
// Matches games whose players are all among these; with a color, only the one who has it counts.
std::unique_ptr<ColumnFilter> filter_players(const OtherNames& others,
                                             std::optional<codec::Color> color);
// Matches games between the subject and any of these players; without a subject, games of any of
// these players.
std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const NameIds& opponents);
// Matches games of the subject in which all opponents are among these: two, if both players are the
// subject. Without a subject, both players must be.
std::unique_ptr<ColumnFilter> filter_opponents(const std::optional<Subject>& subject,
                                               const OtherNames& others);

}  // namespace scidfs::fs
