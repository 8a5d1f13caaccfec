# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback whose connections can be cut, as by a network that goes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import processes
from session import CHECKOUT, Session


def tell(control: Path, command: str) -> None:
    """Write a command to the pipe of a relay; fail if there is none, instead of waiting for it."""
    pipe = os.open(control, os.O_WRONLY | os.O_NONBLOCK)
    try:
        os.write(pipe, command.encode() + b"\n")
    finally:
        os.close(pipe)


class CuttingRelay:
    """`Tests/Tools/relay.py`, as a context manager."""

    def __init__(self, session: Session, target: int) -> None:
        self._target = target
        self._control = session.folder / f"cut-{target}"

    def __enter__(self) -> CuttingRelay:
        self._process = processes.spawn(
            [sys.executable, CHECKOUT / "Tests/Tools/relay.py", str(self._target), self._control],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        #: The port of the relay.
        self.port = int(self._read())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def cut(self) -> None:
        """Reset all connections; what is sent from now on arrives."""
        tell(self._control, "cut")
        self._read()

    def drop(self) -> None:
        """Swallow what both sides send until the next cut, as a network that is gone without a word."""
        tell(self._control, "drop")
        self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return processes.read_line(self._process.stdout.fileno(), "relay.py")
