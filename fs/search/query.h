// What users ask of a set of games, by the names that they compose.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/target_position.h"
#include "fs/base/inode.h"
#include "fs/search/search.h"

namespace scidfs::fs {

// A line of moves from a position: `tree/e4/c5`, `positions/FEN/Kd2`.
struct Line {
  codec::TargetPosition root;
  std::vector<codec::Move> moves;
  // After them, with all that the line itself says of castling, en passant and the counters.
  codec::Position position;
};

// A path below a set, by its `search/`, `against/`, `tree/` or `positions/`. Knows no database: the
// same question may be asked of several databases and of several versions of one.
struct Query {
  LocalId base{};      // of the set's directory
  std::string path{};  // from there, as it was typed: "search/eco=B90/search/year=2010.."
  std::vector<FacetGroup> groups{};  // none: the set itself, of which nothing has been asked yet
  // Where the path ends in a line of moves; the last group is then the position after it. Else
  // null.
  std::shared_ptr<const Line> line = nullptr;

  friend bool operator==(const Query& a, const Query& b) {
    return a.base == b.base && a.path == b.path;
  }
};
using QueryPtr = std::shared_ptr<const Query>;

// How long a question may be. Each name on the way to it is a question, too: without a bound one
// path would push all others out of the memory that there is for them.
inline constexpr std::size_t kMostQueryBytes = 2048;  // of the path
inline constexpr std::size_t kMostQueryFacets = 32;   // those of all groups

// The question that one name more makes. Errors: OutOfRange if it would be too long;
// InvalidArgument, with a reason for people, if the name is no facet, or its key is in the group
// already.
//
// A name in the `search/`, and in the `against/`, of a set or an answer: the latter means the same
// as a facet `opponent=`.
absl::StatusOr<Query> asked_in_search(const Query& set, std::string_view name);
absl::StatusOr<Query> asked_against(const Query& set, std::string_view opponent);
// A name in the directory of an answer. REQUIRES: question.groups is not empty.
absl::StatusOr<Query> asked_further(const Query& query, std::string_view name);
// The begin of a line: `tree`, and a name in the `positions/`, of a set or an answer.
absl::StatusOr<Query> asked_in_tree(const Query& set);
absl::StatusOr<Query> asked_in_positions(const Query& set, std::string_view name);
// A name in the directory of a line. REQUIRES: question.line != nullptr.
absl::StatusOr<Query> asked_after_move(const Query& query, std::string_view name);

// The question with a path. Errors: as above, of the first name on the way that has one.
absl::StatusOr<Query> parse_query(LocalId base, std::string_view path);

}  // namespace scidfs::fs
