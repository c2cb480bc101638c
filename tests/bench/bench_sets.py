"""How fast sets of games answer, in turn with Scid's header search: the stage "sets" of scripts/bench."""

import collections
import contextlib
import itertools
import os
import subprocess
import time

from bench_mounts import counters, processes, resident, timed

SEARCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scid_search.tcl")
# Lines of index.tsv that questions are drawn from: a large database repeats these games.
SAMPLED = 100_000
# The games that questions of a few facets are to find.
WANTED = 1000
WORD = "zugzwang"
LARGE = 1_000_000

Game = collections.namedtuple("Game", "white black result year eco")
Question = collections.namedtuple("Question", "path searches")


def read_games(index):
    """The first games of an index.tsv."""
    games = []
    with open(index, encoding="utf-8") as file:
        next(file)
        for line in itertools.islice(file, SAMPLED):
            fields = line.split("\t")
            games.append(Game(fields[1], fields[3], fields[5], fields[6][:4], fields[10][:3]))
    return games


def as_value(name):
    """A name as the value of a facet."""
    return "".join("_" if c == " " else c if c.isalnum() and c.isascii() or c in ",.()-#" else
                   "".join(f"%{byte:02X}" for byte in c.encode()) for c in name)


def as_word(text):
    """A text as one word of Tcl."""
    return "".join(c if c.isalnum() else "\\" + c for c in text)


def three_facets(games, scale, count):
    """Questions that find about WANTED games of a database that is `scale` times as large."""
    wanted = max(1, min(WANTED / scale, len(games) / 50))
    years = collections.defaultdict(list)
    for game in games:
        if game.result == "1-0" and game.eco and game.year.isdigit():
            for length in (1, 2, 3):
                years[game.eco[:length]].append(game.year)
    ranked = []
    for code, all_years in years.items():
        if len(all_years) >= wanted:
            first = sorted(all_years, reverse=True)[int(wanted) - 1]
            too_many = sum(year >= first for year in all_years) / wanted
            ranked.append((-len(code), too_many, code, first))
    # Long codes first; of those the ones whose years cut it to the number wanted.
    questions = []
    for _, _, code, first in sorted(ranked)[:count]:
        codes = [code.ljust(3, digit) for digit in "09"]
        questions.append(Question(f"search/eco={code}/year={first}../result=1-0",
                                  [f"-eco {{{codes[0]} {codes[1]}}} -date {{{first}.00.00 2047.12.31}} "
                                   "-result 1 -flag! D"]))
    return questions


def pairs(games, scale, count):
    """Two players who met often. Those of the second copy play in no other, as long as there are names."""
    suffix = " #2" if scale >= 2 else ""
    meetings = collections.Counter((game.white, game.black) for game in games
                                   if game.white not in ("", "?") and game.black not in ("", "?"))
    questions = []
    for pair, _ in meetings.most_common(count):
        white, black = (name + suffix for name in pair)
        names = [as_word(f'"{name}"') for name in (white, black)]
        questions.append(Question(f"search/player={as_value(white)}/opponent={as_value(black)}",
                                  [f"-white {one} -black {other} -flag! D"
                                   for one, other in (names, names[::-1])]))
    return questions


def wildcards(games, scale, count):
    """Parts of names whose players have about WANTED games."""
    wanted = max(1, min(WANTED / scale, len(games) / 50))
    played = collections.Counter()
    for game in games:
        played.update((game.white.lower(), game.black.lower()))
    parts = collections.Counter()
    for name, times in played.items():
        surname = name.partition(",")[0]
        for length in range(4, len(surname) + 1):
            if surname[-length:].isalpha() and surname.isascii():
                parts[surname[-length:]] += times
    # Also where it is in the middle of names.
    near = sorted(parts, key=lambda part: (abs(parts[part] - wanted), part))[:count]
    return [Question(f"search/player=*{part}*", [f"-player {part} -flag! D"]) for part in near]


def tenth(games, scale):
    """The years since which a tenth of the games have been played, a million at most."""
    years = sorted((game.year for game in games if game.year.isdigit()), reverse=True)
    share = min(0.1, 1_000_000 / scale / max(1, len(games)))
    return f"search/year={years[int(len(years) * share)]}.." if years else "search/number=1..1000000"


def read(path):
    """Seconds that reading a file takes from its name on, and its bytes."""
    start = time.perf_counter()
    size = 0
    with open(path, "rb", buffering=0) as file:
        while piece := file.read(1 << 20):
            size += len(piece)
    return time.perf_counter() - start, size


def ask_scid(tkscid, database, questions, folder, env):
    """Seconds for each question, and how many games were found; nothing without Scid."""
    if not tkscid:
        return [(None, None)] * len(questions)
    path = os.path.join(folder, "questions")
    with open(path, "w", encoding="utf-8") as file:
        for question in questions:
            file.write(" ".join(f"{{{search}}}" for search in question.searches) + "\n")
    output = subprocess.run([tkscid, SEARCH, os.path.splitext(database)[0], path, "times"], env=env,
                            check=True, stdout=subprocess.PIPE).stdout
    os.remove(path)
    return [(int(microseconds) / 1e6, int(count))
            for count, microseconds in (line.split() for line in output.splitlines())]


class Sets:
    """Rows for one database. `mount` is called with options and mounts it; `runs` are made, each with
    questions that nobody has asked before."""

    def __init__(self, table, mountpoint, daemon, mount):
        self.table, self.mountpoint, self.daemon, self.mount = table, mountpoint, daemon, mount

    def within(self, *names):
        return os.path.join(self.mountpoint, *names)

    def lines(self, index):
        with open(index, "rb") as file:
            return file.read().count(b"\n") - 1

    def measure(self, database, games, runs, scid):
        """`scid` asks questions of the database, as ask_scid() does."""
        with self.mount():
            sampled = read_games(self.within("index.tsv"))
        scale = games / max(1, len(sampled))
        kinds = [("three facets, `index.tsv` of about 1,000 games", 50, 5,
                  three_facets(sampled, scale, runs)),
                 ("`player=` with `opponent=`, `index.tsv`", 10, None, pairs(sampled, scale, runs)),
                 ("wildcard on names, `index.tsv` of about 1,000 games", 100, None,
                  wildcards(sampled, scale, runs))]
        for run in range(runs):
            asked = [(*kind, questions[run]) for *kind, questions in kinds if run < len(questions)]
            with self.mount():
                ours = [read(self.within(question.path, "index.tsv"))[0] for *_, question in asked]
                found = [self.lines(self.within(question.path, "index.tsv")) for *_, question in asked]
            theirs = scid([question for *_, question in asked])
            for (name, limit, goal, question), seconds, count, (other, other_count) in zip(
                    asked, ours, found, theirs):
                self.table.sized_row(name, "ms", {10_000_000: limit}).add(games, seconds * 1e3)
                # Of a small database both take as long as the calls alone.
                self.table.row(f"{name}, {games:,} games", "ms", "Scid's header search",
                               goal=goal if games >= LARGE else None).add(seconds * 1e3, other and other * 1e3)
                if run == 0:
                    self.table.notes.append(f"{games:,} games: `{question.path}` finds {count:,} games"
                                            + (f", Scid {other_count:,}." if other else "."))
            self.measure_tables(games, tenth(sampled, scale), run == 0)
            self.measure_text(f"{games:,} games")
        self.measure_memory(games, [questions[0].path for *_, questions in kinds if questions]
                            + [tenth(sampled, scale)])

    def measure_tables(self, games, part, is_first):
        row = self.table.sized_row
        with self.mount():
            size = self.lines(self.within(part, "index.tsv"))
            for name in ("summary.txt", "openings.tsv"):
                row(f"`{name}` of a tenth of the games", "ms", {10_000_000: 200}).add(
                    games, read(self.within(part, name))[0] * 1e3)
            players = self.within("players.tsv")
            row("`players.tsv` of all games", "s", {10_000_000: 1}).add(games, read(players)[0])
            row("`players.tsv` of all games, again", "s").add(games, read(players)[0])
        if is_first:
            self.table.notes.append(f"{games:,} games: `{part}` finds {size:,} games.")

    def measure_text(self, what):
        seconds = {}
        for who in ("text", "cat"):
            with self.mount():
                if who == "text":
                    seconds[who], _ = read(self.within("search", f"text={WORD}", "index.tsv"))
                else:
                    seconds[who] = timed("cat", self.within("all.pgn"))
        self.table.row(f"`text={WORD}`, {what}", "s", "`cat all.pgn`", goal=1 / 1.1).add(
            seconds["text"], seconds["cat"])

    def measure_memory(self, games, paths):
        """What sets leave behind, their answers aside, where all lists were there before."""
        with self.mount():
            [daemon] = processes(self.daemon, self.mountpoint)

            def other_memory():
                now = counters(self.mountpoint)
                return resident(daemon) - now["cache bytes"] - now.get("answer bytes", 0)

            for view in ("players", "events", "years", "eco"):
                with contextlib.suppress(FileNotFoundError):
                    os.listdir(self.within(view))
            before = other_memory()
            for path in paths:
                for name in ("index.tsv", "summary.txt", "players.tsv", "openings.tsv"):
                    read(self.within(path, name))
            read(self.within("players.tsv"))
            read(self.within("search", f"text={WORD}", "index.tsv"))
            self.table.sized_row("growth of the daemon by sets, without answers and text cache", "MB").add(
                games, (other_memory() - before) / 1e6)
