# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures calls over SIP, with the whole phone: wakeups and memory of the engine at rest, the time from the network to
the display and from a key to the network, and the phone's main loop during floods of calls.

The times on the display are those at which an assistive tool reads the text. A missed target is not an error: the
machine may be busy.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import sys
from pathlib import Path
from typing import Callable

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Driver"))

import time  # noqa: E402

import flood  # noqa: E402
import processes  # noqa: E402
from accessibility import pass_time, wait_until  # noqa: E402
from bench import read_memory, target, wakeups  # noqa: E402
from far_end import FarEnd  # noqa: E402
from phone import Phone, expect  # noqa: E402
from session import Session  # noqa: E402
from sip import add_in_preferences, engines  # noqa: E402

SETTLING, REST = 10.0, 30.0  # seconds after the registration; seconds of rest


class Keyboard:
    """Key events of the X server's test extension, without the time that a program takes to start."""

    def __init__(self) -> None:
        self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XStringToKeysym.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(None))

    def tap(self, digit: str) -> float:
        """Press a digit for 100 ms, and return the time of the press."""
        symbol = ctypes.c_ulong(self._x.XStringToKeysym(digit.encode()))
        code = self._x.XKeysymToKeycode(self._display, symbol) & 0xFF
        begin = time.monotonic()
        self._send(code, True)
        pass_time(0.1)
        self._send(code, False)
        return begin

    def press(self, *names: str) -> float:
        """Press keys by their names, as modifiers of the last one, release them, and return the time of the last press."""
        codes = [
            self._x.XKeysymToKeycode(self._display, ctypes.c_ulong(self._x.XStringToKeysym(name.encode()))) & 0xFF
            for name in names]
        for code in codes:
            begin = time.monotonic()
            self._send(code, True)
        for code in reversed(codes):
            self._send(code, False)
        return begin

    def _send(self, code: int, is_down: bool) -> None:
        self._test.XTestFakeKeyEvent(self._display, code, int(is_down), ctypes.c_ulong(0))
        self._x.XFlush(self._display)


def rest(phone: Phone) -> None:
    """Measure the phone and its engine while nothing happens."""
    [engine] = engines(phone)
    pass_time(SETTLING)
    pids = (phone.process.pid, engine)
    before = [wakeups(pid, REST) for pid in pids]
    print(f"wakeups a second, registered and at rest: phone {before[0]:.2f}, engine {before[1]:.2f}")
    target("wakeups a second of both", sum(before), 1, "")
    target("PSS of the engine", read_memory(engine)[0], 60, "MiB")


def shown_after(phone: Phone, text: str, begin: Callable[[], float]) -> float:
    """Return the milliseconds from a time in the network to the text on the status line."""
    expect(wait_until(lambda: text in phone.status()), f"the status line shows {phone.status()!r}, not {text!r}")
    return (time.monotonic() - begin()) * 1e3


def call(phone: Phone, far: FarEnd, keyboard: Keyboard) -> tuple[float, float, list[float]]:
    """Make a call, and return the milliseconds to RINGING, to 0:00, and from each key to its first packet."""
    phone.action("dial")
    ringing = shown_after(phone, "RINGING", lambda: far.invited)
    pass_time(0.5)
    far.answer()
    answered = shown_after(phone, "0:00", lambda: far.answered)
    pass_time(1)
    keys = []
    for digit in "580":
        count = len(far.keys)
        pressed = keyboard.tap(digit)
        pass_time(0.4)
        expect(len(far.keys) == count + 1, f"the far end received {len(far.keys) - count} keys, not one")
        keys.append((far.keys[-1] - pressed) * 1e3)
    phone.action("hang-up")
    phone.expect_status("ENDED")
    return ringing, answered, keys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=9)
    options = parser.parse_args()
    program = options.program.resolve()
    if not (program.parent / "touchtone-sip").exists():
        print("touchtone-sip is not built: calls over SIP are not measured.")
        return 0
    try:
        with Session(sound=True) as session, Phone(session, program, is_measured=True) as phone:
            pass_time(SETTLING)
            target("engines without an account", len(engines(phone)), 0, "")
            far = FarEnd()
            add_in_preferences(session, phone, far.address("1001"), transport="udp")
            rest(phone)
            flood.strangers(phone, far)
            phone.type("1002")
            keyboard = Keyboard()
            results = [call(phone, far, keyboard) for _ in range(options.calls + 1)][1:]
            flood.registrar(phone, far)
    except processes.MissingPeer as missing:
        print(missing, file=sys.stderr)
        return processes.SKIPPED
    for what, values, limit in (
        ("INVITE to 180 shown", [one[0] for one in results], 30),
        ("answer to 0:00", [one[1] for one in results], 60),
        ("key to RTP event", [key for one in results for key in one[2]], 30),
    ):
        target(f"{what}, median", statistics.median(values), limit, "ms")
        print(f"{'':<32}from {min(values):.1f} to {max(values):.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
