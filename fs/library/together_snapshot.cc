#include "fs/library/together_snapshot.h"

#include <algorithm>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/views/database_texts.h"
#include "fs/views/joined_set.h"
#include "fs/views/numbers.h"
#include "fs/views/query_directory.h"
#include "fs/views/unread_directory.h"

namespace scidfs::fs {
namespace {

// The entries of kPgnView. The key of info.txt is the number of files that have not been read: its
// text changes with that.
enum OwnEntry : std::uint8_t { kTogetherInfo, kTogetherHidden, kTogetherFiles };

constexpr std::string_view kInfoName = "info.txt";

}  // namespace

// The directory as long as the databases have not been read, and a file in it.
class TogetherSnapshot::Unread : public Node {
 public:
  Unread(const TogetherSnapshot& snapshot, LocalId place) : snapshot_(snapshot), place_(place) {}

  bool is_directory() const override { return place_ == LocalId{}; }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override {
    const NodePtr read = bind_kept(snapshot_.views(), place_);
    return read == nullptr ? snapshot_.find_unread(name) : read->find(name);
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override;

 private:
  const TogetherSnapshot& snapshot_;
  const LocalId place_;
};

absl::Status TogetherSnapshot::Unread::list(std::uint64_t first, const WorkBudget& budget,
                                            EmitChild emit) const {
  if (const NodePtr read = bind_kept(snapshot_.views(), place_)) {
    return read->list(first, budget, emit);
  }
  const std::vector<Child> children = snapshot_.children();
  return list_children(
      first, children.size(), [&](std::uint64_t i) { return std::optional(children[i]); }, emit);
}

absl::StatusOr<std::unique_ptr<Content>> TogetherSnapshot::Unread::open(
    const WorkBudget& budget) const {
  if (place_.view == kPgnView) {
    return std::make_unique<TextContent>(place_.entry == kTogetherHidden
                                             ? std::string(kTogetherIgnore)
                                             : snapshot_.together_->info_text());
  }
  ASSIGN_OR_RETURN(const LazyTogether::ReadPtr made, snapshot_.together_->get(budget));
  const NodePtr read = bind_kept(made->views, place_);
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

NodePtr TogetherSnapshot::bind_unread(LocalId place) const {
  if (place != LocalId{} && UnreadDirectory::may_exist(*searches_, place)) {
    return std::make_shared<const UnreadDirectory>(
        place, [this](const WorkBudget& budget) -> absl::StatusOr<UnreadDirectory::Views> {
          if (auto views = this->views()) return views;
          ASSIGN_OR_RETURN(const LazyTogether::ReadPtr made, together_->get(budget));
          return made->views;
        });
  }
  const bool exists =
      place.view == kPgnView
          ? place.entry < kTogetherFiles
          : place == LocalId{} || std::ranges::count(children(), place, &Child::place) != 0;
  return exists ? std::make_shared<const Unread>(*this, place) : nullptr;
}

NodePtr TogetherSnapshot::bind(LocalId place) const {
  const auto views = this->views();
  return views == nullptr || place.view == kPgnView ? bind_unread(place) : bind_kept(views, place);
}

std::uint64_t TogetherSnapshot::identity(LocalId place) const {
  return query_identity(*searches_, place);
}

absl::StatusOr<bool> TogetherSnapshot::prepare_find(const WorkBudget& budget) const {
  RETURN_IF_ERROR(together_->get(budget).status());
  return true;
}

std::optional<Child> TogetherSnapshot::find_unread(std::string_view name) const {
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
