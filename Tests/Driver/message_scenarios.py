# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for messages and the account. `scenarios.py` runs them."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path
from urllib.parse import quote

import pointer
from accessibility import State, Widget, pass_time, wait_until
from jabber import PASSWORD, Person, Server
from messages import (
    draft, expect_account, expect_buddy, expect_nowhere, expect_said, field, fill, kept_password, open_buddy, preference,
    press, rows, said, set_account, write,
)
from notifications import Notifications
from passcode import Keyring, set_passcode
from phone import APP_ID, BUTTONS, Phone, eventually, expect
from registry import scenario
from session import CHECKOUT, Session
from sound_scenarios import hear


@scenario
def operator_answers(session: Session, program: Path) -> None:
    """Without an account, the Operator answers offline, and the conversation is still there after a restart."""
    with Phone(session, program) as phone:
        expect_buddy(phone, "Operator, online")
        expect(phone.find("Add account", *BUTTONS) is not None, "nothing leads to an account")
        open_buddy(phone, "Operator")
        write(phone, "Hello there")
        expect_said(phone, ("you", "Hello there"), ("Operator", "Hello there"))
        write(phone, "help")
        expect(wait_until(lambda: len(said(phone)) == 4), f"help is not answered: {said(phone)}")
        phone.type("not sent")
        expect(wait_until(lambda: draft(phone) == "not sent"), f"the field has {draft(phone)!r}")
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended the program with an error")
    with Phone(session, program) as phone:
        open_buddy(phone, "Operator")
        expect(wait_until(lambda: len(said(phone)) == 4), f"after a restart there is {said(phone)}")
        expect_said(phone, ("you", "help"), said(phone)[-1])
        expect(wait_until(lambda: draft(phone) == "not sent"), "the draft is gone")


@scenario
def account_signs_in(session: Session, program: Path) -> None:
    """The user signs in and trusts the certificate; messages go both ways and survive a kill."""
    with Keyring(session), Server(session) as server, Phone(session, program) as phone:
        own, other = server.register("ada"), server.register("grace")
        phone.action("preferences-page", "'messages'")
        preference(phone, "list item", "Advanced").grab_focus()
        pointer.key("Return")
        fill(phone, "text", "Jabber Address", own)
        fill(phone, "text", "Server", "127.0.0.1")
        fill(phone, "text", "Port", str(server.port))
        fill(phone, "password text", "Password", PASSWORD)
        pointer.key("Return")
        expect_account(phone, "Not Signed In", "its issuer is unknown")
        window = phone.other("Preferences")
        assert window is not None
        pairs = ":".join(server.fingerprint[index:index + 2] for index in range(0, 64, 2)).upper()
        shown = [widget.name.replace("\n", ":") for widget in window.descendants() if widget.role == "label"]
        expect(pairs in shown, f"the fingerprint is not shown: {shown}")
        expect(kept_password(session, own) == "", "the keyring has a password that nobody has proven")
        press(phone, "Trust This Certificate")
        expect_account(phone, "Online")
        eventually(lambda: kept_password(session, own) == PASSWORD, lambda: "the keyring has no password")
        expect_nowhere(session, PASSWORD)
        pointer.key("Escape")
        with Person(server, other) as grace:
            grace.befriend(own)
            expect(
                wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
            phone.button("Accept").do_action("click")
            expect_buddy(phone, "grace@localhost, online")
            open_buddy(phone, other)
            write(phone, "Are you there?")
            grace.wait_message("Are you there?")
            grace.send(own, "Yes <b>&amp; you</b>?")
            expect_said(phone, ("you", "Are you there?"), (other, "Yes <b>&amp; you</b>?"))
            grace.wait(lambda event: event["event"] == "receipt", "has no receipt")
            # A kill loses nothing, and messages that arrive meanwhile appear exactly once.
            os.kill(phone.process.pid, signal.SIGKILL)
            phone.process.wait()
            phone.process.returncode = 0
            grace.send(own, "While you were away")
            with Phone(session, program) as again:
                expect_buddy(again, "grace@localhost, online, 1 unread")
                open_buddy(again, other)
                expect_said(
                    again, ("you", "Are you there?"), (other, "Yes <b>&amp; you</b>?"),
                    (other, "While you were away"))
                write(again, "I am back")
                grace.wait_message("I am back")


@scenario
def asked_out_of_view(session: Session, program: Path) -> None:
    """A request that comes while the panel is closed is told, and leads to its card."""
    with Keyring(session), Server(session) as server, Notifications(session) as desktop:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        session.run("gsettings", "set", APP_ID, "panel-visible", "false")
        with Phone(session, program) as phone, Person(server, other) as grace:
            grace.befriend(own)
            note = desktop.wait(lambda shown: len(shown) == 1, "the request is not told")
            expect(note["title"] == other, f"it is from {note['title']}")
            expect(note["body"] == f"{other} wants to see when you are online", f"it says {note['body']}")
            key = phone.button("Messages")
            eventually(lambda: key.description == "1 request", lambda: f"MSGS counts {key.description}")
            desktop.click(note["number"])
            expect(wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
            desktop.wait(lambda shown: not shown, "the notification stays")
            phone.button("Accept").do_action("click")
            expect_buddy(phone, "grace@localhost, online")
            eventually(lambda: key.description == "", lambda: f"MSGS counts {key.description}")


@scenario
def account_refused(session: Session, program: Path) -> None:
    """Each sign-in problem is reported, and a wrong password is tried only once."""
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own, password=False)
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "Password Needed", "has no password")
            fill(phone, "password text", "Password", "wrong")
            pointer.key("Return")
            expect_account(phone, "Not Signed In", "Wrong password")
            sign = preference(phone, "push button", "Sign In")
            expect(not sign.has(State.SENSITIVE), "the same password can be tried again")
            tries = server.connections
            expect(tries > 0, "the server has seen nobody")
            pass_time(4)  # by then, a client that retries would have
            expect(server.connections == tries, "it is tried again")
            expect(kept_password(session, own) == "", "a wrong password is in the keyring")
            fill(phone, "password text", "Password", PASSWORD)
            pointer.key("Return")
            expect_account(phone, "Online")
            # A certificate other than the trusted one.
            phone.set("jabber-pinned-certificate", "00" * 32)
            expect_account(phone, "Not Signed In", "its issuer is unknown")
            phone.set("jabber-pinned-certificate", server.fingerprint)
            expect_account(phone, "Online")
            server.stop()
            expect_account(phone, "Offline, Reconnecting…")
            server.start()
            expect_account(phone, "Online")
            _scroll_to(phone, "Remove Account…")
            pointer.key("Return")
            _in_dialog(phone, "Remove").do_action("click")
            _scroll_to(phone, "Jabber Address")
            expect_account(phone, "No Account")
            eventually(lambda: kept_password(session, own) == "", lambda: "the password stays in the keyring")
            phone.set("jabber-jid", "nobody@no-such-domain.invalid")
            expect_account(phone, "Password Needed")


@scenario
def picture_kept(session: Session, program: Path) -> None:
    """A published picture is fetched once, kept for the user alone, used by the next run, and gone with the account."""
    picture = session.folder / "picture.png"
    picture.write_bytes((CHECKOUT / "data/icons/hicolor/48x48/apps/io.github.touchtone.Touchtone.png").read_bytes())
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        folder = session.folder / "home/.cache/touchtone/avatars" / hashlib.sha1(own.encode()).hexdigest()
        file = folder / hashlib.sha1(picture.read_bytes()).hexdigest()
        set_account(session, server, own)
        with Person(server, own) as other_device:
            other_device.publish_picture(picture)
        with Phone(session, program) as phone:
            eventually(file.exists, lambda: f"{folder} has {[one.name for one in folder.glob('*')]}")
            expect(file.read_bytes() == picture.read_bytes(), "another picture is kept")
            modes = [path.stat().st_mode & 0o777 for path in (folder, file)]
            expect(modes == [0o700, 0o600], f"the modes are {[oct(mode) for mode in modes]}")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
        os.utime(file, (1000, 1000))
        with Phone(session, program) as phone:
            eventually(lambda: file.stat().st_mtime > 1000, lambda: "the kept picture is not used")
            phone.set("jabber-jid", "''")
            eventually(lambda: not folder.exists(), lambda: "the picture stays without the account")


def _scroll_to(phone: Phone, name: str) -> None:
    """Focus a widget in Preferences that may be outside the visible part of its page."""
    found = [widget for widget in phone.other("Preferences").descendants() if widget.name == name]
    expect(found, f"Preferences have no {name!r}")
    found[-1].grab_focus()


def _shown(phone: Phone, name: str, role: str) -> Widget:
    """Wait for a widget of the window, and return it."""
    found: list[Widget] = []

    def is_there() -> bool:
        found[:] = [widget for widget in [phone.find(name, role)] if widget is not None]
        return bool(found)

    expect(wait_until(is_there), f"there is no {role} {name!r}")
    return found[0]


def _in_dialog(phone: Phone, name: str) -> Widget:
    """Return a button of the open dialog."""
    found: list[Widget] = []

    def is_there() -> bool:
        found[:] = [
            widget for window in phone.windows() if window.role == "alert"
            for widget in window.descendants() if widget.role == "push button" and widget.name == name
        ]
        return bool(found)

    expect(wait_until(is_there), f"no question has a key {name!r}")
    return found[0]


@scenario
def account_without_keyring(session: Session, program: Path) -> None:
    """Without a keyring, the panel asks for the password at each start, and no file contains it."""
    with Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own, password=False)
        for _ in range(2):
            with Phone(session, program) as phone:
                entry = _shown(phone, "Password", "password text")
                expect(not entry.has(State.FOCUSED), "the question takes the focus")
                entry.grab_focus()
                pointer.write(PASSWORD)
                pointer.key("Return")
                expect(
                    wait_until(lambda: phone.find("Password", "password text") is None), "the question stays")
                phone.action("preferences-page", "'messages'")
                expect_account(phone, "Online", "asks for it each time it starts")
                expect_nowhere(session, PASSWORD)
                phone.action("quit")
                expect(phone.wait_end() == 0, "quit ended the program with an error")


@scenario
def message_notifications(session: Session, program: Path) -> None:
    """Messages out of view show notifications with a reply; a locked phone's notifications name no sender."""
    with Keyring(session), Server(session) as server, Notifications(session) as desktop:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        set_passcode(session, "4711")
        with Phone(session, program) as phone, Person(server, other) as grace:
            pass_time(0.5)
            grace.send(own, "a secret")
            note = desktop.wait(lambda shown: len(shown) == 1, "a locked phone tells of no message")
            expect("grace" not in str(note) and "a secret" not in str(note), f"it tells who and what: {note}")
            expect("inline-reply" not in note["actions"], "a locked phone takes an answer")
            phone.type("4711")
            desktop.wait(lambda shown: not shown, "the notification stays after the phone was opened")
            expect_buddy(phone, "grace@localhost, offline, 1 unread")
            grace.send(own, "1 < 2 & so on")
            note = desktop.wait(lambda shown: len(shown) == 1, "there is no notification")
            expect(
                (note["title"], note["body"]) == ("grace@localhost (2 new)", "1 &lt; 2 &amp; so on"), f"it says {note}")
            expect(note["entry"] == "io.github.touchtone.Touchtone", f"it is of {note['entry']!r}")
            desktop.reply(note["number"], "Quite so")
            grace.wait_message("Quite so")
            desktop.wait(lambda shown: not shown, "the notification stays after an answer")
            expect_buddy(phone, "grace@localhost, offline")
            grace.send(own, "and more")
            note = desktop.wait(lambda shown: len(shown) == 1, "there is no notification of the next message")
            desktop.click(note["number"])
            expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "a click does not open the conversation")
            expect_said(phone, ("you", "Quite so"), (other, "and more"))
            desktop.wait(lambda shown: not shown, "the notification stays after the message was seen")
            grace.send(own, "while you look")
            expect_said(phone, (other, "and more"), (other, "while you look"))
            desktop.expect_nothing_new(within=0.5)


@scenario
def links_to_people(session: Session, program: Path) -> None:
    """An xmpp: link opens the conversation and fills in its text, but sends nothing and adds nobody."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        with Phone(session, program, f"xmpp:{other}") as phone:
            # Without an account, the link opens the account settings.
            preference(phone, "text", "Jabber Address")
        set_account(session, server, own)
        set_passcode(session, "4711")
        with Phone(session, program, f"xmpp:{other}?message;body=See%20you%0Asoon") as phone, \
                Person(server, other) as grace:
            pass_time(0.5)
            expect(phone.find("Message", "text") is None, "a locked phone opens a link")
            phone.type("4711")
            expect(
                wait_until(lambda: phone.find("Message", "text") is not None and draft(phone) == "See you\nsoon"),
                "the link is not filled in")
            pass_time(1)
            expect(not said(phone), f"the link was sent: {said(phone)}")
            second = session.run(program, f"xmpp:{other}?roster;name=Grace%20H.")
            expect(second.returncode == 0, f"exit status {second.returncode}: {second.stderr}")
            address, name = _shown(phone, "Address", "text"), _shown(phone, "Name", "text")
            expect((address.text, name.text) == (other, "Grace H."), f"the form has {address.text}, {name.text}")
            pass_time(0.5)
            expect(not any(row.startswith("Grace H.") for row in rows(phone, "Buddies")), "the link has added somebody")
            phone.button("Add").do_action("click")
            expect_buddy(phone, "Grace H., online")
            del grace
            for name in ("Ömer", "Zoe"):
                session.run(program, f"xmpp:{name.lower()}@localhost?roster;name={quote(name)}")
                expect(wait_until(lambda: _shown(phone, "Name", "text").text == name), f"no form for {name}")
                phone.button("Add").do_action("click")
                expect_buddy(phone, f"{name}, offline")
            # The session's locale sorts by code point.
            names = [row.split(",")[0] for row in rows(phone, "Buddies")]
            expect(names.index("Zoe") < names.index("Ömer"), f"the order is not the locale's: {names}")
            third = session.run(program, "xmpp:room@rooms.localhost?join")
            expect(third.returncode == 0, f"exit status {third.returncode}: {third.stderr}")
            room = _shown(phone, "Room", "text")
            expect(room.text == "room@rooms.localhost", f"the form has {room.text}")
            for link in ("xmpp:", "xmpp:a%zz@b"):
                done = session.run(program, link)
                expect(done.returncode == 2, f"{link}: exit status {done.returncode}")


@scenario
def message_sound(session: Session, program: Path) -> None:
    """A message out of view rings the bell once, unless that is turned off. It needs no network."""
    session.start_sound()
    with Notifications(session, replies=False, markup=False) as desktop, Phone(session, program) as phone:
        open_buddy(phone, "Operator")

        def answered(text: str) -> list[float]:
            """Return when sounds begin while an answer arrives with the panel closed."""
            field(phone).grab_focus()
            expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "the field does not take the focus")
            write(phone, text)
            pointer.key("F9")
            return hear(session, lambda: None, 7)[1]

        expect(len(answered("1 < 2")) >= 1, "the bell is not heard")
        note = desktop.wait(lambda shown: len(shown) == 1, "there is no notification")
        expect((note["title"], note["body"]) == ("Operator", "1 < 2"), f"the notification says {note}")
        expect(note["actions"] == ["default", "Open"], f"it offers {note['actions']}")
        pointer.key("F9")
        expect_said(phone, ("you", "1 < 2"), ("Operator", "1 < 2"))
        desktop.wait(lambda shown: not shown, "the notification stays after the message was seen")
        phone.set("message-sound", "false")
        phone.set("message-notification", "false")
        expect(not answered("again"), "the bell is heard though it is switched off")
        pointer.key("F9")
        expect_said(phone, ("you", "again"), ("Operator", "again"))
        desktop.expect_nothing_new(within=0.1)


@scenario
def messages_damaged(session: Session, program: Path) -> None:
    """A damaged store is quarantined, the panel says so, and new messages are stored."""
    with Phone(session, program) as phone:
        open_buddy(phone, "Operator")
        write(phone, "before")
        expect_said(phone, ("you", "before"), ("Operator", "before"))
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended the program with an error")
    folder = session.data_home / "touchtone"
    file = folder / "messages.db"
    expect(oct(file.stat().st_mode & 0o777) == "0o600", "others can read the messages")
    file.write_bytes(b"no database" * 1000)
    for extra in folder.glob("messages.db-*"):
        extra.unlink()
    with Phone(session, program) as phone:
        expect(
            wait_until(lambda: any("were damaged" in widget.name for widget in phone.widgets())),
            "nothing says that the messages were damaged")
        phone.button("OK").do_action("click")
        expect(
            wait_until(lambda: not any("were damaged" in widget.name for widget in phone.widgets())),
            "it is said for ever")
        open_buddy(phone, "Operator")
        write(phone, "after")
        expect_said(phone, ("you", "after"), ("Operator", "after"))
        expect(("you", "before") not in said(phone), "what was damaged is shown")
    with Phone(session, program) as phone:
        open_buddy(phone, "Operator")
        expect_said(phone, ("you", "after"), ("Operator", "after"))


@scenario
def rests_online(session: Session, program: Path) -> None:
    """Online and idle, the phone wakes up at most once a minute."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Phone(session, program) as phone, Person(server, other) as grace:
            grace.send(own, "Are you there?")
            expect_buddy(phone, f"{other}, offline, 1 unread")
            # GTK keeps the pixels of each scrolled area for 20 seconds, the accessibility bridge what the test has
            # read for 16, and GLib its idle threads for 15. The phone looks into the archive again after 30.
            pass_time(35)
            before = _wakeups(phone)
            pass_time(20)
            after = _wakeups(phone)
            # A thread that has ended has woken for it.
            counts = {thread: after.get(thread, before.get(thread, 0) + 1) - before.get(thread, 0)
                      for thread in before.keys() | after.keys()}
            woken = {thread: count for thread, count in counts.items() if count}
            expect(sum(woken.values()) <= 1, f"threads woke in 20 seconds: {woken}")


def _wakeups(phone: Phone) -> dict[str, int]:
    """Return how often each of the program's threads has gone to sleep so far."""
    return {
        f"{(task / 'comm').read_text().strip()} {task.name}": int(line.split()[1])
        for task in Path(f"/proc/{phone.process.pid}/task").iterdir()
        for line in (task / "status").read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    }
