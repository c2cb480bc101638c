// Advice on what to type instead of a path that cannot be shown.
#pragma once

#include <absl/status/status.h>

#include <filesystem>
#include <string>

namespace scidfs::fs {

// Appends advice to a problem with a path if the cause is a common mistake: a ~ that no shell has
// expanded.
std::string with_advice(std::string problem, const std::filesystem::path& path);

// Returns an error that says what to type if `source` cannot be shown but is a common mistake: a
// file of a database other than its index, a name without its extension, a PGN file. Opening the
// source shows all other errors. Follows links.
absl::Status check_source(const std::filesystem::path& source);

// Returns advice to append to a complaint of fusermount3 where AppArmor allows it to mount in some
// places only (Ubuntu 25.04 and later); empty on systems without that profile. `root`: the root
// folder of the system's files.
std::string apparmor_advice(const std::filesystem::path& mountpoint,
                            const std::filesystem::path& root = "/");

// Logs a warning if the folder `source` contains nothing that can be shown.
void warn_if_nothing_to_show(const std::filesystem::path& source, bool follow_links);

}  // namespace scidfs::fs
