// Scidb archives (.scv, .ive) as directories: their databases, PGN files and all other members.
#pragma once

#include "fs/content/text_directory.h"

namespace scidfs::fs {

// The directory of an archive has
// - a directory for each database, as any other (they come to stand in folders of the library),
// - the PGN files, those that are packed by gzip unpacked as well,
// - info.txt, which lists all members and what is wrong with them,
// - files/, with all members that are no part of a database that can be shown, as they are.
// What is damaged or lies elsewhere is listed in info.txt alone. Nothing is ever fetched.
absl::StatusOr<TextDirectoryPtr> open_archive(SourceFile file, const TextFormat::Options& options);

}  // namespace scidfs::fs
