# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario with an IRC channel, which biboumi shows as a room. `scenarios.py` runs it."""

from __future__ import annotations

from pathlib import Path

from accessibility import wait_until
from irc import DOMAIN, Irc, IrcPerson
from jabber import Server
from messages import draft, expect_buddy, expect_said, open_row, rows, said, set_account, write
from passcode import Keyring
from phone import Phone, eventually, expect
from registry import scenario
from session import Session

import pointer

_CHANNEL = "#tea"
#: More than an IRC server takes in one line.
_LONG = " ".join(f"{number} cups of tea for the long table in the garden." for number in range(11))
_LINES = "one\ntwo\nthree"


@scenario
def irc_room(session: Session, program: Path) -> None:
    """A channel gets each message once, though IRC splits it and drops its ID; nothing is sent again at a new start."""
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own)
        with Irc(session, server, own) as irc, IrcPerson(irc, "grace") as grace:
            grace.send(f"JOIN {_CHANNEL}")
            grace.wait(lambda line: " 366 " in line, "is not in the channel")
            with Phone(session, program, f"xmpp:%23tea@{DOMAIN}?join") as phone:
                expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
                phone.button("Join").do_action("click")
                grace.wait(lambda line: f" JOIN :{_CHANNEL}" in line and line.startswith(":ada!"), "does not see ada")
                expect_buddy(phone, "#tea, room")
                grace.send(f"PRIVMSG {_CHANNEL} :hello all")
                # What the gateway and its server tell of themselves is there, and nothing to be read.
                eventually(
                    lambda: any(one.startswith(DOMAIN) for one in rows(phone, "Buddies")),
                    lambda: f"there is no row of the gateway: {rows(phone, 'Buddies')}")
                expect(
                    not any(one.startswith(DOMAIN) and "unread" in one for one in rows(phone, "Buddies")),
                    f"the gateway's notices are unread: {rows(phone, 'Buddies')}")
                expect_said(phone, ("grace", "hello all"))
                open_row(phone, "#tea, room")
                _make_room()
                spoken = [("grace", "hello all")]
                for text in ("here I am", _LONG, _LINES):
                    phone.paste(text)
                    expect(wait_until(lambda: draft(phone) == text), f"the field has {draft(phone)!r}")
                    pointer.key("Return")
                    spoken.append(("you", text))
                    expect_said(phone, *spoken)
                grace.wait_heard(_CHANNEL, "three")
                _expect_heard(grace)
                grace.send(f"TOPIC {_CHANNEL} :scones")
                eventually(
                    lambda: any("changed the topic to: scones" in text for _, text in said(phone)),
                    lambda: f"nothing says the topic: {said(phone)}")
                # A private message, and its answer.
                grace.send("PRIVMSG ada :only for you")
                expect_buddy(phone, f"grace@{DOMAIN}, offline, 1 unread")
                open_row(phone, f"grace@{DOMAIN}, offline, 1 unread")
                write(phone, "and only for you")
                grace.wait_heard("grace", "and only for you")
            with Phone(session, program) as phone:
                open_row(phone, "#tea, room")
                _make_room()
                # What is sent again would come before this.
                write(phone, "back again")
                grace.wait_heard(_CHANNEL, "back again")
                _expect_heard(grace, "back again")
                spoken.append(("you", "back again"))
                eventually(
                    lambda: [one for one in said(phone) if one[0] in ("grace", "you")] == spoken,
                    lambda: f"something came twice, or is missing: {said(phone)}")
                grace.send(f"KICK {_CHANNEL} ada :enough tea")
                eventually(
                    lambda: any("You were removed" in text for _, text in said(phone)),
                    lambda: f"nothing says that ada was removed: {said(phone)}")


def _make_room() -> None:
    """Enlarge the window, so that all messages are in it."""
    pointer.resize("Touchtone", 1400, 1800)


def _expect_heard(grace: IrcPerson, *more: str) -> None:
    """Check that the channel had each message of the phone once, whatever its parts."""
    heard = grace.heard(_CHANNEL)
    expect("".join(heard).count(_LONG) == 1, f"the long text came in another way: {heard}")
    for text in ("here I am", "one", "two", "three", *more):
        expect(heard.count(text) == 1, f"{text!r} came {heard.count(text)} times: {heard}")
