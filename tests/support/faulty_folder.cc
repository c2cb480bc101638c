#include "tests/support/faulty_folder.h"

#define FUSE_USE_VERSION 35
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <string>

namespace scidfs::tests {

struct FaultyFolder::Commands {
  std::array<char, 8> extension{};  // written before the other fields
  std::atomic<std::uint64_t> first = 0, last = 0;
  std::atomic<int> read_error = 0, open_error = 0;
  std::atomic<std::size_t> most_bytes = 0;
  std::atomic<unsigned> delay = 0;  // in milliseconds
  std::atomic<unsigned> faults = 0;
};

namespace {

using Commands = FaultyFolder::Commands;

// The folder that the server shows; set only in its process.
std::string target;
Commands* commands = nullptr;

int result_of(int result) { return result < 0 ? -errno : result; }

int get_attributes(const char* path, struct stat* attributes, fuse_file_info* /*info*/) {
  return result_of(::lstat((target + path).c_str(), attributes));
}

int list(const char* path, void* buffer, fuse_fill_dir_t fill, off_t /*offset*/,
         fuse_file_info* /*info*/, fuse_readdir_flags /*flags*/) {
  for (const char* const dots : {".", ".."}) fill(buffer, dots, nullptr, 0, fuse_fill_dir_flags());
  std::error_code error;
  for (std::filesystem::directory_iterator entry(target + path, error), end; !error && entry != end;
       entry.increment(error)) {
    fill(buffer, entry->path().filename().c_str(), nullptr, 0, fuse_fill_dir_flags());
  }
  return -error.value();
}

int open_file(const char* path, fuse_file_info* info) {
  if (const int error = commands->open_error; error != 0) return -error;
  const int file = ::open((target + path).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return -errno;
  info->fh = static_cast<std::uint64_t>(file);
  info->direct_io = 1;
  return 0;
}

int read_file_at(const char* path, char* out, std::size_t size, off_t offset,
                 fuse_file_info* info) {
  if (const unsigned delay = commands->delay; delay != 0) {
    ++commands->faults;
    ::usleep(delay * 1000);
  }
  const auto begin = static_cast<std::uint64_t>(offset);
  const int error = commands->read_error;
  if (error != 0 && std::string_view(path).ends_with(commands->extension.data()) &&
      begin < commands->last && begin + size > commands->first) {
    ++commands->faults;
    return -error;
  }
  if (const std::size_t most = commands->most_bytes; most != 0) size = std::min(size, most);
  return result_of(static_cast<int>(::pread(static_cast<int>(info->fh), out, size, offset)));
}

int close_file(const char* /*path*/, fuse_file_info* info) {
  return result_of(::close(static_cast<int>(info->fh)));
}

void* start(fuse_conn_info* /*connection*/, fuse_config* config) {
  config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
  config->nullpath_ok = 0;
  return nullptr;
}

[[noreturn]] void serve(const std::string& mountpoint) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Undoes the defaults of libfuse.
  if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) {
    ::dup2(null, STDERR_FILENO);
  }
  fuse_operations operations{};
  operations.init = start;
  operations.getattr = get_attributes;
  operations.readdir = list;
  operations.open = open_file;
  operations.read = read_file_at;
  operations.release = close_file;
  std::array<char*, 5> words = {const_cast<char*>("faulty"), const_cast<char*>("-f"),
                                const_cast<char*>("-o"), const_cast<char*>("ro"),
                                const_cast<char*>(mountpoint.c_str())};
  ::_exit(fuse_main(static_cast<int>(words.size()), words.data(), &operations, nullptr));
}

}  // namespace

FaultyFolder::FaultyFolder(const std::filesystem::path& folder) : mountpoint_(folder_ / "mnt") {
  std::filesystem::create_directory(mountpoint_);
  void* const shared =
      ::mmap(nullptr, sizeof(Commands), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) std::abort();
  commands_ = new (shared) Commands;
  server_ = ::fork();
  if (server_ == 0) {
    target = folder;
    commands = commands_;
    serve(mountpoint_);
  }
  for (int i = 0; server_ > 0 && i < 4000 && !is_mounted(mountpoint_); ++i) ::usleep(5000);
  if (!is_mounted(mountpoint_)) {
    ADD_FAILURE() << "no faulty folder";
    kill();
  }
}

FaultyFolder::~FaultyFolder() {
  kill();
  run("fusermount3 -u -z " + shell_word(mountpoint_.string()));
  ::munmap(commands_, sizeof(Commands));
}

void FaultyFolder::fail_reads(std::string_view extension, std::uint64_t first, std::uint64_t last,
                              int error) {
  commands_->read_error = 0;
  commands_->extension.fill('\0');
  std::copy(extension.begin(), extension.end(), commands_->extension.begin());
  commands_->first = first;
  commands_->last = last;
  commands_->read_error = error;
}

void FaultyFolder::limit_reads(std::size_t bytes) { commands_->most_bytes = bytes; }
void FaultyFolder::delay_reads(unsigned milliseconds) { commands_->delay = milliseconds; }
void FaultyFolder::fail_opens(int error) { commands_->open_error = error; }
unsigned FaultyFolder::faults() const { return commands_->faults; }

void FaultyFolder::heal() {
  commands_->read_error = commands_->open_error = 0;
  commands_->most_bytes = 0;
  commands_->delay = 0;
}

void FaultyFolder::kill() {
  if (server_ <= 0) return;
  ::kill(server_, SIGKILL);
  ::waitpid(server_, nullptr, 0);
  server_ = -1;
}

}  // namespace scidfs::tests
