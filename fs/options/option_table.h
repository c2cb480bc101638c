// The options of a mount: one row each, used by the parser and --help.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fs/options/mount_options.h"
#include "fs/options/option_row.h"

namespace scidfs::fs {

// The options as they are given. The further values are set after the last option, since they
// depend on each other (option_list.h).
struct GivenOptions : MountOptions {
  std::optional<mode_t> umask{}, fmask{}, dmask{};
  std::optional<std::string> fsname{}, subtype{};
  std::optional<std::string> user{};                 // of run_as
  std::optional<std::filesystem::path> cache_dir{};  // empty: none
  std::optional<DataFileChoice> given_fide{};        // nothing: auto
  std::optional<uid_t> given_uid{};
  std::optional<gid_t> given_gid{};
  bool allow_other = false;
  bool allow_root = false;
};

using MountOption = OptionRow<GivenOptions>;

struct MountOptionGroup {
  std::string_view title;  // with its colon
  std::span<const MountOption> options;
  bool is_of_mounts = false;  // they change nothing of what is shown without a mount
};

// Returns the groups in the order in which --help prints them.
std::span<const MountOptionGroup> mount_option_groups();

// Returns what completes "option NAME requires ...".
std::string requirement_of(const MountOption& option);

// Returns the row of a name, and whether its group is of mounts; null if there is none.
struct FoundOption {
  const MountOption* option = nullptr;
  bool is_of_mounts = false;
};
FoundOption find_mount_option(std::string_view name);

}  // namespace scidfs::fs
