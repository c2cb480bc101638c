#include "fs/content/places_snapshot.h"

namespace scidfs::fs {

class PlacesSnapshot::Place : public Node {
 public:
  Place(const PlacesSnapshot& snapshot, LocalId place)
      : snapshot_(snapshot), place_(place), is_directory_(snapshot.is_directory(place)) {}

  bool is_directory() const override { return is_directory_; }
  LocalId parent() const override { return snapshot_.parent(place_); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override {
    return is_directory_ ? snapshot_.list(place_, first, budget, emit) : absl::OkStatus();
  }
  std::optional<Child> find(std::string_view name) const override {
    return is_directory_ ? snapshot_.find(place_, name) : std::nullopt;
  }
  std::optional<FileTime> mtime() const override { return snapshot_.mtime(place_); }
  bool is_of_source() const override { return snapshot_.is_of_source(place_); }
  bool is_cheap() const override { return snapshot_.is_cheap(); }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
    return is_directory_ ? Node::open(budget) : snapshot_.open(place_, budget);
  }

 private:
  const PlacesSnapshot& snapshot_;
  const LocalId place_;
  const bool is_directory_;
};

NodePtr PlacesSnapshot::bind(LocalId place) const {
  return exists(place) ? std::make_shared<const Place>(*this, place) : nullptr;
}

}  // namespace scidfs::fs
