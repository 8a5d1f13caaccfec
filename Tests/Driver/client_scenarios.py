# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario with profanity, another client with a code base of its own, in a terminal. `scenarios.py` runs it."""

from __future__ import annotations

from pathlib import Path

import pointer
from accessibility import wait_until
from jabber import Server
from messages import draft, expect_buddy, expect_said, open_buddy, rows, set_account, write
from passcode import Keyring
from phone import BUTTONS, Phone, expect
from profanity import Profanity
from registry import scenario
from session import Session

_ROOM = "tea@rooms.localhost"
#: The colour in which profanity shows a message until its receipt comes.
_UNRECEIVED = "red"


@scenario
def other_client(session: Session, program: Path) -> None:
    """Messages, receipts, corrections and a room work with profanity at the other end, both ways."""
    with Keyring(session), Server(session) as server:
        own, other, nobody = (server.register(name) for name in ("ada", "grace", "nobody"))
        set_account(session, server, own)
        with Profanity(session, server, other) as grace, Phone(session, program) as phone:
            for command in ("/receipts request on", "/receipts send on", "/correction on", f"/sub request {own}"):
                grace.enter(command)
            expect(wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
            phone.button("Accept").do_action("click")
            grace.expect("uthorization request")
            grace.enter(f"/sub allow {own}")
            expect_buddy(phone, f"{other}, online")
            grace.enter(f"/msg {nobody} unanswered")
            grace.wait(lambda _: grace.color("unanswered") == _UNRECEIVED, "a message without a receipt looks received")
            # A message and its receipt each way.
            grace.enter(f"/msg {own} hello from a terminal")
            grace.wait(lambda _: grace.color("hello from a terminal") not in ("", _UNRECEIVED), "there is no receipt")
            open_buddy(phone, other)
            expect_said(phone, (other, "hello from a terminal"))
            write(phone, "hello from a telephone")
            grace.expect(": hello from a telephone")
            _expect_state(phone, "hello from a telephone", "delivered")
            # A correction each way.
            grace.enter("/correct hello from a console")
            expect_said(phone, (other, "hello from a console"), ("you", "hello from a telephone"))
            _expect_state(phone, "hello from a console", "edited")
            pointer.key("Up")
            expect(wait_until(lambda: draft(phone) == "hello from a telephone"), f"the field has {draft(phone)!r}")
            pointer.key("ctrl+a")
            write(phone, "hello from a phone")
            grace.expect("hello from a phone")
            grace.wait(lambda shown: "hello from a telephone" not in shown, "the old text is still there")
            # A room.
            grace.enter(f"/join {_ROOM} nick Grace")
            grace.expect("Room locked")
            grace.enter("/room accept")
            grace.expect("Room unlocked")
            session.run(program, f"xmpp:{_ROOM}?join")
            expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
            phone.button("Join").do_action("click")
            expect_buddy(phone, "tea, room")
            grace.enter("hello all")
            open_buddy(phone, "tea")
            expect_said(phone, ("Grace", "hello all"))
            write(phone, "here I am")
            grace.expect("ada: here I am")
            grace.enter("/correct hello everybody")
            expect_said(phone, ("Grace", "hello everybody"), ("you", "here I am"))


def _expect_state(phone: Phone, text: str, state: str) -> None:
    """Wait until the row of a message has this state in its description."""
    def states() -> list[str]:
        found = phone.find("Conversation", "list box")
        return [] if found is None else [
            row.description for row in found.descendants() if row.role == "list item" and row.name.endswith(f": {text}")
        ]

    expect(
        wait_until(lambda: any(state in shown for shown in states())),
        f"{text!r} is {states()}, not {state}, in {rows(phone, 'Conversation')}")
