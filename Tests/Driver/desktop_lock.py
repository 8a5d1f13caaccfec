# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the services that lock the desktop: the screen saver and the login manager."""

from __future__ import annotations

import os

from gi.repository import Gio, GLib

_LOGIN = "org.freedesktop.login1"
_PATH = "/org/freedesktop/login1"
_INTROSPECTION = f"""
<node><interface name="{_LOGIN}.Manager">
  <method name="GetSession"><arg type="s" direction="in"/><arg type="o" direction="out"/></method>
</interface></node>
"""

#: The identifier of the phone's login session.
OWN = "7"


class DesktopLock:
    """Sends the services' signals. A phone started with `environment` uses the session bus as its system bus."""

    def __init__(self) -> None:
        self._bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        self.environment = {
            "DBUS_SYSTEM_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"], "XDG_SESSION_ID": OWN,
        }
        interface = Gio.DBusNodeInfo.new_for_xml(_INTROSPECTION).interfaces[0]
        self._bus.register_object(_PATH, interface, self._called, None, None)
        Gio.bus_own_name_on_connection(self._bus, _LOGIN, Gio.BusNameOwnerFlags.NONE, None, None)

    def screen_saver(self, interface: str, active: bool) -> None:
        """Turn the screen saver on or off."""
        path = "/" + interface.replace(".", "/")
        self._emit(path, interface, "ActiveChanged", GLib.Variant("(b)", (active,)))

    def lock_session(self, number: str) -> None:
        """Lock a login session."""
        self._emit(f"{_PATH}/session/_3{number}", f"{_LOGIN}.Session", "Lock", None)

    def sleep(self, begins: bool) -> None:
        """Announce that the machine goes to sleep or has woken up."""
        self._emit(_PATH, f"{_LOGIN}.Manager", "PrepareForSleep", GLib.Variant("(b)", (begins,)))

    def _emit(self, path: str, interface: str, name: str, values: GLib.Variant | None) -> None:
        self._bus.emit_signal(None, path, interface, name, values)
        self._bus.flush_sync(None)

    def _called(self, *arguments) -> None:  # type: ignore[no-untyped-def]
        parameters, invocation = arguments[5], arguments[6]
        path = f"{_PATH}/session/_3{parameters.unpack()[0]}"
        invocation.return_value(GLib.Variant("(o)", (path,)))
