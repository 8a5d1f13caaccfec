# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for more than two calls at once, with the real engine. `scenarios.py` runs them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pointer
from passcode import Keyring
from phone import Phone, eventually, expect
from processes import MissingPeer
from reach import press_button
from registry import scenario
from screen_reader import ScreenReader
from session import Session
from sip import FarEnd, Registrar, add_with_keyring

#: The parties that are joined with the one that is heard.
_JOINED = ("1003", "1004")


@scenario
def six_calls(session: Session, program: Path) -> None:
    """Six calls over SIP: one is heard, all are reached by the keyboard, three are joined, and a seventh caller is busy."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    with Keyring(session), Registrar(session) as registrar, ExitStack() as stack:
        far = {
            user: stack.enter_context(FarEnd(session, registrar, user))
            for user in map(str, range(1002, 1009))
        }
        with Phone(session, program) as phone:
            add_with_keyring(session, registrar, phone, "1001")
            phone.type("1002")
            phone.click("Dial")
            phone.expect_in_call()
            for user in ("1003", "1004", "1005", "1006", "1007"):
                far[user].ring(registrar.address("1001"))
                phone.expect_status(_shown(user))
                pointer.key("ctrl+Return")
                far[user].wait("CALL_ESTABLISHED")
                phone.expect_display(_shown(user))
                phone.expect_in_call()
            far["1008"].command("dial", registrar.address("1001"))
            reason = far["1008"].wait("CALL_CLOSED")
            expect("486" in reason or "Busy" in reason, f"the seventh caller hears {reason!r}")

            reader = ScreenReader(phone.window)
            pointer.key("ctrl+shift+h")
            press_button(reader, f"Resume: {_shown('1002')}")
            phone.expect_display(_shown("1002"))
            for user in _JOINED:
                press_button(reader, f"Join: {_shown(user)}")
                eventually(
                    lambda: phone.find(f"Join: {_shown(user)}", "push button") is None, lambda: f"{user} is not joined")
            press_button(reader, f"End: {_shown('1006')}")
            far["1006"].wait("CALL_CLOSED")
            pointer.key("Escape")
            # Those that are joined end together, and nobody is resumed.
            pointer.key("ctrl+d")
            for user in ("1002", *_JOINED):
                far[user].wait("CALL_CLOSED")
            phone.expect_status("ON HOLD")
            phone.expect_display(_shown("1007"))
            pointer.key("ctrl+h")
            phone.expect_in_call()
            pointer.key("ctrl+d")
            far["1007"].wait("CALL_CLOSED")
            phone.expect_status("ON HOLD")
            phone.expect_display(_shown("1005"))
            pointer.key("ctrl+d")
            far["1005"].wait("CALL_CLOSED")
            phone.expect_status("ENDED")
            reader.close()


def _shown(user: str) -> str:
    """Return a number as the display writes it."""
    return f"{user[:3]}-{user[3:]}"
