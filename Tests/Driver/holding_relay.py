# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback that can hold back what clients send, so that a transfer stays in the middle."""

from __future__ import annotations

import socket
import threading
from types import TracebackType

from phone import Mismatch
from processes import TIMEOUT


class HoldingRelay:
    """The relay, as a context manager. Set `target` to the port of the server before the first connection."""

    def __init__(self) -> None:
        self.target = 0
        self._limit: int | None = None
        self._reached = threading.Event()

    def __enter__(self) -> HoldingRelay:
        self._listener = socket.create_server(("127.0.0.1", 0))
        #: The port of the relay.
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()

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

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            threading.Thread(target=self._copy, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._copy, args=(server, client, False), daemon=True).start()

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
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
