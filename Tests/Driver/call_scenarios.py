# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls through the practice exchange. `scenarios.py` runs them."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

import passcode
import pointer
from accessibility import State, Widget, wait_until
from notifications import Notifications
from phone import Phone, eventually, expect
from registry import on_wayland, scenario
from session import Session
from sound_scenarios import hear


def dial(phone: Phone, number: str) -> None:
    """Call a number."""
    phone.action("enter", f"'{number}'")
    phone.click("Dial")


def _has_distance(begins: list[float], seconds: float, tolerance: float) -> bool:
    """Return whether two sounds began this far apart. On a busy machine, one sound may be heard as two."""
    return any(abs(after - before - seconds) < tolerance for before in begins for after in begins)


@scenario
@on_wayland
def practice_exchange(session: Session, program: Path) -> None:
    """The phone makes and receives calls on the practice exchange, with its keys and with D-Bus actions."""
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
        phone.expect_caller("555-0104")
        phone.click("Answer")
        phone.expect_in_call(1)
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
        phone.expect_caller("555-0104")
        phone.action("answer")
        phone.expect_in_call()
        phone.action("hang-up")
        phone.expect_status("ENDED")
        phone.set("dial-line", "'tel'")
        dial(phone, "0")
        phone.expect_status("NO TEL: APP")


@scenario
def calls_by_name(session: Session, program: Path) -> None:
    """A call shows the contact's name, and is stored with it."""
    file = session.data_home / "touchtone/messages.db"

    def kept() -> list[tuple[str, str]]:
        with sqlite3.connect(file) as store:
            return store.execute("SELECT number, name FROM call ORDER BY id").fetchall()

    with Phone(session, program) as phone:
        dial(phone, "5550103")
        phone.expect_status("RINGING")
        phone.expect_display("555-0103")
        phone.action("hang-up")
        eventually(lambda: kept() == [("5550103", "")], lambda: f"kept: {kept()}")
    with sqlite3.connect(file) as store:
        contact = store.execute("INSERT INTO contact (has_photo) VALUES (0)").lastrowid
        store.execute(
            "INSERT INTO contact_card (contact, name, organization, note, rest) VALUES (?, 'Grace Hopper', '', '', '')",
            (contact,))
        store.execute(
            "INSERT INTO contact_way (contact, kind, place, text) VALUES (?, 'tel', 'home', '555-0103')", (contact,))
    with Phone(session, program) as phone:
        dial(phone, "5550103")
        phone.expect_status("RINGING")
        phone.expect_display("GRACE HOPPER")
        phone.expect_caption("555-0103")
        phone.action("hang-up")
        phone.expect_display("555-0103")
        eventually(
            lambda: kept() == [("5550103", ""), ("5550103", "Grace Hopper")], lambda: f"kept: {kept()}")


@scenario
def call_sounds(session: Session, program: Path) -> None:
    """Network tones, the spoken time, key tones and the microphone's echo can be heard."""
    session.start_sound()
    with Phone(session, program) as phone:
        keys, begins = hear(session, lambda: dial(phone, "5550100"), 3.2)
        expect(keys == "" and len(begins) >= 2, f"busy tone, half a second on and off: {keys!r}, {begins}")
        expect(_has_distance(begins, 1, 0.15), f"busy tone comes each second: {begins}")
        phone.click("Hang up")
        phone.expect_status("READY")

        def time_is_told() -> None:
            dial(phone, "7672676")
            phone.expect_in_call(2)

        before = time.strftime("%H%M")
        keys, _ = hear(session, time_is_told)
        expect(keys in (before, time.strftime("%H%M")), f"at {before} the time was told as {keys!r}")
        phone.action("hang-up")

        def key_in_call() -> None:
            phone.type("7")
            # The session's microphone records its loudspeaker.
            expect(wait_until(lambda: "7" in phone.status()), "the key was not sent")

        dial(phone, "0")
        phone.expect_in_call(2)
        keys, begins = hear(session, key_in_call, 1.3)
        expect(set(keys) == {"7"} and len(keys) >= 2, f"7 comes back: {keys!r}")
        expect(_has_distance(begins, 0.5, 0.08), f"it comes back after half a second: {begins}")
        phone.action("hang-up")
        _, begins = hear(session, lambda: phone.expect_status("ENDED"), 1.0)
        expect(not begins or begins[-1] < 0.3, f"something is heard after the call: {begins}")


def _panel(phone: Phone) -> str | None:
    """Return the state of the call panel, or None if there is no call panel."""
    panel = phone.find("Call", "panel")
    return None if panel is None else panel.description


def _expect_panel(phone: Phone, beginning: str | None) -> None:
    def shows() -> bool:
        state = _panel(phone)
        return state is None if beginning is None else state is not None and state.startswith(beginning)

    expect(wait_until(shows), f"the panel says {_panel(phone)!r}, not {beginning!r}")


def _press(phone: Phone, name: str) -> None:
    """Press a key through AT-SPI as soon as it is shown."""
    expect(wait_until(lambda: phone.find(name, "push button", "toggle button") is not None), f"no key {name!r}")
    phone.button(name).do_action("click")


def _be_called(phone: Phone) -> None:
    """Make the exchange call back."""
    phone.action("enter", "'5550104'")
    phone.action("dial")
    phone.expect_status("RINGING")
    phone.action("hang-up")


def _devices(phone: Phone) -> list[Widget]:
    """Return the items of the open device menu."""
    return [
        widget for window in phone.windows() for widget in window.descendants()
        if widget.role == "radio menu item" and widget.has(State.SHOWING)
    ]


@scenario
@on_wayland
def call_keys(session: Session, program: Path) -> None:
    """A call is answered through AT-SPI, and its keys work through AT-SPI, with shortcuts and with the pointer."""
    # A device besides the default one.
    home = Path(os.environ["HOME"])
    home.mkdir(exist_ok=True)
    (home / ".asoundrc").write_text('pcm.desk { type null hint { show on description "Desk" } }\n')
    with Phone(session, program) as phone:
        expect(_panel(phone) is None, "there is a call panel without a call")
        _be_called(phone)
        _expect_panel(phone, "incoming")
        expect(phone.find("Decline", "push button") is not None, "there is no Decline key")
        _press(phone, "Answer")
        _expect_panel(phone, "connected, 0:0")
        _press(phone, "Mute")
        phone.expect_status("MUTE")
        expect(wait_until(lambda: phone.button("Mute").has(State.CHECKED)), "MUTE is not lit")
        pointer.key("ctrl+m")
        expect(wait_until(lambda: not phone.button("Mute").has(State.CHECKED)), "MUTE stays lit")
        pointer.key("ctrl+h")
        _expect_panel(phone, "held")
        phone.click("Hold")
        _expect_panel(phone, "connected")
        pointer.key("ctrl+k")
        expect(wait_until(lambda: phone.find("5", "push button") is None), "the keypad stays")
        phone.type("12")
        phone.expect_status("12")
        _press(phone, "Keypad")
        expect(wait_until(lambda: phone.find("5", "push button") is not None), "the keypad does not come back")
        speaker = phone.button("Speaker")
        expect(wait_until(lambda: speaker.has(State.SENSITIVE)), "SPKR is insensitive with several devices")
        pointer.key("ctrl+o")
        expect(wait_until(lambda: len(_devices(phone)) > 1), "Ctrl+O opens no menu of devices")
        # The menu also has the microphones, under a heading, if there are several.
        items = [widget for window in phone.windows() for widget in window.descendants() if widget.role == "menu item"]
        groups = 2 if any(item.name == "Microphone" for item in items) else 1
        chosen = [item.has(State.CHECKED) for item in _devices(phone)].count(True)
        expect(chosen == groups, f"{chosen} devices are chosen in {groups} groups")
        pointer.key("Down", "Return")
        expect(wait_until(lambda: speaker.description.startswith("The call is heard on")), "no device is chosen")
        speaker.do_action("click")
        expect(wait_until(lambda: len(_devices(phone)) > 1), "AT-SPI does not open the device menu")
        _devices(phone)[0].do_action("click")
        expect(wait_until(lambda: speaker.description.startswith("Choose")), "the first device cannot be chosen again")
        pointer.key("ctrl+d")
        _expect_panel(phone, None)
        expect(phone.find("Redial", "push button") is not None, "the soft keys do not come back")


@scenario
def call_second(session: Session, program: Path) -> None:
    """A second call is made; both calls are joined, separated and transferred."""
    with Phone(session, program) as phone:
        dial(phone, "0")
        _expect_panel(phone, "connected")
        phone.click("Flash")
        expect(wait_until(lambda: phone.find("Dial", "push button") is not None), "there is no Dial key")
        dial(phone, "0")
        _expect_panel(phone, "connected")
        phone.click("Join")
        _expect_panel(phone, "joined")
        pointer.key("ctrl+s")
        _expect_panel(phone, "connected")
        pointer.key("ctrl+j")
        _expect_panel(phone, "joined")
        phone.click("Transfer")
        phone.expect_status("TRANSFERRED")
        _expect_panel(phone, None)


@scenario
@on_wayland
def call_locked(session: Session, program: Path) -> None:
    """A call to a locked phone shows only its number, and can be answered and hung up; the phone stays locked."""
    passcode.set_passcode(session, "1234")
    with Notifications(session) as desktop, Phone(session, program) as phone:
        phone.type("1234")
        expect(wait_until(lambda: phone.find("Dial", "push button") is not None), "the phone does not open")
        _be_called(phone)
        phone.action("lock")
        expect(wait_until(lambda: phone.find("Passcode", "panel") is not None), "the phone is not locked")
        _expect_panel(phone, "incoming")
        note = desktop.wait(lambda shown: len(shown) == 1, "a notification of the call")
        expect(note["title"] == "555-0104 is calling", f"the notification says {note}")
        expect(phone.find("Dial", "push button") is None, "the phone is visible while locked")
        _press(phone, "Answer")
        _expect_panel(phone, "connected")
        desktop.wait(lambda shown: not shown, "no notification after the answer")
        _press(phone, "Mute")
        expect(wait_until(lambda: phone.button("Mute").has(State.CHECKED)), "MUTE is not lit")
        _press(phone, "Hang up")
        _expect_panel(phone, None)
        expect(phone.find("Passcode", "panel") is not None, "the phone has opened")


@scenario
@on_wayland
def call_notifications(session: Session, program: Path) -> None:
    """A call is answered or declined in its notification, which never takes the focus."""
    with Notifications(session) as desktop, Phone(session, program) as phone:
        _be_called(phone)
        phone.action("preferences")
        expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
        note = desktop.wait(lambda shown: len(shown) == 1, "a notification of the call")
        expect(
            note["actions"] == ["default", "Open", "answer", "Answer", "decline", "Decline"]
            and note["category"] == "call.incoming" and note["urgency"] == 2
            and note["icon"] == "io.github.touchtone.Touchtone-call-symbolic",
            f"the notification is {note}",
        )
        preferences = phone.other("Preferences")
        expect(preferences is not None and preferences.has(State.ACTIVE), "the call has taken the focus")
        desktop.act(note["number"], "decline")
        desktop.wait(lambda shown: not shown, "no notification after the call")
        _be_called(phone)
        note = desktop.wait(lambda shown: len(shown) == 1, "a notification of the call")
        desktop.act(note["number"], "answer")
        phone.expect_in_call()
        phone.action("hang-up")


@scenario
def blocked_caller(session: Session, program: Path) -> None:
    """A blocked caller does not ring, and stands in the history as blocked; unblocked, it rings again."""
    file = session.data_home / "touchtone/messages.db"

    def ends() -> list[int]:
        with sqlite3.connect(file) as store:
            return [end for (end,) in store.execute("SELECT ending FROM call WHERE is_incoming ORDER BY id")]

    with Notifications(session) as notifications, Phone(session, program) as phone:
        phone.set("blocked-callers", "['555-0104', 'grace@example.org']")
        _be_called(phone)
        eventually(lambda: ends() == [15], lambda: f"the history has the calls {ends()}")
        phone.expect_status("READY")
        expect(notifications.count == 0, f"there are notifications: {notifications.shown}")
        phone.set("blocked-callers", "@as []")
        _be_called(phone)
        phone.expect_caller("555-0104")
        phone.action("hang-up")
