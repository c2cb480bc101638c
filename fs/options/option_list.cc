#include "fs/options/option_list.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/file/cache_folder.h"
#include "fs/options/option_table.h"
#include "fs/options/option_values.h"

namespace scidfs::fs {
namespace {

using Value = std::string_view;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

// Passed to libfuse unchanged.
constexpr std::array<Value, 8> kFuseFlags = {"exec",    "noexec", "nosuid", "nodev",
                                             "noatime", "sync",   "async",  "dirsync"};
constexpr std::array<Value, 4> kFuseValues = {"context", "fscontext", "defcontext", "rootcontext"};
// Options of mount(8) and fstab that scidfs ignores. They are the default here (ro, clone_fd,
// default_permissions, auto_unmount). Or they mean nothing on a file system without devices,
// programs and access times (dev and suid, which mount.fuse3 adds unasked, are never granted). Or
// they are for other programs. mount(8) adds rw if the user has not given ro.
constexpr std::array<Value, 30> kIgnoredFlags = {
    "auto_unmount",  "ro",         "rw",          "clone_fd", "default_permissions",
    "dev",           "suid",       "atime",       "diratime", "nodiratime",
    "relatime",      "norelatime", "strictatime", "lazytime", "nolazytime",
    "nostrictatime", "nofail",     "_netdev",     "user",     "users",
    "nouser",        "owner",      "noowner",     "group",    "nogroup",
    "auto",          "noauto",     "defaults",    "nousers",  "silent"};

bool is_for_others(Value option) {
  return option.starts_with("x-") || option.starts_with("X-") || option.starts_with("comment=") ||
         option == "comment" || option.starts_with("user=");
}

template <class Names>
bool is_among(const Names& names, Value name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns whether scidfs takes an option that is not in its table.
bool is_known_elsewhere(Value name) {
  return is_for_others(name) || is_among(kFuseFlags, name) || is_among(kFuseValues, name) ||
         is_among(kIgnoredFlags, name);
}

std::vector<std::string> split_options(Value list) {
  std::vector<std::string> options(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == ',') {
      options.emplace_back();
    } else if (list[i] == '\\' && i + 1 < list.size()) {
      const auto byte = list[i + 1] <= '3' ? parse_number(list.substr(i + 1, 3), 0, 0377, 8)
                                           : std::optional<std::uint64_t>();
      const bool octal = byte && i + 3 < list.size();
      options.back() += octal ? static_cast<char>(*byte) : list[i + 1];
      i += octal ? 3 : 1;
    } else {
      options.back() += list[i];
    }
  }
  std::erase(options, "");
  return options;
}

}  // namespace

std::vector<Value> OptionList::names() {
  std::vector<Value> names;
  for (const MountOptionGroup& group : mount_option_groups()) {
    for (const MountOption& option : group.options) names.push_back(listed_name(option.text));
  }
  names.insert(names.end(), kFuseFlags.begin(), kFuseFlags.end());
  names.insert(names.end(), kFuseValues.begin(), kFuseValues.end());
  return names;
}

// Takes an option that is not in the table. Returns false if its name is unknown.
bool OptionList::add_foreign_flag(Value name) {
  if (is_among(kFuseFlags, name)) {
    given_.fuse_options.emplace_back(name);
    return true;
  }
  return is_among(kIgnoredFlags, name);
}

absl::Status OptionList::add_one(Value option) {
  if (mounts_ && is_for_others(option)) return absl::OkStatus();
  const std::size_t equals = option.find('=');
  const bool has_value = equals != Value::npos;
  const Value name = option.substr(0, equals);
  const Value value = has_value ? option.substr(equals + 1) : Value();
  const auto [own, is_of_mounts] = find_mount_option(name);
  if (!mounts_ && (is_of_mounts || (own == nullptr && is_known_elsewhere(name)))) {
    return wrong(fmt::format("option {} is for mounts alone", name));
  }
  const bool takes_value = own != nullptr && !own->text.value.empty();
  if (takes_value && !has_value)
    return wrong(fmt::format("option {} requires {}", name, requirement_of(*own)));
  if (takes_value && !own->set(own->text, given_, value)) {
    return wrong(fmt::format("option {} requires {}, not '{}'", name, requirement_of(*own), value));
  }
  if (takes_value) return absl::OkStatus();
  if (is_among(kFuseValues, name)) {
    if (value.empty()) return wrong(fmt::format("option {} requires a value", name));
    given_.fuse_options.emplace_back(option);
    return absl::OkStatus();
  }
  const bool is_known =
      own != nullptr ? own->set(own->text, given_, value) : add_foreign_flag(name);
  if (is_known && has_value) return wrong(fmt::format("option {} takes no value", name));
  if (is_known || ignores_unknown_) return absl::OkStatus();
  return wrong(fmt::format("unknown option '{}'", name));
}

absl::Status OptionList::add(Value list) {
  for (const std::string& option : split_options(list)) {
    RETURN_IF_ERROR(add_one(option));
  }
  return absl::OkStatus();
}

// Sets the owner of the daemon, its files, its cache folder and the list of players.
absl::Status OptionList::settle_owner() {
  uid_t uid = ::getuid();
  gid_t gid = ::getgid();
  std::filesystem::path cache_folder = default_cache_folder();
  std::filesystem::path data_folder = default_data_folder();
  if (given_.user) {
    absl::StatusOr<User> user = find_user(*given_.user);
    if (!user.ok()) return wrong("option run_as: " + std::string(user.status().message()));
    if (::geteuid() != 0) return wrong("only root may use option run_as");
    uid = user->uid;
    gid = user->gid;
    // The environment has root's folder.
    cache_folder = user->home / ".cache" / "scidfs";
    data_folder = user->home / ".local" / "share" / "scidfs";
    given_.run_as = *std::move(user);
  }
  given_.uid = given_.given_uid.value_or(uid);
  given_.gid = given_.given_gid.value_or(gid);
  given_.library.database.cache_folder = given_.cache_dir.value_or(cache_folder);
  // Scid knows no such list.
  if (given_.library.database.evidence == Evidence::AgeAndElo) {
    given_.data_files.fide = given_.given_fide ? *given_.given_fide : find_player_list(data_folder);
  }
  given_.library.unpack.folder = given_.library.database.cache_folder;
  if (given_.library.unpack.to == UnpackTo::File && given_.library.unpack.folder.empty()) {
    return wrong("option unpack=file requires a cache_dir");
  }
  return absl::OkStatus();
}

absl::StatusOr<MountOptions> OptionList::settle() {
  if (given_.allow_other && given_.allow_root) {
    return wrong("options allow_other and allow_root exclude each other");
  }
  RETURN_IF_ERROR(settle_owner());
  if (given_.debug) given_.foreground = true;

  const mode_t umask = given_.umask.value_or(0);
  given_.file_mode &= ~given_.fmask.value_or(umask);
  given_.directory_mode &= ~given_.dmask.value_or(umask);

  // The kernel checks the modes and answers all attempts to write with EROFS.
  for (const Value always : {"ro", "default_permissions"}) given_.fuse_options.emplace_back(always);
  if (given_.allow_other) given_.fuse_options.emplace_back("allow_other");
  if (given_.allow_root) given_.fuse_options.emplace_back("allow_root");
  if (given_.fsname) given_.fuse_options.push_back("fsname=" + *given_.fsname);
  given_.fuse_options.push_back("subtype=" + given_.subtype.value_or("scidfs"));
  return std::move(given_);
}

}  // namespace scidfs::fs
