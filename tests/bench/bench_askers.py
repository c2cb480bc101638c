"""How long plain reads and a search take beside many questions of another user: in the stage "mounting" of
scripts/bench."""

import contextlib
import os
import random
import signal
import time

ASKERS = 64
GOAL = 50  # ms
SECONDS, FEW_SECONDS = 20, 5
NOBODY = 65534
# Of each asker, again and again; numbers make all of them different.
QUESTIONS = ("search/plies={}../lines/plies=200,games=2.pgn", "search/plies={}../book/plies=60000,games=1.bin",
             "search/plies={}../plies.tsv", "search/text=a*{}/index.tsv",
             "search/not-text=a{}/novelties.tsv")


def ask_for_ever(top, seed):
    dice = random.Random(seed)
    while True:
        path = os.path.join(top, dice.choice(QUESTIONS).format(dice.randrange(60)))
        with contextlib.suppress(OSError), open(path, "rb") as file:
            while file.read(1 << 20):
                pass


@contextlib.contextmanager
def asked(top):
    """Processes of another user who ask meanwhile."""
    askers = []
    for seed in range(ASKERS):
        pid = os.fork()
        if pid == 0:
            try:
                os.setgid(NOBODY)
                os.setuid(NOBODY)
                ask_for_ever(top, seed)
            finally:
                os._exit(1)
        askers.append(pid)
    try:
        yield
    finally:
        for pid in askers:
            os.kill(pid, signal.SIGKILL)
        for pid in askers:
            os.waitpid(pid, 0)


def milliseconds(path):
    start = time.perf_counter()
    with open(path, "rb") as file:
        file.read()
    return 1000 * (time.perf_counter() - start)


def measure(table, top, games, is_quick):
    """`top`: the mounted database; other users may read it."""
    reads, searches = [], []
    dice = random.Random(1)
    with asked(top):
        end = time.monotonic() + (FEW_SECONDS if is_quick else SECONDS)
        while time.monotonic() < end:
            for _ in range(50):
                reads.append(milliseconds(os.path.join(top, "games", f"{dice.randrange(games) + 1}.pgn")))
                time.sleep(0.01)
            searches.append(milliseconds(
                os.path.join(top, "search", f"white_elo={2400 + len(searches)}..", "pieces=Nd5,pe6", "index.tsv")))
    reads.sort()
    name = f"beside {ASKERS} askers of another user"
    table.row(f"a game's file {name}: 99 of 100 reads", "ms", f"the goal of {GOAL} ms", goal=1).add(
        reads[len(reads) * 99 // 100], GOAL)
    row = table.row(f"a search of one's own {name}", "ms")
    for search in searches:
        row.add(search)
