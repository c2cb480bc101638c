#include "fs/views/view.h"

#include <array>

#include "fs/views/all.h"
#include "fs/views/directory_pages.h"

namespace scidfs::fs {

absl::StatusOr<std::unique_ptr<Content>> View::open(const Version&, LocalId,
                                                    const WorkBudget&) const {
  return absl::NotFoundError("no such file");
}

const View* find_view(std::uint8_t number) {
  // In the order of ViewNumber.
  static const std::array<const View*, kViews> kTable = {
      &database_view(),     &games_view(),       &players_view(),         &events_view(),
      &years_view(),        &eco_view(),         &deleted_view(),         &flags_view(),
      &fens_view(),         &player_view(),      &white_view(),           &black_view(),
      &player_alias_view(), &white_alias_view(), &black_alias_view(),     &event_view(),
      &year_view(),         &month_view(),       &eco_letter_view(),      &eco_code_view(),
      &flag_view(),         &people_view(),      &person_view(),          &person_white_view(),
      &person_black_view(), &openings_view(),    &doubles_view(),         &unique_view(),
      &tournaments_view(),  &tournament_view(),  &directory_pages_view(), &endings_view(),
  };
  if (number >= kQueryView) return &query_view();
  return number < kTable.size() ? kTable[number] : nullptr;
}

}  // namespace scidfs::fs
