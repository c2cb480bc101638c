#include "fs/import/signature.h"

#include <absl/status/statusor.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/hash.h"
#include "codec/scid/format.h"
#include "fs/file/companion.h"
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
    if (absl::Status status = read(at, part); !status.ok()) return status;
    checksum = cache::fingerprint(part, checksum);
  }
  return fmt::format("{:016x}\n", checksum);
}

absl::Status refuse(const std::filesystem::path& path, std::string_view reason) {
  return absl::FailedPreconditionError(
      fmt::format("Cannot append to {}: {}", path.string(), reason));
}

}  // namespace

absl::Status sign(NewFile& index, NewFile& games, NewFile& names) {
  std::string signature(kVersion);
  for (NewFile* const file : {&index, &games, &names}) {
    const absl::StatusOr<std::string> checksum = checksum_line(
        file->size(), [file](std::uint64_t at, auto part) { return file->read(at, part); });
    if (!checksum.ok()) return checksum.status();
    const absl::StatusOr<FileTime> time = file->mtime();
    if (!time.ok()) return time.status();
    signature += stamp_line(file->size(), *time) + *checksum;
  }
  index.set_attribute(kAttribute, signature);
  return absl::OkStatus();
}

absl::Status check_signature(const std::filesystem::path& index_path) {
  const std::optional<std::string> signature = read_attribute(index_path, kAttribute);
  if (!signature.has_value()) {
    return refuse(index_path, "scidfs-import did not write it, or its signature has been lost");
  }
  std::string_view rest = *signature;
  if (!rest.starts_with(kVersion)) return refuse(index_path, "another version has signed it");
  rest.remove_prefix(kVersion.size());
  const codec::scid::Format& format =
      *codec::scid::format_of_index(index_path.extension().string());
  for (const std::filesystem::path& path :
       {index_path, companion_of(index_path, format.games_suffix),
        companion_of(index_path, format.names_suffix)}) {
    const absl::StatusOr<SourceFile> file = SourceFile::open(path);
    if (!file.ok()) return file.status();
    const std::string stamp = stamp_line(file->size(), file->stamp().mtime());
    if (!rest.starts_with(stamp)) return refuse(path, "another program has written to it");
    rest.remove_prefix(stamp.size());
    const absl::StatusOr<std::string> checksum = checksum_line(
        file->size(), [&file](std::uint64_t at, auto part) { return file->read(at, part); });
    if (!checksum.ok()) return checksum.status();
    if (!rest.starts_with(*checksum)) return refuse(path, "it is not what was written");
    rest.remove_prefix(checksum->size());
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
