# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks through files, rooms, searches, calls and forms, with a screen reader and the keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pointer
from accessibility import State, pass_time, wait_until
from file_scenarios import choose_file
from jabber import Person, Server
from messages import expect_buddy, set_account
from passcode import Keyring
from phone import APP_ID, Mismatch, Phone, expect
from reach import focus_row, open_row, press_button, tab_to
from registry import scenario
from room_scenarios import ROOM
from screen_reader import ScreenReader
from session import Session

#: A time after which nothing more is announced.
_QUIET = 1.3


@scenario
def spoken_files(session: Session, program: Path) -> None:
    """A file is announced once; its keys, its menu and the search are reached and named, by the keyboard alone."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        notes = session.folder / "notes.txt"
        notes.write_text("some notes\n" * 100)
        with (
            Person(server, other) as grace,
            Phone(session, program, environment={"SSL_CERT_FILE": str(server.authority)}) as phone,
        ):
            reader = ScreenReader(phone.window)
            grace.befriend(own)
            said = [f"{other} wants to see when you are online"]
            reader.expect_notices(*said)
            press_button(reader, "Accept")
            expect_buddy(phone, f"{other}, online")
            open_row(phone, reader, f"{other}, online")
            grace.share(own, notes)
            said.append(f"{other}: File: notes.txt")
            reader.expect_notices(*said)
            # The keys of the card follow its row.
            since = len(reader.lines)
            for name in ("Open", "Save…"):
                tab_to(reader, name)
            expect_order(reader, since, f"{other}, ", "Open push button", "Save… push button")
            pointer.key("Menu")
            for name in ("Save As…", "Copy Link"):
                walk_menu(reader, name)
            pointer.key("Escape")
            _search(phone, reader, other, said)
            pass_time(_QUIET)
            reader.expect_notices(*said)
            reader.close()


def _search(phone: Phone, reader: ScreenReader, other: str, said: list[str]) -> None:
    """Search people and messages: the first result is announced once, and Return moves to it and to its message."""
    open_row(phone, reader, "Operator, online")
    pointer.write("help")
    pointer.key("Return")
    reader.expect_line("Operator: ")
    said[:] = reader.notices
    pointer.key("ctrl+shift+f")
    reader.expect_line("Search people and messages text")
    pointer.write("zebra")
    said.append("Nothing found.")
    reader.expect_notices(*said)
    pointer.key("ctrl+a")
    pointer.write("notes")
    said.append(f"{other}: File: notes.txt")
    reader.expect_notices(*said)
    since = len(reader.lines)
    pointer.key("Return")
    reader.expect_line(f"Search results list box, {other}, ", since)
    pointer.key("Return")
    reader.expect_line(f"Conversation list box, {other}, ", since)
    # What is typed now goes to the field, and the search is still there.
    pointer.key("ctrl+shift+f")
    reader.expect_line("Search people and messages text", since)
    pointer.key("Escape")


def walk_menu(reader: ScreenReader, name: str) -> None:
    """Move to an item of the open menu with the arrow keys."""
    for _ in range(20):
        if reader.lines and reader.lines[-1].split(", ")[-1].startswith(name):
            return
        before = len(reader.lines)
        pointer.key("Down")
        # A menu that has just opened may not have the keyboard yet.
        wait_until(lambda: len(reader.lines) != before, 2)
    raise Mismatch(f"the menu has no {name}: {reader.lines[-20:]}")


def expect_order(reader: ScreenReader, since: int, *texts: str) -> None:
    """Check that lines with these texts were spoken in this order."""
    lines = iter(reader.lines[since:])
    for text in texts:
        expect(any(text in line for line in lines), f"{text!r} is not spoken in order: {reader.lines[since:]}")


@scenario
def spoken_room(session: Session, program: Path) -> None:
    """A room is joined and its people are found by the keyboard alone; messages and rights are announced once."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace:
            grace.enter(ROOM, "Grace")
            with Phone(session, program, f"xmpp:{ROOM}?join") as phone:
                expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
                reader = ScreenReader(phone.window)
                pointer.key("Return")
                expect_buddy(phone, "tea, room")
                open_row(phone, reader, "tea, room")
                grace.say(ROOM, "hello")
                said = ["Grace: hello"]
                reader.expect_notices(*said)
                since = len(reader.lines)
                focus_row(reader, "tea, room")
                pointer.key("Menu")
                walk_menu(reader, "People…")
                pointer.key("Return")
                expect_spoken(reader, "Grace, owner")
                pointer.key("Down")
                reader.expect_line("ada, you", since)
                pointer.key("Up")
                expect_spoken(reader, "Grace, owner")
                pointer.key("Menu")
                reader.expect_line("Private Message menu item", since)
                pointer.key("Escape")
                expect_spoken(reader, "Grace, owner")
                pointer.key("Escape")
                # Everything is announced once, also what came while the list was open.
                grace.say(ROOM, "and goodbye")
                said.append("Grace: and goodbye")
                reader.expect_notices(*said)
                grace.set_role(ROOM, "ada", "visitor")
                said.append("You can read in this room, but only others may speak.")
                reader.expect_notices(*said)
                press_button(reader, "Ask to Speak")
                said.append("The moderators were asked to let you speak.")
                reader.expect_notices(*said)
                # The button has gone, and the keyboard has not lost its place.
                reader.expect_focus()
                grace.set_role(ROOM, "ada", "participant")
                said.append("You may speak in this room.")
                reader.expect_notices(*said)
                pass_time(_QUIET)
                reader.expect_notices(*said)
                reader.close()


def expect_spoken(reader: ScreenReader, text: str) -> None:
    """Check that the last line contains a text, soon."""
    expect(wait_until(lambda: text in reader.lines[-1]), f"the last line has no {text!r}: {reader.lines[-10:]}")


@scenario
def spoken_second_call(session: Session, program: Path) -> None:
    """Holding, swapping and joining calls, and Do Not Disturb, are announced once and in order."""
    with Phone(session, program) as phone:
        reader = ScreenReader(phone.window)
        said: list[str] = []

        def expect_said(*texts: str) -> None:
            said.extend(texts)
            reader.expect_notices(*said)

        def flash() -> None:
            key = phone.button("Flash")
            expect(wait_until(lambda: key.has(State.SENSITIVE)), "FLASH stays off")
            pointer.key("ctrl+s")

        phone.action("enter", "'0'")
        pointer.key("Return")
        expect_said("0", "dialling", "ringing", "connected")
        flash()
        expect_said("on hold")
        phone.action("enter", "'5551234'")
        pointer.key("Return")
        expect_said("555-1234", "dialling", "ringing", "connected")
        for party in ("0", "555-1234"):
            flash()
            expect_said(f"{party}, connected")
        pointer.key("ctrl+j")
        expect_said("joined")
        pointer.key("ctrl+d")
        expect_said("ended *")
        # The main menu begins with Do Not Disturb.
        since = len(reader.lines)
        pointer.key("F10")
        reader.expect_line("Do Not Disturb check box off", since)
        pointer.key("space")
        reader.expect_line("checked", since + 1)
        quiet = ("gsettings", "get", APP_ID, "do-not-disturb")
        expect(wait_until(lambda: session.run(*quiet).stdout.strip() == "true"), "the phone does not become quiet")
        pass_time(_QUIET)
        reader.expect_notices(*said)
        reader.close()


@scenario
def spoken_forms(session: Session, program: Path) -> None:
    """A certificate is trusted, a number typed with the number pad and contacts imported, by the keyboard alone."""
    session.run("gsettings", "set", "org.gtk.Settings.FileChooser", "startup-mode", "cwd")
    cards = session.folder / "home/cards.vcf"
    cards.write_text("".join(
        f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{name}\r\nTEL:{number}\r\nEND:VCARD\r\n"
        for name, number in (("Ada", "5550101"), ("Grace", "5550102"))))
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own)
        session.run("gsettings", "set", APP_ID, "jabber-pinned-certificate", "''")
        with Phone(session, program) as phone:
            reader = ScreenReader(phone.window)
            expect(wait_until(lambda: phone.find("Account…", "push button") is not None), "there is no problem")
            press_button(reader, "Account…")
            reader.expect_line("Preferences frame")
            since = len(reader.lines)
            tab_to(reader, "Trust This Certificate")
            reader.expect_line("Trust This Certificate push button", since)
            pointer.key("space")
            reader.expect_line("Online", since)
            pointer.key("Escape")
            reader.expect_line("Touchtone frame", since)
            _import(phone, reader, cards)
            _type_number(phone, reader)
            reader.close()


def _import(phone: Phone, reader: ScreenReader, cards: Path) -> None:
    since = len(reader.lines)
    pointer.key("alt+3")
    reader.expect_line("New Contact push button", since)
    press_button(reader, "Import vCards…")
    choose_file(phone, "Import vCards", cards, "Import")
    reader.expect_line("notification 2 contacts imported.", since)
    pass_time(_QUIET)
    lines = [line for line in reader.lines[since:] if "imported" in line]
    expect(len(lines) == 1, f"the import is announced as {lines}")


def _type_number(phone: Phone, reader: ScreenReader) -> None:
    """Type into a field with the number pad. Escape closes the pad and moves to the next field."""
    phone.set("number-pad", "always")
    pointer.key("ctrl+n")
    reader.expect_line("Name text")
    since = len(reader.lines)
    tab_to(reader, "Number")
    expect(wait_until(lambda: phone.find("Done", "push button") is not None), "the number pad does not open")
    pointer.key(*"5550103")
    reader.expect_line("Number text", since)
    since = len(reader.lines)
    pointer.key("Escape")
    expect(wait_until(lambda: phone.find("Done", "push button") is None), "the number pad does not close")
    expect(wait_until(lambda: len(reader.lines) > since), "Escape does not move to the next field")
