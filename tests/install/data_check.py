#!/usr/bin/python3
"""Holds the arrays of a set against its tables of text.

usage: data_check.py SET
"""
import json
import random
import sys

import numpy as np

games = sys.argv[1]
PIECES = {letter: sign * number for sign, letters in ((1, "PNBRQK"), (-1, "pnbrqk"))
          for number, letter in enumerate(letters, 1)}


def load(name):
    return np.load(f"{games}{name}.npy", mmap_mode="r")


def square(name):
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def packed(uci):
    if uci == "0000":
        return 0x8000
    promotion = "..nbrq".index(uci[4]) if len(uci) == 5 else 0
    return square(uci[:2]) | square(uci[2:4]) << 6 | promotion << 12


def board(fen):
    cells = np.zeros((8, 8), np.int8)
    for rank, row in zip(range(7, -1, -1), fen.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                cells[rank, file] = PIECES[letter]
                file += 1
    return cells


def rows(name):
    with open(games + name, encoding="utf-8", errors="surrogateescape", newline="\n") as table:
        head = next(table).rstrip("\n").split("\t")
        for line in table:
            yield dict(zip(head, line.rstrip("\n").split("\t")))


index = list(rows("index.tsv"))
manifest = json.load(open(games + "manifest.json"))
for name, facts in manifest["files"].items():
    array = np.load(games + name, mmap_mode="r")
    assert list(array.shape) == facts["shape"] and array.dtype.str == facts["dtype"], name
offsets, moves, boards, states = load("offsets"), load("moves"), load("boards"), load("state")
assert manifest["games"] == len(index) and len(offsets) == len(index) + 1
assert len(boards) == len(states) == len(moves) + len(index)
assert load("numbers").tolist() == [int(row["number"]) for row in index]
values = {"1-0": 1, "1/2-1/2": 0, "0-1": -1, "*": -128}
assert load("results").tolist() == [values[row["result"]] for row in index]
assert load("elos").tolist() == [[int(row["white_elo"] or 0), int(row["black_elo"] or 0)] for row in index]

# All moves; the boards of about a thousand games.
number_to_game = {row["number"]: game for game, row in enumerate(index)}
looked_at = set(random.Random(54).sample(range(len(index)), min(1000, len(index))))
expected = np.zeros(len(moves), np.uint16)
for row in rows("plies.tsv"):
    game, ply = number_to_game[row["number"]], int(row["ply"])
    if ply > 0:
        expected[int(offsets[game]) + ply - 1] = packed(row["uci"])
    if game not in looked_at:
        continue
    at = int(offsets[game]) + game + ply
    fen, side, castling, passed = row["fen"].split(" ")
    assert (boards[at] == board(fen)).all(), (row, boards[at])
    assert states[at][0] == "wb".index(side), row
    if passed != "-":
        assert states[at][2] == square(passed), row
    if castling == "-":
        assert states[at][1] == 0, row
assert (moves == expected).all()
