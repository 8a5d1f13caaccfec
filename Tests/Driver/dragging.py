# SPDX-License-Identifier: GPL-3.0-or-later
"""A window of another program that is dragged from, with real pointer events.

Run as a script, it shows the window, and prints its place and the steps of each drag. Standard input has a line of JSON
for what is dragged: `uris`, `text` or `png`, the path of a picture.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import pointer
import processes
from accessibility import Widget
from phone import Mismatch, Phone

#: Outside the phone’s window.
_PLACE = (2300, 1800)
_SIDE = 80


class DragSource:
    """The window, as a context manager."""

    def __enter__(self) -> DragSource:
        self._process = processes.spawn(
            [sys.executable, Path(__file__).resolve()], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._expect("ready")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def drop(self, phone: Phone, target: Widget, **contents: object) -> None:
        """Drag contents to the centre of a widget and drop them, and wait until the phone has ended the drop."""
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(contents) + "\n").encode())
        self._process.stdin.flush()
        self._expect("set")
        left, top = (place + _SIDE // 2 for place in _PLACE)
        pointer.button_down(left, top)
        pointer.move(left - 30, top - 30)
        self._expect("begun")
        x, y = phone.center(target)
        pointer.move(x - 4, y - 4)
        pointer.move(x, y)
        self._expect("accepted")
        pointer.button_up()
        self._expect("ended")

    def _expect(self, event: str) -> None:
        assert self._process.stdout is not None
        try:
            line = processes.read_line(self._process.stdout.fileno(), "the source of a drag")
        except TimeoutError:
            raise Mismatch(f"the drag is not {event}") from None
        if line != event:
            raise Mismatch(f"the drag is {line}, not {event}")


def _serve() -> None:
    import gi

    gi.require_version("Gdk", "3.0")
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gdk, GdkPixbuf, Gio, Gtk

    contents: dict[str, object] = {}

    def say(text: str) -> None:
        print(text, flush=True)

    def begin(_widget: Gtk.Widget, context: Gdk.DragContext) -> None:
        def changed(_context: Gdk.DragContext, action: Gdk.DragAction) -> None:
            if action == Gdk.DragAction.COPY:
                say("accepted")

        context.connect("action-changed", changed)
        say("begun")

    def give(_widget: Gtk.Widget, _context: Gdk.DragContext, data: Gtk.SelectionData, _info: int, _time: int) -> None:
        if "uris" in contents:
            data.set_uris(contents["uris"])
        elif "png" in contents:
            data.set_pixbuf(GdkPixbuf.Pixbuf.new_from_file(contents["png"]))
        else:
            data.set_text(contents["text"], -1)

    def change(stream: Gio.DataInputStream, result: Gio.AsyncResult) -> None:
        line, _length = stream.read_line_finish_utf8(result)
        if line is None:
            Gtk.main_quit()
            return
        contents.clear()
        contents.update(json.loads(line))
        window.drag_source_set_target_list(None)
        if "uris" in contents:
            # As file managers do.
            window.drag_source_add_uri_targets()
            window.drag_source_add_text_targets()
        elif "png" in contents:
            window.drag_source_add_image_targets()
        else:
            window.drag_source_add_text_targets()
        say("set")
        stream.read_line_async(0, None, change)

    window = Gtk.Window(type=Gtk.WindowType.POPUP)
    window.set_default_size(_SIDE, _SIDE)
    window.move(*_PLACE)
    window.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    window.connect("drag-begin", begin)
    window.connect("drag-data-get", give)
    window.connect("drag-failed", lambda *_: say("failed"))
    window.connect("drag-end", lambda *_: say("ended"))
    window.connect("map-event", lambda *_: say("ready"))
    window.show()
    commands = Gio.DataInputStream.new(Gio.UnixInputStream.new(0, False))
    commands.read_line_async(0, None, change)
    Gtk.main()


if __name__ == "__main__":
    _serve()
