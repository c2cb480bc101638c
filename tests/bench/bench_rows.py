"""How fast programs get rows and parts of one mounted database: the stage `rows` of scripts/bench."""

import os
import shutil
import subprocess
import sys
import tempfile

from bench_mounts import cpu_seconds, processes, timed

PARTS = 64
CHESS_JS = "chess.js@1.4.0"
DUCKDB = "@duckdb/node-api"
DATA_CHECK = os.path.join(os.path.dirname(os.path.dirname(__file__)), "install", "data_check.mjs")


class Script:
    """A script that has chess.js write columns of plies.tsv, for the first games of a PGN file."""

    GAMES = 1000
    COLUMNS = 5

    def __init__(self, folder, pgn):
        self.games, self.env = 0, dict(os.environ, NODE_PATH=os.path.join(folder, "node_modules"))
        first = os.path.join(folder, "first.pgn")
        with open(pgn, encoding="utf-8") as lines, open(first, "w", encoding="utf-8") as out:
            for line in lines:
                if line.startswith("[Event "):
                    if self.games == self.GAMES:
                        break
                    self.games += 1
                out.write(line)
        self.command = ("node", os.path.join(os.path.dirname(__file__), "rows_by_chess_js.js"), first)
        npm = ("npm", "install", "--prefix", folder, "--silent", "--no-audit", "--no-fund", "--ignore-scripts", CHESS_JS)
        self.is_there = (shutil.which("node") is not None and shutil.which("npm") is not None
                         and subprocess.run(npm, check=False, stdout=subprocess.DEVNULL).returncode == 0)

    def rate(self):
        return self.games / timed(*self.command, env=self.env) if self.is_there else None

    def compare(self, table):
        """Ends the run if the rows in `table` are others. Numbers of games count deleted ones only there."""
        if not self.is_there:
            return
        text = subprocess.run(self.command, env=self.env, check=True, capture_output=True, encoding="utf-8").stdout
        theirs = [row.split("\t") for row in text.splitlines()]
        readable, games, ours = {row[0] for row in theirs}, 0, []
        with open(table, encoding="utf-8") as rows:
            next(rows)
            for row in rows:
                fields = row.split("\t")[1:self.COLUMNS]
                games += fields[0] == "0"
                if games > self.games:
                    break
                if str(games) in readable:
                    ours.append([str(games), *fields])
        if ours != theirs:
            sys.exit(f"scripts/bench: {table} has not the rows that {CHESS_JS} writes")


class Arrays:
    """The rows of columns and arrays; `duckdb` is a folder with DuckDB for Node.js, or None."""

    def __init__(self, row):
        self.moves = row("first `cat moves.npy`", "games/s", "the goal of 1 million in 1.5 s", goal=1, faster="more")
        self.boards = row("first `cat boards.npy`", "positions/s", "the goal of 5 million/s", goal=1, faster="more")
        self.columns = row("`cat games.parquet` by the daemon's processor, its size known", "MB/s",
                           "the goal of 400 MB/s", goal=1, faster="more")
        self.question = row("DuckDB's first `GROUP BY eco` over `games.parquet`", "games/s",
                            "the goal of 1 million in 0.5 s", goal=1, faster="more")
        self.bytes = row("`plies.parquet`", "MB", "`plies.tsv`", goal=3)
        folder = tempfile.mkdtemp()
        npm = ("npm", "install", "--prefix", folder, "--silent", "--no-audit", "--no-fund", DUCKDB)
        is_there = (shutil.which("node") is not None and shutil.which("npm") is not None
                    and subprocess.run(npm, check=False, stdout=subprocess.DEVNULL).returncode == 0)
        self.duckdb = folder if is_there else None


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
        by_script = row("the same", "games/s", f"a script for Node.js with {CHESS_JS}", goal=30, faster="more")
        bytes_ = row("`cat plies.tsv` by the daemon's processor, its size known", "MB/s", "the goal of 400 MB/s", goal=1,
                     faster="more")
        moves = row("first `cat games.uci`", "games/s", "pgn-extract, -Wuci", faster="more")
        parts = row(f"`plies.tsv` of {PARTS} parts: the daemon's processor", "s", "of the whole", goal=1 / 1.05)
        arrays = Arrays(row)
        folder = tempfile.mkdtemp(dir=os.path.dirname(pgn))
        script = Script(folder, pgn)
        with self.mount(cache):
            script.compare(os.path.join(self.mountpoint, "plies.tsv"))
        in_parts = [f"parts/{PARTS}/{part}/plies.tsv" for part in range(1, PARTS + 1)]
        for _ in range(runs):
            with self.mount(cache):
                seconds, whole = self.cat("plies.tsv")
            rate.add(games / seconds, self.peer(games, "--fencomments", pgn))
            by_script.add(games / seconds, script.rate())
            with self.mount(cache):
                size = os.path.getsize(os.path.join(self.mountpoint, "plies.tsv"))
                bytes_.add(size / self.cat("plies.tsv")[1] / 1e6, 400)
            with self.mount(cache):
                seconds, _ = self.cat("games.uci")
            moves.add(games / seconds, self.peer(games, "-Wuci", pgn))
            with self.mount(cache):
                _, divided = self.cat(*in_parts)
            parts.add(divided, whole)
            self.measure_arrays(arrays, games, cache)
        shutil.rmtree(folder)
        if arrays.duckdb is not None:
            shutil.rmtree(arrays.duckdb)

    def measure_arrays(self, arrays, games, cache):
        with self.mount(cache):
            arrays.moves.add(games / self.cat("moves.npy")[0], 1e6 / 1.5)
        with self.mount(cache):
            seconds, _ = self.cat("boards.npy")
            positions = os.path.getsize(os.path.join(self.mountpoint, "boards.npy")) / 64
            arrays.boards.add(positions / seconds, 5e6)
        with self.mount(cache):
            table, plies, text = (os.path.getsize(os.path.join(self.mountpoint, name))
                                  for name in ("games.parquet", "plies.parquet", "plies.tsv"))
            arrays.bytes.add(plies / 1e6, text / 1e6)
            arrays.columns.add(table / self.cat("games.parquet")[1] / 1e6, 400)
        if arrays.duckdb is not None:
            with self.mount(cache):
                sql = os.path.join(arrays.duckdb, "question.sql")
                with open(sql, "w", encoding="utf-8") as out:
                    out.write(f"SELECT eco, count(*), avg(white_elo) FROM '{self.mountpoint}/games.parquet' GROUP BY eco")
                arrays.question.add(games / timed("node", DATA_CHECK, arrays.duckdb, "ask", sql, env=self.env), 2e6)

    def peer(self, games, how, pgn):
        return games / timed(self.extract, "-s", how, pgn, env=self.env) if self.extract else None
