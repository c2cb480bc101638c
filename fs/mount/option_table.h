// The options of a mount: one row each, used by the parser and --help.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fs/base/option_text.h"
#include "fs/mount/options.h"

namespace scidfs::fs {

// The values of options that depend on each other and are set after the last option
// (option_list.h).
struct UnsettledOptions {
  std::optional<mode_t> umask{}, fmask{}, dmask{};
  std::optional<std::string> fsname{}, subtype{};
  std::optional<std::string> run_as{};
  std::optional<std::filesystem::path> cache_dir{};  // empty: none
  std::optional<uid_t> uid{};
  std::optional<gid_t> gid{};
  bool allow_other = false;
  bool allow_root = false;
};

struct MountOption {
  OptionText text;
  // Stores the value. Returns false if it is invalid.
  bool (*set)(const MountOption& option, MountOptions& mount, UnsettledOptions& unsettled,
              std::string_view value);
  // Completes "option NAME requires ..."; empty: the words of the text, if it has a value.
  std::string_view expects{};

  std::string_view name() const { return listed_name(text); }
  bool takes_value() const { return !text.value.empty(); }
  // Returns what completes "option NAME requires ...".
  std::string requirement() const;
};

struct MountOptionGroup {
  std::string_view title;  // with its colon
  std::span<const MountOption> options;
};

// Returns the groups in the order in which --help prints them.
std::span<const MountOptionGroup> mount_option_groups();

// Returns the row of a name; null if there is none.
const MountOption* find_mount_option(std::string_view name);

}  // namespace scidfs::fs
