# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes that never outlive this process."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterable

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)

#: The timeout of all waits in seconds: long enough for a loaded machine, so that it expires only on a failure.
TIMEOUT = float(os.environ.get("TOUCHTONE_TEST_TIMEOUT", "60"))

#: The exit status of a skipped test, as Automake and Meson define it.
SKIPPED = 77

#: The exit status of a test that the machine cannot run, whatever is installed: EX_UNAVAILABLE of sysexits.h.
UNAVAILABLE = 69

#: The exit status of a test that failed while the machine paused, so that it can be repeated: EX_TEMPFAIL of sysexits.h.
DISTURBED = 75


class MissingPeer(Exception):
    """A program that a test requires is not installed."""

    def __init__(self, program: str, package: str) -> None:
        super().__init__(f"{program} is missing (package {package})")


class Unavailable(MissingPeer):
    """The kernel has not what a test requires, or does not permit it."""

    def __init__(self, what: str) -> None:
        super().__init__(what, "none: it depends on the kernel")


def need(program: str, package: str) -> str:
    """Return the path of a peer program, or raise MissingPeer."""
    path = shutil.which(program)
    if path is None:
        raise MissingPeer(program, package)
    return path


def adopt_orphans() -> None:
    """Make this process the parent of its orphaned descendants, so that it can end them."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # By default, Python exits at SIGTERM without unwinding. An exception runs the context managers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def spawn(
    argv: Iterable[str | Path], *, plays_sound: bool = False, is_sound_card: bool = False, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a child that the kernel kills when this process ends, even if it crashes.

    On a desktop, RealtimeKit raises the priority of a program that plays sound. Here, it is set directly if that is
    permitted, so that other tests on the machine cause no gaps in the sound. A program that stands for a sound card
    gets real-time priority, because a sound card is never late.
    """

    def prepare() -> None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        with contextlib.suppress(PermissionError):
            if is_sound_card:
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))
            elif plays_sound:
                os.setpriority(os.PRIO_PROCESS, 0, -11)

    return subprocess.Popen([str(argument) for argument in argv], preexec_fn=prepare, **options)


def stop(process: subprocess.Popen[bytes]) -> int:
    """Terminate a child, kill it if that fails, and return its status."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def discard_output(process: subprocess.Popen[bytes]) -> None:
    """Read what a child still prints: it would wait once its pipe is full."""
    assert process.stdout is not None
    descriptor = process.stdout.fileno()

    def read() -> None:
        with contextlib.suppress(OSError):
            while os.read(descriptor, 65536):
                pass

    threading.Thread(target=read, daemon=True).start()


def end_descendants() -> None:
    """Kill and reap all remaining descendants."""
    while children := _children():
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                pass


def read_line(descriptor: int, what: str, timeout: float = TIMEOUT) -> str:
    """Read one line from a pipe within `timeout` seconds."""
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
        # Threads may end meanwhile; their children belong to another then.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            pids += [int(pid) for pid in (thread / "children").read_text().split()]
    return pids
