# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the latency from press to sound and from release to silence, compared with bare ALSA and with linphone.

A press is a real pointer or key event (XTEST); a sound is the first sample at the monitor of a PulseAudio null sink.
One small program (presslatency.c) sees both, and the capture latency is not subtracted. Each target is reported as met
or not. A missed target is not an error: the machine may be busy.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Iterator, Mapping

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Driver"))

import processes  # noqa: E402
from accessibility import pass_time  # noqa: E402
from phone import Phone  # noqa: E402
from resting import RestingPhone  # noqa: E402
from session import Session  # noqa: E402

PRESSES, STARTS, RESTS, PEERS_PRESSES = 100, 100, 100, 20
BUSY_LOOPS = 4
BATCH = 20  # digits until the display is cleared
HOLD, GAP = (100, 200), (150, 400)  # ms that a key is held, and ms from its release to the next press
SETTLING, REST = 0.3, 60.0  # seconds from the activation of the window to the first press; seconds of rest
REACTION = 0.1, 0.3  # seconds from the arrival of the pointer at a key to the press
RESTING = 40  # phones that rest at the same time


@dataclass
class Times:
    """The times of several presses in milliseconds."""

    name: str
    onset: list[float] = field(default_factory=list)
    silence: list[float] = field(default_factory=list)
    unheard: int = 0

    def note(self, line: str) -> None:
        """Record the output of presslatency for a press."""
        onset, silence = map(float, line.split())
        if onset < 0:
            self.unheard += 1
        else:
            self.onset.append(onset)
            self.silence.append(silence)


def percentile(values: list[float], part: float) -> float:
    """Return the smallest value that this fraction of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(part * len(values)) - 1)]


class Finger:
    """Presses keys, and records when each is heard."""

    def __init__(self, program: Path, environment: Mapping[str, str] | None = None) -> None:
        # The descriptor of the pipe to press through, which is the program's standard input.
        self.pipe, self._writing = os.pipe()
        self._process = processes.spawn(
            [program, "phone.monitor"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=(self._writing,),
            env=environment,
        )
        self.priority = self._answer()

    def aim(self, *words: str | int) -> None:
        """Set the kind of press, as presslatency.c defines it."""
        self._say(*words)

    def aim_at_pipe(self, press: str, release: str = "-") -> None:
        """Press by writing a line to `pipe`."""
        self._say("write", self._writing, press, release)

    def type(self, key: str) -> None:
        """Press and release a key without listening."""
        self._say("type", key)
        self._answer()

    def press(self, count: int, times: Times, gap: tuple[int, int] = GAP) -> None:
        """Press a number of times."""
        self._say("press", count, *HOLD, *gap)
        for _ in range(count):
            times.note(self._answer())

    def stop(self) -> None:
        """Stop pressing."""
        processes.stop(self._process)
        os.close(self.pipe)
        os.close(self._writing)

    def _say(self, *words: str | int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((" ".join(map(str, words)) + "\n").encode())
        self._process.stdin.flush()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return processes.read_line(self._process.stdout.fileno(), "presslatency", 30)


def build(folder: Path) -> tuple[Path, Path]:
    """Build the finger and the baseline."""
    programs = []
    for name, packages in (("presslatency", ["libpulse-simple", "x11", "xtst"]), ("floor", ["alsa"])):
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=True
        ).stdout.split()
        command = ["cc", "-O2", "-pthread", "-o", str(folder / name), str(FOLDER / f"{name}.c"), *flags, "-lm"]
        subprocess.run(command, check=True)
        programs.append(folder / name)
    return programs[0], programs[1]


@contextmanager
def busy() -> Iterator[None]:
    """Keep all processors busy meanwhile."""
    loops = [processes.spawn(["sh", "-c", "while :; do :; done"]) for _ in range(BUSY_LOOPS)]
    try:
        pass_time(1)  # until the scheduler has noticed them
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def press_in_a_run(phone: Phone, finger: Finger, times: Times, count: int) -> None:
    """Press, and clear the display from time to time."""
    while count > 0:
        finger.press(min(count, BATCH), times)
        count -= BATCH
        phone.clear()
        pass_time(0.3)


def measure_rested(
    session: Session, program: Path, source: Path, place: tuple[int, int], count: int
) -> tuple[Times, Times]:
    """Measure the first press after a minute without input, when the phone has released its audio device.

    The pointer reaches the key before it presses, as a hand does; a key press on the keyboard comes without warning.
    """
    by_pointer, by_keyboard = Times("rested a minute, pointer"), Times("rested a minute, keyboard")
    count *= 2
    def use_keyboard(environment: Mapping[str, str]) -> None:
        # A screen whose first key comes from another keyboard makes each program load that keyboard's map, with three
        # round trips. On a desktop, the user has pressed a key before the phone starts.
        finger = Finger(source, environment)
        finger.type("Shift_L")
        finger.stop()

    folders = (session.folder / f"rest-{number}" for number in range(count))
    while count > 0:
        with ExitStack() as stack:
            phones = [
                stack.enter_context(RestingPhone(program, next(folders), use_keyboard)) for _ in range(min(count, RESTING))
            ]
            pass_time(REST)
            for number, phone in enumerate(phones):
                finger = Finger(source, phone.environment)
                if number % 2:
                    finger.aim("key", "5")
                    finger.press(1, by_keyboard)
                else:
                    finger.aim("button", *place)
                    pass_time(random.uniform(*REACTION))
                    finger.press(1, by_pointer)
                finger.stop()
        count -= len(phones)
        _show_progress()
    return by_pointer, by_keyboard


def measure_phone(
    session: Session, program: Path, source: Path, finger: Finger, options: argparse.Namespace
) -> list[Times]:
    """Measure the phone."""
    with Phone(session, program, is_measured=True) as phone:
        place = phone.center(phone.button("5"))
    finger.aim("button", *place)

    first = Times("first press after start")
    for _ in range(options.starts):
        with Phone(session, program, is_measured=True):
            pass_time(SETTLING + random.uniform(0, 0.1))
            finger.press(1, first)
        _show_progress()

    rested, rested_keyboard = measure_rested(session, program, source, place, 0 if options.quick else options.rests)
    run, keyboard = Times("in a run, pointer"), Times("in a run, keyboard")
    loaded, loaded_keyboard = Times("loaded, pointer"), Times("loaded, keyboard")
    with Phone(session, program, is_measured=True) as phone:
        for pointer_times, keyboard_times, load in ((run, keyboard, False), (loaded, loaded_keyboard, True)):
            for aim, times in ((("button", *place), pointer_times), (("key", "5"), keyboard_times)):
                finger.aim(*aim)
                if load:
                    with busy():
                        press_in_a_run(phone, finger, times, options.presses)
                else:
                    press_in_a_run(phone, finger, times, options.presses)
                _show_progress()
    return [first, rested, rested_keyboard, run, keyboard, loaded, loaded_keyboard]


def measure_floor(program: Path, finger: Finger, options: argparse.Namespace) -> tuple[str, list[Times]]:
    """Measure the baseline, a bare C program, at rest and under load."""
    idle, loaded = Times("floor, in a run"), Times("floor, loaded")
    finger.aim_at_pipe("down", "up")
    process = processes.spawn([program], stdin=finger.pipe, stdout=subprocess.PIPE)
    assert process.stdout is not None
    shape = processes.read_line(process.stdout.fileno(), "floor")
    finger.press(options.presses, idle)
    with busy():
        finger.press(options.presses, loaded)
    processes.stop(process)
    return shape, [idle, loaded]


def measure_linphone(session: Session, finger: Finger) -> Times:
    """Measure the key tones of linphone, whose console plays a digit typed without a call (`play_dtmf`)."""
    times = Times("linphone's play_dtmf")
    configuration = session.folder / "linphonerc"
    configuration.write_text("[sip]\nsip_port=-1\nsip_tcp_port=-1\nsip_tls_port=-1\n")
    with open(session.folder / "linphone.log", "wb") as log:
        process = processes.spawn(
            [processes.need("linphonec", "linphone-cli"), "-c", configuration], stdin=finger.pipe, stdout=log, stderr=log
        )
    pass_time(4)  # until it has enumerated the sound cards
    finger.aim_at_pipe("5")
    # Its console sleeps for a second after each digit.
    finger.press(PEERS_PRESSES, times, gap=(1300, 1600))
    processes.stop(process)
    _show_progress()
    return times


def report(phone: list[Times], others: list[Times]) -> None:
    """Print the times and the targets."""
    print(f"{'':<26}{'':>5}{'press to sound, ms':>28}{'release to silence, ms':>28}")
    print(f"{'':<26}{'n':>5}" + 2 * f"{'median':>12}{'p95':>8}{'max':>8}")
    for times in phone + others:
        if times.onset:
            print(f"{times.name:<26}{len(times.onset):>5}{_columns(times.onset)}{_columns(times.silence)}", end="")
            print(f"   {times.unheard} not heard" if times.unheard else "")
        else:
            print(f"{times.name:<26}{0:>5}  {'nothing was heard' if times.unheard else 'left out'}")
    first, rested, rested_keyboard, *runs = phone
    _target("first press after start, max", first, max, 15)
    for times in (rested, rested_keyboard, *runs[:2]):
        _target(f"{times.name}, median", times, statistics.median, 4)
        _target(f"{times.name}, p95", times, _p95, 8)
    for times in runs[2:]:
        _target(f"{times.name}, p95", times, _p95, 20)
    for times in phone:
        _target(f"{times.name}, release, max", times, max, 25, of_silence=True)


def _p95(values: list[float]) -> float:
    return percentile(values, 0.95)


def _columns(values: list[float]) -> str:
    return f"{statistics.median(values):>12.1f}{_p95(values):>8.1f}{max(values):>8.1f}"


def _target(what: str, times: Times, measure: object, limit: float, of_silence: bool = False) -> None:
    values = times.silence if of_silence else times.onset
    if not values:
        return
    value = measure(values)  # type: ignore[operator]
    verdict = "met" if value <= limit and not times.unheard else "MISSED"
    print(f"{what:<38}{value:>7.1f} ms  target {limit:g} ms  {verdict}")


def _show_progress() -> None:
    print(".", end="", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--presses", type=int, default=PRESSES, help="in a run")
    parser.add_argument("--starts", type=int, default=STARTS, help="of the program, for its first press")
    parser.add_argument("--rests", type=int, default=RESTS, help="of a minute, with a press after each")
    parser.add_argument("--quick", action="store_true", help="twenty starts, and without the rests of a minute")
    options = parser.parse_args()
    if options.quick:
        options.starts = min(options.starts, 20)
    load = os.getloadavg()[0]
    try:
        with Session(sound=True) as session:
            source, floor_source = build(session.folder)
            os.environ["GSETTINGS_BACKEND"] = "memory"
            finger = Finger(source)
            phone = measure_phone(session, options.program.resolve(), source, finger, options)
            shape, others = measure_floor(floor_source, finger, options)
            if shutil.which("linphonec"):
                others.append(measure_linphone(session, finger))
            finger.stop()
            print(file=sys.stderr)
            print(
                f"{os.cpu_count()} processors; load {load:.1f} before the start, which should be 0; {BUSY_LOOPS} busy loops"
                " beside what is loaded."
            )
            print(f"The floor is {shape}; the listener is {finger.priority}; up to 2 ms of each time are the capture.")
            report(phone, others)
            if len(others) < 3:
                print("linphone is not installed (package linphone-cli): not compared with it.")
    except processes.MissingPeer as missing:
        print(missing, file=sys.stderr)
        return processes.SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
