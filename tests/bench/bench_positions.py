"""How fast positions are found, in turn with Scid: the stage "positions" of scripts/bench."""

import collections
import itertools
import os
import random
import statistics
import subprocess
import time

from bench_mounts import counters, processes, resident, timed
from bench_sets import LARGE, read

SEARCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scid_positions.tcl")
OPENING = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w"
# Asked before what is measured, of both: it is nobody's, and has the marks of all games made.
NOBODY = "8/8/8/8/8/2k5/8/K2R4 b"
# By which the positions of a run are drawn.
MIDDLEGAME_PLY = 40
MOST_MEN_OF_ENDGAME = 11
MOST_TRIES = 10_000
# Of the positions of real games so many are asked one after the other; fewer with --quick.
RANDOM, FEW_RANDOM = 1000, 100
TREE_PLIES = 4
LINES = ("lines.pgn", "lines/side=white.pgn", "lines/side=black.pgn")
# As many as an event has.
NOVELTY_GAMES = 100

# The name of a row, the limit in ms at 10 million games, and the goal against Scid.
Kind = collections.namedtuple("Kind", "name limit goal")
KINDS = (Kind("opening position, its games", 60, 6), Kind("middlegame position, its games", 100, 6),
         Kind("endgame position, its games", 220, 4))
TABLE_KIND = Kind("opening position, its table of moves", 100, 5)

NOTE = ("Positions: finding games is timed by a stat of their games.pgn, whose size is that of all of them; "
        "where it says one core, the daemon may use no other. Of both another position is asked before.")


def scid_material(white, black):
    """Options of Scid's search for exactly these pieces, for two half moves and either colour."""
    options = []
    for letter in "QRBNP":
        for side, pieces in (("w", white), ("b", black)):
            count = pieces.count(letter)
            options.append(f"-{side}{letter.lower()} {{{count} {count}}}")
    return "material " + " ".join(options) + (
        " -flip 1 -range {0 999} -length 2 -bishops Either -diff {-40 40}")


def scid_pattern(*men):
    """Options of the same search for men on squares, such as "wn d 5", with any others."""
    counts = [f"-{side}{letter} {{0 20}}" for letter in "qrbnm" for side in "wb"] + ["-wp {0 8} -bp {0 8}"]
    patterns = [f"-pattern {{1 {man}}}" for man in men]
    return "material " + " ".join(counts + patterns) + " -flip 0 -range {0 999} -length 1"


def scid_any(rest, bishops="{0 20}"):
    """Options of the same search for any pieces, for two half moves."""
    counts = [f"-{side}{letter} {bishops if letter == 'b' else '{0 20}'}" for letter in "qrbnmp"
              for side in "wb"]
    return "material " + " ".join(counts) + f" -flip 0 -range {{0 999}} -length 2 {rest}"


ARMY = "KQRRBBNNPPPPPPPP"
# Conditions, and what Scid is asked: nothing where it cannot ask the same.
CONDITIONS = (
    (Kind("`reached=` of an ending", 500, 4), "reached=KRPvKR", scid_material("KRP", "KR")),
    (Kind("`reached=` with most pieces on the board", 3000, 2), f"reached={ARMY[:-1]}v{ARMY[:-1]}",
     scid_material(ARMY[:-1], ARMY[:-1])),
    (Kind("`pieces=` with a pawn", 6000, 4), "pieces=Nd5,pe6", scid_pattern("wn d 5", "bp e 6")),
    (Kind("`pieces=` without pawns", 6000, 4), "pieces=Qh7,kf8", scid_pattern("wq h 7", "bk f 8")),
    (Kind("`pawns=` of both sides", 1000, None), "pawns=8-pp3ppp-2p5-3p4-3P4-4P3-PP3PPP-8", None),
    (Kind("`played=` of three moves", 4000, None), "played=Bxh7,Kxh7,Ng5", None),
    (Kind("`not-reached=` of an ending", 500, None), "not-reached=KRPvKR", None),
    (Kind("`balance=`", 6000, 4), "balance=3", scid_any("-diff {3 3}")),
    (Kind("`bishops=opposite`", 6000, 4), "bishops=opposite", scid_any("-bishops Opposite", "{1 1}")),
    (Kind("`castled=opposite`", 6000, None), "castled=opposite", None),
    (Kind("`mate=` by a knight", 6000, None), "mate=N", None),
    (Kind("`annotator=`", 3000, None), "annotator=*", None),
    (Kind("`annotator=` again, as `tag=`", 60, None), "tag=Annotator,*", None),
)
ASKED_CONDITIONS = tuple(condition for condition in CONDITIONS if condition[2])


def position_path(fen):
    board, side = fen.split()
    return f"positions/{board.replace('/', '-')}_{side}"


def men(fen):
    return sum(c.isalpha() for c in fen.split()[0])


def seconds_of_stat(path):
    """The size of games.pgn is that of all games found: little work besides finding them."""
    start = time.perf_counter()
    size = os.stat(path).st_size
    return time.perf_counter() - start, size


def ask_scid(tkscid, database, questions, folder, env):
    """For each question how many games were found and the seconds it took, of a position three times
    (scid_positions.tcl); nothing without Scid."""
    if not tkscid:
        return [(None, None, None, None)] * len(questions)
    path = os.path.join(folder, "questions")
    with open(path, "w", encoding="ascii") as file:
        file.writelines(question + "\n" for question in questions)
    output = subprocess.run([tkscid, SEARCH, os.path.splitext(database)[0], path, "times"], env=env,
                            check=True, stdout=subprocess.PIPE).stdout
    os.remove(path)
    answers = []
    for line in output.splitlines():
        count, *microseconds = (int(word) for word in line.split())
        answers.append((count, *(each / 1e6 for each in microseconds)))
    return answers


class Positions:
    """Rows for one database. `mount` is called with whether one core is all that the daemon may use,
    and mounts it; `runs` are made, each with a mount of its own and, but for the opening, positions
    that nobody has asked for before."""

    def __init__(self, table, mountpoint, daemon, mount):
        self.table, self.mountpoint, self.daemon, self.mount = table, mountpoint, daemon, mount

    def within(self, *names):
        return os.path.join(self.mountpoint, *names)

    def epd_boards(self, number):
        """Board and side to move of each position of a game."""
        try:
            with open(self.within("fens", f"{number}.epd"), encoding="ascii", errors="replace") as file:
                return [" ".join(line.split(" ", 2)[:2]) for line in file]
        except FileNotFoundError:  # deleted
            return []

    def games_at_random(self, games, seed):
        dice = random.Random(seed)
        for _ in range(MOST_TRIES):
            if boards := self.epd_boards(dice.randrange(games) + 1):
                yield boards

    def middlegames(self, games, count):
        found = (boards[MIDDLEGAME_PLY] for boards in self.games_at_random(games, 1)
                 if len(boards) > 2 * MIDDLEGAME_PLY)
        return list(itertools.islice(found, count))

    def endgames(self, games, count):
        found = (next(fen for fen in boards if men(fen) <= MOST_MEN_OF_ENDGAME)
                 for boards in self.games_at_random(games, 2) if men(boards[-1]) <= MOST_MEN_OF_ENDGAME)
        return list(itertools.islice(found, count))

    def random_positions(self, games, count):
        dice = random.Random(3)
        return [dice.choice(boards) for boards in itertools.islice(self.games_at_random(games, 4), count)]

    def size_of_games(self, fen):
        return seconds_of_stat(self.within(position_path(fen), "games.pgn"))[0]

    def lines(self, index):
        with open(index, "rb") as file:
            return file.read().count(b"\n") - 1

    def measure(self, database, games, runs, scid, is_quick):
        """`scid` asks questions of the database, as ask_scid() does."""
        with self.mount(one_core=False):
            drawn = ([OPENING] * runs, self.middlegames(games, runs), self.endgames(games, runs))
            anywhere = self.random_positions(games, FEW_RANDOM if is_quick else RANDOM)
        if NOTE not in self.table.notes:
            self.table.notes.append(NOTE)
        for run in range(runs):
            asked = [(kind, fens[run]) for kind, fens in zip(KINDS, drawn) if run < len(fens)]
            theirs = scid([f"board {fen}" for fen in (NOBODY, *(fen for _, fen in asked))]
                          + [question for *_, question in ASKED_CONDITIONS])[1:]
            for one_core in (False, True):
                self.measure_searches(games, asked, theirs, one_core)
            if run == 0:
                self.note_counts(games, asked, theirs)
        self.measure_random(games, anywhere)
        for _ in range(runs):
            tree = self.measure_tree(games)
            self.measure_lines(games, tree)
            self.measure_novelties(games, tree)
            self.measure_endings(games)

    def add(self, kind, games, one_core, seconds, scid, other):
        """All processors are held against the limit, one core against Scid, which uses one."""
        if one_core:
            goal = kind.goal if games >= LARGE else None
            self.table.row(f"{kind.name}, one core, {games:,} games", "ms", other, goal=goal).add(
                seconds * 1e3, scid and scid * 1e3)
        else:
            self.table.sized_row(kind.name, "ms", {10_000_000: kind.limit}).add(games, seconds * 1e3)

    def measure_searches(self, games, asked, theirs, one_core):
        with self.mount(one_core):
            [daemon] = processes(self.daemon, self.mountpoint)
            before = resident(daemon)
            first = self.size_of_games(NOBODY)
            if not one_core:
                self.table.sized_row("first position after a mount, marks made meanwhile", "ms").add(
                    games, first * 1e3)
                self.table.sized_row("growth of the daemon by that", "bytes/game", {10_000_000: 16}).add(
                    games, max(0, resident(daemon) - before) / games)
            for (kind, fen), (_, search, window, _) in zip(asked, theirs):
                seconds = self.size_of_games(fen)
                self.add(kind, games, one_core, seconds, search, "`sc_search board`")
                if one_core:
                    self.add(Kind(kind.name, None, None), games, one_core, seconds, window,
                             "the search of its tree window")
            material = iter(theirs[len(asked):])
            for kind, condition, question in CONDITIONS:
                seconds = seconds_of_stat(self.within("search", condition, "games.pgn"))[0]
                if question or not one_core:
                    other = next(material)[1] if question else None
                    self.add(kind, games, one_core, seconds, other, "`sc_search material`")
        with self.mount(one_core):
            self.size_of_games(NOBODY)
            seconds = read(self.within(position_path(OPENING), "moves.tsv"))[0]
            _, search, window, table = theirs[0]
            self.add(TABLE_KIND, games, one_core, seconds, search and search + table,
                     "`sc_search board` and its table")
            if one_core:
                self.add(Kind(TABLE_KIND.name, None, None), games, one_core, seconds,
                         window and window + table, "its tree window")

    def note_counts(self, games, asked, theirs):
        with self.mount(one_core=False):
            for (_, fen), (count, *_) in zip(asked, theirs):
                ours = self.lines(self.within(position_path(fen), "index.tsv"))
                self.table.notes.append(f"{games:,} games: {ours:,} come to `{fen}`"
                                        + (f", Scid {count:,}." if count is not None else "."))
            for (_, condition, _), (count, *_) in zip(ASKED_CONDITIONS, theirs[len(asked):]):
                ours = self.lines(self.within("search", condition, "index.tsv"))
                self.table.notes.append(f"{games:,} games: {ours:,} in {condition}"
                                        + (f", Scid {count:,}." if count is not None else "."))

    def measure_random(self, games, fens):
        with self.mount(one_core=False):
            self.size_of_games(NOBODY)
            seconds = sorted(self.size_of_games(fen) for fen in fens)
        row = self.table.sized_row
        many = f"of {len(fens):,} positions of games"
        row(f"median {many}", "ms").add(games, statistics.median(seconds) * 1e3)
        row(f"99 % {many} take at most", "ms", {10_000_000: 400}).add(
            games, seconds[max(0, len(seconds) * 99 // 100 - 1)] * 1e3)
        row(f"the slowest {many}", "ms").add(games, seconds[-1] * 1e3)

    def tables_of_tree(self):
        """moves.tsv of what tree/ lists, a few plies deep."""
        top = self.within("tree")
        paths = []
        for folder, folders, _ in os.walk(top):
            paths.append(os.path.join(folder, "moves.tsv"))
            if folder != top and os.path.relpath(folder, top).count(os.sep) + 1 >= TREE_PLIES:
                folders.clear()
        return paths

    def measure_lines(self, games, tree):
        """Each on a mount of its own, which keeps nothing of the others; against the seconds of `ls -lR tree`."""
        for name in LINES:
            with self.mount(one_core=False):
                seconds = read(self.within(name))[0]
            what = f"`{name}` of all games"
            self.table.sized_row(what, "s", {1_000_000: 3} if name == LINES[0] else None).add(games, seconds)
            self.table.row(f"{what}, {games:,} games", "s", "`ls -lR tree` of another mount").add(seconds, tree)

    def measure_novelties(self, games, tree):
        """Of the last games of the database, as measure_lines()."""
        with self.mount(one_core=False):
            numbers = f"number={games - NOVELTY_GAMES + 1}..{games}"
            seconds = read(self.within("search", numbers, "novelties.tsv"))[0]
        what = f"`novelties.tsv` of {NOVELTY_GAMES} games"
        self.table.sized_row(what, "s", {10_000_000: 5}).add(games, seconds)
        self.table.row(f"{what}, {games:,} games", "s", "`ls -lR tree` of another mount").add(seconds, tree)

    def measure_endings(self, games):
        """All classes at once, against one of them on another mount."""
        with self.mount(one_core=False):
            seconds = read(self.within("endings.tsv"))[0]
        condition = CONDITIONS[0][1]
        with self.mount(one_core=False):
            search, _ = seconds_of_stat(self.within("search", condition, "games.pgn"))
        what = "`endings.tsv` of all games"
        self.table.sized_row(what, "s", {10_000_000: 3}).add(games, seconds)
        self.table.row(f"{what}, {games:,} games", "s", f"`{condition}` of another mount").add(
            seconds, search)

    def measure_tree(self, games):
        """Returns the seconds of `ls -lR tree`."""
        row = self.table.sized_row
        with self.mount(one_core=False):
            row("`ls tree` for the first time", "s").add(games, timed("ls", self.within("tree")))
            row("`ls -lR tree` after that", "s").add(games, timed("ls", "-lR", self.within("tree")))
        with self.mount(one_core=False):
            whole = timed("ls", "-lR", self.within("tree"))
            row("`ls -lR tree`", "s", {1_000_000: 10, 10_000_000: 60}).add(games, whole)
            paths = self.tables_of_tree()
            for path in paths:
                read(path)
            before = counters(self.mountpoint)["requests read"]
            seconds = [read(path)[0] for path in paths]
            asked = counters(self.mountpoint)["requests read"] - before - 1
            what = f"`tree/` and its first {TREE_PLIES} plies again, `moves.tsv` of each"
            row(f"{what}, median", "ms").add(games, statistics.median(seconds) * 1e3)
            row(f"{what}, the slowest", "ms", {10_000_000: 1}).add(games, max(seconds) * 1e3)
            row(f"{what}: the kernel asks for bytes", "times").add(games, asked)
            directories = sum(1 for _ in os.walk(self.within("tree")))
            row("directories in `tree/`", "").add(games, directories)
        return whole
