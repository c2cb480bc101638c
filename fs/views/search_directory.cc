#include "fs/views/search_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/search/facet_row.h"
#include "fs/search/name_pattern.h"
#include "fs/search/search.h"
#include "fs/views/query_directory.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kAgainst = "against/";

// The names that each search/ lists. Their directories list no further ones, so a program that
// follows every listed name finds each game a few times more, not endlessly often.
constexpr std::array<std::string_view, 10> kListed = {
    "result=1-0", "result=0-1", "result=draw", "result=unknown", "eco=A",
    "eco=B",      "eco=C",      "eco=D",       "eco=E",          "annotated=any"};

std::optional<Child> refuse(const Version& version, std::string_view name,
                            std::string_view reason) {
  version.searches->rejected_names.note(RejectedNames::Kind::Facet, codec::clean_line(name),
                                        reason);
  return std::nullopt;
}

// Returns why a query cannot be asked of several databases together; empty if it can.
std::string_view refusal_together(const Query& query) {
  bool has_base = false;
  bool has_number = false;
  for (const FacetGroup& group : query.groups) {
    for (const Facet& facet : group) {
      has_base = has_base || (facet.row->name == "base" && !facet.is_negated);
      has_number = has_number || facet.row->name == "number";
      const NamePattern* const pattern = facet.condition().find<NamePattern>();
      if (pattern != nullptr && pattern->only().has_value()) {
        return "a name with ~ and a number means another player in each database";
      }
    }
  }
  if (!has_number || has_base) return {};
  return "each database has a game of this number; write base= before";
}

// Returns why the last facet of a query names no lines; empty if it does, or names other things.
std::string refusal_of_lines(const Set& set, const Query& query) {
  const Facet& facet = query.groups.back().back();
  if (facet.row->stage != FacetStage::Lines) return {};
  const auto& lines = facet.condition().as<WithinLines>();
  if (set.version().repertoires->find(lines.repertoire) == nullptr) {
    return fmt::format("no database and no PGN file {}", codec::clean_line(lines.repertoire));
  }
  const auto is_player = [](const Facet& one) { return role_of(one) == FacetRole::Player; };
  const bool has_subject =
      set.has_subject() || std::ranges::any_of(query.groups, [&](const FacetGroup& group) {
        return std::ranges::any_of(group, is_player);
      });
  if (lines.side.has_value() || has_subject) return {};
  return "no condition: add ,white or ,black; only the games of a player have a side";
}

// Returns the directory of a query whose last facet has the name `name`.
std::optional<Child> ask(const Set& set, absl::StatusOr<Query> query, std::string_view name) {
  const Version& version = set.version();
  if (absl::IsInvalidArgument(query.status())) {
    return refuse(version, name, std::string(query.status().message()));
  }
  if (query.ok()) {
    const std::string reason = refusal_of_lines(set, *query);
    if (!reason.empty()) return refuse(version, name, reason);
  }
  if (query.ok() && version.is_together()) {
    const std::string_view reason = refusal_together(*query);
    if (!reason.empty()) return refuse(version, name, reason);
  }
  if (query.ok() && !version.is_together() &&
      !knows_name(*version.database(), query->groups.back().back())) {
    return refuse(
        version, name,
        "no directory has this name; without ~ and the number all that share it are meant");
  }
  return query_directory(version, std::move(query), name);
}

}  // namespace

std::optional<Child> find_in_search(const Set& set, std::string_view name) {
  if (name.find('=') == std::string_view::npos) return std::nullopt;
  return ask(set, asked_in_search(*set.asked(), name), name);
}

std::optional<Child> find_in_answer(const Set& answer, std::string_view name) {
  return ask(answer, asked_further(*answer.asked(), name), name);
}

std::optional<Child> find_against(const Set& set, std::string_view name) {
  const std::optional<std::string_view> opponent = strip_suffix(name, ".pgn");
  if (!opponent.has_value()) return std::nullopt;
  std::optional<Child> child =
      ask(set, asked_against(*set.asked(), *opponent), fmt::format("opponent={}", *opponent));
  if (!child.has_value() || !child->refusal.ok()) return child;
  child->name = name;
  child->place.entry = kSetGames;
  child->is_directory = false;
  return child;
}

bool is_against(const Query& query) {
  std::string_view path = query.path;
  path.remove_suffix(path.size() - (path.rfind('/') + 1));
  return path == kAgainst || path.ends_with(fmt::format("/{}", kAgainst));
}

bool is_listed(const Query& query) {
  constexpr std::string_view kSearch = "search/";
  const std::string_view path = query.path;
  return path.starts_with(kSearch) && std::ranges::count(kListed, path.substr(kSearch.size())) != 0;
}

absl::Status list_search(const Set& set, std::uint64_t first, const WorkBudget&, EmitChild emit) {
  return list_children(
      first, kListed.size(), [&](std::uint64_t i) { return find_in_search(set, kListed[i]); },
      emit);
}

}  // namespace scidfs::fs
