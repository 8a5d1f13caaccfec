# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for replies, reactions and deleted messages. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

import pointer
from accessibility import State, Widget, wait_until
from jabber import Person, Server
from messages import expect_buddy, open_row, rows, said, set_account, write
from passcode import Keyring
from phone import BUTTONS, Phone, eventually, expect
from registry import scenario
from session import Session

REPLY = "{urn:xmpp:reply:0}reply"
REACTIONS = "{urn:xmpp:reactions:0}reactions"
RETRACT = "{urn:xmpp:message-retract:1}retract"


@scenario
def replies_and_reactions(session: Session, program: Path) -> None:
    """Another client's reply, reaction and deletion are shown, and mine reach it; also what happens while the phone is off."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace:
            with Phone(session, program) as phone:
                grace.befriend(own)
                expect(wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
                phone.button("Accept").do_action("click")
                expect_buddy(phone, "grace@localhost, online")
                grace.annotate(own, "q1", "Tea?")
                open_row(phone, "grace@localhost, online, 1 unread")
                eventually(lambda: said(phone)[-1:] == [(other, "Tea?")], lambda: f"there is {said(phone)}")
                _focus(phone, "Tea?")
                pointer.key("ctrl+r")
                expect(wait_until(lambda: phone.find("Cancel Reply", *BUTTONS) is not None), "nothing says that it is a reply")
                write(phone, "Gladly")
                answer = grace.wait_message("> Tea?\nGladly")
                expect(answer["extensions"].get(REPLY) == "q1", f"it replies to {answer}")
                eventually(
                    lambda: said(phone)[-1] == ("you", f"Gladly (in reply to {other}: Tea?)"),
                    lambda: f"there is {said(phone)}")
                grace.annotate(
                    own, "r1", None,
                    f"<reactions xmlns='urn:xmpp:reactions:0' id='{answer['id']}'><reaction>👍</reaction></reactions>")
                eventually(
                    lambda: "reactions: 👍" in _row(phone, "Gladly").description,
                    lambda: f"the answer is {_row(phone, 'Gladly').description!r}")
                # Mine: by the menu of the message, and the first emoji.
                _focus(phone, "Tea?")
                pointer.key("Menu", "Down", "Return")
                expect(wait_until(lambda: phone.find("👍", "toggle button") is not None), "no emoji are offered")
                thumb = phone.find("👍", "toggle button")
                assert thumb is not None
                expect(wait_until(lambda: thumb.has(State.FOCUSED)), "the first emoji does not have the focus")
                pointer.key("Return")
                mine = grace.wait(lambda event: REACTIONS in event.get("extensions", {}), "has no reaction")
                expect(mine["extensions"][REACTIONS] == "q1" and mine["words"] == ["👍"], f"it is {mine}")
            # While the phone is off, a message is deleted, and another one comes.
            grace.annotate(
                own, "d1", "I deleted a message.", "<retract xmlns='urn:xmpp:message-retract:1' id='q1'/>")
            grace.annotate(own, "q2", "Coffee?")
            with Phone(session, program) as phone:
                open_row(phone, "grace@localhost, online, 1 unread")
                eventually(
                    lambda: [text for _, text in said(phone)] == [
                        f"{other} deleted this message.", f"Gladly (in reply to {other}: This message was deleted.)",
                        "Coffee?",
                    ], lambda: f"there is {said(phone)}")
                _focus(phone, "Gladly")
                pointer.key("Menu", "Up", "Up", "Up", "Return")
                expect(wait_until(lambda: phone.find("Delete for Everyone", *BUTTONS) is not None), "nobody asks")
                phone.button("Delete for Everyone").do_action("click")
                gone = grace.wait(lambda event: RETRACT in event.get("extensions", {}), "has no deletion")
                expect(gone["extensions"][RETRACT] == answer["id"], f"it deletes {gone}")
                eventually(
                    lambda: said(phone)[1] == ("you", "You deleted this message."), lambda: f"there is {said(phone)}")
                expect(
                    not any("Tea" in name or "Gladly" in name for name in rows(phone, "Conversation")),
                    f"there still is {rows(phone, 'Conversation')}")


def _row(phone: Phone, text: str) -> Widget:
    found = phone.find("Conversation", "list box")
    assert found is not None
    return next(one for one in found.descendants() if one.role == "list item" and f": {text}" in one.name)


def _focus(phone: Phone, text: str) -> None:
    row = _row(phone, text)
    row.grab_focus()
    expect(wait_until(lambda: row.has(State.FOCUSED)), f"the message {text!r} does not take the focus")
