#include "fs/import/signature.h"

#include <absl/status/statusor.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/scid/format.h"
#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/companion.h"
#include "fs/file/descriptor.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {
namespace {

constexpr const char* kAttribute = "user.scidfs.import";
constexpr std::string_view kVersion = "1\n";

std::string stamp_line(std::uint64_t size, FileTime time) {
  return fmt::format("{} {}.{:09} ", size, time.seconds, time.nanoseconds);
}

// Returns the line of a file after its stamp. `read` fills bytes from an offset.
template <typename Read>
absl::StatusOr<std::string> checksum_line(std::uint64_t size, const Read& read) {
  // The checksum depends on the size of the parts.
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> room(std::min(size, kPart));
  std::uint64_t checksum = 0;
  for (std::uint64_t at = 0; at < size; at += room.size()) {
    const auto part = std::span(room).first(std::min<std::uint64_t>(room.size(), size - at));
    RETURN_IF_ERROR(read(at, part));
    checksum = cache::fingerprint(part, checksum);
  }
  return fmt::format("{:016x}\n", checksum);
}

// Of a signature: the lines after its version.
constexpr std::size_t kIndexLine = 0;
constexpr std::size_t kGamesLine = 1;
constexpr std::size_t kNamesLine = 2;
constexpr std::size_t kOldIndexLine = 3;
using Lines = std::vector<std::string>;

// Returns no lines if there is no signature of this version.
Lines lines_of(const std::optional<std::string>& signature) {
  Lines lines;
  if (!signature.has_value() || !signature->starts_with(kVersion)) return lines;
  std::string_view rest = *signature;
  rest.remove_prefix(kVersion.size());
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find('\n'), rest.size() - 1) + 1;
    lines.emplace_back(rest.substr(0, size));
    rest.remove_prefix(size);
  }
  if (lines.size() <= kNamesLine) lines.clear();
  return lines;
}

// Returns the signatures of indexes that have not got this name, since their writers were killed.
std::vector<Lines> unplaced_signatures(const std::filesystem::path& index_path) {
  std::vector<Lines> signatures;
  for (const AbandonedFile& index :
       abandoned_files(folder_of(index_path), [&index_path](std::string_view name) {
         return name == index_path.filename().native();
       })) {
    Lines lines = lines_of(read_attribute(index.path, kAttribute));
    if (!lines.empty()) signatures.push_back(std::move(lines));
  }
  return signatures;
}

absl::Status refuse(const std::filesystem::path& path, std::string_view reason) {
  return absl::FailedPreconditionError(
      fmt::format("Cannot append to {}: {}", path.string(), reason));
}

// Returns OK if a file is the one that the line describes.
absl::Status check_line(const std::filesystem::path& path, std::string_view line) {
  const absl::StatusOr<SourceFile> file = SourceFile::open(path);
  if (!file.ok()) return file.status();
  const std::string stamp = stamp_line(file->size(), file->stamp().mtime());
  if (!line.starts_with(stamp)) return refuse(path, "another program has written to it");
  ASSIGN_OR_RETURN(const std::string checksum,
                   checksum_line(file->size(), [&file](std::uint64_t at, auto part) {
                     return file->read(at, part);
                   }));
  if (line.substr(stamp.size()) == checksum) return absl::OkStatus();
  return refuse(path, "it is not what was written");
}

// Locks a file that has this name and no writer. An import keeps it open until its index has the
// name.
bool lock_at(const std::filesystem::path& path, const Descriptor& file) {
  struct stat opened {};
  struct stat named {};
  return lock_abandoned(file) && ::fstat(file.get(), &opened) == 0 &&
         ::lstat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace

absl::Status sign(NewFile& index, NewFile& games, NewFile& names,
                  const std::filesystem::path& old_index_path) {
  std::string signature(kVersion);
  for (NewFile* const file : {&index, &games, &names}) {
    ASSIGN_OR_RETURN(const std::string checksum,
                     checksum_line(file->size(), [file](std::uint64_t at, auto part) {
                       return file->read(at, part);
                     }));
    ASSIGN_OR_RETURN(const FileTime time, file->mtime());
    signature += stamp_line(file->size(), time) + checksum;
  }
  if (!old_index_path.empty()) {
    const Lines old = lines_of(read_attribute(old_index_path, kAttribute));
    if (!old.empty()) signature += old[kIndexLine];
  }
  index.set_attribute(kAttribute, signature);
  return absl::OkStatus();
}

absl::Status check_signature(const std::filesystem::path& index_path) {
  const std::optional<std::string> signature = read_attribute(index_path, kAttribute);
  if (!signature.has_value()) {
    return refuse(index_path, "scidfs-import did not write it, or its signature has been lost");
  }
  const Lines lines = lines_of(signature);
  if (lines.empty()) return refuse(index_path, "another version has signed it");
  RETURN_IF_ERROR(check_line(index_path, lines[kIndexLine]));
  std::vector<Lines> appends = unplaced_signatures(index_path);
  std::erase_if(appends, [&lines](const Lines& append) {
    return append.size() <= kOldIndexLine || append[kOldIndexLine] != lines[kIndexLine];
  });
  const codec::scid::Format& format =
      *codec::scid::format_of_index(index_path.extension().string());
  for (const auto& [line, suffix] :
       {std::pair(kGamesLine, format.games_suffix), std::pair(kNamesLine, format.names_suffix)}) {
    const std::filesystem::path path = companion_of(index_path, suffix);
    absl::Status status = check_line(path, lines[line]);
    const bool is_of_append =
        !status.ok() && std::ranges::any_of(appends, [&path, line = line](const Lines& append) {
          return check_line(path, append[line]).ok();
        });
    if (!status.ok() && !is_of_append) return status;
  }
  return absl::OkStatus();
}

void remove_interrupted(const std::filesystem::path& index_path) {
  const codec::scid::Format* const format = codec::scid::format_of_index(index_path.native());
  if (format == nullptr) return;
  for (const Lines& lines : unplaced_signatures(index_path)) {
    for (const auto& [line, suffix] : {std::pair(kGamesLine, format->games_suffix),
                                       std::pair(kNamesLine, format->names_suffix)}) {
      const std::filesystem::path path =
          std::filesystem::path(index_path).replace_extension(suffix);
      const Descriptor file(::open(path.c_str(), kOpenToRead));
      const bool is_abandoned = lock_at(path, file) && !has_name(index_path);
      if (is_abandoned && check_line(path, lines[line]).ok()) ::unlink(path.c_str());
    }
  }
}

}  // namespace scidfs::fs
