#include "fs/file/cache_folder.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>
#include <vector>

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

stdfs::path absolute_path_in(const char* variable) {
  // No code in this program changes its environment.
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  const stdfs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : stdfs::path();
}

// Returns the owner of a folder; nothing if there is no such folder.
std::optional<uid_t> owner_of(const stdfs::path& folder) {
  struct stat attributes {};
  if (::stat(folder.c_str(), &attributes) != 0) return std::nullopt;
  return attributes.st_uid;
}

// Returns the home of the effective user in the password database.
stdfs::path home_in_database() {
  constexpr std::size_t kMostBuffer = std::size_t{1} << 20;
  std::vector<char> buffer(1024);
  passwd entry{};
  passwd* found = nullptr;
  while (::getpwuid_r(::geteuid(), &entry, buffer.data(), buffer.size(), &found) == ERANGE &&
         buffer.size() < kMostBuffer) {
    buffer.resize(buffer.size() * 2);
  }
  return found == nullptr || found->pw_dir == nullptr ? "" : found->pw_dir;
}

stdfs::path home() {
  stdfs::path named = absolute_path_in("HOME");
  // A missing folder belongs to no other user.
  if (named.empty() || owner_of(named).value_or(::geteuid()) == ::geteuid()) return named;
  const stdfs::path own = home_in_database();
  return own.is_absolute() && owner_of(own) == ::geteuid() ? own : stdfs::path();
}

}  // namespace

stdfs::path default_cache_folder() {
  if (const auto cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) {
    return cache / "scidfs";
  }
  const stdfs::path folder = home();
  return folder.empty() ? folder : folder / ".cache" / "scidfs";
}

}  // namespace scidfs::fs
