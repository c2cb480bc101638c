#include "fs/file/locality.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>

namespace scidfs::fs {
namespace {

// Constants that <linux/magic.h> lacks.
constexpr std::uint32_t kLustre = 0x0BD00BD0;
constexpr std::uint32_t kGpfs = 0x47504653;

// File systems whose bytes come from elsewhere, and may change without this kernel's doing. A FUSE
// file system may be anything; most that hold databases are sshfs, rclone and the like.
constexpr std::array<std::uint32_t, 12> kFar = {NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC, CIFS_SUPER_MAGIC,
                                                SMB2_SUPER_MAGIC, V9FS_MAGIC,      FUSE_SUPER_MAGIC,
                                                CEPH_SUPER_MAGIC, AFS_SUPER_MAGIC, AFS_FS_MAGIC,
                                                CODA_SUPER_MAGIC, kLustre,         kGpfs};

bool is_remote_type(const struct statfs& status) {
  return std::ranges::count(kFar, static_cast<std::uint32_t>(status.f_type)) != 0;
}

}  // namespace

bool is_remote(int descriptor, Locality said) {
  if (said != Locality::Auto) return said == Locality::Remote;
  struct statfs status {};
  return ::fstatfs(descriptor, &status) != 0 || is_remote_type(status);
}

bool is_remote(const std::filesystem::path& path, Locality said) {
  if (said != Locality::Auto) return said == Locality::Remote;
  struct statfs status {};
  return ::statfs(path.c_str(), &status) != 0 || is_remote_type(status);
}

}  // namespace scidfs::fs
