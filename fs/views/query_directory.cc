#include "fs/views/query_directory.h"

#include <string>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"

namespace scidfs::fs {

std::optional<Child> query_directory(const Version& version, absl::StatusOr<Query> query,
                                     std::string_view name) {
  Child child{.name = std::string(name), .place = {}, .is_directory = true};
  if (query.ok()) {
    child.place = query_place(version.searches->queries.number_of(*std::move(query)));
    return child;
  }
  if (!absl::IsOutOfRange(query.status())) return std::nullopt;
  version.searches->rejected_names.note(RejectedNames::Kind::Query, codec::clean_line(name),
                                        std::string(query.status().message()));
  child.refusal = query.status();
  return child;
}

std::uint64_t query_identity(QueryContext& searches, LocalId place) {
  if (!is_query(place)) return 0;
  const QueryPtr query = searches.queries.find(query_number(place));
  if (query == nullptr) return 0;
  return cache::fingerprint(query->path, pack({.place = query->base}));
}

}  // namespace scidfs::fs
