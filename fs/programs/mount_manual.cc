#include <array>
#include <vector>

#include "fs/options/option_table.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kGeneral = {
    kCommonOptions[0],
    kCommonOptions[1],
    OptionText{"-f", "", "stay in the foreground, with messages on the terminal"},
    OptionText{"-d", "", "print every request as well (implies -f)"},
    OptionText{"-s", "", "answer one request at a time"},
    OptionText{"-o", "OPTION[,OPTION...]", "mount options, listed below; may be repeated"},
    OptionText{"-u", "",
               "mount nothing: unmount what shows SOURCE, or is mounted there, and remove the "
               "folder if scidfs made it"},
    OptionText{"--check", "",
               "mount nothing: decode every game, and print which games are damaged and how much "
               "of them can still be read"},
    OptionText{"--verbose", "",
               "with --check: print all findings, not only the first 100 lines of each kind (5 for "
               "notes about fields of the index that disagree with the moves)"},
};

std::vector<OptionGroup> groups() {
  std::vector<OptionGroup> groups = {{"", {kGeneral.begin(), kGeneral.end()}}};
  for (const MountOptionGroup& group : mount_option_groups()) {
    OptionGroup& texts = groups.emplace_back(OptionGroup{group.title, {}});
    for (const MountOption& option : group.options) texts.options.push_back(option.text);
  }
  return groups;
}

}  // namespace

const Manual& mount_manual() {
  static const Manual kManual = {
      .name = "scidfs",
      .usage =
          R"(scidfs SOURCE [MOUNTPOINT] [-f] [-d] [-s] [-o OPTION[,OPTION...]]...
scidfs -u SOURCE
scidfs --check SOURCE [--verbose] [-o threads=N,sandbox=MODE])",
      .purpose =
          R"(Shows the games of Scid chess databases as PGN files. SOURCE is a folder of databases, PGN files,
Scidb archives and Kvetka opening books, one index file (.si3, .si4, .si5), one PGN file (.pgn,
.pgn.gz, .pgn.zst, .pgn.bz2, .pgn.xz), a .zip file of such, one archive (.scv, .ive), or the first
file of a book (NAME_0.kob), with endings in small letters or capitals; MOUNTPOINT is an existing folder.
Without it SOURCE-mnt is made or, where that cannot be, a folder below $XDG_RUNTIME_DIR/scidfs; it
is removed when nothing is mounted there any more. scidfs never writes to a source.

A first word book, get, import, pack or serve is the program of that name (scidfs-serve), mount and
check are scidfs itself; a folder of such a name is ./serve. Without any word scidfs says how to
begin, with the databases that it finds.

Unmount with: scidfs -u SOURCE, or fusermount3 -u MOUNTPOINT)",
      .groups = groups(),
      .notes =
          R"(Further options of mount(8) and FUSE: exec, noexec, nosuid, nodev, noatime, sync, async, dirsync,
context=, fscontext=, defcontext=, rootcontext=. Always on: ro, default_permissions, nosuid,
nodev, clone_fd, auto_unmount (a process called scidfs-guardian unmounts, also when the daemon is
killed). Options for fstab and its readers (nofail, _netdev, user, noauto, x-..., ...) are
ignored. Write a comma within a value as \, and a backslash as \\.

In fstab: /path/to/databases /mnt/chess scidfs nofail,allow_other 0 0

Exit codes: 0 the mount is ready (with -f: was unmounted), 1 it could not be made, 2 wrong command
line. With --check: 0 nothing is damaged, 1 the report could not be written, 3 something is
damaged, 4 a database cannot be opened at all, or there is none. Notes are not damage.)",
  };
  return kManual;
}

}  // namespace scidfs::fs
