# SPDX-License-Identifier: GPL-3.0-or-later
"""The phone and somebody who calls it over Jabber, in a network with a way for sound, each with a sound card of its own."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import own_network
from call_tones import add_cards
from client_bench import open_desk
from dino import Dino
from jabber import Server
from messages import expect_buddy, set_account
from passcode import Keyring
from phone import Phone
from processes import MissingPeer
from rosters import write_buddies
from session import Session

#: The caller's name on the phone, as its display shows it, and on its list.
SHOWN, NAME = "GRACE HOPPER", "Grace Hopper"
#: The name of the account of the phone, on its display.
LINE = "ADA"


def enter_network(session: Session, program: Path, *addresses: str, cards: tuple[str, ...]) -> None:
    """Enter a network with these addresses, or else one of each kind, with sound cards for these programs."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    own_network.enter(*addresses)
    session.start_sound()
    add_cards(*cards)


def introduce(session: Session, server: Server) -> tuple[str, str]:
    """Make accounts of two buddies, of whom the phone has the first, and return their addresses."""
    own, other = (server.register(name) for name in ("ada", "grace"))
    write_buddies(server.folder / "data", "ada", {other: NAME})
    write_buddies(server.folder / "data", "grace", {own: "Ada"})
    set_account(session, server, own)
    return own, other


@contextmanager
def start_phone(session: Session, program: Path, server: Server, *, is_measured: bool = False) -> Iterator[Phone]:
    """Start the phone, and wait until it sees its buddy."""
    trust = {"SSL_CERT_FILE": str(server.authority)}
    with Phone(session, program, environment=trust, is_measured=is_measured) as phone:
        expect_buddy(phone, f"{NAME}, online")
        yield phone


@contextmanager
def open_call_bench(session: Session, program: Path, *addresses: str) -> Iterator[tuple[Phone, Dino]]:
    """Start the phone and Dino as buddies in a network with these addresses, or else one of each kind."""
    enter_network(session, program, *addresses, cards=("phone", "dino"))
    with Keyring(session), open_desk(session) as desk:
        own, other = introduce(session, desk.server)
        with Dino(session, *desk, other, own) as dino, start_phone(session, program, desk.server) as phone:
            yield phone, dino
