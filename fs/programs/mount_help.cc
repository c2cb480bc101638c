// What scidfs --help prints.
#include "fs/programs/mount_command.h"

namespace scidfs::fs {

std::string help_text() {
  return R"(usage: scidfs SOURCE MOUNTPOINT [-f] [-d] [-s] [-o OPTION[,OPTION...]]...
       scidfs --check SOURCE [--verbose] [-o threads=N,sandbox=MODE]

Shows the games of Scid chess databases as PGN files. SOURCE is a folder of databases, Scidb
archives and Kvetka opening books, one index file (.si3, .si4, .si5), one .scv archive, or the first
file of a book (NAME_0.kob); MOUNTPOINT is an existing folder. None of these are ever written.

Unmount with: fusermount3 -u MOUNTPOINT

  -h, --help           print this text
  -V, --version        print the version
  -f                   stay in the foreground, messages on the terminal
  -d                   print every request as well (implies -f)
  -s                   answer one request at a time
  --check              mount nothing: decode every game and print what is damaged, and how much
                       of it can still be read
  --verbose            with --check: print all that is found, not only the first 100 lines of each
                       kind (5 for notes about fields of the index that disagree with the moves)

Text of the games (changes what files say, and their sizes):
  -o comments=yes|no   show comments (default: yes)
  -o variations=yes|no show variations (default: yes)
  -o nags=yes|no       show annotation glyphs such as $1 (default: yes)
  -o width=N           columns of a line of moves, 20 to 10000; 0: one line (default: 80)
  -o deleted=hide|show show deleted games only below deleted/, or among the others as well
                       (default: hide)

Speed and memory:
  -o cache=SIZE        memory for decoded text, in bytes or with K, M or G; 0: none
                       (default: 64M)
  -o answers=SIZE      memory for answers to searches, as for cache (default: 64M)
  -o index=wait|background|none
                       find the sizes of all games before the mount is ready, after it, or only
                       when somebody asks; whoever asks for one that is not known yet waits for
                       it (default: wait)
  -o threads=N         threads that find sizes and, at most 4 of them, decode ahead of who reads a
                       large file, 1 to 1024 (default: one for each processor)
  -o cache_dir=PATH    folder where sizes are kept from one mount to the next, or none
                       (default: $XDG_CACHE_HOME/scidfs, else ~/.cache/scidfs)
  -o unpack=auto|memory|file
                       keep what is unpacked of archives in memory, in nameless files in the
                       cache folder, or in memory up to 256M and else in files (default: auto)
  -o max_idle_threads=N
                       threads that wait for requests, 1 to 1024 (default: 10)
  -o patience=SECONDS  how long files that do not fit together are waited for, as they may be half
                       a copy, 0 to 60: so long they must have been left alone to be shown as they
                       are (default: 5; a mount is ready after 10 at the latest)

Access:
  -o uid=N, -o gid=N   owner and group of all files (default: who mounts)
  -o umask=OCTAL       permissions taken from files (0444) and folders (0555) (default: 0)
  -o fmask=OCTAL       the same for files alone (default: umask)
  -o dmask=OCTAL       the same for folders alone (default: umask)
  -o allow_other       let other users in; for users other than root the line user_allow_other
                       must be in /etc/fuse.conf
  -o allow_root        let root in
  -o follow            follow links of database files out of SOURCE, to the folders that they lead
                       to when the mount is made (default: links within SOURCE alone)

Safety:
  -o sandbox=auto|strict|off
                       after start it can only read SOURCE, write its cache folder and answer
                       requests, as far as the kernel can see to it (auto); strict: no mount or
                       check if the kernel cannot, and a forbidden system call ends the process;
                       off: for debugging (default: auto)
  -o run_as=USER       for root: the daemon and its files are USER's, and so is the cache folder

Further options of mount(8) and FUSE: noexec, nosuid, nodev, noatime, sync, async, dirsync,
max_read=BYTES, context=, fscontext=, defcontext=, rootcontext=, fsname=NAME (default: SOURCE),
subtype=NAME (default: scidfs), nonempty (what MOUNTPOINT holds is hidden without a word). Always
on: ro, default_permissions, nosuid, nodev, clone_fd, auto_unmount (a process called scidfs-guardian
unmounts, also when the daemon is killed).
Options for fstab and its readers (nofail, _netdev, user, noauto, x-..., ...) are ignored. A comma
within a value is written \, and a backslash \\.

In fstab: /path/to/databases /mnt/chess fuse.scidfs nofail,allow_other 0 0

Exit codes: 0 the mount is ready (with -f: was unmounted), 1 it could not be made, 2 wrong command
line. With --check: 0 nothing is damaged, 1 the report could not be written, 3 something is damaged,
4 a database cannot be opened at all, or there is none. Notes alone are no damage.
)";
}

}  // namespace scidfs::fs
