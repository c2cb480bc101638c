#include "fs/archive/archive_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cache/hash.h"
#include "codec/scv/groups.h"
#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/database/index_file.h"
#include "fs/pages/shared_files.h"

namespace scidfs::fs {
namespace {

using codec::scv::Member;

constexpr std::string_view kFiles = "files";

// Returns a path in the archive's own directory; changes names that have another meaning there.
std::string path_at_top(std::string_view name) {
  const std::string_view first = name.substr(0, name.find('/'));
  const bool is_taken = first == kFiles || first == kArchiveInfoName || first == "status.txt" ||
                        first == "README.txt" ||
                        std::ranges::find(kPageFiles, first) != kPageFiles.end();
  if (!is_taken) return std::string(name);
  return fmt::format("{}~{}", first, name.substr(first.size()));
}

}  // namespace

ArchiveLayout::ArchiveLayout(const ArchiveFile& archive, bool with_pgn)
    : is_in_database_(archive.archive().members.size()) {
  by_key_[0] = &directories_[""];
  make_folder("");
  place_databases(archive);
  place_files(archive);
  if (with_pgn) place_databases_of_pgn();
  mount_databases();
  list_all();
}

LocalId ArchiveLayout::new_place(std::string_view path) {
  auto key = static_cast<std::uint32_t>(cache::fingerprint(path)) & kMaxKey;
  while (key == 0 || by_key_.contains(key)) key = (key + 1) & kMaxKey;
  return {.entry = kArchiveDirectory, .key = key};
}

ArchiveLayout::Directory* ArchiveLayout::make_directory(std::string_view path) {
  const auto known = directories_.find(path);
  if (known != directories_.end()) return &known->second;
  Directory* const parent = make_directory(folder_of_path(path));
  if (parent == nullptr) return nullptr;
  std::string name(codec::scv::last_component(path));
  if (parent->taken.contains(name)) return nullptr;
  const LocalId place = new_place(path);
  parent->taken.emplace(name, Child{.name = name, .place = place, .is_directory = true});
  Directory& made = directories_[std::string(path)];
  made.place = place;
  made.parent = parent->place;
  made.path = path;
  by_key_[place.key] = &made;
  return &made;
}

ArchiveLayout::Directory* ArchiveLayout::make_folder(std::string_view path) {
  Directory* const directory = make_directory(path);
  if (directory == nullptr || directory->is_folder) return directory;
  directory->is_folder = true;
  directory->taken.emplace(kArchiveInfoName, info_child(*directory));
  if (!path.empty()) make_folder(folder_of_path(path));
  return directory;
}

void ArchiveLayout::place_databases(const ArchiveFile& archive) {
  for (codec::scv::Group& group : codec::scv::find_groups(archive.archive())) {
    const std::string suffix(group.kind->index);
    const bool can_be_shown = is_index_file("x" + suffix) && archive.is_good(group.index);
    if (!can_be_shown) continue;
    const std::string path = path_at_top(archive.archive().members[group.index].name);
    Directory* const folder = make_folder(folder_of_path(path));
    std::string name(codec::scv::last_component(path));
    if (folder == nullptr || !folder->taken.emplace(name, Child{}).second) {
      displaced_.push_back(group.index);
      continue;
    }
    PlacedDatabase database{.name = std::move(name),
                            .folder = folder->path,
                            .parent = folder->place,
                            .index = group.index,
                            .files = {{suffix, group.index}},
                            .missing = std::move(group.missing)};
    is_in_database_[group.index] = true;
    for (const std::size_t member : group.optional) is_in_database_[member] = true;
    for (const std::size_t member : group.required) {
      is_in_database_[member] = true;
      const Member& found = archive.archive().members[member];
      std::string own = codec::scv::split_suffix(found.name).suffix;
      if (archive.is_good(member)) {
        database.files.emplace_back(std::move(own), member);
      } else {
        database.missing.push_back(*std::ranges::find(group.kind->required, std::string_view(own)));
      }
    }
    databases_.push_back(std::move(database));
  }
}

void ArchiveLayout::place_databases_of_pgn() {
  for (const PlacedDatabase::Pgn& pgn : pgn_files_) {
    Directory& folder = *make_folder(folder_of_path(pgn.path));
    std::string name = free_name(
        codec::scv::last_component(pgn.path), ".db",
        [&folder](const std::string& free) { return !folder.taken.emplace(free, Child{}).second; });
    databases_.push_back({.name = std::move(name),
                          .folder = folder.path,
                          .parent = folder.place,
                          .index = files_[pgn.file].member,
                          .pgn = pgn});
  }
}

void ArchiveLayout::mount_databases() {
  std::ranges::sort(databases_, {}, [](const PlacedDatabase& database) {
    return std::pair(std::string_view(database.folder), std::string_view(database.name));
  });
  for (std::size_t i = 0; i < databases_.size(); ++i) {
    Directory& folder = directories_.find(databases_[i].folder)->second;
    folder.taken[databases_[i].name] = {.name = databases_[i].name,
                                        .place = {},
                                        .is_directory = true,
                                        .mounted = static_cast<std::uint32_t>(i)};
  }
}

bool ArchiveLayout::add_file(std::string_view path, const MemberFile& file) {
  Directory* const directory = make_directory(folder_of_path(path));
  if (directory == nullptr) return false;
  std::string name(codec::scv::last_component(path));
  const LocalId place{.entry = kArchiveFile, .key = static_cast<std::uint32_t>(files_.size())};
  if (!directory->taken.emplace(name, Child{.name = name, .place = place}).second) return false;
  files_.push_back(file);
  return true;
}

bool ArchiveLayout::add_pgn(std::string_view path, const MemberFile& file) {
  if (!add_file(path, file)) return false;
  pgn_files_.push_back({.path = std::string(path), .file = files_.size() - 1});
  return true;
}

void ArchiveLayout::place_files(const ArchiveFile& archive) {
  const std::vector<Member>& members = archive.archive().members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!archive.is_good(i) || is_in_database_[i]) continue;
    const std::string& name = members[i].name;
    // The name may be a URL, of which the archive has a copy.
    const std::string_view local =
        codec::scv::is_safe_name(name) ? name : codec::scv::last_component(name);
    bool is_placed = codec::scv::is_safe_name(local) &&
                     add_file(fmt::format("{}/{}", kFiles, local), {.member = i});
    const std::string suffix = codec::scv::split_suffix(local).suffix;
    if (is_placed && suffix == ".pgn") {
      is_placed = add_pgn(path_at_top(local), {.member = i});
    }
    if (!is_placed) displaced_.push_back(i);
  }
  // Comes after the other files: a file that already has the name keeps it.
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!archive.is_good(i) || !archive.gunzipped_size(i)) continue;
    constexpr std::string_view kGzip = ".gz";
    const std::string path = path_at_top(members[i].name);
    add_pgn(std::string_view(path).substr(0, path.size() - kGzip.size()),
            {.member = i, .is_gunzipped = true});
  }
}

void ArchiveLayout::list_all() {
  const auto rank = [this](const Child& child) {
    if (child.mounted.has_value()) return 0;
    if (child.place.entry == kArchiveInfo) return 2;
    return child.is_directory && by_key_.at(child.place.key)->is_folder ? 1 : 3;
  };
  for (auto& [path, directory] : directories_) {
    for (const auto& [name, child] : directory.taken) directory.listed.push_back(child);
    std::ranges::stable_sort(directory.listed, {}, rank);
  }
}

Child ArchiveLayout::info_child(const Directory& directory) {
  return {.name = std::string(kArchiveInfoName),
          .place = {.entry = kArchiveInfo, .key = directory.place.key}};
}

const ArchiveLayout::Directory* ArchiveLayout::directory_of_text(LocalId text) const {
  if (text.entry != kArchiveInfo && text.entry != kArchivePage) return nullptr;
  const auto entry = static_cast<std::uint8_t>(text.key == 0 ? kArchiveTop : kArchiveDirectory);
  return directory({.view = text.view, .entry = entry, .key = text.key});
}

const ArchiveLayout::Directory* ArchiveLayout::directory(LocalId place) const {
  if (place.view != 0) return nullptr;
  if (place.entry != kArchiveTop && place.entry != kArchiveDirectory) return nullptr;
  if ((place.entry == kArchiveTop) != (place.key == 0)) return nullptr;
  const auto found = by_key_.find(place.key);
  return found == by_key_.end() ? nullptr : found->second;
}

}  // namespace scidfs::fs
