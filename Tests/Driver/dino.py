# SPDX-License-Identifier: GPL-3.0-or-later
"""Dino, driven by its actions on the bus, its keys and its accessible widgets. Its database tells what it has received."""

from __future__ import annotations

import base64
import contextlib
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

from gi.repository import GLib

import accessibility
import processes
from accessibility import State, Widget, wait_until
from jabber import PASSWORD
from peer import NotDriven, Peer, Unsupported
from phone import eventually, expect
from processes import need

#: Its program, which Debian 12 names like its package.
_PROGRAM = next(filter(shutil.which, ("dino", "dino-im")), "dino-im")
#: The states of its own messages in its database.
_RECEIVED, _READ = (1, 2)
#: The encryption of messages and conversations in its database.
_OMEMO = 2
#: How often it is given the same keys.
_ATTEMPTS = 10
_NO_DELETION = "Dino has no deletion"
#: The states of calls in its database, where those that go on have the one of those that have ended.
_CALL_STATES = {4: "ended", 5: "declined", 6: "missed", 7: "failed"}
_DTLS_SRTP = 3


class Dino(Peer):
    """Dino 0.4 or newer."""

    name = "Dino"

    @staticmethod
    def version() -> str:
        said = subprocess.run([need(_PROGRAM, "dino-im"), "--version"], capture_output=True, text=True, timeout=60, check=False)
        found = re.search(r"\d+\.\d+", said.stdout)
        return found[0] if found else "?"

    def __enter__(self) -> Dino:
        self._store = self.session.data_home / "dino/dino.db"
        # It makes its database first, and then finds an account in it.
        self._start()
        eventually(self._has_tables, lambda: f"{self.complain('makes no database')}")
        processes.stop(self._process)
        with contextlib.closing(sqlite3.connect(self._store)) as store, store:
            account = store.execute(
                "insert into account (bare_jid, resourcepart, password, alias, enabled) values (?, 'dino', ?, '', 1)",
                (self.address, PASSWORD)).lastrowid
            # From 0.5 on, it encrypts by default, and sends nothing to a client that cannot read that.
            if store.execute("select 1 from sqlite_master where name = 'account_settings'").fetchone():
                store.execute(
                    "insert into account_settings (account_id, key, value) values (?, 'default-encryption', '0')", (account,))
        self._start()
        expect(wait_until(lambda: self._window() is not None, pause=0.1), "Dino shows no window")
        eventually(lambda: f"to='{self.address}/" in self._printed(), lambda: f"{self.complain('does not sign in')}")
        self._open_address(self.friend)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._process.pid

    # What it does

    def leave(self) -> None:
        processes.stop(self._process)

    def come_back(self) -> None:
        self._start()
        expect(wait_until(lambda: self._window() is not None, pause=0.1), "Dino shows no window")

    def befriend(self) -> None:
        button = self._find("Request presence subscription", "Send subscription request", "Add contact")
        if button is None:
            raise NotDriven
        button.do_action("click")

    def accept(self) -> None:
        self._activate("accept-subscription", f"<{self._conversation()}>")

    def open(self) -> None:
        self._show("")
        self.screen.restore()

    def look_away(self) -> None:
        # It notifies of nothing while its window has the focus.
        self.screen.minimize()

    def encrypt(self, room: str = "") -> None:
        # Its lock offers OMEMO only once it knows a device of everybody, and nothing says when it does.
        number = self._conversation(room)
        processes.stop(self._process)
        with contextlib.closing(sqlite3.connect(self._store)) as store, store:
            store.execute("update conversation set encryption = ? where id = ?", (_OMEMO, number))
        self.come_back()
        if room:
            self.join(room)
            # The question has the keys until it is in the room.
            expect(wait_until(lambda: self._find("Join", "_Join") is None, pause=0.1), f"{self.complain('does not join')}")

    def send(self, text: str, room: str = "") -> None:
        self._show(room)
        self._enter(text)

    def type(self, text: str) -> None:
        self._show("")
        self.screen.write(text)

    def clear(self) -> None:
        self.screen.key("ctrl+a", "Delete")

    def reply(self, quoted: str, text: str, room: str = "") -> None:
        self._show(room)
        self._activate("quote", f"<({self._conversation(room)}, {self._item(quoted)})>")
        self._enter(text)

    def react(self, text: str, emoji: str, room: str = "") -> None:
        # The emoji that the phone has given is a button, which gives the same.
        self._show(room)
        found: list[Widget] = []

        def is_there() -> bool:
            found[:] = [one for one in self._widgets() if one.role == "push button" and emoji in _texts(one)]
            return bool(found)

        if not wait_until(is_there, 5, pause=0.1):
            raise NotDriven
        found[-1].do_action("click")

    def correct(self, old: str, new: str, room: str = "") -> None:
        self._show(room)
        self.screen.key("Up")
        self.screen.key("ctrl+a")
        self._enter(new)

    def delete(self, text: str) -> None:
        raise Unsupported(_NO_DELETION)

    def share(self, file: Path) -> None:
        self._show("")
        for _ in range(_ATTEMPTS):
            self.screen.paste(file.read_bytes(), "image/png")
            if wait_until(lambda: self._find("Send", "_Send") is not None, processes.TIMEOUT / _ATTEMPTS, pause=0.1):
                break
        self._press("Send", "_Send")

    def join(self, room: str) -> None:
        self._open_address(room, "?join")
        self._press("Join", "_Join")
        eventually(lambda: self._conversation(room) > 0, lambda: f"{self.complain('does not join')}")

    def set_topic(self, room: str, topic: str) -> None:
        self._show(room)
        self._enter(f"/topic {topic}")

    def moderate(self, room: str, text: str) -> None:
        raise Unsupported(_NO_DELETION)

    # Its calls

    def call(self) -> None:
        """Call the phone by its window."""
        self._show("")
        self._button("Start call").do_action("click")
        expect(wait_until(lambda: bool(self._showing("menu item")), pause=0.1), f"{self.complain('has no menu of calls')}")
        # The first item is for a call without video, and has no name.
        self._showing("menu item")[0].do_action("click")

    def hang_up(self) -> None:
        """End the call, or give it up, by its window, in which that is the last button."""
        expect(wait_until(self.shows_call, pause=0.1), f"{self.complain('shows no call')}")
        self._showing("push button")[-1].do_action("click")

    def shows_call(self) -> bool:
        """Return whether it has a window for a call."""
        window = self._window()
        return window is not None and len(window.children) > 1

    def accept_call(self) -> None:
        """Answer the last call."""
        self._activate("accept-call", f"<({self._conversation()}, {self._last_call()})>")

    def reject_call(self) -> None:
        """Decline the last call."""
        self._activate("reject-call", f"<({self._conversation()}, {self._last_call()})>")

    def wait_call(self, number: int, state: str = "ended") -> None:
        """Wait until it has so many calls with the phone, of which the last is in a state; `ended` is also one that goes on."""
        eventually(
            lambda: len(self._calls()) == number and self._calls()[-1][1] == state,
            lambda: f"{self.complain(f'has the calls {self._calls()}, not {number} of which the last is {state}')}")

    def call_is_encrypted(self) -> bool:
        """Return whether the last call is encrypted with DTLS-SRTP."""
        return bool(self._rows("select 1 from call where id = ? and encryption = ?", self._last_call(), _DTLS_SRTP))

    def _calls(self) -> list[tuple[int, str]]:
        return [(number, _CALL_STATES.get(state, "")) for number, state in self._rows("select id, state from call order by id")]

    def _last_call(self) -> int:
        return self._calls()[-1][0]

    # What it has

    def sees_presence(self) -> bool:
        return re.search(rf":presence [^>]*from='{re.escape(self.friend)}/", self._printed()) is not None

    def has(self, text: str, room: str = "") -> bool:
        return self.count(text) > 0

    def count(self, text: str) -> int:
        return len(self._rows("select 1 from message where direction = 0 and body = ?", text))

    def was_encrypted(self, text: str) -> bool:
        return [row[0] for row in self._rows("select encryption from message where body = ?", text)] == [_OMEMO]

    @property
    def fingerprint(self) -> str:
        with self.database(self._store.with_name("omemo.db")) as store:
            [(key,)] = store.execute("select identity_key_public_base64 from identity").fetchall()
        return base64.b64decode(key)[1:].hex()

    def has_receipt(self, text: str) -> bool:
        return bool(self._rows(
            "select 1 from message where direction = 1 and body = ? and marked in (?, ?)", text, _RECEIVED, _READ))

    def has_read_marker(self, text: str) -> bool:
        return bool(self._rows("select 1 from message where direction = 1 and body = ? and marked = ?", text, _READ))

    def sees_typing(self) -> bool:
        return any("typing" in text for text in self._labels())

    def has_reply(self, quoted: str, text: str, room: str = "") -> bool:
        return bool(self._rows(
            "select 1 from reply join message on message.id = message_id join content_item on content_item.id = "
            "quoted_message_id join message as quoted on quoted.id = foreign_id "
            "where message.direction = 0 and message.body like ? and quoted.body = ?", f"%{text}", quoted))

    def has_reaction(self, text: str, emoji: str, room: str = "") -> bool:
        return bool(self._rows(
            "select 1 from reaction join content_item on content_item.id = content_item_id join message on "
            "message.id = foreign_id where message.body = ? and emojis like ?", text, f"%{emoji}%"))

    def has_corrected(self, old: str, new: str, room: str = "") -> bool:
        return bool(self._rows(
            "select 1 from message_correction join message on message.id = message_id where direction = 0 and body = ?",
            new))

    def has_deleted(self, text: str) -> bool:
        raise Unsupported(_NO_DELETION)

    def was_moderated(self, room: str, text: str) -> bool:
        raise Unsupported(_NO_DELETION)

    def has_file(self, contents: bytes) -> bool:
        folder = self.session.data_home / "dino/files"
        return folder.is_dir() and any(file.read_bytes() == contents for file in folder.iterdir())

    def was_mentioned(self, room: str, text: str) -> bool:
        return self._is_notified(text)

    def was_invited(self, room: str) -> bool:
        return self._is_notified(room.partition("@")[0])

    def has_topic(self, room: str, topic: str) -> bool:
        return topic in self._labels()

    # Its window and database

    def _start(self) -> None:
        with open(self.log, "ab") as log:
            self._process = self.spawn(
                need(_PROGRAM, "dino-im"), "--print-xmpp=all", stdin=subprocess.DEVNULL, stdout=log, stderr=log, plays_sound=True)

    def _printed(self) -> str:
        # Its log has colours.
        return re.sub(r"\x1b\[[0-9;]*m", "", self.log.read_text(errors="replace"))

    def _has_tables(self) -> bool:
        try:
            self._rows("select 1 from reaction")
        except sqlite3.Error:
            return False
        return True

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self.database(self._store) as store:
            return store.execute(query, values).fetchall()

    def _conversation(self, room: str = "") -> int:
        """Return the number of a conversation, or 0."""
        found = self._rows(
            "select conversation.id from conversation join jid on jid.id = jid_id where bare_jid = ?",
            room or self.friend)
        return int(found[0][0]) if found else 0

    def _item(self, text: str) -> int:
        """Return the number of the item with a message."""
        found = self._rows(
            "select content_item.id from content_item join message on message.id = foreign_id and content_type = 1 "
            "where body = ?", text)
        if not found:
            raise self.complain(f"has no message {text!r}")
        return int(found[0][0])

    def _show(self, room: str) -> None:
        self._activate("open-conversation", f"<{self._conversation(room)}>")

    def _open_address(self, address: str, query: str = "?message") -> None:
        self._call("org.freedesktop.Application.Open", f"['xmpp:{address}{query}']", "{}")

    def _enter(self, text: str) -> None:
        def is_there() -> bool:
            return any(text == _text(one) for one in self._widgets() if "EditableText" in one.interfaces)

        # After a start, its field may not have the focus yet, and nothing says when it does. It pastes later, when it has
        # asked for the text.
        for _ in range(_ATTEMPTS):
            self.screen.key("ctrl+a")
            self.screen.paste(text.encode())
            if wait_until(is_there, processes.TIMEOUT / _ATTEMPTS, pause=0.1):
                break
        expect(is_there(), f"{self.complain(f'does not take {text!r}')}")
        for _ in range(_ATTEMPTS):
            self.screen.key("Return")
            if wait_until(lambda: not is_there(), processes.TIMEOUT / _ATTEMPTS, pause=0.1):
                return
        expect(False, f"{self.complain(f'does not send {text!r}')}")

    def _activate(self, action: str, parameter: str) -> None:
        self._call("org.gtk.Actions.Activate", action, f"[{parameter}]", "{}")

    def _call(self, method: str, *parameters: str) -> None:
        done = self.session.run(
            "gdbus", "call", "--session", "--dest", "im.dino.Dino", "--object-path", "/im/dino/Dino", "--method", method,
            *parameters)
        expect(done.returncode == 0, f"gdbus {method} {parameters}: {done.stderr}")

    def _window(self) -> Widget | None:
        return accessibility.application(self._process.pid)

    def _widgets(self) -> list[Widget]:
        window = self._window()
        return [] if window is None else list(window.descendants())

    def _labels(self) -> list[str]:
        return [text for one in self._widgets() if one.role == "label" for text in (one.name, _text(one))]

    def _is_notified(self, text: str) -> bool:
        self.desktop.wait(
            lambda shown: any(text in one["body"] or text in one["title"] for one in shown), f"Dino does not tell {text!r}")
        return True

    def _find(self, *names: str) -> Widget | None:
        for one in self._widgets():
            if one.role in ("push button", "toggle button") and {*_texts(one)} & set(names):
                return one
        return None

    def _button(self, name: str) -> Widget:
        """Wait for the part of a menu's button that can be pressed."""
        found: list[Widget] = []

        def is_there() -> bool:
            # GTK 4.8 takes the tooltip for a description.
            found[:] = [
                one for role in ("push button", "toggle button") for one in self._showing(role)
                if name in (one.name, one.description)]
            return bool(found)

        expect(wait_until(is_there, pause=0.1), f"{self.complain(f'has no button {name}')}")
        return found[-1]

    def _showing(self, role: str) -> list[Widget]:
        # GTK 4.8 says of windows alone that they are showing, and keeps buttons without a size.
        return [one for one in self._widgets() if one.role == role and one.has(State.VISIBLE) and one.extents[2] > 0]

    def _press(self, *names: str) -> None:
        if not wait_until(lambda: self._find(*names) is not None, 10, pause=0.1):
            raise NotDriven
        button = self._find(*names)
        assert button is not None
        button.do_action("click")


def _texts(widget: Widget) -> list[str]:
    """Return the names and texts of a widget and of all in it: GTK 4 names no label."""
    try:
        return [text for one in (widget, *widget.descendants()) for text in (one.name, _text(one)) if text]
    except GLib.Error:
        return []


def _text(widget: Widget) -> str:
    return widget.text if "Text" in widget.interfaces else ""
