// index.html of the directories of a database that are no sets.
#pragma once

#include <optional>
#include <vector>

#include "fs/pages/page.h"
#include "fs/views/view.h"

namespace scidfs::fs {

// Returns the page of a directory as a child; nothing if the directory has none, or one of its own.
std::optional<Child> directory_page(LocalId directory);
// Returns whether a directory has a page, of its own or such a one.
bool has_page(LocalId directory);
// Returns the view that the pages belong to.
const View& directory_pages_view();

// Returns links to the directories above one, the uppermost first, as far as their names are known.
std::vector<Crumb> crumbs_of(const Version& version, LocalId directory);
// Returns how many directories lie above one, up to that of the database.
std::size_t levels_of(const Version& version, LocalId directory);

}  // namespace scidfs::fs
