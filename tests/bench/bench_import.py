"""How fast PGN becomes a database, in turn with Scid: the stage "import" of scripts/bench."""

import contextlib
import gzip
import lzma
import os
import shutil
import subprocess
import tempfile
import time

from bench_mounts import fields, timed

SCID_IMPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scid_import.tcl")
# How many times as fast as Scid, which uses one core.
ONE_CORE, ALL_CORES = 4, 8


def peak_memory(*command, env=None):
    """Megabytes that a command had at most, as seen shortly before its end. (What wait4() says may be the
    memory of this process.)"""
    peak = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env) as process:
        while process.poll() is None:
            with contextlib.suppress(OSError, KeyError):
                peak = int(fields(f"/proc/{process.pid}/status")["VmHWM"].split()[0]) / 1024
            time.sleep(0.002)
    return peak


class Import:
    """Rows for one PGN file. `scanner` is scan_pgn; `on_one_core` is a context in which programs have one
    core; `mount(source, cache)` one with a mount at `mountpoint`."""

    def __init__(self, table, program, scanner, tkscid, env, on_one_core, mount, mountpoint):
        self.table, self.program, self.scanner, self.tkscid, self.env = table, program, scanner, tkscid, env
        self.on_one_core, self.mount, self.mountpoint = on_one_core, mount, mountpoint

    def scid(self, pgn, folder):
        if not self.tkscid:
            return None
        with self.on_one_core():
            return timed(self.tkscid, SCID_IMPORT, pgn, os.path.join(folder, "scid"), env=self.env)

    def scan(self, pgn):
        """Finds games alone, against what touches every byte."""
        with self.on_one_core():
            lines = subprocess.run([self.scanner, pgn], check=True, capture_output=True, text=True).stdout
        games, counting = (float(line.split()[-1]) for line in lines.splitlines())
        self.table.row("finding the games of a PGN, one core", "GB/s", "counting its lines",
                       faster="more").add(games, counting)

    def packed(self, pgn, games, plain):
        """The same import from a compressed file."""
        for name, pack in (("gzip", gzip.open), ("xz", lzma.open)):
            with tempfile.TemporaryDirectory(dir=os.path.dirname(pgn)) as folder:
                path = os.path.join(folder, f"packed.pgn.{'gz' if name == 'gzip' else name}")
                with open(pgn, "rb") as text, pack(path, "wb") as out:
                    shutil.copyfileobj(text, out)
                seconds = timed(self.program, path, "-o", os.path.join(folder, "packed.si5"), allowed=(0, 3))
                self.table.row(f"PGN in {name} to `.si5`, {games:,} games, all cores", "s",
                               "the PGN itself").add(seconds, plain)

    def memory(self, pgn, games):
        with tempfile.TemporaryDirectory(dir=os.path.dirname(pgn)) as folder:
            ours = peak_memory(self.program, pgn, "-o", os.path.join(folder, "memory.si5"))
            scid = self.tkscid and peak_memory(self.tkscid, SCID_IMPORT, pgn, os.path.join(folder, "scid"),
                                               env=self.env)
            self.table.row(f"memory for importing PGN, {games:,} games", "MB",
                           "Scid's import to `.si4`").add(ours, scid)

    def mounts(self, pgn, games):
        """A mount of the PGN file until it tells the moves of the first position: the first mount ever, and
        the next one; against a mount of a database with these games."""
        with tempfile.TemporaryDirectory(dir=os.path.dirname(pgn)) as folder:
            base = os.path.join(folder, "base.si5")
            timed(self.program, pgn, "-o", base, allowed=(0, 3))
            seconds = {}
            for what, source, cache in (("base", base, "a"), ("first", pgn, "b"), ("next", pgn, "b")):
                begin = time.perf_counter()
                with self.mount(source, os.path.join(folder, cache)):
                    with open(os.path.join(self.mountpoint, "tree", "moves.tsv"), "rb") as moves:
                        moves.read()
                    seconds[what] = time.perf_counter() - begin
            for what in ("first", "next"):
                self.table.row(f"{what} mount of a PGN, {games:,} games, to the moves of its first position",
                               "s", "a mount of the `.si5` of these games").add(seconds[what], seconds["base"])

    def measure(self, pgn, database, games, runs):
        for _ in range(runs):
            self.scan(pgn)
            self.memory(pgn, games)
            self.mounts(pgn, games)
            with tempfile.TemporaryDirectory(dir=os.path.dirname(pgn)) as folder:
                scid = self.scid(pgn, folder)
                for what, core, goal in (("one core", self.on_one_core, ONE_CORE),
                                         ("all cores", contextlib.nullcontext, ALL_CORES)):
                    with core():
                        seconds = timed(self.program, pgn, "-o", os.path.join(folder, f"{goal}.si5"),
                                        allowed=(0, 3))
                    self.table.row(f"PGN to `.si5`, {games:,} games, {what}", "s",
                                   "Scid's import to `.si4`, one core", goal=goal).add(seconds, scid)
                self.packed(pgn, games, seconds)
                seconds = timed(self.program, database, "-o", os.path.join(folder, "copy.si5"))
                self.table.row(f"`.si4` to `.si5`, {games:,} games", "s",
                               "Scid's import of PGN to `.si4`, one core").add(seconds, scid)
