# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios of calls through the practice exchange; `scenarios.py` runs them."""

from __future__ import annotations

import time
from pathlib import Path

import pointer
from accessibility import wait_until
from phone import Phone, expect
from registry import scenario
from session import Session
from sound_scenarios import hear


def dial(phone: Phone, number: str) -> None:
    """Has the phone call a number."""
    phone.action("enter", f"'{number}'")
    phone.click("Dial")


def _has_distance(begins: list[float], seconds: float, tolerance: float) -> bool:
    """Whether a sound came so long after another; a busy machine may have torn one of them in two."""
    return any(abs(after - before - seconds) < tolerance for before in begins for after in begins)


@scenario
def practice_exchange(session: Session, program: Path) -> None:
    """A phone without any other line calls and is called, by its keys and by its actions."""
    with Phone(session, program) as phone:
        for number, status in (("5550100", "BUSY"), ("5550101", "NETWORK BUSY"), ("5550102", "NO SUCH NUMBER")):
            dial(phone, number)
            phone.expect_status(status)
            phone.click("Hang up")
            phone.expect_status("READY")
        dial(phone, "5550103")
        phone.expect_status("RINGING")
        pointer.key("Return")
        phone.expect_status("READY")

        dial(phone, "5550104")
        phone.expect_status("RINGING")
        phone.action("hang-up")
        phone.expect_status("READY")
        phone.expect_status("CALL FROM 555-0104")
        phone.click("Answer")
        phone.expect_status("0:01")
        phone.expect_display("555-0104")
        phone.action("enter", "'1234567'")
        phone.type("12")
        phone.expect_status("12")
        phone.expect_display("555-0104")
        phone.type("#")
        phone.expect_status("ENDED")
        phone.expect_display("123-4567")

        dial(phone, "5550104")
        phone.expect_status("RINGING")
        phone.action("hang-up")
        phone.expect_status("CALL FROM 555-0104")
        phone.action("answer")
        phone.expect_status("0:00")
        phone.action("hang-up")
        phone.expect_status("ENDED")
        phone.set("dial-line", "'tel'")
        dial(phone, "0")
        phone.expect_status("NO TEL: APP")


@scenario
def call_sounds(session: Session, program: Path) -> None:
    """Calls are heard: the network's tones, the time, keys, and what the microphone hears."""
    session.start_sound()
    with Phone(session, program) as phone:
        keys, begins = hear(session, lambda: dial(phone, "5550100"), 3.2)
        expect(keys == "" and len(begins) >= 2, f"busy tone, half a second on and off: {keys!r}, {begins}")
        expect(_has_distance(begins, 1, 0.15), f"busy tone comes each second: {begins}")
        phone.click("Hang up")
        phone.expect_status("READY")

        def time_is_told() -> None:
            dial(phone, "7672676")
            phone.expect_status("0:02")

        before = time.strftime("%H%M")
        keys, _ = hear(session, time_is_told)
        expect(keys in (before, time.strftime("%H%M")), f"at {before} the time was told as {keys!r}")
        phone.action("hang-up")

        def key_in_call() -> None:
            phone.type("7")
            # The microphone of the session is what its loudspeaker plays.
            expect(wait_until(lambda: "7" in phone.status()), "the key was not sent")

        dial(phone, "0")
        phone.expect_status("0:02")
        keys, begins = hear(session, key_in_call, 1.3)
        expect(set(keys) == {"7"} and len(keys) >= 2, f"7 comes back: {keys!r}")
        expect(_has_distance(begins, 0.5, 0.08), f"it comes back after half a second: {begins}")
        phone.action("hang-up")
        _, begins = hear(session, lambda: phone.expect_status("ENDED"), 1.0)
        expect(not begins or begins[-1] < 0.3, f"something is heard after the call: {begins}")
