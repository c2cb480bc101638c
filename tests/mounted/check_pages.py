#!/usr/bin/python3
"""Follows the links of pages in a mount, and holds each page against HTML and against the tables beside it.

usage: check_pages.py [--seed SEED] MOUNT [MOST [FIRST ...]]
       check_pages.py --listed MOUNT

MOUNT is a folder, or the http: URL where a server has it. Begins with the pages FIRST (default: index.html), reads at
most MOST pages (default 1000), and takes from each page at most three links of a kind to pages that it has not seen,
those of rare kinds first, so that it comes to pages of all kinds. With SEED, it takes links at random, the same for the
same number. With --listed, for a mount with pages=list: takes pages from the listings of all directories, a few of each
kind, and expects that a copy of what is listed has each page, and all files that pages lead to in these directories, and
in others but those of positions and searches.
Prints each fault, and at the end how many pages of which kinds it has read; exits with 1 if there was a fault.
"""

import argparse
import collections
import functools
import http.client
import os
import random
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

import html5lib

ELEMENTS = set(
    """html head meta title link script body nav main h1 h2 p a ul li pre code span div table caption thead tbody tr
    th td img figure form label input button noscript svg rect path use defs g em text details summary""".split())
# What listings leave out of the directories that they have, as the manual says.
UNLISTED = {"positions", "search", "tree", "against"}
POLICY = ("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; "
          "form-action 'none'")
SPACE = re.compile(r"\{.*\}")
XHTML = "{http://www.w3.org/1999/xhtml}"
DATABASE = re.compile(r"(.*?\.(?:si[345]|pgn(?:\.\w+)?))(/|$)")

# Captions of tables, with the file of the same rows, and by the heads of the table the columns of the file, that which
# names the row first.
SCORE = {"Games": "games", "Wins": "wins", "Draws": "draws", "Losses": "losses", "Score": "score"}
WHITE_SCORE = {**SCORE, "Wins": "white_wins", "Losses": "black_wins"}
TABLES = {
    "Moves": ("moves.tsv", {
        "Move": "san", "Games": "games", "White wins": "white_wins", "Draws": "draws", "Black wins": "black_wins",
        "White's score": "score", "Average Elo": "average_elo", "Last year": "last_year"}),
    "Players": ("players.tsv", {"Name": "name", **SCORE}),
    "Opponents": ("opponents.tsv", {"Name": "name", **SCORE}),
    "Openings, score of White": ("openings.tsv", {"Code": "eco", "Opening": "name", **WHITE_SCORE}),
    "Openings, own score": ("openings.tsv", {"Code": "eco", "Opening": "name", "Games": "games"}),
}
# Tables of games, whose heads are not unique, with columns of index.tsv.
GAMES = {"Games", "The first games", "Strongest games", "Newest games"}
PLAYER = re.compile(r"/players/[^/]+/[^/]+/index\.html$")
GAME_COLUMNS = ["number", "white", "white_elo", "black", "black_elo", "result", "date", "eco", "event"]


def kind_of(path):
    """The path with what varies taken out: pages of one kind look alike, those of a search and a narrower one, too."""
    kind = []
    for name in path.split("/"):
        if "search" in kind and (name == "search" or ("=" in name and kind[-1] != "search")):
            continue
        if "=" in name:
            name = name.split("=")[0] + "="
        elif kind and kind[-1] == "fen" and not name.startswith("index."):
            name = "*" + os.path.splitext(name)[1]
        elif name.endswith((".html", ".svg", ".pgn", ".epd")) and name[:1].isdigit():
            name = "N" + os.path.splitext(name)[1]
        kind.append(name)
    for i, name in enumerate(kind):
        if name in ("players", "people", "events", "tournaments", "years", "eco", "openings", "endings", "flags",
                    "games", "fens", "tree", "positions", "deleted"):
            inner = [x for x in kind[i + 1:] if not x.startswith(("index.", "N.", "search", "tree", "positions",
                                                                         "against"))]
            kept = list(dict.fromkeys(x for x in kind[i + 1:] if x not in inner))
            return "/".join(kind[:i + 1] + ["*"] * min(len(inner), 3) + kept)
    return "/".join(kind)


def known(text):
    """A field as pages show it: without blanks around; names that are not known have several signs."""
    text = text.strip()
    return "" if text in ("?", "none", "_unknown") else text


class Folder:
    """A mount in the file system."""

    def __init__(self, mount):
        self.mount = mount

    def read(self, path, most=-1):
        path = os.path.join(self.mount, path)
        with open(path, "rb") as file:
            data = file.read(most)
        if most < 0 and len(data) != os.stat(path).st_size:
            raise ValueError("its size is not that of its text")
        return data

    def has(self, path):
        return os.path.isfile(os.path.join(self.mount, path))


class Server:
    """A mount that a server of static files has."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.netloc, timeout=120)
        self.root = parts.path.rstrip("/") + "/"

    def ask(self, method, path, headers):
        self.connection.request(method, self.root + urllib.parse.quote(path), headers=headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read()  # fails where the text is shorter than the server has said

    def read(self, path, most=-1):
        status, data = self.ask("GET", path, {} if most < 0 else {"Range": f"bytes=0-{most - 1}"})
        if status not in (200, 206):
            raise FileNotFoundError(f"{path}: the server answers {status}")
        return data

    def has(self, path):
        return self.ask("HEAD", path, {})[0] == 200


def open_mount(place):
    return Server(place) if place.startswith("http://") else Folder(place)


def read_rows(mount, path, most=-1):
    """The rows of a table of the mount by the names of its columns, whole rows alone; None without the table."""
    if not mount.has(path):
        return None
    head, *lines = mount.read(path, most).decode(errors="replace").split("\n")
    names = head.split("\t")
    return [dict(zip(names, map(known, line.split("\t")))) for line in lines[:-1]]


class Checker:
    def __init__(self, mount, seed):
        self.mount = open_mount(mount)
        self.random = random.Random(seed) if seed is not None else None
        self.faults = 0
        self.curves = 0
        self.fragments = set()
        self.kinds = collections.Counter()

    def fault(self, path, what):
        self.faults += 1
        if self.faults <= 50:
            print(f"{path}: {what}")

    def parse(self, path):
        parser = html5lib.HTMLParser(strict=False)
        document = parser.parse(self.mount.read(path), transport_encoding="utf-8")
        for position, code, details in parser.errors:
            self.fault(path, f"{code} at {position} {details}")
        return document

    def links(self, path, document):
        """Checks elements; yields the paths of local links."""
        ids = set()
        self.fragments = set()
        for element in document.iter():
            if not isinstance(element.tag, str):
                continue
            name = SPACE.sub("", element.tag)
            if name not in ELEMENTS:
                self.fault(path, f"element {name}")
            for attribute, value in element.attrib.items():
                attribute = attribute if isinstance(attribute, str) else str(attribute)
                if attribute.startswith("on") or attribute == "style":
                    self.fault(path, f"attribute {attribute}")
                if attribute == "id":
                    if value in ids:
                        self.fault(path, f"two elements have the id {value}")
                    ids.add(value)
                if attribute in ("href", "src") or attribute.endswith("}href"):
                    yield from self.link(path, name, value, element)
            if name == "img" and not element.get("alt"):
                self.fault(path, "a picture has no text")
            if name == "script" and element.text:
                self.fault(path, "a script has text")
        if not self.fragments <= ids:
            self.fault(path, f"no element has the ids {self.fragments - ids}")

    def link(self, path, element, value, node):
        if value.startswith(("http://", "https://")):
            if element != "a" or node.get("rel") != "noopener noreferrer nofollow":
                self.fault(path, f"link out of the mount: {value}")
            return
        if value.startswith("#"):
            self.fragments.add(value[1:])
            return
        url = urllib.parse.urlsplit(value)
        if url.scheme or url.netloc or url.query or value.startswith("/"):
            self.fault(path, f"link {value}")
            return
        target = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path)))
        if target.startswith(".."):
            self.fault(path, f"link above the mount: {value}")
            return
        yield target

    def cells(self, table):
        for row in table.iter(XHTML + "tr"):
            yield [known("".join(cell.itertext())) for cell in row]

    def rows(self, path, most=-1):
        return read_rows(self.mount, path, most)

    @functools.lru_cache(maxsize=2)
    def games(self, database):
        """The games of a database by their numbers, the deleted ones, too."""
        games = {}
        tables = [self.rows(os.path.join(database, part, "index.tsv")) or [] for part in ("", "deleted")]
        for row in (row for table in tables for row in table):
            # Pages show codes without what Scid adds to ECO.
            games[row["number"]] = {**row, "eco": row["eco"][:3]}
        return games

    def compare(self, path, document):
        """Holds numbers of the page against the tables of its directory."""
        folder = os.path.dirname(path)
        if os.path.basename(folder) == "fen" and os.path.basename(path) != "index.html":
            self.compare_book(path, document)
            return
        # The names in against/ are spellings, and tables of people count persons.
        if path.endswith("/against/index.html") and "people/" not in path:
            self.compare_opponents(path, document)
        if PLAYER.search(path):
            self.compare_curve(path, document)
        if path.endswith("/players/index.html"):
            self.compare_largest(path, document)
        for table in document.iter(XHTML + "table"):
            caption = table.find(XHTML + "caption")
            name = caption.text if caption is not None else ""
            heads, *shown = self.cells(table)
            if name in GAMES:
                self.compare_games(path, name, shown)
            elif name == "Years":
                self.compare_years(path, self.rows(f"{folder}/years.tsv"), shown)
            elif name in ("Results", "Results of White"):
                self.compare_results(path, name, dict(zip(heads, shown[0])))
            elif name in TABLES:
                file, columns = TABLES[name]
                rows = self.rows(f"{folder}/{file}")
                if rows is None:
                    continue
                found = [[row[heads.index(head)].replace(",", "") for head in columns] for row in shown]
                wanted = [[row[column].replace(",", "") for column in columns.values()] for row in rows[:len(shown)]]
                self.expect(path, f"{name} beside {file}", found, wanted)

    def compare_curve(self, path, document):
        """Holds the curve of a player's ratings against the games beside the page."""
        player = "".join(document.find(f".//{XHTML}h1").itertext())
        highest = {}
        for game in self.rows(f"{os.path.dirname(path)}/index.tsv"):
            for side in ("white", "black"):
                elo, month = game[side + "_elo"], game["iso_date"][:7]
                if game[side] == player and elo.isdigit() and month:
                    highest[month] = max(highest.get(month, 0), int(elo))
        # A game of a year alone is in the middle of the year.
        months = sorted(highest, key=lambda month: month if "-" in month else month + "-06+")
        words, points, wanted = None, 0, None
        for figure in document.iter(XHTML + "figure"):
            words = figure[0].text
            points = len(re.findall("[ML]", figure[-1][-1].get("d")))
        if len(months) > 1:
            first, last, best = (f"{highest[month]} in {month.replace('-', '.')}"
                                 for month in (months[0], months[-1], max(months, key=highest.get)))
            wanted = f"Elo from {first} to {last}, highest {best}"
        if (words, points) != (wanted, len(months) if wanted else 0):
            self.fault(path, f"the curve of {points} months, {words}: {len(months)}, {wanted}")
        self.curves += points > 0

    def compare_largest(self, path, document):
        """Holds the players with most games against the table of all players."""
        items = []
        for main in document.iter(XHTML + "main"):
            heads = ["".join(child.itertext()) for child in main]
            if "Most games" in heads:
                items = ["".join(item.itertext()) for item in main[heads.index("Most games") + 1]]
        rows = self.rows(os.path.normpath(f"{os.path.dirname(path)}/../players.tsv"))
        found = [re.search(r" ([\d,]+) games?$", item)[1].replace(",", "") for item in items]
        self.expect(path, "most games", found, [row["games"] for row in rows[:50]])

    def compare_book(self, path, document):
        """Holds the moves of a position of a book against the text beside its page."""
        text = self.mount.read(os.path.splitext(path)[0] + ".txt").decode()
        head, *rows = [line.split("\t") for line in text.split("\n\n")[1].rstrip("\n").split("\n")]
        (table, ) = document.iter(XHTML + "table")
        shown, *cells = self.cells(table)
        columns = [shown.index(name.capitalize()) for name in head]
        found = [[row[column].replace(",", "") for column in columns] for row in cells]
        self.expect(path, "moves", found, [[known(field).replace(",", "") for field in row] for row in rows])

    def compare_opponents(self, path, document):
        """Holds the numbers of games against opponents against the table of these."""
        rows = self.rows(os.path.normpath(f"{os.path.dirname(path)}/../opponents.tsv"))
        items = ["".join(item.itertext()) for item in document.iter(XHTML + "li")]
        found = collections.Counter(re.search(r"\.pgn\s+([\d,]+) games?$", item)[1].replace(",", "") for item in items)
        others = found - collections.Counter(row["games"] for row in rows)
        if others:
            self.fault(path, f"numbers that opponents.tsv does not have: {others}")

    def expect(self, path, what, found, wanted):
        if found == wanted:
            return
        differing = [pair for pair in zip(found, wanted) if pair[0] != pair[1]]
        self.fault(path, f"{what}: {len(found)} rows, {len(wanted)} wanted, the first that differ: {differing[:1]}")

    def compare_games(self, path, name, shown):
        database = DATABASE.match(path)  # none: it is the mount point
        games = self.games(database.group(1) if database else "")
        self.expect(path, name, shown, [[games[row[0]][column] for column in GAME_COLUMNS] for row in shown])
        if name in ("Games", "The first games"):
            # A row is shorter than 1,500 bytes.
            rows = self.rows(f"{os.path.dirname(path)}/index.tsv", 1500 * (len(shown) + 1))
            if rows is not None:
                self.expect(path, name, [row[0] for row in shown], [row["number"] for row in rows[:len(shown)]])

    def compare_years(self, path, rows, shown):
        if rows is None:
            return
        counts = {int(row["year"]): int(row["games"]) for row in rows if row["year"].isdigit()}
        for span, games, *_ in shown:
            first, last = (0, span[3:]) if span.startswith("to ") else (span.split("–") * 2)[:2]
            wanted = sum(count for year, count in counts.items() if int(first) <= year <= int(last))
            if int(games.replace(",", "")) != wanted:
                self.fault(path, f"games of {span}: {games}, {wanted} wanted")

    def compare_results(self, path, name, shown):
        columns, file = (WHITE_SCORE, "openings.tsv") if name == "Results of White" else (SCORE, "opponents.tsv")
        rows = self.rows(f"{os.path.dirname(path)}/{file}")
        for head in ("Games", "Wins", "Draws", "Losses") if rows is not None else ():
            wanted = sum(int(row[columns[head]]) for row in rows)
            if int(shown[head].replace(",", "")) != wanted:
                self.fault(path, f"{name}, {head}: {shown[head]}, the sum of {file} is {wanted}")

    def check(self, path):
        document = self.parse(path)
        policy = [meta.get("content") for meta in document.iter(XHTML + "meta")
                  if meta.get("http-equiv") == "Content-Security-Policy"]
        if policy != [POLICY]:
            self.fault(path, f"policy {policy}")
        self.compare(path, document)
        return list(self.links(path, document))

    def check_picture(self, path):
        ElementTree.fromstring(self.mount.read(path))

    def attempt(self, path, check):
        """What a check of a path returns; a file that cannot be read, or is no such file, is a fault."""
        try:
            return check(path)
        except (OSError, ValueError, http.client.HTTPException, ElementTree.ParseError) as error:
            self.fault(path, str(error))
            return []

    def check_listed(self):
        """Checks pages of listed directories and that listings have what these lead to. Returns how many it read."""
        most_of_a_kind = 12
        folders, files = set(), set()
        for folder, _, names in os.walk(self.mount.mount):
            folder = os.path.relpath(folder, self.mount.mount)
            folders.add("" if folder == "." else folder)
            files.update(os.path.normpath(os.path.join(folder, name)) for name in names)
            for name in ("index.html", "style.css", "board.js", "icon.svg"):
                if name not in names:
                    self.fault(folder, f"does not list {name}")
        for path in sorted(name for name in files if name.endswith(".html")):
            kind = kind_of(path)
            if self.kinds[kind] >= most_of_a_kind:
                continue
            self.kinds[kind] += 1
            for target in self.attempt(path, self.check):
                folder = os.path.dirname(target)
                # Of positions of books there are too many to list.
                must_be_listed = (os.path.basename(folder) != "fen"
                                  if folder in folders else not UNLISTED & set(folder.split("/")))
                if must_be_listed and target not in files:
                    self.fault(path, f"no listing has {target}")
        return self.kinds.total()

    def take(self, waiting):
        """Takes a page of the kind that was read least often."""
        kind = min((kind for kind in waiting if waiting[kind]), key=lambda kind: self.kinds[kind])
        self.kinds[kind] += 1
        pages = waiting[kind]
        if self.random:
            pages.rotate(self.random.randrange(len(pages)))
        return pages.popleft()

    def follow(self, first, most):
        seen = set(first)
        waiting = collections.defaultdict(collections.deque)
        for path in first:
            waiting[kind_of(path)].append(path)
        read = 0
        while read < most and any(waiting.values()):
            path = self.take(waiting)
            read += 1
            taken = collections.Counter()
            links = self.attempt(path, self.check)
            if self.random:
                self.random.shuffle(links)
            for target in links:
                kind = kind_of(target)
                if taken[kind] >= 3 or target in seen:
                    continue
                taken[kind] += 1
                seen.add(target)
                if not self.mount.has(target):
                    self.fault(path, f"dead link to {target}")
                elif target.endswith(".html"):
                    waiting[kind].append(target)
                elif target.endswith(".svg"):
                    self.attempt(target, self.check_picture)
        return read, len(seen)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--listed", action="store_true")
    parser.add_argument("mount")
    parser.add_argument("most", type=int, nargs="?", default=1000)
    parser.add_argument("first", nargs="*", default=["index.html"])
    words = parser.parse_args()
    checker = Checker(words.mount, words.seed)
    if words.listed:
        read = seen = checker.check_listed()
    else:
        read, seen = checker.follow(words.first or ["index.html"], words.most)
    for kind, count in sorted(checker.kinds.items()):
        print(f"{count:6} {kind}")
    print(f"{seen} links followed, {read} pages, {checker.curves} curves, {checker.faults} faults")
    sys.exit(1 if checker.faults or read == 0 else 0)


if __name__ == "__main__":
    main()
