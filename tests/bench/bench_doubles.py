"""How long doubles are looked for among games that all differ: the stage "doubles" of scripts/bench."""

import os
import time

from bench_mounts import processes, resident

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
