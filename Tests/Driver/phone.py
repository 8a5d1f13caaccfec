# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the phone as a user does: finds widgets on the screen, presses them, types, and reads the display."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Callable, Mapping

from gi.repository import GLib

import accessibility
import pointer
import processes
import wayland
from accessibility import Mismatch, Missing, State, Widget, wait_until
from processes import TIMEOUT
from session import Session

APP_ID = "io.github.touchtone.Touchtone"
OBJECT_PATH = "/io/github/touchtone/Touchtone"

#: The accessible names of the keypad's keys, by character.
KEY_NAMES = {**{digit: digit for digit in "0123456789"}, "*": "star", "#": "pound"}
BUTTONS = ("push button", "toggle button")

#: The warnings and errors of GLib, GDK and GTK.
_COMPLAINT = re.compile(r"-(CRITICAL|WARNING|ERROR) \*\*")


def expect(condition: bool, message: str) -> None:
    """Raise Mismatch unless the condition is true."""
    if not condition:
        raise Mismatch(message)


def eventually(condition: Callable[[], bool], message: Callable[[], str]) -> None:
    """Raise Mismatch unless the condition becomes true, which no event of accessibility announces: that of a file."""
    if not wait_until(condition, pause=0.05):
        raise Mismatch(message())


class Phone:
    """A running phone with its window shown, as a context manager.

    With `is_measured`, it runs at the priority of an ordinary program.
    """

    def __init__(
        self,
        session: Session,
        program: Path,
        *arguments: str,
        scale: int = 1,
        environment: Mapping[str, str] | None = None,
        is_measured: bool = False,
    ) -> None:
        self._session = session
        #: Device pixels for each logical pixel.
        self.scale = scale
        self._log = session.folder / "phone.log"
        self._labels: dict[str, Widget] = {}
        self._buttons: dict[str, Widget] = {}
        with open(self._log, "wb") as log:
            self.process = processes.spawn(
                [program, *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                plays_sound=not is_measured,
                env={
                    **os.environ, "G_DEBUG": "fatal-criticals", "G_MESSAGES_DEBUG": "touchtone",
                    "GDK_SCALE": str(scale), **(environment or {}),
                },
            )
        self.window: Widget
        if not wait_until(self._has_window):
            self.stop()
            raise Mismatch(f"no window came up; the program said:\n{self.output()}")

    def __enter__(self) -> Phone:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and not isinstance(error, (Mismatch, KeyboardInterrupt, SystemExit)):
            self._wait_crash()
        ended = self.process.poll()
        if isinstance(error, Mismatch) and ended is None:
            self._print_focus()
        self.stop()
        if ended not in (None, 0):
            raise Mismatch(f"the program ended with status {ended}; it said:\n{self.output()}") from error
        if kind is None and wayland.is_here():
            expect(not _COMPLAINT.search(self.output()), f"the program complains:\n{self.output()}")
        if kind is not None and self.output():
            print(f"The program said:\n{self.output()}", file=sys.stderr)

    def _wait_crash(self) -> None:
        """Wait for a crashing program to exit: a D-Bus call may fail before the program has printed the reason."""
        try:
            self.process.wait(processes.TIMEOUT)
        except subprocess.TimeoutExpired:
            pass

    def _print_focus(self) -> None:
        """Print where the keys go, to explain one that had no effect."""
        try:
            focused = [str(widget) for window in self.windows() for widget in window.shown() if widget.has(State.FOCUSED)]
            active = [window.name for window in self.windows() if window.has(State.ACTIVE)]
        except GLib.Error as gone:
            print(f"The focus is unknown: {gone}", file=sys.stderr)
        else:
            print(f"The focus is on {focused} in {active}; keys go to {pointer.focused_window()}.", file=sys.stderr)

    def stop(self) -> None:
        """Stop the program."""
        processes.stop(self.process)

    def output(self) -> str:
        """Return the program's standard output and error."""
        return self._log.read_text(errors="replace")

    def wait_end(self, timeout: float = TIMEOUT) -> int:
        """Wait for the program to exit, and return its status."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Mismatch("the program did not end") from None

    # Finding

    def _has_window(self) -> bool:
        if self.process.poll() is not None:
            raise Mismatch(f"the program ended with status {self.process.returncode}:\n{self.output()}")
        application = accessibility.application(self.process.pid)
        if application is None:
            return False
        # A question of the program's may stand before its window.
        asks = any(window.role == "alert" and window.has(State.ACTIVE) for window in application.children)
        for frame in application.children:
            if frame.role == "frame" and frame.has(State.SHOWING) and (asks or frame.has(State.ACTIVE)):
                self.window = frame
                return True
        return False

    def windows(self) -> list[Widget]:
        """Return all visible windows of the phone."""
        application = accessibility.application(self.process.pid)
        return [] if application is None else [
            window for window in application.children if window.has(State.SHOWING)
        ]

    def other(self, name: str) -> Widget | None:
        """Return the visible window with this name, or None."""
        return next((window for window in self.windows() if window.name == name), None)

    def expect_closed(self, name: str) -> None:
        """Wait until the window with this name is closed, and the main window gets the keys."""
        if not wait_until(lambda: self.other(name) is None and self.window.has(State.ACTIVE)):
            raise Mismatch(f"the window {name!r} stays, or the main window is not active")

    def widgets(self) -> list[Widget]:
        """Return all visible widgets of the main window."""
        return list(self.window.shown())

    def find(self, name: str, *roles: str, description: str | None = None) -> Widget | None:
        """Return the visible widget with this name, role and description, or None."""
        for widget in self.window.descendants():
            if (
                (widget.name == name if description is None else widget.description == description)
                and (not roles or widget.role in roles)
                and widget.has(State.SHOWING)
            ):
                return widget
        return None

    def button(self, name: str) -> Widget:
        """Return the visible button with this name."""
        known = self._buttons.get(name)
        if known is not None and _is_still(known, name):
            return known
        widget = self.find(name, *BUTTONS)
        if widget is None:
            raise Missing(f"there is no button named {name!r}")
        self._buttons[name] = widget
        return widget

    def _label(self, description: str) -> Widget:
        if description not in self._labels:
            widget = self.find("", "label", description=description)
            if widget is None:
                raise Missing(f"there is no label with the description {description!r}")
            self._labels[description] = widget
        return self._labels[description]

    # Reading

    def display(self) -> str:
        """Return the text of the number display."""
        return self._label("Number display").name

    def status(self) -> str:
        """Return the text of the status line."""
        return self._label("Status").name

    def caption(self) -> str:
        """Return the text of the display's last row."""
        return self._label("Caption").name

    def expect_caption(self, text: str, timeout: float = TIMEOUT) -> None:
        """Wait until the caption is exactly this text."""
        if not wait_until(lambda: self.caption() == text, timeout):
            raise Mismatch(f"the caption is {self.caption()!r}, not {text!r}")

    def expect_caller(self, text: str, line: str = "PRACTICE") -> None:
        """Wait until a call rings on a line, with this text in the large line of the display."""
        self.expect_status(f"CALL ON {line}")
        self.expect_display(text)

    def expect_display(self, text: str, timeout: float = TIMEOUT) -> None:
        """Wait until the display shows exactly this text."""
        if not wait_until(lambda: self.display() == text, timeout):
            raise Mismatch(f"the display shows {self.display()!r}, not {text!r} (status {self.status()!r})")

    def expect_status(self, text: str, timeout: float = TIMEOUT) -> None:
        """Wait until the status line contains this text, ignoring case."""
        if not wait_until(lambda: text.upper() in self.status().upper(), timeout):
            raise Mismatch(f"the status line shows {self.status()!r}, not {text!r}")

    def expect_in_call(self, seconds: int = 0) -> None:
        """Wait until a call has been going on for some seconds; a test under load may see each of them or none."""

        def time() -> int:
            found = re.search(r"\b(\d+):(\d\d)\b", self.status())
            return int(found[1]) * 60 + int(found[2]) if found else -1

        if not wait_until(lambda: time() >= seconds):
            raise Mismatch(f"no call goes on for {seconds} s: the status line shows {self.status()!r}")

    # Pointer and keyboard

    def center(self, widget: Widget) -> tuple[int, int]:
        """Return the centre of a widget in device pixels."""
        left, top, width, height = widget.extents
        return (left + width // 2) * self.scale, (top + height // 2) * self.scale

    def press(self, name: str) -> None:
        """Move the pointer to a key, by character or name, and press the button."""
        pointer.button_down(*self.center(self.button(KEY_NAMES.get(name, name))))

    def release(self) -> None:
        """Release the pointer's button."""
        pointer.button_up()

    def click(self, *names: str) -> None:
        """Click keys in order, by character or name. Without a pointer, activate them through AT-SPI."""
        for name in names:
            if wayland.is_here():
                self.button(KEY_NAMES.get(name, name)).do_action("click")
                continue
            pointer.click(*self.center(self.button(KEY_NAMES.get(name, name))))

    def type(self, text: str) -> None:
        """Type characters on the keyboard."""
        pointer.key(*text)

    def paste(self, text: str) -> None:
        """Put text on the clipboard and press Ctrl+V."""
        pointer.set_clipboard(text)
        pointer.key("ctrl+v")

    # D-Bus

    def action(self, name: str, *parameter: str) -> None:
        """Activate an action over D-Bus, with a parameter in GVariant text format."""
        done = self._session.run("gapplication", "action", APP_ID, name, *parameter)
        expect(done.returncode == 0, f"gapplication action {name}: {done.stderr.strip()}")

    def clear(self) -> None:
        """Clear the display with the D-Bus action."""
        self.action("clear")
        self.expect_display("")

    def set(self, key: str, value: str, line: str = "") -> None:
        """Change a setting of the phone or of a line from another process."""
        schema = f"{APP_ID}.Line:/io/github/touchtone/Touchtone/lines/{line}/" if line else APP_ID
        done = self._session.run("gsettings", "set", schema, key, value)
        expect(done.returncode == 0, f"gsettings set {key}: {done.stderr.strip()}")


def _is_still(widget: Widget, name: str) -> bool:
    """Whether a widget that was found before is still shown by that name: to look for it asks all the others."""
    try:
        return widget.name == name and widget.has(State.SHOWING)
    except GLib.Error:
        return False
