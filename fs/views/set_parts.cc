#include "fs/views/set_parts.h"

#include <absl/status/statusor.h>
#include <fmt/format.h>

#include <string>
#include <utility>

#include "codec/number.h"
#include "codec/text.h"
#include "fs/search/query.h"
#include "fs/views/query_directory.h"

namespace scidfs::fs {
namespace {

// Each of them is a query, for which the mount keeps its path.
constexpr std::uint32_t kMostListedParts = 4096;

std::optional<Child> part_directory(const Set& set, absl::StatusOr<Query> query,
                                    std::string_view name) {
  if (absl::IsInvalidArgument(query.status())) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Query, codec::clean_line(name),
                                                std::string(query.status().message()));
  }
  return query_directory(set.version(), std::move(query), name);
}

}  // namespace

std::optional<Child> find_in_parts(const Set& set, std::string_view name) {
  std::optional<Child> child = part_directory(set, asked_in_parts(*set.asked(), name), name);
  if (child.has_value() && child->refusal.ok()) child->place.entry = kSetPartsOf;
  return child;
}

absl::Status list_parts(const Set& set, std::uint64_t first, const WorkBudget&, EmitChild emit) {
  const QueryPtr asked = set.asked();
  const std::string& last = asked->file;
  const auto count = codec::parse_number<std::uint32_t>(last).value_or(0);
  return list_children(
      first, count <= kMostListedParts ? count : 0,
      [&](std::uint64_t i) { return find_part(set, fmt::format("{:0{}}", i + 1, last.size())); },
      emit);
}

std::optional<Child> find_part(const Set& set, std::string_view name) {
  return part_directory(set, asked_for_part(*set.asked(), name), name);
}

}  // namespace scidfs::fs
