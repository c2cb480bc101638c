#include <array>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kOfBuild = {
    OptionText{"-o", "NAME", "the book, with or without its folder"},
    OptionText{"--plies", "N|all", "half-moves taken of each game, 1 to 254, or all (default: 20)"},
    OptionText{"--min-elo", "N", "both players have at least this Elo (default: 0, no limit)"},
    OptionText{"--min-strong-elo", "N", "the stronger player has at least this Elo"},
    OptionText{"--min-white-elo", "N", "White has at least this Elo"},
    OptionText{"--min-black-elo", "N", "Black has at least this Elo"},
    OptionText{"--links", "",
               "also list moves that were never played but lead to a position of the book (16 more "
               "bytes of memory for each position)"},
    OptionText{"--caption", "TEXT", "a short description (default: the book's name)"},
    OptionText{"--code-page", "1252|1251|utf-8",
               "code page of the names of players (default: 1252)"},
    OptionText{"--byte-order", "little|big", "byte order of the texts (default: little)"},
    OptionText{
        "--memory", "N",
        "megabytes for sorting; more data goes to temporary files beside the book (default: 256)"},
    OptionText{"--threads", "N", "threads that read games (default: one for each processor)"},
};

constexpr std::array kOfBoth = {kSandboxOption, kCommonOptions[0], kCommonOptions[1]};

constexpr std::array kBookGroups = {
    OptionGroup{"Of build:", kOfBuild},
    OptionGroup{"Of both:", kOfBoth},
};

}  // namespace

constexpr Manual kBookManual = {
    .name = "scidfs-book",
    .usage =
        R"(scidfs-book dump NAME
scidfs-book build DATABASE.si4... -o NAME [OPTION VALUE]... [--links])",
    .purpose =
        R"(Reads and makes Kvetka opening books: NAME_0.kob, NAME_1.kob, ..., NAME.kin and NAME.ksf.

dump prints a book as a table with tabs, a line for each position; of NAME.ksf, a line for each
game. It reports damage on the standard error.

build counts the games of Scid databases that are not deleted and have a result. It replaces files
that have the names of the book when the new ones are complete; never a device or a link.)",
    .groups = kBookGroups,
    .notes =
        R"(The source of a game is the file that scidfs shows: DATABASE.si4/all.pgn, with the place of the
game in it under the default options.

Exit codes: 0 done, 1 it could not be done, 2 wrong command line; of dump: 3 the book is damaged,
4 it cannot be opened.)",
};

}  // namespace scidfs::fs
