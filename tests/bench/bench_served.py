"""What scidfs-serve takes: in the stages "positions" and "get" of scripts/bench."""

import contextlib
import os
import random
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
import urllib.request

import bench_pages
from bench_mounts import private_memory, timed

CONNECTIONS, RATE, PATIENT = 16, 200, 32
PAGES, FEW_PAGES = 20_000, 1000
FILES, FEW_FILES = 10_000, 1000
IDLE = 2000
# Clients that ask for what takes long, while another one reads games at this rate.
HEAVY, READ_RATE, READS = 50, 100, 1000


def settled_memory(process):
    """Private memory when the data files have been read, which happens beside the first answers."""
    before = -1
    while before != (before := private_memory(process)):
        time.sleep(1)
    return before


class Served:
    """Rows for one database. `program` is scidfs-serve, and `cache` the folder that it uses; `load` asks."""

    def __init__(self, table, program, cache, load):
        self.table, self.program, self.load = table, program, load
        self.env = dict(os.environ, XDG_CACHE_HOME=cache)

    @contextlib.contextmanager
    def server(self, database):
        """Gives the address, without a slash at its end, and the process."""
        with subprocess.Popen([self.program, "--listen", "127.0.0.1:0", "-o", "index_cache=8G", database],
                              stdout=subprocess.PIPE, env=self.env) as process:
            url = process.stdout.readline().decode().strip().rstrip("/").replace("localhost", "127.0.0.1")
            try:
                yield url, process.pid
            finally:
                process.terminate()

    def asked(self, url, paths, readers, rate):
        """Answers a second, median and 99 % in ms."""
        output = subprocess.run([self.load, url, str(readers), str(rate)], check=True, stdout=subprocess.PIPE,
                                input="".join(f"{path}\n" for path in paths).encode()).stdout
        return [float(word) for word in output.split()]

    @staticmethod
    def explorer_paths(crowd):
        for path in crowd:
            board, *fields = path.removeprefix("positions/").split("_")
            fen = " ".join([board.replace("-", "/"), *fields, "0", "1"])
            yield "/masters?fen=" + urllib.parse.quote(fen)

    def measure_crowd(self, database, games, crowd, is_quick):
        """`crowd`: positions (bench_stored.py). The files of the cache folder are there."""
        row, paths = self.table.sized_row, list(self.explorer_paths(crowd))
        start = time.monotonic()
        with self.server(database) as (url, _):
            urllib.request.urlopen(f"{url}/healthz").read()
            row("`scidfs-serve` to its first answer", "ms", {10_000_000: 100}).add(
                games, (time.monotonic() - start) * 1e3)
            answers, _, _ = self.asked(url, paths[::2], CONNECTIONS, 0)
            row(f"`/masters` of new positions, {CONNECTIONS} connections as fast as they can", "/s",
                {10_000_000: 500}, faster="more").add(games, answers)
            dice, count = random.Random(9), FEW_PAGES if is_quick else PAGES
            pages = [f"/games/{dice.randrange(games) + 1}.html" for _ in range(count)]
            answers, _, _ = self.asked(url, pages, CONNECTIONS, 0)
            row("page of a game, new each time", "/s", {10_000_000: 5000}, faster="more").add(games, answers)
        with self.server(database) as (url, _):
            _, _, slow = self.asked(url, paths[1::2], PATIENT, RATE)
            row(f"`/masters` of new positions, asked {RATE} times a second, 99 %", "ms", {10_000_000: 10}).add(
                games, slow)

    def measure_whole(self, database, mountpoint, mount, runs, is_quick):
        """Against nginx over a mount, and a mount; sizes are known."""
        count = FEW_FILES if is_quick else FILES
        files = [f"games/{number}.pgn" for number in range(1, count + 1)]
        for _ in range(runs):
            with tempfile.TemporaryDirectory(prefix="scidfs-bench-") as folder, \
                    bench_pages.server(folder, mountpoint) as (how, _, base), mount():
                self.asked(base, files, 1, 0)
                theirs, _, _ = self.asked(base, files, 1, 0)
            with self.server(database) as (url, _):
                urllib.request.urlopen(f"{url}/healthz").read()
                ours, _, _ = self.asked(f"{url}/", files, 1, 0)
                self.table.row(f"{count:,} games by `scidfs-serve`, one connection", "games/s",
                               f"the second time {how}", faster="more", goal=1).add(ours, theirs)
            with mount():
                theirs = timed("cat", os.path.join(mountpoint, "all.pgn"))
            with self.server(database) as (url, _):
                urllib.request.urlopen(f"{url}/healthz").read()
                ours = timed("curl", "--silent", "--output", "/dev/null", f"{url}/all.pgn")
                self.table.row("`all.pgn` from `scidfs-serve` by curl", "s", "first `cat` through a mount",
                               goal=0.77).add(ours, theirs)
        self.measure_others(database, files)

    def measure_others(self, database, files):
        """A reader of games beside clients with heavy questions; idle connections."""
        with self.server(database) as (url, process):
            urllib.request.urlopen(f"{url}/healthz").read()
            port, is_over = int(url.rsplit(":", 1)[1]), threading.Event()

            def ask(number):
                asked = 0
                while not is_over.is_set():
                    asked += 1
                    with contextlib.suppress(OSError), socket.create_connection(
                            ("127.0.0.1", port), source_address=(f"127.0.0.{number + 2}", 0)) as connection:
                        connection.sendall(f"GET /search/text=q{number}x{asked}/games.pgn HTTP/1.1\r\n"
                                           "Host: localhost\r\nConnection: close\r\n\r\n".encode())
                        while connection.recv(1 << 16):
                            pass

            askers = [threading.Thread(target=ask, args=(number,)) for number in range(HEAVY)]
            for asker in askers:
                asker.start()
            _, _, slow = self.asked(f"{url}/", files[:READS], PATIENT, READ_RATE)
            is_over.set()
            self.table.row(f"a game beside {HEAVY} clients with heavy questions: 99 of 100 reads", "ms",
                           "the goal of 10 ms", goal=1).add(slow, 10)
            for asker in askers:
                asker.join()
        with self.server(database) as (url, process):
            urllib.request.urlopen(f"{url}/healthz").read()
            port, before = int(url.rsplit(":", 1)[1]), settled_memory(process)
            with contextlib.ExitStack() as stack:
                for number in range(IDLE):
                    connection = stack.enter_context(socket.create_connection(
                        ("127.0.0.1", port), source_address=(f"127.0.1.{number % 200 + 1}", 0)))
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    connection.recv(1000)
                self.table.row(f"private memory of {IDLE:,} idle connections", "MB", "the goal of 50 MB", goal=1).add(
                    (private_memory(process) - before) / 1e6, 50)
