"""How long doubles are looked for, and how fast databases are joined without them: the stage "doubles" of
scripts/bench."""

import os
import time

from bench_mounts import cpu_seconds, processes, resident
from bench_sets import read

NOTE = ("Doubles: of games that all differ, half of them with the players, dates and results of others; "
        "timed by a stat of doubles.tsv, whose size is that of what was found.")


class Doubles:
    """Rows for one database. `mount` mounts it; `runs` are made, each with a mount of its own."""

    def __init__(self, table, mountpoint, daemon, mount):
        self.table, self.mountpoint, self.daemon, self.mount = table, mountpoint, daemon, mount

    def measure(self, games, runs):
        row = self.table.sized_row
        path = os.path.join(self.mountpoint, "doubles", "doubles.tsv")
        if NOTE not in self.table.notes:
            self.table.notes.append(NOTE)
        for run in range(runs):
            with self.mount():
                [daemon] = processes(self.daemon, self.mountpoint)
                before = resident(daemon)
                start = time.perf_counter()
                os.stat(path)
                row("first stat of `doubles/doubles.tsv`", "s", {10_000_000: 30}).add(
                    games, time.perf_counter() - start)
                row("growth of the daemon by that", "MB").add(games, max(0, resident(daemon) - before) / 1e6)
                with open(path, "rb") as file:
                    found = sum(1 for _ in file) - 1
            if run == 0:
                self.table.notes.append(f"{games:,} games: {found:,} of them have doubles.")


class Joined:
    """Rows for a folder with two databases of so many games each, which are the same games. `mount` mounts
    it; with an argument, as if for the first time."""

    def __init__(self, table, mountpoint, daemon, mount):
        self.table, self.mountpoint, self.daemon, self.mount = table, mountpoint, daemon, mount

    def measure(self, games, runs):
        unique = "`cat together/doubles/unique/games.pgn` of two equal databases"
        for _ in range(runs):
            self.join(games, f"{unique}, ready", {1_000_000: 4}, "doubles/unique/games.pgn")
            self.join(games, "`cat together/all.pgn` of them, ready", {}, "all.pgn")
            self.join(games, f"{unique}, mounted for the first time", {1_000_000: 8},
                      "doubles/unique/games.pgn", True)
            self.join(games, "`cat together/all.pgn` of them, mounted for the first time", {}, "all.pgn", True)

    def join(self, games, what, limits, file, *is_first):
        """From the mount if it is the first, else from the ready mount, to the last byte."""
        start = time.perf_counter()
        with self.mount(*is_first):
            [daemon] = processes(self.daemon, self.mountpoint)
            used = 0 if is_first else cpu_seconds(daemon)
            start = start if is_first else time.perf_counter()
            read(os.path.join(self.mountpoint, "together", file))
            self.table.sized_row(what, "s", limits).add(games, time.perf_counter() - start)
            self.table.sized_row(f"CPU of the daemon by that: {what}", "s").add(games, cpu_seconds(daemon) - used)
