#include "fs/file/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <vector>

#include "codec/number.h"
#include "fs/file/io.h"

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

// Returns the folder of this program in that of a variable, or else in another one of the home.
stdfs::path folder_in(const char* variable, const char* at_home) {
  if (const auto named = absolute_path_in(variable); !named.empty()) return named / "scidfs";
  const stdfs::path folder = home();
  return folder.empty() ? folder : folder / at_home / "scidfs";
}

}  // namespace

stdfs::path default_cache_folder() { return folder_in("XDG_CACHE_HOME", ".cache"); }
stdfs::path default_data_folder() { return folder_in("XDG_DATA_HOME", ".local/share"); }

std::string cache_digits(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::optional<std::uint64_t> parse_cache_digits(std::string_view text) {
  constexpr int kBase = 16;
  const auto number = codec::parse_number<std::uint64_t>(text, kBase);
  if (!number.has_value() || cache_digits(*number) != text) return std::nullopt;
  return number;
}

bool is_cache_name(std::string_view name, std::string_view extension) {
  return name.ends_with(extension) &&
         parse_cache_digits(name.substr(0, name.size() - extension.size())).has_value();
}

absl::StatusOr<Descriptor> open_cache_folder(const stdfs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct stat attributes {};
  if (!opened.ok() || ::fstat(opened.get(), &attributes) != 0) {
    return file_error("read", folder.native(), errno);
  }
  const auto refused = [&folder](std::string_view reason, std::string_view cure) {
    return absl::FailedPreconditionError(
        fmt::format("Cannot use {0}: {1} (this helps: {2} {0})", folder.native(), reason, cure));
  };
  if (attributes.st_uid != ::geteuid()) {
    return refused("it belongs to another user", fmt::format("chown {}", ::geteuid()));
  }
  if ((attributes.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refused("others than its owner may write to it", "chmod go-w");
  }
  return opened;
}

}  // namespace scidfs::fs
