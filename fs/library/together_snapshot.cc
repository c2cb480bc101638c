#include "fs/library/together_snapshot.h"

#include <algorithm>
#include <utility>

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
enum OwnEntry : std::uint8_t { kTogetherInfo, kTogetherHidden, kTogetherFiles };

constexpr std::string_view kInfoName = "info.txt";

// Returns whether the number of a place is that of a directory.
bool is_directory_of_view(LocalId place) {
  const View* const view = find_view(place.view);
  return view != nullptr && view->is_directory(place);
}

// Returns a node that keeps its snapshot; null for null.
NodePtr kept_by(std::shared_ptr<const DatabaseSnapshot> views, NodePtr node) {
  if (node == nullptr) return nullptr;
  const auto both =
      std::make_shared<const std::pair<std::shared_ptr<const DatabaseSnapshot>, NodePtr>>(
          std::move(views), std::move(node));
  return {both, both->second.get()};
}

}  // namespace

// A place as long as the databases have not been read, and info.txt and .ignore of that time.
class TogetherSnapshot::Unread : public Node {
 public:
  Unread(const TogetherSnapshot& snapshot, LocalId place) : snapshot_(snapshot), place_(place) {}

  bool is_directory() const override { return place_ == LocalId{} || is_directory_of_view(place_); }
  LocalId parent() const override {
    const NodePtr read = this->read(snapshot_.views());
    return read == nullptr ? LocalId{} : read->parent();
  }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override {
    const auto views = snapshot_.views();
    if (views == nullptr) return snapshot_.find_unread(place_, name);
    const NodePtr read = this->read(views);
    return read == nullptr ? std::nullopt : read->find(name);
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override;

 private:
  // Returns the place in what has been read; null if it is not there.
  NodePtr read(const std::shared_ptr<const DatabaseSnapshot>& views) const {
    return views == nullptr ? nullptr : kept_by(views, views->bind(place_));
  }

  const TogetherSnapshot& snapshot_;
  const LocalId place_;
};

absl::Status TogetherSnapshot::Unread::list(std::uint64_t first, const WorkBudget& budget,
                                            EmitChild emit) const {
  auto views = snapshot_.views();
  if (views == nullptr && place_ == LocalId{}) {
    const std::vector<Child> children = snapshot_.children();
    return list_children(
        first, children.size(), [&](std::uint64_t i) { return std::optional(children[i]); }, emit);
  }
  if (views == nullptr) {
    ASSIGN_OR_RETURN(const LazyTogether::ReadPtr made, snapshot_.together_->get(budget));
    views = made->views;
  }
  const NodePtr read = this->read(views);
  return read == nullptr ? absl::OkStatus() : read->list(first, budget, emit);
}

absl::StatusOr<std::unique_ptr<Content>> TogetherSnapshot::Unread::open(
    const WorkBudget& budget) const {
  if (place_.view == kPgnView) {
    return std::make_unique<TextContent>(place_.entry == kTogetherHidden
                                             ? std::string(kTogetherIgnore)
                                             : snapshot_.together_->info_text());
  }
  ASSIGN_OR_RETURN(const LazyTogether::ReadPtr made, snapshot_.together_->get(budget));
  const NodePtr read = this->read(made->views);
  return read == nullptr ? absl::NotFoundError("no such file") : read->open(budget);
}

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

// Programs may be in directories of an earlier version.
bool TogetherSnapshot::may_exist(LocalId place) const {
  if (place == LocalId{}) return true;
  if (place.view == kPgnView) return place.entry < kTogetherFiles;
  if (is_directory_of_view(place)) return !is_query(place) || identity(place) != 0;
  return std::ranges::count(children(), place, &Child::place) != 0;
}

NodePtr TogetherSnapshot::bind(LocalId place) const {
  const auto views = this->views();
  if (views == nullptr || place.view == kPgnView) {
    return may_exist(place) ? std::make_shared<const Unread>(*this, place) : nullptr;
  }
  return kept_by(views, views->bind(place));
}

std::uint64_t TogetherSnapshot::identity(LocalId place) const {
  return query_identity(*searches_, place);
}

absl::StatusOr<bool> TogetherSnapshot::prepare_find(const WorkBudget& budget) const {
  RETURN_IF_ERROR(together_->get(budget).status());
  return true;
}

std::optional<Child> TogetherSnapshot::find_unread(LocalId directory, std::string_view name) const {
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

}  // namespace scidfs::fs
