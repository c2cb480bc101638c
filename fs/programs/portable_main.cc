// All programs as one, for the archive that needs no library of the system: it is scidfs-get where
// that is its name or "get" its first word, and scidfs otherwise.
#include <nss.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "fs/programs/mains.h"
#include "fs/programs/mount_command.h"

namespace scidfs::fs {
namespace {

struct Program {
  std::string_view name;  // without "scidfs-"
  int (*main)(int argc, char** argv);
};

constexpr std::array<Program, 5> kPrograms = {{{"book", book_main},
                                               {"get", get_main},
                                               {"import", import_main},
                                               {"pack", pack_main},
                                               {"serve", serve_main}}};

// Returns null for a name of none of these programs.
const Program* find_program(std::string_view name) {
  const auto found = std::ranges::find(kPrograms, name, &Program::name);
  return found == kPrograms.end() ? nullptr : &*found;
}

int portable_main(int argc, char** argv) {
  // Users and groups come from /etc alone. Other sources are libraries for the C library of the
  // system, which need not be the version that is linked in here.
  for (const char* const database : {"passwd", "group", "initgroups"}) {
    ::__nss_configure_lookup(database, "files");
  }
  constexpr std::string_view kPrefix = "scidfs-";
  std::string_view called_as = argc > 0 ? argv[0] : "";
  called_as.remove_prefix(called_as.rfind('/') + 1);
  if (called_as.starts_with(kPrefix)) {
    const Program* const program = find_program(called_as.substr(kPrefix.size()));
    if (program != nullptr) return program->main(argc, argv);
  }
  // To mount(8), each first word is a source.
  const bool has_word = argc > 1 && !is_mount_helper(called_as);
  const Program* const program = has_word ? find_program(argv[1]) : nullptr;
  return program != nullptr ? program->main(argc - 1, argv + 1) : mount_main(argc, argv);
}

}  // namespace
}  // namespace scidfs::fs

int main(int argc, char** argv) { return scidfs::fs::portable_main(argc, argv); }
