"""How fast PGN becomes a database, in turn with Scid: the stage "import" of scripts/bench."""

import contextlib
import os
import tempfile

from bench_mounts import timed

SCID_IMPORT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scid_import.tcl")
# How many times as fast as Scid, which uses one core.
ONE_CORE, ALL_CORES = 4, 8


class Import:
    """Rows for one PGN file. `on_one_core` is a context in which programs have one core."""

    def __init__(self, table, program, tkscid, env, on_one_core):
        self.table, self.program, self.tkscid, self.env = table, program, tkscid, env
        self.on_one_core = on_one_core

    def scid(self, pgn, folder):
        if not self.tkscid:
            return None
        with self.on_one_core():
            return timed(self.tkscid, SCID_IMPORT, pgn, os.path.join(folder, "scid"), env=self.env)

    def measure(self, pgn, database, games, runs):
        for _ in range(runs):
            with tempfile.TemporaryDirectory(dir=os.path.dirname(pgn)) as folder:
                scid = self.scid(pgn, folder)
                for what, core, goal in (("one core", self.on_one_core, ONE_CORE),
                                         ("all cores", contextlib.nullcontext, ALL_CORES)):
                    with core():
                        seconds = timed(self.program, pgn, "-o", os.path.join(folder, f"{goal}.si5"),
                                        allowed=(0, 3))
                    self.table.row(f"PGN to `.si5`, {games:,} games, {what}", "s",
                                   "Scid's import to `.si4`, one core", goal=goal).add(seconds, scid)
                seconds = timed(self.program, database, "-o", os.path.join(folder, "copy.si5"))
                self.table.row(f"`.si4` to `.si5`, {games:,} games", "s",
                               "Scid's import of PGN to `.si4`, one core").add(seconds, scid)
