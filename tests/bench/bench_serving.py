"""What clients of real servers get of a mount: the stage "serving" of scripts/bench."""

import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

SERVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "install", "serve")
PROGRAMS = ("ganesha.nfsd", "smbd", "smbclient", "/usr/sbin/sshd", "sftp", "nginx", "lighttpd", "curl")
MEMORY = "/dev/shm"  # where clients write to that cannot throw away
CHUNK = 1 << 20  # bytes that are read at once

NOTE = ("Serving: each client is one process with one connection at the same machine; sftp and smbclient write "
        "what they get into a file system in memory, the others throw it away.")


class Nfs:
    """libnfs in this process, since its programs take one file each."""

    def __init__(self, port):
        self._c = ctypes.CDLL("libnfs.so.13")
        for name in ("nfs_init_context", "nfs_parse_url_dir", "nfs_get_error"):
            getattr(self._c, name).restype = ctypes.c_void_p
        self._context = ctypes.c_void_p(self._c.nfs_init_context())
        url = f"nfs://127.0.0.1/chess?nfsport={port}&version=4".encode()
        if not self._c.nfs_parse_url_dir(self._context, url):
            self._fail("URL")
        if self._c.nfs_mount(self._context, b"127.0.0.1", b"/chess") != 0:
            self._fail("mount")
        self._buffer = ctypes.create_string_buffer(CHUNK)

    def _fail(self, what):
        text = ctypes.string_at(self._c.nfs_get_error(self._context))
        sys.exit(f"scripts/bench: NFS: {what}: {text.decode('utf-8', 'replace')}")

    def read(self, path):
        file = ctypes.c_void_p()
        if self._c.nfs_open(self._context, b"/" + path.encode(), os.O_RDONLY, ctypes.byref(file)) != 0:
            self._fail(path)
        total = 0
        while (count := self._c.nfs_read(self._context, file, ctypes.c_uint64(CHUNK), self._buffer)) > 0:
            total += count
        if count < 0:
            self._fail(path)
        self._c.nfs_close(self._context, file)
        return total

    def close(self):
        self._c.nfs_umount(self._context)
        self._c.nfs_destroy_context(self._context)


def read_here(path):
    with open(path, "rb", buffering=0) as file:
        total = 0
        while piece := file.read(CHUNK):
            total += len(piece)
        return total


def said(command, text):
    """What a client says that reads its commands from the standard input."""
    result = subprocess.run(command, check=False, input=text, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    if result.returncode != 0:
        sys.exit(f"scripts/bench: {command[0]}: exit code {result.returncode}")
    return result.stdout


class Served:
    """A mount and its servers. Clients return how many bytes they got, so that none is fast by reading less."""

    def __init__(self, words, copies):
        folder, self.nfs_port, self.samba_port, _, self.nginx_port, self.lighttpd_port = words
        self.mount, self.ssh, self.copies = f"{folder}/mnt/chess", f"{folder}/ssh.conf", copies

    def here(self, paths):
        return sum(read_here(os.path.join(self.mount, path)) for path in paths)

    def nfs(self, paths):
        client = Nfs(self.nfs_port)
        total = sum(client.read(path) for path in paths)
        client.close()
        return total

    def samba(self, paths):
        def line(path, target):
            remote = path.replace("/", "\\")
            return f'get "{remote}" {target}'
        return self._copy(["smbclient", "--no-pass", f"--port={self.samba_port}", "//127.0.0.1/chess"],
                          line, paths)

    def ssh_files(self, paths):
        return self._copy(["sftp", "-q", "-F", self.ssh, "-b", "-", "chess"],
                          lambda path, target: f'get "/chess/{path}" {target}', paths)

    def nginx(self, paths):
        return self._fetch(self.nginx_port, paths)

    def lighttpd(self, paths):
        return self._fetch(self.lighttpd_port, paths)

    def _copy(self, command, line, paths):
        with tempfile.TemporaryDirectory(dir=self.copies) as folder:
            said(command, "".join(line(path, os.path.join(folder, str(number))) + "\n"
                                  for number, path in enumerate(paths)))
            return sum(entry.stat().st_size for entry in os.scandir(folder))

    @staticmethod
    def _fetch(port, paths):
        urls = (f"http://127.0.0.1:{port}/chess/{urllib.parse.quote(path)}" for path in paths)
        sizes = said(["curl", "--silent", "--fail", "--write-out", "%{size_download}\n", "--config", "-"],
                     "".join(f'url = "{url}"\noutput = "/dev/null"\n' for url in urls))
        return sum(int(size) for size in sizes.split())


CLIENTS = (("NFS (Ganesha, libnfs)", Served.nfs), ("Samba (smbclient)", Served.samba),
           ("SSH (sftp)", Served.ssh_files), ("HTTP (nginx, curl)", Served.nginx),
           ("HTTP (lighttpd, curl)", Served.lighttpd))


@contextlib.contextmanager
def serving(database, build, copies):
    """All servers of a fresh mount of the database."""
    process = subprocess.Popen([SERVE, os.path.splitext(database)[0]], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True, env=dict(os.environ, BUILD_DIR=build))
    try:
        words = process.stdout.readline().split()
        if len(words) != 6:
            sys.exit("scripts/bench: the servers do not start")
        yield Served(words, copies)
    finally:
        process.stdin.close()
        process.wait()


def first_games(served, number):
    """Paths of the files of the first games, from the mount."""
    paths = []
    top = os.path.join(served.mount, "mega.si4", "games")
    for folder in sorted(os.listdir(top)):
        paths += [f"mega.si4/games/{folder}/{name}" for name in sorted(os.listdir(os.path.join(top, folder)))]
        if len(paths) >= number:
            break
    return paths[:number]


def measure(table, database, build, copies, runs, files):
    """Rows of each client for so many files of games, next to a process that reads the mount itself."""
    if missing := [program for program in PROGRAMS if shutil.which(program) is None]:
        sys.exit(f"scripts/bench: {missing[0]} is not installed (scripts/setup validate)")
    if os.geteuid() != 0:
        sys.exit("scripts/bench: serving wants root")
    table.notes.append(NOTE)
    with serving(database, build, copies) as served:
        games = first_games(served, files)
    whole = ["mega.si4/all.pgn"]
    for _ in range(runs):
        here = {}
        for name, client in (("the mount", Served.here), *CLIENTS):
            # Each its own mount: nothing of it is in any memory before.
            with serving(database, build, copies) as served:
                for what, paths, unit in (("first read of", games, "s"), ("second read of", games, "s"),
                                          ("`all.pgn`", whole, "MB/s")):
                    start = time.perf_counter()
                    size = client(served, paths)
                    seconds = time.perf_counter() - start
                    if what not in here:
                        here[what] = size, seconds
                        continue
                    if size != here[what][0]:
                        sys.exit(f"scripts/bench: {name}: {size} bytes, not {here[what][0]}")
                    if unit == "s":
                        table.row(f"{what} {len(games):,} games by {name}", unit, "the mount").add(
                            seconds, here[what][1])
                    else:
                        table.row(f"{what} by {name}", unit, "the mount", faster="more").add(
                            size / seconds / 1e6, size / here[what][1] / 1e6)
