// index.tsv: one line for each game from index and names alone.
#pragma once

#include <memory>

#include "fs/content/content.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A header line and a line for each game of one part of the database. Lines are made when they are
// read. DataLoss if the index file is not what it was when it was opened.
std::unique_ptr<Content> open_index_tsv(DatabasePtr database, Part part);

}  // namespace scidfs::fs
