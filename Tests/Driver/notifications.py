# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the desktop's notification server. It reports notifications to the driver and responds like a user.

Run as a script, it serves org.freedesktop.Notifications. It writes events to standard output, one JSON object on each
line, and reads commands from standard input, one JSON list on each line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Callable

import processes
from accessibility import pass_time
from phone import Mismatch
from session import Session

_NAME = "org.freedesktop.Notifications"
_PATH = "/org/freedesktop/Notifications"
_INTROSPECTION = f"""
<node><interface name="{_NAME}">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/>
  </method>
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{{sv}}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
</interface></node>
"""


class Notifications:
    """The notification server, as a context manager."""

    def __init__(self, session: Session, *, replies: bool = True, markup: bool = True) -> None:
        self._session = session
        self._abilities = ["actions", "body"]
        self._abilities += ["inline-reply"] if replies else []
        self._abilities += ["body-markup"] if markup else []
        #: The notifications shown, by number: title, body, actions, replaces.
        self.shown: dict[int, dict[str, Any]] = {}
        #: The number of notifications shown so far.
        self.count = 0

    def __enter__(self) -> Notifications:
        self._process = processes.spawn(
            [sys.executable, Path(__file__).resolve(), *self._abilities],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        self._read()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def wait(self, condition: Callable[[list[dict[str, Any]]], bool], what: str) -> dict[str, Any]:
        """Wait until the notifications shown meet the condition, and return the last one."""
        while not condition(list(self.shown.values())):
            try:
                self._read()
            except TimeoutError:
                raise Mismatch(f"{what}; shown are {list(self.shown.values())}") from None
        return list(self.shown.values())[-1] if self.shown else {}

    def expect_nothing_new(self, within: float) -> None:
        """Fail if a new notification is shown within this time."""
        before = self.count
        pass_time(within)
        self._command("tell", 0)
        while self._read() != "told":
            pass
        if self.count != before:
            raise Mismatch(f"there is a notification: {list(self.shown.values())}")

    def click(self, number: int) -> None:
        """Click a notification."""
        self._command("click", number)

    def act(self, number: int, action: str) -> None:
        """Choose an action of a notification."""
        self._command("act", number, action)

    def reply(self, number: int, text: str) -> None:
        """Reply in a notification."""
        self._command("reply", number, text)

    def _command(self, *words: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(words) + "\n").encode())
        self._process.stdin.flush()

    def _read(self) -> str:
        assert self._process.stdout is not None
        event = json.loads(processes.read_line(self._process.stdout.fileno(), "the notification server"))
        if event["event"] == "shown":
            self.count += 1
            self.shown.pop(event["number"], None)
            self.shown[event["number"]] = event
        elif event["event"] == "closed":
            self.shown.pop(event["number"], None)
        return str(event["event"])


def _serve(abilities: list[str]) -> None:
    from gi.repository import Gio, GLib

    loop = GLib.MainLoop()
    last = 0

    def tell(**event: object) -> None:
        print(json.dumps(event), flush=True)

    def call(_connection, _sender, _path, _interface, method, parameters, invocation) -> None:  # type: ignore[no-untyped-def]
        nonlocal last
        if method == "GetCapabilities":
            invocation.return_value(GLib.Variant("(as)", (abilities,)))
        elif method == "GetServerInformation":
            invocation.return_value(GLib.Variant("(ssss)", ("Stand-in", "Touchtone", "1", "1.2")))
        elif method == "Notify":
            _name, replaces, icon, title, body, actions, hints, _timeout = parameters.unpack()
            if not replaces:
                last += 1
            number = replaces or last
            invocation.return_value(GLib.Variant("(u)", (number,)))
            tell(
                event="shown", number=number, icon=icon, title=title, body=body, actions=actions,
                entry=hints.get("desktop-entry"), category=hints.get("category"), urgency=hints.get("urgency"),
                picture=hints["image-data"][:6] if "image-data" in hints else None,
            )
        else:
            number = parameters.unpack()[0]
            invocation.return_value(None)
            emit("NotificationClosed", "(uu)", number, 3)
            tell(event="closed", number=number)

    def emit(signal: str, types: str, *values: object) -> None:
        bus.emit_signal(None, _PATH, _NAME, signal, GLib.Variant(types, values))

    def command(stream: Gio.DataInputStream, result: Gio.AsyncResult) -> None:
        line, _length = stream.read_line_finish_utf8(result)
        if line is None:
            loop.quit()
            return
        verb, number, *rest = json.loads(line)
        if verb == "click":
            emit("ActivationToken", "(us)", number, "stand-in-token")
            emit("ActionInvoked", "(us)", number, "default")
        elif verb == "act":
            emit("ActionInvoked", "(us)", number, rest[0])
        elif verb == "reply":
            emit("NotificationReplied", "(us)", number, rest[0])
        else:
            tell(event="told")
        stream.read_line_async(GLib.PRIORITY_DEFAULT, None, command)

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    interface = Gio.DBusNodeInfo.new_for_xml(_INTROSPECTION).interfaces[0]
    bus.register_object(_PATH, interface, call, None, None)
    Gio.bus_own_name_on_connection(
        bus, _NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: tell(event="ready"), None
    )
    commands = Gio.DataInputStream.new(Gio.UnixInputStream.new(0, False))
    commands.read_line_async(GLib.PRIORITY_DEFAULT, None, command)
    loop.run()


if __name__ == "__main__":
    _serve(sys.argv[1:])
