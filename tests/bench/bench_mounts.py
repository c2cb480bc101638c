"""Mounts, programs run on them, and what both cost: what scripts/bench measures with."""

import contextlib
import os
import subprocess
import sys
import tempfile
import time


def timed(*command, env=None, allowed=(0,)):
    """Seconds that a command takes; its output is thrown away."""
    start = time.perf_counter()
    code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          env=env).returncode
    seconds = time.perf_counter() - start
    if code not in allowed:
        sys.exit(f"scripts/bench: {' '.join(command)}: exit code {code}")
    return seconds


def grep(folder):
    # Without a match grep's exit code is 1.
    return timed("grep", "-rc", "zzz", folder, allowed=(0, 1))


def first_byte(path):
    start = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        file.read(1)
    return time.perf_counter() - start


def processes(executable, word):
    """Numbers of the daemons that run `executable` with `word` among their arguments."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                with open(f"/proc/{name}/comm", "rb") as file:
                    if file.read().strip() == b"scidfs-guardian":
                        continue
                if words[0] == os.fsencode(executable) and os.fsencode(word) in words:
                    found.append(int(name))
    return found


def fields(path):
    """The `key: value` lines of a file."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return {key: value.strip() for key, _, value in (line.partition(":") for line in file)}


def resident(pid):
    """Bytes of main memory that a process has."""
    return int(fields(f"/proc/{pid}/status")["VmRSS"].split()[0]) * 1024


def private_memory(pid):
    """Bytes of main memory that a process alone has, and that the kernel cannot take back."""
    return int(fields(f"/proc/{pid}/smaps_rollup")["Private_Dirty"].split()[0]) * 1024


def cpu_seconds(pid):
    """What a process has used of processors, its ended threads included."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def kernel_memory():
    """Bytes of the kernel's memory for inodes and names; all it could give back, where only root may
    see more."""
    total = 0
    try:
        with open("/proc/slabinfo", encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0] in ("fuse_inode", "dentry"):
                    total += int(words[1]) * int(words[3])
    except OSError:
        total = int(fields("/proc/meminfo")["SReclaimable"].split()[0]) * 1024
    return total


def counters(mountpoint):
    """The numbers in status.txt. That one is read costs a lookup and a read, which are in the next."""
    time.sleep(1.1)  # the name stands for the same text for a second
    return {key: int(value) for key, value in fields(os.path.join(mountpoint, "status.txt")).items()
            if value.isdigit()}


def reads(mountpoint, action):
    """What `action` returns, and how often the kernel asked for bytes meanwhile."""
    before = counters(mountpoint)["requests read"]
    result = action()
    return result, counters(mountpoint)["requests read"] - before - 1


def unmount(mountpoint):
    for arguments in (["-u"], ["-u"], ["-u"], ["-u", "-z"]):
        if not os.path.ismount(mountpoint):
            break
        if subprocess.run(["fusermount3", *arguments, mountpoint], check=False).returncode != 0:
            time.sleep(0.2)


@contextlib.contextmanager
def served(mountpoint, command, env=None):
    """Runs a command that mounts; yields the seconds that took. Unmounts whatever happens, and waits
    for the end of the daemon, which would otherwise slow down what is measured next."""
    try:
        # Messages go to a file, shown only if mounting fails. Not to a pipe: the daemon might keep it
        # open, and reading it would wait for the unmount.
        with tempfile.TemporaryFile() as messages:
            start = time.perf_counter()
            process = subprocess.run(command, env=env, check=False, stdout=messages, stderr=messages)
            seconds = time.perf_counter() - start
            if process.returncode != 0:
                messages.seek(0)
                sys.exit("scripts/bench: cannot mount: " + messages.read().decode("utf-8", "replace"))
        yield seconds
    finally:
        unmount(mountpoint)
        for _ in range(1000):
            if not processes(command[0], mountpoint):
                break
            time.sleep(0.02)
