#include "fs/file/nameless_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "fs/file/aside.h"
#include "fs/file/io.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {

absl::StatusOr<Descriptor> open_nameless(const std::filesystem::path& folder) {
  constexpr mode_t kOwner = 0600;
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kOwner));
  if (file.ok()) return file;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EPERM) {
    return file_error("write into", folder.native(), errno);
  }
  // For file systems without O_TMPFILE.
  const UnbrokenStep step;
  std::string name;
  Descriptor named = open_aside(folder / "nameless", kOwner, name);
  if (!named.ok() || ::unlink(name.c_str()) != 0) {
    return file_error("write into", folder.native(), errno);
  }
  return named;
}

}  // namespace scidfs::fs
