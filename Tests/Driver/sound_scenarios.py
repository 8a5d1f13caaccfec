# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for sound. `scenarios.py` runs them."""

from __future__ import annotations

import wave
from array import array
from pathlib import Path
from typing import Callable

import pointer
from accessibility import wait_until
from lock_scenarios import expect_open, expect_row
from messages import preference
from passcode import set_passcode
from phone import APP_ID, Phone, eventually, expect
from processes import need
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
        keys, begins = hear(session, lambda: phone.type("7"), 1.5)
        expect(keys == "7", "no device stands in for one that is missing")

        keys, begins = hear(session, lambda: phone.action("enter", "'no number'"), 0.6)
        phone.expect_status("NO NUMBER")
        expect(keys == "" and len(begins) == 3, f"the error tone is three beeps: {begins}")


@scenario
def devices_by_description(session: Session, program: Path) -> None:
    """Preferences list the sound server’s devices by their descriptions; a chosen one plays, and is named when it is gone."""
    session.start_sound()
    pactl = need("pactl", "pulseaudio-utils")

    def load(name: str, description: str) -> str:
        done = session.run(
            pactl, "load-module", "module-null-sink", f"sink_name={name}", "rate=48000", "norewinds=1",
            f"sink_properties='device.description=\"{description}\"'")
        expect(done.returncode == 0, f"pactl: {done.stderr}")
        return done.stdout.strip()

    def used() -> list[str]:
        """Return the names of the sinks on which something plays, or is about to."""
        rows = {
            kind: [line.split("\t") for line in session.run(pactl, "list", "short", kind).stdout.splitlines()]
            for kind in ("sinks", "sink-inputs")
        }
        return [name for number, name, *_ in rows["sinks"] for stream in rows["sink-inputs"] if stream[1] == number]

    module = load("right", "سماعات الرأس")
    load("long", "A headset with a name that is far too long " * 8)
    with Phone(session, program) as phone:
        phone.action("preferences-page", "'phone'")
        row = preference(phone, "list item", "Tones and Calls")
        window = phone.other("Preferences")
        assert window is not None
        expect(
            wait_until(lambda: any(widget.name == "سماعات الرأس" for widget in window.descendants())),
            "the device is not listed")
        expect(row.description == "Default", f"the device is {row.description!r}")
        expect(row.take_focus(), "the row does not take the focus")
        # Before it are the default device and the sink of the test.
        pointer.key("Return")
        pointer.key("Down", "Down", "Return")
        eventually(lambda: row.description == "سماعات الرأس", lambda: f"the device is {row.description!r}")
        name = session.run("gsettings", "get", APP_ID, "tone-device").stdout
        expect(name == "'pulse:right'\n", f"the setting is {name}")
        pointer.key("Escape")
        phone.expect_closed("Preferences")
        phone.type("5")
        eventually(lambda: used() == ["right"], lambda: f"sound goes to {used()}")
        session.run(pactl, "unload-module", module)
        keys, _ = hear(session, lambda: phone.type("7"), 1)
        expect(keys == "7", f"no device stands in for the one that is gone: {keys!r}, and sound goes to {used()}")
        phone.action("preferences-page", "'phone'")
        row = preference(phone, "list item", "Tones and Calls")
        eventually(
            lambda: row.description == "pulse:right (not connected)", lambda: f"the device is {row.description!r}")


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
