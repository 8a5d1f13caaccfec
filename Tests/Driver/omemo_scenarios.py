# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for encrypted messages, with other clients that speak OMEMO at the other end. `scenarios.py` runs them."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import pointer
from accessibility import Widget, wait_until
from dragging import DragSource
from file_scenarios import attach, befriend, choose_file, expect_file, write_file
from jabber import Person, Server
from messages import expect_buddy, expect_said, open_buddy, said, set_account, write
from omemo_person import OmemoPerson
from passcode import Keyring
from phone import BUTTONS, Phone, eventually, expect
from processes import need
from profanity import Profanity
from registry import scenario
from session import Session

_ROOM = "tea@rooms.localhost"
_OFF, _ON = "Not encrypted", "Encrypted"
_SWITCH = "Encrypt this conversation"
_PICTURE = "Verify by Code in Picture…"
_UNREADABLE = "This message could not be decrypted. New keys were exchanged: ask for it again."


@scenario
def encrypted_messages(session: Session, program: Path) -> None:
    """A conversation with a buddy who has keys is encrypted, both ways, also after a kill and a plain message."""
    with _encrypting(session, program) as (server, phone, grace, own):
        write(phone, "a secret of mine")
        grace.wait_secret("a secret of mine", sender=own)
        grace.send(own, "and mine <b>&amp;</b>\nin two lines")
        expect_said(phone, ("you", "a secret of mine"), (grace.address, "and mine <b>&amp;</b>\nin two lines"))
        grace.wait(lambda event: event["event"] == "receipt", "has no receipt")
        # A plain message is shown for what it is, and changes nothing.
        grace.send_plain(own, "in the clear")
        expect_said(phone, (grace.address, "in the clear"))
        eventually(
            lambda: _OFF in _row(phone, "in the clear").description,
            lambda: f"a plain message is {_row(phone, 'in the clear').description!r}")
        expect_lock(phone, _ON)
        write(phone, "still a secret")
        grace.wait_secret("still a secret", sender=own)
        os.kill(phone.process.pid, signal.SIGKILL)
        phone.process.wait()
        phone.process.returncode = 0
        grace.send(own, "while you were away")
        with _phone(session, program, server) as again:
            expect_buddy(again, f"{grace.address}, online, 1 unread")
            open_buddy(again, grace.address)
            expect_said(again, ("you", "still a secret"), (grace.address, "while you were away"))
            expect_lock(again, _ON)
            write(again, "back, and still secret")
            grace.wait_secret("back, and still secret", builds=False)
            grace.send(own, "good")
            expect_said(again, ("you", "back, and still secret"), (grace.address, "good"))
    _expect_no_plain(grace, "a secret of mine", "still a secret", "back, and still secret")


@scenario
def encrypted_devices(session: Session, program: Path) -> None:
    """A second device of the user has what the phone sends and gets, and the phone has what that one sends."""
    with _encrypting(session, program) as (server, phone, grace, own):
        with OmemoPerson(session, server, own, "tablet") as tablet, \
                OmemoPerson(session, server, grace.address, "second") as second:
            # The phone learns of a new device by a notification, and nothing here says when.
            eventually(lambda: _reaches(phone, tablet, second), lambda: "the phone does not encrypt for new devices")
            grace.send(own, "to all your devices")
            expect_said(phone, (grace.address, "to all your devices"))
            tablet.wait_secret("to all your devices", sender=grace.address)
            second.wait_secret("to all your devices", carbon="sent")
            tablet.send(grace.address, "from the tablet")
            expect_said(phone, (grace.address, "to all your devices"), ("you", "from the tablet"))
            for one in (grace, second):
                one.wait_secret("from the tablet", device=tablet.device)
            second.send(own, "from the other tablet")
            expect_said(phone, ("you", "from the tablet"), (grace.address, "from the other tablet"))


@scenario
def encrypted_room(session: Session, program: Path) -> None:
    """Three clients talk in a private room, each encrypted for the other two."""
    with Keyring(session), Server(session) as server:
        own, other, third = (server.register(name) for name in ("ada", "grace", "host"))
        set_account(session, server, own)
        with OmemoPerson(session, server, third) as host, Profanity(session, server, other) as grace:
            grace.make_keys()
            host.found(_ROOM, "Host", own, other)
            with _phone(session, program, server) as phone:
                expect_buddy(phone, "Operator, online")
                # Profanity asks for the keys of all members once, when it starts to encrypt.
                host.wait_keys(own)
                grace.join_secretly(_ROOM)
                join_by_link(session, program, phone, _ROOM)
                write(phone, "to both of you")
                host.wait_secret("to both of you", room=_ROOM, sender=own)
                grace.wait_secret("to both of you")
                host.say(_ROOM, "to you two")
                expect_said(phone, ("you", "to both of you"), ("Host", "to you two"))
                grace.wait_secret("to you two")
                grace.enter("to the others")
                expect_said(phone, ("Host", "to you two"), ("Grace", "to the others"))
                host.wait_secret("to the others", sender=other)
                host.send_plain(_ROOM, "in the clear", "groupchat")
                expect_said(phone, ("Grace", "to the others"), ("Host", "in the clear"))
                expect_lock(phone, _ON)


@scenario
def encrypted_files(session: Session, program: Path) -> None:
    """Files go both ways encrypted, and the server has none that can be read."""
    with _encrypting(session, program) as (server, phone, grace, own):
        notes = write_file(session, "notes.txt", b"some secret notes\n" * 100)
        attach(session, phone, notes)
        event = grace.wait(lambda event: event["event"] == "file", "has no file")
        expect(Path(event["path"]).read_bytes() == notes.read_bytes(), "it has another file")
        expect(event["vector"] == 12, f"the vector has {event['vector']} bytes")
        expect_file(phone, "you", "file notes.txt")
        letter = write_file(session, "letter.txt", b"a secret letter\n" * 100)
        grace.share(own, letter)
        expect_file(phone, grace.address, "file letter.txt")
        stored = [file for file in server.folder.rglob("*") if file.is_file()]
        expect(
            not any(b"secret notes" in file.read_bytes() or b"secret letter" in file.read_bytes() for file in stored),
            "the server can read a file")


@scenario
def encrypted_healing(session: Session, program: Path) -> None:
    """Sessions that one side has lost are built again, and what could not be read stands in its place."""
    with _encrypting(session, program) as (_, phone, grace, own):
        write(phone, "one")
        grace.wait_secret("one")
        grace.send(own, "two")
        expect_said(phone, ("you", "one"), (grace.address, "two"))
        # The other side has lost its sessions, and builds a new one with its next message.
        grace.forget(own)
        grace.send(own, "three")
        expect_said(phone, (grace.address, "two"), (grace.address, "three"))
        write(phone, "four")
        grace.wait_secret("four")
        # It gets a message in the old session, and then builds a new one with an empty message.
        grace.forget(own)
        write(phone, "lost")
        grace.wait_undecryptable(own)
        grace.heal(own)
        eventually(lambda: _reaches(phone, grace), lambda: "the phone goes on with the old session")
        # What the phone cannot read, it shows so, and builds a new session.
        grace.send_spoilt(own, "spoilt")
        expect(wait_until(lambda: said(phone)[-1] == (grace.address, _UNREADABLE)), f"there is {said(phone)[-2:]}")
        grace.wait(lambda event: event["event"] == "empty" and event["builds"], "gets no new session")
        grace.send(own, "five")
        expect_said(phone, (grace.address, _UNREADABLE), (grace.address, "five"))
        grace.beat(own)
        grace.send(own, "six")
        expect_said(phone, (grace.address, "five"), (grace.address, "six"))


@scenario
def encrypted_with_profanity(session: Session, program: Path) -> None:
    """Profanity, with a library of its own, is understood, and shows the fingerprint of the phone."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Profanity(session, server, other) as grace, _phone(session, program, server) as phone:
            grace.make_keys()
            expect_buddy(phone, "Operator, online")
            grace.enter(f"/sub request {own}")
            expect(wait_until(lambda: phone.find("Accept", *BUTTONS) is not None), "the request is not shown")
            phone.button("Accept").do_action("click")
            grace.expect("uthorization request")
            grace.enter(f"/sub allow {own}")
            expect_buddy(phone, f"{other}, online")
            open_buddy(phone, other)
            grace.encrypt(own)
            grace.enter("hello from a terminal äöü")
            expect_said(phone, (other, "hello from a terminal äöü"))
            write(phone, "hello from a telephone")
            grace.wait_secret("hello from a telephone")
            grace.enter("once more")
            expect_said(phone, ("you", "hello from a telephone"), (other, "once more"))


@scenario
def encrypted_code(session: Session, program: Path) -> None:
    """A picture of the other side's code verifies its keys, once the user has confirmed it: dropped, and chosen by the keyboard."""
    with DragSource() as source, _encrypting(session, program) as (_, phone, grace, _own):
        code = session.folder / "home/code.png"
        link = f"xmpp:{grace.address}?omemo-sid-{grace.device}={grace.fingerprint}"
        done = session.run(need("qrencode", "qrencode"), "-s", "5", "-o", code, link)
        expect(done.returncode == 0, f"qrencode: {done.stderr}")
        _lock(phone).do_action("click")
        expect(wait_until(lambda: phone.find("Devices and Keys…", *BUTTONS) is not None), "there is no way to the devices")
        phone.button("Devices and Keys…").do_action("click")
        expect(wait_until(lambda: phone.find(_PICTURE, *BUTTONS) is not None), "no picture can be chosen")
        devices = phone.find("Devices and Keys", "panel")
        assert devices is not None
        source.drop(phone, devices, uris=[code.as_uri()])
        expect(wait_until(lambda: phone.find("Verify 1 Device?", "label") is not None), "the drop is not asked about")
        pointer.key("Escape")
        expect(wait_until(lambda: phone.find(_PICTURE, *BUTTONS) is not None), "the devices do not come back")
        expect(not _says(phone, "Compared"), "it is verified without a confirmation")
        session.run("gsettings", "set", "org.gtk.Settings.FileChooser", "startup-mode", "cwd")
        phone.button(_PICTURE).do_action("click")
        choose_file(phone, "Choose a Picture", code, "Open")
        expect(wait_until(lambda: phone.find("Verify 1 Device?", "label") is not None), "the choice is not asked about")
        phone.button("Verify").do_action("click")
        expect(wait_until(lambda: _says(phone, "Compared")), "it is not verified")


@scenario
def encrypted_not(session: Session, program: Path) -> None:
    """A buddy without keys gets plain messages; when the buddy has keys, the user turns encryption on, and off again."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with _phone(session, program, server) as phone:
            with Person(server, other) as plain:
                befriend(phone, plain, own)
                expect_lock(phone, _OFF)
                write(phone, "readable")
                plain.wait_message("readable")
            with OmemoPerson(session, server, other) as grace:
                grace.wait_keys(own)
                _press_lock(phone, _ON)
                write(phone, "a secret")
                grace.wait_secret("a secret", sender=own)
                _press_lock(phone, _OFF)
                write(phone, "readable again")
                grace.wait_plain("readable again", sender=own)


# What they have in common


@contextmanager
def _encrypting(session: Session, program: Path) -> Iterator[tuple[Server, Phone, OmemoPerson, str]]:
    """Open an encrypted conversation, and give the server, the phone, the other person and the user's address."""
    with Keyring(session), Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with OmemoPerson(session, server, other) as grace, _phone(session, program, server) as phone:
            befriend(phone, grace, own)
            grace.wait_keys(own)
            # The conversation is encrypted from its first message on.
            expect(wait_until(lambda: "can be" in _lock(phone).description), f"the lock says {_lock(phone).description!r}")
            yield server, phone, grace, own


def _phone(session: Session, program: Path, server: Server) -> Phone:
    return Phone(session, program, environment={"SSL_CERT_FILE": str(server.authority)})


def join_by_link(session: Session, program: Path, phone: Phone, room: str) -> None:
    """Enter a room by its link, and open its conversation."""
    session.run(program, f"xmpp:{room}?join")
    expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
    phone.button("Join").do_action("click")
    name = room.partition("@")[0]
    expect_buddy(phone, f"{name}, room")
    open_buddy(phone, name)


def _lock(phone: Phone) -> Widget:
    found = phone.find("Encryption", *BUTTONS)
    expect(found is not None, "the conversation has no lock")
    assert found is not None
    return found


def expect_lock(phone: Phone, state: str) -> None:
    """Wait until the lock of the conversation says something."""
    expect(wait_until(lambda: phone.find("Encryption", *BUTTONS) is not None), "the conversation has no lock")
    expect(wait_until(lambda: _lock(phone).description.startswith(state)), f"the lock says {_lock(phone).description!r}, not {state!r}")


def _press_lock(phone: Phone, state: str) -> None:
    """Press the switch behind the lock, and wait for the state that this leads to."""
    _lock(phone).do_action("click")
    expect(wait_until(lambda: phone.find(_SWITCH, "toggle button") is not None), "there is no switch")
    switch = phone.find(_SWITCH, "toggle button")
    assert switch is not None
    switch.do_action("toggle")
    expect_lock(phone, state)
    pointer.key("Escape")
    expect(wait_until(lambda: phone.find(_SWITCH, "toggle button") is None), "the popover stays")


def _says(phone: Phone, beginning: str) -> bool:
    """Return whether a text in the window begins so."""
    return any(one.name.startswith(beginning) for one in phone.widgets() if one.role == "label")


def _row(phone: Phone, text: str) -> Widget:
    """Return the row of a message."""
    found = phone.find("Conversation", "list box")
    assert found is not None
    return next(one for one in found.descendants() if one.role == "list item" and one.name.endswith(f": {text}"))


def _reaches(phone: Phone, *persons: OmemoPerson) -> bool:
    """Send a message, and return whether all these can read it."""
    text = f"attempt {len(said(phone))}"
    write(phone, text)
    for one in persons:
        event = one.wait(
            lambda event: event["event"] in ("message", "undecryptable") and event.get("text", text) == text, "got nothing")
        if event["event"] != "message":
            return False
    return True


def _expect_no_plain(person: OmemoPerson, *texts: str) -> None:
    """Check that some texts never came in the clear."""
    plain = [event["text"] for event in person.events if event["event"] == "message" and not event["encrypted"]]
    expect(not set(plain) & set(texts), f"in the clear came {plain}")
