#!/usr/bin/python3
"""Follows the links of pages in a mount, and holds each page against HTML and against the tables beside it.

usage: check_pages.py MOUNT [MOST [FIRST ...]]

Begins with the pages FIRST (default: index.html), reads at most MOST pages (default 1000), and takes from each page at
most three links of a kind to pages that it has not seen, those of rare kinds first, so that it comes to pages of all
kinds. Prints each fault, and at the end how many pages of which kinds it has read; exits with 1 if there was a fault.
"""

import collections
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

import html5lib

ELEMENTS = set(
    """html head meta title link script body nav main h1 h2 p a ul li pre code span div table caption thead tbody tr
    th td img figure form label input button noscript svg rect path use defs g em""".split())
POLICY = ("default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; base-uri 'none'; "
          "form-action 'none'")
SPACE = re.compile(r"\{.*\}")


def kind_of(path):
    """The path with what varies taken out: pages of one kind look alike."""
    names = path.split("/")
    kind = []
    for name in names:
        if "=" in name:
            name = name.split("=")[0] + "="
        elif name.endswith((".html", ".svg", ".pgn")) and name[:1].isdigit():
            name = "N" + os.path.splitext(name)[1]
        kind.append(name)
    for i, name in enumerate(kind):
        if name in ("players", "people", "events", "tournaments", "years", "eco", "openings", "flags", "games", "tree",
                    "positions", "deleted"):
            inner = [x for x in kind[i + 1:] if not x.startswith(("index.", "N.", "search", "tree", "positions"))]
            kept = [x for x in kind[i + 1:] if x not in inner]
            return "/".join(kind[:i + 1] + ["*"] * min(len(inner), 3) + kept)
    return "/".join(kind)


class Checker:
    def __init__(self, mount):
        self.mount = mount
        self.faults = 0
        self.kinds = collections.Counter()

    def fault(self, path, what):
        self.faults += 1
        if self.faults <= 50:
            print(f"{path}: {what}")

    def parse(self, path):
        with open(os.path.join(self.mount, path), "rb") as file:
            data = file.read()
        if len(data) != os.stat(os.path.join(self.mount, path)).st_size:
            self.fault(path, "its size is not that of its text")
        parser = html5lib.HTMLParser(strict=False)
        document = parser.parse(data, transport_encoding="utf-8")
        for position, code, details in parser.errors:
            self.fault(path, f"{code} at {position} {details}")
        return document

    def links(self, path, document):
        """Checks elements; yields the paths of local links."""
        ids = set()
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

    def link(self, path, element, value, node):
        if value.startswith(("http://", "https://")):
            if element != "a" or node.get("rel") != "noopener noreferrer nofollow":
                self.fault(path, f"link out of the mount: {value}")
            return
        if value.startswith("#"):
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
        for row in table.iter("{http://www.w3.org/1999/xhtml}tr"):
            yield ["".join(cell.itertext()).strip() for cell in row]

    def compare(self, path, document):
        """Holds tables of the page against those beside it."""
        folder = os.path.join(self.mount, os.path.dirname(path))
        for table in document.iter("{http://www.w3.org/1999/xhtml}table"):
            caption = table.find("{http://www.w3.org/1999/xhtml}caption")
            name = caption.text if caption is not None else ""
            file, column = {"Moves": ("moves.tsv", "san"), "Players": ("players.tsv", "name"),
                            "Opponents": ("opponents.tsv", "name"),
                            "Openings, score of White": ("openings.tsv", "eco")}.get(name, (None, None))
            if file is None or not os.path.exists(os.path.join(folder, file)):
                continue
            with open(os.path.join(folder, file), encoding="utf-8", newline="\n") as text:
                head, *lines = text.read().rstrip("\n").split("\n")
            head = head.split("\t")
            rows = [line.split("\t") for line in lines]
            wanted = [(row[head.index(column)].strip(), row[head.index("games")]) for row in rows]
            shown = list(self.cells(table))
            games = shown[0].index("Games")
            found = [(row[0], row[games].replace(",", "")) for row in shown[1:]]
            known = {"none": "", "?": ""}
            found = [(known.get(name, name), count) for name, count in found]
            clean = [(known.get(name, name), count) for name, count in wanted[:len(found)]]
            if found != clean:
                self.fault(path, f"{name} differ from {file}: {found[:3]} {clean[:3]}")

    def check(self, path):
        document = self.parse(path)
        policy = [meta.get("content") for meta in document.iter("{http://www.w3.org/1999/xhtml}meta")
                  if meta.get("http-equiv") == "Content-Security-Policy"]
        if policy != [POLICY]:
            self.fault(path, f"policy {policy}")
        self.compare(path, document)
        return list(self.links(path, document))

    def check_picture(self, path):
        try:
            ElementTree.parse(os.path.join(self.mount, path))
        except ElementTree.ParseError as error:
            self.fault(path, str(error))

    def follow(self, first, most):
        seen = set(first)
        waiting = list(first)
        read = 0
        while waiting and read < most:
            # A page of the kind that was read least often, of these the first.
            path = waiting.pop(min(range(len(waiting)), key=lambda i: self.kinds[kind_of(waiting[i])]))
            read += 1
            self.kinds[kind_of(path)] += 1
            taken = collections.Counter()
            for target in self.check(path):
                kind = kind_of(target)
                if taken[kind] >= 3 or target in seen:
                    continue
                taken[kind] += 1
                seen.add(target)
                if not os.path.isfile(os.path.join(self.mount, target)):
                    self.fault(path, f"dead link to {target}")
                elif target.endswith(".html"):
                    waiting.append(target)
                elif target.endswith(".svg"):
                    self.check_picture(target)
        return read


def main():
    mount = sys.argv[1]
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    checker = Checker(mount)
    read = checker.follow(sys.argv[3:] or ["index.html"], most)
    for kind, count in sorted(checker.kinds.items()):
        print(f"{count:6} {kind}")
    print(f"{read} pages, {checker.faults} faults")
    sys.exit(1 if checker.faults or read == 0 else 0)


main()
