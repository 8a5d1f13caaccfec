# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the desktop's settings portal, which announces the dark preference and high contrast.

Run as a script, it serves the portal and reads changes from standard input, as lines of KEY NUMBER.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType

import processes
from session import Session

_NAME = "org.freedesktop.portal.Desktop"
_PATH = "/org/freedesktop/portal/desktop"
_INTERFACE = "org.freedesktop.portal.Settings"
_INTROSPECTION = f"""
<node><interface name="{_INTERFACE}">
  <method name="Read"><arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/></method>
  <method name="ReadAll"><arg type="as" direction="in"/><arg type="a{{sa{{sv}}}}" direction="out"/></method>
  <signal name="SettingChanged"><arg type="s"/><arg type="s"/><arg type="v"/></signal>
  <property name="version" type="u" access="read"/>
</interface></node>
"""

DEFAULT, PREFER_DARK = 0, 1


class Portal:
    """The settings portal, as a context manager."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> Portal:
        self._process = processes.spawn(
            [sys.executable, Path(__file__).resolve()], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._answer()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def set_color_scheme(self, value: int) -> None:
        """Set the colour scheme to DEFAULT or PREFER_DARK."""
        self._set("color-scheme", value)

    def set_high_contrast(self, value: bool) -> None:
        """Turn the high-contrast preference on or off."""
        self._set("high-contrast", int(value))

    def _set(self, key: str, value: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{key} {value}\n".encode())
        self._process.stdin.flush()
        self._answer()

    def _answer(self) -> None:
        assert self._process.stdout is not None
        processes.read_line(self._process.stdout.fileno(), "the settings portal")


def _serve() -> None:
    from gi.repository import Gio, GLib

    spaces = {"color-scheme": "org.freedesktop.appearance", "high-contrast": "org.gnome.desktop.a11y.interface"}
    values = {"color-scheme": GLib.Variant("u", DEFAULT), "high-contrast": GLib.Variant("b", False)}
    loop = GLib.MainLoop()

    def call(_connection, _sender, _path, _interface, method, parameters, invocation) -> None:  # type: ignore[no-untyped-def]
        if method == "ReadAll":
            every: dict[str, dict[str, GLib.Variant]] = {}
            for key, value in values.items():
                every.setdefault(spaces[key], {})[key] = value
            invocation.return_value(GLib.Variant("(a{sa{sv}})", (every,)))
            return
        space, key = parameters.unpack()
        if spaces.get(key) == space:
            invocation.return_value(GLib.Variant("(v)", (GLib.Variant("v", values[key]),)))
        else:
            invocation.return_dbus_error("org.freedesktop.portal.Error.NotFound", f"no setting {space} {key}")

    def prop(*_arguments: object) -> GLib.Variant:
        return GLib.Variant("u", 1)

    def change(stream: Gio.DataInputStream, result: Gio.AsyncResult) -> None:
        line, _length = stream.read_line_finish_utf8(result)
        if line is None:
            loop.quit()
            return
        key, number = line.split()
        values[key] = GLib.Variant("u", int(number)) if key == "color-scheme" else GLib.Variant("b", number == "1")
        bus.emit_signal(
            None, _PATH, _INTERFACE, "SettingChanged", GLib.Variant("(ssv)", (spaces[key], key, values[key]))
        )
        bus.flush_sync(None)
        print("set", flush=True)
        stream.read_line_async(GLib.PRIORITY_DEFAULT, None, change)

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    interface = Gio.DBusNodeInfo.new_for_xml(_INTROSPECTION).interfaces[0]
    bus.register_object(_PATH, interface, call, prop, None)
    Gio.bus_own_name_on_connection(
        bus, _NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None
    )
    commands = Gio.DataInputStream.new(Gio.UnixInputStream.new(0, False))
    commands.read_line_async(GLib.PRIORITY_DEFAULT, None, change)
    loop.run()


if __name__ == "__main__":
    _serve()
