# SPDX-License-Identifier: GPL-3.0-or-later
"""Several phones that rest in parallel, each with its own screen and bus, so that a hundred rests take minutes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Callable, Mapping

import processes
from session import SCREEN


class RestingPhone:
    """A phone without input since its start."""

    def __init__(
        self, program: Path, folder: Path, prepare: Callable[[Mapping[str, str]], None] = lambda environment: None
    ) -> None:
        """Start it with its own screen and bus; everything else is from the session.

        `prepare` is called with the environment of the screen before the phone starts.
        """
        folder.mkdir()
        self._processes: list[subprocess.Popen[bytes]] = []
        #: The environment for a program on its screen.
        self.environment = dict(os.environ)
        width, height = SCREEN
        self._tell("DISPLAY", ":", "Xvfb", "-displayfd", "{}", "-screen", "0", f"{width}x{height}x24", "-noreset")
        configuration = next(Path(os.environ["TMPDIR"]).glob("bus.conf"))
        text = configuration.read_text().replace("</listen>", f"-{folder.name}</listen>", 1)
        (folder / "bus.conf").write_text(text)
        self._tell(
            "DBUS_SESSION_BUS_ADDRESS", "", "dbus-daemon", "--nofork", f"--config-file={folder}/bus.conf",
            "--print-address={}",
        )
        self._spawn("openbox", "--sm-disable")
        prepare(self.environment)
        self._spawn(program)

    def stop(self) -> None:
        """Stop it."""
        for process in reversed(self._processes):
            processes.stop(process)

    def __enter__(self) -> RestingPhone:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _spawn(self, *argv: str | Path, pass_fds: tuple[int, ...] = ()) -> None:
        self._processes.append(processes.spawn(
            argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=self.environment, pass_fds=pass_fds,
        ))

    def _tell(self, variable: str, prefix: str, *argv: str) -> None:
        """Start a server that prints its address in one line, and return that line."""
        ready, told = os.pipe()
        self._spawn(*(word.replace("{}", str(told)) for word in argv), pass_fds=(told,))
        os.close(told)
        self.environment[variable] = prefix + processes.read_line(ready, argv[0])
        os.close(ready)
