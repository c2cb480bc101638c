"""File handles as the kernel gives them to servers: name_to_handle_at(2) and open_by_handle_at(2)."""

import ctypes
import errno
import os

_C = ctypes.CDLL(None, use_errno=True)
_MOST_BYTES = 128
_AT_FDCWD = -100


class _Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("data", ctypes.c_ubyte * _MOST_BYTES)]


def _failure():
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


class Kernel:
    """The mount at a path, asked as nfs4.Client asks a server. Only root may open by handle."""

    def __init__(self, mount):
        self._mount = mount

    def handle(self, path):
        handle, mount = _Handle(bytes=_MOST_BYTES), ctypes.c_int()
        name = os.fsencode(os.path.join(self._mount, path))
        if _C.name_to_handle_at(_AT_FDCWD, name, ctypes.byref(handle), ctypes.byref(mount), 0) != 0:
            raise _failure()
        return handle.type.to_bytes(4, "big") + bytes(handle.data[:handle.bytes])

    def read(self, handle):
        with open(self._open(handle, 0), "rb") as file:
            return file.read()

    def lookup(self, handle, name):
        """Whether there is such a name in a directory; FileNotFoundError if not."""
        directory = self._open(handle, os.O_DIRECTORY)
        try:
            os.stat(name, dir_fd=directory)
        finally:
            os.close(directory)

    def _open(self, handle, flags):
        bare = _Handle(bytes=len(handle) - 4, type=int.from_bytes(handle[:4], "big"))
        bare.data[:len(handle) - 4] = handle[4:]
        mount = os.open(self._mount, os.O_RDONLY | os.O_DIRECTORY)
        try:
            descriptor = _C.open_by_handle_at(mount, ctypes.byref(bare), os.O_RDONLY | flags)
            if descriptor < 0:
                raise _failure()
            return descriptor
        finally:
            os.close(mount)


def is_stale(error):
    return isinstance(error, OSError) and error.errno == errno.ESTALE
