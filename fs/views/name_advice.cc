#include "fs/views/name_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/text.h"
#include "fs/base/shell_word.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/common_players.h"
#include "fs/reference/opening_groups.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/facet_row.h"
#include "fs/search/facet_value.h"
#include "fs/search/name_pattern.h"
#include "fs/search/nearest_names.h"
#include "fs/search/person_facts.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// By codec::scid::NameKind.
constexpr std::array<std::string_view, codec::scid::kNameKinds> kNouns = {"player", "event", "site",
                                                                          "round"};

// Returns the pattern of a condition on names; null if a facet has none, or may mean others.
const NamePattern* pattern_of(const Facet& facet) {
  const auto* const pattern = facet.condition().find<NamePattern>();
  if (pattern == nullptr || facet.is_negated) return nullptr;
  return pattern->means_unknown() || pattern->only().has_value() ? nullptr : pattern;
}

std::string_view noun_of(const FacetRow& row) {
  if (row.stage == FacetStage::Persons) return "person";
  if (row.stage == FacetStage::Openings) return "opening";
  if (row.stage == FacetStage::Bases) return "database";
  return kNouns[static_cast<std::size_t>(row.dictionary)];
}

// What a user has asked for, which outlives the search for it.
struct Asked {
  explicit Asked(const NamePattern& of) : pattern(of), wanted(of.text()) {}

  const NamePattern& pattern;
  const MisspelledName wanted;
};

// The names near to a pattern; nothing if the pattern matches a name, or there are no names at all.
using Nearest = absl::StatusOr<std::optional<NearestNames>>;

// Looks at names one after the other.
class NameLook {
 public:
  explicit NameLook(const Asked& asked) : matcher_(asked.pattern), nearest_(asked.wanted) {}

  // `shown`: the name under which a user finds the same.
  void add(std::string_view name, std::string_view shown) {
    is_known_ = is_known_ || matcher_.matches(name);
    if (is_known_) return;
    const auto nearness = nearest_.nearness(name);
    if (nearness.has_value()) nearest_.add({.nearness = *nearness, .name = std::string(shown)});
  }

  bool is_known() const { return is_known_; }
  Nearest result() const { return is_known_ ? std::nullopt : std::optional(nearest_); }

 private:
  NameMatcher matcher_;
  NearestNames nearest_;
  bool is_known_ = false;
};

Nearest nearest_in_dictionary(const Version& version, NameKind kind, const Asked& asked,
                              const WorkBudget& budget) {
  for (const DatabasePtr& database : version.databases) {
    ASSIGN_OR_RETURN(const MatchedNames matched,
                     find_names(database->names()[kind], asked.pattern, budget));
    if (!matched.few.has_value() || !matched.few->empty()) return std::nullopt;
  }
  NearestNames nearest(asked.wanted);
  for (const DatabasePtr& database : version.databases) {
    ASSIGN_OR_RETURN(const NearestNames found,
                     nearest_names(database->names()[kind], asked.wanted, budget));
    nearest.add(found);
  }
  return nearest;
}

// A person is known by all spellings, and shown by the correct name.
Nearest nearest_persons(const Version& version, const Asked& asked, const WorkBudget& budget) {
  if (version.reference().spelling == nullptr) return std::nullopt;
  ASSIGN_OR_RETURN(const CommonPlayersPtr players, players_with_people(version, budget));
  if (!budget.spend(games_of_names(players->names().part(0), asked.pattern))) {
    return WorkBudget::exceeded();
  }
  const CommonPeople& people = *players->people();
  NameLook look(asked);
  for (const std::uint32_t person : people.persons()) {
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    const std::string_view name = people.spelling().person(person).name;
    look.add(name, name);
    for (const std::uint32_t player : people.spellings(person)) {
      look.add(players->names().text(player), name);
    }
    if (look.is_known()) break;
  }
  return look.result();
}

// An opening is known by its whole name and by the last part of it.
Nearest nearest_openings(const Version& version, const Asked& asked) {
  if (version.reference().openings == nullptr) return std::nullopt;
  const OpeningGroups& groups = *version.reference().opening_groups();
  NameLook look(asked);
  for (OpeningGroups::Index group = OpeningGroups::kRoot + 1; group < groups.size(); ++group) {
    look.add(groups[group].part, groups[group].part);
    look.add(groups[group].name, groups[group].name);
  }
  return look.result();
}

// Databases are known as `base=` means them: only with a slash by their folders, too.
Nearest nearest_databases(const Version& version, const Asked& asked) {
  const bool has_folders = asked.pattern.text().find('/') != std::string_view::npos;
  NameLook look(asked);
  for (std::size_t part = 0; part < version.parts(); ++part) {
    const std::string path = version.path_of(part);
    const std::string name = has_folders ? path : path.substr(path.rfind('/') + 1);
    look.add(name, name);
  }
  return look.result();
}

Nearest nearest_of(const Version& version, const FacetRow& row, const Asked& asked,
                   const WorkBudget& budget) {
  switch (row.stage) {
    case FacetStage::Names:
      return nearest_in_dictionary(version, row.dictionary, asked, budget);
    case FacetStage::Persons:
      return nearest_persons(version, asked, budget);
    case FacetStage::Openings:
      return nearest_openings(version, asked);
    case FacetStage::Bases:
      return nearest_databases(version, asked);
    default:
      return std::nullopt;
  }
}

// Appends a line if no person of a version meets a facet of what is known of persons.
absl::Status append_fact_advice(const Version& version, const Facet& facet, std::string_view asked,
                                const WorkBudget& budget, std::string& out) {
  if (version.reference().spelling == nullptr || facet.is_negated) return absl::OkStatus();
  ASSIGN_OR_RETURN(const CommonPlayersPtr players, players_with_people(version, budget));
  const CommonPeople& people = *players->people();
  if (!budget.spend(people.persons().size() / kNamesOfGame)) return WorkBudget::exceeded();
  const bool is_met = std::ranges::any_of(people.persons(), [&](std::uint32_t person) {
    return meets_facet(facet, people.spelling().person(person));
  });
  if (!is_met) {
    out += fmt::format("no person with {}\n", in_quotes(codec::clean_line(asked)));
  }
  return absl::OkStatus();
}

// Appends the line of a name as it was asked for.
absl::Status append_advice(const Version& version, const Facet& facet, std::string_view name,
                           const WorkBudget& budget, std::string& out) {
  const NamePattern* const pattern = pattern_of(facet);
  if (pattern == nullptr) return absl::OkStatus();
  const Asked asked(*pattern);
  ASSIGN_OR_RETURN(const std::optional<NearestNames> nearest,
                   nearest_of(version, *facet.row, asked, budget));
  if (!nearest.has_value()) return absl::OkStatus();
  std::vector<std::string> values;
  for (const NearestNames::Near& near : nearest->all()) {
    values.push_back(in_quotes(escape_value(near.name)));
  }
  out += fmt::format("no {} {}", noun_of(*facet.row), in_quotes(codec::clean_line(name)));
  if (!values.empty()) {
    out += fmt::format("; did you mean {}?", fmt::join(values, ", "));
  }
  out += '\n';
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> name_advice(const Set& set, const WorkBudget& budget) {
  std::string advice;
  const QueryPtr asked = set.asked();
  std::string_view path = asked->path;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    const absl::StatusOr<Facet> facet = parse_facet(name);
    if (!facet.ok()) continue;
    if (facet->row->stage == FacetStage::Facts) {
      RETURN_IF_ERROR(append_fact_advice(set.version(), *facet, name, budget, advice));
      continue;
    }
    RETURN_IF_ERROR(
        append_advice(set.version(), *facet, name.substr(name.find('=') + 1), budget, advice));
  }
  return advice;
}

}  // namespace scidfs::fs
