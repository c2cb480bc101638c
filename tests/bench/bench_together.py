"""How fast several databases answer as one: the stage "together" of scripts/bench."""

import contextlib
import os
import tempfile
import time

from bench_mounts import cpu_seconds, first_byte, processes, resident, timed
from bench_positions import NOBODY, OPENING, position_path, seconds_of_stat
from bench_sets import read, read_games, three_facets

PARTS = 3
# Three databases may take this much longer than one.
GOAL = 1 / 1.15
# How long a change of a small database may stay unseen, and what it may cost, in seconds.
PATIENCE = 30
LIMIT = 0.5
ENDS = (".si4", ".sg4", ".sn4")
# What programs that walk whole trees walk, of so many databases together.
COPIES = 10
WALKED = ("players", "events", "eco")
WALKS = ("ls -lR", "rg -uuc zzz")

NOTE = ("Together: three databases of a folder against one of as many games; both are mounted with all sizes "
        "known, and asked for the same things in turns.")


def copy(source, target):
    """Puts a database into place as programs do that save: whole files, by their names."""
    for end in ENDS:
        with open(os.path.splitext(source)[0] + end, "rb") as file:
            content = file.read()
        with open(target + end + ".new", "wb") as file:
            file.write(content)
    for end in ENDS:
        os.rename(target + end + ".new", target + end)


def fill(folder, database, games, multiply):
    """Makes one database in a folder and three in another, of as many games together. Returns the folders;
    nothing if there is no room. `multiply` makes a database of that many games in a folder."""
    folders = [os.path.join(folder, name) for name in ("one", "three")]
    for each in folders:
        os.mkdir(each)
    if multiply(database, games, folders[0]) is None:
        return None
    for part in range(PARTS):
        made = multiply(database, games // PARTS, folders[1])
        if made is None:
            return None
        for end in ENDS:
            os.rename(os.path.splitext(made)[0] + end, os.path.join(folders[1], f"part{part}{end}"))
    return folders


class Together:
    """Rows for the folders of fill(). `mount` is called with a folder and mounts it."""

    def __init__(self, table, mountpoint, daemon, mount):
        self.table, self.mountpoint, self.daemon, self.mount = table, mountpoint, daemon, mount

    def measure(self, folders, games, runs, player, small):
        """`player` is the path of a player's file in a database; `small` are two small databases."""
        if NOTE not in self.table.notes:
            self.table.notes.append(NOTE)
        one = [name for name in os.listdir(folders[0]) if name.endswith(".si4")]
        roots = [os.path.join(self.mountpoint, name) for name in (*one, "together")]
        with self.mount(folders[0]):
            sampled = read_games(os.path.join(roots[0], "index.tsv"))
        facets = three_facets(sampled, games / len(sampled), runs)
        for run in range(runs):
            answers = [self.ask(folder, root, player, facets[run % len(facets)].path)
                       for folder, root in zip(folders, roots)]
            for (what, whole), (_, parts) in zip(*answers):
                self.table.row(f"{what}, three databases, {games:,} games in all", "ms",
                               "one database of as many", goal=GOAL).add(parts * 1e3, whole * 1e3)
        self.measure_memory(folders[1], roots[1], games)
        for _ in range(runs):
            self.measure_change(folders[1], roots[1], games, player, small)
            self.measure_walks(small[1])

    def ask(self, folder, root, player, facets):
        """What was asked, and the seconds that it took."""
        with self.mount(folder) as mounting:
            asked = [("mount to first `ls -l`", mounting + timed("ls", "-l", root)),
                     ("first byte of a player's file", first_byte(os.path.join(root, player))),
                     ("three facets, `index.tsv` of about 1,000 games",
                      read(os.path.join(root, facets, "index.tsv"))[0])]
            seconds_of_stat(os.path.join(root, position_path(NOBODY), "games.pgn"))
            for what, name in (("a position's games", "games.pgn"), ("its table of moves", "moves.tsv")):
                asked.append((what, seconds_of_stat(os.path.join(root, position_path(OPENING), name))[0]))
            return asked

    def measure_walks(self, database):
        """Walks what the databases of a folder have together, and then each of them."""
        with tempfile.TemporaryDirectory(prefix="scidfs-bench-") as folder:
            names = [f"copy{number}" for number in range(COPIES)]
            for name in names:
                copy(database, os.path.join(folder, name))
            for walk in WALKS:
                with self.mount(folder):
                    seconds = []
                    for roots in (["together"], [name + ENDS[0] for name in names]):
                        walked = [os.path.join(self.mountpoint, root, part) for root in roots for part in WALKED]
                        seconds.append(timed(*walk.split(), *walked, allowed=(0, 1)))
                self.table.row(f"`{walk}` over {len(WALKED)} directories of together/, {COPIES} databases", "ms",
                               "over those of the databases").add(*(1e3 * each for each in seconds))

    def measure_memory(self, folder, root, games):
        """What the players of all databases take, besides those of each."""
        with self.mount(folder):
            [daemon] = processes(self.daemon, self.mountpoint)
            for part in range(PARTS):
                os.listdir(os.path.join(self.mountpoint, f"part{part}.si4", "players"))
            before = resident(daemon)
            os.listdir(os.path.join(root, "players"))
            self.table.sized_row("growth of the daemon by names in common, three databases", "bytes/game").add(
                games, max(0, resident(daemon) - before) / games)

    def measure_change(self, folder, root, games, player, small):
        """A small database is replaced beside the large ones."""
        target = os.path.join(folder, "small")
        copy(small[0], target)
        path = os.path.join(root, player)
        with self.mount(folder), contextlib.ExitStack() as stack:
            for end in ENDS:
                stack.callback(os.remove, target + end)
            [daemon] = processes(self.daemon, self.mountpoint)
            first_byte(path)
            size = os.stat(os.path.join(root, "all.pgn")).st_size
            before = cpu_seconds(daemon)
            copy(small[1], target)
            start = time.perf_counter()
            while os.stat(os.path.join(root, "all.pgn")).st_size == size:
                if time.perf_counter() - start > PATIENCE:
                    self.table.notes.append(f"{games:,} games: a change was not seen in {PATIENCE} s.")
                    return
            seconds = time.perf_counter() - start
            first_byte(path)
            row = self.table.sized_row
            row("a small database changes beside large ones: until it is seen", "s").add(games, seconds)
            row("a small database changes beside large ones: work, and first byte of a player's file", "s",
                {10_000_000: LIMIT}).add(games, cpu_seconds(daemon) - before)
