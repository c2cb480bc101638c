#include <array>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kImportOptions = {
    OptionText{"-o", "DATABASE", "the database to write: NAME.si5, or NAME.si4 for Scid 4"},
    OptionText{"--append", "", "add the games to DATABASE, which scidfs-import wrote"},
    OptionText{
        "--encoding", "1252|1251|866|437|932|N",
        "code page of PGN that is not UTF-8, and of names in zip files (names:N: of those alone); "
        "may be repeated (default: 1252)"},
    OptionText{
        "--partial", "",
        "of compressed files that were cut, as downloads are, take the games that are whole"},
    OptionText{"--threads", "N", "threads that read PGN (default: one for each processor)"},
    kSandboxOption,
    kCommonOptions[0],
    kCommonOptions[1],
};

constexpr std::array kImportGroups = {OptionGroup{"", kImportOptions}};

}  // namespace

constexpr Manual kImportManual = {
    .name = "scidfs-import",
    .usage = "scidfs-import SOURCE... -o DATABASE [--append]",
    .purpose =
        R"(Writes the games of all SOURCEs to a new Scid database. SOURCE is a PGN file (.pgn,
.pgn.gz, .pgn.zst, .pgn.bz2 or .pgn.xz), a .zip file of them, - for PGN from standard input, or the
index file of a database (.si3, .si4 or .si5), with its other files beside it. The database
appears when it is complete; it never takes the place of another one, but with --append that of its
last version.)",
    .groups = kImportGroups,
    .notes =
        "Exit codes: 0 the database is there, 1 it could not be made, 2 wrong command line, 3 it "
        "is there, but something in a source could not be read, or not be stored as it was.",
};

}  // namespace scidfs::fs
