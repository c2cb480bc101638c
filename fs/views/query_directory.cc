#include "fs/views/query_directory.h"

#include <string>
#include <utility>

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

}  // namespace scidfs::fs
