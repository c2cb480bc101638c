#include "fs/views/name_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include "codec/text.h"
#include "fs/base/shell_word.h"
#include "fs/base/status_macros.h"
#include "fs/search/condition.h"
#include "fs/search/facet.h"
#include "fs/search/facet_row.h"
#include "fs/search/facet_value.h"
#include "fs/search/name_pattern.h"
#include "fs/search/nearest_names.h"

namespace scidfs::fs {
namespace {

// By codec::scid::NameKind.
constexpr std::array<std::string_view, codec::scid::kNameKinds> kNouns = {"player", "event", "site",
                                                                          "round"};

// Returns the pattern of a condition on names; null if a facet has none, or may mean others.
const NamePattern* pattern_of(const Facet& facet) {
  if (facet.row->stage != FacetStage::Names || facet.is_negated) return nullptr;
  const auto& pattern = facet.condition().as<NamePattern>();
  return pattern.means_unknown() || pattern.only().has_value() ? nullptr : &pattern;
}

absl::StatusOr<bool> has_match(const Version& version, const FacetRow& row,
                               const NamePattern& pattern, const WorkBudget& budget) {
  for (const DatabasePtr& database : version.databases) {
    ASSIGN_OR_RETURN(const MatchedNames matched,
                     find_names(database->names()[row.dictionary], pattern, budget));
    if (!matched.few.has_value() || !matched.few->empty()) return true;
  }
  return false;
}

// Appends the line of a name as it was asked for.
absl::Status append_advice(const Version& version, const Facet& facet, std::string_view asked,
                           const WorkBudget& budget, std::string& out) {
  const NamePattern* const pattern = pattern_of(facet);
  if (pattern == nullptr) return absl::OkStatus();
  const FacetRow& row = *facet.row;
  ASSIGN_OR_RETURN(const bool is_known, has_match(version, row, *pattern, budget));
  if (is_known) return absl::OkStatus();
  const MisspelledName wanted(pattern->text());
  NearestNames nearest(wanted);
  for (const DatabasePtr& database : version.databases) {
    ASSIGN_OR_RETURN(const NearestNames found,
                     nearest_names(database->names()[row.dictionary], wanted, budget,
                                   [](std::uint32_t) { return true; }));
    nearest.add(found);
  }
  std::vector<std::string> values;
  for (const NearestNames::Near& near : nearest.all()) {
    values.push_back(in_quotes(escape_value(near.name)));
  }
  fmt::format_to(std::back_inserter(out), "no {} {}",
                 kNouns[static_cast<std::size_t>(row.dictionary)],
                 in_quotes(codec::clean_line(asked)));
  if (!values.empty()) {
    fmt::format_to(std::back_inserter(out), "; did you mean {}?", fmt::join(values, ", "));
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
    RETURN_IF_ERROR(
        append_advice(set.version(), *facet, name.substr(name.find('=') + 1), budget, advice));
  }
  return advice;
}

}  // namespace scidfs::fs
