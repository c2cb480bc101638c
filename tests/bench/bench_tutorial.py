"""How long the commands of scidfs-tutorial(7) take: the stage "tutorial" of scripts/bench."""

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
import time

PROMPT = "$ "
# Questions that say more about another database than the page's: what stands in their commands -> what is
# asked instead. NEW and OLD are numbers of games: the first that only the new version has, and one of both.
ANNOTATED = "annotated"
REPLACED = {
    "7": {"mega.si4": f"{ANNOTATED}.si4"},
    "10": {"news.si4": "mega.si4", "number=21": "number=NEW", "20.pgn": "OLD.pgn"},
}
# How many games the new version has that the old one lacks.
ADDED = 100
# Seconds after which a question is not asked again: then it is another program that takes so long.
LONG = 20


def questions(page):
    """The numbered questions of the page: number, title, commands."""
    found, in_block, goes_on, title = [], False, False, None
    with open(page, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.startswith("```"):
                in_block = not in_block
            elif not in_block and line.startswith("# "):
                if title := re.match(r"# (\d+)\. (.*)", line):
                    found.append((title[1], title[2], []))
            elif in_block and title:
                # In scdoc a backslash has the next character stand for itself.
                line = re.sub(r"\\(.)", r"\1", line)
                if line.startswith(PROMPT):
                    found[-1][2].append(line[len(PROMPT):])
                elif goes_on:
                    found[-1][2][-1] = found[-1][2][-1][:-1] + line
                goes_on = (goes_on or line.startswith(PROMPT)) and line.endswith("\\")
    return found


def replaced(number, command, games):
    for old, new in REPLACED.get(number, {}).items():
        command = command.replace(old, new)
    return command.replace("NEW", str(games - ADDED + 1)).replace("OLD", str(games - ADDED))


@contextlib.contextmanager
def home(mountpoint):
    """A home that has the mount as ~/mnt, and nothing else."""
    with tempfile.TemporaryDirectory(prefix="home-", dir=os.path.dirname(mountpoint)) as folder:
        os.symlink(mountpoint, os.path.join(folder, "mnt"))
        yield folder


def seconds_of(commands, folder, env):
    """Seconds that commands take together, typed by the owner of a home; None and why if one fails."""
    way, total = "cd ~/mnt/mega.si4", 0
    for command in commands:
        if command.startswith("cd "):
            way = command
            continue
        start = time.perf_counter()
        done = subprocess.run(["bash", "-c", f"{way} && {command}"], env=dict(env, HOME=folder), check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        total += time.perf_counter() - start
        # diff(1) says by its exit code that it has found something.
        if done.returncode > (1 if command.startswith("diff") else 0):
            return None, f"`{command}`: {done.stderr.decode('utf-8', 'replace').strip()}"
    return total, None


def put(target, made, move=os.rename):
    """Puts a database into its place under another name; whether there is one."""
    if made is None:
        return False
    for end in (".si4", ".sg4", ".sn4"):
        move(os.path.splitext(made)[0] + end, target + end)
    return True


def fill(folder, database, annotated, news, games, multiply):
    """Makes the databases that the page speaks of; whether there is room for them. `multiply` makes a
    database of that many games in a folder."""
    backup = os.path.join(folder, "backup")
    os.mkdir(backup)
    return (put(os.path.join(folder, "mega"), multiply(database, games, folder))
            and put(os.path.join(backup, "mega"), multiply(database, games - ADDED, backup))
            and put(os.path.join(folder, ANNOTATED), multiply(annotated, games // 10, folder))
            and put(os.path.join(folder, "news"), news, shutil.copyfile))


class Tutorial:
    """Rows for one folder of databases, mega.si4 with so many games among them. `mount` mounts it."""

    def __init__(self, table, mountpoint, page, env, mount):
        self.table, self.mountpoint, self.page, self.env, self.mount = table, mountpoint, page, env, mount

    def measure(self, games, runs):
        for number, title, commands in questions(self.page):
            commands = [replaced(number, command, games) for command in commands]
            for _ in range(runs):
                if fault := self.ask(f"{number}. {title}", commands, games):
                    self.table.notes.append(f"{games:,} games: not measured is {number}. {title}: {fault}")
                    break

    def ask(self, what, commands, games):
        """Asks twice after a mount; returns what went wrong, if anything."""
        with self.mount():
            for when in ("first", "again"):
                with home(self.mountpoint) as folder:
                    seconds, fault = seconds_of(commands, folder, self.env)
                if fault:
                    return fault
                self.table.sized_row(f"{what}, {when}", "s").add(games, seconds)
                if seconds > LONG:
                    break
        return None
