# SPDX-License-Identifier: GPL-3.0-or-later
"""What is tried with another client, both ways. Each trial has a name in `client_table.ROWS`, and texts of its own."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Callable

import pointer
from accessibility import State, Widget, wait_until
from file_scenarios import attach
from jabber import Person
from messages import draft, expect_buddy, field, open_buddy, rows, said, write
from peer import NotDriven, Peer
from phone import BUTTONS, Phone, expect
from processes import TIMEOUT
from session import Session

_HARD = "one <b>&amp; two\nthree 🙂 مرحبا"
#: The time in which something has to arrive, in seconds: 15 for `clients.py`.
ARRIVES = 0.75 * TIMEOUT

Trial = Callable[["Bench"], None]
#: The trials by name: from the phone to the peer, and back.
TRIALS: dict[str, tuple[Trial, Trial]] = {}


class Bench:
    """The phone and the peer, which have each other on their lists after the first trial."""

    def __init__(self, session: Session, program: Path, phone: Phone, peer: Peer, host: Person) -> None:
        """The host is somebody else, who makes the rooms."""
        self.session, self.program, self.phone, self.peer, self.host = session, program, phone, peer, host

    def show(self, name: str = "") -> None:
        """Show the conversation with the peer, or a room, in the phone."""
        title = name or self.peer.address
        # A click may come while the rows change their places.
        for _ in range(3):
            open_buddy(self.phone, title)
            if wait_until(lambda: title in field(self.phone).description, 3):
                return
        expect(False, f"{title} is not shown, but {field(self.phone).description!r}")

    def get(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until the peer has something."""
        expect(wait_until(condition, ARRIVES, pause=0.1), f"{self.peer.name} {what}; the phone has {said(self.phone)}")

    def shows(self, text: str, sender: str = "") -> None:
        """Wait until the phone shows a message of the peer, or of somebody in a room."""
        wanted = (sender or self.peer.address, text)
        expect(wait_until(lambda: wanted in said(self.phone), ARRIVES, pause=0.1), f"no {wanted} in {said(self.phone)}")

    def describes(self, text: str, what: str) -> None:
        """Wait until the phone says something of a message."""
        def found() -> str:
            row = _row(self.phone, text)
            return row.description if row else "not there"

        expect(wait_until(lambda: what in found(), ARRIVES, pause=0.1), f"{text!r} is {found()!r}, not {what!r}")

    def focus(self, text: str) -> None:
        """Give a message in the phone the focus."""
        row = _row(self.phone, text)
        expect(row is not None, f"there is no {text!r} in {said(self.phone)}")
        assert row is not None
        row.grab_focus()
        expect(wait_until(lambda: row.has(State.FOCUSED)), f"{text!r} does not take the focus")

    def choose(self, name: str, part: str, item: str) -> None:
        """Choose from the menu of a row in one of the phone's lists, which has a text in its name."""
        found = self.phone.find(name, "list box")
        row = next(
            (one for one in (found.descendants() if found else ()) if one.role == "list item" and part in one.name), None)
        expect(row is not None, f"there is no {part!r} in {rows(self.phone, name)}")
        assert row is not None
        row.grab_focus()
        expect(wait_until(lambda: row.has(State.FOCUSED)), f"{part!r} does not take the focus")
        pointer.key("shift+F10")
        items: list[Widget] = []

        def is_open() -> bool:
            items[:] = [
                widget for window in self.phone.windows() for widget in window.descendants()
                if widget.role == "menu item" and widget.name == item
            ]
            return bool(items)

        expect(wait_until(is_open), f"there is no menu with {item!r}")
        items[0].do_action("click")

    def confirm(self, verb: str) -> None:
        """Answer a question of the phone."""
        expect(wait_until(lambda: self.phone.find(verb, *BUTTONS) is not None), f"nothing asks for {verb!r}")
        self.phone.button(verb).do_action("click")

    def write(self, text: str) -> None:
        """Send a message of the phone from the conversation that it shows."""
        field(self.phone).grab_focus()
        expect(wait_until(lambda: field(self.phone).has(State.FOCUSED)), "the field does not take the focus")
        write(self.phone, text)


def _row(phone: Phone, text: str) -> Widget | None:
    found = phone.find("Conversation", "list box")
    return next(
        (one for one in (found.descendants() if found else ()) if one.role == "list item" and f": {text}" in one.name),
        None)


def add(name: str, to_peer: Trial, from_peer: Trial) -> None:
    TRIALS[name] = to_peer, from_peer


# One to one


def _ask(bench: Bench) -> None:
    bench.session.run(bench.program, f"xmpp:{bench.peer.address}?roster")
    expect(wait_until(lambda: bench.phone.find("Add", *BUTTONS) is not None), "the link opens no form")
    bench.phone.button("Add").do_action("click")
    expect_buddy(bench.phone, f"{bench.peer.address}, offline")
    # Nothing says when the request has come.
    for _ in range(10):
        bench.peer.accept()
        if wait_until(lambda: f"{bench.peer.address}, online" in rows(bench.phone, "Buddies"), 1):
            return
    expect_buddy(bench.phone, f"{bench.peer.address}, online")


def _be_asked(bench: Bench) -> None:
    try:
        bench.peer.befriend()
    except NotDriven:
        pass  # It may ask by itself, when it accepts.

    def is_asked() -> bool:
        return bench.phone.find("Accept", *BUTTONS) is not None

    # The phone lets those see it whom it has asked.
    if wait_until(lambda: bench.peer.sees_presence() or is_asked(), 5) and is_asked():
        bench.phone.button("Accept").do_action("click")
    bench.get(bench.peer.sees_presence, "does not see the phone")
    bench.show()
    bench.peer.open()


add("presence", _ask, _be_asked)


def _say(bench: Bench) -> None:
    bench.show()
    bench.phone.paste(_HARD)
    expect(wait_until(lambda: draft(bench.phone) == _HARD), f"the field has {draft(bench.phone)!r}")
    pointer.key("Return")
    bench.get(lambda: bench.peer.has(_HARD), "has no message")


def _hear(bench: Bench) -> None:
    text = f"back: {_HARD}"
    bench.peer.send(text)
    bench.shows(text)


add("message", _say, _hear)


def _give_receipt(bench: Bench) -> None:
    bench.peer.send("a receipt, please")
    bench.get(lambda: bench.peer.has_receipt("a receipt, please"), "has no receipt")


def _get_receipt(bench: Bench) -> None:
    bench.write("give me a receipt")
    expect(
        wait_until(lambda: any(one in _said_of(bench, "give me a receipt") for one in ("delivered", "read")), ARRIVES),
        f"it is {_said_of(bench, 'give me a receipt')}")


add("receipt", _give_receipt, _get_receipt)


def _said_of(bench: Bench, text: str) -> str:
    row = _row(bench.phone, text)
    return row.description if row else "not there"


def _give_marker(bench: Bench) -> None:
    bench.peer.send("read this")
    bench.shows("read this")
    bench.get(lambda: bench.peer.has_read_marker("read this"), "has no read marker")


def _get_marker(bench: Bench) -> None:
    bench.write("have you read this")
    bench.get(lambda: bench.peer.has("have you read this"), "has no message")
    bench.peer.open()
    bench.describes("have you read this", "read")


add("marker", _give_marker, _get_marker)


def _be_seen_typing(bench: Bench) -> None:
    field(bench.phone).grab_focus()
    pointer.write("typing")
    bench.get(bench.peer.sees_typing, "does not see typing")
    pointer.key("ctrl+a", "Delete")


def _see_typing(bench: Bench) -> None:
    bench.peer.type("typing too")
    try:
        expect(
            wait_until(lambda: any("is typing" in one.name for one in bench.phone.widgets()), ARRIVES, pause=0.1),
            "the phone does not say that it types")
    finally:
        bench.peer.clear()


add("typing", _be_seen_typing, _see_typing)


def reply(bench: Bench, room: str = "") -> None:
    what = f"question of the peer{room}"
    bench.peer.send(what, room)
    bench.shows(what, "" if not room else bench.peer.nickname)
    bench.focus(what)
    pointer.key("ctrl+r")
    expect(wait_until(lambda: bench.phone.find("Cancel Reply", *BUTTONS) is not None), "nothing says that it is a reply")
    write(bench.phone, f"answer of the phone{room}")
    bench.get(lambda: bench.peer.has_reply(what, f"answer of the phone{room}", room), "has no reply")


def be_answered(bench: Bench, room: str = "") -> None:
    bench.write(f"question of the phone{room}")
    bench.get(lambda: bench.peer.has(f"question of the phone{room}", room), "has no message")
    bench.peer.reply(f"question of the phone{room}", f"answer of the peer{room}", room)
    expect(
        wait_until(
            lambda: any(
                text.startswith(f"answer of the peer{room} (in reply to ") and f"question of the phone{room}" in text
                for _, text in said(bench.phone)), ARRIVES, pause=0.1),
        f"it is no reply: {said(bench.phone)[-2:]}")


add("reply", reply, be_answered)


def react(bench: Bench, room: str = "") -> None:
    what = f"like this{room}"
    bench.peer.send(what, room)
    bench.shows(what, "" if not room else bench.peer.nickname)
    bench.focus(what)
    pointer.key("Menu", "Down", "Return")
    expect(wait_until(lambda: bench.phone.find("👍", "toggle button") is not None), "no emoji are offered")
    thumb = bench.phone.find("👍", "toggle button")
    assert thumb is not None
    expect(wait_until(lambda: thumb.has(State.FOCUSED)), "the first emoji does not have the focus")
    pointer.key("Return")
    bench.get(lambda: bench.peer.has_reaction(what, "👍", room), "has no reaction")


def be_liked(bench: Bench, room: str = "") -> None:
    # A peer that has no other way joins in the reaction of the phone to its own message.
    what = f"like this{room}"
    bench.peer.react(what, "👍", room)
    bench.describes(what, "👍 2")


add("reaction", react, be_liked)


def correct(bench: Bench, room: str = "") -> None:
    bench.write(f"wrnog{room}")
    bench.get(lambda: bench.peer.has(f"wrnog{room}", room), "has no message")
    pointer.key("Up")
    expect(wait_until(lambda: draft(bench.phone) == f"wrnog{room}"), f"the field has {draft(bench.phone)!r}")
    pointer.key("ctrl+a")
    write(bench.phone, f"right{room}")
    bench.get(lambda: bench.peer.has_corrected(f"wrnog{room}", f"right{room}", room), "has no correction")


def be_corrected(bench: Bench, room: str = "") -> None:
    sender = "" if not room else bench.peer.nickname
    bench.peer.send(f"flase{room}", room)
    bench.shows(f"flase{room}", sender)
    bench.peer.correct(f"flase{room}", f"true{room}", room)
    bench.shows(f"true{room}", sender)
    bench.describes(f"true{room}", "edited")


add("correction", correct, be_corrected)


def _delete(bench: Bench) -> None:
    bench.write("delete me")
    bench.get(lambda: bench.peer.has("delete me"), "has no message")
    bench.choose("Conversation", "delete me", "Delete for Everyone…")
    bench.confirm("Delete for Everyone")
    expect(
        wait_until(lambda: ("you", "You deleted this message.") in said(bench.phone), ARRIVES),
        f"the phone still has the message: {said(bench.phone)[-2:]}")
    bench.get(lambda: bench.peer.has_deleted("delete me"), "still has the message")


def _see_deletion(bench: Bench) -> None:
    bench.peer.send("delete this")
    bench.shows("delete this")
    bench.peer.delete("delete this")
    expect(
        wait_until(lambda: not any("delete this" in text for _, text in said(bench.phone)), ARRIVES, pause=0.1),
        "the phone still has the message")


add("deletion", _delete, _see_deletion)


def _share(bench: Bench) -> None:
    file = picture(bench.session, "mine.png", 0x33)
    attach(bench.session, bench.phone, file)
    bench.get(lambda: bench.peer.has_file(file.read_bytes()), "has no file")


def _get_file(bench: Bench) -> None:
    bench.peer.share(picture(bench.session, "yours.png", 0x66))
    expect(
        wait_until(
            lambda: any(
                sender == bench.peer.address and text.startswith("picture ") for sender, text in said(bench.phone)),
            ARRIVES, pause=0.1),
        f"no picture came: {said(bench.phone)[-2:]}")


add("file", _share, _get_file)


def _be_heard_later(bench: Bench) -> None:
    bench.show()
    bench.peer.leave()
    expect_buddy(bench.phone, f"{bench.peer.address}, offline")
    bench.write("while you were away")
    # Prosody has it before anything that comes after.
    bench.describes("while you were away", "sent")
    bench.peer.come_back()
    bench.get(lambda: bench.peer.count("while you were away") == 1, "has not the message once")


def _hear_later(bench: Bench) -> None:
    bench.phone.stop()
    bench.peer.send("while you were away, too")
    with Phone(bench.session, bench.program) as bench.phone:
        expect(
            wait_until(lambda: f"{bench.peer.address}, online, 1 unread" in rows(bench.phone, "Buddies"), ARRIVES),
            f"there are {rows(bench.phone, 'Buddies')}")
        bench.show()
        bench.shows("while you were away, too")
        texts = [text for _, text in said(bench.phone)]
        expect(texts.count("while you were away, too") == 1, f"it is there more than once: {texts}")


#: The last one, as both programs start again in it.
add("offline", _be_heard_later, _hear_later)


def picture(session: Session, name: str, shade: int) -> Path:
    """Write a picture of one colour, 40 by 30."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress((b"\0" + bytes((shade, 0x66, 0x99)) * 40) * 30)
    header = struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0)
    file = session.folder / "home" / name
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""))
    return file
