#include "fs/programs/source_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "fs/base/log.h"
#include "fs/file/cache_file.h"
#include "fs/file/cache_folder.h"
#include "fs/file/folder.h"
#include "fs/pgn/pgn_records.h"

namespace scidfs::fs {
namespace {

// Keeps later files from becoming standard input, output or error output.
void keep_standard_descriptors() {
  int null = 0;
  do {
    null = ::open("/dev/null", O_RDWR);
  } while (null >= 0 && null <= STDERR_FILENO);
  if (null >= 0) ::close(null);
}

// Makes malloc return large blocks to the system when they are freed. Without a fixed limit, malloc
// keeps them from the second time on, up to 32 MiB each: a table of a million players would hold
// its memory permanently.
void give_memory_back() {
  constexpr int kLarge = 1 << 20;     // bytes
  mallopt(M_MMAP_THRESHOLD, kLarge);  // NOLINT(concurrency-mt-unsafe): there is one thread yet
}

}  // namespace

void raise_file_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

void prepare_process() {
  raise_file_limit();
  keep_standard_descriptors();
  give_memory_back();
}

std::filesystem::path temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path(error) / fmt::format("scidfs-{}", ::geteuid());
  if (error) return {};
  constexpr mode_t kOwner = 0700;
  constexpr mode_t kOthers = 0077;
  // The folder stays: a program in the sandbox cannot remove it, and the next one needs it.
  ::mkdir(folder.c_str(), kOwner);
  struct stat status {};
  const bool is_ours = ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                       status.st_uid == ::geteuid() && (status.st_mode & kOthers) == 0;
  return is_ours ? folder : std::filesystem::path();
}

OpenPaths paths_of_source(const MountOptions& options) {
  OpenPaths paths;
  add_source(options.source, options.library.follow_links, paths);
  if (!options.library.database.cache_folder.empty()) {
    // The functions that write there report if it does not exist.
    make_folders(options.library.database.cache_folder).IgnoreError();
    paths.write.push_back(options.library.database.cache_folder);
  }
  return paths;
}

absl::StatusOr<std::unique_ptr<Library>> open_source(MountOptions& options, DataFiles& data_files) {
  const std::filesystem::path& cache = options.library.database.cache_folder;
  if (const absl::Status usable = open_cache_folder(cache).status();
      absl::IsFailedPrecondition(usable)) {
    log_warning(fmt::format("{}; nothing is kept there, and PGN files are refused",
                            std::string(usable.message())));
  }
  remove_abandoned_cache_files(cache);
  remove_abandoned_records(cache);
  options.library.mountpoint = options.mountpoint;
  options.library.database.reference = data_files.load(cache);
  return Library::open(options.source, options.library);
}

}  // namespace scidfs::fs
