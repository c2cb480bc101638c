#include "fs/views/directory_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/pages/list_page.h"
#include "fs/views/set_files.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPageName = "index.html";

// The entry of a page is the view of the directory and a bit of its entry.
static_assert(kViewBits + 1 == kEntryBits);
constexpr bool is_numbered(LocalId directory) { return directory.entry <= 1; }
constexpr LocalId page_of(LocalId directory) {
  return {.view = kDirectoryPagesView,
          .entry = static_cast<std::uint8_t>(directory.view << 1U | directory.entry),
          .key = directory.key};
}
constexpr LocalId directory_of(LocalId page) {
  return {.view = static_cast<std::uint8_t>(page.entry >> 1U),
          .entry = static_cast<std::uint8_t>(page.entry & 1U),
          .key = page.key};
}

// Returns the name of a directory, which its parent lists; empty for one that is not listed.
std::string name_of(const Version& version, LocalId directory) {
  if (directory == LocalId{}) return version.database->name();
  const View& view = *find_view(directory.view);
  if (view.sets() != nullptr) {
    if (directory.entry != kSet) return std::string(set_file(directory.entry)->name);
    const SetPtr set = view.sets()->bind(version, directory);
    return set == nullptr ? std::string() : set->name();
  }
  const LocalId parent = view.parent(version, directory);
  std::string name;
  static_cast<void>(
      find_view(parent.view)
          ->list(version, parent, 0, WorkBudget::limited(0), [&](Child child, std::uint64_t) {
            if (child.place == directory) name = std::move(child.name);
            return name.empty();
          }));
  return name;
}

// Returns the address of an entry: a game has a page.
Link link_of(const Version& version, LocalId directory, const Child& child) {
  if (child.is_directory) {
    const Link link = Link().name(child.name);
    return has_page(child.place) ? link.page() : link.path("");
  }
  const std::optional<std::string_view> stem = strip_suffix(child.name, ".pgn");
  if (!stem.has_value()) return Link().name(child.name);
  const std::string page = fmt::format("{}.html", *stem);
  const bool is_there = find_view(directory.view)->lookup(version, directory, page).has_value();
  return Link().name(is_there ? page : child.name);
}

class DirectoryPagesView : public View {
 public:
  bool is_directory(LocalId) const override { return false; }
  bool exists(const Version& version, LocalId page) const override {
    const LocalId directory = directory_of(page);
    const View* const view = find_view(directory.view);
    return view != nullptr && directory.view != kDirectoryPagesView && view->sets() == nullptr &&
           view->is_directory(directory) && view->exists(version, directory);
  }
  LocalId parent(const Version&, LocalId) const override { return {}; }
  absl::Status list(const Version&, LocalId, std::uint64_t, const WorkBudget&,
                    EmitChild) const override {
    return absl::OkStatus();
  }
  std::optional<Child> lookup(const Version&, LocalId, std::string_view) const override {
    return std::nullopt;
  }

  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId page,
                                                const WorkBudget& budget) const override {
    const LocalId directory = directory_of(page);
    std::vector<PageEntry> entries;
    absl::Status status =
        find_view(directory.view)
            ->list(version, directory, 0, budget, [&](const Child& child, std::uint64_t) {
              entries.push_back({.name = codec::clean_line(child.name),
                                 .link = link_of(version, directory, child),
                                 .words = {}});
              return true;
            });
    if (!status.ok()) return status;
    return std::make_unique<TextContent>(list_page(codec::clean_line(name_of(version, directory)),
                                                   crumbs_of(version, directory), {}, entries));
  }
};

}  // namespace

std::optional<Child> directory_page(LocalId directory) {
  if (!is_numbered(directory) || find_view(directory.view)->sets() != nullptr) return std::nullopt;
  return Child{.name = std::string(kPageName), .place = page_of(directory)};
}

bool has_page(LocalId directory) {
  const SetView* const sets = find_view(directory.view)->sets();
  return sets == nullptr ? is_numbered(directory) : directory.entry == kSet;
}

const View& directory_pages_view() {
  static const DirectoryPagesView kView;
  return kView;
}

std::vector<Crumb> crumbs_of(const Version& version, LocalId directory) {
  std::vector<Crumb> crumbs;
  std::size_t levels = 0;
  while (directory != LocalId{}) {
    directory = find_view(directory.view)->parent(version, directory);
    ++levels;
    std::string name = codec::clean_line(name_of(version, directory));
    if (name.empty() || !has_page(directory)) continue;
    crumbs.push_back({.name = std::move(name), .link = Link().up(levels).page()});
  }
  if (version.is_in_folder) {
    crumbs.push_back({.name = "folder above", .link = Link().up(levels + 1).page()});
  }
  std::ranges::reverse(crumbs);
  return crumbs;
}

std::size_t levels_of(const Version& version, LocalId directory) {
  std::size_t levels = 0;
  for (; directory != LocalId{}; ++levels) {
    directory = find_view(directory.view)->parent(version, directory);
  }
  return levels;
}

}  // namespace scidfs::fs
