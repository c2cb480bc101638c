"""What browsers and other clients wait for: the stage "pages" of scripts/bench."""

import contextlib
import csv
import os
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse

from bench_mounts import cpu_seconds, processes, timed
from bench_positions import FEW_RANDOM, NOBODY, OPENING, RANDOM, Positions, position_path
from bench_sets import read

NGINX = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "install", "http", "nginx.conf")
# Games whose pages are read, for the mean; fewer with --quick.
GAMES, FEW_GAMES = 2000, 200
# The player whose page is read has about so many games.
WANTED = 3000
# What goes over a whole mount, of a folder with a database of so many games; fewer with --quick.
PROGRAMS = ("grep -rc zzz {}", "rg -uuc zzz {}", "ls -lR {}", "find {} -size +1M")
WALKED, FEW_WALKED = 5000, 1000

NOTE = ("Pages: each has a connection of its own; the file that it is held against is found in the same way on "
        "another mount.")


def configuration(folder, mountpoint, port):
    """That of tests/install/http, for this mount; the server runs as the user who mounts."""
    with open(NGINX, encoding="utf-8") as file:
        location = file.read()
    temporary = " ".join(f"{kind}_temp_path {folder}/{kind};"
                         for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.geteuid() == 0 else ""
    return (f"{user} daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}\n"
            f"http {{ access_log off; {temporary}\nserver {{ listen 127.0.0.1:{port}; sendfile on;\n"
            f"keepalive_requests 1000000;\n"
            f"{location.replace('/mnt/chess', mountpoint)} }} }}\n")


@contextlib.contextmanager
def server(folder, mountpoint):
    """Serves a mount that is there or will be; yields how, a function that returns the seconds that a file of it
    takes, and where its paths begin. Where nginx is not installed, the file is read itself."""
    program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
    if program is None:
        yield "by file, without nginx", lambda path: read(os.path.join(mountpoint, path))[0], mountpoint
        return
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = os.path.join(folder, "nginx.conf")
    with open(settings, "w", encoding="utf-8") as file:
        file.write(configuration(folder, mountpoint, port))

    def fetch(path):
        start = time.perf_counter()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(f"GET /chess/{urllib.parse.quote(path)} HTTP/1.0\r\n\r\n".encode())
            # To the end of the connection: nginx has closed the file then, and the mount is not in use.
            reply = b"".join(iter(lambda: connection.recv(1 << 20), b""))
        if b" 200 OK\r\n" not in reply[:20]:
            sys.exit(f"scripts/bench: HTTP: {path}: {reply[:200]}")
        return time.perf_counter() - start

    with subprocess.Popen([program, "-c", settings, "-p", folder, "-e", f"{folder}/log"]) as process:
        try:
            wait_for(port)
            yield "by HTTP", fetch, f"http://127.0.0.1:{port}/chess"
        finally:
            process.terminate()


def wait_for(port):
    for _ in range(1000):
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.01)
    sys.exit("scripts/bench: nginx does not start")


def player_with(top, wanted):
    """The folder of the player whose number of games is the nearest to `wanted`, and that number."""
    with open(os.path.join(top, "players.tsv"), encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return min(((row["path"], int(row["games"])) for row in rows), key=lambda player: abs(player[1] - wanted))


class Pages:
    """Rows for one database. `mount` is called with options and mounts it, each time with nothing in memory."""

    def __init__(self, table, folder, mountpoint, daemon, mount):
        self.table, self.folder, self.mountpoint, self.daemon, self.mount = table, folder, mountpoint, daemon, mount

    def within(self, *names):
        return os.path.join(self.mountpoint, *names)

    def measure(self, games, runs, is_quick):
        if NOTE not in self.table.notes:
            self.table.notes.append(NOTE)
        with self.mount("-o", "index=wait"):
            # Has the names of people read and kept for the mounts that follow, where there are any.
            timed("ls", self.within("people"), allowed=(0, 2))
            drawn = Positions(self.table, self.mountpoint, self.daemon, self.mount)
            positions = drawn.random_positions(games, FEW_RANDOM if is_quick else RANDOM)
            numbers = self.shown_games(games, FEW_GAMES if is_quick else GAMES)
            player, played = player_with(self.mountpoint, WANTED)
        self.table.notes.append(f"{games:,} games: the player is `{player}` with {played:,} games.")
        with server(self.folder, self.mountpoint) as (how, fetch, _):
            for _ in range(runs):
                self.measure_opening(games, how, fetch)
                self.measure_player(games, player, how, fetch)
                self.measure_games(games, numbers)
            self.measure_random(games, positions, how, fetch)

    def shown_games(self, games, count):
        numbers = random.Random(5).sample(range(1, games + 1), min(count, games))
        return [number for number in numbers if os.path.exists(self.within("games", f"{number}.html"))]

    def add(self, games, kind, values, other):
        """A value, and that of the other file, found in the same way."""
        name, unit, limits = kind
        self.table.sized_row(name, unit, limits).add(games, values[0])
        self.table.row(f"{name}, {games:,} games", unit, other).add(*values)

    def measure_opening(self, games, how, fetch):
        for when, options in (("first mount ever", ["-o", "cache_dir=none"]), ("mount, sizes known", [])):
            seconds = []
            for name in ("explorer.json", "moves.tsv"):
                with self.mount(*options) as mounting:
                    seconds.append(mounting + fetch(f"{position_path(OPENING)}/{name}"))
            self.add(games, (f"{when}, to `explorer.json` of 1.e4 c5, {how}", "s", {10_000_000: 2.5}), seconds,
                     "to its `moves.tsv`")

    def measure_player(self, games, player, how, fetch):
        milliseconds = []
        for name in ("index.html", "players.tsv"):
            with self.mount():
                milliseconds.append(fetch(f"{player}/{name}") * 1e3)
        self.add(games, (f"page of a player, {how}", "ms", {1_000_000: 60}), milliseconds, "the player's `players.tsv`")

    def measure_games(self, games, numbers):
        milliseconds = []
        for path in ("games/{}.html", "fens/{}.epd"):
            with self.mount():
                [daemon] = processes(self.daemon, self.mountpoint)
                before = cpu_seconds(daemon)
                for number in numbers:
                    read(self.within(path.format(number)))
                milliseconds.append((cpu_seconds(daemon) - before) * 1e3 / len(numbers))
        self.add(games, ("page of a game: CPU of the daemon", "ms", {10_000_000: 1}), milliseconds, "its `.epd`")

    def measure_random(self, games, positions, how, fetch):
        milliseconds = []
        for name in ("explorer.json", "moves.tsv"):
            with self.mount():
                fetch(f"{position_path(NOBODY)}/moves.tsv")
                times = sorted(fetch(f"{position_path(fen)}/{name}") for fen in positions)
                milliseconds.append(times[max(0, len(times) * 99 // 100 - 1)] * 1e3)
        self.add(games, (f"`explorer.json` of {len(positions):,} positions of games, {how}: 99 % take at most", "ms",
                         {10_000_000: 350}), milliseconds, "`moves.tsv` of each")


def measure_walks(table, mountpoint, mount, runs):
    """Rows of what programs that go over a whole mount pay for pages. `mount` is called with options."""
    with mount("-o", "index=wait"):
        timed("ls", "-R", mountpoint)  # and has the names of people read and kept
    for run in range(runs):
        for command in PROGRAMS:
            words = command.format(mountpoint).split()
            if shutil.which(words[0]) is None:
                continue
            seconds = {}
            # In turns also within the round.
            for pages in ("yes", "no") if run % 2 == 0 else ("no", "yes"):
                with mount("-o", f"pages={pages}"):
                    # Without a match grep's exit code is 1.
                    seconds[pages] = timed(*words, allowed=(0, 1))
            table.row(f"first `{command.format('.')}` of a mount with pages", "s", "`pages=no`", goal=0.95).add(
                seconds["yes"], seconds["no"])
