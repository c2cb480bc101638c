// scidfs-pack: puts databases into an archive that Scidb reads.
#include <filesystem>
#include <string_view>

#include "fs/build/pack.h"
#include "fs/file/file_maker.h"
#include "fs/file/new_access.h"
#include "fs/programs/file_command.h"
#include "fs/programs/mains.h"
#include "fs/programs/manual.h"
#include "fs/programs/program.h"

namespace scidfs::fs {
namespace {

bool is_archive(const std::filesystem::path& archive, std::string_view name) {
  return name == archive.filename().native();
}

ExitCode run(const PackCommand& command) {
  return make_files(command, command.paths, NewAccess::of_result(command.paths), is_archive,
                    [&command](const FileMaker& maker) {
                      PackOptions options = command.options;
                      options.databases = command.paths;
                      options.archive = command.result;
                      options.maker = &maker;
                      const absl::Status status = pack(options);
                      return status.ok() ? ExitCode::Good : failed(status);
                    });
}

}  // namespace

int pack_main(int argc, char** argv) {
  return run_program(pack_manual(), argc, argv, parse_pack_command, run);
}

}  // namespace scidfs::fs
