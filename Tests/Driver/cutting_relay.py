# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay to a server on loopback whose connections can be cut, as by a network that goes."""

from __future__ import annotations

import subprocess
import sys
from types import TracebackType

import processes
from session import CHECKOUT, Session


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
        self._control.touch()
        self._read()

    def drop(self) -> None:
        """Swallow what both sides send until the next cut, as a network that is gone without a word."""
        # The relay must not find an empty file.
        whole = self._control.with_suffix(".new")
        whole.write_text("drop")
        whole.rename(self._control)
        self._read()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return processes.read_line(self._process.stdout.fileno(), "relay.py")
