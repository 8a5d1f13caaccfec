# SPDX-License-Identifier: GPL-3.0-or-later
"""The phone and another client with a window, each on a screen of its own, at one server."""

from __future__ import annotations

import socket
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, NamedTuple

from client_trials import Bench
from jabber import Person, Server
from messages import set_account
from notifications import Notifications
from passcode import Keyring
from peer import Peer, Screen
from phone import Phone
from processes import MissingPeer
from session import Session

#: The port that Dino uses for `localhost`.
_PORT = 5222


class Desk(NamedTuple):
    """What another client needs."""

    server: Server
    screen: Screen
    desktop: Notifications


@contextmanager
def open_desk(session: Session, *, moderates: bool = False) -> Iterator[Desk]:
    """Start a server, a screen for another client, and a stand-in for the notifications of both."""
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", _PORT)) == 0:
            raise MissingPeer(f"port {_PORT}, which another program uses", "none")
    with Server(session, plain=_PORT, moderates=moderates) as server, Screen(session) as screen, \
            Notifications(session) as desktop:
        yield Desk(server, screen, desktop)


@contextmanager
def open_bench(
    session: Session, program: Path, kind: type[Peer], *, moderates: bool = False
) -> Iterator[Bench]:
    """Start the phone and another client, which do not know each other yet, and somebody else who makes the rooms."""
    with Keyring(session), open_desk(session, moderates=moderates) as desk:
        own, other, third = (desk.server.register(name) for name in ("ada", "grace", "host"))
        set_account(session, desk.server, own)
        peer = kind(session, *desk, other, own)
        trust = {"SSL_CERT_FILE": str(desk.server.authority)}
        with peer, Person(desk.server, third) as host, Phone(session, program, environment=trust) as phone:
            yield Bench(session, program, phone, peer, host)
