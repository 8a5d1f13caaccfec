# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds, reads and waits for widgets through AT-SPI, as a screen reader does. Use it only inside a session.

It speaks the AT-SPI protocol over GDBus. libatspi calls back into the application from libdbus's dispatch when an event
arrives; with its cache disabled, as a test requires, that can deadlock.
"""

from __future__ import annotations

import sys
import time
import traceback
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Callable, Iterator

from gi.repository import Gio, GLib

from processes import TIMEOUT

_REGISTRY = "org.a11y.atspi.Registry"
_ROOT = "/org/a11y/atspi/accessible/root"
_EVENTS = (
    "object:property-change",
    "object:text-changed",
    # Not `defunct`, which Orca does not ask for either: at-spi2-core (2.46 to 2.60) leaks 80 bytes for each such event that
    # a tool asks for, and so for each widget that is destroyed.
    *(f"object:state-changed:{state}" for state in (
        "active", "checked", "enabled", "expanded", "focused", "pressed", "selected", "sensitive", "showing", "visible")),
    "object:children-changed",
    "object:bounds-changed",
    "window:create",
    "window:activate",
    "window:destroy",
)
#: Role names of newer versions of at-spi2-core, with those that the scenarios use.
_RENAMED = {"button": "push button"}
#: The relation between a widget and the label that names it.
_LABELLED_BY = 2


class State(IntEnum):
    """The AT-SPI states that tests check."""

    ACTIVE = 1
    CHECKED = 4
    EXPANDED = 10
    FOCUSABLE = 11
    FOCUSED = 12
    PRESSED = 20
    SENSITIVE = 24
    SHOWING = 25
    VISIBLE = 30


class Mismatch(AssertionError):
    """The phone does not show the expected state."""


class Missing(Mismatch):
    """A widget is not shown, or not yet: in a condition, this counts as false."""


@dataclass(frozen=True)
class Widget:
    """An accessible object: the bus name of its application, and its object path."""

    owner: str
    path: str

    @property
    def name(self) -> str:
        """The accessible name."""
        return str(self._property("Name"))

    @property
    def description(self) -> str:
        """The accessible description."""
        return str(self._property("Description"))

    @property
    def role(self) -> str:
        """The role's name, such as `push button`, which at-spi2-core calls `button` from 2.56 on."""
        name = str(self._call("Accessible", "GetRoleName")[0])
        return _RENAMED.get(name, name)

    @property
    def title(self) -> str:
        """The accessible name, or that of the label that names the widget."""
        if name := self.name:
            return name
        relations = self._call("Accessible", "GetRelationSet")[0]
        labels = [Widget(*target) for kind, targets in relations if kind == _LABELLED_BY for target in targets]
        return " ".join(label.name for label in labels)

    @property
    def interfaces(self) -> list[str]:
        """The names of the AT-SPI interfaces, such as `Action`."""
        return [name.rpartition(".")[2] for name in self._call("Accessible", "GetInterfaces")[0]]

    @property
    def parent(self) -> Widget:
        """The widget that contains this one."""
        return Widget(*self._property("Parent"))

    @property
    def selected(self) -> Widget | None:
        """The first selected child, or None."""
        if "Selection" not in self.interfaces or self._property("NSelectedChildren", "Selection") == 0:
            return None
        return Widget(*self._call("Selection", "GetSelectedChild", GLib.Variant("(i)", (0,)))[0])

    @property
    def children(self) -> list[Widget]:
        """The direct children."""
        return [Widget(*child) for child in self._call("Accessible", "GetChildren")[0]]

    @property
    def extents(self) -> tuple[int, int, int, int]:
        """Left, top, width and height on the screen, in logical pixels."""
        screen = GLib.Variant("(u)", (0,))
        left, top, width, height = self._call("Component", "GetExtents", screen)[0]
        return left, top, width, height

    @property
    def text(self) -> str:
        """The text in a field."""
        return str(self._call("Text", "GetText", GLib.Variant("(ii)", (0, -1)))[0])

    def has(self, *states: State) -> bool:
        """Return whether the widget has all the states."""
        bits = self.states
        return all(bits >> state & 1 for state in states)

    @property
    def states(self) -> int:
        """All states, as bits."""
        low, high = self._call("Accessible", "GetState")[0]
        return int(low | high << 32)

    def descendants(self) -> Iterator[Widget]:
        """Yield all descendants in depth-first order."""
        for child in self.children:
            yield child
            yield from child.descendants()

    def shown(self) -> Iterator[Widget]:
        """The widgets below that are shown, in depth-first order: nothing is asked of what is in a hidden one."""
        for child in self.children:
            if child.has(State.SHOWING):
                yield child
                yield from child.shown()

    def do_action(self, name: str) -> None:
        """Perform an action, such as `click`, as a screen reader does."""
        # `GetActions` has the names in the language of the program.
        actions = [
            self._call("Action", "GetName", GLib.Variant("(i)", (index,)))[0].lower()
            for index in range(self._property("NActions", "Action"))
        ]
        self._call("Action", "DoAction", GLib.Variant("(i)", (actions.index(name),)))

    def grab_focus(self) -> None:
        """Give the widget the keyboard focus."""
        self._call("Component", "GrabFocus")

    def take_focus(self) -> bool:
        """Give the widget the keyboard focus, again if it was not on the screen yet, and return whether it has it in the end."""
        def has_focus() -> bool:
            if not self.has(State.FOCUSED):
                self.grab_focus()
            return self.has(State.FOCUSED)

        return wait_until(has_focus)

    def __str__(self) -> str:
        return f"{self.role} {self.name!r} ({self.description!r})"

    def _property(self, name: str, interface: str = "Accessible") -> Any:
        return _call(
            self.owner, self.path, "org.freedesktop.DBus.Properties", "Get",
            GLib.Variant("(ss)", (f"org.a11y.atspi.{interface}", name)),
        )[0]

    def _call(self, interface: str, method: str, parameters: GLib.Variant | None = None) -> Any:
        return _call(self.owner, self.path, f"org.a11y.atspi.{interface}", method, parameters)


def application(pid: int) -> Widget | None:
    """Return the accessible application of a process."""
    for candidate in Widget(_REGISTRY, _ROOT).children:
        try:
            parameters = GLib.Variant("(s)", (candidate.owner,))
            owner = _call(
                "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "GetConnectionUnixProcessID", parameters
            )
        except GLib.Error:
            continue  # The application has just exited.
        if owner[0] == pid:
            return candidate
    return None


# Waiting

_bus: Gio.DBusConnection | None = None
_changed = False


def wait_until(condition: Callable[[], bool], timeout: float = TIMEOUT, pause: float | None = None) -> bool:
    """Return whether the condition becomes true before the timeout.

    The condition is evaluated at once, after each event on the accessibility bus, and when the timeout expires; with a
    pause, in seconds, also after each pause, as no event may announce the condition.
    """
    global _changed
    connection()
    context = GLib.MainContext.default()
    deadline = time.monotonic() + timeout
    # Wakes the loop at the deadline. It repeats, because it may fire a moment too early.
    timer = GLib.timeout_add(max(1, int(1000 * (pause or timeout))), _note if pause else lambda: True)
    try:
        while True:
            _changed = False
            if _holds(condition):
                return True
            while not _changed:
                if time.monotonic() >= deadline:
                    if not _holds(condition):
                        return False
                    print(f"A condition without an event held unnoticed for up to {timeout} s.", file=sys.stderr)
                    traceback.print_stack()
                    return True
                context.iteration(True)
    finally:
        GLib.source_remove(timer)


def pass_time(seconds: float) -> None:
    """Wait for a fixed time, if the duration itself is under test, as with a key held down."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def _holds(condition: Callable[[], bool]) -> bool:
    try:
        return condition()
    except (GLib.Error, Missing):
        # A widget is not there yet, or disappeared between two calls. Evaluate again after the next event.
        return False


def connection() -> Gio.DBusConnection:
    """Return the connection to the accessibility bus, subscribed to the events that may change a condition."""
    global _bus
    if _bus is None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        # A test may end the bus.
        session.set_exit_on_close(False)
        address = session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None,
            None, Gio.DBusCallFlags.NONE, int(TIMEOUT * 1000), None,
        ).unpack()[0]
        flags = Gio.DBusConnectionFlags
        _bus = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
        )
        listen(lambda *_event: None, _EVENTS)
    return _bus


def listen(handler: Callable[..., None], events: tuple[str, ...]) -> Callable[[], None]:
    """Call a handler of D-Bus signals for each event on the accessibility bus; return a function that ends this.

    All applications are asked to send the events, such as `object:announcement`. Conditions are evaluated again after
    the handler, because they may depend on it.
    """
    bus = connection()

    def take(*event: Any) -> None:
        handler(*event)
        _note()

    subscriptions = [
        bus.signal_subscribe(
            None, f"org.a11y.atspi.Event.{interface}", None, None, None, Gio.DBusSignalFlags.NONE, take
        )
        for interface in ("Object", "Window")
    ]
    for event in events:
        _call(_REGISTRY, "/org/a11y/atspi/registry", _REGISTRY, "RegisterEvent", GLib.Variant("(s)", (event,)))

    def end() -> None:
        for subscription in subscriptions:
            bus.signal_unsubscribe(subscription)

    return end


def _note() -> bool:
    global _changed
    _changed = True
    return True


def _call(owner: str, path: str, interface: str, method: str, parameters: GLib.Variant | None = None) -> Any:
    return connection().call_sync(
        owner, path, interface, method, parameters, None, Gio.DBusCallFlags.NONE, int(TIMEOUT * 1000), None
    ).unpack()
