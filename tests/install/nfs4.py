"""The few requests of NFS 4.0 (RFC 7530) that say what a file handle is good for.

A handle is what a server calls a file; clients keep it for as long as they like. The client programs of libnfs
show none, so this asks for one, keeps it, and reads by it, whatever was started anew meanwhile. Nothing is
opened: a server reads for whom it does not know, too.
"""

import socket
import struct

OK = 0
STALE = 70
# What says that something may not be changed: no access, a read-only file system.
REFUSALS = (13, 30)
# What says that somebody may not look: nothing there, no access.
DENIALS = (2, 13)
NAMES = {2: "NOENT", 5: "IO", 13: "ACCESS", 30: "ROFS", STALE: "STALE", 10001: "BADHANDLE"}

_PROGRAM = (100003, 4, 1)  # NFS, version 4, COMPOUND
_AUTH_SYS = 1
_GETFH, _LOOKUP, _PUTFH, _PUTROOTFH, _READ, _REMOVE = 10, 15, 22, 24, 25, 28
_CHUNK = 1 << 16  # bytes of a READ
_NOBODY_S_STATE = bytes(16)


class NfsError(Exception):
    """A status other than OK."""

    def __init__(self, status):
        super().__init__(NAMES.get(status, str(status)))
        self.status = status


def _opaque(data):
    return struct.pack(">I", len(data)) + data + bytes(-len(data) % 4)


class _Reader:
    def __init__(self, data):
        self._data, self._at = data, 0

    def number(self):
        [value] = struct.unpack_from(">I", self._data, self._at)
        self._at += 4
        return value

    def opaque(self):
        length = self.number()
        value = self._data[self._at:self._at + length]
        self._at += length + -length % 4
        return value


class Client:
    """A connection, and an export. Requests are made one after the other, as root."""

    def __init__(self, port, export):
        self._export = export
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        credentials = struct.pack(">I", 0) + _opaque(b"test") + struct.pack(">III", 0, 0, 0)
        self._head = struct.pack(">I", _AUTH_SYS) + _opaque(credentials) + struct.pack(">II", 0, 0)
        self._number = 0

    def close(self):
        self._socket.close()

    def handle(self, path):
        """The handle of a path in the export."""
        words = [self._export, *(word for word in path.split("/") if word)]
        reply = self._compound([struct.pack(">I", _PUTROOTFH),
                                *(struct.pack(">I", _LOOKUP) + _opaque(word.encode()) for word in words),
                                struct.pack(">I", _GETFH)])
        return reply.opaque()

    def read(self, handle):
        """All bytes of the file with that handle."""
        pieces, at = [], 0
        while True:
            reply = self._compound([
                struct.pack(">I", _PUTFH) + _opaque(handle),
                struct.pack(">I", _READ) + _NOBODY_S_STATE + struct.pack(">QI", at, _CHUNK)])
            is_end = reply.number()
            piece = reply.opaque()
            pieces.append(piece)
            at += len(piece)
            if is_end or not piece:
                return b"".join(pieces)

    def lookup(self, handle, name):
        """The handle of a name in the directory with that handle."""
        return self._compound([struct.pack(">I", _PUTFH) + _opaque(handle),
                               struct.pack(">I", _LOOKUP) + _opaque(name.encode()),
                               struct.pack(">I", _GETFH)]).opaque()

    def remove(self, handle, name):
        """Deletes a name in the directory with that handle."""
        self._compound([struct.pack(">I", _PUTFH) + _opaque(handle),
                        struct.pack(">I", _REMOVE) + _opaque(name.encode())])

    def _compound(self, operations):
        """Sends operations, and returns what the last of them has replied."""
        self._number += 1
        call = struct.pack(">IIIIII", self._number, 0, 2, *_PROGRAM) + self._head
        call += _opaque(b"") + struct.pack(">II", 0, len(operations)) + b"".join(operations)
        self._socket.sendall(struct.pack(">I", 0x8000_0000 | len(call)) + call)
        reply = _Reader(self._receive())
        for _ in range(3):  # number, that it is a reply, that it was accepted
            reply.number()
        reply.number(), reply.opaque()  # who the server is
        if accepted := reply.number():
            raise NfsError(accepted)
        status = reply.number()
        if status != OK:
            raise NfsError(status)
        reply.opaque()
        for place in range(reply.number()):
            operation = reply.number()
            reply.number()
            if operation == _GETFH and place + 1 < len(operations):
                reply.opaque()
        return reply

    def _receive(self):
        data, is_last = b"", False
        while not is_last:
            [head] = struct.unpack(">I", self._exactly(4))
            is_last = bool(head & 0x8000_0000)
            data += self._exactly(head & 0x7FFF_FFFF)
        return data

    def _exactly(self, count):
        data = bytearray()
        while len(data) < count:
            piece = self._socket.recv(count - len(data))
            if not piece:
                raise ConnectionError("the server has closed the connection")
            data += piece
        return bytes(data)
