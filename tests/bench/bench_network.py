"""What a source on a network costs: the stage `network` of scripts/bench.

The database lies in a folder shown by tests/support/remote_fs.cc, which takes 20 ms for each READ as a server far
away does, and counts them. The kernel knows nothing of the files at the start of each measurement.
"""

import contextlib
import mmap
import os
import struct
import subprocess
import sys
import time

from bench_mounts import timed, unmount

DELAY = 20_000  # microseconds
# Words of the file that remote_fs shares: see tests/support/remote_control.h.
WORDS, SIZE = "=6Q", 6 * 8 + 80


class Server:
    """A folder that is far away, mounted."""

    def __init__(self, remote_fs, target, mountpoint, control):
        with open(control, "wb") as file:
            file.write(struct.pack(WORDS, DELAY, 0, 0, 0, 0, 0).ljust(SIZE, b"\0"))
        with open(control, "r+b") as file:
            self.words = mmap.mmap(file.fileno(), SIZE)
        self.mountpoint = mountpoint
        # pylint: disable=consider-using-with
        self.process = subprocess.Popen([remote_fs, target, mountpoint, control])
        for _ in range(1000):
            if os.path.ismount(mountpoint):
                return
            time.sleep(0.01)
        sys.exit("scripts/bench: remote_fs does not mount")

    def counts(self):
        """READs and their bytes so far."""
        return struct.unpack_from(WORDS, self.words)[2:4]

    def close(self):
        unmount(self.mountpoint)
        self.process.wait()


class Network:
    """`mount(source, *options, daemon)` mounts; `daemons` are this one and an older one or None."""

    def __init__(self, table, folder, remote_fs, daemons, mountpoint, mount):
        self.table, self.remote_fs, self.daemons = table, remote_fs, [name for name in daemons if name]
        self.mountpoint, self.mount = mountpoint, mount
        self.far, self.control = os.path.join(folder, "far"), os.path.join(folder, "far-control")
        os.mkdir(self.far)

    @contextlib.contextmanager
    def server(self, database):
        server = Server(self.remote_fs, os.path.dirname(database), self.far, self.control)
        try:
            yield server, os.path.join(self.far, os.path.basename(database))
        finally:
            server.close()

    def add(self, games, what, is_ours, seconds, counts):
        name = f"far: {what}" + ("" if is_ours else ", the daemon before")
        reads, size = counts
        for unit, value in (("s", seconds), ("READs", reads), ("MB", size / 1e6)):
            self.table.sized_row(name if unit == "s" else f"{name}: {unit}", unit).add(games, value)

    def measure(self, database, games, runs, player, event):
        """`player` and `event`: files below the mount."""
        firsts = {
            "a player's file": ["cat", player],
            "`grep` of an event": ["grep", "-c", "Result", event],
            "table of moves after 1.e4 c5": ["cat", "tree/e4/c5/moves.txt"],
            "sizes of all games": ["stat", "all.pgn"],
        }
        for _ in range(runs):
            for daemon in self.daemons:
                is_ours = daemon == self.daemons[0]
                for what, (program, *words) in firsts.items():
                    words[-1] = os.path.join(self.mountpoint, words[-1])
                    with self.server(database) as (server, source):
                        before = server.counts()
                        with self.mount(source, "-o", "index=none,cache_dir=none", daemon=daemon) as seconds:
                            mounted = server.counts()
                            taken = timed(program, *words)
                            after = server.counts()
                    self.add(games, "mount", is_ours, seconds,
                             [new - old for new, old in zip(mounted, before)])
                    self.add(games, what, is_ours, taken, [new - old for new, old in zip(after, mounted)])
