#include "fs/views/directory_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/pages/list_page.h"
#include "fs/pages/shared_files.h"
#include "fs/views/grouped_view.h"
#include "fs/views/set_files.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

// The entry of a page is the view of the directory, and a bit: whether it is in the view's own.
static_assert(kViewBits + 1 == kEntryBits);
constexpr LocalId page_of(LocalId directory) {
  const unsigned is_below = directory.entry == 0 ? 0 : 1;
  return {.view = kDirectoryPagesView,
          .entry = static_cast<std::uint8_t>(directory.view << 1U | is_below),
          .key = directory.key};
}
constexpr LocalId directory_of(LocalId page) {
  const auto view = static_cast<std::uint8_t>(page.entry >> 1U);
  const bool is_below = (page.entry & 1U) != 0;
  return {.view = view, .entry = is_below ? std::uint8_t{1} : std::uint8_t{0}, .key = page.key};
}

// Returns whether a directory is no set, nor one of those that all sets have.
bool is_listing(LocalId directory) {
  return find_view(directory.view)->sets() == nullptr && directory.entry <= 1;
}

// Returns the name of a directory, which its parent lists; empty for one that is not listed.
std::string name_of(const Version& version, LocalId directory) {
  if (directory == LocalId{}) return version.database()->name();
  const bool has_set = find_view(directory.view)->sets() != nullptr;
  if (has_set && directory.entry != kSet) return std::string(set_file(directory.entry)->name);
  const ViewNodePtr node = bind_place(version, directory);
  if (node == nullptr) return {};
  if (has_set) return node->set()->name();
  std::string name;
  const ViewNodePtr above = bind_place(version, node->parent());
  static_cast<void>(above->list(0, WorkBudget::limited(0), [&](Child child, std::uint64_t) {
    if (child.place == directory) name = std::move(child.name);
    return name.empty();
  }));
  return name;
}

// Returns the address of an entry. The page of a game has only its number, which is the key, as its
// name.
Link link_of(const ViewNode& directory, const Child& child) {
  if (child.is_directory) {
    const Link link = Link().name(child.name);
    return has_page(child.place) ? link.page() : link.path("");
  }
  if (!child.name.ends_with(kGameSuffix)) return Link().name(child.name);
  const std::string page = fmt::format("{}.html", child.place.key);
  const bool is_there = directory.find(page).has_value();
  return Link().name(is_there ? page : child.name);
}

// Returns the page of the directory of a view with groups.
absl::StatusOr<std::string> groups_page(const Version& version, LocalId directory,
                                        std::span<const PageEntry> entries,
                                        const WorkBudget& budget) {
  constexpr std::size_t kLargest = 50;
  const GroupedView& view = *find_view(directory.view)->groups();
  ASSIGN_OR_RETURN(const std::vector<PageEntry> largest, view.largest(version, kLargest, budget));
  const GroupedView::Finder finder = view.finder();
  return members_page(
      codec::clean_line(name_of(version, directory)), crumbs_of(version, directory),
      {.facet = finder.facet, .largest = largest, .groups = finder.groups, .entries = entries});
}

LocalId parent_of(const Version& version, LocalId directory) {
  const ViewNodePtr node = bind_place(version, directory);
  return node == nullptr ? LocalId{} : node->parent();
}

class DirectoryPagesView : public PlacesView {
 public:
  bool is_directory(LocalId) const override { return false; }
  bool exists(const Version& version, LocalId page) const override {
    const LocalId directory = directory_of(page);
    if (find_view(directory.view) == nullptr || directory.view == kDirectoryPagesView) return false;
    const ViewNodePtr node = is_listing(directory) ? bind_place(version, directory) : nullptr;
    return node != nullptr && node->is_directory();
  }

  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId page,
                                                const WorkBudget& budget) const override {
    const LocalId directory = directory_of(page);
    const ViewNodePtr node = bind_place(version, directory);
    std::vector<PageEntry> entries;
    RETURN_IF_ERROR(node->list(0, budget, [&](const Child& child, std::uint64_t) {
      entries.push_back(
          {.name = codec::clean_line(child.name), .link = link_of(*node, child), .words = {}});
      return true;
    }));
    if (find_view(directory.view)->groups() != nullptr && directory.entry == 0) {
      ASSIGN_OR_RETURN(std::string text, groups_page(version, directory, entries, budget));
      return std::make_unique<TextContent>(std::move(text));
    }
    return std::make_unique<TextContent>(list_page(codec::clean_line(name_of(version, directory)),
                                                   crumbs_of(version, directory), {}, entries));
  }
};

}  // namespace

std::optional<Child> directory_page(LocalId directory) {
  if (!is_listing(directory)) return std::nullopt;
  return Child{.name = std::string(kPageFiles.front()), .place = page_of(directory)};
}

bool has_page(LocalId directory) { return directory.entry == kSet || is_listing(directory); }

const View& directory_pages_view() {
  static const DirectoryPagesView kView;
  return kView;
}

std::vector<Crumb> crumbs_of(const Version& version, LocalId directory) {
  std::vector<Crumb> crumbs;
  std::size_t levels = 0;
  while (directory != LocalId{}) {
    directory = parent_of(version, directory);
    ++levels;
    std::string name = codec::clean_line(name_of(version, directory));
    if (name.empty() || !has_page(directory)) continue;
    crumbs.push_back({.name = std::move(name), .link = Link().up(levels).page()});
  }
  if (version.is_in_folder) {
    crumbs.push_back(Crumb::folder_above(levels + 1));
  }
  std::ranges::reverse(crumbs);
  return crumbs;
}

std::size_t levels_of(const Version& version, LocalId directory) {
  std::size_t levels = 0;
  for (; directory != LocalId{}; ++levels) {
    directory = parent_of(version, directory);
  }
  return levels;
}

}  // namespace scidfs::fs
