// Queries: what users ask of a set of games by the paths that they compose.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/base/inode.h"
#include "fs/search/search.h"

namespace scidfs::fs {

// A line of moves from a position: `tree/e4/c5`, `positions/FEN/Kd2`.
struct Line {
  codec::TargetPosition root;
  std::vector<codec::Move> moves;
  // The position after the moves, with the castling rights, en passant and counters of the line.
  codec::Position position;
};

// A path below a set that uses its `search/`, `against/`, `tree/` or `positions/`. A query has no
// database: the same query may apply to several databases and to several versions of one.
struct Query {
  LocalId base{};      // the set's directory
  std::string path{};  // the path from there, as typed: "search/eco=B90/search/year=2010.."
  std::vector<FacetGroup> groups{};  // none: the set itself, without conditions
  // The line of moves in which the path ends; the last group is then the position after it. Null if
  // the path does not end in a line.
  std::shared_ptr<const Line> line = nullptr;
  // The name in whose directory the path ends, `repertoire/NAME`, and the side, which may follow;
  // empty for other directories.
  std::string repertoire{};
  std::optional<codec::Color> side{};
  // The name of the file in which the path ends, "plies=24,games=3.pgn", one for equal bounds; or
  // the number of parts, if it ends in `parts/64`. Empty for other directories.
  std::string file{};

  friend bool operator==(const Query& a, const Query& b) {
    return a.base == b.base && a.path == b.path;
  }
};
using QueryPtr = std::shared_ptr<const Query>;

// Limits on the length of a query. Each prefix of its path is a query too: without a limit, one
// path could evict all other queries from memory.
inline constexpr std::size_t kMostQueryBytes = 2048;  // of the path
inline constexpr std::size_t kMostQueryFacets = 32;   // those of all groups

// Return the query that one more name makes. Errors: OutOfRange if the query would be too long;
// InvalidArgument, with a reason for users, if the name is no facet, or if its key is in the group
// already.
//
// These take a name in the `search/`, or the `against/`, of a set or a result; the latter means the
// same as a facet `opponent=`.
absl::StatusOr<Query> asked_in_search(const Query& set, std::string_view name);
absl::StatusOr<Query> asked_against(const Query& set, std::string_view opponent);
// Takes a name in the directory of a result.
absl::StatusOr<Query> asked_further(const Query& query, std::string_view name);
// Begin a line: by `tree`, or by a name in the `positions/`, of a set or a result.
absl::StatusOr<Query> asked_in_tree(const Query& set);
absl::StatusOr<Query> asked_in_positions(const Query& set, std::string_view name);
// Takes a name in the directory of a line: a move, or several with commas, "e2e4,c7c5". An error
// says which ply, counted from where the line begins. REQUIRES: query.line != nullptr.
absl::StatusOr<Query> asked_after_move(const Query& query, std::string_view name);
// Takes a file with bounds in its name, in a directory of a set or a result, which asks for the
// same games. REQUIRES: equal bounds have one name; the directory is one of those with such files.
absl::StatusOr<Query> asked_with_bounds(const Query& set, std::string_view directory,
                                        std::string_view file);

// Take the number of parts in the `parts/` of a set or a result, which asks for the same games; and
// the number of one of them. REQUIRES, of the latter: the query is of the former.
absl::StatusOr<Query> asked_in_parts(const Query& set, std::string_view count);
absl::StatusOr<Query> asked_for_part(const Query& query, std::string_view number);

// Take a name in the `repertoire/` of a set or a result, which asks for the same games; and a side
// in its directory, `white` or `black`. REQUIRES, of the latter: the query is of the former.
absl::StatusOr<Query> asked_about(const Query& set, std::string_view directory,
                                  std::string_view repertoire);
absl::StatusOr<Query> asked_for_side(const Query& query, std::string_view side);

// Returns the query that a path means. A path that begins with a slash is a name of a directory,
// and asks for nothing. Errors: as above, of the first name in the path that fails.
absl::StatusOr<Query> parse_query(LocalId base, std::string_view path);

}  // namespace scidfs::fs
