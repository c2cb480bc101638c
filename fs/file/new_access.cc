#include "fs/file/new_access.h"

#include <fmt/format.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <utility>

#include "codec/scid/format.h"
#include "fs/base/log.h"
#include "fs/file/aside.h"
#include "fs/file/companion.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

constexpr const char* kAcl = "system.posix_acl_access";
constexpr mode_t kPermissions = 0777;
constexpr mode_t kReadAndWrite = 06;
constexpr mode_t kRead = 04;
constexpr mode_t kClass = 07;
constexpr mode_t kOwnerOnly = 0600;
constexpr mode_t kAll = 0666;
constexpr unsigned kGroupShift = 3;

struct FileAccess {
  uid_t owner = 0;
  gid_t group = 0;
  mode_t mode = 0;  // permissions
  std::string acl;  // as the kernel stores it; empty: none
};

// Returns the rights of the group of a file. With a list, the mode has the most that any group and
// any user of the list may do.
mode_t group_rights(const FileAccess& access) {
  constexpr std::size_t kEntry = sizeof(posix_acl_xattr_entry);
  const mode_t most = access.mode >> kGroupShift & kClass;
  const std::string& acl = access.acl;
  const auto number = [&acl](std::size_t at) {  // little-endian on all machines
    return static_cast<std::uint8_t>(acl[at]) | static_cast<std::uint8_t>(acl[at + 1]) << 8;
  };
  for (std::size_t at = sizeof(posix_acl_xattr_header); at + kEntry <= acl.size(); at += kEntry) {
    if (number(at) == ACL_GROUP_OBJ) return most & static_cast<mode_t>(number(at + 2));
  }
  return most;
}

FileAccess access_of(const struct stat& attributes, std::span<const char> acl) {
  return {.owner = attributes.st_uid,
          .group = attributes.st_gid,
          .mode = attributes.st_mode & kPermissions,
          .acl = std::string(acl.begin(), acl.end())};
}

// Returns the access to a file; nothing if none has this name, or another thing than a file.
std::optional<FileAccess> access_of(const std::filesystem::path& path, bool follows_links) {
  constexpr std::size_t kMostOfAcl = std::size_t{1} << 16;
  struct stat attributes {};
  const bool is_standard_input = follows_links && path == "-";
  const int error = is_standard_input ? ::fstat(STDIN_FILENO, &attributes)
                    : follows_links   ? ::stat(path.c_str(), &attributes)
                                      : ::lstat(path.c_str(), &attributes);
  if (error != 0 || !S_ISREG(attributes.st_mode)) return std::nullopt;
  std::string acl(kMostOfAcl, '\0');
  const ssize_t size = is_standard_input ? ::fgetxattr(STDIN_FILENO, kAcl, acl.data(), acl.size())
                       : follows_links   ? ::getxattr(path.c_str(), kAcl, acl.data(), acl.size())
                                         : ::lgetxattr(path.c_str(), kAcl, acl.data(), acl.size());
  return access_of(attributes, std::span(acl).first(size > 0 ? static_cast<std::size_t>(size) : 0));
}

// Takes rights from a new file that its source does not give.
void restrict_to(const FileAccess& source, NewAccess& access) {
  if ((source.mode & kRead) != 0 && (group_rights(source) & kRead) != 0) return;
  access.most &= ~kReadAndWrite;
  const bool is_of_group =
      (group_rights(source) & kRead) != 0 && access.group.value_or(source.group) == source.group;
  if (is_of_group) {
    access.group = source.group;
  } else {
    access.most &= ~(kReadAndWrite << kGroupShift);
  }
}

absl::Status refuse(std::string_view shown, std::string_view what) {
  return absl::PermissionDeniedError(fmt::format(
      "Cannot write {}: its {} cannot be kept, and others could read it then", shown, what));
}

// Returns whether a file has no access control list: it does not inherit one of its folder.
bool drop_acl(int file) {
  return ::fremovexattr(file, kAcl) == 0 || errno == ENODATA || errno == EOPNOTSUPP;
}

absl::Status give(const FileAccess& old, int file, std::string_view shown) {
  struct stat now {};
  if (::fstat(file, &now) != 0) return file_error("write", shown, errno);
  const bool is_other = now.st_uid != old.owner || now.st_gid != old.group;
  if (is_other && ::fchown(file, old.owner, old.group) != 0 && now.st_gid != old.group) {
    // Where the system does not let us keep both, it may let us keep one: what came of it counts.
    [[maybe_unused]] const int ignored = ::fchown(file, now.st_uid, old.group);
  }
  if (::fstat(file, &now) != 0) return file_error("write", shown, errno);
  const bool has_group = now.st_gid == old.group;
  // Otherwise members of the old group may now do what others may, and those of the new one less or
  // more than before.
  if (!has_group && group_rights(old) != (old.mode & kClass)) return refuse(shown, "group");
  const bool has_acl = old.acl.empty()
                           ? drop_acl(file)
                           : ::fsetxattr(file, kAcl, old.acl.data(), old.acl.size(), 0) == 0;
  if (!has_acl) return refuse(shown, "access control list");
  // Some file systems have one mode for all files.
  [[maybe_unused]] const int ignored = ::fchmod(file, old.mode);
  if (::fstat(file, &now) != 0) return file_error("write", shown, errno);
  if ((now.st_mode & kPermissions & ~old.mode) != 0) return refuse(shown, "mode");
  if (now.st_uid != old.owner) {
    log_warning(printable(fmt::format("{}: its owner cannot be kept", shown)));
  }
  if (!has_group) log_warning(printable(fmt::format("{}: its group cannot be kept", shown)));
  return absl::OkStatus();
}

// Opens a file that replaces none to the group that may read its sources.
absl::Status open_to_group(const NewAccess& access, int file, std::string_view shown) {
  struct stat now {};
  std::array<char, 1> byte{};
  if (::fstat(file, &now) != 0) return file_error("write", shown, errno);
  const bool inherits_acl =
      ::fgetxattr(file, kAcl, byte.data(), byte.size()) >= 0 || errno == ERANGE;
  if (access.group != now.st_gid || inherits_acl) return absl::OkStatus();
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(file, access.most & ~mask) == 0) return absl::OkStatus();
  return file_error("write", shown, errno);
}

}  // namespace

NewAccess NewAccess::of_result(std::span<const std::filesystem::path> sources,
                               std::filesystem::path like) {
  NewAccess access{.like = std::move(like)};
  const auto add = [&access](const std::filesystem::path& path) {
    const std::optional<FileAccess> source = access_of(path, true);
    if (source.has_value()) restrict_to(*source, access);
  };
  for (const std::filesystem::path& source : sources) {
    add(source);
    const codec::scid::Format* const format = codec::scid::format_of_index(source.native());
    if (format == nullptr) continue;
    add(companion_of(source, format->games_suffix));
    add(companion_of(source, format->names_suffix));
  }
  return access;
}

absl::StatusOr<AsideFile> make_aside(const std::filesystem::path& path, const NewAccess& access,
                                     std::string_view shown) {
  std::optional<FileAccess> old;
  if (!access.is_fixed) old = access_of(path, false);
  if (!access.is_fixed && !old.has_value() && !access.like.empty()) {
    old = access_of(access.like, false);
  }
  const bool is_usual = !old.has_value() && access.most == kAll;
  AsideFile made;
  made.file = open_aside(path, is_usual ? kAll : kOwnerOnly, made.aside);
  if (!made.file.ok()) return file_error("write", shown, errno);
  absl::Status status;
  if (old.has_value()) {
    status = give(*old, made.file.get(), shown);
  } else if (!is_usual && access.group.has_value() && access.most != kOwnerOnly) {
    status = open_to_group(access, made.file.get(), shown);
  }
  if (status.ok()) return made;
  ::unlink(made.aside.c_str());
  return status;
}

absl::Status set_time(int file, FileTime time, std::string_view shown) {
  const timespec one{.tv_sec = static_cast<std::time_t>(time.seconds),
                     .tv_nsec = static_cast<long>(time.nanoseconds)};
  const timespec both[] = {one, one};
  if (::futimens(file, both) == 0) return absl::OkStatus();
  return file_error("set the time of", shown, errno);
}

bool set_attribute(int file, const char* name, std::string_view value) {
  constexpr mode_t kOwnerWrites = 0200;
  const auto set = [&] { return ::fsetxattr(file, name, value.data(), value.size(), 0) == 0; };
  if (set()) return true;
  struct stat now {};
  if (errno != EACCES || ::fstat(file, &now) != 0) return false;
  const mode_t mode = now.st_mode & kPermissions;
  const bool is_set = ::fchmod(file, mode | kOwnerWrites) == 0 && set();
  return ::fchmod(file, mode) == 0 && is_set;
}

}  // namespace scidfs::fs
