#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints, at SIGTERM, the longest stall of this machine in milliseconds.

On each processor, a process of the highest priority sleeps for a millisecond at a time. If it wakes up late, the host
of this virtual machine did not run it, and then sound has gaps in any program.
"""

from __future__ import annotations

import os
import signal
import sys
import time

PRIORITY = 50
PERIOD = 0.001


def watch(processor: int) -> None:
    """Watch one processor, and write the longest delay at the end."""
    greatest = 0.0
    is_over = False

    def end(_signal: int, _frame: object) -> None:
        nonlocal is_over
        is_over = True

    signal.signal(signal.SIGTERM, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
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
    children: list[int] = []
    # SIGTERM waits until it can be passed on. Otherwise, an early one would leave the children behind, and with them the
    # pipe that the test reads to its end.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    for processor in os.sched_getaffinity(0):
        child = os.fork()
        if child == 0:
            watch(processor)
            os._exit(0)
        children.append(child)
    os.write(1, f"{len(children)}\n".encode())
    signal.signal(signal.SIGTERM, lambda *_: [os.kill(child, signal.SIGTERM) for child in children])
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    for child in children:
        os.waitpid(child, 0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
