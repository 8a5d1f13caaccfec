# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for group chats. `scenarios.py` runs them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pointer
from accessibility import State, Widget, wait_until
from jabber import Person, Server
from messages import expect_buddy, expect_said, field, open_buddy, rows, said, set_account, write
from notifications import Notifications
from passcode import Keyring
from phone import Phone, expect
from registry import scenario
from session import Session

ROOM = "tea@rooms.localhost"


@scenario
def group_chat(session: Session, program: Path) -> None:
    """The user joins a room by a link: each message comes once, also after a kill; only mentions notify."""
    with Keyring(session), Server(session) as server, Notifications(session) as desktop:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace:
            grace.enter(ROOM, "Grace")
            with Phone(session, program, f"xmpp:{ROOM}?join") as phone:
                expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
                phone.button("Join").do_action("click")
                expect_buddy(phone, "tea, room")
                grace.say(ROOM, "hello all")
                expect_said(phone, ("Grace", "hello all"))
                open_buddy(phone, "tea")
                write(phone, "here I am")
                grace.wait_said("ada", "here I am")
                expect_said(phone, ("Grace", "hello all"), ("you", "here I am"))
                pointer.key("F9")
                expect(wait_until(lambda: phone.find("Message", "text") is None), "the panel does not close")
                grace.say(ROOM, "nobody in particular")
                desktop.expect_nothing_new(within=0.5)
                grace.say(ROOM, "ada: scones?")
                note = desktop.wait(lambda shown: len(shown) == 1, "there is no notification of a mention")
                expect("ada: scones?" in note["body"], f"it says {note}")
                desktop.click(note["number"])
                expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "a click does not open the room")
                spoken = [
                    ("Grace", "hello all"), ("you", "here I am"), ("Grace", "nobody in particular"),
                    ("Grace", "ada: scones?"),
                ]
                expect_said(phone, *spoken)
                # A kill loses nothing, and what is said meanwhile appears exactly once.
                os.kill(phone.process.pid, signal.SIGKILL)
                phone.process.wait()
                phone.process.returncode = 0
                grace.say(ROOM, "while you were away")
                grace.wait_said("Grace", "while you were away")
            with Phone(session, program) as phone:
                expect_buddy(phone, "tea, room, 1 unread")
                open_buddy(phone, "tea")
                spoken.append(("Grace", "while you were away"))
                expect_said(phone, *spoken)
                heard = [one for one in said(phone) if one in spoken]
                expect(heard == spoken, f"something came twice: {said(phone)}")
                _row(phone).grab_focus()
                expect(wait_until(lambda: _row(phone).has(State.FOCUSED)), "the room does not take the focus")
                pointer.key("Delete")
                expect(wait_until(lambda: phone.find("Leave", "push button") is not None), "nothing asks to leave")
                phone.button("Leave").do_action("click")
                grace.wait_left("ada")
                expect(
                    wait_until(lambda: not any(row.startswith("tea, ") for row in rows(phone, "Buddies"))),
                    f"the room remains: {rows(phone, 'Buddies')}")


def _row(phone: Phone) -> Widget:
    """Return the row of the room."""
    found = phone.find("Buddies", "list box")
    assert found is not None
    return next(one for one in found.descendants() if one.role == "list item" and one.name.startswith("tea, "))
