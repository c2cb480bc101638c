#include <array>

#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kGeneral = {
    kCommonOptions[0],
    kCommonOptions[1],
    OptionText{"-f", "", "stay in the foreground, messages on the terminal"},
    OptionText{"-d", "", "print every request as well (implies -f)"},
    OptionText{"-s", "", "answer one request at a time"},
    OptionText{"-o", "OPTION[,OPTION...]", "what follows, as often as wanted"},
    OptionText{"--check", "",
               "mount nothing: decode every game and print what is damaged, and how much of it can "
               "still be read",
               "mount nothing: print what is damaged"},
    OptionText{"--verbose", "",
               "with --check: print all that is found, not only the first 100 lines of each kind "
               "(5 for notes about fields of the index that disagree with the moves)",
               "with --check: print all that is found"},
};

constexpr std::array kText = {
    OptionText{"-o comments", "yes|no", "show comments (default: yes)", "show comments"},
    OptionText{"-o variations", "yes|no", "show variations (default: yes)", "show variations"},
    OptionText{"-o nags", "yes|no", "show annotation glyphs such as $1 (default: yes)",
               "show annotation glyphs"},
    OptionText{"-o null_moves", "keep|comment",
               "show null moves as moves, or a null move and the moves after it in its line as a "
               "comment, for programs that take no null moves (default: keep)",
               "null moves as moves or as comments"},
    OptionText{"-o width", "N",
               "columns of a line of moves, 20 to 10000; 0: one line (default: 80)",
               "columns of movetext; 0: one line"},
    OptionText{"-o opening", "tag|none",
               "show the name of the ECO code as a tag Opening, unless the game has one of its own "
               "(default: none)",
               "names of openings as tags"},
    OptionText{"-o encoding", "1252|1251[:PATH]",
               "code page of texts that are no UTF-8, of all databases or of one database or "
               "folder; may be given several times (default: 1252)",
               "code page of a database"},
    OptionText{"-o deleted", "hide|show",
               "show deleted games only below deleted/, or among the others as well (default: "
               "hide)",
               "deleted games among the others"},
    OptionText{"-o order", "database|round",
               "games.pgn of an event in the order of the database, or by round and board "
               "(default: database)",
               "order of the games of an event"},
    OptionText{"-o tags", "roster|all",
               "show all tags, or only the seven that every PGN game has, and those that its moves "
               "cannot be read without (default: all)",
               "which tags are shown"},
};

constexpr std::array kData = {
    OptionText{"-o spelling", "FILE|auto|none",
               "Scid's spelling file, which knows people under all their names; auto: that of "
               "Debian's scid-rating-data, if it is installed (default: auto)",
               "people under all their names", Fill::File},
    OptionText{"-o eco", "FILE|auto|none",
               "Scid's names of openings; auto: those of Debian's scid-data, if it is installed "
               "(default: auto)",
               "names of openings", Fill::File},
};

constexpr std::array kSpeed = {
    OptionText{"-o cache", "SIZE",
               "memory for decoded text, in bytes or with K, M or G; 0: none (default: 64M)",
               "memory for decoded text"},
    OptionText{"-o answers", "SIZE", "memory for answers to searches, as for cache (default: 64M)",
               "memory for answers to searches"},
    OptionText{"-o index", "auto|wait|background|none",
               "find the sizes of all games before the mount is ready, after it, or only when "
               "somebody asks; auto: before if that takes a second at most, else after; whoever "
               "asks for one that is not known yet waits for it (default: auto)",
               "when the sizes of games are found out"},
    OptionText{"-o source", "auto|near|far",
               "far: SOURCE is on a network or in a cloud, so that each read takes long and the "
               "server may hang; auto: as the type of each file system says, and any FUSE file "
               "system is far (default: auto)",
               "whether SOURCE is on a network"},
    OptionText{"-o threads", "N",
               "threads that find sizes and, at most 4 of them, decode ahead of who reads a large "
               "file, 1 to 1024 (default: one for each processor)",
               "threads that decode"},
    OptionText{"-o cache_dir", "PATH|none",
               "folder where sizes are kept from one mount to the next (default: "
               "$XDG_CACHE_HOME/scidfs, else ~/.cache/scidfs)",
               "where sizes are kept between mounts", Fill::Folder},
    OptionText{"-o unpack", "auto|memory|file",
               "keep what is unpacked of archives in memory, in nameless files in the cache "
               "folder, or in memory up to 256M and else in files (default: auto)",
               "where what is in archives is kept"},
    OptionText{"-o max_idle_threads", "N",
               "threads that wait for requests, 1 to 1024 (default: 10)",
               "threads that wait for requests"},
    OptionText{"-o patience", "SECONDS",
               "how long files that do not fit together are waited for, as they may be half a "
               "copy, 0 to 60: so long they must have been left alone to be shown as they are "
               "(default: 5; a mount is ready after 10 at the latest)",
               "how long for files that do not fit together"},
};

constexpr std::array kAccess = {
    OptionText{"-o uid", "N", "owner of all files (default: who mounts)", "owner of all files"},
    OptionText{"-o gid", "N", "group of all files (default: that of who mounts)",
               "group of all files"},
    OptionText{"-o umask", "OCTAL",
               "permissions taken from files (0444) and folders (0555) (default: 0)",
               "permissions taken away"},
    OptionText{"-o fmask", "OCTAL", "the same for files alone (default: umask)",
               "permissions taken from files"},
    OptionText{"-o dmask", "OCTAL", "the same for folders alone (default: umask)",
               "permissions taken from folders"},
    OptionText{"-o allow_other", "",
               "let other users in; for users other than root the line user_allow_other must be "
               "in /etc/fuse.conf",
               "let other users in"},
    OptionText{"-o allow_root", "", "let root in"},
    OptionText{"-o follow", "",
               "follow links of database files out of SOURCE, and links to folders, to where they "
               "lead when the mount is made (default: links of files within SOURCE alone)",
               "follow links out of SOURCE, too"},
};

constexpr std::array kSafety = {
    OptionText{"-o sandbox", "auto|strict|off",
               "after start it can only read SOURCE, write its cache folder and answer requests, "
               "as far as the kernel can see to it (auto); strict: no mount or check if the "
               "kernel cannot, and a forbidden system call ends the process; off: for debugging "
               "(default: auto)",
               "what the process may do"},
    OptionText{"-o run_as", "USER",
               "for root: the daemon and its files are USER's, and so is the cache folder",
               "for root: who the daemon becomes", Fill::User},
};

constexpr std::array kOfFuse = {
    OptionText{"-o fsname", "NAME", "what df and mount call it (default: SOURCE)",
               "what df and mount call it"},
    OptionText{"-o subtype", "NAME", "its type is fuse.NAME (default: scidfs)",
               "its type is fuse.NAME"},
    OptionText{"-o nonempty", "", "what MOUNTPOINT holds is hidden without a word",
               "hide what MOUNTPOINT holds"},
    OptionText{"-o debug", "", "as -d"},
    OptionText{"-o max_read", "BYTES", "the kernel asks for so many at most, from 4096",
               "most bytes of a request"},
};

constexpr std::array kMountGroups = {
    OptionGroup{"", kGeneral},
    OptionGroup{"Text of the games (changes what files say, and their sizes):", kText},
    OptionGroup{"Scid's data files (read where they are, never copied):", kData},
    OptionGroup{"Speed and memory:", kSpeed},
    OptionGroup{"Access:", kAccess},
    OptionGroup{"Safety:", kSafety},
    OptionGroup{"Of FUSE:", kOfFuse},
};

}  // namespace

constexpr Manual kMountManual = {
    .name = "scidfs",
    .usage =
        R"(scidfs SOURCE MOUNTPOINT [-f] [-d] [-s] [-o OPTION[,OPTION...]]...
scidfs --check SOURCE [--verbose] [-o threads=N,sandbox=MODE])",
    .purpose =
        R"(Shows the games of Scid chess databases as PGN files. SOURCE is a folder of databases, Scidb
archives and Kvetka opening books, one index file (.si3, .si4, .si5), one .scv archive, or the
first file of a book (NAME_0.kob), with endings in small letters or capitals; MOUNTPOINT is an
existing folder. None of these are ever written.

Unmount with: fusermount3 -u MOUNTPOINT)",
    .groups = kMountGroups,
    .notes =
        R"(Further options of mount(8) and FUSE: exec, noexec, nosuid, nodev, noatime, sync, async, dirsync,
context=, fscontext=, defcontext=, rootcontext=. Always on: ro, default_permissions, nosuid,
nodev, clone_fd, auto_unmount (a process called scidfs-guardian unmounts, also when the daemon is
killed). Options for fstab and its readers (nofail, _netdev, user, noauto, x-..., ...) are
ignored. A comma within a value is written \, and a backslash \\.

In fstab: /path/to/databases /mnt/chess scidfs nofail,allow_other 0 0

Exit codes: 0 the mount is ready (with -f: was unmounted), 1 it could not be made, 2 wrong command
line. With --check: 0 nothing is damaged, 1 the report could not be written, 3 something is
damaged, 4 a database cannot be opened at all, or there is none. Notes alone are no damage.)",
    .operand = Fill::Source,
};

}  // namespace scidfs::fs
