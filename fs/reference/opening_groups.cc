#include "fs/reference/opening_groups.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "cache/hash.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "fs/base/inode.h"

namespace scidfs::fs {
namespace {

// The maximum number of parts of a name. The last part has the rest of the name.
constexpr std::size_t kMostParts = 10;

std::string_view strip(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string merged(std::string_view part) {
  const bool has_digit = part.find_first_of("0123456789") != std::string_view::npos;
  return has_digit ? std::string(part) : codec::fold_case(part);
}

// Returns whether a directory of a set may have another entry of this name.
bool is_taken(std::string_view folded) {
  for (const std::string_view suffix : {".pgn", ".tsv", ".csv", ".txt", ".uci", ".epd", ".bin",
                                        ".json", ".html", ".css", ".js", ".svg"}) {
    if (folded.ends_with(suffix)) return true;
  }
  for (const std::string_view directory :
       {"search", "tree", "positions", "parts", "against", "lines", "book", "values"}) {
    if (folded == directory) return true;
  }
  return false;
}

}  // namespace

std::vector<OpeningPart> parts_of_opening(std::string_view name) {
  std::vector<OpeningPart> parts;
  std::size_t begin = 0;
  std::size_t depth = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view text = strip(name.substr(begin, end - begin));
    if (!text.empty()) {
      parts.push_back(
          {.text = text, .end = static_cast<std::size_t>(text.data() - name.data()) + text.size()});
    }
    begin = end + 1;
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '(') ++depth;
    if (name[i] == ')' && depth != 0) --depth;
    const bool is_last = parts.size() + 1 == kMostParts;
    if (depth == 0 && !is_last && (name[i] == ':' || name[i] == ',')) add(i);
  }
  if (begin <= name.size()) add(name.size());
  if (parts.empty() && !name.empty()) parts.push_back({.text = name, .end = name.size()});
  return parts;
}

OpeningGroups::OpeningGroups(const OpeningNames& names) : of_(names.size() + 1, kRoot) {
  // Collects the groups in the order of the file, then sorts them.
  std::vector<Group> groups(1);
  std::vector<std::vector<Index>> below(1);
  absl::flat_hash_map<std::pair<Index, std::string>, Index> known;
  for (std::size_t i = 1; i <= names.size(); ++i) {
    const std::string_view name = names.name(static_cast<OpeningNumber>(i));
    Index group = kRoot;
    for (const OpeningPart& part : parts_of_opening(name)) {
      const auto [found, is_new] =
          known.try_emplace({group, merged(part.text)}, static_cast<Index>(groups.size()));
      if (is_new) {
        groups.push_back({.name = std::string(name.substr(0, part.end)),
                          .part = std::string(part.text),
                          .file_name = {},
                          .parent = group});
        below[group].push_back(found->second);
        below.emplace_back();
      }
      group = found->second;
    }
    of_[i] = group;
  }
  give_file_names(groups, below);

  for (std::vector<Index>& siblings : below) {
    std::vector<std::pair<std::string, Index>> order;
    order.reserve(siblings.size());
    for (const Index index : siblings) {
      order.emplace_back(codec::fold_case(groups[index].file_name), index);
    }
    std::ranges::sort(order);
    std::ranges::transform(order, siblings.begin(), &std::pair<std::string, Index>::second);
  }
  std::vector<Index> places(groups.size());
  groups_.reserve(groups.size());
  // The groups to visit. Names may nest deeply, so this avoids recursion. A visited group comes up
  // again after all groups below it.
  struct Visit {
    Index index;
    bool is_done;
  };
  std::vector<Visit> visits = {{.index = kRoot, .is_done = false}};
  while (!visits.empty()) {
    const auto [index, is_done] = visits.back();
    visits.pop_back();
    if (is_done) {
      groups_[places[index]].end = size();
      continue;
    }
    places[index] = size();
    groups_.push_back(std::move(groups[index]));
    groups_.back().parent = places[groups_.back().parent];
    visits.push_back({.index = index, .is_done = true});
    for (std::size_t child = below[index].size(); child > 0; --child) {
      visits.push_back({.index = below[index][child - 1], .is_done = false});
    }
  }
  for (Index& group : of_) group = places[group];
  give_keys();
}

void OpeningGroups::give_file_names(std::vector<Group>& groups,
                                    const std::vector<std::vector<Index>>& below) {
  for (const std::vector<Index>& siblings : below) {
    std::set<std::string> taken;
    for (const Index index : siblings) {
      std::string name = escape_name(groups[index].part);
      const std::string folded = codec::fold_case(name);
      if (is_taken(folded) || !taken.insert(folded).second) {
        name = with_collision_suffix(name, index);
      }
      groups[index].file_name = std::move(name);
    }
  }
}

void OpeningGroups::give_keys() {
  std::set<std::uint32_t> taken = {0};
  std::vector<std::uint64_t> hashes(size());
  for (Index index = 1; index < size(); ++index) {
    Group& group = groups_[index];
    hashes[index] = cache::fingerprint(group.file_name, hashes[group.parent]);
    group.key = static_cast<std::uint32_t>(hashes[index]) & kMaxKey;
    while (!taken.insert(group.key).second) group.key = (group.key + 1) & kMaxKey;
    by_key_.push_back(index);
  }
  std::ranges::sort(by_key_, {}, [this](Index index) { return groups_[index].key; });
}

std::vector<OpeningGroups::Index> OpeningGroups::below(Index parent) const {
  std::vector<Index> below;
  for (Index index = parent + 1; index < groups_[parent].end; index = groups_[index].end) {
    below.push_back(index);
  }
  return below;
}

std::optional<OpeningGroups::Index> OpeningGroups::find(Index parent,
                                                        std::string_view file_name) const {
  for (Index index = parent + 1; index < groups_[parent].end; index = groups_[index].end) {
    if (groups_[index].file_name == file_name) return index;
  }
  return std::nullopt;
}

std::optional<OpeningGroups::Index> OpeningGroups::find_key(std::uint32_t key) const {
  if (key == 0) return kRoot;
  const auto key_of = [this](Index index) { return groups_[index].key; };
  const auto found = std::ranges::lower_bound(by_key_, key, {}, key_of);
  if (found == by_key_.end() || key_of(*found) != key) return std::nullopt;
  return *found;
}

std::size_t OpeningGroups::memory() const {
  std::size_t memory = sizeof *this + groups_.capacity() * sizeof(Group) +
                       (of_.capacity() + by_key_.capacity()) * sizeof(Index);
  for (const Group& group : groups_) {
    memory += group.name.capacity() + group.part.capacity() + group.file_name.capacity();
  }
  return memory;
}

}  // namespace scidfs::fs
