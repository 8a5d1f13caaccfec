# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the phone with a bare GTK 3 window in C and, if it is installed, with GNOME Calls.

It measures the time to the first frame, memory, wakeups at rest, the frames of the panel, and the synthesizer's speed.
The order is random, medians are compared, and each target is reported as met or not. A missed target is not an error:
the machine may be busy.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Driver"))

import processes  # noqa: E402
from accessibility import pass_time  # noqa: E402
from session import Session  # noqa: E402

SETTLING, REST = 2.0, 12.0  # seconds from the first frame until memory is read; seconds of rest
PAUSE = 0.25  # seconds until the servers have cleaned up after a program


@dataclass
class Program:
    """A program and its measurements."""

    name: str
    argv: list[str]
    mapped: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    pss: list[float] = field(default_factory=list)
    rss: list[float] = field(default_factory=list)
    wakeups: float = 0


def build(folder: Path) -> tuple[Path, Path]:
    """Build the bare window and the watcher."""
    programs = []
    for name, packages in (("bare", ["gtk+-3.0"]), ("firstframe", ["x11", "xdamage"])):
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True
        ).stdout.split()
        subprocess.run(["cc", "-O2", "-o", str(folder / name), str(FOLDER / f"{name}.c"), *flags], check=True)
        programs.append(folder / name)
    return programs[0], programs[1]


@contextmanager
def running(watcher: Path, program: Program) -> Iterator[tuple[int, float, float]]:
    """Start a program through the watcher, and yield its process and the times until it is mapped and drawn."""
    log = subprocess.DEVNULL
    process = processes.spawn([watcher, *program.argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
    assert process.stdin is not None and process.stdout is not None
    try:
        pid, mapped, drawn = processes.read_line(process.stdout.fileno(), program.name, 60).split()
        yield int(pid), float(mapped), float(drawn)
    finally:
        process.stdin.close()
        process.wait()


def read_memory(pid: int) -> tuple[float, float]:
    """Return the proportional and the resident set size of a process in MiB."""
    sizes = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        name, kibibytes, *_ = line.split()
        sizes[name] = int(kibibytes) / 1024
    return sizes["Pss:"], sizes["Rss:"]


def switches(pid: int) -> dict[str, int]:
    """Return how often each thread of a process has slept, and so been woken up."""
    counts = {}
    for status in Path(f"/proc/{pid}/task").glob("*/status"):
        for line in status.read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                counts[status.parent.name] = int(line.split()[1])
    return counts


def wakeups(pid: int, seconds: float) -> float:
    """Return the wakeups per second of all threads."""
    before = switches(pid)
    pass_time(seconds)  # the length of the measurement
    after = switches(pid)
    return sum(count - before.get(thread, 0) for thread, count in after.items()) / seconds


def measure_start(programs: list[Program], watcher: Path, rounds: int) -> None:
    """Start each program once in each round, in random order; the first round warms the caches and is not counted."""
    for turn in range(rounds + 1):
        for program in random.sample(programs, len(programs)):
            with running(watcher, program) as (_, mapped, drawn):
                if turn > 0:
                    program.mapped.append(mapped)
                    program.drawn.append(drawn)
            pass_time(PAUSE)
        print(".", end="", file=sys.stderr, flush=True)


def measure_rest(programs: list[Program], watcher: Path) -> None:
    """Read the memory of each program three times, and count its wakeups once."""
    for turn in range(3):
        for program in programs:
            with running(watcher, program) as (pid, _, _):
                pass_time(SETTLING)  # start-up work continues after the first frame
                pss, rss = read_memory(pid)
                program.pss.append(pss)
                program.rss.append(rss)
                if turn == 0:
                    program.wakeups = wakeups(pid, REST)
        print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def report(programs: list[Program]) -> None:
    """Print the medians and the targets."""
    median = statistics.median
    print(f"{'':<14}{'mapped':>10}{'first frame':>14}{'PSS':>10}{'RSS':>10}{'wakeups/s':>12}")
    for each in programs:
        print(
            f"{each.name:<14}{median(each.mapped):>7.0f} ms{median(each.drawn):>11.0f} ms"
            f"{median(each.pss):>6.1f} MiB{median(each.rss):>6.1f} MiB{each.wakeups:>12.2f}"
        )
    phone, bare = programs[:2]
    calls = programs[2] if len(programs) > 2 else None
    target("window, of a bare one's time", time_ratio(phone, bare), 1.65, "×")
    if calls is not None:
        target("window, of GNOME Calls' time", time_ratio(phone, calls), 0.4, "×")
        target("memory, of GNOME Calls' PSS", median(phone.pss) / median(calls.pss), 1.0, "×")
    else:
        print("GNOME Calls is not installed (package gnome-calls): not compared with it.")
    target("wakeups a second at rest", phone.wakeups, 1.0, "")


def time_ratio(program: Program, other: Program) -> float:
    """Return the median of the rounds' ratios: the speed of the machine changes from round to round."""
    return statistics.median(own / others for own, others in zip(program.drawn, other.drawn, strict=True))


def target(what: str, value: float, limit: float, unit: str) -> None:
    """Print a value, and whether its target is met."""
    verdict = "met" if value <= limit else "MISSED"
    print(f"{what:<32}{value:>7.2f}{unit:<2} target {limit:g}{unit:<2} {verdict}")


def bench_synthesizer(tonegen: Path) -> None:
    """Measure the synthesizer with tonegen, if it can."""
    if tonegen.exists() and "--bench" in subprocess.run([tonegen, "--help"], capture_output=True, text=True).stdout:
        subprocess.run([tonegen, "--bench"], check=False)
    else:
        print(f"{tonegen.name} has no --bench: the synthesizer is not measured.")


def bench_panel(panelbench: Path, folder: Path) -> None:
    """Measure the panel in a window, with messages and calls that an earlier run has stored."""
    if not panelbench.exists():
        print(f"{panelbench.name} is not built: the message panel is not measured.")
        return
    for kind, runs in (("messages", (["fill"], [])), ("rooms", (["fill-room"], ["rooms"])), ("calls", (["fill-calls"], ["calls"], ["contacts"]))):
        environment = os.environ | {"XDG_DATA_HOME": str(folder / kind), "GDK_BACKEND": "x11"}
        for arguments in runs:
            subprocess.run([panelbench, *arguments], env=environment, check=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--tonegen", type=Path, required=True)
    parser.add_argument("--panelbench", type=Path, default=Path(".build/release/panelbench"))
    parser.add_argument("--rounds", type=int, default=31)
    options = parser.parse_args()
    program, tonegen = options.program.resolve(), options.tonegen.resolve()
    try:
        # Without a window manager, a program's window is a child of the root, and only the program draws into it.
        with Session(sound=True, manager=False) as session:
            bare, watcher = build(session.folder)
            programs = [Program("touchtone", [str(program)]), Program("bare window", [str(bare)])]
            if calls := shutil.which("gnome-calls"):
                programs.append(Program("gnome-calls", [calls]))
            # As on a desktop, with a bus for settings and accessibility, and the settings of a first start.
            os.environ["GSETTINGS_BACKEND"] = "memory"
            measure_start(programs, watcher, options.rounds)
            measure_rest(programs, watcher)
            report(programs)
            bench_panel(options.panelbench.resolve(), session.folder)
    except processes.MissingPeer as missing:
        print(missing, file=sys.stderr)
        return processes.SKIPPED
    bench_synthesizer(tonegen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
