#!/usr/bin/env python3
"""Holds each table NAME.csv of a mount against NAME.tsv, as Python's reader reads it by default.

usage: check_csv.py FOLDER [TABLE ...]

Looks at all listed tables below FOLDER, and at each TABLE, which need not be listed. Prints the number
of tables and of fields with quotes; exits with 1 after the first difference.
"""

import csv
import os
import sys


def tables(top, names):
    yield from names
    for folder, _, files in os.walk(top):
        yield from (os.path.join(folder, name) for name in files if name.endswith(".tsv"))


def rows_of(path):
    """Returns the rows of a table; its fields are never quoted."""
    with open(path, encoding="utf-8", newline="") as file:
        return [line.split("\t") for line in file.read().split("\n")[:-1]]


def main():
    count = quotes = 0
    for path in tables(sys.argv[1], sys.argv[2:]):
        twin = path[: -len(".tsv")] + ".csv"
        expected = rows_of(path)
        with open(twin, encoding="utf-8", newline="") as file:
            text = file.read()
        if len(text.encode()) != os.stat(twin).st_size:
            sys.exit(f"{twin}: its size is not that of its text")
        for line, (found, row) in enumerate(zip(csv.reader(text.splitlines(keepends=True)), expected), 1):
            if found != row:
                sys.exit(f"{twin}:{line}: {found}, not {row}")
        if text.count("\n") != len(expected):
            sys.exit(f"{twin}: other rows than {path}")
        count += 1
        quotes += sum(field.count('"') for row in expected for field in row)
    print(f"{count} tables, {quotes} quotes")


main()
