# SPDX-License-Identifier: GPL-3.0-or-later
"""The connections of a relay to a server on loopback; what passes is up to each relay."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self


class LocalRelay:
    """A relay, as a context manager. Set `target` to the port of the server before the first connection."""

    def __init__(self, target: int = 0) -> None:
        self.target = target

    def __enter__(self) -> Self:
        self._listener = socket.create_server(("127.0.0.1", 0))
        #: The port of the relay.
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

    def work(self, client: socket.socket, server: socket.socket) -> list[Callable[[], None]]:
        """Return what passes on the data of a new connection, each on a thread of its own."""
        raise NotImplementedError

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            for task in self.work(client, server):
                threading.Thread(target=task, daemon=True).start()


def end(one: socket.socket) -> None:
    """End a connection, also one that has ended."""
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
