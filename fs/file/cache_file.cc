#include "fs/file/cache_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <limits>
#include <memory>
#include <string>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/aside.h"
#include "fs/file/cache_folder.h"
#include "fs/file/cache_remarks.h"
#include "fs/file/descriptor.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/mapped_file.h"
#include "fs/file/new_access.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// The name of a file is a fingerprint of what it saves, and this.
constexpr std::string_view kExtension = ".sizes";
constexpr std::array<char, 8> kMagic = {'s', 'c', 'i', 'd', 'f', 's', 'S', 'Z'};
constexpr std::string_view kOurs(kMagic.data(), 6);  // what the files of all versions begin with
constexpr std::uint32_t kVersion = 2;

std::span<const std::uint8_t> bytes_of(const CacheFileHeader& header) {
  return {reinterpret_cast<const std::uint8_t*>(&header), sizeof header};
}
std::span<const std::uint8_t> bytes_of(std::span<const std::uint32_t> words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()};
}
std::span<std::uint8_t> writable_bytes_of(CacheFileHeader& header) {
  return {reinterpret_cast<std::uint8_t*>(&header), sizeof header};
}
std::span<std::uint8_t> writable_bytes_of(std::vector<std::uint32_t>& words) {
  return {reinterpret_cast<std::uint8_t*>(words.data()), words.size() * sizeof(words[0])};
}

std::uint64_t checksum_of(const CacheFileHeader& header) {
  return cache::fingerprint(bytes_of(header).first(offsetof(CacheFileHeader, header_checksum)));
}

absl::Status damaged(const std::string& reason) { return absl::DataLossError(reason); }

absl::Status unusable(const stdfs::path& path, absl::StatusCode code, std::string_view reason) {
  return absl::Status(code, fmt::format("Cannot use {}: {}", path.native(), reason));
}

// Returns whether a file may get the name of a cache file: nothing has it, a cache file, or an
// empty one, such as a power failure leaves.
absl::Status check_cache_name(int folder, const stdfs::path& path) {
  const Descriptor file(::openat(folder, path.filename().c_str(), kOpenToRead));
  if (!file.ok() && errno == ENOENT) return absl::OkStatus();
  struct stat attributes {};
  if (file.ok() && ::fstat(file.get(), &attributes) == 0 && S_ISREG(attributes.st_mode) &&
      attributes.st_size == 0) {
    return absl::OkStatus();
  }
  std::array<std::uint8_t, kOurs.size()> begin{};
  if (file.ok() && read_fully(file.get(), 0, begin, path.native()).ok() &&
      codec::as_text(begin) == kOurs) {
    return absl::OkStatus();
  }
  const std::string remark =
      fmt::format("Cannot write {0}: {0} is no file of scidfs: not replaced", path.native());
  add_cache_remark(remark);
  return absl::AlreadyExistsError(remark);
}

}  // namespace

absl::StatusOr<Descriptor> open_cache_file(const stdfs::path& path) {
  ASSIGN_OR_RETURN(const Descriptor folder, open_cache_folder(folder_of(path)));
  // Opens the file in the folder that was checked, even if its path names another one now.
  Descriptor file(::openat(folder.get(), path.filename().c_str(), kOpenToRead));
  struct stat attributes {};
  if (!file.ok() || ::fstat(file.get(), &attributes) != 0) {
    return file_error("read", path.native(), errno);
  }
  const auto refused = [&path](std::string_view reason) {
    return unusable(path, absl::StatusCode::kDataLoss, reason);
  };
  if (!S_ISREG(attributes.st_mode)) return refused("not a regular file");
  if (attributes.st_uid != ::geteuid()) return refused("it belongs to another user");
  if ((attributes.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refused("others than its owner may write to it");
  }
  return file;
}

CacheFileHeader cache_file_header(std::uint64_t key, std::span<const std::uint32_t> words) {
  assert(std::uint64_t{words.size()} >> 32 == 0);
  CacheFileHeader header{.magic = kMagic,
                         .version = kVersion,
                         .count = static_cast<std::uint32_t>(words.size()),
                         .key = key,
                         .words_checksum = cache::fingerprint(bytes_of(words)),
                         .header_checksum = 0};
  header.header_checksum = checksum_of(header);
  return header;
}

// Checks the layout version before the header's checksum: another layout may have it elsewhere.
absl::Status check_cache_file_header(const CacheFileHeader& header, std::uint64_t key,
                                     std::size_t count, std::uint64_t file_size) {
  if (file_size < sizeof header) return damaged("the header is cut short");
  if (header.magic != kMagic) return damaged("not a file of game sizes");
  if (header.version != kVersion) {
    return absl::FailedPreconditionError(
        fmt::format("layout {}, expected {}", header.version, kVersion));
  }
  if (header.header_checksum != checksum_of(header)) {
    return damaged("the checksum of the header is wrong");
  }
  if (header.key != key) {
    return absl::FailedPreconditionError("made for another state of the database");
  }
  if (header.count != count) {
    return damaged(fmt::format("{} sizes, expected {}", header.count, count));
  }
  const std::uint64_t expected = sizeof header + std::uint64_t{count} * sizeof(std::uint32_t);
  if (file_size != expected) {
    return damaged(fmt::format("{} bytes, expected {}", file_size, expected));
  }
  return absl::OkStatus();
}

absl::Status check_cache_file_words(const CacheFileHeader& header,
                                    std::span<const std::uint32_t> words) {
  if (cache::fingerprint(bytes_of(words)) == header.words_checksum) return absl::OkStatus();
  return damaged("the checksum of the sizes is wrong");
}

absl::StatusOr<std::vector<std::uint32_t>> load_words(const stdfs::path& path, std::uint64_t key,
                                                      std::optional<std::size_t> count) {
  ASSIGN_OR_RETURN(const Descriptor file, open_cache_file(path));
  struct stat attributes {};
  if (::fstat(file.get(), &attributes) != 0) return file_error("read", path.native(), errno);

  const auto file_size = static_cast<std::uint64_t>(attributes.st_size);
  CacheFileHeader header{};
  absl::Status status =
      read_up_to(file.get(), 0, writable_bytes_of(header), path.native()).status();
  if (!status.ok()) return status;
  const std::size_t room =
      (std::max<std::uint64_t>(file_size, sizeof header) - sizeof header) / sizeof(std::uint32_t);
  status = check_cache_file_header(header, key, count.value_or(room), file_size);
  if (!status.ok()) return unusable(path, status.code(), std::string(status.message()));

  std::vector<std::uint32_t> words(header.count);
  status = read_fully(file.get(), sizeof header, writable_bytes_of(words), path.native());
  if (!status.ok()) return status;
  status = check_cache_file_words(header, words);
  if (!status.ok()) return unusable(path, status.code(), std::string(status.message()));
  return words;
}

absl::StatusOr<std::unique_ptr<NewFile>> new_cache_file(const stdfs::path& path) {
  RETURN_IF_ERROR(make_folders(path.parent_path()));
  ASSIGN_OR_RETURN(const Descriptor folder, open_cache_folder(folder_of(path)));
  RETURN_IF_ERROR(check_cache_name(folder.get(), path));
  return NewFile::create(path, NewAccess::owner_only());
}

absl::Status save_words(const stdfs::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> words) {
  if (words.size() > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot write {}: {} sizes are too many", path.native(), words.size()));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<NewFile> file, new_cache_file(path));
  const CacheFileHeader header = cache_file_header(key, words);
  absl::Status status = file->append(bytes_of(header));
  if (status.ok()) status = file->append(bytes_of(words));
  if (status.ok()) status = file->sync();
  if (status.ok()) status = file->put_in_place(NewFile::Existing::Replace);
  return status;
}

CacheFile::CacheFile(const stdfs::path& folder, std::string_view thing, std::uint64_t key)
    : path_(folder.empty() ? folder
                           : folder / (cache_digits(cache::fingerprint(thing)).append(kExtension))),
      key_(key) {}

std::optional<std::vector<std::uint32_t>> CacheFile::load(std::optional<std::size_t> count) const {
  if (!is_wanted()) return std::nullopt;
  absl::StatusOr<std::vector<std::uint32_t>> words = load_words(path_, key_, count);
  if (words.ok()) return *std::move(words);
  if (absl::IsDataLoss(words.status())) log_warning(std::string(words.status().message()));
  return std::nullopt;
}

void CacheFile::save(std::span<const std::uint32_t> words, std::string_view consequence) const {
  if (!is_wanted() || !MappedFile::may_show()) return;
  const absl::Status status = save_words(path_, key_, words);
  // A mount tells of a folder that it cannot use when it begins.
  if (!status.ok() && !absl::IsFailedPrecondition(status)) {
    log_warning(fmt::format("{}; {}", std::string(status.message()), consequence));
  }
}

void remove_abandoned_cache_files(const stdfs::path& folder) {
  if (!open_cache_folder(folder).ok()) return;
  remove_abandoned(folder, [](std::string_view name) {
    return is_cache_name(name, kExtension) || is_cache_name(name, kIndexExtension) ||
           is_cache_name(name, kPositionsExtension) || is_cache_name(name, kPlayersExtension);
  });
}

}  // namespace scidfs::fs
