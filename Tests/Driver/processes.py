# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes that never outlive this one."""

from __future__ import annotations

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterable

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)

#: How long, in seconds, anything is waited for: only what never comes takes so long, on a loaded machine too.
TIMEOUT = float(os.environ.get("TOUCHTONE_TEST_TIMEOUT", "60"))

#: The exit status of a test that lacks a peer program, as Automake and Meson know it.
SKIPPED = 77


class MissingPeer(Exception):
    """A program that a test needs is not installed."""

    def __init__(self, program: str, package: str) -> None:
        super().__init__(f"{program} is missing (package {package})")


def need(program: str, package: str) -> str:
    """The path of a peer program, or MissingPeer."""
    path = shutil.which(program)
    if path is None:
        raise MissingPeer(program, package)
    return path


def adopt_orphans() -> None:
    """Makes this process the parent of all its descendants whose own parent ends, so that it can end them."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # Python ends at SIGTERM without unwinding; as an exception it runs the context managers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def spawn(argv: Iterable[str | Path], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a child that the kernel kills when this process ends, even by a crash."""
    return subprocess.Popen(
        [str(argument) for argument in argv],
        preexec_fn=lambda: _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0),
        **options,
    )


def stop(process: subprocess.Popen[bytes]) -> int:
    """Ends a child, kindly at first, and returns its status."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def end_descendants() -> None:
    """Kills and reaps every process that is still below this one."""
    while children := _children():
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                pass


def read_line(descriptor: int, what: str, timeout: float = TIMEOUT) -> str:
    """One line from a pipe, waited for no longer than `timeout`."""
    line = b""
    deadline = time.monotonic() + timeout
    while not line.endswith(b"\n"):
        if not select.select([descriptor], [], [], max(0, deadline - time.monotonic()))[0]:
            raise TimeoutError(f"{what}: nothing heard in {timeout:g} s")
        byte = os.read(descriptor, 1)
        if not byte:
            raise RuntimeError(f"{what} ended before it was ready")
        line += byte
    return line.decode().strip()


def _children() -> list[int]:
    task = Path(f"/proc/{os.getpid()}/task")
    pids: list[int] = []
    for thread in task.iterdir():
        pids += [int(pid) for pid in (thread / "children").read_text().split()]
    return pids
