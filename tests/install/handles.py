#!/usr/bin/env python3
"""Keeps file handles of a mount in a file, and says whether they still lead where they led.

usage: handles.py WHERE FILE keep MOUNT PATH...    asks for handles of these paths, and reads what they give
       handles.py WHERE FILE same [PATH...]        each leads to the same bytes, or to a directory that has the
                                                   name that it had; those of PATHs may be stale, of a PATH
                                                   that ends in / those of all files below it
       handles.py WHERE FILE refuse PATH           nobody may delete it
       handles.py WHERE FILE deny PATH             nobody gets a handle of it

WHERE is the port of an NFS server whose export is called /chess, or the path of a mount, to ask the kernel
itself. What is wrong is printed.
"""

import json
import os
import sys

sys.dont_write_bytecode = True
import nfs4  # noqa: E402
from kernel_handles import Kernel, is_stale  # noqa: E402


def read(path):
    with open(path, "rb") as file:
        return file.read()


def keep(asked, mount, paths):
    kept = []
    for path in paths:
        local = os.path.join(mount, path)
        entry = {"path": path, "handle": asked.handle(path).hex()}
        if os.path.isdir(local):
            entry["child"] = os.listdir(local)[0]
        else:
            entry["text"] = read(local).hex()
        state = state_of(asked, entry)
        if state != "same":
            sys.exit(f"{path}: {state}")
        kept.append(entry)
    return kept


def state_of(asked, entry):
    """"same", "stale", or what is wrong."""
    handle = bytes.fromhex(entry["handle"])
    try:
        if "child" in entry:
            asked.lookup(handle, entry["child"])
            return "same"
        return "same" if asked.read(handle) == bytes.fromhex(entry["text"]) else "other bytes"
    except (nfs4.NfsError, OSError) as error:
        is_nfs_stale = isinstance(error, nfs4.NfsError) and error.status == nfs4.STALE
        return "stale" if is_nfs_stale or is_stale(error) else str(error)


def may_be_stale(paths, entry):
    path = entry["path"]
    return path in paths or any(each.endswith("/") and path.startswith(each) and "text" in entry
                                for each in paths)


def refused(statuses, action):
    """0 if the server answers with one of the statuses, else what happened."""
    try:
        action()
    except nfs4.NfsError as error:
        return 0 if error.status in statuses else str(error)
    return "not refused"


def main():
    where, file, command, *arguments = sys.argv[1:]
    asked = Kernel(where) if where.startswith("/") else nfs4.Client(int(where), "chess")
    if command == "keep":
        with open(file, "w", encoding="ascii") as out:
            json.dump(keep(asked, arguments[0], arguments[1:]), out)
        return 0
    if command == "refuse":
        folder, _, name = arguments[0].rpartition("/")
        return refused(nfs4.REFUSALS, lambda: asked.remove(asked.handle(folder), name))
    if command == "deny":
        return refused(nfs4.DENIALS, lambda: asked.handle(arguments[0]))
    wrong = 0
    with open(file, encoding="ascii") as kept:
        for entry in json.load(kept):
            state = state_of(asked, entry)
            if state != "same" and not (state == "stale" and may_be_stale(arguments, entry)):
                print(f"{entry['path']}: {state}", file=sys.stderr)
                wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
