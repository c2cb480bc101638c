// remote_fs TARGET MOUNTPOINT CONTROL [BACKGROUND]: shows a folder like a remote server: each READ
// takes time, and requests hang on command. The kernel caches data as for sshfs. CONTROL is a file
// of the size of RemoteControl. The kernel has at most BACKGROUND reads in flight (0: twelve, the
// default of libfuse). Stays in the foreground.
#define FUSE_USE_VERSION 35
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "tests/support/remote_control.h"

namespace {

using scidfs::tests::RemoteControl;

std::string target;
RemoteControl* control = nullptr;
unsigned background = 0;

int result_of(ssize_t result) { return result < 0 ? -errno : static_cast<int>(result); }

bool hangs(std::string_view path, bool is_read) {
  const std::uint64_t what = control->hang;
  return what == RemoteControl::kEverything ||
         (what == RemoteControl::kReads && is_read && path.ends_with(control->name.data()));
}

void answer_in_time(std::string_view path, bool is_read) {
  constexpr useconds_t kLook = 2000;
  if (!is_read) ++control->others;
  if (!hangs(path, is_read)) return;
  ++control->hung;
  while (hangs(path, is_read)) ::usleep(kLook);
  --control->hung;
}

int get_attributes(const char* path, struct stat* attributes, fuse_file_info* /*info*/) {
  answer_in_time(path, false);
  return result_of(::lstat((target + path).c_str(), attributes));
}

int list(const char* path, void* buffer, fuse_fill_dir_t fill, off_t /*offset*/,
         fuse_file_info* /*info*/, fuse_readdir_flags /*flags*/) {
  answer_in_time(path, false);
  for (const char* const dots : {".", ".."}) fill(buffer, dots, nullptr, 0, fuse_fill_dir_flags());
  std::error_code error;
  for (std::filesystem::directory_iterator entry(target + path, error), end; !error && entry != end;
       entry.increment(error)) {
    fill(buffer, entry->path().filename().c_str(), nullptr, 0, fuse_fill_dir_flags());
  }
  return -error.value();
}

int open_file(const char* path, fuse_file_info* info) {
  answer_in_time(path, false);
  const int file = ::open((target + path).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  info->fh = static_cast<std::uint64_t>(file);
  return 0;
}

int read_file(const char* path, char* out, std::size_t size, off_t offset, fuse_file_info* info) {
  ++control->reads;
  if (const std::uint64_t delay = control->delay; delay != 0) {
    ::usleep(static_cast<useconds_t>(delay));
  }
  answer_in_time(path, true);
  const int got = result_of(::pread(static_cast<int>(info->fh), out, size, offset));
  if (got > 0) control->bytes += static_cast<std::uint64_t>(got);
  return got;
}

int close_file(const char* /*path*/, fuse_file_info* info) {
  return result_of(::close(static_cast<int>(info->fh)));
}

int get_statistics(const char* path, struct statvfs* statistics) {
  answer_in_time(path, false);
  return result_of(::statvfs(target.c_str(), statistics));
}

void* start(fuse_conn_info* connection, fuse_config* /*config*/) {
  if (background != 0) connection->max_background = background;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 2;
  if (argc != 4 && argc != 5) return kUsage;
  target = argv[1];
  const int file = ::open(argv[3], O_RDWR | O_CLOEXEC);
  void* const shared =
      ::mmap(nullptr, sizeof(RemoteControl), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared == MAP_FAILED) return kUsage;
  control = static_cast<RemoteControl*>(shared);
  if (argc == 5) background = static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10));
  fuse_operations operations{};
  operations.init = start;
  operations.getattr = get_attributes;
  operations.readdir = list;
  operations.open = open_file;
  operations.read = read_file;
  operations.release = close_file;
  operations.statfs = get_statistics;
  // Enough threads for all requests that hang.
  std::array<const char*, 5> words = {"remote_fs", "-f", "-o", "ro,max_threads=512,fsname=far",
                                      argv[2]};
  return fuse_main(static_cast<int>(words.size()), const_cast<char**>(words.data()), &operations,
                   nullptr);
}
