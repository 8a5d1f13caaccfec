# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Wayland compositor (sway), with a keyboard, a clipboard and screenshots.

sway refuses to run as root. If the tests run as root, only sway runs as `nobody`; root's programs may use its socket.
There is no pointer. Keys and accessible actions are not ordered: wait for the effect of one before sending the other.
"""

from __future__ import annotations

import json
import os
import pwd
import select
import shutil
import socket
import stat
import struct
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import processes
from processes import need, read_line, spawn

_CONFIGURATION = """\
xwayland disable
default_border none
default_floating_border none
output * resolution {width}x{height}
for_window [app_id=".*"] floating enable
exec printf '%s\\n%s\\n' "$WAYLAND_DISPLAY" "$SWAYSOCK" > {ready}
"""

#: A message type of sway's IPC, see sway-ipc(7).
_GET_TREE = 4
_MAGIC = b"i3-ipc"
_HEADER = struct.Struct("=6sII")

#: How long wtype keeps its keyboard connected, in milliseconds: longer than any test, and near its limit.
_LONG = 4_000_000

_MODIFIERS = {"ctrl", "shift", "alt"}


def is_here() -> bool:
    """Return whether the session is a Wayland session."""
    return "WAYLAND_DISPLAY" in os.environ


class Compositor:
    """A headless sway. Starting it sets WAYLAND_DISPLAY."""

    def __init__(self, size: tuple[int, int], log: Path) -> None:
        for program, package in (
            ("wtype", "wtype"), ("grim", "grim"), ("wl-copy", "wl-clipboard"), ("wl-paste", "wl-clipboard")
        ):
            need(program, package)
        # `nobody` has no access to the session's folder, or to a folder in TMPDIR.
        self._folder = Path(tempfile.mkdtemp(prefix="touchtone-wayland-", dir="/tmp" if os.getuid() == 0 else None))
        self._log = log
        self._services: list[subprocess.Popen[bytes]] = []
        try:
            self._start(size)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the compositor."""
        for process in reversed(self._services):
            processes.stop(process)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, size: tuple[int, int]) -> None:
        ready = self._folder / "ready"
        configuration = self._folder / "config"
        configuration.write_text(_CONFIGURATION.format(width=size[0], height=size[1], ready=ready))
        os.mkfifo(ready)
        descriptor = os.open(ready, os.O_RDWR)
        identity: dict[str, Any] = {}
        if os.getuid() == 0:
            if not os.stat("/dev/shm").st_mode & stat.S_IWOTH:
                raise RuntimeError("sway runs as nobody and needs a /dev/shm that everybody may write to")
            nobody = pwd.getpwnam("nobody")
            identity = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for path in (self._folder, ready, configuration):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self._spawn(
            [need("sway", "sway"), "-c", configuration], cwd=self._folder, **identity,
            env={
                "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(self._folder),
                "XDG_RUNTIME_DIR": str(self._folder), "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
                "WLR_RENDERER": "pixman",
            },
        )
        # A name without a folder is resolved in XDG_RUNTIME_DIR, which belongs to the session.
        try:
            name = read_line(descriptor, "sway")
        except TimeoutError as error:
            raise RuntimeError(f"{error}; the services said:\n{self._log.read_text(errors='replace')}") from error
        os.environ["WAYLAND_DISPLAY"] = str(self._folder / name)
        os.environ["SWAYSOCK"] = read_line(descriptor, "sway")
        os.close(descriptor)
        self._plug_keyboard()

    def _plug_keyboard(self) -> None:
        """Connect a permanent keyboard; without one, no window gets the focus."""
        self._spawn([need("wtype", "wtype"), "-k", "Shift_L", "-s", str(_LONG)])

    def _spawn(self, argv: list[str | Path], **options: Any) -> None:
        with open(self._log, "ab") as log:
            self._services.append(spawn(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options))


# Input


def key(*keys: str) -> None:
    """Type keys in order, by name (`Return`, `ctrl+v`)."""
    arguments: list[str] = []
    for each in keys:
        *modifiers, name = each.split("+") if each != "+" else [each]
        assert _MODIFIERS.issuperset(modifiers), f"no modifiers: {each}"
        for modifier in modifiers:
            arguments += ["-M", modifier]
        arguments += ["-k", name]
        for modifier in reversed(modifiers):
            arguments += ["-m", modifier]
    # GDK's Wayland backend ignores the last key of a keymap when it matches shortcuts, and wtype's keymap has only the
    # keys of its command line. So append a key that is only released, never pressed.
    _run("wtype", "wtype", *arguments, "-p", "VoidSymbol")


def write(text: str) -> None:
    """Type any text as fast as possible."""
    _run("wtype", "wtype", "-d", "8", "--", text)


def set_clipboard(data: bytes) -> None:
    """Put text on the clipboard, from a separate process."""
    # wl-copy returns once it owns the selection, and serves it in the background. Do not let it hold a pipe open.
    subprocess.run(
        [need("wl-copy", "wl-clipboard"), "--type", "text/plain;charset=utf-8"],
        input=data, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20, check=True,
    )


def wait_clipboard(text: str) -> str:
    """Wait until the clipboard has this text, and return its text, even if it differs at the timeout."""
    watch = spawn(
        [need("wl-paste", "wl-clipboard"), "--no-newline", "--watch", "sh", "-c", "cat; printf '\\0'"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
    )
    assert watch.stdout is not None
    deadline = time.monotonic() + processes.TIMEOUT
    told, last = b"", ""
    try:
        while last != text and select.select([watch.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
            told += os.read(watch.stdout.fileno(), 65_536)
            *whole, told = told.split(b"\0")
            last = whole[-1].decode() if whole else last
        return last
    finally:
        processes.stop(watch)
        watch.stdout.close()


# Screenshots


def picture(box: tuple[int, int, int, int]) -> bytes:
    """Return a part of the screen (left, top, width, height) as PNG."""
    left, top, width, height = box
    return _run("grim", "grim", "-g", f"{left},{top} {width}x{height}", "-")


def window(title: str) -> tuple[int, int, int, int]:
    """Return left, top, width and height of a window, which AT-SPI does not know under Wayland."""
    box = _node(title)["rect"]
    return box["x"], box["y"], box["width"], box["height"]


def app_id(title: str) -> str:
    """Return the app id of a window, by which desktops find its desktop entry."""
    return str(_node(title)["app_id"])


def _node(title: str) -> dict[str, Any]:
    with _connect() as asking:
        _send(asking, _GET_TREE)
        nodes = [_receive(asking)[1]]
    while nodes:
        node = nodes.pop()
        if node["name"] == title and node.get("app_id"):
            return dict(node)
        nodes += node["nodes"] + node["floating_nodes"]
    raise RuntimeError(f"sway shows no window named {title!r}")


def _run(program: str, package: str, *arguments: str) -> bytes:
    return subprocess.run(
        [need(program, package), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=20, check=True
    ).stdout


# sway's IPC


def _connect() -> socket.socket:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(processes.TIMEOUT)
    connection.connect(os.environ["SWAYSOCK"])
    return connection


def _send(connection: socket.socket, kind: int, text: str = "") -> None:
    payload = text.encode()
    connection.sendall(_HEADER.pack(_MAGIC, len(payload), kind) + payload)


def _receive(connection: socket.socket) -> tuple[int, Any]:
    _, length, kind = _HEADER.unpack(_exactly(connection, _HEADER.size))
    return kind, json.loads(_exactly(connection, length))


def _exactly(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            raise RuntimeError("sway has ended")
        data += more
    return data
