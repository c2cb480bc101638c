"""How fast book.bin is made, in turn with Polyglot: of the stage "positions" of scripts/bench."""

import os
import shutil
import subprocess
import tempfile
import time

from bench_sets import read

# Of more games Polyglot takes gigabytes of memory, and long.
MOST_OF_POLYGLOT = 200_000


def seconds_of_polyglot(polyglot, games, env):
    """Seconds that Polyglot takes for a file of games; nothing without it, or if it cannot read them."""
    if not polyglot:
        return None
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done = subprocess.run([polyglot, "make-book", "-pgn", games, "-bin", os.path.join(folder, "book.bin")],
                              check=False, stdout=subprocess.DEVNULL, env=env)
        return time.perf_counter() - start if done.returncode == 0 else None


def measure(table, mountpoint, mount, games, runs, polyglot, env):
    """`mount` mounts the database, for one run each."""
    with tempfile.TemporaryDirectory() as folder:
        plain = os.path.join(folder, "all.pgn")
        for _ in range(runs):
            with mount():
                seconds = read(os.path.join(mountpoint, "book.bin"))[0]
            with mount():
                whole = read(os.path.join(mountpoint, "all.pgn"))[0]
            what = "`book.bin` of all games"
            table.sized_row(what, "s").add(games, seconds)
            table.row(f"{what}, {games:,} games", "s", "its `all.pgn` of another mount").add(seconds, whole)
            if games > MOST_OF_POLYGLOT:
                continue
            if not os.path.exists(plain):
                with mount():
                    shutil.copyfile(os.path.join(mountpoint, "all.pgn"), plain)
            table.row(f"{what}, {games:,} games", "s", "`polyglot make-book`, of `all.pgn` on disk", goal=10).add(
                seconds, seconds_of_polyglot(polyglot, plain, env))
