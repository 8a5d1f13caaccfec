# SPDX-License-Identifier: GPL-3.0-or-later
"""A user who encrypts with OMEMO, at the other end of a conversation: `Tests/Tools/omemo_agent.py`."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import processes
from jabber import PASSWORD, Person, Server
from phone import Mismatch, eventually
from processes import MissingPeer
from session import CHECKOUT, Session


class OmemoPerson(Person):
    """One device of a user, as a context manager. Each has a name of its own, and keeps its keys after `leave`."""

    def __init__(self, session: Session, server: Server, address: str, name: str = "first") -> None:
        super().__init__(server, address)
        for module in ("oldmemo", "xmlschema"):
            if importlib.util.find_spec(module) is None:
                raise MissingPeer(f"{module} for Python", f"python3-{module}")
        self._file = session.folder / f"omemo-{address}-{name}.json"
        self._log = session.folder / f"omemo-{address}-{name}.log"
        #: Its number, from the first sign-in on.
        self.device = 0
        #: The fingerprint of its identity key.
        self.fingerprint = ""

    def sign_in(self) -> None:
        with open(self._log, "ab") as log:
            self._process = processes.spawn(
                [
                    sys.executable, CHECKOUT / "Tests/Tools/omemo_agent.py", self.address, PASSWORD,
                    str(self._server.port), self._file,
                ], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        try:
            online = self.wait(lambda event: event["event"] == "online", "is not online")
        except RuntimeError as error:
            raise Mismatch(f"{error}; it said:\n{self._log.read_text(errors='replace')[-2000:]}") from error
        self.device, self.fingerprint = online["device"], online["fingerprint"]

    def leave(self) -> None:
        # It writes its keys first: with older ones, it would use some twice.
        assert self._process.stdin is not None
        self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        super().leave()

    # What it does. `send`, `say`, `share`, `enter` and `befriend` are those of all, and encrypt.

    def send_plain(self, address: str, text: str, kind: str = "chat") -> None:
        """Send a message that is not encrypted."""
        self._command("plain", address, text, kind)

    def send_spoilt(self, address: str, text: str) -> None:
        """Send a message that nobody can decrypt."""
        self._command("spoil", address, text)

    def flood(self, address: str, count: int, is_secret: bool = True) -> None:
        """Send many messages together."""
        self._command("flood", address, count, is_secret)
        self.wait(lambda event: event == {"event": "flooded", "count": count}, "has not sent all messages")

    def send_again(self, address: str) -> None:
        """Send its last encrypted message once more, as somebody on the way could."""
        self._command("repeat", address)

    def send_raw(self, address: str, *elements: str, kind: str = "chat") -> None:
        """Send a message with these elements."""
        self._command("raw", address, kind, "".join(elements))

    def publish(self, node: str, payload: str) -> None:
        """Publish an element in a node, such as a wrong device list."""
        self._command("publish", node, payload)
        self.wait(lambda event: event == {"event": "published", "node": node}, f"has not published {node}")

    def beat(self, address: str) -> None:
        """Send an empty message to each device of an address, in its session."""
        self._command("beat", address)

    def forget(self, address: str) -> None:
        """Lose the sessions with all devices of an address, and say nothing."""
        self._command("forget", address)
        self.wait(lambda event: event["event"] == "forgotten", "does not forget")

    def heal(self, address: str) -> None:
        """Build new sessions with all devices of an address, and send each an empty message."""
        self._command("heal", address)
        self.wait(lambda event: event["event"] == "healed", "does not heal")

    def found(self, room: str, nickname: str, *members: str) -> None:
        """Make a room for members, who see each other's addresses, and enter it."""
        self._command("found", room, nickname, *members)
        self.wait(lambda event: event == {"event": "entered", "room": room}, f"is not in {room}")

    def devices(self, address: str) -> dict[str, str]:
        """Return the fingerprints of an address by the numbers of its devices."""
        self._command("devices", address)
        found: dict[str, str] = self.wait(lambda event: event["event"] == "devices", "knows no devices")["devices"]
        return found

    # What it has

    def wait_presence(self, address: str, seconds: float) -> None:
        """Wait until it sees somebody online, or raise TimeoutError."""
        assert self._process.stdout is not None
        deadline = time.monotonic() + seconds
        while not any(event["event"] == "presence" and event["sender"] == address for event in self.events):
            self.events.append(json.loads(processes.read_line(
                self._process.stdout.fileno(), self.address, max(0.1, deadline - time.monotonic()))))

    def wait_keys(self, address: str) -> None:
        """Wait until it finds the keys of an address."""
        eventually(lambda: bool(self.devices(address)), lambda: f"{address} has published no keys")

    def wait_secret(self, text: str, **wanted: Any) -> dict[str, Any]:
        """Wait for an encrypted message with this text, and other values of its event."""
        return self._wait_text(text, encrypted=True, **wanted)

    def wait_plain(self, text: str, **wanted: Any) -> dict[str, Any]:
        """Wait for a message with this text that is not encrypted."""
        return self._wait_text(text, encrypted=False, **wanted)

    def wait_empty(self, sender: str) -> dict[str, Any]:
        """Wait for an encrypted message without a text."""
        return self.wait(
            lambda event: event["event"] == "empty" and event["sender"] == sender, f"got no empty message of {sender}")

    def wait_undecryptable(self, sender: str) -> dict[str, Any]:
        """Wait for a message that it cannot decrypt."""
        return self.wait(
            lambda event: event["event"] == "undecryptable" and event["sender"] == sender, f"could read all of {sender}")

    def _wait_text(self, text: str, **wanted: Any) -> dict[str, Any]:
        wanted |= {"event": "message", "text": text}
        return self.wait(
            lambda event: all(event.get(key) == value for key, value in wanted.items()), f"did not get {wanted}")

