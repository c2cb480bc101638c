#include "fs/file/kept_sizes_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <memory>

#include "cache/kept_sizes.h"
#include "fs/file/descriptor.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

absl::Status unusable(const stdfs::path& path, absl::StatusCode code, std::string_view reason) {
  return absl::Status(code, fmt::format("Cannot use {}: {}", path.native(), reason));
}

// Opens a file or a folder of the cache that only the effective user can have written to.
absl::StatusOr<Descriptor> open_own(int folder, const stdfs::path& name, int flags, mode_t type,
                                    const stdfs::path& path) {
  Descriptor file(::openat(folder, name.c_str(), flags));
  struct stat attributes {};
  if (!file.ok() || ::fstat(file.get(), &attributes) != 0) {
    return file_error("read", path.native(), errno);
  }
  const auto refused = [&path](std::string_view reason) {
    return unusable(path, absl::StatusCode::kDataLoss, reason);
  };
  if ((attributes.st_mode & S_IFMT) != type) return refused("not a regular file");
  if (attributes.st_uid != ::geteuid()) return refused("it belongs to another user");
  if ((attributes.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return refused("others than its owner may write to it");
  }
  return file;
}

absl::StatusOr<Descriptor> open_kept(const stdfs::path& path) {
  const stdfs::path parent = folder_of(path);
  const absl::StatusOr<Descriptor> folder =
      open_own(AT_FDCWD, parent, O_PATH | O_DIRECTORY | O_CLOEXEC, S_IFDIR, parent);
  if (!folder.ok()) return folder.status();
  // Opens the file in the folder that was checked, even if its path names another one now.
  return open_own(folder->get(), path.filename(), kOpenToRead, S_IFREG, path);
}

std::span<std::uint8_t> bytes_of(std::span<std::uint32_t> sizes) {
  return {reinterpret_cast<std::uint8_t*>(sizes.data()), sizes.size_bytes()};
}
std::span<const std::uint8_t> bytes_of(std::span<const std::uint32_t> sizes) {
  return {reinterpret_cast<const std::uint8_t*>(sizes.data()), sizes.size_bytes()};
}

}  // namespace

absl::StatusOr<std::vector<std::uint32_t>> load_sizes(const stdfs::path& path, std::uint64_t key,
                                                      std::optional<std::size_t> wanted) {
  const absl::StatusOr<Descriptor> file = open_kept(path);
  if (!file.ok()) return file.status();
  struct stat attributes {};
  if (::fstat(file->get(), &attributes) != 0) return file_error("read", path.native(), errno);

  const auto file_size = static_cast<std::uint64_t>(attributes.st_size);
  const std::size_t found = (std::max<std::uint64_t>(file_size, cache::kKeptSizesHeaderSize) -
                             cache::kKeptSizesHeaderSize) /
                            sizeof(std::uint32_t);
  const std::size_t count = wanted.value_or(found);
  cache::KeptSizesHeader header{};
  const absl::StatusOr<std::size_t> header_read = read_up_to(file->get(), 0, header, path.native());
  if (!header_read.ok()) return header_read.status();
  absl::Status status =
      cache::check_kept_sizes_header(std::span(header).first(*header_read), key, count, file_size);
  if (!status.ok()) return unusable(path, status.code(), std::string(status.message()));

  std::vector<std::uint32_t> sizes(count);
  status = read_fully(file->get(), header.size(), bytes_of(std::span(sizes)), path.native());
  if (!status.ok()) return status;
  status = cache::check_kept_sizes(header, sizes);
  if (!status.ok()) return unusable(path, status.code(), std::string(status.message()));
  cache::swap_kept_sizes(sizes);
  return sizes;
}

absl::Status save_sizes(const stdfs::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> sizes) {
  if (sizes.size() > cache::kMostKeptSizes) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot write {}: {} sizes are too many", path.native(), sizes.size()));
  }
  if (absl::Status status = make_folders(path.parent_path()); !status.ok()) return status;
  absl::StatusOr<std::unique_ptr<NewFile>> file = NewFile::create(path, NewFile::Access::OwnerOnly);
  if (!file.ok()) return file.status();
  std::vector<std::uint32_t> swapped;
  if constexpr (std::endian::native == std::endian::big) {
    swapped.assign(sizes.begin(), sizes.end());
    cache::swap_kept_sizes(swapped);
    sizes = swapped;
  }
  absl::Status status = (*file)->append(cache::kept_sizes_header(key, sizes));
  if (status.ok()) status = (*file)->append(bytes_of(sizes));
  if (status.ok()) status = (*file)->sync();
  if (status.ok()) status = (*file)->put_in_place(NewFile::Existing::Replace);
  return status;
}

void remove_abandoned_sizes(const stdfs::path& folder) {
  remove_abandoned(folder, [](std::string_view name) { return name.ends_with(kSizesExtension); });
}

}  // namespace scidfs::fs
