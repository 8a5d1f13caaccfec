# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the mobile as a line, with the real PipeWire and WirePlumber. `scenarios.py` runs them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pointer
from accessibility import wait_until
from bluetooth import LINE, NAME, BlueZ, Paired
from call_scenarios import dial
from handset import Handset
from phone import APP_ID, OBJECT_PATH, Phone, eventually, expect
from registry import scenario
from session import Session

_NAME = "ADA'S PHONE"


@scenario
def mobile_line(session: Session, program: Path) -> None:
    """A phone paired by Bluetooth is a line: it dials, answers, holds, joins and sends keys, and goes with the phone."""
    session.start_sound()
    with BlueZ(session) as bluez, Phone(session, program) as phone:
        phone.set("dial-line", f"'{LINE}'")
        _expect_line(phone, f"{_NAME} OFFLINE")
        handset = bluez.connect()
        _expect_line(phone, _NAME)
        _look_up_battery(phone, handset)
        _dial_by_mobile(phone, handset)
        _be_called_by_mobile(phone, handset)
        _hold_two(phone, handset)
        _follow_mobile(phone, handset)
        _send_broken_lines(phone, handset)
        dial(phone, "5550123")
        handset.expect("ATD5550123;")
        handset.alert()
        phone.expect_status("RINGING")
        handset.answer()
        phone.expect_in_call()
        handset.disconnect()
        _expect_line(phone, f"{_NAME} OFFLINE")
        dial(phone, "5550123")
        phone.expect_status("FAILED")
        phone.action("hang-up")
        handset = bluez.connect()
        _expect_line(phone, _NAME)
        bluez.kill_wireplumber()
        _expect_line(phone, f"{_NAME} OFFLINE")


def _expect_line(phone: Phone, text: str) -> None:
    """Wait until the display names this line."""
    eventually(lambda: phone.find(text, "label") is not None, lambda: f"the display names no line {text!r}")


def _look_up_battery(phone: Phone, handset: Handset) -> None:
    phone.action("preferences-page", "'lines'")
    expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
    window = phone.other("Preferences")
    assert window is not None

    def row() -> str:
        found = (one.description for one in window.descendants() if one.name == NAME and one.description)
        return next(found, "")

    expect(wait_until(lambda: "80" in row(), pause=0.2), f"the phone’s row says {row()!r}")
    handset.charge(2)
    expect(wait_until(lambda: "40" in row(), pause=0.2), f"the phone’s row says {row()!r}")
    pointer.key("Escape")
    phone.expect_closed("Preferences")


def _dial_by_mobile(phone: Phone, handset: Handset) -> None:
    dial(phone, "+15550123")
    handset.expect("ATD+15550123;")
    phone.expect_status("DIALLING")
    handset.alert()
    phone.expect_status("RINGING")
    handset.answer()
    phone.expect_in_call()
    phone.type("5")
    handset.expect("AT+VTS=5")
    phone.type("#")
    handset.expect("AT+VTS=#")
    phone.action("hang-up")
    handset.expect("AT+CHUP")
    phone.expect_status("ENDED")
    handset.refusals["ATD5550199;"] = "+CME ERROR: 30"
    dial(phone, "5550199")
    # PipeWire 1.4 does not pass the phone's reason on.
    eventually(
        lambda: any(text in phone.status() for text in ("FAILED", "NETWORK BUSY")),
        lambda: f"a refused call says {phone.status()!r}")
    phone.action("hang-up")


def _be_called_by_mobile(phone: Phone, handset: Handset) -> None:
    handset.ring("5550144")
    phone.expect_caller("555-0144", _NAME)
    phone.action("answer")
    handset.expect("ATA")
    phone.expect_in_call()
    handset.end()
    phone.expect_status("ENDED")
    handset.ring("5550144")
    phone.expect_caller("555-0144", _NAME)
    handset.answer()
    phone.expect_in_call()
    handset.end()
    phone.expect_status("ENDED")
    handset.ring("5550144")
    phone.expect_caller("555-0144", _NAME)
    phone.click("Decline")
    handset.expect("AT+CHUP")


def _hold_two(phone: Phone, handset: Handset) -> None:
    dial(phone, "5550101")
    handset.expect("ATD5550101;")
    handset.alert()
    handset.answer()
    phone.expect_in_call()
    handset.ring("5550144")
    phone.expect_status("CALL")
    phone.click("Answer")
    handset.expect("AT+CHLD=2")
    phone.expect_display("555-0144")
    phone.click("Flash")
    handset.expect("AT+CHLD=2")
    phone.expect_display("555-0101")
    phone.click("Join")
    handset.expect("AT+CHLD=3")
    phone.action("hang-up")
    handset.expect("AT+CHUP")
    phone.expect_status("ENDED")


def _follow_mobile(phone: Phone, handset: Handset) -> None:
    handset.dial("5550177")
    phone.expect_display("555-0177")
    handset.alert()
    phone.expect_status("RINGING")
    handset.answer()
    phone.expect_in_call()
    handset.end()
    phone.expect_status("ENDED")


def _send_broken_lines(phone: Phone, handset: Handset) -> None:
    for line in (
        b"\r\n+CIEV: 99,1\r\n", b"\r\n+CIEV: -1\r\n", b"\r\n+CLCC: \r\n", b"\r\nRING\r\nRING\r\n",
        b'\r\n+CLIP: "\r\n', b"\r\n+CHLD: (\r\n", b"\0\0\0\r\n", "\r\n+CLIP: \"ü\u202e\",1\r\n".encode(), b"\r\n\r\r\r\n\n",
        b"\r\n" + b"A" * 200 + b"\r\n",
        # PipeWire takes this for a call that goes on, and has read all by then: it would lose a line that it reads in parts.
        b"\r\n+CLCC: 1,,,,,\r\n",
    ):
        handset.send(line)
    phone.expect_in_call()
    # This call has its place.
    handset.ring("".join(chr(0x30 + one % 10) for one in range(16)))
    phone.expect_status("CALL ON")
    handset.end()
    expect(wait_until(lambda: "CALL ON" not in phone.status()), f"it still rings: {phone.status()!r}")


@scenario
def mobile_two_phones(session: Session, program: Path) -> None:
    """Two phones are two lines, with a call on each at once; one goes in its call, both come back, and names may be alike."""
    session.start_sound()
    ada, grace = Paired("00:11:22:AA:BB:CC", NAME), Paired("00:11:22:AA:BB:DD", "Grace’s Phone")
    with BlueZ(session, ada, grace) as bluez, Phone(session, program) as phone:
        phone.set("dial-line", f"'{grace.line}'")
        _expect_line(phone, "GRACE'S PHONE OFFLINE")
        first, second = bluez.connect(ada), bluez.connect(grace)
        _expect_line(phone, "GRACE'S PHONE")
        _expect_rows(phone, ["Ada’s Phone", "Grace’s Phone"], lambda: first.charge(2), ["40", "80"])

        # Each phone dials for its line, and only for that.
        _call_out(phone, second, "5550102")
        expect(first.heard == [], f"the other phone was asked for {first.heard}")
        first.ring("5550144")
        phone.expect_status("CALL FROM 555-0144")
        first.answer()
        both = [(ada.line, "5550144", "connected"), (grace.line, "5550102", "connected")]
        _expect_calls(session, both)

        # Only the call of the phone that goes is over.
        second.disconnect()
        _expect_calls(session, both[:1])
        _expect_line(phone, "ADA'S PHONE")
        phone.expect_display("555-0144")
        phone.expect_in_call()
        second = bluez.connect(grace)
        _expect_calls(session, both[:1])
        phone.action("hang-up")
        first.expect("AT+CHUP")
        _expect_calls(session, [])
        expect(second.heard == [], f"the phone that came back was asked for {second.heard}")
        _expect_line(phone, "GRACE'S PHONE")

        # Answering a call of one phone ends that of the other, which cannot be held.
        _call_out(phone, second, "5550102")
        first.ring("5550144")
        phone.expect_status("CALL FROM 555-0144")
        phone.action("answer")
        second.expect("AT+CHUP")
        first.expect("ATA")
        _expect_calls(session, both[:1])
        first.end()
        _expect_calls(session, [])

        # Both go, and come back in the other order.
        first.disconnect()
        second.disconnect()
        _expect_line(phone, "GRACE'S PHONE OFFLINE")
        second, first = bluez.connect(grace), bluez.connect(ada)
        _expect_line(phone, "GRACE'S PHONE")
        bluez.rename(grace, NAME)
        _expect_line(phone, _NAME)
        _expect_rows(phone, [NAME, NAME], lambda: second.charge(1), ["20", "80"])
        for paired, handset, other in ((ada, first, second), (grace, second, first)):
            phone.set("dial-line", f"'{paired.line}'")
            other.heard.clear()
            _call_out(phone, handset, "5550103")
            _expect_calls(session, [(paired.line, "5550103", "connected")])
            phone.action("hang-up")
            handset.expect("AT+CHUP")
            _expect_calls(session, [])
            expect(other.heard == [], f"the phone with the same name was asked for {other.heard}")


def _call_out(phone: Phone, handset: Handset, number: str) -> None:
    dial(phone, number)
    handset.expect(f"ATD{number};")
    handset.alert()
    phone.expect_status("RINGING")
    handset.answer()
    phone.expect_in_call()


def _expect_calls(session: Session, expected: list[tuple[str, str, str]]) -> None:
    """Wait until the bus tells these calls, by line, number and state, in the order of their lines."""
    def calls() -> list[tuple[str, ...]]:
        told = session.run(
            "gdbus", "call", "--session", "--dest", APP_ID, "--object-path", OBJECT_PATH, "--method",
            "org.freedesktop.DBus.ObjectManager.GetManagedObjects").stdout
        found = [re.findall(rf"'{name}': <'([^']*)'>", told) for name in ("Line", "Address", "State")]
        return sorted(zip(*found))

    eventually(lambda: calls() == expected, lambda: f"the calls are {calls()}, not {expected}")


def _expect_rows(phone: Phone, names: list[str], charge: Callable[[], None], batteries: list[str]) -> None:
    """Wait until Preferences list these phones, with these charges in any order once a phone tells its own."""
    phone.action("preferences-page", "'lines'")
    expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
    window = phone.other("Preferences")
    assert window is not None

    def rows() -> list[tuple[str, str]]:
        return [(one.name, one.description) for one in window.descendants() if one.name in names and one.description]

    def charges() -> list[str]:
        return sorted(charge for _, text in rows() for charge in re.findall(r"\d+", text))

    expect(wait_until(lambda: sorted(name for name, _ in rows()) == names, pause=0.2), f"the rows say {rows()}")
    charge()
    expect(wait_until(lambda: charges() == batteries, pause=0.2), f"the rows say {rows()}")
    pointer.key("Escape")
    phone.expect_closed("Preferences")
