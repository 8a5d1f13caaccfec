# SPDX-License-Identifier: GPL-3.0-or-later
"""Another client with a window, at the other end of a conversation: what it is made to do, and what it has received."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Iterator

import processes
from jabber import Server
from notifications import Notifications
from phone import Mismatch
from processes import MissingPeer, need
from session import Session

#: The authorities that GnuTLS trusts in Debian.
_AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
#: The numbers of screens for peers, far above those that servers choose by themselves.
_FIRST_DISPLAY, _DISPLAYS = 1_000, 50_000


class NotDriven(Exception):
    """What these tests cannot make a peer do, or cannot see."""


class Unsupported(Exception):
    """What a peer cannot do, or does in another way, with the reason."""


class Screen:
    """A screen for a peer, so that its window has the keys as the phone's has on the first one; a context manager."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._minimized = ""

    def __enter__(self) -> Screen:
        ready, told = os.pipe()
        # In a network of its own, the server would take a number that one outside has, with that one's socket in /tmp.
        number = _FIRST_DISPLAY + os.getpid() % _DISPLAYS
        self._server = self._start(
            need("Xvfb", "xvfb"), f":{number}", "-displayfd", str(told), "-screen", "0", "1280x1000x24", "-nolisten", "tcp",
            "-noreset", "-dpi", "96", pass_fds=(told,))
        os.close(told)
        self.display = ":" + processes.read_line(ready, "Xvfb")
        os.close(ready)
        self._manager = self._start(need("openbox", "openbox"), "--sm-disable", env=self.environment)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._manager)
        processes.stop(self._server)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of programs on this screen."""
        return {**os.environ, "DISPLAY": self.display}

    def key(self, *keys: str) -> None:
        """Type keys by their names."""
        self._run(need("xdotool", "xdotool"), "key", *keys)

    def write(self, text: str) -> None:
        """Type any text."""
        self._run(need("xdotool", "xdotool"), "type", "--delay", "8", "--", text)

    def paste(self, data: bytes, kind: str = "UTF8_STRING") -> None:
        """Put data of a type on the clipboard, and press Ctrl+V."""
        subprocess.run(
            [need("xclip", "xclip"), "-selection", "clipboard", "-target", kind, "-in"], input=data,
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=True)
        self.key("ctrl+v")

    def minimize(self) -> None:
        """Minimize the window that has the focus, until `restore`."""
        done = subprocess.run(
            [need("xdotool", "xdotool"), "getactivewindow"], env=self.environment, timeout=60, check=True,
            capture_output=True, text=True)
        self._minimized = done.stdout.strip()
        self._run(need("xdotool", "xdotool"), "windowminimize", "--sync", self._minimized)

    def restore(self) -> None:
        """Show the window that was minimized, and give it the focus."""
        if self._minimized:
            self._run(need("xdotool", "xdotool"), "windowactivate", "--sync", self._minimized)
            self._minimized = ""

    def _run(self, *argv: str) -> None:
        subprocess.run(argv, env=self.environment, timeout=60, check=True)

    def _start(self, *argv: str, **options: Any) -> subprocess.Popen[bytes]:
        with open(self._session.folder / "services.log", "ab") as log:
            return processes.spawn(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)


class Peer:
    """A client with an account, as a context manager. A method that it does not override is not driven.

    Texts name messages: each is sent once, and by one side.
    """

    #: The program's name in the table.
    name = ""
    #: Its name in rooms.
    nickname = "grace"

    def __init__(
        self, session: Session, server: Server, screen: Screen, desktop: Notifications, address: str, friend: str
    ) -> None:
        """The friend is the phone's address."""
        self.session, self.server, self.screen, self.desktop = session, server, screen, desktop
        self.address, self.friend = address, friend
        self.log = session.folder / f"{self.name.lower()}.log"

    @staticmethod
    def version() -> str:
        """Return the first two numbers of its version."""
        raise NotImplementedError

    def __enter__(self) -> Peer:
        raise NotImplementedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        raise NotImplementedError

    # What it does

    def leave(self) -> None:
        """End the client."""
        raise NotDriven

    def come_back(self) -> None:
        """Start the client again."""
        raise NotDriven

    def befriend(self) -> None:
        """Ask for the phone's presence."""
        raise NotDriven

    def accept(self) -> None:
        """Let the phone see its presence."""
        raise NotDriven

    def open(self) -> None:
        """Show the conversation with the phone."""
        raise NotDriven

    def look_away(self) -> None:
        """Make the client notify of what comes, until `open`."""

    def encrypt(self, room: str = "") -> None:
        """Encrypt with OMEMO what it sends to the phone, or to a room, from now on."""
        raise NotDriven

    def send(self, text: str, room: str = "") -> None:
        """Send a message to the phone, or to a room."""
        raise NotDriven

    def type(self, text: str) -> None:
        """Type a message to the phone, and do not send it."""
        raise NotDriven

    def clear(self) -> None:
        """Drop what it has typed."""

    def reply(self, quoted: str, text: str, room: str = "") -> None:
        """Answer a message."""
        raise NotDriven

    def react(self, text: str, emoji: str, room: str = "") -> None:
        """React to a message."""
        raise NotDriven

    def correct(self, old: str, new: str, room: str = "") -> None:
        """Correct its last message."""
        raise NotDriven

    def delete(self, text: str) -> None:
        """Delete a message of its own for everyone."""
        raise NotDriven

    def share(self, file: Path) -> None:
        """Send a file through the server."""
        raise NotDriven

    def join(self, room: str) -> None:
        """Enter a room."""
        raise NotDriven

    def set_topic(self, room: str, topic: str) -> None:
        """Set the topic of a room."""
        raise NotDriven

    def invite(self, room: str) -> None:
        """Invite the phone to a room."""
        raise NotDriven

    def moderate(self, room: str, text: str) -> None:
        """Delete a message of somebody else in a room, as its moderator."""
        raise NotDriven

    # What it has

    def sees_presence(self) -> bool:
        """Return whether the phone is online for it."""
        raise NotDriven

    def has(self, text: str, room: str = "") -> bool:
        """Return whether it has a message of the phone."""
        raise NotDriven

    def was_encrypted(self, text: str) -> bool:
        """Return whether a message that it has sent or received was encrypted with OMEMO."""
        raise NotDriven

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its own OMEMO key, 64 hex digits."""
        raise NotDriven

    def count(self, text: str) -> int:
        """Return how many messages of the phone have a text."""
        raise NotDriven

    def has_receipt(self, text: str) -> bool:
        """Return whether it knows that a message of its own was received."""
        raise NotDriven

    def has_read_marker(self, text: str) -> bool:
        """Return whether it knows that a message of its own was read."""
        raise NotDriven

    def sees_typing(self) -> bool:
        """Return whether it says that the phone's user is typing."""
        raise NotDriven

    def has_reply(self, quoted: str, text: str, room: str = "") -> bool:
        """Return whether it has an answer, and knows what it answers."""
        raise NotDriven

    def has_reaction(self, text: str, emoji: str, room: str = "") -> bool:
        """Return whether a message has a reaction of the phone."""
        raise NotDriven

    def has_corrected(self, old: str, new: str, room: str = "") -> bool:
        """Return whether a message of the phone has its new text."""
        raise NotDriven

    def has_deleted(self, text: str) -> bool:
        """Return whether a message of the phone is gone."""
        raise NotDriven

    def was_moderated(self, room: str, text: str) -> bool:
        """Return whether a moderator has deleted its own message in a room, for it, too."""
        raise NotDriven

    def has_file(self, contents: bytes) -> bool:
        """Return whether it has downloaded a file of the phone."""
        raise NotDriven

    def was_mentioned(self, room: str, text: str) -> bool:
        """Return whether a message in a room notified its user."""
        raise NotDriven

    def has_topic(self, room: str, topic: str) -> bool:
        """Return whether it knows the topic of a room."""
        raise NotDriven

    def was_invited(self, room: str) -> bool:
        """Return whether it has an invitation to a room."""
        raise NotDriven

    # For subclasses

    def spawn(self, *argv: str | Path, **options: Any) -> subprocess.Popen[bytes]:
        """Start a program on the peer's screen that trusts the server's authority."""
        return processes.spawn(
            trusting(self.session, self.server.authority, argv),
            env={**self.screen.environment, "GSK_RENDERER": "cairo"}, **options)

    @contextlib.contextmanager
    def database(self, path: Path) -> Iterator[sqlite3.Connection]:
        """Open a database of the peer for reading."""
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
            yield connection

    def complain(self, what: str) -> Mismatch:
        """Return an error with the last lines of the peer's log."""
        return Mismatch(f"{self.name} {what}; it said:\n{self.log.read_text(errors='replace')[-3000:]}")


def trusting(session: Session, authority: Path, argv: tuple[str | Path, ...]) -> list[str | Path]:
    """Return a command that runs a program which trusts an authority besides those of the system.

    GnuTLS reads one file and has no variable for another, so the program gets a folder of its own in place of that file's.
    """
    merged = session.folder / "authorities.crt"
    merged.write_bytes((_AUTHORITIES.read_bytes() if _AUTHORITIES.exists() else b"") + authority.read_bytes())
    options = ["--mount"] if os.geteuid() == 0 else ["--mount", "--map-root-user"]
    if "shared:" not in Path("/proc/self/mountinfo").read_text():
        # Nobody else sees the mount. In a chroot, unshare could not make sure of that.
        options += ["--propagation", "unchanged"]
    script = f'mount -t tmpfs tmpfs {_AUTHORITIES.parent} && cp "{merged}" {_AUTHORITIES} && exec "$@"'
    command: list[str | Path] = ["unshare", *options, "sh", "-c"]
    tried = subprocess.run([*command, script, "sh", "true"], check=False, capture_output=True, text=True)
    if tried.returncode != 0:
        raise MissingPeer(f"a mount of its own ({tried.stderr.strip()})", "none: it depends on the kernel")
    return [*command, script, "sh", *argv]
