#!/usr/bin/env python3
"""Holds each table NAME.csv of a mount against NAME.tsv, as Python's reader reads it by default.

usage: check_csv.py [--excel] FOLDER [TABLE ...]

Looks at all listed tables below FOLDER, and at each TABLE, which need not be listed. --excel: those of a
mount with -o csv=excel, byte by byte. Prints the number of tables and of quotes in their fields; exits
with 1 after the first difference.
"""

import csv
import os
import re
import sys


def tables(top, names):
    yield from names
    for folder, _, files in os.walk(top):
        yield from (os.path.join(folder, name) for name in files if name.endswith(".tsv"))


def rows_of(path):
    """Returns the rows of a table; its fields are never quoted."""
    with open(path, encoding="utf-8", newline="") as file:
        return [line.split("\t") for line in file.read().split("\n")[:-1]]


def excel_text(rows):
    """Returns a table for Excel: numbers and empty fields bare, no text that begins as formulas do."""

    def field(text):
        if re.fullmatch(r"(-?[0-9]+(\.[0-9]+)?)?", text):
            return text
        return '"' + ("'" if text[0] in "=+-@\t\r" else "") + text.replace('"', '""') + '"'

    return "\ufeff" + "".join(",".join(map(field, row)) + "\n" for row in rows)


def compare(twin, text, expected):
    for line, (found, row) in enumerate(zip(csv.reader(text.splitlines(keepends=True)), expected), 1):
        if found != row:
            sys.exit(f"{twin}:{line}: {found}, not {row}")
    if text.count("\n") != len(expected):
        sys.exit(f"{twin}: other rows than its table")


def main():
    words = sys.argv[1:]
    is_for_excel = words[0] == "--excel"
    if is_for_excel:
        del words[0]
    count = quotes = 0
    for path in tables(words[0], words[1:]):
        twin = path[: -len(".tsv")] + ".csv"
        expected = rows_of(path)
        with open(twin, encoding="utf-8", newline="") as file:
            text = file.read()
        if len(text.encode()) != os.stat(twin).st_size:
            sys.exit(f"{twin}: its size is not that of its text")
        if is_for_excel:
            if text != excel_text(expected):
                sys.exit(f"{twin}: another text than that of {path}")
        else:
            compare(twin, text, expected)
        count += 1
        quotes += sum(field.count('"') for row in expected for field in row)
    print(f"{count} tables, {quotes} quotes")


main()
