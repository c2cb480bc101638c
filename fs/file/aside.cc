#include "fs/file/aside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>

#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

// The name aside of "x" is ".x.scidfs-" and random digits: hidden, and not mistaken for a user's
// file.
constexpr std::string_view kMark = ".scidfs-";
constexpr std::size_t kDigits = 8;
constexpr std::string_view kHexDigits = "0123456789abcdef";

// Returns as much of the end of a name as a name aside has room for, in whole characters.
std::string_view end_of_name(std::string_view name) {
  constexpr std::size_t kMost = NAME_MAX - 1 - kMark.size() - kDigits;
  if (name.size() <= kMost) return name;
  name.remove_prefix(name.size() - kMost);
  constexpr unsigned kMarkOfRest = 0xC0, kRestOfCharacter = 0x80;  // in UTF-8
  while (!name.empty() && (static_cast<unsigned char>(name[0]) & kMarkOfRest) == kRestOfCharacter) {
    name.remove_prefix(1);
  }
  return name;
}

std::optional<std::string> random_name_aside(const std::filesystem::path& path) {
  std::uint32_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != sizeof number) return std::nullopt;
  const std::string full = path.filename();
  return path.parent_path() / fmt::format(".{}{}{:08x}", end_of_name(full), kMark, number);
}

// Returns the final name of a file aside; nothing if `aside` is no such name.
std::optional<std::string_view> final_name(std::string_view aside) {
  constexpr std::size_t kTail = kMark.size() + kDigits;
  if (!aside.starts_with('.') || aside.size() < 1 + kTail) return std::nullopt;
  const std::string_view tail = aside.substr(aside.size() - kTail);
  const bool is_ours = tail.starts_with(kMark) &&
                       tail.find_first_not_of(kHexDigits, kMark.size()) == std::string_view::npos;
  if (!is_ours) return std::nullopt;
  return aside.substr(1, aside.size() - kTail - 1);
}

}  // namespace

Descriptor open_aside(const std::filesystem::path& path, mode_t mode, std::string& aside) {
  for (;;) {
    std::optional<std::string> name = random_name_aside(path);
    if (!name.has_value()) return Descriptor();
    Descriptor file(::open(name->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.ok() && errno == EEXIST) continue;
    if (!file.ok()) return file;
    // Where the file system has no locks, no program locks this file, and it stays.
    const bool is_taken = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat attributes {};
    const bool is_removed = ::fstat(file.get(), &attributes) == 0 && attributes.st_nlink == 0;
    if (!is_taken && !is_removed) {
      aside = *std::move(name);
      return file;
    }
    // Another program considered the file abandoned before it was locked, and removes it.
  }
}

bool lock_abandoned(const Descriptor& file) {
  struct stat attributes {};
  return file.ok() && ::fstat(file.get(), &attributes) == 0 && S_ISREG(attributes.st_mode) &&
         ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

std::vector<AbandonedFile> abandoned_files(const std::filesystem::path& folder,
                                           absl::FunctionRef<bool(std::string_view name)> is_ours) {
  std::vector<AbandonedFile> files;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string aside = entry->path().filename();
    const std::optional<std::string_view> name = final_name(aside);
    if (!name.has_value() || !is_ours(*name)) continue;
    Descriptor file(::open(entry->path().c_str(), kOpenToRead));
    if (lock_abandoned(file)) files.push_back({entry->path(), std::move(file)});
  }
  return files;
}

void remove_abandoned(const std::filesystem::path& folder,
                      absl::FunctionRef<bool(std::string_view name)> is_ours) {
  for (const AbandonedFile& file : abandoned_files(folder, is_ours)) {
    struct stat attributes {};
    const bool has_one_name =
        ::fstat(file.file.get(), &attributes) == 0 && attributes.st_nlink == 1;
    if (has_one_name) ::unlink(file.path.c_str());
  }
}

}  // namespace scidfs::fs
