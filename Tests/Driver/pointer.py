# SPDX-License-Identifier: GPL-3.0-or-later
"""Real input: pointer and key events from the X server's test extension, and the clipboard.

In a Wayland session, `wayland.py` provides keys and the clipboard, and there is no pointer.
"""

from __future__ import annotations

import subprocess

import wayland
from accessibility import wait_until
from processes import need

_KEYSYMS = {"*": "asterisk", "#": "numbersign", "+": "plus", " ": "space"}


def _xdotool(*arguments: str | int) -> str:
    assert not wayland.is_here(), "there is no pointer under Wayland, and no key is held"
    done = subprocess.run(
        [need("xdotool", "xdotool"), *map(str, arguments)],
        capture_output=True, text=True, timeout=60, check=True,
    )
    return done.stdout


def move(x: int, y: int) -> None:
    """Move the pointer."""
    _xdotool("mousemove", x, y)


def button_down(x: int, y: int, button: int = 1) -> None:
    """Move the pointer and press a button."""
    _xdotool("mousemove", x, y, "mousedown", button)


def button_up(button: int = 1) -> None:
    """Release a button."""
    _xdotool("mouseup", button)


def click(x: int, y: int) -> None:
    """Move the pointer and click button 1."""
    _xdotool("mousemove", x, y, "mousedown", 1, "mouseup", 1)


def keysym(key: str) -> str:
    """Return the X keysym name of a character; other names are returned unchanged."""
    return _KEYSYMS.get(key, key)


def key(*keys: str) -> None:
    """Type keys in order, by character or by name (`Return`, `ctrl+v`)."""
    if wayland.is_here():
        wayland.key(*map(keysym, keys))
        return
    _xdotool("key", *map(keysym, keys))


def key_down(key: str) -> None:
    """Press a key and hold it down."""
    _xdotool("keydown", keysym(key))


def key_up(key: str) -> None:
    """Release a key."""
    _xdotool("keyup", keysym(key))


def set_clipboard(text: str | bytes) -> None:
    """Put text on the clipboard, from a separate process."""
    data = text.encode() if isinstance(text, str) else text
    if wayland.is_here():
        wayland.set_clipboard(data)
        return
    # xclip serves the selection in the background. Do not let it hold a pipe open.
    subprocess.run(
        [need("xclip", "xclip"), "-selection", "clipboard", "-target", "UTF8_STRING", "-in"],
        input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True,
    )
    # It returns before the background process owns the selection. No event announces that to a program without a window.
    if not wait_until(lambda: _clipboard() == data, pause=0.01):
        raise TimeoutError("xclip does not put the text on the clipboard")


def wait_clipboard(text: str) -> str:
    """Wait until the clipboard has this text, and return its text, even if it differs."""
    return wayland.wait_clipboard(text) if wayland.is_here() else clipboard()


def clipboard() -> str:
    """Return the text on the clipboard."""
    return _clipboard().decode()


def _clipboard() -> bytes:
    return subprocess.run(
        [need("xclip", "xclip"), "-selection", "clipboard", "-target", "UTF8_STRING", "-out"],
        capture_output=True, timeout=60, check=True,
    ).stdout


def focused_window() -> str:
    """Return the number and the name of the window that gets the keys, for a message."""
    if wayland.is_here():
        return "the window that the compositor chooses"
    done = subprocess.run(
        [need("xdotool", "xdotool"), "getwindowfocus", "getwindowname"],
        capture_output=True, text=True, timeout=60, check=False,
    )
    return (done.stdout + done.stderr).strip()


def place(window_name: str, left: int, top: int) -> None:
    """Move a window of the program, as its user would."""
    _xdotool("search", "--onlyvisible", "--name", f"^{window_name}$", "windowmove", left, top)


def resize(window_name: str, width: int, height: int) -> None:
    """Ask the window manager to resize a window, in device pixels."""
    window = _xdotool("search", "--onlyvisible", "--name", f"^{window_name}$").split()[-1]
    _xdotool("windowsize", window, width, height)


def write(text: str) -> None:
    """Type any text as fast as possible."""
    if wayland.is_here():
        wayland.write(text)
        return
    _xdotool("type", "--delay", 8, "--", text)
