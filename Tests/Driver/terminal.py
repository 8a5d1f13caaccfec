# SPDX-License-Identifier: GPL-3.0-or-later
"""A program in a terminal: what is typed, and what its screen shows."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from pathlib import Path
from types import TracebackType
from typing import Callable

import processes
from phone import Mismatch
from processes import TIMEOUT, MissingPeer

_COLUMNS, _LINES = 140, 40


class Terminal:
    """A terminal with a program, as a context manager."""

    def __init__(self, *argv: str | Path) -> None:
        try:
            import pyte
        except ImportError:
            raise MissingPeer("pyte for Python", "python3-pyte") from None
        self._screen = pyte.Screen(_COLUMNS, _LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._argv = argv

    def __enter__(self) -> Terminal:
        self._master, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
        self._process = processes.spawn(
            self._argv, stdin=inside, stdout=inside, stderr=inside, start_new_session=True,
            env={**os.environ, "TERM": "linux"})
        os.close(inside)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)
        os.close(self._master)

    def enter(self, line: str) -> None:
        """Type a line."""
        os.write(self._master, line.encode() + b"\r")

    def text(self) -> str:
        """Return the text of the screen."""
        return "\n".join(line.rstrip() for line in self._screen.display)

    def wait(self, condition: Callable[[str], bool], what: str) -> None:
        """Wait until the screen's text meets a condition."""
        deadline = time.monotonic() + TIMEOUT
        while not condition(self.text()):
            if not select.select([self._master], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Mismatch(f"{what}; the terminal shows:\n{self.text()}")
            try:
                data = os.read(self._master, 1 << 16)
            except OSError:
                data = b""  # On Linux, the end of the program is an error.
            if not data:
                raise Mismatch(f"{what}, and the program has ended; the terminal shows:\n{self.text()}")
            self._stream.feed(data)

    def expect(self, text: str) -> None:
        """Wait until the screen shows a text."""
        self.wait(lambda shown: text in shown, f"there is no {text!r}")

    def color(self, text: str) -> str:
        """Return the colour of the last place where the screen shows a text."""
        for number in range(_LINES - 1, -1, -1):
            column = self._screen.display[number].rfind(text)
            if column >= 0:
                return str(self._screen.buffer[number][column].fg)
        return ""
