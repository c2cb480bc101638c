#include "fs/get/missing_name.h"

#include <cstddef>
#include <optional>

#include "fs/search/nearest_names.h"

namespace scidfs::fs {
namespace {

// Returns the path from the top of one from a directory, which may begin with `../`.
std::string path_from(std::string_view directory, std::string_view path) {
  constexpr std::string_view kUp = "../";
  if (path.starts_with(kUp)) {
    path.remove_prefix(kUp.size());
    const std::size_t slash = directory.rfind('/');
    directory = slash == std::string_view::npos ? kTopPath : directory.substr(0, slash);
  }
  return path_below(std::string(directory), path);
}

// Looks at what the directory itself says. Paths begin at the top, and names if `as_paths`.
void add_answered(const TreeReader& reader, const MissingName& missing, const std::string& name,
                  bool as_paths, NearestNames& found) {
  for (const std::string& path : reader.nearest(missing.directory, name)) {
    const std::size_t slash = path.rfind('/');
    const auto nearness = found.nearness(path.substr(slash + 1));
    if (!nearness.has_value()) continue;
    const bool is_name = slash == std::string::npos && !as_paths;
    found.add({.nearness = *nearness, .name = is_name ? path : path_from(missing.path, path)});
  }
}

bool is_nearer(const NearestNames& left, const NearestNames& right) {
  if (left.all().empty() || right.all().empty()) return !left.all().empty();
  return left.all().front().nearness < right.all().front().nearness;
}

std::vector<std::string> names_of(const NearestNames& found) {
  std::vector<std::string> names;
  for (const NearestNames::Near& near : found.all()) names.push_back(near.name);
  return names;
}

}  // namespace

std::string path_below(const std::string& directory, std::string_view name) {
  if (directory == kTopPath) return std::string(name);
  return directory + '/' + std::string(name);
}

std::vector<std::string> names_meant(const TreeReader& reader, const MissingName& missing) {
  // In a longer list, names are numbers, or the directory itself finds those that are near.
  constexpr std::size_t kMostListed = 100'000;
  const MisspelledName wanted(missing.name);
  NearestNames found(wanted);
  const auto listed = reader.list(missing.directory, kMostListed);
  for (const ListedName& one : listed.value_or(std::vector<ListedName>())) found.add(one.name);
  add_answered(reader, missing, missing.name, false, found);
  if (missing.next.empty()) return names_of(found);
  // Not the name may be wrong but its group, a year or two letters.
  const MisspelledName next(missing.next);
  NearestNames others(next);
  add_answered(reader, missing, missing.next, true, others);
  return names_of(is_nearer(others, found) ? others : found);
}

}  // namespace scidfs::fs
