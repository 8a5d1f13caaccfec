# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the encryption of the messages on this computer. `scenarios.py` runs them."""

from __future__ import annotations

import glob
from pathlib import Path

import pointer
from accessibility import State, Widget, wait_until
from lock_scenarios import CODE, expect_open
from messages import preference
from passcode import SCHEMA, Keyring, record, set_passcode
from phone import Phone, eventually, expect
from registry import scenario
from session import Session

_SWITCH = "Encrypt Messages on This Computer"
_QUESTION = "Your messages can’t be opened"
_WITHOUT = "Go On Without Them"


def _file(session: Session) -> Path:
    return session.data_home / "touchtone/messages.db"


def _is_encrypted(session: Session) -> bool:
    return _file(session).read_bytes()[:9] == b"Touchtone"


def _attributes(name: str) -> list[str]:
    return ["xdg:schema", SCHEMA, "service", "messages", "account", name]


def _switch(phone: Phone) -> Widget:
    phone.action("preferences-page", "'lock'")
    switch = preference(phone, "toggle button", _SWITCH)
    expect(wait_until(lambda: switch.has(State.SENSITIVE)), f"the switch can't be used: {switch.description}")
    return switch


def _choice(phone: Phone, name: str) -> Widget:
    """Wait for a button of the question, and return it."""
    found: list[Widget] = []

    def is_there() -> bool:
        window = phone.other(_QUESTION)
        found[:] = [] if window is None else [one for one in window.shown() if one.name == name]
        return bool(found)

    expect(wait_until(is_there), f"there is no {name!r} in {[window.name for window in phone.windows()]}")
    return found[0]


def _quit(phone: Phone) -> None:
    phone.action("quit")
    expect(phone.wait_end() == 0, "quit ended the program with an error")


@scenario
def messages_encrypted_at_rest(session: Session, program: Path) -> None:
    """The messages are encrypted under a key in the keyring; without it, the phone says so, works, and loses nothing."""
    set_passcode(session, CODE, "keyring")
    with Keyring(session) as keyring:
        keyring.store(record(CODE))
        with Phone(session, program) as phone:
            phone.type(CODE)
            expect_open(phone)
            switch = _switch(phone)
            switch.do_action("toggle")
            if not glob.glob("/usr/lib/*/libsqlcipher.so.1"):
                # Debian 12 has a version that is too old.
                eventually(lambda: "SQLCipher 4.5" in switch.description, lambda: f"the switch says {switch.description}")
                expect(wait_until(lambda: not switch.has(State.CHECKED)), "the switch stays on")
                expect(not _is_encrypted(session), "the file is encrypted")
                return
            eventually(lambda: _is_encrypted(session), lambda: f"nothing is encrypted: {switch.description}")
            expect(wait_until(lambda: switch.has(State.CHECKED, State.SENSITIVE)), "the switch is not on")
            name = _file(session).read_bytes()[9:16].hex()
            key = session.run("secret-tool", "lookup", *_attributes(name)).stdout
            expect(len(key) == 64, f"the keyring has {key!r}")
            _quit(phone)
            expect(key not in phone.output(), "the key is in the log")
        with Phone(session, program) as phone:
            phone.type(CODE)
            expect_open(phone)
            expect(_switch(phone).has(State.CHECKED), "the switch is off")
            _quit(phone)
        kept = _file(session).read_bytes()
        session.run("secret-tool", "clear", *_attributes(name))
        with Phone(session, program) as phone:
            expect(not _choice(phone, _WITHOUT).has(State.SENSITIVE), "anybody may go on without the messages")
            # The phone works; to close the question decides nothing.
            pointer.key("Escape")
            phone.expect_closed(_QUESTION)
            phone.type(CODE)
            expect_open(phone)
            phone.type("555")
            phone.expect_display("555")
            expect(_file(session).read_bytes() == kept, "the file has changed")
            session.run(program)
            expect(_choice(phone, _WITHOUT).has(State.SENSITIVE), "the owner can't go on")
            _choice(phone, "Try Again").do_action("click")
            _choice(phone, _WITHOUT).do_action("click")
            expect(wait_until(lambda: phone.other("Your messages are kept") is not None), "no window names the file")
            [aside] = _file(session).parent.glob("messages-locked-*.db")
            expect(aside.read_bytes() == kept, "the file that was kept has changed")
            eventually(lambda: _file(session).exists(), lambda: "there is no new file")
            expect(not _is_encrypted(session), "the new file is encrypted")
            window = phone.other("Your messages are kept")
            said = [] if window is None else [one.name for one in window.shown() if one.role == "label"]
            expect(any(aside.name in one for one in said), f"the window says {said}")
            _quit(phone)
        # Back with its key.
        aside.rename(_file(session))
        session.run("secret-tool", "store", "--label=Touchtone", *_attributes(name), input=key)
        with Phone(session, program) as phone:
            phone.type(CODE)
            expect_open(phone)
            expect(_switch(phone).has(State.CHECKED), "the switch is off")
            expect(phone.other(_QUESTION) is None, "it asks although the key is there")
            _quit(phone)
