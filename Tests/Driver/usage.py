# SPDX-License-Identifier: GPL-3.0-or-later
"""What a running phone uses: memory, descriptors, threads and wakeups of the program, its SIP engine and its helpers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from accessibility import pass_time

#: Seconds after which nothing that was done keeps the phone awake: GTK keeps the pixels of each scrolled area for 20
#: seconds, the accessibility bridge what was read for 16, and GLib its idle threads for 15.
SETTLING = 22.0


@dataclass(frozen=True)
class Usage:
    """What one kind of process uses; sizes are in MiB. The wakeups of `rest` are those of all its threads.

    Anonymous memory is what it has written itself: heap and stacks, without pages of files.
    """

    processes: int
    rss: float
    anonymous: float
    descriptors: int
    threads: int
    wakeups: int = 0


def family(pid: int) -> dict[str, list[int]]:
    """Return a process and its descendants, by the names of their programs."""
    found: dict[str, list[int]] = {}
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        # Threads and processes may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            found.setdefault(Path(f"/proc/{one}/comm").read_text().strip(), []).append(one)
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text().split()]
    return found


def measure(pid: int) -> dict[str, Usage]:
    """Return what each program of a process and its descendants uses now."""
    return {name: _sum(pids) for name, pids in sorted(family(pid).items())}


def rest(pid: int, seconds: float, settling: float = SETTLING) -> dict[str, Usage]:
    """Wait until nothing moves any more, count the wakeups for some seconds, and return what each program uses."""
    pass_time(settling)
    before = {name: _switches(pids) for name, pids in family(pid).items()}
    pass_time(seconds)
    return {
        name: Usage(**{**_sum(pids).__dict__, "wakeups": _wakeups(before.get(name, {}), _switches(pids))})
        for name, pids in sorted(family(pid).items())
    }


def _wakeups(before: dict[str, int], after: dict[str, int]) -> int:
    # A thread that has ended has woken for it.
    ended = len(before.keys() - after.keys())
    return ended + sum(count - before.get(thread, 0) for thread, count in after.items())


def _sum(pids: list[int]) -> Usage:
    sizes = {"Rss:": 0.0, "Pss_Anon:": 0.0}
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, kibibytes, *_ = line.split()
            if name in sizes:
                sizes[name] += int(kibibytes) / 1024
    return Usage(
        len(pids), sizes["Rss:"], sizes["Pss_Anon:"],
        sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in pids),
        sum(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in pids))


def _switches(pids: list[int]) -> dict[str, int]:
    """Return how often each thread of some processes has gone to sleep, and so been woken up."""
    return {
        status.parent.name: int(line.split()[1])
        for pid in pids
        for status in Path(f"/proc/{pid}/task").glob("*/status")
        for line in status.read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    }
