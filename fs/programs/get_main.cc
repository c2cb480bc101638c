// scidfs-get ls|cat|cp|site SOURCE [PATH...]: shows and copies what a mount would show, without
// one.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/file/cache_folder.h"
#include "fs/file/file_maker.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/get/copy.h"
#include "fs/get/listing.h"
#include "fs/get/output.h"
#include "fs/get/site.h"
#include "fs/get/tree_reader.h"
#include "fs/library/library.h"
#include "fs/options/advice.h"
#include "fs/options/mount_options.h"
#include "fs/options/real_paths.h"
#include "fs/programs/ending_signals.h"
#include "fs/programs/get_command.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"
#include "fs/programs/progress_bar.h"
#include "fs/programs/source_process.h"
#include "fs/reference/data_files.h"
#include "fs/requests/request_runner.h"
#include "fs/sandbox/sandbox.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {
namespace {

class Get {
 public:
  explicit Get(const GetCommand& command) : command_(command), options_(command.options) {
    if (copies()) signals_.emplace();
  }

  ExitCode run() {
    const absl::Status opened = open();
    if (!opened.ok()) return failed(opened);
    Output output(STDOUT_FILENO);
    ExitCode result = ExitCode::Failed;
    {
      Tree tree(*library_, {.blocks = {.cache_bytes = options_.cache_bytes,
                                       .threads = options_.library.threads}});
      RequestRunner runner(tree, options_.question_bytes);
      result = act(TreeReader(tree, runner, library_->searches().rejected_names), output);
    }
    library_->save_sizes();
    if (output.flush().ok()) return result;
    // Who closes a pipe has read enough.
    if (absl::IsCancelled(output.status())) return ExitCode::Failed;
    return failed(output.status());
  }

 private:
  bool copies() const { return command_.action == GetCommand::Action::Copy || makes_site(); }
  bool makes_site() const { return command_.action == GetCommand::Action::Site; }

  // Opens the source as a mount does, in the sandbox. Each answer measures the games that it needs,
  // unless the user wants all to be measured before.
  absl::Status open() {
    RETURN_IF_ERROR(resolve_source(options_).status());
    RETURN_IF_ERROR(check_source(options_.source));
    ASSIGN_OR_RETURN(DataFiles data_files, DataFiles::open(options_.data_files));
    find_cache_folder();
    SandboxOptions sandbox{.mode = options_.sandbox,
                           .paths = paths_of_source(options_),
                           .writes_files = copies(),
                           .only_reads = !copies(),
                           .keeps_cache = true};
    if (copies()) {
      RETURN_IF_ERROR(prepare_target());
      sandbox.paths.write.push_back(target_);
    }
    RETURN_IF_ERROR(lock_the_door(sandbox));
    if (signals_) signals_->watch();
    const bool measures_all = options_.library.index == IndexMode::Wait;
    if (!measures_all) options_.library.index = IndexMode::None;
    if (makes_site()) options_.library.database.pages = PagesMode::Listed;
    // What is wrong with the source stands in info.txt and in the games.
    log_errors_only();
    ASSIGN_OR_RETURN(library_, open_source(options_, data_files));
    if (measures_all) library_->build_sizes([](std::uint64_t, std::uint64_t) {});
    return absl::OkStatus();
  }

  // Takes another folder where there is no cache folder that can be written: the games of PGN files
  // are read from it.
  void find_cache_folder() {
    std::filesystem::path& folder = options_.library.database.cache_folder;
    if (!folder.empty()) make_folders(folder).IgnoreError();
    if (open_cache_folder(folder).ok() && ::access(folder.c_str(), W_OK | X_OK) == 0) return;
    folder = options_.library.unpack.folder = temporary_folder();
  }

  // Makes the folder that copies go to, if it is missing, and starts the process that makes files
  // in it.
  absl::Status prepare_target() {
    constexpr mode_t kAll = 0777;
    ASSIGN_OR_RETURN(const std::filesystem::path located, locate(command_.target));
    if (::mkdir(located.c_str(), kAll) != 0 && errno != EEXIST) {
      return file_error("make", located.native(), errno);
    }
    std::error_code error;
    target_ = std::filesystem::canonical(located, error);
    if (error || !std::filesystem::is_directory(target_, error)) {
      return absl::InvalidArgumentError(
          fmt::format("Cannot copy to {}: it is no folder", located.native()));
    }
    return maker_.start_below(target_);
  }

  ExitCode act(const TreeReader& reader, Output& output) const {
    switch (command_.action) {
      case GetCommand::Action::List:
        return list_paths(reader, command_.paths,
                          {.is_long = command_.is_long,
                           .marks_directories = command_.marks_directories,
                           .is_recursive = command_.is_recursive,
                           .is_for_terminal = ::isatty(STDOUT_FILENO) == 1},
                          output);
      case GetCommand::Action::Print:
        return print_files(reader, command_.paths, output);
      case GetCommand::Action::Copy:
      case GetCommand::Action::Site:
        break;
    }
    ProgressBar bar("copying files");
    const auto progress = [&bar](std::uint64_t done, std::uint64_t total) {
      bar.update(done, total);
    };
    if (makes_site()) {
      return copy_site(reader, command_.paths.empty() ? "" : command_.paths.front(), target_,
                       command_.copy, maker_, progress);
    }
    return copy_paths(reader, command_.paths, target_, command_.copy, maker_, progress);
  }

  const GetCommand& command_;
  MountOptions options_;
  std::optional<EndingSignals> signals_;  // of copies: no half of a file stays
  FileMaker maker_;
  std::filesystem::path target_;
  std::unique_ptr<Library> library_;
};

ExitCode run(const GetCommand& command) {
  const bool has_output = ::fcntl(STDOUT_FILENO, F_GETFD) >= 0;
  prepare_process();
  if (!has_output) return failed(absl::UnknownError("standard output is closed"));
  // Wildcards match characters of UTF-8.
  ::setlocale(LC_CTYPE, "C.UTF-8");  // NOLINT(concurrency-mt-unsafe): there is one thread yet
  return Get(command).run();
}

}  // namespace

int get_main(int argc, char** argv) {
  return run_program(get_manual(), argc, argv, parse_get_command, run);
}

}  // namespace scidfs::fs
