# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for encrypted messages with whole other clients. `scenarios.py` runs them, and `clients.py` tries the rest."""

from __future__ import annotations

from pathlib import Path

import client_omemo_trials  # noqa: F401  It adds its trials.
from accessibility import Widget, wait_until
from client_bench import open_bench, open_desk
from client_room_trials import ROOM
from client_trials import ARRIVES, TRIALS
from dino import Dino
from gajim import installed_gajim
from messages import expect_buddy, expect_said, set_account, write
from omemo_person import OmemoPerson
from omemo_scenarios import expect_lock, join_by_link
from passcode import Keyring
from peer import Peer
from phone import Phone, expect
from registry import scenario
from session import Session

#: What the server must not have.
_PNG = b"\x89PNG\r\n"


@scenario
def encrypted_with_dino(session: Session, program: Path) -> None:
    """Messages and pictures go both ways between the phone and Dino, all encrypted."""
    _try_encrypted(session, program, Dino)


@scenario
def encrypted_with_gajim(session: Session, program: Path) -> None:
    """Messages and files go both ways between the phone and Gajim, all encrypted."""
    _try_encrypted(session, program, installed_gajim())


@scenario
def encrypted_room_with_dino(session: Session, program: Path) -> None:
    """The phone, Dino and python-omemo talk in a private room, and a second device of the phone's user reads it all."""
    with Keyring(session), open_desk(session) as desk:
        server = desk.server
        own, other, third = (server.register(name) for name in ("ada", "grace", "host"))
        set_account(session, server, own)
        with OmemoPerson(session, server, third) as host, OmemoPerson(session, server, own, "tablet") as tablet, \
                Dino(session, *desk, other, own) as grace:
            host.found(ROOM, "Host", own, other)
            tablet.enter(ROOM, "Tablet")
            host.wait_keys(other)
            with Phone(session, program, environment={"SSL_CERT_FILE": str(server.authority)}) as phone:
                expect_buddy(phone, "Operator, online")
                # The phone has published its keys: Dino asks for those of all members once, when it enters.
                expect(
                    wait_until(lambda: len(host.devices(own)) == 2, pause=0.1), f"{own} has {host.devices(own)}")
                grace.join(ROOM)
                grace.encrypt(ROOM)
                join_by_link(session, program, phone, ROOM)
                write(phone, "to all of you")
                for one in (host, tablet):
                    one.wait_secret("to all of you", room=ROOM, sender=own)
                _wait_secret(grace, "to all of you")
                grace.send("to the others", ROOM)
                expect_said(phone, ("you", "to all of you"), (grace.nickname, "to the others"))
                for one in (host, tablet):
                    one.wait_secret("to the others", room=ROOM, sender=other)
                host.say(ROOM, "to you three")
                expect_said(phone, (grace.nickname, "to the others"), ("Host", "to you three"))
                tablet.wait_secret("to you three", room=ROOM, sender=third)
                _wait_secret(grace, "to you three")
                tablet.say(ROOM, "from the tablet")
                expect_said(phone, ("Host", "to you three"), ("you", "from the tablet"))
                _wait_secret(grace, "from the tablet")
                expect_lock(phone, "Encrypted")


def _try_encrypted(session: Session, program: Path, kind: type[Peer]) -> None:
    """Let the phone and another client become buddies, and try what is encrypted."""
    with open_bench(session, program, kind) as bench:
        for name in ("presence", "encryption", "file"):
            for trial in TRIALS[name]:
                trial(bench)
        expect_lock(bench.phone, "Encrypted")
        clear = [row.name for row in _rows(bench.phone) if "Not encrypted" in row.description]
        expect(not clear, f"in the clear came {clear}")
        stored = [file for file in bench.peer.server.folder.rglob("*") if file.is_file()]
        expect(not any(_PNG in file.read_bytes() for file in stored), "the server can see a picture")


def _wait_secret(peer: Peer, text: str) -> None:
    """Wait until a client has an encrypted message."""
    expect(wait_until(lambda: peer.has(text), ARRIVES, pause=0.1), f"{peer.complain(f'has no {text!r}')}")
    expect(peer.was_encrypted(text), f"{text!r} was not encrypted for {peer.name}")


def _rows(phone: Phone) -> list[Widget]:
    """Return the rows of the conversation."""
    found = phone.find("Conversation", "list box")
    return [] if found is None else [one for one in found.descendants() if one.role == "list item"]
