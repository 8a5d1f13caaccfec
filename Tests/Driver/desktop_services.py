# SPDX-License-Identifier: GPL-3.0-or-later
"""Stand-ins for services of the desktop, in this process: the status area, media players, the session and login managers
and the Background portal. Each has its own connection to the session bus, as programs of their own would have."""

from __future__ import annotations

import os
import select
from types import TracebackType
from typing import Any

from gi.repository import Gio, GLib

from phone import eventually


class Service:
    """An object on the bus, as a context manager. `called` handles calls, `prop` returns a property."""

    name = path = interfaces = ""

    def __enter__(self) -> Any:
        self.bus = Gio.DBusConnection.new_for_address_sync(
            os.environ["DBUS_SESSION_BUS_ADDRESS"],
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None,
        )
        for interface in Gio.DBusNodeInfo.new_for_xml(f"<node>{self.interfaces}</node>").interfaces:
            self.bus.register_object(self.path, interface, self._call, self._get, None)
        self.bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName",
            GLib.Variant("(su)", (self.name, 0)), None, Gio.DBusCallFlags.NONE, -1, None,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.bus.is_closed():
            self.bus.close_sync(None)

    def called(self, sender: str, method: str, values: tuple[Any, ...]) -> GLib.Variant | None:
        raise NotImplementedError

    def prop(self, name: str) -> GLib.Variant | None:
        return None

    def call(self, service: str, path: str, interface: str, method: str, values: GLib.Variant | None = None) -> Any:
        """Call a method of another program, and return its results."""
        return self.bus.call_sync(
            service, path, interface, method, values, None, Gio.DBusCallFlags.NO_AUTO_START, 30_000, None
        ).unpack()

    def _call(self, _bus, sender, _path, _interface, method, values, invocation) -> None:  # type: ignore[no-untyped-def]
        if self.answers():
            invocation.return_value(self.called(sender, method, values.unpack()))

    def _get(self, _bus, _sender, _path, _interface, name) -> GLib.Variant | None:  # type: ignore[no-untyped-def]
        return self.prop(name)

    def answers(self) -> bool:
        """Return whether calls are answered at all."""
        return True


class StatusArea(Service):
    """The status area of a desktop, which acts on the phone's icon like a user."""

    name, path = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
    interfaces = """<interface name="org.kde.StatusNotifierWatcher">
      <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
    </interface>"""
    _menu = "com.canonical.dbusmenu"

    def __init__(self) -> None:
        #: The connections and the paths of the registered icons.
        self.items: list[tuple[str, str]] = []

    def called(self, sender: str, method: str, values: tuple[Any, ...]) -> None:
        self.items.append((sender, values[0]))

    def wait_item(self) -> None:
        """Wait until an icon is registered."""
        eventually(lambda: bool(self.items), lambda: "no status icon is registered")

    def get(self, name: str) -> Any:
        """Return a property of the icon."""
        sender, path = self.items[-1]
        values = GLib.Variant("(ss)", ("org.kde.StatusNotifierItem", name))
        return self.call(sender, path, "org.freedesktop.DBus.Properties", "Get", values)[0]

    def has_item(self) -> bool:
        """Return whether the connection of the last icon still exists."""
        bus = "org.freedesktop.DBus"
        values = GLib.Variant("(s)", (self.items[-1][0],))
        return bool(self.call(bus, "/", bus, "NameHasOwner", values)[0])

    def activate(self) -> None:
        """Click the icon."""
        sender, path = self.items[-1]
        self.call(sender, path, "org.kde.StatusNotifierItem", "Activate", GLib.Variant("(ii)", (1, 1)))

    def menu(self) -> dict[str, tuple[int, Any]]:
        """Return the number and the state of each menu item, by its label."""
        values = GLib.Variant("(iias)", (0, -1, []))
        _revision, (_root, _properties, items) = self.call(
            self.items[-1][0], self.get("Menu"), self._menu, "GetLayout", values)
        return {
            properties["label"]: (number, properties.get("toggle-state")) for number, properties, _items in items
        }

    def choose(self, label: str) -> None:
        """Choose a menu item."""
        values = GLib.Variant("(isvu)", (self.menu()[label][0], "clicked", GLib.Variant("s", ""), 0))
        self.call(self.items[-1][0], self.get("Menu"), self._menu, "Event", values)


class Player(Service):
    """A media player with a state of MPRIS: Playing, Paused or Stopped; None never answers."""

    path = "/org/mpris/MediaPlayer2"
    interfaces = """<interface name="org.mpris.MediaPlayer2.Player">
      <method name="Play"/><method name="Pause"/>
    </interface>
    <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="v" direction="out"/>
      </method>
    </interface>"""

    def __init__(self, name: str, status: str | None) -> None:
        self.name = f"org.mpris.MediaPlayer2.{name}"
        self.status = status
        #: The commands so far.
        self.commands: list[str] = []

    def answers(self) -> bool:
        return self.status is not None

    def called(self, sender: str, method: str, values: tuple[Any, ...]) -> GLib.Variant | None:
        if method == "Get":
            return GLib.Variant("(v)", (GLib.Variant("s", self.status),))
        self.commands.append(method)
        self.status = {"Play": "Playing", "Pause": "Paused"}[method]
        return None


class SessionManager(Service):
    """GNOME's session manager, which holds requests not to suspend."""

    name, path = "org.gnome.SessionManager", "/org/gnome/SessionManager"
    interfaces = """<interface name="org.gnome.SessionManager">
      <method name="Inhibit">
        <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
        <arg type="u" direction="in"/><arg type="u" direction="out"/>
      </method>
      <method name="Uninhibit"><arg type="u" direction="in"/></method>
      <method name="RegisterClient">
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="o" direction="out"/>
      </method>
    </interface>"""
    _client = """<node><interface name="org.gnome.SessionManager.ClientPrivate">
      <method name="EndSessionResponse"><arg type="b" direction="in"/><arg type="s" direction="in"/></method>
    </interface></node>"""

    def __init__(self) -> None:
        #: The requests in effect, by their cookies: program, window, reason and flags.
        self.requests: dict[int, tuple[Any, ...]] = {}
        self._last = 40
        #: The paths of the registered programs by their ids, and the answers to the question whether the session may end.
        self.clients: dict[str, str] = {}
        self.answers_to_end: list[bool] = []

    def tell(self, program: str, signal: str) -> None:
        """Send a signal about the end of the session to a registered program."""
        values = GLib.Variant("(u)", (0,)) if signal.endswith("EndSession") and signal[0] != "C" else None
        self.bus.emit_signal(
            None, self.clients[program], "org.gnome.SessionManager.ClientPrivate", signal, values)

    def called(self, sender: str, method: str, values: tuple[Any, ...]) -> GLib.Variant | None:
        if method == "RegisterClient":
            # The accessibility registry registers, too.
            self._last += 1
            path = f"{self.path}/Client{self._last}"
            self.clients[values[0]] = path
            interface = Gio.DBusNodeInfo.new_for_xml(self._client).interfaces[0]
            self.bus.register_object(path, interface, self._call, None, None)
            return GLib.Variant("(o)", (path,))
        if method == "EndSessionResponse":
            self.answers_to_end.append(values[0])
            return None
        if method == "Uninhibit":
            del self.requests[values[0]]
            return None
        self._last += 1
        self.requests[self._last] = values
        return GLib.Variant("(u)", (self._last,))


class LoginManager(Service):
    """The login manager, on the session's bus: a phone with `environment` uses that as its system bus. It grants locks
    against suspension, or answers with an error (`refuses`) or without a descriptor (`forgets`)."""

    name, path = "org.freedesktop.login1", "/org/freedesktop/login1"
    interfaces = """<interface name="org.freedesktop.login1.Manager">
      <method name="Inhibit">
        <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
        <arg type="s" direction="in"/><arg type="h" direction="out"/>
      </method>
    </interface>"""

    def __init__(self, answer: str = "grants") -> None:
        self.environment = {"DBUS_SYSTEM_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"]}
        self._answer = answer
        #: The requests so far: what is inhibited, by which program, why, and how.
        self.requests: list[tuple[Any, ...]] = []
        self._locks: list[int] = []

    def _call(self, _bus, _sender, _path, _interface, _method, values, invocation) -> None:  # type: ignore[no-untyped-def]
        self.requests.append(values.unpack())
        if self._answer == "refuses":
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "Permission denied")
            return
        passed = Gio.UnixFDList()
        if self._answer == "grants":
            own, given = os.pipe()
            self._locks.append(own)
            passed.append(given)
            os.close(given)
        invocation.return_value_with_unix_fd_list(GLib.Variant("(h)", (0,)), passed)

    def is_locked(self) -> bool:
        """Return whether the other end of any lock is open."""
        for own in list(self._locks):
            if select.select([own], [], [], 0)[0]:
                os.close(own)
                self._locks.remove(own)
        return bool(self._locks)


class BackgroundPortal(Service):
    """The portals for the background and against suspension. `grant` is the next answer; None refuses.

    While `is_asking`, it waits for its user, and gives its answers at `answer`.
    """

    name, path = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
    interfaces = """<interface name="org.freedesktop.portal.Background">
      <method name="RequestBackground">
        <arg type="s" direction="in"/><arg type="a{sv}" direction="in"/><arg type="o" direction="out"/>
      </method>
    </interface>
    <interface name="org.freedesktop.portal.Inhibit">
      <method name="Inhibit">
        <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="a{sv}" direction="in"/>
        <arg type="o" direction="out"/>
      </method>
    </interface>"""
    _request = """<node><interface name="org.freedesktop.portal.Request"><method name="Close"/></interface></node>"""
    _inhibition = "/org/freedesktop/portal/desktop/request/stand_in/inhibition"

    def __init__(self) -> None:
        self.grant: dict[str, bool] | None = {"background": True, "autostart": True}
        self.is_asking = False
        self._waiting: list[tuple[str, str]] = []
        #: The options of the requests so far.
        self.requests: list[dict[str, Any]] = []
        #: Whether suspension is prevented.
        self.is_inhibited = False

    def __enter__(self) -> Any:
        super().__enter__()
        interface = Gio.DBusNodeInfo.new_for_xml(self._request).interfaces[0]
        self.bus.register_object(self._inhibition, interface, self._call, None, None)
        return self

    def called(self, sender: str, method: str, values: tuple[Any, ...]) -> GLib.Variant | None:
        if method != "RequestBackground":
            self.is_inhibited = method == "Inhibit"
            return GLib.Variant("(o)", (self._inhibition,)) if self.is_inhibited else None
        options = values[1]
        self.requests.append(options)
        path = f"{self.path}/request/{sender[1:].replace('.', '_')}/{options['handle_token']}"
        self._waiting.append((sender, path))
        if not self.is_asking:
            self.answer()
        return GLib.Variant("(o)", (path,))

    def answer(self) -> None:
        """Answer the requests that wait."""
        self.is_asking = False
        results = {key: GLib.Variant("b", value) for key, value in (self.grant or {}).items()}
        for sender, path in self._waiting:
            self.bus.emit_signal(
                sender, path, "org.freedesktop.portal.Request", "Response",
                GLib.Variant("(ua{sv})", (1 if self.grant is None else 0, results)))
        self._waiting.clear()
