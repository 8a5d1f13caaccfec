# SPDX-License-Identifier: GPL-3.0-or-later
"""A screen reader that writes down what Orca would speak. Use it only inside a session.

It follows the rules of Orca 43, which Debian 12 has, in a simple form: it speaks the widget that gets the focus, changes
of the name, description and state of that widget, the active window, and notifications that appear. It also speaks
announcements, as Orca does since version 45. It does not echo keys.
"""

from __future__ import annotations

from typing import Any

from gi.repository import Gio, GLib

import accessibility
from accessibility import State, Widget, wait_until
from phone import Mismatch

_EVENTS = ("object:announcement", "object:selection-changed", "object:state-changed", "window:activate")
#: The states of the focused widget whose changes are spoken, with the words for on and off.
_STATES = {
    "checked": (State.CHECKED, "checked", "not checked"),
    "pressed": (State.PRESSED, "pressed", "not pressed"),
    "expanded": (State.EXPANDED, "expanded", "collapsed"),
}
#: The roles that are spoken when they appear.
_APPEARING = {"alert", "info bar", "notification"}
#: The words before the text of an announcement: Orca names the role.
NOTICE = "notification "


class ScreenReader:
    """The lines that are spoken from now on, in order. Close it with `close`."""

    def __init__(self, window: Widget) -> None:
        #: Everything spoken so far.
        self.lines: list[str] = []
        #: The widget that last got the keyboard focus.
        self.focused = next((widget for widget in window.shown() if widget.has(State.FOCUSED)), None)
        #: The widgets that got the keyboard focus so far, in order.
        self.path: list[Widget] = []
        self._focus = self.focused
        #: The name that it had at that time.
        self.focused_name = "" if self.focused is None else self.focused.name
        self._around: list[Widget] = []
        self._name: tuple[Widget, str] | None = None
        self._states: dict[tuple[Widget, str], bool] = {}
        self._window = window
        #: Stops listening.
        self.close = accessibility.listen(self._take, _EVENTS)

    @property
    def notices(self) -> list[str]:
        """The announcements so far, without those of the focus, and without suggestions from the call history.

        Whether the latter come in time depends on the speed of the machine.
        """
        texts = [line.removeprefix(NOTICE) for line in self.lines if line.startswith(NOTICE)]
        return [text for text in texts if not text.startswith("called before")]

    def expect_notices(self, *texts: str) -> None:
        """Wait until the announcements so far are exactly these; a `*` at the end stands for any text."""
        def are_equal() -> bool:
            return len(self.notices) == len(texts) and all(map(_matches, self.notices, texts))

        if not wait_until(are_equal):
            raise Mismatch(f"announced are {self.notices}, not {list(texts)}; spoken: {self.lines[-20:]}")

    def expect_line(self, text: str, since: int = 0) -> None:
        """Wait until a line that contains this text is spoken."""
        if not wait_until(lambda: any(text in line for line in self.lines[since:])):
            raise Mismatch(f"nothing says {text!r}: {self.lines[since:][-20:]}")

    def expect_focus(self) -> None:
        """Wait until the widget with the keyboard focus is known."""
        if not wait_until(lambda: self.focused is not None and self.focused.has(State.FOCUSED)):
            raise Mismatch(f"the focus is not on {self.focused_name!r}, and nowhere else")

    # Events

    def _take(
        self, _bus: Gio.DBusConnection, sender: str, path: str, _interface: str, signal: str, event: GLib.Variant
    ) -> None:
        source, (detail, on, _, data, *_rest) = Widget(sender, path), event.unpack()
        try:
            if signal == "StateChanged":
                self._state_changed(source, detail, bool(on))
            elif signal == "PropertyChange":
                self._property_changed(source, detail, data)
            elif signal == "Announcement":
                self.lines.append(f"{NOTICE}{data}")
            elif signal == "SelectionChanged":
                self._selection_changed(source)
            elif signal == "Activate" and source != self._window:
                self._window = source
                self._move_to(source)
        except GLib.Error:
            return  # The widget has gone; Orca ignores it too.

    def _state_changed(self, source: Widget, state: str, is_on: bool) -> None:
        # Orca ignores objects without states.
        if state == "focused" and is_on and source.has(State.FOCUSED):
            self.focused, self.focused_name = source, source.name
            if self.path[-1:] != [source]:
                self.path.append(source)
            if source != self._focus:
                self._move_to(source)
        elif state == "showing" and is_on and source.role in _APPEARING and source.states != 0:
            self.lines.append(f"{source.role} {source.title}".rstrip() + _other_labels(source))
        elif state in _STATES and source == self._focus and self._states.get((source, state)) != is_on:
            self._states[source, state] = is_on
            self.lines.append(_STATES[state][1 if is_on else 2])

    def _property_changed(self, source: Widget, kind: str, text: Any) -> None:
        if source != self._focus or not isinstance(text, str) or not text:
            return
        if kind == "accessible-description":
            self.lines.append(text)
        elif kind == "accessible-name" and self._name != (source, text):
            self._name = (source, text)
            self.lines.append(text)

    def _selection_changed(self, source: Widget) -> None:
        child = source.selected
        if child is not None and child != self._focus:
            self._move_to(child)

    def _move_to(self, widget: Widget) -> None:
        self._focus = widget
        around = _named_ancestors(widget)
        new = [f"{ancestor.name} {ancestor.role}" for ancestor in around if ancestor not in self._around]
        self._around = around
        self.lines.append(", ".join([*new, spoken(widget)]))


def spoken(widget: Widget) -> str:
    """Return what is spoken about a widget that gets the focus."""
    parts = [widget.title, widget.role]
    if widget.role in ("toggle button", "check box", "radio button", "check menu item", "radio menu item"):
        parts.append("on" if widget.has(State.CHECKED) or widget.has(State.PRESSED) else "off")
    if not widget.has(State.SENSITIVE):
        parts.append("unavailable")
    description = widget.description
    if description.lower() != widget.title.lower():
        parts.append(description)
    return " ".join(part for part in parts if part)


def _named_ancestors(widget: Widget) -> list[Widget]:
    """Return the widgets around a widget that have a name, outermost first, without the window."""
    found: list[Widget] = []
    while (widget := widget.parent).role not in ("frame", "dialog", "application", "invalid"):
        if widget.name:
            found.insert(0, widget)
    return found


def _other_labels(widget: Widget) -> str:
    """Return the texts of the labels in a widget, except for its own name."""
    texts = [label.name for label in widget.shown() if label.role == "label" and label.name != widget.name]
    return "".join(f" {text}" for text in texts)


def _matches(text: str, pattern: str) -> bool:
    return text.startswith(pattern[:-1]) if pattern.endswith("*") else text == pattern
