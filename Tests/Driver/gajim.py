# SPDX-License-Identifier: GPL-3.0-or-later
"""Gajim, driven from inside by `Tests/Tools/gajim_agent.py`. Its database tells what it has received."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

import processes
from accessibility import wait_until
from jabber import PASSWORD
from peer import NotDriven, Peer, Unsupported
from phone import eventually
from processes import MissingPeer
from session import CHECKOUT

_NO_DELETION = "Gajim has no deletion"
#: The direction of its own messages in its database; that of others is 1.
_OWN, _OTHERS = 2, 1
#: The kinds of its own messages in the database of Gajim 1.7.
_OWN_KINDS = "5, 6"


def _version() -> tuple[int, int]:
    done = subprocess.run(
        ["/usr/bin/python3", "-c", "import gajim; print(gajim.__version__)"], capture_output=True, text=True,
        timeout=60, check=False)
    found = re.match(r"(\d+)\.(\d+)", done.stdout)
    if found is None:
        raise MissingPeer("Gajim", "gajim")
    return int(found[1]), int(found[2])


class Gajim(Peer):
    """Gajim 2.0 or newer."""

    name = "Gajim"

    @staticmethod
    def version() -> str:
        return "{}.{}".format(*_version())

    def __enter__(self) -> Gajim:
        self._store = self.session.data_home / "gajim/logs.db"
        self._start()
        self._ask("start", self.address, PASSWORD, self.server.port)
        eventually(lambda: bool(self._ask("online")), lambda: f"{self.complain('does not sign in')}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def _start(self) -> None:
        with open(self.log, "ab") as log:
            self._process = self.spawn(
                "/usr/bin/python3", "-B", CHECKOUT / "Tests/Tools/gajim_agent.py",
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)

    # What it does

    def leave(self) -> None:
        processes.stop(self._process)

    def come_back(self) -> None:
        self._start()
        self._ask("sign_in")

    def befriend(self) -> None:
        self._ask("befriend", self.friend)

    def accept(self) -> None:
        self._ask("accept", self.friend)

    def open(self) -> None:
        self._ask("open", self.friend)
        self._ask("mark", self.friend)

    def encrypt(self, room: str = "") -> None:
        address = room or self.friend
        self._ask("encrypt", address)
        # It asks for the keys, and would send nothing before it has them.
        eventually(lambda: bool(self._ask("can_encrypt", address)), lambda: f"{self.complain('gets no keys')}")

    def send(self, text: str, room: str = "") -> None:
        self._ask("send", room or self.friend, text)

    def type(self, text: str) -> None:
        self._ask("type", self.friend)

    def reply(self, quoted: str, text: str, room: str = "") -> None:
        found = self._message(quoted)
        sender = f"{room}/{found['resource']}" if room else self.friend
        self._ask("reply", room or self.friend, {
            "pk": found["pk"], "text": quoted, "sender": sender, "id": found["stanza_id"] if room else found["id"],
        }, text)

    def react(self, text: str, emoji: str, room: str = "") -> None:
        found = self._message(text)
        self._ask("react", room or self.friend, found["stanza_id"] if room else found["id"], emoji)

    def correct(self, old: str, new: str, room: str = "") -> None:
        self._ask("correct", room or self.friend, self._message(old)["id"], new)

    def delete(self, text: str) -> None:
        raise Unsupported(_NO_DELETION)

    def share(self, file: Path) -> None:
        self._ask("share", self.friend, str(file))

    def join(self, room: str) -> None:
        self._ask("join", room, self.nickname)
        eventually(lambda: bool(self._ask("joined", room)), lambda: f"{self.complain('does not join')}")

    def set_topic(self, room: str, topic: str) -> None:
        self._ask("topic", room, topic)

    def invite(self, room: str) -> None:
        self._ask("invite", room, self.friend)

    def moderate(self, room: str, text: str) -> None:
        self._ask("moderate", room, self._message(text)["stanza_id"])

    # Its calls

    def call(self) -> None:
        """Call the phone, without a message that a call begins (XEP-0353), and without encryption."""
        self._ask("call", self.friend)

    def is_calling(self) -> bool:
        """Return whether it has a call."""
        return bool(self._ask("calls"))

    # What it has

    def sees_presence(self) -> bool:
        return bool(self._ask("presence", self.friend))

    def has(self, text: str, room: str = "") -> bool:
        return self.count(text) > 0

    def count(self, text: str) -> int:
        return len(self._rows("select 1 from message where direction = ? and text = ?", _OTHERS, text))

    def was_encrypted(self, text: str) -> bool:
        return [row[0] for row in self._rows(
            "select protocol from message left join encryption on encryption.pk = fk_encryption_pk where text = ?",
            text)] == ["OMEMO"]

    @property
    def fingerprint(self) -> str:
        return str(self._ask("fingerprint"))

    def has_receipt(self, text: str) -> bool:
        return bool(self._rows("select 1 from receipt where id = ?", self._message(text)["id"]))

    def has_read_marker(self, text: str) -> bool:
        return bool(self._rows("select 1 from displayed_marker where id = ?", self._message(text)["id"]))

    def sees_typing(self) -> bool:
        return "composing" in str(self._ask("chatstate", self.friend)).lower()

    def has_reply(self, quoted: str, text: str, room: str = "") -> bool:
        name = self._message(quoted)["stanza_id" if room else "id"]
        return bool(self._rows(
            "select 1 from reply join message on pk = fk_message_pk where text like ? and reply.id = ?",
            f"%{text}", name))

    def has_reaction(self, text: str, emoji: str, room: str = "") -> bool:
        name = self._message(text)["stanza_id" if room else "id"]
        return bool(self._rows("select 1 from reaction where id = ? and emojis like ?", name, f"%{emoji}%"))

    def has_corrected(self, old: str, new: str, room: str = "") -> bool:
        return bool(self._rows(
            "select 1 from message where text = ? and correction_id = ?", new, self._message(old)["id"]))

    def has_deleted(self, text: str) -> bool:
        raise Unsupported(_NO_DELETION)

    def was_moderated(self, room: str, text: str) -> bool:
        name = self._message(text)["stanza_id"]
        return bool(self._rows("select 1 from moderation where stanza_id = ?", name))

    def has_file(self, contents: bytes) -> bool:
        # It shows a preview of a picture, and keeps the file that it has fetched for that.
        return any(
            file.is_file() and file.read_bytes() == contents
            for folder in (self.session.data_home, self.session.folder / "home/.cache")
            for file in (folder / "gajim").rglob("*"))

    def was_mentioned(self, room: str, text: str) -> bool:
        return any(text in one for one in self._ask("seen", "notification"))

    def has_topic(self, room: str, topic: str) -> bool:
        return topic in str(self._ask("current_topic", room))

    def was_invited(self, room: str) -> bool:
        return any(room in one for one in self._ask("seen", "muc-invitation"))

    def _message(self, text: str) -> dict[str, Any]:
        found = self._rows("select pk, id, stanza_id, resource from message where text = ?", text)
        if not found:
            raise self.complain(f"has no message {text!r}")
        return dict(zip(("pk", "id", "stanza_id", "resource"), found[0]))

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with self.database(self._store) as store:
                return store.execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            raise self.complain(f"has another database: {error}") from error

    def _ask(self, *command: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write((json.dumps(command) + "\n").encode())
        self._process.stdin.flush()
        try:
            answer = json.loads(processes.read_line(self._process.stdout.fileno(), self.name))
        except (TimeoutError, RuntimeError, ValueError) as error:
            raise self.complain(f"does not answer to {command[0]}: {error}") from error
        if isinstance(answer, dict) and "error" in answer:
            raise self.complain(f"cannot {command[0]}: {answer['error']}")
        return answer


class EarlyGajim(Gajim):
    """Gajim 1.7, which has no replies and reactions, and another database. What is not here is not driven."""

    def count(self, text: str) -> int:
        return len(self._rows(
            f"select 1 from logs where kind not in ({_OWN_KINDS}) and message = ?", text))

    def was_encrypted(self, text: str) -> bool:
        found: list[tuple[Any, ...]] = []

        def is_there() -> bool:
            # It writes what it sends a moment later.
            found[:] = self._rows("select additional_data from logs where message = ?", text)
            return bool(found)

        wait_until(is_there, 5, pause=0.1)
        return [json.loads(row[0] or "{}").get("encrypted", {}).get("name") for row in found] == ["OMEMO"]

    def has_receipt(self, text: str) -> bool:
        raise NotDriven

    def has_read_marker(self, text: str) -> bool:
        raise NotDriven

    def _message(self, text: str) -> dict[str, Any]:
        raise NotDriven


def installed_gajim() -> type[Gajim]:
    """Return the class of the installed version."""
    return EarlyGajim if _version()[0] < 2 else Gajim
