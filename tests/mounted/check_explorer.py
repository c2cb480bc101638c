#!/usr/bin/python3
"""Holds explorer.json of random positions of games against moves.tsv and openings.tsv beside it.

usage: check_explorer.py MOUNT DATABASE [COUNT [SEED]]

MOUNT is a folder, or the http: URL where a server has it; DATABASE is a directory in it, such as mega.si4. Takes COUNT
positions (default 1000) of as many games, the same for the same SEED. Prints each fault, and at the end how many
positions it has looked at; exits with 1 if there was a fault.
"""

import argparse
import json
import random
import sys

from check_pages import open_mount, read_rows

RESULTS = {"white": "white_wins", "draws": "draws", "black": "black_wins"}


def position_names(mount, database, count, seed):
    """The directories of positions, one of a game."""
    numbers = [row["number"] for row in read_rows(mount, f"{database}/index.tsv")]
    chosen = random.Random(seed)
    for number in chosen.choices(numbers, k=count):
        lines = mount.read(f"{database}/fens/{number}.epd").decode().splitlines()
        fields = chosen.choice(lines).split(" ")[:4]
        yield f"{database}/positions/" + "_".join(fields).replace("/", "-")


def faults_of(mount, position):
    found = json.loads(mount.read(f"{position}/explorer.json"))
    # Tables name moves without the signs of check.
    moves = [[move["san"].rstrip("+#"), move["uci"], *(move[name] for name in RESULTS), move["averageRating"]]
             for move in found["moves"]]
    wanted = [[row["san"], row["uci"], *(int(row[name]) for name in RESULTS.values()), int(row["average_elo"] or 0)]
              for row in read_rows(mount, f"{position}/moves.tsv")]
    if moves != wanted:
        yield f"moves {moves[:3]}, {wanted[:3]} wanted"
    openings = read_rows(mount, f"{position}/openings.tsv")
    totals = {name: sum(int(row[column]) for row in openings) for name, column in RESULTS.items()}
    if {name: found[name] for name in RESULTS} != totals:
        yield f"results differ from {totals}"
    if not openings:
        yield "no game comes to it"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("mount")
    parser.add_argument("database")
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    words = parser.parse_args()
    mount = open_mount(words.mount)
    faults = 0
    looked_at = 0
    for position in position_names(mount, words.database, words.count, words.seed):
        looked_at += 1
        for fault in faults_of(mount, position):
            print(f"{position}: {fault}")
            faults += 1
    print(f"{looked_at} positions, {faults} faults")
    sys.exit(1 if faults or looked_at == 0 else 0)


main()
