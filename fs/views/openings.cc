// openings/Sicilian/Najdorf/6.a4/: games by the names of their openings, judged by their positions.
#include <memory>

#include "fs/positions/game_openings.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kDirectoryName = "openings";

class OpeningSet : public Set {
 public:
  using Index = OpeningGroups::Index;
  OpeningSet(const Version& version, LocalId directory, const OpeningGroups& groups, Index index)
      : Set(version, directory), groups_(groups), index_(index) {}

  bool is_of_openings() const override { return true; }
  // The sets of the openings already list all games.
  Listing listing() const override { return is_top() ? Listing::Tables : Listing::Games; }
  absl::StatusOr<GameSet> games(const WorkBudget& budget) const override {
    return games_of_group(database_ptr(), index_, budget);
  }
  std::string name() const override {
    return is_top() ? std::string(kDirectoryName) : group().file_name;
  }
  std::string title() const override { return is_top() ? "Games with an opening" : group().name; }
  LocalId parent() const override {
    return is_top() ? LocalId{} : openings_view().directory_of(groups_[group().parent].key);
  }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override {
    absl::Status status = openings_of(database(), budget).status();
    return status.ok() ? Set::list(first, budget, emit) : status;
  }

 protected:
  // One position for each group below: empty if another group lies between, or without games.
  std::uint64_t child_count() const override { return group().end - index_ - 1; }
  std::optional<Child> child(std::uint64_t i) const override {
    const auto index = static_cast<Index>(index_ + 1 + i);
    const OpeningGroups::Group& below = groups_[index];
    if (below.parent != index_) return std::nullopt;
    const GameOpenings* const openings = database().openings().made();  // by list()
    if (openings == nullptr || openings->shown_in(index) == 0) return std::nullopt;
    return openings_view().set_directory(below.file_name, below.key);
  }
  std::optional<Child> find_child(std::string_view name) const override {
    const std::optional<Index> below = groups_.find(index_, name);
    if (!below.has_value()) return std::nullopt;
    return openings_view().set_directory(std::string(name), groups_[*below].key);
  }

 private:
  bool is_top() const { return directory().key == 0; }
  const OpeningGroups::Group& group() const { return groups_[index_]; }

  const OpeningGroups& groups_;
  const Index index_;
};

// Keys are those of OpeningGroups, 0 for openings/ itself. All groups of the file exist; groups
// with games are listed.
SetPtr bind_opening(const Version& version, LocalId directory) {
  const OpeningGroups* const groups = version.reference().opening_groups();
  if (groups == nullptr) return nullptr;
  const std::optional<OpeningGroups::Index> index = groups->find_key(directory.key);
  if (!index.has_value()) return nullptr;
  return std::make_unique<OpeningSet>(version, directory, *groups, *index);
}

class OpeningsView : public SetView {
 public:
  OpeningsView() : SetView(kOpeningsView, &bind_opening) {}

  std::string_view name() const override { return kDirectoryName; }
  bool is_known(const Reference& reference) const override { return reference.openings != nullptr; }
};

}  // namespace

const SetView& openings_view() {
  static const OpeningsView kView;
  return kView;
}

}  // namespace scidfs::fs
