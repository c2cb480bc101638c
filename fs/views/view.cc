#include "fs/views/view.h"

#include <array>

#include "fs/views/all.h"
#include "fs/views/directory_pages.h"

namespace scidfs::fs {

namespace {

class PlaceNode : public ViewNode {
 public:
  PlaceNode(const PlacesView& view, const Version& version, LocalId place)
      : view_(view), version_(version), place_(place), is_directory_(view.is_directory(place)) {}

  bool is_directory() const override { return is_directory_; }
  LocalId parent() const override { return view_.parent(version_, place_); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override {
    return is_directory_ ? view_.list(version_, place_, first, budget, emit) : absl::OkStatus();
  }
  absl::Status list_game_pages(std::uint64_t first, EmitChild emit) const override {
    return view_.list_game_pages(version_, place_, first, emit);
  }
  std::optional<Child> find(std::string_view name) const override {
    return is_directory_ ? view_.find(version_, place_, name) : std::nullopt;
  }
  absl::StatusOr<std::vector<std::string>> nearest(std::string_view name,
                                                   const WorkBudget& budget) const override {
    return view_.nearest(version_, place_, name, budget);
  }
  bool is_cheap() const override { return view_.is_cheap(place_); }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
    return is_directory_ ? Node::open(budget) : view_.open(version_, place_, budget);
  }

 private:
  const PlacesView& view_;
  const Version& version_;
  const LocalId place_;
  const bool is_directory_;
};

}  // namespace

ViewNodePtr PlacesView::bind(const Version& version, LocalId place) const {
  return exists(version, place) ? std::make_shared<const PlaceNode>(*this, version, place)
                                : nullptr;
}

absl::StatusOr<std::unique_ptr<Content>> PlacesView::open(const Version&, LocalId,
                                                          const WorkBudget&) const {
  return absl::NotFoundError("no such file");
}

ViewNodePtr bind_place(const Version& version, LocalId place) {
  const View* const view = find_view(place.view);
  return view == nullptr ? nullptr : view->bind(version, place);
}

const View* find_view(std::uint8_t number) {
  // In the order of ViewNumber.
  static const std::array<const View*, kViews> kTable = {
      &database_view(),       &games_view(),         &players_view(),         &events_view(),
      &years_view(),          &eco_view(),           &deleted_view(),         &flags_view(),
      &fens_view(),           &player_view(),        &white_view(),           &black_view(),
      &player_alias_view(),   &white_alias_view(),   &black_alias_view(),     &event_view(),
      &year_view(),           &month_view(),         &eco_letter_view(),      &eco_code_view(),
      &flag_view(),           &people_view(),        &person_view(),          &person_white_view(),
      &person_black_view(),   &openings_view(),      &doubles_view(),         &unique_view(),
      &tournaments_view(),    &tournament_view(),    &directory_pages_view(), &endings_view(),
      &database_files_view(), &deleted_games_view(),
  };
  if (number >= kQueryView) return &query_view();
  return number < kTable.size() ? kTable[number] : nullptr;
}

}  // namespace scidfs::fs
