#include "fs/views/bounded_file.h"

#include <fmt/format.h>

#include <string>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/views/query_directory.h"

namespace scidfs::fs {

std::optional<Child> bounded_file(const Set& set, std::string_view directory, SetEntry file,
                                  std::string_view canonical, std::string_view name) {
  std::optional<Child> child =
      query_directory(set.version(), asked_with_bounds(*set.asked(), directory, canonical), name);
  if (!child.has_value() || !child->refusal.ok()) return child;
  child->place.entry = file;
  child->is_directory = false;
  return child;
}

std::optional<Child> find_bounded_file(const Set& set, const BoundedFiles& files,
                                       std::string_view name) {
  const std::optional<std::string_view> stem = strip_suffix(name, files.suffix);
  if (!stem.has_value() || stem->find('=') == std::string_view::npos) return std::nullopt;
  const absl::StatusOr<FileBounds> bounds = parse_file_bounds(*stem, files.bounds);
  if (!bounds.ok()) {
    std::string reason = "not bounds with commas between:";
    for (const FileBound& bound : files.bounds) {
      reason += fmt::format(" {}={}..{}", bound.key, bound.least, bound.most);
    }
    set.version().searches->rejected_names.note(RejectedNames::Kind::Query, codec::clean_line(name),
                                                reason);
    return std::nullopt;
  }
  const std::string canonical = file_bounds_text(*bounds, files.bounds).append(files.suffix);
  return bounded_file(set, files.directory, files.file, canonical, name);
}

FileBounds bounds_of(const Set& set, const BoundedFiles& files) {
  const std::string_view stem =
      strip_suffix(set.asked()->file, files.suffix).value_or(std::string_view());
  return parse_file_bounds(stem, files.bounds).value_or(FileBounds(files.bounds.size()));
}

}  // namespace scidfs::fs
