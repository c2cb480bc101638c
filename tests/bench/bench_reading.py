"""How fast programs read all.pgn and games/ of one mounted database: the stage `reading` of scripts/bench."""

import os
import shutil
import tempfile

from bench_mounts import cpu_seconds, counters, grep, processes, reads, served, timed

# Programs that go over all files of a folder, and how many times as fast as in an empty file system they
# are to be there for the first time.
READERS = {
    "grep -rc zzz games/": (["grep", "-rc", "zzz"], 2.0),
    "rg -c zzz games/": (["rg", "-uuc", "zzz"], 4 / 3),
    "cp -r games/": (["cp", "-r", "--no-preserve=mode"], 1.5),
}
LISTERS = {
    "find games/ -size +1M": ["find", "-size", "+1M"],
    "ls -lR games/": ["ls", "-lR"],
}
# Microseconds of the daemon's processor for listing, looking up and reading one file.
MOST_CPU = 7


def fast_folder(folder):
    """Where copies are to go: main memory if there is room for them, else `folder`."""
    memory = "/dev/shm"
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2**30:
        return memory
    return folder


class Reading:
    """`mount(cache, *options, daemon=None)` mounts the database; `scid` times scidpgn, or returns None."""

    def __init__(self, table, folder, mountpoint, daemons, null_fs, mount, new_cache, scid):
        self.table, self.folder, self.mountpoint, self.null_fs = table, folder, mountpoint, null_fs
        self.daemon, self.before = daemons
        self.mount, self.new_cache, self.scid = mount, new_cache, scid
        self.null_tree = os.path.join(folder, "null")
        os.mkdir(self.null_tree)

    def run(self, command, tree):
        """Seconds that a command takes over a folder."""
        if command[0] == "cp":
            with tempfile.TemporaryDirectory(prefix="scidfs-bench-", dir=fast_folder(self.folder)) as copy:
                return timed(*command, tree, os.path.join(copy, "games"))
        words = [command[0], tree, *command[1:]] if command[0] == "find" else [*command, tree]
        # Without a match grep's exit code is 1.
        return timed(*words, allowed=(0, 1))

    def measure(self, database, games, runs):
        row = self.table.row
        first = row("first `cat all.pgn`, sizes known", "s", "scidpgn", goal=15)
        ever = row("first mount ever and `cat all.pgn`", "s", "scidpgn")
        second = row("second `cat all.pgn`", "s", "`cat` of a plain file", goal=0.8)
        second_reads = row("second `cat all.pgn`: the kernel asks for bytes", "times")
        second_grep = row("second `grep -rc zzz games/`", "s", "the files on disk", goal=1 / 1.2)
        second_grep_reads = row("second `grep -rc zzz games/`: the kernel asks for bytes", "times")

        warm = self.new_cache()
        text, tree = os.path.join(self.mountpoint, "all.pgn"), os.path.join(self.mountpoint, "games")
        plain, exported = os.path.join(self.folder, "plain.pgn"), os.path.join(self.folder, "exported")
        with self.mount(warm):
            shutil.copyfile(text, plain)
            # Without the modes: folders that may not be written could not be removed.
            timed("cp", "-r", "--no-preserve=all", tree, exported)
        files = sum(len(names) for _, _, names in os.walk(exported))
        mean = os.path.getsize(plain) // max(1, files)
        self.table.notes.append(f"Reading: {games:,} games, {os.path.getsize(plain):,} bytes as PGN, {files:,} "
                                "files in games/.")
        grep(exported)
        # Round by round, so that a busy moment of the machine falls on all of them alike.
        for run in range(runs):
            scid = self.scid(database)
            cold = self.new_cache()
            with self.mount(cold) as seconds:
                ever.add(seconds + timed("cat", text), scid)
            shutil.rmtree(cold)
            with self.mount(warm):
                first.add(timed("cat", text), scid)
                again, asked = reads(self.mountpoint, lambda: timed("cat", text))
            second.add(again, timed("cat", plain))
            second_reads.add(asked)
            for what, (command, goal) in READERS.items():
                self.measure_first(what, command, goal, warm, tree, (files, mean), run)
            for what, command in LISTERS.items():
                self.measure_first(what, command, None, warm, tree, (files, mean), run)
            with self.mount(warm):
                grep(tree)
                again, asked = reads(self.mountpoint, lambda: grep(tree))
            second_grep.add(again, grep(exported))
            second_grep_reads.add(asked)
            # Fewer take no time.
            if self.before and games >= 50_000:
                self.measure_sizes(run)
        shutil.rmtree(exported)
        shutil.rmtree(warm)
        os.remove(plain)

    def measure_first(self, what, command, goal, cache, tree, shape, run):
        """A program's first way over games/, and over an empty file system of the same shape."""
        if shutil.which(command[0]) is None:
            return
        files, mean = shape
        name = f"first `{what}`"
        times = {}
        # In turns also within the round: whoever comes second finds the kernel's memory warm.
        who = ["ours", "null"] + (["before"] if self.before else [])
        for one in who if run % 2 == 0 else reversed(who):
            if one == "null":
                with served(self.null_tree, [self.null_fs, str(files), str(mean), self.null_tree]):
                    times[one] = self.run(command, self.null_tree)
                continue
            daemon = self.daemon if one == "ours" else self.before
            with self.mount(cache, daemon=daemon):
                [pid] = processes(daemon, self.mountpoint)
                used = cpu_seconds(pid)
                times[one] = self.run(command, tree)
                # What is less than a tick of the kernel's clock cannot be seen.
                used = max(cpu_seconds(pid) - used, 1 / os.sysconf("SC_CLK_TCK"))
                if one == "ours":
                    self.add_costs(name, used, files, goal is not None)
        self.table.row(name, "s", "an empty FUSE file system", goal=goal).add(times["ours"], times["null"])
        if self.before:
            self.table.row(name, "s", "the daemon before", goal=0.95).add(times["ours"], times["before"])

    def add_costs(self, name, used, files, is_reader):
        self.table.row(f"{name}: CPU of the daemon", "us/file", f"the goal of {MOST_CPU} us", goal=1).add(
            used * 1e6 / files, MOST_CPU)
        if is_reader:
            asked = counters(self.mountpoint)["requests read"]
            self.table.row(f"{name}: the kernel asks for bytes", "% of files").add(100 * asked / files)

    def measure_sizes(self, run):
        """The first mount ever that waits for all sizes."""
        times = {}
        who = [self.daemon, self.before]
        for daemon in who if run % 2 == 0 else reversed(who):
            cold, seconds = self.new_cache(), {}
            for cache in ("cold", "warm"):
                with self.mount(cold, "-o", "index=wait", daemon=daemon) as took:
                    seconds[cache] = took
            shutil.rmtree(cold)
            times[daemon] = seconds["cold"] - seconds["warm"]
        self.table.row("finding the sizes of all games", "s", "the daemon before", goal=1.5).add(
            times[self.daemon], times[self.before])
