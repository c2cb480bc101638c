#include <array>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kOptions = {
    OptionText{"-o", "ARCHIVE", "the file to write"},
    OptionText{"--force", "",
               "overwrite ARCHIVE if it exists; only a file, never a device or a link"},
    kSandboxOption,
    kCommonOptions[0],
    kCommonOptions[1],
};

constexpr std::array kPackGroups = {OptionGroup{"", kOptions}};

}  // namespace

constexpr Manual kPackManual = {
    .name = "scidfs-pack",
    .usage = "scidfs-pack DATABASE... -o ARCHIVE [--force]",
    .purpose =
        R"(Packs databases into an archive (.scv) that Scidb can read. DATABASE is the index file of a
database (.si4), with its other files beside it, or a PGN file. The archive holds the databases as
they were at one moment: while a program writes to them, scidfs-pack packs nothing. The archive
appears when it is complete and has been read again.)",
    .groups = kPackGroups,
    .notes = "Exit codes: 0 the archive is there, 1 it could not be made, 2 wrong command line.",
};

}  // namespace scidfs::fs
