#include "fs/views/view.h"

#include <array>

#include "fs/base/inode.h"
#include "fs/views/all.h"

namespace scidfs::fs {

std::span<const View* const> views() {
  static const std::array<const View*, 9> kViews = {
      &root_view(), &games_view(),   &players_view(), &events_view(), &years_view(),
      &eco_view(),  &deleted_view(), &flags_view(),   &fens_view(),
  };
  static_assert(kViews.size() <= kTextsView);
  return kViews;
}

}  // namespace scidfs::fs
