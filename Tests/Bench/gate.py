# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback that can hold back what the server sends, so that it reaches the client at once."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType

from local_relay import LocalRelay, end

QUIET = 1.0  # seconds without anything new after which the server has sent everything
PATIENCE = 180.0  # seconds


class Gate(LocalRelay):
    """The relay, as a context manager."""

    def __init__(self, target: int) -> None:
        super().__init__(target)
        self._changed = threading.Condition()
        self._is_open = True
        self._held, self._last = 0, 0.0

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        super().__exit__(kind, error, trace)

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

    def work(self, client: socket.socket, server: socket.socket) -> list[Callable[[], None]]:
        waiting: list[bytes] = []
        return [
            lambda: self._copy(client, server), lambda: self._collect(server, waiting), lambda: self._pass(waiting, client)]

    def _copy(self, client: socket.socket, server: socket.socket) -> None:
        try:
            while data := client.recv(1 << 16):
                server.sendall(data)
        except OSError:
            pass
        end(server)

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
        end(client)

