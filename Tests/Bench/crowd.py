# SPDX-License-Identifier: GPL-3.0-or-later
"""A component of Prosody (XEP-0114) that plays thousands of buddies and a room with thousands of people."""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from rosters import write_buddies

#: A component of the tests' configuration of Prosody, and its password.
DOMAIN, SECRET = "text.localhost", "secret"
ROOM, TOPIC = f"crowd@{DOMAIN}", "A crowd"

_ROOM_INFO = (
    "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='conference' type='text'/>"
    "<feature var='http://jabber.org/protocol/muc'/><feature var='http://jabber.org/protocol/muc#stable_id'/></query>")


def write_roster(data: Path, name: str, count: int) -> None:
    """Write the roster of an account of the server: mutual subscriptions to this component."""
    write_buddies(data, name, {f"buddy{number}@{DOMAIN}": f"Buddy {number}" for number in range(count)})


class Crowd:
    """The component, as a context manager: each of its buddies is online, and anybody may enter its room."""

    def __init__(self, port: int, occupants: int) -> None:
        self._occupants = occupants
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._accepted = threading.Event()
        self._depth, self._asks_for_info = 0, False
        self._stanza: tuple[str, dict[str, str]] = ("", {})
        #: The time at which the server asked for the presence of a buddy first, since it was set to 0.
        self.asked = 0.0
        self._settled = threading.Event()

    def __enter__(self) -> Crowd:
        self._send(
            "<stream:stream xmlns='jabber:component:accept' xmlns:stream='http://etherx.jabber.org/streams' "
            f"to='{DOMAIN}'>")
        threading.Thread(target=self._run, daemon=True).start()
        if not self._accepted.wait(10):
            raise RuntimeError("Prosody does not accept the component")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)

    def say(self, buddy: int, to: str, text: str) -> None:
        """Send a message from a buddy."""
        self._send(
            f"<message from='buddy{buddy}@{DOMAIN}/desk' to={quoteattr(to)} type='chat' id='m{time.monotonic_ns()}'>"
            f"<body>{text}</body></message>")

    def settle(self) -> None:
        """Wait until the server has handled everything that was sent."""
        self._settled.clear()
        self._send(
            f"<iq type='get' id='settle' from='buddy0@{DOMAIN}/desk' to='localhost'><ping xmlns='urn:xmpp:ping'/></iq>")
        if not self._settled.wait(120):
            raise RuntimeError("Prosody does not answer")

    def _send(self, text: str) -> None:
        self._socket.sendall(text.encode())

    def _run(self) -> None:
        # No tree is built, because thousands of stanzas come at once.
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        try:
            while data := self._socket.recv(65536):
                parser.Parse(data)
        except OSError:
            pass

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth == 1:
            digest = hashlib.sha1((attributes.get("id", "") + SECRET).encode()).hexdigest()
            self._send(f"<handshake>{digest}</handshake>")
        elif self._depth == 2:
            self._stanza, self._asks_for_info = (name, attributes), False
        elif attributes.get("xmlns", "").endswith("disco#info"):
            self._asks_for_info = True

    def _end(self, _name: str) -> None:
        self._depth -= 1
        if self._depth == 1:
            self._take(*self._stanza)

    def _take(self, name: str, stanza: dict[str, str]) -> None:
        kind, to, sender = stanza.get("type"), stanza.get("to", ""), stanza.get("from", "")
        answer = f"from={quoteattr(to)} to={quoteattr(sender)}"
        if name == "handshake":
            self._accepted.set()
        elif name == "iq" and stanza.get("id") == "settle":
            self._settled.set()
        elif name == "iq" and kind in ("get", "set"):
            payload = _ROOM_INFO if to == ROOM and self._asks_for_info else ""
            self._send(f"<iq type='result' id={quoteattr(stanza.get('id', ''))} {answer}>{payload}</iq>")
        elif name == "presence" and kind == "probe":
            self.asked = self.asked or time.monotonic()
            self._send(f"<presence from='{to}/desk' to={quoteattr(sender)}><status>here</status></presence>")
        elif name == "presence" and kind is None and to.startswith(f"{ROOM}/"):
            self._enter(sender, to)

    def _enter(self, sender: str, own: str) -> None:
        def presence(occupant: str, status: str = "") -> str:
            return (
                f"<presence from={quoteattr(occupant)} to={quoteattr(sender)}>"
                "<x xmlns='http://jabber.org/protocol/muc#user'>"
                f"<item affiliation='none' role='participant'/>{status}</x></presence>")

        others = "".join(presence(f"{ROOM}/Person {number}") for number in range(self._occupants - 1))
        self._send(others + presence(own, "<status code='110'/>"))
        self._send(
            f"<message from='{ROOM}' to={quoteattr(sender)} type='groupchat'><subject>{TOPIC}</subject></message>")
