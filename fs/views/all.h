// One function for each view; the table in view.cc puts them in order.
#pragma once

#include "fs/views/view.h"

namespace scidfs::fs {

const View& root_view();
const View& games_view();
const View& deleted_view();
const View& players_view();
const View& events_view();
const View& years_view();
const View& eco_view();
const View& flags_view();
const View& fens_view();

}  // namespace scidfs::fs
