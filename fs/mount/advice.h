// What to type instead of a path that cannot be shown.
#pragma once

#include <absl/status/status.h>

#include <filesystem>
#include <string>

namespace scidfs::fs {

// What is wrong with a path, and what to do if the reason is one that people meet: a ~ that no
// shell has replaced.
std::string with_advice(std::string problem, const std::filesystem::path& path);

// An error that says what to type, if `source` is nothing that can be shown but something that
// people take for it: a file of a database that is not its index, a name without its extension, a
// PGN file. Whatever else is wrong with it shows when it is opened. Links are followed.
absl::Status check_source(const std::filesystem::path& source);

// What to do where AppArmor lets fusermount3 mount in some places only (Ubuntu 25.04 and later), to
// follow what it complains of; empty on systems without that profile. `root` is where the system's
// files are.
std::string apparmor_advice(const std::filesystem::path& mountpoint,
                            const std::filesystem::path& root = "/");

// A warning in the log if the folder `source` holds nothing that can be shown.
void warn_if_nothing_to_show(const std::filesystem::path& source, bool follow_links);

}  // namespace scidfs::fs
