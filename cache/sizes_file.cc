#include "cache/sizes_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

namespace scidfs::cache {
namespace {

constexpr std::string_view kMagic = "scidfsSZ";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderSize = 40;
constexpr std::size_t kHeaderChecked = 32;  // the bytes that the header's checksum covers

using HeaderBytes = std::array<char, kHeaderSize>;

struct Header {
  std::uint32_t version = kVersion;
  std::uint32_t count = 0;
  std::uint64_t key = 0;
  std::uint64_t sizes_checksum = 0;
};

void put_little(char* to, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) to[i] = static_cast<char>(value >> 8 * i & 0xff);
}

std::uint64_t get_little(const char* from, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(from[i]);
  return value;
}

std::uint64_t header_checksum(const HeaderBytes& bytes) {
  return fingerprint({bytes.data(), kHeaderChecked});
}

HeaderBytes encode(const Header& header) {
  HeaderBytes bytes{};
  std::ranges::copy(kMagic, bytes.begin());
  put_little(&bytes[8], header.version, 4);
  put_little(&bytes[12], header.count, 4);
  put_little(&bytes[16], header.key, 8);
  put_little(&bytes[24], header.sizes_checksum, 8);
  put_little(&bytes[32], header_checksum(bytes), 8);
  return bytes;
}

Header decode(const HeaderBytes& bytes) {
  return {.version = static_cast<std::uint32_t>(get_little(&bytes[8], 4)),
          .count = static_cast<std::uint32_t>(get_little(&bytes[12], 4)),
          .key = get_little(&bytes[16], 8),
          .sizes_checksum = get_little(&bytes[24], 8)};
}

// Between the order of this machine and that of the file, in either direction.
void swap_to_little([[maybe_unused]] std::span<std::uint32_t> sizes) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::uint32_t& size : sizes) {
      const std::uint32_t value = size;
      put_little(reinterpret_cast<char*>(&size), value, sizeof(size));
    }
  }
}

std::string_view bytes_of(std::span<const std::uint32_t> sizes) {
  return {reinterpret_cast<const char*>(sizes.data()), sizes.size_bytes()};
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;

  bool ok() const { return fd_ >= 0; }
  int get() const { return fd_; }

 private:
  int fd_;
};

// Unlinks a file unless it is told to keep it.
class Unlinker {
 public:
  explicit Unlinker(const std::string& path) : path_(path) {}
  ~Unlinker() {
    if (armed_) ::unlink(path_.c_str());
  }
  Unlinker(const Unlinker&) = delete;
  Unlinker& operator=(const Unlinker&) = delete;

  void keep() { armed_ = false; }

 private:
  const std::string& path_;
  bool armed_ = true;
};

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The number of bytes read, less than asked for only at the end of the file; or -1.
ssize_t read_all(int fd, char* to, std::size_t wanted, std::size_t offset) {
  std::size_t have = 0;
  while (have < wanted) {
    const ssize_t got = ::pread(fd, to + have, wanted - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return static_cast<ssize_t>(have);
}

// Call at once: it reads errno.
absl::Status write_error(const std::filesystem::path& path) {
  const int error = errno;
  return absl::ErrnoToStatus(error, fmt::format("Cannot write {}", path.native()));
}

absl::Status read_error(const std::filesystem::path& path) {
  const int error = errno;
  return absl::ErrnoToStatus(error, fmt::format("Cannot read {}", path.native()));
}

absl::Status damaged(const std::filesystem::path& path, std::string_view what) {
  return absl::DataLossError(fmt::format("Cannot use {}: {}", path.native(), what));
}

absl::Status outdated(const std::filesystem::path& path, std::string_view what) {
  return absl::FailedPreconditionError(fmt::format("Cannot use {}: {}", path.native(), what));
}

// The layout version comes before the header's checksum: another layout may have it elsewhere.
absl::Status check(const std::filesystem::path& path, const HeaderBytes& bytes, std::uint64_t key,
                   std::size_t count, std::uint64_t file_size) {
  if (!std::ranges::equal(kMagic, std::span(bytes).first(kMagic.size()))) {
    return damaged(path, "not a file of game sizes");
  }
  const Header header = decode(bytes);
  if (header.version != kVersion) {
    return outdated(path, fmt::format("layout {}, expected {}", header.version, kVersion));
  }
  if (get_little(&bytes[kHeaderChecked], 8) != header_checksum(bytes)) {
    return damaged(path, "the checksum of the header is wrong");
  }
  if (header.key != key) return outdated(path, "made for another state of the database");
  if (header.count != count) {
    return damaged(path, fmt::format("{} sizes, expected {}", header.count, count));
  }
  const std::uint64_t expected = kHeaderSize + header.count * std::uint64_t{sizeof(std::uint32_t)};
  if (file_size != expected) {
    return damaged(path, fmt::format("{} bytes, expected {}", file_size, expected));
  }
  return absl::OkStatus();
}

// What is appended to the name of a file while it is written; mkostemp puts a name of its own
// there.
constexpr std::string_view kAside = ".XXXXXX";

// A file that is being written, under a name that nobody else has. Locked as long as it is open, so
// that others know whether its writer lives.
Descriptor open_aside(const std::filesystem::path& path, std::string& aside) {
  for (;;) {
    aside = path.native() + std::string(kAside);
    // Opens with O_EXCL and mode 0600.
    Descriptor file(::mkostemp(aside.data(), O_CLOEXEC));
    if (!file.ok()) return file;
    // Where the file system has no locks, nobody gets one on this file, and it stays.
    const bool is_taken = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat attributes {};
    const bool is_removed = ::fstat(file.get(), &attributes) == 0 && attributes.st_nlink == 0;
    if (!is_taken && !is_removed) return file;
    // It was taken for abandoned before it was locked, and whoever did that removes it.
  }
}

// Whether nobody writes a file any more that was made by open_aside(). `file` is locked if so.
bool is_abandoned(const Descriptor& file) {
  struct stat attributes {};
  return file.ok() && ::fstat(file.get(), &attributes) == 0 && S_ISREG(attributes.st_mode) &&
         ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

absl::Status write_file(int fd, std::uint64_t key, std::span<const std::uint32_t> sizes,
                        const std::filesystem::path& path) {
  std::vector<std::uint32_t> swapped;
  if constexpr (std::endian::native == std::endian::big) {
    swapped.assign(sizes.begin(), sizes.end());
    swap_to_little(swapped);
    sizes = swapped;
  }
  const HeaderBytes header = encode({.count = static_cast<std::uint32_t>(sizes.size()),
                                     .key = key,
                                     .sizes_checksum = fingerprint(bytes_of(sizes))});
  const bool written = write_all(fd, {header.data(), header.size()}) &&
                       write_all(fd, bytes_of(sizes)) && ::fsync(fd) == 0;
  return written ? absl::OkStatus() : write_error(path);
}

}  // namespace

std::filesystem::path default_cache_folder() {
  const auto folder = [](const char* variable) {
    // Nothing in this program changes its environment.
    const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();
  };
  if (const auto cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache / "scidfs";
  if (const auto home = folder("HOME"); !home.empty()) return home / ".cache" / "scidfs";
  return {};
}

bool make_folders(const std::filesystem::path& folder) {
  if (folder.empty() || ::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return true;
  if (errno != ENOENT || folder.parent_path() == folder) return false;
  if (!make_folders(folder.parent_path())) return false;
  return ::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST;
}

absl::StatusOr<std::vector<std::uint32_t>> load_sizes(const std::filesystem::path& path,
                                                      std::uint64_t key, std::size_t count) {
  // Without O_NONBLOCK a named pipe in the place of the file would block the open.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.ok()) return read_error(path);
  struct stat attributes {};
  if (::fstat(file.get(), &attributes) != 0) return read_error(path);
  if (!S_ISREG(attributes.st_mode)) return damaged(path, "not a regular file");

  HeaderBytes header{};
  const ssize_t header_read = read_all(file.get(), header.data(), header.size(), 0);
  if (header_read < 0) return read_error(path);
  if (static_cast<std::size_t>(header_read) < header.size()) {
    return damaged(path, "the header is cut short");
  }
  const auto file_size = static_cast<std::uint64_t>(attributes.st_size);
  if (absl::Status status = check(path, header, key, count, file_size); !status.ok()) return status;

  std::vector<std::uint32_t> sizes(count);
  const std::size_t wanted = count * sizeof(std::uint32_t);
  const ssize_t sizes_read =
      read_all(file.get(), reinterpret_cast<char*>(sizes.data()), wanted, kHeaderSize);
  if (sizes_read < 0) return read_error(path);
  if (static_cast<std::size_t>(sizes_read) < wanted)
    return damaged(path, "the sizes are cut short");
  if (fingerprint(bytes_of(sizes)) != decode(header).sizes_checksum) {
    return damaged(path, "the checksum of the sizes is wrong");
  }
  swap_to_little(sizes);
  return sizes;
}

absl::Status save_sizes(const std::filesystem::path& path, std::uint64_t key,
                        std::span<const std::uint32_t> sizes) {
  if (sizes.size() > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot write {}: {} sizes are too many", path.native(), sizes.size()));
  }
  if (!make_folders(path.parent_path())) return write_error(path);

  std::string aside;
  Descriptor file = open_aside(path, aside);
  if (!file.ok()) return write_error(path);
  Unlinker unlinker(aside);

  if (absl::Status status = write_file(file.get(), key, sizes, path); !status.ok()) return status;
  // Renamed before the lock goes with the descriptor. Nothing is left that closing could fail at:
  // all is synced.
  if (::rename(aside.c_str(), path.c_str()) != 0) return write_error(path);
  unlinker.keep();
  return absl::OkStatus();
}

void remove_abandoned(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::filesystem::path& path = entry->path();
    const bool is_aside = path.extension().native().size() == kAside.size() &&
                          path.stem().extension() == kSizesExtension;
    if (!is_aside) continue;
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (is_abandoned(file)) ::unlink(path.c_str());
  }
}

std::uint64_t fingerprint(std::string_view bytes, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace scidfs::cache
