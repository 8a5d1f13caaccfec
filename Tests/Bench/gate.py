# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback that can hold back what the server sends, so that it reaches the client at once."""

from __future__ import annotations

import socket
import threading
import time
from types import TracebackType

QUIET = 1.0  # seconds without anything new after which the server has sent everything
PATIENCE = 180.0  # seconds


class Gate:
    """The relay, as a context manager."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._changed = threading.Condition()
        self._is_open = True
        self._held, self._last = 0, 0.0

    def __enter__(self) -> Gate:
        self._listener = socket.create_server(("127.0.0.1", 0))
        #: The port of the relay.
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        self._listener.close()

    def hold(self) -> None:
        """Keep what the server sends from now on."""
        with self._changed:
            self._is_open, self._held, self._last = False, 0, time.monotonic()

    def wait_full(self, count: int) -> None:
        """Wait until at least so many bytes are held, and the server sends no more."""
        deadline = time.monotonic() + PATIENCE
        with self._changed:
            while self._held < count or time.monotonic() - self._last < QUIET:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"the server has sent {self._held} bytes of {count}")
                self._changed.wait(QUIET)

    def release(self) -> float:
        """Pass on everything, and return the time."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()
        return time.monotonic()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self._target))
            waiting: list[bytes] = []
            for target, ends in (
                (self._copy, (client, server)), (self._collect, (server, waiting)), (self._pass, (waiting, client)),
            ):
                threading.Thread(target=target, args=ends, daemon=True).start()

    def _copy(self, client: socket.socket, server: socket.socket) -> None:
        try:
            while data := client.recv(1 << 16):
                server.sendall(data)
        except OSError:
            pass
        _end(server)

    def _collect(self, server: socket.socket, waiting: list[bytes]) -> None:
        """Collect what the server sends; nothing more is the end."""
        data = b"more"
        while data:
            try:
                data = server.recv(1 << 16)
            except OSError:
                data = b""
            with self._changed:
                waiting.append(data)
                self._held, self._last = self._held + len(data), time.monotonic()
                self._changed.notify_all()

    def _pass(self, waiting: list[bytes], client: socket.socket) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_open and bool(waiting))
                parts = waiting[:]
                waiting.clear()
            try:
                client.sendall(b"".join(parts))
            except OSError:
                break
            if not parts[-1]:
                break
        _end(client)


def _end(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
