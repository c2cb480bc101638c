"""What scidfs-get takes without a mount: the stage "get" of scripts/bench."""

import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time

from bench_mounts import private_memory, timed
from bench_pages import player_with
from bench_positions import OPENING, position_path

MEMORY = "/dev/shm"  # where copies go
# Answers of each kind that are asked for, each by a process of its own.
ASKED, FEW_ASKED = 50, 5
PLAYER_GAMES = 2750

NOTE = ("scidfs-get: times are of whole processes, which find sizes and, of 10,000 games and more, the index file in the "
        "cache folder.")


class Get:
    """Rows for one database. `mount` mounts it with options; `program` is scidfs-get, and `cache` the folder that both
    use."""

    def __init__(self, table, program, cache, mountpoint, mount):
        self.table, self.program, self.cache, self.mountpoint, self.mount = table, program, cache, mountpoint, mount
        self.env = dict(os.environ, XDG_CACHE_HOME=cache)
        if NOTE not in table.notes:
            table.notes.append(NOTE)

    def seconds(self, *words):
        return timed(self.program, *words, env=self.env)

    def measure_whole(self, database, runs):
        """All games, in turn with programs that read a mount."""
        for _ in range(runs):
            ours = self.seconds("cat", database, "all.pgn")
            with self.mount():
                theirs = timed("cat", os.path.join(self.mountpoint, "all.pgn"))
            self.table.row("`scidfs-get cat` of `all.pgn`, sizes known", "s", "`cat` through a mount", goal=0.91).add(
                ours, theirs)
            copies = tempfile.mkdtemp(prefix="scidfs-bench-", dir=MEMORY)
            ours = self.seconds("cp", "-r", database, "games", os.path.join(copies, "ours"))
            with self.mount():
                theirs = timed("cp", "-r", os.path.join(self.mountpoint, "games"), os.path.join(copies, "theirs"))
            shutil.rmtree(copies)
            self.table.row("`scidfs-get cp -r games`", "s", "`cp -r` through a mount", goal=1).add(ours, theirs)

    def paths(self, games, is_quick):
        """Answers that need a few games each."""
        dice, count = random.Random(8), FEW_ASKED if is_quick else ASKED
        player, _ = player_with(self.mountpoint, PLAYER_GAMES)
        numbers = [dice.randrange(games) + 1 for _ in range(count)]
        return {"one game": [f"games/{number}.pgn" for number in numbers],
                "`moves.tsv` of 1.e4 c5": [f"{position_path(OPENING)}/moves.tsv"] * count,
                "`summary.txt` of a player": [f"{player}/summary.txt"] * count}

    def measure_answers(self, database, games, files, is_quick):
        """`files` returns the positions files of the cache folder, which a mount makes."""
        with self.mount():
            paths = self.paths(games, is_quick)
            for _ in range(6000):
                if files("positions") and files("index"):
                    break
                time.sleep(0.1)
        for what, asked in paths.items():
            seconds = [self.seconds("cat", database, path) for path in asked]
            self.table.sized_row(f"`scidfs-get cat` of {what}, median", "ms", {10_000_000: 50}).add(
                games, statistics.median(seconds) * 1e3)
        self.table.sized_row("`scidfs-get ls -l` of the database", "ms").add(
            games, self.seconds("ls", "-l", database) * 1e3)
        most = 0
        with subprocess.Popen([self.program, "cat", database, "all.pgn"], stdout=subprocess.DEVNULL,
                              env=self.env) as process:
            while process.poll() is None:
                try:
                    most = max(most, private_memory(process.pid))
                except (OSError, KeyError):
                    break  # it has ended
                time.sleep(0.05)
        self.table.sized_row("private memory of `scidfs-get cat all.pgn`", "MB", {10_000_000: 200}).add(
            games, most / 1e6)
