# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for texting telephone numbers. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

import pointer
from accessibility import State, wait_until
from jabber import Gateway, Server
from messages import expect_buddy, expect_said, field, set_account, write
from passcode import Keyring
from phone import Phone, expect
from registry import scenario
from session import Session


@scenario
def text_number(session: Session, program: Path) -> None:
    """A number is texted by holding MSGS, and the answer arrives under the name of its contact."""
    with Keyring(session), Server(session) as server, Gateway(server, "sms.localhost") as gateway:
        set_account(session, server, server.register("ada"))

        def is_found() -> bool:
            key = session.run("gsettings", "get", "io.github.touchtone.Touchtone", "jabber-found-gateway")
            return "sms.localhost" in key.stdout

        with Phone(session, program) as phone:
            expect(wait_until(is_found), "the gateway is not found")
            phone.type("+15558675309")
            pointer.key("ctrl+n")
            expect(wait_until(lambda: phone.find("Name", "text") is not None), "no contact can be written")
            pointer.write("Grace Hopper")
            phone.click("Save")
            phone.press("Messages")
            expect(wait_until(lambda: phone.find("Message", "text") is not None), "holding MSGS opens nothing")
            phone.release()
            expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "the release closes the conversation")
            expect(gateway.messages == [], f"something was sent: {gateway.messages}")
            write(phone, "hello")
            gateway.wait_message("15558675309", "hello")
            expect_said(phone, ("you", "hello"), ("Grace Hopper", "got hello"))
            expect_buddy(phone, "Grace Hopper, offline")
            write(phone, "from 15550001111 who is this?")
            expect_buddy(phone, "15550001111, offline, 1 unread")
            # A gateway that is set from outside counts at once.
            phone.set("jabber-gateway", "other.example.org")
            expect_buddy(phone, "15550001111@sms.localhost, offline, 1 unread")
            phone.set("jabber-gateway", "")
            expect_buddy(phone, "15550001111, offline, 1 unread")
            pointer.key("alt+3")
            last = "Last message: you, “from 15550001111 who is this?”"
            expect(
                wait_until(lambda: any(widget.name.startswith(last) for widget in phone.widgets())),
                "the card does not show the last message")
        # The next run knows the names before the sign-in.
        server.stop()
        with Phone(session, program) as phone:
            expect_buddy(phone, "15550001111, offline, 1 unread")
            phone.set("jabber-jid", "")
            expect(wait_until(lambda: not is_found()), "the gateway outlives the account")
        server.start()
