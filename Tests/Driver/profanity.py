# SPDX-License-Identifier: GPL-3.0-or-later
"""Profanity, a client in a terminal. Its own log tells which messages were encrypted."""

from __future__ import annotations

import base64
import configparser
import contextlib
import sqlite3
from pathlib import Path

from accessibility import wait_until
from jabber import PASSWORD, Server
from phone import expect
from processes import need
from session import Session
from terminal import Terminal

#: A device list without devices. Profanity makes its own only if the server has one, or says that with the code 404.
_EMPTY_LIST = (
    "<iq type='set' id='list'><pubsub xmlns='http://jabber.org/protocol/pubsub'>"
    "<publish node='eu.siacs.conversations.axolotl.devicelist'><item id='current'>"
    "<list xmlns='eu.siacs.conversations.axolotl'/></item></publish><publish-options>"
    "<x xmlns='jabber:x:data' type='submit'>"
    "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#publish-options</value></field>"
    "<field var='pubsub#persist_items'><value>true</value></field>"
    "<field var='pubsub#access_model'><value>open</value></field></x></publish-options></pubsub></iq>")
#: Lets everybody read its keys. It asks for that only if the server's own address has the feature, and not the account's.
_OPEN_KEYS = (
    "<iq type='set' id='open'><pubsub xmlns='http://jabber.org/protocol/pubsub#owner'>"
    "<configure node='eu.siacs.conversations.axolotl.bundles:{}'><x xmlns='jabber:x:data' type='submit'>"
    "<field var='FORM_TYPE' type='hidden'><value>http://jabber.org/protocol/pubsub#node_config</value></field>"
    "<field var='pubsub#access_model'><value>open</value></field></x></configure></pubsub></iq>")

#: What it says in a room that does not show its members' addresses.
_REFUSED = "MUC must be non-anonymous"


class Profanity(Terminal):
    """Profanity with an account, which signs in when it starts; a context manager."""

    def __init__(self, session: Session, server: Server, address: str) -> None:
        self._folder = session.data_home / "profanity"
        self._folder.mkdir()
        self.address = address
        settings = {
            "enabled": "true", "jid": address, "server": "127.0.0.1", "port": server.port, "tls.policy": "trust",
            "password": PASSWORD, "resource": "profanity", "muc.service": "rooms.localhost", "muc.nick": "Grace",
        }
        lines = [f"[{address}]", *(f"{key}={value}" for key, value in settings.items()), ""]
        (self._folder / "accounts").write_text("\n".join(lines))
        super().__init__(need("profanity", "profanity"), "--account", address)

    def __enter__(self) -> Profanity:
        super().__enter__()
        self.expect(f"{self.address}/profanity logged in successfully")
        return self

    # OMEMO

    def make_keys(self) -> None:
        """Make the keys for OMEMO, and trust all others'."""
        self._send_raw(_EMPTY_LIST)
        self.enter("/omemo trustmode blind")
        self.enter("/omemo gen")
        self.expect("Your Device ID is")
        self._send_raw(_OPEN_KEYS.format(self.device))

    def encrypt(self, address: str) -> None:
        """Open the conversation with somebody, and encrypt in it."""
        self.enter(f"/msg {address}")
        self.enter(f"/omemo start {address}")
        self.expect("[OMEMO]")
        # It asks for the keys, and drops what is sent before it has a session.
        expect(
            wait_until(lambda: self._has_session(address), pause=0.1), f"profanity has no session with {address}")

    def join_secretly(self, room: str) -> None:
        """Enter a room of members, and encrypt in it."""
        self.enter(f"/join {room}")
        self.expect("You have joined the room")
        # It refuses until it has asked what room this is.
        refusals = 0
        while True:
            self.enter("/omemo start")
            self.wait(
                lambda shown: "[OMEMO]" in shown or shown.count(_REFUSED) > refusals, f"it does not encrypt in {room}")
            if "[OMEMO]" in self.text():
                return
            refusals = self.text().count(_REFUSED)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its identity key."""
        key = base64.b64decode(self._identity("identity_key_public"))
        return key[1:].hex()

    @property
    def device(self) -> int:
        """Its number."""
        return int(self._identity("device_id"))

    def shows_fingerprint(self, fingerprint: str) -> None:
        """Wait until it says that the open conversation's other side has a fingerprint."""
        self.enter("/omemo fingerprint")
        self.expect("-".join(fingerprint[index:index + 8] for index in range(0, 64, 8)))

    def wait_secret(self, text: str) -> None:
        """Wait until the open conversation shows an encrypted message."""
        self._wait_logged(text, "omemo")

    def wait_plain(self, text: str) -> None:
        """Wait until the open conversation shows a message that is not encrypted."""
        self._wait_logged(text, "none")

    def _send_raw(self, stanza: str) -> None:
        self.enter("/xmlconsole")
        self.enter(stanza)
        self.enter("/close")

    def _wait_logged(self, text: str, encryption: str) -> None:
        self.expect(text)
        # It writes its log a moment later.
        expect(
            wait_until(lambda: self._encryptions(text) == [encryption], 5, pause=0.1),
            f"{text!r} is {self._encryptions(text)}, not {encryption}")

    def _encryptions(self, text: str) -> list[str]:
        [file] = self._folder.glob("database/*/chatlog.db")
        with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=10)) as store:
            return [row[0] for row in store.execute("select encryption from ChatLogs where message = ?", (text,))]

    def _has_session(self, address: str) -> bool:
        return any(address in file.read_text() for file in self._folder.glob("omemo/*/sessions.txt"))

    def _identity(self, key: str) -> str:
        [file] = self._folder.glob("omemo/*/identity.txt")
        read = configparser.ConfigParser(interpolation=None)
        read.read(Path(file))
        return read["identity"][key]
