# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the pictures of the manual in `docs/`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Callable

import messages
import passcode
import pointer
from accessibility import State, Widget, wait_until
from phone import APP_ID, Phone, expect
from portal import PREFER_DARK, Portal
from screenshot import capture, capture_window, wait_brightness
from session import Session

_CONTACTS = {"5550103": "Grace Hopper", "5550104": "Ada Lovelace", "+442079460958": "Alan Turing"}


def add_contacts(phone: Phone) -> None:
    """Add a few contacts."""
    for number, name in _CONTACTS.items():
        phone.action("enter", f"'{number}'")
        expect(wait_until(lambda: phone.display() != ""), "the number is not entered")
        pointer.key("ctrl+n")
        expect(wait_until(lambda: phone.find("Name", "text") is not None), "the contact editor does not open")
        pointer.write(name)
        phone.click("Save")
        expect(wait_until(lambda: phone.find("Name", "text") is None), "the contact editor does not close")
        phone.clear()


def _call(phone: Phone, number: str, status: str) -> None:
    phone.action("enter", f"'{number}'")
    phone.action("dial")
    phone.expect_status(status)


def _take_people(phone: Phone, out: Path) -> None:
    pointer.key("alt+3")
    expect(wait_until(lambda: len(messages.rows(phone, "Contacts")) == len(_CONTACTS)), "contacts are missing")
    capture_window(phone, out / "contacts.png")
    for key in "47":
        phone.click(key)
    expect(wait_until(lambda: len(messages.rows(phone, "Suggestions")) == 1), "there is no suggestion")
    capture_window(phone, out / "suggestion.png")
    phone.clear()


def make_calls(phone: Phone) -> None:
    """Make a few calls, for the call log."""
    phone.set("dial-line", "'practice'")
    for number, status in (("5550100", "BUSY"), ("5550102", "NO SUCH NUMBER"), ("5550103", "RINGING")):
        _call(phone, number, status)
        phone.action("hang-up")
        phone.expect_status("READY")


def _take_calls(phone: Phone, out: Path) -> None:
    make_calls(phone)
    _call(phone, "5550104", "RINGING")
    phone.action("hang-up")
    phone.expect_status("CALL ON")
    pointer.key("alt+1")
    capture_window(phone, out / "incoming.png")
    pointer.key("ctrl+d")
    phone.expect_status("READY")
    _call(phone, "8675309", "0:01")
    # A click would leave the pointer on the key, with its tooltip.
    pointer.key("ctrl+s")
    _call(phone, "0", "0:01")
    pointer.key("alt+2")
    capture_window(phone, out / "two-calls.png")
    pointer.key("ctrl+j")
    phone.expect_status("JOINED")
    phone.action("hang-up")
    phone.expect_status("ENDED")
    phone.clear()
    capture_window(phone, out / "calls.png")


def take_message(phone: Phone, status: Callable[[str], str] = str) -> None:
    """Let the answering machine, which is on, take a message of the practice exchange."""
    _call(phone, "5550104", status("RINGING"))
    phone.action("hang-up")
    phone.expect_status(status("RECORDING"), 60)
    recording = phone.status()
    expect(wait_until(lambda: phone.status() != recording, 60), "the machine records for ever")


def _take_deck(phone: Phone, out: Path) -> None:
    phone.set("answering-after", "5")
    phone.action("answering-machine")
    take_message(phone)
    capture_window(phone, out / "deck.png")
    phone.action("answering-machine")


def _preferences(phone: Phone, page: str) -> Widget:
    phone.action("preferences-page", f"'{page}'")
    expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
    window = phone.other("Preferences")
    assert window is not None
    expect(wait_until(lambda: window.has(State.ACTIVE)), "Preferences are not in front")
    return window


def _take_preferences(phone: Phone, out: Path) -> None:
    phone.set("number-pad", "'always'")
    for page, picture in (("phone", "preferences.png"), ("lines", "lines.png")):
        window = _preferences(phone, page)
        if page == "lines":
            prefix = messages.preference(phone, "text", "Prefix")
            prefix.grab_focus()
            expect(wait_until(lambda: prefix.has(State.FOCUSED)), "the prefix does not take the focus")
        capture(out / picture, window.extents)


def _take_account(session: Session, program: Path, out: Path) -> None:
    """Show an account that waits for its password, so that no server is needed."""
    session.run("gsettings", "set", APP_ID, "jabber-jid", "ada@example.org")
    with Phone(session, program) as phone:
        window = _preferences(phone, "messages")
        pointer.move(0, 0)
        messages.preference(phone, "list item", "Your Picture")
        capture(out / "account.png", window.extents)
    session.run("gsettings", "reset", APP_ID, "jabber-jid")


def main() -> None:
    parser = argparse.ArgumentParser(description="Takes the pictures of the manual. Reduce them with pngquant.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    options = parser.parse_args()
    program, out = options.program.resolve(), options.out
    with Session(sound=True) as session:
        session.turn_animations_off()
        with Phone(session, program) as phone:
            add_contacts(phone)
        with Portal(session) as portal, Phone(session, program) as phone:
            _take_people(phone, out)
            _take_calls(phone, out)
            _take_deck(phone, out)
            portal.set_color_scheme(PREFER_DARK)
            expect(wait_brightness(phone, 0, 0.35), "the phone does not turn dark")
            pointer.key("alt+1")
            messages.open_buddy(phone, "Operator")
            messages.write(phone, "help")
            expect(wait_until(lambda: len(messages.said(phone)) == 2), "the Operator does not answer")
            capture_window(phone, out / "dark.png")
        with Phone(session, program) as phone:
            _take_preferences(phone, out)
        _take_account(session, program, out)
        passcode.set_passcode(session, "1234")
        with Phone(session, program) as phone:
            phone.type("12")
            capture_window(phone, out / "lock.png")
    print(out)


if __name__ == "__main__":
    main()
