# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes screenshots of the session. Run as a script, it takes the pictures for the README and the metainfo."""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import accessibility
import processes
import wayland
from phone import Phone
from session import Session


def capture(
    file: Path, box: tuple[int, int, int, int], unlike: bytes | None = None, limit: float = processes.TIMEOUT
) -> bytes:
    """Save a part of the screen (left, top, width, height in device pixels) as PNG once it stops changing.

    Pixels equal to `unlike` are not saved before `limit`, in seconds. Return the pixels.
    """
    root = _root()
    file.parent.mkdir(parents=True, exist_ok=True)
    last = None
    deadline = time.monotonic() + limit
    while True:
        picture = _pixels(root, box)
        pixels = picture.get_pixels()
        if pixels == last and pixels != unlike or time.monotonic() > deadline:
            picture.savev(str(file), "png", [], [])
            return bytes(pixels)
        last = pixels
        # No event announces the last frame of a program. Compare two screenshots instead.
        accessibility.pass_time(0.15)


def capture_window(phone: Phone, file: Path, scale: int = 1) -> None:
    """Save the phone's window as PNG, in device pixels."""
    capture(file, _box(phone, scale))


def wait_brightness(phone: Phone, least: float, most: float) -> bool:
    """Return whether the window's mean brightness, 0 to 1, gets into this range; only its pixels show that."""
    root = _root()
    deadline = time.monotonic() + processes.TIMEOUT
    while True:
        pixels = _pixels(root, _box(phone)).get_pixels()
        if least <= sum(pixels) / len(pixels) / 255 <= most:
            return True
        if time.monotonic() > deadline:
            return False
        accessibility.pass_time(0.1)


def wait_frame_color(phone: Phone, color: tuple[int, int, int]) -> bool:
    """Return whether the edge of the window, which GTK's theme draws, gets this colour; only its pixels show that."""
    root = _root()
    deadline = time.monotonic() + processes.TIMEOUT
    while True:
        left, top, _, _ = _box(phone)
        if tuple(_pixels(root, (left, top, 1, 1)).get_pixels()[:3]) == color:
            return True
        if time.monotonic() > deadline:
            return False
        accessibility.pass_time(0.1)


def wait_width(phone: Phone, least: int, most: int) -> bool:
    """Return whether the window's width in device pixels gets into this range, after its panel has moved."""
    deadline = time.monotonic() + processes.TIMEOUT
    while not least <= phone.window.extents[2] <= most:
        if time.monotonic() > deadline:
            return False
        accessibility.pass_time(0.05)
    accessibility.pass_time(0.3)
    return True


def _box(phone: Phone, scale: int = 1) -> tuple[int, int, int, int]:
    if wayland.is_here():
        return wayland.window(phone.window.name)
    left, top, width, height = (scale * side for side in phone.window.extents)
    return left, top, width, height


def _root():  # type: ignore[no-untyped-def]
    if wayland.is_here():
        return None
    import gi

    gi.require_version("Gdk", "3.0")
    from gi.repository import Gdk

    display = Gdk.Display.open(os.environ["DISPLAY"])
    return display.get_default_screen().get_root_window()


def _pixels(root, box: tuple[int, int, int, int]):  # type: ignore[no-untyped-def]
    if wayland.is_here():
        import gi

        gi.require_version("GdkPixbuf", "2.0")
        from gi.repository import GdkPixbuf

        loader = GdkPixbuf.PixbufLoader()
        loader.write(wayland.picture(box))
        loader.close()
        return loader.get_pixbuf()
    from gi.repository import Gdk

    left, top = max(0, box[0]), max(0, box[1])
    return Gdk.pixbuf_get_from_window(root, left, top, box[2], box[3])


def main() -> None:
    parser = argparse.ArgumentParser(description="Takes the pictures for README.md and the metainfo.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for phone.png, in-call.png and contacts.png")
    options = parser.parse_args()
    program = options.program.resolve()
    # These import this module.
    import manual_pictures
    import messages
    import pointer
    from accessibility import wait_until

    with Session(sound=True) as session, Phone(session, program) as phone:
        phone.type("5558675309")
        phone.expect_display("(555) 867-5309")
        messages.open_buddy(phone, "Operator")
        for count, text in enumerate(("Hello, Operator :)", "What can you do?", "help"), 1):
            messages.write(phone, text)
            wait_until(lambda: len(messages.said(phone)) == 2 * count)
        capture_window(phone, options.out / "phone.png")
        phone.action("dial")
        # Two rings of the practice exchange, then three seconds of the call.
        wait_until(lambda: phone.status() == "0:03", timeout=60)
        # Use the keyboard, since a clicked key shows the focus.
        pointer.key("ctrl+m")
        phone.expect_status("MUTE")
        capture_window(phone, options.out / "in-call.png")
        phone.action("hang-up")
        phone.expect_status("ENDED")
        phone.clear()
        manual_pictures.add_contacts(phone)
        # From the card of the last contact to the list, and to the phone.
        pointer.key("alt+3", "Escape")
        wait_until(lambda: len(messages.rows(phone, "Contacts")) > 1)
        pointer.key("alt+0")
        phone.type("47")
        wait_until(lambda: len(messages.rows(phone, "Suggestions")) == 1)
        capture_window(phone, options.out / "contacts.png")
    print(options.out)


if __name__ == "__main__":
    main()
