#include "fs/library/together_snapshot.h"

#include <algorithm>

#include "fs/base/status_macros.h"
#include "fs/views/database_texts.h"
#include "fs/views/joined_set.h"
#include "fs/views/numbers.h"
#include "fs/views/query_directory.h"
#include "fs/views/view.h"

namespace scidfs::fs {
namespace {

// The entries of kPgnView. The key of info.txt is the number of files that have not been read: its
// text changes with that.
enum OwnFile : std::uint8_t { kTogetherInfo, kTogetherHidden, kTogetherFiles };

constexpr std::string_view kInfoName = "info.txt";

}  // namespace

std::shared_ptr<const DatabaseSnapshot> TogetherSnapshot::views() const {
  LazyTogether::ReadPtr made = together_->made();
  // Requests for the files themselves may have read all of them.
  if (made == nullptr && together_->unread() == 0) {
    made = together_->get(WorkBudget::limited(0)).value_or(nullptr);
  }
  return made == nullptr ? nullptr : made->views;
}

std::string TogetherSnapshot::summary() const {
  const auto views = this->views();
  return views == nullptr ? together_->progress() : views->summary();
}

std::uint64_t TogetherSnapshot::memory() const {
  const auto views = this->views();
  return sizeof(*this) + sizeof(LazyTogether) + (views == nullptr ? 0 : views->memory());
}

std::vector<Child> TogetherSnapshot::children() const {
  std::vector<Child> children;
  const LazyTogether::ReadPtr made = together_->made();
  if (made == nullptr) children = children_before_reading(searches_, *reference_);
  children.push_back({.name = std::string(kInfoName),
                      .place = {.view = kPgnView,
                                .entry = kTogetherInfo,
                                .key = static_cast<std::uint32_t>(together_->unread())},
                      .is_settled = false});
  return children;
}

bool TogetherSnapshot::is_directory(LocalId place) const {
  if (place == LocalId{}) return true;
  if (place.view == kPgnView) return false;
  const View* const view = find_view(place.view);
  return view != nullptr && view->is_directory(place);
}

bool TogetherSnapshot::exists(LocalId place) const {
  if (place == LocalId{}) return true;
  if (place.view == kPgnView) return place.entry < kTogetherFiles;
  if (const auto views = this->views(); views != nullptr) return views->exists(place);
  // Programs may be in directories of an earlier version.
  if (is_directory(place)) return !is_query(place) || identity(place) != 0;
  return std::ranges::count(children(), place, &Child::place) != 0;
}

std::uint64_t TogetherSnapshot::identity(LocalId place) const {
  return query_identity(*searches_, place);
}

LocalId TogetherSnapshot::parent(LocalId directory) const {
  const auto views = this->views();
  return views == nullptr ? LocalId{} : views->parent(directory);
}

absl::Status TogetherSnapshot::list(LocalId directory, std::uint64_t first,
                                    const WorkBudget& budget, EmitChild emit) const {
  auto views = this->views();
  if (views == nullptr && directory == LocalId{}) {
    const std::vector<Child> children = this->children();
    return list_children(
        first, children.size(), [&](std::uint64_t i) { return std::optional(children[i]); }, emit);
  }
  if (views == nullptr) {
    ASSIGN_OR_RETURN(const LazyTogether::ReadPtr read, together_->get(budget));
    views = read->views;
  }
  if (views == nullptr || !views->exists(directory)) return absl::OkStatus();
  return views->list(directory, first, budget, emit);
}

absl::StatusOr<bool> TogetherSnapshot::prepare_lookup(const WorkBudget& budget) const {
  RETURN_IF_ERROR(together_->get(budget).status());
  return true;
}

std::optional<Child> TogetherSnapshot::lookup(LocalId directory, std::string_view name) const {
  if (const auto views = this->views(); views != nullptr) return views->lookup(directory, name);
  if (directory != LocalId{}) return std::nullopt;
  if (name == ".ignore") {
    return Child{.name = std::string(name), .place = {.view = kPgnView, .entry = kTogetherHidden}};
  }
  // Programs look up names of their own everywhere, which must not read all files.
  if (name.starts_with('.')) {
    return Child{.name = std::string(name), .place = {}, .refusal = absl::NotFoundError("no file")};
  }
  const std::vector<Child> children = this->children();
  const auto found = std::ranges::find(children, name, &Child::name);
  return found == children.end() ? std::nullopt : std::optional(*found);
}

bool TogetherSnapshot::is_cheap(LocalId file) const {
  const auto views = this->views();
  return file.view != kPgnView && views != nullptr && views->is_cheap(file);
}

absl::StatusOr<std::unique_ptr<Content>> TogetherSnapshot::open(LocalId file,
                                                                const WorkBudget& budget) const {
  if (file.view == kPgnView) {
    return std::make_unique<TextContent>(
        file.entry == kTogetherHidden ? std::string(kTogetherIgnore) : together_->info_text());
  }
  ASSIGN_OR_RETURN(const LazyTogether::ReadPtr read, together_->get(budget));
  if (read->views == nullptr) return absl::NotFoundError("no such file");
  return read->views->open(file, budget);
}

}  // namespace scidfs::fs
