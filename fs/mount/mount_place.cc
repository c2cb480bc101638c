#include "fs/mount/mount_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <list>
#include <string_view>
#include <system_error>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/options/advice.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr int kNoLink = O_PATH | O_NOFOLLOW | O_CLOEXEC;

absl::Status cannot_mount(const stdfs::path& path, std::string_view why) {
  return absl::NotFoundError(fmt::format("Cannot mount on {}: {}", path.string(), why));
}

absl::Status failure(const stdfs::path& path, int error) {
  return cannot_mount(path, with_advice(std::generic_category().message(error), path));
}

// Returns whether a user other than root may put another file in the place of an entry of a folder.
// The owners of a file system that was mounted nosuid prove nothing, since a user may have made it
// elsewhere. A file system in memory was made here.
bool others_may_replace(int entry, int folder) {
  struct stat above {};
  struct stat file {};
  struct statfs system {};
  if (::fstat(folder, &above) != 0 || ::fstat(entry, &file) != 0 ||
      ::fstatfs(folder, &system) != 0) {
    return true;
  }
  const bool proves_owners = (system.f_flags & ST_NOSUID) == 0 || system.f_type == TMPFS_MAGIC;
  if (!proves_owners || above.st_uid != 0) return true;
  if ((above.st_mode & (S_IWGRP | S_IWOTH)) == 0) return false;
  return (above.st_mode & S_ISVTX) == 0 || file.st_uid != 0;
}

// Returns where a link leads; nothing if the file is none. Asks no file system that answers for
// another file.
std::optional<std::string> target_of(int file) {
  std::array<char, PATH_MAX> text{};
  const ssize_t length = ::readlinkat(file, "", text.data(), text.size());
  if (length < 0) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(length));
}

// A walk from the root folder along the names of a path.
class Walk {
 public:
  explicit Walk(const stdfs::path& path) : wanted_(path) { add_names(path); }

  // Opens all folders up to the last name, which may be missing.
  absl::Status run() {
    start();
    while (way_.back().folder.ok() && !names_.empty()) {
      const std::string name = std::move(names_.front());
      names_.pop_front();
      RETURN_IF_ERROR(step(name));
    }
    return way_.back().folder.ok() || way_.size() > 1 ? absl::OkStatus() : failure(wanted_, errno);
  }

  // The open folders, each in the one before; the last one may be missing or another file.
  struct Step {
    Descriptor folder;
    std::string name;
  };
  std::vector<Step>& way() { return way_; }

  stdfs::path path() const {
    stdfs::path path = "/";
    for (const Step& step : way_) path /= step.name;
    return path;
  }

 private:
  void add_names(const stdfs::path& path) {
    auto before = names_.begin();
    for (const stdfs::path& name : path) {
      if (name.empty() || name == "." || name == "/") continue;
      names_.insert(before, name.string());
    }
  }

  void start() {
    way_.clear();
    way_.push_back({.folder = Descriptor(::open("/", kNoLink | O_DIRECTORY)), .name = {}});
  }

  absl::Status step(const std::string& name) {
    if (name == "..") {
      // The folder that the walk came through, even if it has been moved meanwhile.
      if (way_.size() > 1) way_.pop_back();
      return absl::OkStatus();
    }
    Descriptor file(::openat(way_.back().folder.get(), name.c_str(), kNoLink));
    if (!file.ok() && (errno != ENOENT || !names_.empty())) return failure(wanted_, errno);
    if (file.ok()) {
      if (const auto target = target_of(file.get())) return follow(file.get(), name, *target);
    }
    way_.push_back({.folder = std::move(file), .name = name});
    return absl::OkStatus();
  }

  absl::Status follow(int link, const std::string& name, const std::string& target) {
    constexpr int kMostLinks = 40;
    if (++links_ > kMostLinks) return failure(wanted_, ELOOP);
    if (::geteuid() == 0 && is_of_others(link)) {
      return cannot_mount(wanted_,
                          fmt::format("{} is a link, and a user other than root may change where "
                                      "it leads. Name the folder itself",
                                      (path() / name).string()));
    }
    add_names(target);
    if (target.starts_with('/')) start();
    return absl::OkStatus();
  }

  bool is_of_others(int link) const {
    for (std::size_t i = 1; i < way_.size(); ++i) {
      if (others_may_replace(way_[i].folder.get(), way_[i - 1].folder.get())) return true;
    }
    return others_may_replace(link, way_.back().folder.get());
  }

  const stdfs::path wanted_;
  std::list<std::string> names_;  // still to be walked
  std::vector<Step> way_;
  int links_ = 0;
};

std::optional<dev_t> device_at(int folder, const char* name, int flags) {
  struct statx attributes {};
  if (::statx(folder, name, flags | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, 0, &attributes) != 0) {
    return std::nullopt;
  }
  return ::makedev(attributes.stx_dev_major, attributes.stx_dev_minor);
}

}  // namespace

absl::StatusOr<MountPlace> MountPlace::find(const stdfs::path& path) {
  Walk walk(path);
  RETURN_IF_ERROR(walk.run());
  std::vector<Walk::Step>& way = walk.way();
  stdfs::path real = walk.path();
  if (way.size() < 2) return cannot_mount(real, "it would hide all files");
  return MountPlace(std::move(way[way.size() - 2].folder), std::move(way.back().name),
                    std::move(real));
}

Descriptor MountPlace::open() const {
  return Descriptor(::openat(parent_.get(), name_.c_str(), kNoLink | O_DIRECTORY));
}

std::optional<dev_t> MountPlace::device() const {
  return device_at(parent_.get(), name_.c_str(), AT_SYMLINK_NOFOLLOW);
}

bool MountPlace::take_folder() {
  folder_ = open();
  return folder_.ok();
}

bool MountPlace::has_folder() const {
  const Descriptor now = open();
  struct stat taken {};
  struct stat found {};
  return device_of(now.get()) == device_of(folder_.get()) && ::fstat(folder_.get(), &taken) == 0 &&
         ::fstat(now.get(), &found) == 0 && found.st_dev == taken.st_dev &&
         found.st_ino == taken.st_ino;
}

bool MountPlace::make_folder() {
  is_made_ = ::mkdirat(parent_.get(), name_.c_str(), 0755) == 0;
  return is_made_;
}

void MountPlace::remove_made() const {
  if (is_made_) ::unlinkat(parent_.get(), name_.c_str(), AT_REMOVEDIR);
}

std::optional<dev_t> device_of(int file) { return device_at(file, "", AT_EMPTY_PATH); }

bool detach(const Descriptor& mounted, bool by_force) {
  if (!mounted.ok()) return false;
  // Through the descriptor: a name may lead to another mount now.
  const std::string root = fmt::format("/proc/self/fd/{}", mounted.get());
  return ::umount2(root.c_str(), MNT_DETACH | (by_force ? MNT_FORCE : 0)) == 0;
}

}  // namespace scidfs::fs
