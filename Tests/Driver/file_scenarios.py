# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for files in messages. `scenarios.py` runs them."""

from __future__ import annotations

import os
import signal
import struct
import zlib
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import pointer
from accessibility import State, Widget, wait_until
from dragging import DragSource
from holding_relay import HoldingRelay
from jabber import Person, Server
from messages import draft, expect_buddy, expect_said, field, open_buddy, set_account, write
from passcode import Keyring
from phone import Phone, eventually, expect
from registry import scenario
from session import Session


@scenario
def share_files(session: Session, program: Path) -> None:
    """Files go both ways; an upload that is killed is sent once by the next run, and a picture is saved."""
    with Keyring(session), HoldingRelay() as relay, Server(session, relay=relay) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        trust = {"SSL_CERT_FILE": str(server.authority)}
        with Person(server, other) as grace:
            with Phone(session, program, environment=trust) as phone:
                befriend(phone, grace, own)
                notes = write_file(session, "notes.txt", b"some notes\n" * 100)
                attach(session, phone, notes)
                grace.wait_file("notes.txt", notes.read_bytes())
                expect_file(phone, "you", "file notes.txt")
                # The program is killed in the middle of an upload.
                relay.hold(after=200_000)
                film = write_file(session, "film.bin", os.urandom(900_000))
                attach(session, phone, film)
                relay.wait_held()
                expect_file(phone, "you", "file film.bin")
                os.kill(phone.process.pid, signal.SIGKILL)
                phone.process.wait()
                phone.process.returncode = 0
                relay.release()
            with Phone(session, program, environment=trust) as phone:
                grace.wait_file("film.bin", film.read_bytes())
                open_buddy(phone, other)
                write(phone, "that was it")
                grace.wait_message("that was it")
                expect(grace.files == ["notes.txt", "film.bin"], f"it has come as {grace.files}")
                picture = _picture(session)
                grace.share(own, picture)
                expect_file(phone, other, "picture photo.png")
                # GTK does not say of a button in a scrolled row that it is in sight.
                expect(
                    wait_until(lambda: any(one.name == "Open Picture" for one in phone.window.descendants())),
                    "it is not shown")
                folder = session.folder / "home/Pictures"
                folder.mkdir()
                _save_as(phone, "picture photo.png", folder / "mine.png")
                eventually(
                    lambda: (folder / "mine.png").exists()
                    and (folder / "mine.png").read_bytes() == picture.read_bytes(),
                    lambda: f"the folder has {list(folder.iterdir())}")
                expect([file.name for file in folder.iterdir()] == ["mine.png"], "there is more in the folder")


@scenario
def drop_files(session: Session, program: Path) -> None:
    """Files, a picture and text are dropped on the conversation and its field; what can't be sent is explained."""
    with DragSource() as source, conversing(session, program) as (phone, grace, _own):
        files = [write_file(session, name, os.urandom(size)) for name, size in (("a.bin", 300_000), ("ä b.txt", 10))]
        source.drop(phone, _place(phone), uris=[file.as_uri() for file in files])
        _send(phone, "2 files to send")
        for file in files:
            grace.wait_file(file.name, file.read_bytes())
        source.drop(phone, field(phone), uris=[files[0].as_uri()])
        _send(phone)
        grace.wait_file("a.bin")
        expect(draft(phone) == "", f"the field has {draft(phone)!r}")
        picture = _picture(session)
        source.drop(phone, _place(phone), png=str(picture))
        _send(phone)
        grace.wait_file("picture.png")
        source.drop(phone, field(phone), text="words")
        expect(wait_until(lambda: draft(phone) == "words"), f"the field has {draft(phone)!r}")
        source.drop(phone, _place(phone), text=" and more")
        expect(wait_until(lambda: draft(phone) == "words and more"), f"the field has {draft(phone)!r}")
        folder = session.folder / "home/Pictures"
        folder.mkdir()
        for uri, reason in {
            "sftp://example.org/a.txt": "Only files on this computer can be sent.",
            folder.as_uri(): "“Pictures” is a folder.",
        }.items():
            source.drop(phone, _place(phone), uris=[uri])
            expect(
                wait_until(lambda: field(phone).description.startswith(reason)),
                f"{uri}: the field says {field(phone).description!r}")
        write(phone, "")
        grace.wait_message("words and more")
        expect(grace.files == ["a.bin", "ä b.txt", "a.bin", "picture.png"], f"it has come as {grace.files}")


def expect_file(phone: Phone, sender: str, what: str) -> None:
    """Wait for the message of a file, such as `picture NAME`."""
    expect_said(phone, (sender, what))


@contextmanager
def conversing(session: Session, program: Path) -> Iterator[tuple[Phone, Person, str]]:
    """Open a conversation with another person, and give the phone, that person and the user's address."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with (
            Person(server, other) as grace,
            Phone(session, program, environment={"SSL_CERT_FILE": str(server.authority)}) as phone,
        ):
            befriend(phone, grace, own)
            yield phone, grace, own


def befriend(phone: Phone, grace: Person, own: str) -> None:
    """Put the other person on the list, and open the conversation."""
    expect_buddy(phone, "Operator, online")
    grace.befriend(own)
    expect(wait_until(lambda: phone.find("Accept", "push button") is not None), "the request is not shown")
    phone.button("Accept").do_action("click")
    expect_buddy(phone, f"{grace.address}, online")
    open_buddy(phone, grace.address)


def _conversation(phone: Phone) -> Widget:
    found = phone.find("Conversation", "list box")
    assert found is not None
    return found


def _place(phone: Phone) -> Widget:
    """Return the place of the conversation, which may be empty."""
    return next(
        widget for widget in phone.window.shown()
        if widget.role == "scroll pane" and any(one.name == "Conversation" for one in widget.descendants()))


def write_file(session: Session, name: str, data: bytes) -> Path:
    """Write a file to the user's folder."""
    file = session.folder / "home" / name
    file.write_bytes(data)
    return file


def _picture(session: Session) -> Path:
    """Write a picture of one colour, 40 by 30."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = (b"\0" + b"\x33\x66\x99" * 40) * 30
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0))
    return write_file(session, "photo.png", data + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def attach(session: Session, phone: Phone, file: Path) -> None:
    """Attach a file by the key and the file dialog."""
    # With an empty list of recent files, GTK 3 gives the focus to a list that is not there, and complains of each key.
    session.run("gsettings", "set", "org.gtk.Settings.FileChooser", "startup-mode", "cwd")
    expect(wait_until(lambda: phone.button("Attach").has(State.SENSITIVE)), "nothing can be attached")
    phone.click("Attach")
    choose_file(phone, "Attach Files", file, "Attach")
    _send(phone)


def _send(phone: Phone, title: str = "1 file to send") -> None:
    """Send the files over the message field."""
    expect(wait_until(lambda: phone.find(title, "label") is not None), "the files are not shown")
    phone.button("Send").do_action("click")


def _save_as(phone: Phone, what: str, file: Path) -> None:
    """Save the file of a message by its menu."""
    row = next(
        row for row in _conversation(phone).descendants() if row.role == "list item" and row.name.endswith(what))
    row.grab_focus()
    expect(wait_until(lambda: row.has(State.FOCUSED)), "the message does not take the focus")
    pointer.key("shift+F10")
    items: list[Widget] = []

    def is_open() -> bool:
        items[:] = [
            item for window in phone.windows() for item in window.descendants()
            if item.role == "menu item" and item.name == "Save As…"
        ]
        return bool(items)

    expect(wait_until(is_open), "there is no menu")
    items[0].do_action("click")
    choose_file(phone, "Save the File", file, "Save")


def choose_file(phone: Phone, title: str, file: Path, verb: str) -> None:
    """Type the path of a file in a file dialog."""
    def is_active() -> bool:
        dialog = phone.other(title)
        return dialog is not None and dialog.has(State.ACTIVE)

    expect(wait_until(is_active), f"there is no dialog “{title}”")
    def texts(*states: State) -> list[str]:
        dialog = phone.other(title)
        return [] if dialog is None else [
            widget.text for widget in dialog.shown() if widget.role == "text" and widget.has(*states)
        ]

    pointer.key("ctrl+a" if verb == "Save" else "ctrl+l")
    # Keys that come before the field is focused go elsewhere.
    expect(wait_until(lambda: bool(texts(State.FOCUSED))), f"{title!r} has no field for a path")
    pointer.write(str(file))
    expect(wait_until(lambda: str(file) in texts()), f"{title!r} has {texts()}, not {file}")
    # Return would also go to the list of completions, after the dialog has closed, which GTK 3 complains about.
    keys: list[Widget] = []

    def has_key() -> bool:
        # Its list of files is still being filled: widgets go while they are looked at.
        dialog = phone.other(title)
        keys[:] = [] if dialog is None else [
            widget for widget in dialog.shown() if widget.role == "push button" and widget.name == verb
        ]
        return bool(keys)

    expect(wait_until(has_key), f"{title!r} has no key {verb!r}")
    keys[0].do_action("click")
    phone.expect_closed(title)
