#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells, at SIGTERM, by how many milliseconds the machine held up what should never wait.

A process on each processor, before all others by its priority, sleeps for a millisecond at a time. One that is late
was not run at all: a virtual machine's host had no time for it, and sound has gaps then whoever plays it.
"""

from __future__ import annotations

import os
import signal
import sys
import time

PRIORITY = 50
PERIOD = 0.001


def watch(processor: int) -> None:
    """Watches one processor, and writes the greatest delay at the end."""
    greatest = 0.0
    is_over = False

    def end(_signal: int, _frame: object) -> None:
        nonlocal is_over
        is_over = True

    signal.signal(signal.SIGTERM, end)
    os.sched_setaffinity(0, {processor})
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        pass
    os.write(1, b"ready\n")
    while not is_over:
        due = time.monotonic() + PERIOD
        time.sleep(PERIOD)
        greatest = max(greatest, time.monotonic() - due)
    os.write(1, f"{greatest * 1000:.1f}\n".encode())


def main() -> int:
    children = []
    for processor in os.sched_getaffinity(0):
        child = os.fork()
        if child == 0:
            watch(processor)
            os._exit(0)
        children.append(child)
    os.write(1, f"{len(children)}\n".encode())
    signal.signal(signal.SIGTERM, lambda *_: [os.kill(child, signal.SIGTERM) for child in children])
    for child in children:
        os.waitpid(child, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
