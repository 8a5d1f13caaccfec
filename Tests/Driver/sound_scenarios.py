# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for sound. `scenarios.py` runs them."""

from __future__ import annotations

import wave
from array import array
from pathlib import Path
from typing import Callable

from lock_scenarios import expect_open, expect_row
from passcode import set_passcode
from phone import Phone, expect
from registry import scenario
from session import Session
from sound import RATE, Recorder, decode


def hear(session: Session, act: Callable[[], None], seconds: float = 0.4) -> tuple[str, list[float]]:
    """Record `act` and some time after it, and return the decoded keys and when each sound began."""
    file = session.folder / "heard.wav"
    with Recorder(file) as recorder:
        act()
        recorder.pass_time(seconds)
    with wave.open(str(file)) as recording:
        samples = array("h", recording.readframes(recording.getnframes()))
    begins, last = [], -RATE
    for frame, sample in enumerate(samples):
        if abs(sample) > 2:
            # Sounds, and clicks, are at least 8 ms apart.
            if frame - last > RATE * 0.008:
                begins.append(frame / RATE)
            last = frame
    return decode(file), begins


@scenario
def sounds_by_setting(session: Session, program: Path) -> None:
    """Sound follows the settings, however they change."""
    session.start_sound()
    with Phone(session, program) as phone:
        keys, _ = hear(session, lambda: phone.type("5#"))
        expect(keys == "5#", f"5# sounded as {keys!r}")

        phone.set("pulse-dialling", "true")
        keys, begins = hear(session, lambda: phone.type("3"), 0.7)
        expect(keys == "" and len(begins) == 6, f"3 is three pulses, of two clicks each: {keys!r}, {begins}")
        phone.set("pulse-dialling", "false")

        keys, begins = hear(session, lambda: phone.click("Delete"))
        expect(not begins, "Delete is not silent")
        phone.set("key-click", "true")
        keys, begins = hear(session, lambda: phone.click("Delete"))
        expect(keys == "" and len(begins) == 1, f"Delete does not click: {begins}")
        phone.set("key-click", "false")

        phone.set("tone-device", "null")
        keys, begins = hear(session, lambda: phone.type("5"))
        expect(not begins, "a key is heard where it is not to be")
        phone.set("tone-device", "there is no such device")
        keys, _ = hear(session, lambda: phone.type("7"))
        expect(keys == "7", "no device stands in for one that is missing")

        keys, begins = hear(session, lambda: phone.action("enter", "'no number'"), 0.6)
        phone.expect_status("NO NUMBER")
        expect(keys == "" and len(begins) == 3, f"the error tone is three beeps: {begins}")


@scenario
def lock_sounds(session: Session, program: Path) -> None:
    """All keys of the lock screen sound the same, and a wrong passcode sounds an error tone."""
    session.start_sound()
    set_passcode(session, "4711")
    with Phone(session, program) as phone:
        for digit in "471":
            keys, begins = hear(session, lambda: phone.click(digit))
            expect(keys == "" and len(begins) == 1, f"{digit} is a click: {keys!r}, {begins}")
        keys, begins = hear(session, lambda: phone.click("2"), 1.0)
        expect(keys == "" and len(begins) == 4, f"a click and three beeps: {keys!r}, {begins}")
        expect_row(phone, 0)
        keys, _ = hear(session, lambda: phone.type("4711"))
        expect(keys == "", f"the passcode can be heard: {keys}")
        expect_open(phone)
