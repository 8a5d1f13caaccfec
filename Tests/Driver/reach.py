# SPDX-License-Identifier: GPL-3.0-or-later
"""What the keyboard reaches, how a screen reader names it, and walks with the keyboard alone."""

from __future__ import annotations

import pointer
from accessibility import State, Widget, wait_until
from messages import field
from phone import Mismatch, Phone, expect
from screen_reader import ScreenReader

#: The roles of widgets that do something.
_ACTIVE = {
    "push button", "toggle button", "check box", "radio button", "text", "password text", "combo box", "list item",
    "link", "slider", "spin button",
}
#: The roles in which the arrow keys move from one widget to the next, so that Tab stops only once.
_BY_ARROWS = {"list item", "radio button"}
#: Widgets in rows and strips that the Tab key passes over, by name, and the keys with which their action is reached.
BY_OTHER_KEYS = {
    "Message": "Shift+Ctrl+M, and the menu of the row",
    "Call": "Return twice, and the menu of the row",
    "Show Text": "the menu of the row",
    "Play": "the menu of the row",
    "Close suggestions": "Escape",
    # GTK's buttons of the title bar, which never have the focus.
    "Minimize": "the keys of the window manager",
    "Maximize": "the keys of the window manager",
    "Close": "the keys of the window manager",
}
_MOST_STOPS = 120


def expect_named(window: Widget, where: str) -> list[Widget]:
    """Check that each widget that does something has a name, and can have the focus or is in `BY_OTHER_KEYS`.

    Return those that can have the focus.
    """
    focusable = []
    shown = list(window.shown())
    # The focus passes over a row to the field in it.
    passed = [_row(widget) for widget in shown if widget.has(State.FOCUSABLE)]
    for widget in shown:
        can_focus = widget.has(State.FOCUSABLE)
        if not can_focus and widget.role not in _ACTIVE:
            continue
        name = widget.title or (widget.text if widget.role == "label" else "")
        expect(name != "", f"{where}: a {widget.role} has no name; around it: {_around(widget)}")
        expect(widget.role not in ("unknown", "invalid", "filler"), f"{where}: {name!r} is a {widget.role}")
        if not can_focus:
            expect(name in BY_OTHER_KEYS or widget in passed, f"{where}: no key reaches the {widget.role} {name!r}")
        elif widget.has(State.SENSITIVE):
            focusable.append(widget)
    return focusable


def expect_reachable(reader: ScreenReader, window: Widget, where: str) -> None:
    """Check the names in a window, and that Tab reaches each widget and comes back to the first one."""
    wanted = expect_named(window, where)
    # The widget that has the focus at first may not be reported yet.
    reader.expect_focus()
    start = len(reader.path)
    while len(stops := reader.path[start:]) == len(set(stops)):
        expect(len(stops) < _MOST_STOPS, f"{where}: Tab never comes back: {list(map(str, stops))}")
        before = reader.focused
        pointer.key("Tab")
        expect(wait_until(lambda: reader.focused != before), f"{where}: Tab does not leave {before}")
    last = stops.pop()
    expect(last == stops[0], f"{where}: Tab is caught between {last} and {stops[-1]}")
    missing = [
        widget for widget in wanted
        if widget not in stops and not (widget.role in _BY_ARROWS and _has_sibling_among(widget, stops))
        and not _is_inside_row(widget)
    ]
    expect(not missing, f"{where}: Tab does not reach {list(map(str, missing))}; it stops at {list(map(str, stops))}")


def _has_sibling_among(widget: Widget, stops: list[Widget]) -> bool:
    parent = widget.parent
    return any(stop.role == widget.role and stop.parent == parent for stop in stops)


def _is_inside_row(widget: Widget) -> bool:
    """Whether the widget is in a row that has the focus before it: Tab enters only one row of a list."""
    row = _row(widget)
    return row is not None and row.has(State.FOCUSABLE)


def _row(widget: Widget) -> Widget | None:
    """Return the row that the widget is in."""
    while (widget := widget.parent).role not in ("frame", "dialog", "application", "invalid"):
        if widget.role == "list item":
            return widget
    return None


def _around(widget: Widget) -> str:
    return " in ".join(str(one) for one in (widget.parent, widget.parent.parent))


# Walks


def press_button(reader: ScreenReader, name: str) -> None:
    """Move the focus to a button with the Tab key, and press it with the space bar."""
    tab_to(reader, name)
    pointer.key("space")


def tab_to(reader: ScreenReader, name: str) -> None:
    """Move the focus to a widget with the Tab key."""
    for _ in range(60):
        if reader.focused_name == name:
            return
        before = reader.focused
        pointer.key("Tab")
        expect(wait_until(lambda: reader.focused != before), f"Tab does not leave {before}")
    raise Mismatch(f"Tab does not reach {name}")


def choose(reader: ScreenReader, name: str) -> None:
    """Choose an item of the open menu with the arrow keys."""
    for _ in range(20):
        if reader.lines and reader.lines[-1].split(", ")[-1].startswith(name):
            pointer.key("Return")
            return
        before = len(reader.lines)
        pointer.key("Down")
        expect(wait_until(lambda: len(reader.lines) != before), f"Down says nothing after {reader.lines[-1]!r}")
    raise Mismatch(f"the menu has no {name}: {reader.lines[-20:]}")


def open_row(phone: Phone, reader: ScreenReader, row: str) -> None:
    """Choose a conversation with the arrow keys."""
    focus_row(reader, row)
    pointer.key("Return")
    expect(wait_until(lambda: field(phone).has(State.FOCUSED)), f"{row} does not open")


def focus_row(reader: ScreenReader, row: str) -> None:
    """Move to a row of the list of buddies with the arrow keys."""
    pointer.key("alt+1")
    # The rows may be sorted anew meanwhile.
    for key in ["Home", "Down", "Down"] * 4:
        if reader.focused_name.startswith(row):
            break
        before = reader.focused
        pointer.key(key)
        wait_until(lambda: reader.focused != before, 1)
