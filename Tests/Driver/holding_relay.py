# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback that can hold back what clients send, so that a transfer stays in the middle."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

from local_relay import LocalRelay, end
from phone import Mismatch
from processes import TIMEOUT


class HoldingRelay(LocalRelay):
    """The relay, as a context manager."""

    def __init__(self) -> None:
        super().__init__()
        self._limit: int | None = None
        self._reached = threading.Event()

    def hold(self, after: int) -> None:
        """From now on, pass on so many bytes of each client, and receive no more from it."""
        self._reached.clear()
        self._limit = after

    def wait_held(self) -> None:
        """Wait until a client is held."""
        if not self._reached.wait(TIMEOUT):
            raise Mismatch("nothing was sent to the relay")

    def release(self) -> None:
        """Pass on everything from new clients. Those that are held stay so until they close their connection."""
        self._limit = None

    def work(self, client: socket.socket, server: socket.socket) -> list[Callable[[], None]]:
        return [lambda: self._copy(client, server, True), lambda: self._copy(server, client, False)]

    def _copy(self, source: socket.socket, target: socket.socket, is_client: bool) -> None:
        count = 0
        try:
            while data := source.recv(1 << 14):
                count += len(data)
                if is_client and self._limit is not None and count > self._limit:
                    self._reached.set()
                    while source.recv(1 << 14):
                        pass
                    break
                target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            end(one)
