// index.tsv: one line for each game, only from index and names.
#pragma once

#include <memory>

#include "fs/content/content.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Returns a header line and a line for each game of one part of the database. Lines are made when
// they are read. Reads return DataLoss if the index file has changed since it was opened.
std::unique_ptr<Content> open_index_tsv(DatabasePtr database, Part part);

}  // namespace scidfs::fs
