#include "fs/mount/own_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "codec/scv/crc32.h"
#include "codec/text.h"
#include "fs/base/shell_word.h"
#include "fs/mount/mount_table.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

stdfs::path runtime_folder() {
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (folder != nullptr && *folder == '/') return folder;
  return fmt::format("/run/user/{}", ::geteuid());
}

// Returns the name of the source, as far as it is fit for a folder that is to be seen, and eight
// digits that tell apart sources of the same name.
std::string runtime_name(const stdfs::path& source) {
  constexpr std::size_t kMostOfName = 60;
  std::string name = source.filename().string();
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F' || c == '\\') c = '_';
  }
  if (name.starts_with('.')) name.front() = '_';
  name.resize(codec::cut_utf8(name, kMostOfName).size());
  const std::string& path = source.native();
  std::uint32_t sum = codec::scv::add_to_crc32(
      0, {reinterpret_cast<const std::uint8_t*>(path.data()), path.size()});
  name += '-';
  for (std::size_t i = 0; i < sizeof sum; ++i, sum >>= 8) name += fmt::format("{:02x}", sum & 0xFF);
  return name;
}

// Returns why a place will not do, after an attempt to make it; nothing if it does.
std::string reason_against(MountPlace& place) {
  if (place.make_folder()) return {};
  if (errno != EEXIST) return std::generic_category().message(errno);
  // A dead mount answers nothing, and is cleaned up later.
  if (mounted_type(place) == kTypeOfOurs) return {};
  std::error_code error;
  const bool is_empty =
      stdfs::is_directory(place.path(), error) && stdfs::is_empty(place.path(), error);
  if (error) return error.message();
  return is_empty ? "" : "it is there, and is no empty folder";
}

}  // namespace

std::array<stdfs::path, 2> own_places(const stdfs::path& source) {
  stdfs::path beside = source;
  beside += "-mnt";
  return {beside, runtime_folder() / "scidfs" / runtime_name(source)};
}

absl::StatusOr<Descriptor> lock_own_place(const stdfs::path& source) {
  Descriptor file(::open(source.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.ok() || ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return file;
  if (errno != EWOULDBLOCK) return Descriptor();
  return absl::UnavailableError(fmt::format("Another scidfs is about to show {}", source.string()));
}

absl::StatusOr<MountPlace> make_own_place(const stdfs::path& source) {
  const auto [beside, in_session] = own_places(source);
  std::string reasons;
  for (const stdfs::path& path : {beside, in_session}) {
    // The folder for the mounts of a session may be missing: then finding the place says so.
    if (path == in_session) ::mkdir(path.parent_path().c_str(), 0700);
    absl::StatusOr<MountPlace> place = MountPlace::find(path);
    const std::string reason =
        place.ok() ? reason_against(*place) : std::string(place.status().message());
    if (reason.empty()) return place;
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", path.string(), reason);
  }
  return absl::FailedPreconditionError(fmt::format(
      "Cannot find a place to mount {} ({}). Name an empty folder: scidfs {} MOUNTPOINT",
      source.string(), reasons, shell_word(source.string())));
}

}  // namespace scidfs::fs
