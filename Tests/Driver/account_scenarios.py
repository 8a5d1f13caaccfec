# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the list of Jabber accounts in the settings. `scenarios.py` runs them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pointer
from accessibility import Widget, wait_until
from jabber import PASSWORD, Person, Server
from messages import (
    draft, expect_account, expect_said, kept_password, open_row, preference, rows, set_account, write,
)
from notifications import Notifications
from passcode import Keyring
from phone import APP_ID, BUTTONS, Phone, eventually, expect
from registry import scenario
from session import Session

SCHEMA = f"{APP_ID}.JabberAccount:/io/github/touchtone/Touchtone/jabber/{{}}/"


@scenario
def account_has_two_names(session: Session, program: Path) -> None:
    """The keys for one account become the first account; then each follows the other, also if a script changes them."""
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own)
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "Online")
            ids = _get(session, APP_ID, "jabber-accounts")
            expect(ids.count("'") == 2, f"the accounts are {ids}")
            account = SCHEMA.format(ids.split("'")[1])
            expect(_get(session, account, "jid") == f"'{own}'", "the account has another address")
            # A certificate other than the trusted one, and the trusted one again.
            _set(session, account, "pinned-certificate", "00" * 32)
            expect_account(phone, "Not Signed In", "its issuer is unknown")
            phone.set("jabber-pinned-certificate", server.fingerprint)
            expect_account(phone, "Online")
            eventually(
                lambda: _get(session, account, "pinned-certificate") == f"'{server.fingerprint}'",
                lambda: "the account does not follow its other name")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
        # While no program runs, another account takes its place, and then loses its address by the other name.
        home = SCHEMA.format("home")
        for key in ("host", "port", "pinned-certificate"):
            _set(session, home, key, _get(session, account, key).strip("'").removeprefix("uint32 "))
        _set(session, home, "jid", own)
        _set(session, APP_ID, "jabber-accounts", "['home']")
        _reset(session, "jabber-jid")
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "No Account")
            _set(session, home, "jid", own)
            expect_account(phone, "Online")
            eventually(
                lambda: _get(session, APP_ID, "jabber-jid") == f"'{own}'",
                lambda: "the other name does not follow the account")
            phone.set("jabber-accounts", "[]")
            expect_account(phone, "No Account")


@scenario
def several_accounts(session: Session, program: Path) -> None:
    """A second account, added in Preferences, has its own sign-in, buddies and messages, and leaves them when it goes."""
    with Keyring(session), Server(session) as server, ExitStack() as stack:
        home, work, other = server.register("ada"), server.register("lovelace"), server.register("grace")
        set_account(session, server, home)
        desktop = stack.enter_context(Notifications(session))
        phone = stack.enter_context(Phone(session, program))
        phone.action("preferences-page", "'messages'")
        expect_account(phone, "Online")
        add = preference(phone, "list item", "Add Another Account")
        expect(add.take_focus(), "the row for another account does not take the focus")
        pointer.key("Return")
        expect(wait_until(lambda: len(_fields(phone, "Jabber Address")) == 2), "there are no fields for another account")
        _enter(phone, "Jabber Address", work)
        _enter(phone, "Password", PASSWORD, role="password text")
        pointer.key("Return")
        # The server’s name is looked up; a script says where it is, as it does for the first account.
        eventually(lambda: _others(session), lambda: "the account is not in the list")
        account = SCHEMA.format(_others(session)[0])
        # The phone writes this last; before, it would write over what another program changes in the same file.
        eventually(lambda: work in _get(session, account, "device-id"), lambda: "the account does not sign in")
        for key, value in {
            "host": "127.0.0.1", "port": str(server.port), "pinned-certificate": server.fingerprint,
        }.items():
            _set(session, account, key, value)
        eventually(lambda: len(_rows(phone, "Online")) == 2, lambda: f"the accounts are {[(one.name, one.description) for one in _rows(phone)]}")
        eventually(lambda: kept_password(session, work) == PASSWORD, lambda: "the keyring lacks the password")
        pointer.key("Escape")
        with Person(server, other) as grace:
            for count, own in enumerate((home, work), 1):
                grace.befriend(own)
                expect(wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
                phone.button("Accept").do_action("click")
                eventually(
                    lambda: sum(one.startswith("grace@localhost, online") for one in rows(phone, "Buddies")) == count,
                    lambda: f"the buddies are {rows(phone, 'Buddies')}")
            grace.send(work, "At work?")
            open_row(phone, "grace@localhost, online, 1 unread")
            expect_said(phone, (other, "At work?"))
            write(phone, "Yes, at work")
            event = grace.wait_message("Yes, at work")
            expect(event["sender"] == work, f"it came from {event}")
            grace.send(home, "At home?")
            note = desktop.wait(
                lambda shown: any(one["body"] == "At home?" for one in shown), "there is no notification")
            expect(note["title"] == f"grace@localhost – {home}", f"the notification says {note}")
            open_row(phone, "grace@localhost, online, 1 unread")
            expect_said(phone, (other, "At home?"))
            desktop.wait(lambda shown: not shown, "the notification stays after the message was seen")
            _answer_from_notification(session, desktop, grace, account, work)
            _search_both(phone, home)
            _open_links(session, program, phone, home, other)
            # An account that is not used shows nobody as reachable.
            for value, count in (("false", 1), ("true", 2)):
                _set(session, account, "enabled", value)
                eventually(
                    lambda: sum(one.startswith("grace@localhost, online") for one in rows(phone, "Buddies")) == count,
                    lambda: f"enabled is {value}, and the buddies are {rows(phone, 'Buddies')}")
            # What waits while the phone does not run comes for each account.
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
            grace.send(work, "Still there?")
            with Phone(session, program) as again:
                open_row(again, "grace@localhost, online, 1 unread")
                expect_said(
                    again, (other, "At work?"), ("you", "Yes, at work"), (other, "Lunch?"), ("you", "At noon"),
                    (other, "Still there?"))
                again.set("jabber-accounts", f"['{_ids(session)[0]}']")
                eventually(
                    lambda: sum(one.startswith("grace@localhost") for one in rows(again, "Buddies")) == 1,
                    lambda: f"the buddies are {rows(again, 'Buddies')}")


def _answer_from_notification(
    session: Session, desktop: Notifications, grace: Person, account: str, work: str
) -> None:
    """A notification has the name of its account, and an answer in it goes out from there."""
    _set(session, account, "label", "Work")
    grace.send(work, "Lunch?")
    note = desktop.wait(lambda shown: any(one["body"] == "Lunch?" for one in shown), "there is no notification")
    expect(note["title"] == "grace@localhost – Work", f"the notification says {note}")
    desktop.reply(note["number"], "At noon")
    event = grace.wait_message("At noon")
    expect(event["sender"] == work, f"it came from {event}")


def _search_both(phone: Phone, home: str) -> None:
    """One search finds the person on both accounts, and messages of both, by the keyboard alone."""
    def results() -> list[str]:
        return rows(phone, "Search results")

    pointer.key("ctrl+shift+f")
    pointer.write("grace")
    eventually(lambda: len(results()) == 2, lambda: f"the search finds {results()}")
    found = phone.find("Search results", "list box")
    told = [row.description for row in (found.descendants() if found else ()) if row.role == "list item"]
    expect(any("Work" in one for one in told) and any(home in one for one in told), f"the accounts are {told}")
    pointer.key("ctrl+a")
    pointer.write("at work")
    eventually(lambda: len(results()) == 2, lambda: f"the search finds {results()}")
    expect(all(": " in one and "at work" in one.lower() for one in results()), f"the search finds {results()}")
    pointer.key("Down", "Return")
    expect_said(phone, ("you", "At noon"))
    pointer.key("ctrl+shift+f", "Escape")
    eventually(lambda: len(rows(phone, "Buddies")) >= 3, lambda: "the search does not close")


def _open_links(session: Session, program: Path, phone: Phone, home: str, other: str) -> None:
    """A link to somebody whom both accounts know asks for the account, unless it names one."""
    session.run(program, f"xmpp:{other}?message;body=Tea%3F")
    expect(wait_until(lambda: phone.find("Work", "push button") is not None), "the link does not ask")
    phone.button("Work").do_action("click")
    eventually(lambda: draft(phone) == "Tea?", lambda: "the link is not filled in")
    expect_said(phone, ("you", "At noon"))
    # So does a program on the bus, which learns no text of a message.
    session.run("gapplication", "launch", APP_ID, f"xmpp://{home}/{other}")
    expect_said(phone, (other, "At home?"))
    for path in ("", "/window/1"):
        told = session.run(
            "gdbus", "call", "--session", "--dest", APP_ID, "--object-path", f"/{APP_ID.replace('.', '/')}{path}",
            "--method", "org.gtk.Actions.DescribeAll")
        expect(told.returncode == 0, f"there are no actions at {path!r}: {told.stderr}")
        expect("At home?" not in told.stdout, f"the bus tells {told.stdout}")


@scenario
def newcomer_with_invitation(session: Session, program: Path) -> None:
    """Whoever opens an invitation has an account and talks to the inviter after two more clicks and a name."""
    with Keyring(session), Server(session) as server, Person(server, server.register("grace")) as grace:
        link = grace.invite()
        # The server’s name is not in the DNS; an administrator says where it is, and which certificate it has.
        for key, value in {
            "jabber-host": "127.0.0.1", "jabber-port": str(server.port),
            "jabber-pinned-certificate": server.fingerprint,
        }.items():
            _set(session, APP_ID, key, value)
        with Phone(session, program, link) as phone:
            _wait(phone, "grace@localhost invites you to chat.", "label")
            _wait(phone, "Your account will be on localhost.", "label")
            # The same link again changes nothing, and nothing has been sent.
            before = server.connections
            expect(session.run(program, link).returncode == 0, "the link is refused")
            expect(server.connections == before, "the link connects to the server by itself")
            _wait(phone, "Continue", *BUTTONS).do_action("click")
            name, password = _wait(phone, "User Name", "text"), _wait(phone, "Password", "password text")
            _type(name, "grace")
            _type(password, PASSWORD)
            pointer.key("Return")
            _wait(phone, "This name is taken. Choose another one. The server says: “The requested username already exists.”", "label")
            _type(name, "ada")
            _wait(phone, "Create", *BUTTONS).do_action("click")
            expect(wait_until(lambda: phone.find("Message", "text") is not None), "the conversation is not open")
            eventually(
                lambda: any(one.startswith("grace@localhost, online") for one in rows(phone, "Buddies")),
                lambda: f"the buddies are {rows(phone, 'Buddies')}")
            write(phone, "Hello, I am here")
            event = grace.wait_message("Hello, I am here")
            expect(event["sender"] == "ada@localhost", f"it came from {event}")
            grace.send("ada@localhost", "Welcome!")
            expect_said(phone, ("you", "Hello, I am here"), ("grace@localhost", "Welcome!"))
            eventually(
                lambda: kept_password(session, "ada@localhost") == PASSWORD, lambda: "the keyring lacks the password")
            expect(_get(session, APP_ID, "jabber-jid") == "'ada@localhost'", "the account is not stored")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")


def _wait(phone: Phone, name: str, *roles: str) -> Widget:
    """Wait for a widget of the phone’s window, and return it."""
    expect(wait_until(lambda: phone.find(name, *roles) is not None), f"there is no {name}")
    found = phone.find(name, *roles)
    assert found is not None
    return found


def _type(field: Widget, text: str) -> None:
    """Replace the text of a field by the keyboard."""
    expect(field.take_focus(), f"{field.name} does not take the focus")
    pointer.key("ctrl+a")
    pointer.write(text)
    # The text of a password is told as bullets.
    expect(wait_until(lambda: len(field.text) == len(text)), f"{field.name} has {field.text}")


def _ids(session: Session) -> list[str]:
    return _get(session, APP_ID, "jabber-accounts").split("'")[1::2]


def _others(session: Session) -> list[str]:
    return _ids(session)[1:]


def _rows(phone: Phone, name: str | None = None, role: str = "list item") -> list[Widget]:
    """Return the rows of Preferences, or other widgets, also those that are scrolled out of view."""
    window = phone.other("Preferences")
    return [] if window is None else [
        one for one in window.descendants()
        if one.role == role and name in (None, one.name)
    ]


def _fields(phone: Phone, name: str, role: str = "text") -> list[Widget]:
    return _rows(phone, name, role)


def _enter(phone: Phone, name: str, text: str, role: str = "text") -> None:
    """Fill in the last field of this name, which is that of the new account."""
    entry = _fields(phone, name, role)[-1]
    expect(entry.take_focus(), f"{name} does not take the focus")
    pointer.write(text)


def _get(session: Session, schema: str, key: str) -> str:
    done = session.run("gsettings", "get", schema, key)
    expect(done.returncode == 0, f"gsettings get {key}: {done.stderr}")
    return done.stdout.strip()


def _set(session: Session, schema: str, key: str, value: str) -> None:
    done = session.run("gsettings", "set", schema, key, value)
    expect(done.returncode == 0, f"gsettings set {key}: {done.stderr}")


def _reset(session: Session, key: str) -> None:
    done = session.run("gsettings", "reset", APP_ID, key)
    expect(done.returncode == 0, f"gsettings reset {key}: {done.stderr}")
