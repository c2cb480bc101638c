// Where the program keeps its own files between runs.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Returns the default cache folder: `$XDG_CACHE_HOME/scidfs`, else `$HOME/.cache/scidfs`. Variables
// that are not absolute paths count as not set.
//
// A program that runs for another user (a `user` mount of fstab, sudo) may have the HOME of the
// user who started it, where it cannot or should not write. If the folder that HOME names does not
// belong to the effective user, the home in the password database counts, if it exists and belongs
// to the effective user. Returns an empty path if there is no such folder. Reads the password
// database: the caller must call this before the program confines itself. Creates nothing.
std::filesystem::path default_cache_folder();
// Returns the folder where users put files for the program: `$XDG_DATA_HOME/scidfs`, else
// `$HOME/.local/share/scidfs`, with the same HOME. The same rules hold.
std::filesystem::path default_data_folder();

// The names of files in a cache folder consist of such numbers: 16 hexadecimal digits. A file whose
// name has another form belongs to the user.
std::string cache_digits(std::uint64_t number);
// Returns the number that is written so; nothing for any other text.
std::optional<std::uint64_t> parse_cache_digits(std::string_view text);

// Returns whether a name consists of such a number and an extension.
bool is_cache_name(std::string_view name, std::string_view extension);
// The extensions of index files, positions files and lists of players (section_file.h).
inline constexpr std::string_view kIndexExtension = ".index";
inline constexpr std::string_view kPositionsExtension = ".positions";
inline constexpr std::string_view kPlayersExtension = ".players";

// Opens a cache folder, as a place and not for reading (O_PATH). The program trusts the files in
// it, and removes some: so the folder must belong to the effective user, and neither the group nor
// others may write to it. Errors: NotFound; FailedPrecondition says what is wrong with the folder,
// and the command that cures it.
absl::StatusOr<Descriptor> open_cache_folder(const std::filesystem::path& folder);

}  // namespace scidfs::fs
