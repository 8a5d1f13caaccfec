# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds, reads and awaits widgets by AT-SPI, as a screen reader does. Import it inside a session only."""

from __future__ import annotations

import time
from typing import Callable, Iterator

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

from processes import TIMEOUT  # noqa: E402

Widget = Atspi.Accessible

_EVENTS = (
    "object:property-change",
    "object:text-changed",
    "object:state-changed",
    "object:children-changed",
    "object:bounds-changed",
    "window:create",
    "window:activate",
    "window:destroy",
)
_listener: Atspi.EventListener | None = None
_changed = False


def _listen() -> None:
    """Registers once for the events after which something may be worth another look."""
    global _listener
    if _listener is None:
        Atspi.init()
        _listener = Atspi.EventListener.new(_note)
        for event in _EVENTS:
            _listener.register(event)


def _note(_event: Atspi.Event) -> None:
    global _changed
    _changed = True


def wait_until(condition: Callable[[], bool], timeout: float = TIMEOUT) -> bool:
    """Whether the condition comes to hold. It is asked for at first, after each change on the accessibility
    bus, and at the end of the timeout."""
    global _changed
    _listen()
    context = GLib.MainContext.default()
    deadline = time.monotonic() + timeout
    expired: list[bool] = []
    timer = GLib.timeout_add(int(timeout * 1000), lambda: expired.append(True) or True)
    try:
        while True:
            _changed = False
            if _holds(condition):
                return True
            while not _changed and not expired and time.monotonic() < deadline:
                context.iteration(True)
            if expired or time.monotonic() >= deadline:
                return _holds(condition)
    finally:
        GLib.source_remove(timer)


def _holds(condition: Callable[[], bool]) -> bool:
    try:
        return condition()
    except GLib.Error:
        # A widget went away between two questions: the next event decides.
        return False


def pass_time(seconds: float) -> None:
    """Lets time pass where its length is what is tested, as in a key held down."""
    loop = GLib.MainLoop()
    GLib.timeout_add(int(seconds * 1000), loop.quit)
    loop.run()


def application(pid: int) -> Widget | None:
    """The accessible application of a process."""
    _listen()
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        candidate = desktop.get_child_at_index(index)
        if candidate is not None and candidate.get_process_id() == pid:
            # Every question goes to the program: what is tested is its answer, not a copy of it.
            candidate.set_cache_mask(Atspi.Cache.NONE)
            return candidate
    return None


def descendants(widget: Widget) -> Iterator[Widget]:
    """All widgets below one, in depth-first order."""
    for index in range(widget.get_child_count()):
        child = widget.get_child_at_index(index)
        if child is not None:
            yield child
            yield from descendants(child)


def is_in_state(widget: Widget, *names: str) -> bool:
    """Whether the widget has all of the states, such as `showing` or `focused`."""
    states = widget.get_state_set()
    return all(states.contains(getattr(Atspi.StateType, name.upper())) for name in names)


def extents(widget: Widget) -> tuple[int, int, int, int]:
    """Left, top, width and height on the screen, in logical pixels."""
    box = widget.get_extents(Atspi.CoordType.SCREEN)
    return box.x, box.y, box.width, box.height


def describe(widget: Widget) -> str:
    """One line for a failure message."""
    return f"{widget.get_role_name()} {widget.get_name()!r} ({widget.get_description()!r})"
