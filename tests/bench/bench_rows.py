"""How fast programs get rows and parts of one mounted database: the stage `rows` of scripts/bench."""

import os

from bench_mounts import cpu_seconds, processes, timed

PARTS = 64


class Rows:
    """`mount(cache)` mounts the database at `mountpoint`; `extract` is pgn-extract, or None."""

    def __init__(self, table, mountpoint, daemon, mount, extract, env):
        self.table, self.mountpoint, self.daemon = table, mountpoint, daemon
        self.mount, self.extract, self.env = mount, extract, env

    def cat(self, *names):
        """Seconds, and seconds of the daemon's processor, for reading files of a new mount once."""
        [pid] = processes(self.daemon, self.mountpoint)
        used = cpu_seconds(pid)
        seconds = timed("cat", *(os.path.join(self.mountpoint, name) for name in names))
        return seconds, max(cpu_seconds(pid) - used, 1 / os.sysconf("SC_CLK_TCK"))

    def measure(self, games, pgn, cache, runs):
        """`pgn` has the same games; `cache` knows the sizes."""
        row = self.table.row
        rate = row("first `cat plies.tsv`", "games/s", "pgn-extract, FEN after each move", faster="more")
        bytes_ = row("`cat plies.tsv` by the daemon's processor, its size known", "MB/s", "the goal of 400 MB/s", goal=1,
                     faster="more")
        moves = row("first `cat games.uci`", "games/s", "pgn-extract, -Wuci", faster="more")
        parts = row(f"`plies.tsv` of {PARTS} parts: the daemon's processor", "s", "of the whole", goal=1 / 1.05)
        in_parts = [f"parts/{PARTS}/{part}/plies.tsv" for part in range(1, PARTS + 1)]
        for _ in range(runs):
            with self.mount(cache):
                seconds, whole = self.cat("plies.tsv")
            rate.add(games / seconds, self.peer(games, "--fencomments", pgn))
            with self.mount(cache):
                size = os.path.getsize(os.path.join(self.mountpoint, "plies.tsv"))
                bytes_.add(size / self.cat("plies.tsv")[1] / 1e6, 400)
            with self.mount(cache):
                seconds, _ = self.cat("games.uci")
            moves.add(games / seconds, self.peer(games, "-Wuci", pgn))
            with self.mount(cache):
                _, divided = self.cat(*in_parts)
            parts.add(divided, whole)

    def peer(self, games, how, pgn):
        return games / timed(self.extract, "-s", how, pgn, env=self.env) if self.extract else None
