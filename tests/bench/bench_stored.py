"""What the files of the cache folder answer, and what they cost: in the stage "positions" of scripts/bench."""

import contextlib
import itertools
import os
import random
import subprocess
import tempfile
import time

import bench_pages
from bench_mounts import private_memory, processes, timed
from bench_positions import NOBODY, position_path, seconds_of_stat
from bench_sets import read

# The positions file (fs/database/stored_positions.h): its plies; positions that it is asked for; how long its making
# may take.
PLIES, POSITIONS, MOST_SECONDS = 24, 300, 600
# Positions that many clients ask for, all different; fewer with --quick.
LOAD, FEW_LOAD = 10_000, 500
# Readers of the mount, connections to the server; questions a second at a fixed rate, and readers for these.
READERS, CONNECTIONS, RATE, HTTP_RATE, PATIENT = 8, 16, 500, 200, 32
# The player whose tree is read has about so many games.
PLAYER_GAMES, PLAYER_PLIES = 2750, 6

NOTE = ("Stored positions: the games are copies with moves of their own from a random ply on (`multiply ... distinct`); "
        "each position is one of a random game to its 24th ply, asked for as a whole FEN, and by nobody before. At a "
        "fixed rate the time counts from when a question was due.")


class Stored:
    """Rows for one database. `mount` is called with `index_cache` and mounts it, `files` returns its positions files and
    index files; `load` is the program that asks."""

    def __init__(self, table, mountpoint, daemon, mount, load):
        self.table, self.mountpoint, self.daemon, self.mount, self.load = table, mountpoint, daemon, mount, load

    def within(self, *names):
        return os.path.join(self.mountpoint, *names)

    def new_positions(self, games, seed, count):
        dice, positions = random.Random(seed), []
        while len(positions) < count:
            path = self.within("fens", f"{dice.randrange(games) + 1}.epd")
            with contextlib.suppress(FileNotFoundError), open(path, encoding="ascii", errors="replace") as file:
                positions.append(dice.choice(list(itertools.islice(file, PLIES + 1))).split(" ", 4)[:4])
        return ["positions/" + "_".join(fields).replace("/", "-") for fields in positions]

    def measure(self, games, files, names, is_quick):
        """`names`: their number and bytes. Returns positions that many clients can ask for."""
        if NOTE not in self.table.notes:
            self.table.notes.append(NOTE)
        paths, crowd = self.make(games, files, names, is_quick)
        self.measure_memory(games, names)
        self.measure_tables(games, paths)
        self.measure_load(games, crowd)
        self.measure_http(games, crowd)
        self.measure_trees(games)
        return crowd

    def make(self, games, files, names, is_quick):
        row = self.table.sized_row
        with self.mount(one_core=False, index_cache="8G"):
            paths = self.new_positions(games, 6, POSITIONS)
            crowd = self.new_positions(games, 7, FEW_LOAD if is_quick else LOAD)
            start = time.monotonic()
            while not files("positions"):
                if time.monotonic() - start > MOST_SECONDS:
                    raise RuntimeError("no positions file was made")
                time.sleep(0.2)
            row("making the positions file, after the other files", "s", {10_000_000: 60}).add(
                games, time.monotonic() - start)
        sizes = {kind: os.path.getsize(files(kind)[0]) for kind in ("positions", "index")}
        row("bytes of it for a game", "", {10_000_000: 32}).add(games, sizes["positions"] / games)
        # Where each name begins takes 8 bytes.
        number, letters = names
        row("bytes of both files for a game, names apart", "", {10_000_000: 90}).add(
            games, (sum(sizes.values()) - letters - 8 * number) / games)
        return paths, crowd

    def measure_memory(self, games, names):
        """Private memory after `ls -l`, of one process and of a second one beside it."""
        number, letters = names
        with tempfile.TemporaryDirectory(prefix="scidfs-bench-") as other, \
                self.mount(one_core=False, index_cache="8G"), \
                self.mount(one_core=False, index_cache="8G", mountpoint=other):
            for which, top in (("the", self.mountpoint), ("a second", other)):
                timed("ls", "-l", top)
                [daemon] = processes(self.daemon, top)
                self.table.sized_row(f"private memory of {which} process after `ls -l`, with names", "bytes/game").add(
                    games, private_memory(daemon) / games)
                self.table.sized_row(f"the same of {which} process, names apart", "bytes/game", {10_000_000: 4}).add(
                    games, max(0, private_memory(daemon) - letters - 8 * number) / games)

    def measure_tables(self, games, paths):
        for what, index_cache, goal in (("with", "8G", 2), ("without", "0", None)):
            with self.mount(one_core=False, index_cache=index_cache):
                seconds_of_stat(self.within(position_path(NOBODY), "games.pgn"))
                seconds = sorted(read(self.within(path, "moves.tsv"))[0] for path in paths)
            for name, place in (("median", len(seconds) // 2), ("99 %", len(seconds) * 99 // 100)):
                self.table.sized_row(f"table of moves of a new position, whole FEN, {what} the files, {name}", "ms",
                                     {10_000_000: goal} if goal else {}).add(games, seconds[place] * 1e3)

    def asked(self, base, paths, name, readers, rate):
        """Answers a second, median and 99 % in ms."""
        output = subprocess.run([self.load, base, str(readers), str(rate)], check=True, stdout=subprocess.PIPE,
                                input="".join(f"{path}/{name}\n" for path in paths).encode()).stdout
        return [float(word) for word in output.split()]

    def measure_load(self, games, crowd):
        row = self.table.sized_row
        with self.mount(one_core=False, index_cache="8G"):
            answers, _, _ = self.asked(self.mountpoint, crowd, "moves.tsv", READERS, 0)
            row(f"`moves.tsv` of new positions, {READERS} readers as fast as they can", "/s", {10_000_000: 2000},
                faster="more").add(games, answers)
        with self.mount(one_core=False, index_cache="8G"):
            _, _, slow = self.asked(self.mountpoint, crowd, "moves.tsv", PATIENT, RATE)
            row(f"the same, asked {RATE} times a second, 99 %", "ms", {10_000_000: 5}).add(games, slow)

    def measure_http(self, games, crowd):
        row = self.table.sized_row
        for place, rate in enumerate((0, HTTP_RATE)):
            asked = crowd[place::2]  # new ones
            with tempfile.TemporaryDirectory(prefix="scidfs-bench-") as folder, \
                    bench_pages.server(folder, self.mountpoint) as (how, _, base), \
                    self.mount(one_core=False, index_cache="8G"):
                answers, _, slow = self.asked(base, asked, "explorer.json", CONNECTIONS, rate)
            if rate == 0:
                row(f"`explorer.json` of new positions {how}, {CONNECTIONS} connections as fast as they can", "/s",
                    {10_000_000: 500}, faster="more").add(games, answers)
            else:
                row(f"the same, asked {rate} times a second, 99 %", "ms", {10_000_000: 10}).add(games, slow)

    def measure_trees(self, games):
        player = None
        for what, index_cache in (("with", "8G"), ("without", "0")):
            with self.mount(one_core=False, index_cache=index_cache):
                player = player or bench_pages.player_with(self.mountpoint, PLAYER_GAMES)[0]
                tree = self.within(player, "tree")
                seconds = timed("find", tree, "-maxdepth", str(PLAYER_PLIES), "-name", "moves.tsv")
                self.table.sized_row(f"tree of a player with about {PLAYER_GAMES:,} games, {PLAYER_PLIES} plies, {what} "
                                     "the files", "ms").add(games, seconds * 1e3)
            with self.mount(one_core=False, index_cache=index_cache):
                self.table.sized_row(f"first `ls -lR tree`, {what} the files", "s",
                                     {10_000_000: 0.3} if index_cache != "0" else {}).add(
                    games, timed("ls", "-lR", self.within("tree")))
            with self.mount(one_core=False, index_cache=index_cache):
                self.table.sized_row(f"first `lines.pgn`, {what} the files", "s").add(
                    games, read(self.within("lines.pgn"))[0])
