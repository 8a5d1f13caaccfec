# SPDX-License-Identifier: GPL-3.0-or-later
"""Real input: pointer and key events from the X server's test extension, and the clipboard.

In a Wayland session keys and the clipboard are those of `wayland.py`, and there is no pointer.
"""

from __future__ import annotations

import subprocess

import wayland
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
    """Puts the pointer there."""
    _xdotool("mousemove", x, y)


def button_down(x: int, y: int, button: int = 1) -> None:
    """Puts the pointer there and presses a button."""
    _xdotool("mousemove", x, y, "mousedown", button)


def button_up(button: int = 1) -> None:
    """Releases a button."""
    _xdotool("mouseup", button)


def click(x: int, y: int) -> None:
    """Presses and releases button 1 there."""
    _xdotool("mousemove", x, y, "mousedown", 1, "mouseup", 1)


def keysym(key: str) -> str:
    """The name that X has for a character; other names stay."""
    return _KEYSYMS.get(key, key)


def key(*keys: str) -> None:
    """Types keys one after another, by character or by name (`Return`, `ctrl+v`)."""
    if wayland.is_here():
        wayland.key(*map(keysym, keys))
        return
    for each in keys:
        _xdotool("key", keysym(each))


def key_down(key: str) -> None:
    """Presses a key and leaves it down."""
    _xdotool("keydown", keysym(key))


def key_up(key: str) -> None:
    """Lets go of a key."""
    _xdotool("keyup", keysym(key))


def set_clipboard(text: str | bytes) -> None:
    """Offers text on the clipboard, from a program of its own."""
    data = text.encode() if isinstance(text, str) else text
    if wayland.is_here():
        wayland.set_clipboard(data)
        return
    # xclip returns when it has the selection, and stays behind to serve it; its output must not keep a pipe open.
    subprocess.run(
        [need("xclip", "xclip"), "-selection", "clipboard", "-target", "UTF8_STRING", "-in"],
        input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True,
    )


def wait_clipboard(text: str) -> str:
    """The text on the clipboard once that is this text; another one where it does not become that."""
    return wayland.wait_clipboard(text) if wayland.is_here() else clipboard()


def clipboard() -> str:
    """The text on the clipboard."""
    done = subprocess.run(
        [need("xclip", "xclip"), "-selection", "clipboard", "-target", "UTF8_STRING", "-out"],
        capture_output=True, timeout=60, check=True,
    )
    return done.stdout.decode()


def resize(window_name: str, width: int, height: int) -> None:
    """Asks the window manager for another size of the window, in device pixels."""
    window = _xdotool("search", "--onlyvisible", "--name", f"^{window_name}$").split()[-1]
    _xdotool("windowsize", window, width, height)


def write(text: str) -> None:
    """Types a text at the speed of a machine, whatever characters it holds."""
    if wayland.is_here():
        wayland.write(text)
        return
    _xdotool("type", "--delay", 8, "--", text)
