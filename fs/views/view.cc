#include "fs/views/view.h"

#include <array>

#include "fs/base/inode.h"
#include "fs/database/game_content.h"
#include "fs/views/all.h"

namespace scidfs::fs {

absl::StatusOr<std::unique_ptr<Content>> View::open(const DatabasePtr& database, Place file,
                                                    const Effort& effort) const {
  if (is_directory(file) || !exists(*database, file)) return absl::NotFoundError("no such file");
  if (std::optional<GameSet> games = set_of(database, file)) {
    return open_games(*std::move(games), effort);
  }
  return open_other(database, file, effort);
}

absl::StatusOr<std::unique_ptr<Content>> View::open_other(const DatabasePtr&, Place,
                                                          const Effort&) const {
  return absl::NotFoundError("no such file");
}

std::span<const View* const> views() {
  static const std::array<const View*, 9> kViews = {
      &root_view(), &games_view(),   &players_view(), &events_view(), &years_view(),
      &eco_view(),  &deleted_view(), &flags_view(),   &fens_view(),
  };
  static_assert(kViews.size() <= kQuestionView);
  return kViews;
}

}  // namespace scidfs::fs
