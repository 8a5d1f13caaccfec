# SPDX-License-Identifier: GPL-3.0-or-later
"""Messages through AT-SPI: the buddies, a conversation, and the account in Preferences."""

from __future__ import annotations

import os
from pathlib import Path

import pointer
from accessibility import Missing, State, Widget, wait_until
from jabber import PASSWORD, Server
from passcode import SCHEMA
from phone import Mismatch, Phone, expect
from session import Session


def rows(phone: Phone, name: str) -> list[str]:
    """Return the names of the rows of a list."""
    found = phone.find(name, "list box")
    return [] if found is None else [row.name for row in found.descendants() if row.role == "list item"]


def expect_buddy(phone: Phone, name: str) -> None:
    """Wait for a row in the buddy list, such as `NAME, online` or `NAME, offline, 2 unread`."""
    if not wait_until(lambda: name in rows(phone, "Buddies")):
        raise Mismatch(f"the buddies are {rows(phone, 'Buddies')}, without {name!r}")


def open_row(phone: Phone, name: str) -> None:
    """Open the conversation of the row with this whole name by the keyboard, and wait for it."""
    expect_buddy(phone, name)
    found = phone.find("Buddies", "list box")
    row = next(one for one in found.descendants() if one.role == "list item" and one.name == name) if found else None
    assert row is not None
    row.grab_focus()
    expect(wait_until(lambda: row.has(State.FOCUSED)), f"the row {name!r} does not take the focus")
    pointer.key("Return")
    expect(wait_until(lambda: field(phone).has(State.FOCUSED)), f"the conversation of {name!r} does not open")


def open_buddy(phone: Phone, name: str) -> None:
    """Click a buddy, whatever its state, and wait for its conversation."""
    def row() -> Widget | None:
        found = phone.find("Buddies", "list box")
        return next(
            (
                one for one in (found.descendants() if found else ())
                if one.role == "list item" and one.name.startswith(f"{name}, ") and one.has(State.SHOWING)
            ), None)

    expect(wait_until(lambda: row() is not None), f"there is no buddy {name!r} among {rows(phone, 'Buddies')}")
    one = row()
    assert one is not None
    pointer.click(*phone.center(one))
    expect(wait_until(lambda: field(phone).has(State.FOCUSED)), f"the conversation with {name} does not open")


def field(phone: Phone) -> Widget:
    """Return the message field."""
    found = phone.find("Message", "text")
    if found is None:
        raise Missing("there is no field for a message")
    return found


def draft(phone: Phone) -> str:
    """Return the text of the message field."""
    return field(phone).text


def said(phone: Phone) -> list[tuple[str, str]]:
    """Return sender and text of the visible messages; their rows are named `SENDER, TIME: TEXT`."""
    result = []
    for name in rows(phone, "Conversation"):
        head, _, text = name.partition(": ")
        result.append((head.split(", ")[0], text))
    return result


def expect_said(phone: Phone, *wanted: tuple[str, str]) -> None:
    """Wait until the conversation ends with these messages."""
    if not wait_until(lambda: tuple(said(phone)[-len(wanted):]) == wanted):
        raise Mismatch(f"the conversation is {said(phone)}, and does not end with {wanted}")


def write(phone: Phone, text: str) -> None:
    """Type and send a message. The message field must have the focus."""
    pointer.write(text)
    pointer.key("Return")


# The account


def preference(phone: Phone, role: str, name: str) -> Widget:
    """Wait for a widget in Preferences, and return it."""
    found: list[Widget] = []

    def is_there() -> bool:
        window = phone.other("Preferences")
        found[:] = [] if window is None else [
            widget for widget in window.descendants()
            if widget.role == role and widget.name == name and widget.has(State.SHOWING)
        ]
        return bool(found)

    if not wait_until(is_there):
        window = phone.other("Preferences")
        there = [] if window is None else [
            f"{widget.name} ({widget.description})" for widget in window.descendants()
            if widget.role == role and widget.has(State.SHOWING)
        ]
        raise Mismatch(f"Preferences show no {role} {name!r}, but {there}")
    return found[0]


def fill(phone: Phone, role: str, name: str, text: str) -> None:
    """Replace the text of a field in Preferences."""
    entry = preference(phone, role, name)
    entry.grab_focus()
    expect(wait_until(lambda: entry.has(State.FOCUSED)), f"{name} does not take the focus")
    pointer.key("ctrl+a")
    pointer.write(text)


def press(phone: Phone, name: str) -> None:
    """Press a button in Preferences."""
    key = preference(phone, "push button", name)
    expect(wait_until(lambda: key.has(State.SENSITIVE)), f"{name} can't be pressed")
    key.do_action("click")


def expect_account(phone: Phone, title: str, detail: str = "") -> None:
    """Wait until the page shows this state of the account."""
    row = preference(phone, "list item", title)
    expect(wait_until(lambda: detail in row.description), f"{title}: the page says {row.description!r}, not {detail!r}")


def set_account(
    session: Session, server: Server, address: str, *, password: bool = True, port: int | None = None
) -> None:
    """Set up an account while no phone runs, as an administrator does. Its password needs a keyring."""
    for key, value in {
        "jabber-host": "127.0.0.1", "jabber-port": str(port or server.port),
        "jabber-pinned-certificate": server.fingerprint, "jabber-jid": address,
    }.items():
        done = session.run("gsettings", "set", "io.github.touchtone.Touchtone", key, value)
        expect(done.returncode == 0, f"gsettings set {key}: {done.stderr}")
    if password:
        done = session.run(
            "secret-tool", "store", "--label=Touchtone", "xdg:schema", SCHEMA, "service", "xmpp", "account", address,
            input=PASSWORD)
        expect(done.returncode == 0, f"secret-tool store: {done.stderr}")


def kept_password(session: Session, address: str) -> str:
    """Return the password in the keyring, as another program reads it."""
    return session.run("secret-tool", "lookup", "service", "xmpp", "account", address).stdout


def expect_nowhere(session: Session, secret: str) -> None:
    """Check that no file of the user contains a secret."""
    for folder in (session.folder / "home", session.folder / "run"):
        for file in (Path(path) / name for path, _, names in os.walk(folder) for name in names):
            if "keyrings" in file.parts or not file.is_file():
                continue
            expect(secret.encode() not in file.read_bytes(), f"{file} holds the password")
