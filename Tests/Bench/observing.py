# SPDX-License-Identifier: GPL-3.0-or-later
"""What the phone shows, when, and how long it works for it."""

from __future__ import annotations

import os
import re
import statistics
import time
from pathlib import Path
from typing import Any

from gi.repository import Gio, GLib

import accessibility
import processes
from bench import target
from messages import rows
from phone import Phone, expect


class Names:
    """The accessible names that the phone sets, and the times at which they come."""

    def __init__(self) -> None:
        self._events: list[tuple[float, str]] = []
        accessibility.connection().signal_subscribe(
            None, "org.a11y.atspi.Event.Object", "PropertyChange", None, None, Gio.DBusSignalFlags.NONE, self._note)

    def wait(self, pattern: str, what: str, timeout: float = processes.TIMEOUT) -> float:
        """Wait for a name that matches a pattern, and return the time at which it came."""
        deadline = time.monotonic() + timeout
        timer = GLib.timeout_add(100, lambda: True)
        try:
            while True:
                for moment, name in self._events:
                    if re.fullmatch(pattern, name):
                        return moment
                expect(time.monotonic() < deadline, f"{what}; the last names are {self._events[-5:]}")
                GLib.MainContext.default().iteration(True)
        finally:
            GLib.source_remove(timer)

    def forget(self) -> None:
        """Forget the names so far."""
        context = GLib.MainContext.default()
        while context.iteration(False):
            pass
        self._events.clear()

    def _note(self, *event: Any) -> None:
        kind, _, _, value, *_ = event[5].unpack()
        if kind == "accessible-name" and isinstance(value, str):
            self._events.append((time.monotonic(), value))


def processor_time(pid: int) -> float:
    """Return the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def median(what: str, values: list[float], limit: float | None = None) -> None:
    """Print the median of some seconds, and whether it is within its limit."""
    middle = statistics.median(values)
    if limit is None:
        print(f"{what:<42}{middle:>7.2f} s")
    else:
        target(what, middle, limit, "s")
    print(f"{'':<32}{len(values)} times, from {min(values):.2f} to {max(values):.2f} s")


def unread(phone: Phone, buddy: str) -> int:
    """Return the number of unread messages of a buddy."""
    found = (re.fullmatch(rf"{buddy}, .*?([\d,]+) unread", name) for name in rows(phone, "Buddies"))
    return max((int(match[1].replace(",", "")) for match in found if match), default=0)
