#include "fs/search/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>

#include "codec/number.h"
#include "codec/san.h"
#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/set_part.h"

namespace scidfs::fs {
namespace {

using codec::TargetPosition;

constexpr std::string_view kSearch = "search";
constexpr std::string_view kAgainst = "against";
constexpr std::string_view kPositions = "positions";
constexpr std::string_view kTree = "tree";
constexpr std::string_view kPartsDirectory = "parts";
constexpr auto kOfRepertoires = std::to_array<std::string_view>({"repertoire", "prepare"});
// These have files with bounds, or a tag, in their names.
constexpr auto kBounded = std::to_array<std::string_view>({"lines", "book", "values"});

// Returns the query with one more part in its path. The caller then adds a facet or replaces the
// last one.
absl::StatusOr<Query> longer(const Query& before, std::string_view part, std::size_t more_facets) {
  const std::string_view slash = before.path.empty() ? "" : "/";
  if (before.path.size() + slash.size() + part.size() > kMostQueryBytes) {
    return absl::OutOfRangeError(
        fmt::format("the query is too long, more than {} bytes from its set on", kMostQueryBytes));
  }
  std::size_t facets = more_facets;
  for (const FacetGroup& group : before.groups) facets += group.size();
  if (facets > kMostQueryFacets) {
    return absl::OutOfRangeError(
        fmt::format("the query is too long, more than {} conditions", kMostQueryFacets));
  }
  return Query{.base = before.base,
               .path = fmt::format("{}{}{}", before.path, slash, part),
               .groups = before.groups};
}

// Returns the query of the same games with one more part in its path.
absl::StatusOr<Query> for_same_games(const Query& before, std::string_view part) {
  absl::StatusOr<Query> query = longer(before, part, 0);
  if (query.ok()) query->line = before.line;
  return query;
}

absl::StatusOr<Query> with_facet(const Query& before, std::string_view part, std::string_view name,
                                 bool is_in_new_group) {
  ASSIGN_OR_RETURN(Facet facet, parse_facet(name));
  absl::StatusOr<Query> query = longer(before, part, 1);
  if (!query.ok()) return query;
  if (is_in_new_group) query->groups.emplace_back();
  FacetGroup& group = query->groups.back();
  const auto same =
      std::ranges::find_if(group, [&](const Facet& one) { return one.has_key_of(facet); });
  if (same != group.end()) {
    const bool is_repeated = same->row == facet.row;
    return absl::InvalidArgumentError(
        is_repeated ? "duplicate key; a nested search/ may repeat it"
                    : "first and last exclude each other; a nested search/ may have the other");
  }
  group.push_back(std::move(facet));
  return query;
}

absl::StatusOr<Query> line_from(const Query& set, std::string_view part,
                                const TargetPosition& root) {
  absl::StatusOr<Query> query = longer(set, part, 1);
  if (!query.ok()) return query;
  query->groups.push_back({position_facet(root)});
  query->line =
      std::make_shared<const Line>(Line{.root = root, .moves = {}, .position = root.position});
  return query;
}

bool has_bounded_files(std::string_view directory) {
  return std::ranges::find(kBounded, directory) != kBounded.end();
}

bool has_repertoires(std::string_view directory) {
  return std::ranges::find(kOfRepertoires, directory) != kOfRepertoires.end();
}

// Returns whether a name in the directory of a set leads to a directory whose names are conditions
// or bounds, or repertoires.
bool asks_by_names(std::string_view name) {
  return name == kSearch || name == kAgainst || name == kPositions || name == kPartsDirectory ||
         has_bounded_files(name) || has_repertoires(name);
}

// Returns the query for a name in a directory of a set for which asks_by_names() is true, or in the
// set's own directory.
absl::StatusOr<Query> asked(const Query& before, std::string_view directory,
                            std::string_view name) {
  if (directory == kSearch) return asked_in_search(before, name);
  if (directory == kAgainst) return asked_against(before, name);
  if (directory == kPositions) return asked_in_positions(before, name);
  if (directory == kPartsDirectory) return asked_in_parts(before, name);
  if (has_bounded_files(directory)) return asked_with_bounds(before, directory, name);
  if (has_repertoires(directory)) return asked_about(before, directory, name);
  if (!before.repertoire.empty()) return asked_for_side(before, name);
  if (!before.file.empty()) return asked_for_part(before, name);
  if (name == kTree) return asked_in_tree(before);
  if (before.line != nullptr) return asked_after_move(before, name);
  if (before.groups.empty()) return absl::InvalidArgumentError("no query begins with this path");
  return asked_further(before, name);
}

// Returns why a text is no move, which a name has as a ply, counted from 1.
absl::Status no_move(const TargetPosition& before, std::size_t ply, std::string_view text,
                     std::string_view name) {
  const auto error = [&](std::string_view why) {
    const std::string which = text == name ? "" : fmt::format(", `{}`", codec::clean_line(text));
    return absl::InvalidArgumentError(fmt::format("ply {}{}: {}", ply, which, why));
  };
  if (text.empty()) return error("a move is missing before or after a comma");
  const std::optional<std::vector<codec::Move>> moves = codec::named_moves(before.position, text);
  if (!moves.has_value()) return error("not the name of a move such as Nf3, exd5, e8=Q, O-O");
  if (moves->size() < 2) return error("not legal here");
  std::vector<std::string> names;
  for (const codec::Move& move : *moves) names.push_back(codec::to_san(before.position, move));
  return error(fmt::format("ambiguous: {}", fmt::join(names, " or ")));
}

}  // namespace

absl::StatusOr<Query> asked_in_search(const Query& set, std::string_view name) {
  return with_facet(set, fmt::format("{}/{}", kSearch, name), name, true);
}

absl::StatusOr<Query> asked_against(const Query& set, std::string_view opponent) {
  return with_facet(set, fmt::format("{}/{}", kAgainst, opponent),
                    fmt::format("opponent={}", opponent), true);
}

absl::StatusOr<Query> asked_further(const Query& query, std::string_view name) {
  return with_facet(query, name, name, query.groups.empty());
}

absl::StatusOr<Query> asked_in_tree(const Query& set) {
  return line_from(set, kTree, TargetPosition{});
}

absl::StatusOr<Query> asked_in_positions(const Query& set, std::string_view name) {
  ASSIGN_OR_RETURN(const TargetPosition target, codec::parse_position_name(name));
  return line_from(set, fmt::format("{}/{}", kPositions, name), target);
}

absl::StatusOr<Query> asked_after_move(const Query& query, std::string_view name) {
  assert(query.line != nullptr);
  TargetPosition target = query.groups.back().front().condition().as<TargetPosition>();
  Line line = *query.line;
  for (std::string_view rest = name;;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view text = rest.substr(0, comma);
    const std::optional<codec::Move> move = target.parse_move(text);
    if (!move.has_value()) return no_move(target, line.moves.size() + 1, text, name);
    target = target.after(*move);
    line.moves.push_back(*move);
    line.position.make(*move);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  absl::StatusOr<Query> after = longer(query, name, 0);
  if (!after.ok()) {
    return absl::Status(after.status().code(), fmt::format("ply {}: {}", line.moves.size(),
                                                           std::string(after.status().message())));
  }
  after->groups.back() = {position_facet(target)};
  after->line = std::make_shared<const Line>(std::move(line));
  return after;
}

absl::StatusOr<Query> asked_with_bounds(const Query& set, std::string_view directory,
                                        std::string_view file) {
  absl::StatusOr<Query> query = for_same_games(set, fmt::format("{}/{}", directory, file));
  if (query.ok()) query->file = file;
  return query;
}

absl::StatusOr<Query> asked_in_parts(const Query& set, std::string_view count) {
  ASSIGN_OR_RETURN(const std::uint32_t parts, SetPart::parse_count(count));
  absl::StatusOr<Query> query = asked_with_bounds(set, kPartsDirectory, count);
  if (query.ok()) query->file = std::to_string(parts);
  return query;
}

absl::StatusOr<Query> asked_for_part(const Query& query, std::string_view number) {
  assert(!query.file.empty());
  if (codec::parse_number<std::uint32_t>(number) == std::nullopt) {
    return absl::InvalidArgumentError("no number of a part");
  }
  return with_facet(query, number, fmt::format("part={}of{}", number, query.file), true);
}

absl::StatusOr<Query> asked_about(const Query& set, std::string_view directory,
                                  std::string_view repertoire) {
  absl::StatusOr<Query> query = for_same_games(set, fmt::format("{}/{}", directory, repertoire));
  if (query.ok()) query->repertoire = repertoire;
  return query;
}

absl::StatusOr<Query> asked_for_side(const Query& query, std::string_view side) {
  assert(!query.repertoire.empty());
  const bool is_white = side == "white";
  if (query.side.has_value() || (!is_white && side != "black")) {
    return absl::InvalidArgumentError("a repertoire has white/ and black/");
  }
  absl::StatusOr<Query> of_side = for_same_games(query, side);
  if (!of_side.ok()) return of_side;
  of_side->repertoire = query.repertoire;
  of_side->side = is_white ? codec::Color::White : codec::Color::Black;
  return of_side;
}

absl::StatusOr<Query> parse_query(LocalId base, std::string_view path) {
  if (path.starts_with('/')) return Query{.base = base, .path = std::string(path)};
  absl::StatusOr<Query> query = Query{.base = base};
  std::string_view directory;  // within the set or result reached so far; empty: its own directory
  while (query.ok() && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (directory.empty() && asks_by_names(name)) {
      directory = name;
    } else {
      query = asked(*query, std::exchange(directory, {}), name);
    }
  }
  return query;
}

}  // namespace scidfs::fs
