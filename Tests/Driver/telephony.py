# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the default app for `tel:` links. It reports each link to the driver."""

from __future__ import annotations

import os
import select
from pathlib import Path
from types import TracebackType

import processes
from phone import APP_ID
from session import Session

DESKTOP_ID = "org.example.StandInPhone.desktop"
NAME = "Stand-in phone"


def set_default_handler(session: Session, desktop_id: str) -> None:
    """Make a program the session's default handler of `tel:` links."""
    (session.config_home / "mimeapps.list").write_text(
        f"[Default Applications]\nx-scheme-handler/tel={desktop_id};\n"
        f"[Added Associations]\nx-scheme-handler/tel={desktop_id};\n"
    )


class TelHandler:
    """The handler, as a context manager. Enter it before the phone starts: a running phone may notice it late."""

    def __init__(self, session: Session, *, default: bool = True, chosen: bool = True) -> None:
        self._session = session
        self._chosen = chosen
        self._default = default
        self._entry = session.data_home / "applications" / DESKTOP_ID
        self._pipe = session.folder / "tel-links"

    def __enter__(self) -> TelHandler:
        os.mkfifo(self._pipe)
        self._descriptor = os.open(self._pipe, os.O_RDWR | os.O_NONBLOCK)
        script = self._session.folder / "stand-in-phone"
        script.write_text(f"#!/bin/sh\nfor link; do printf '%s\\n' \"$link\"; done > '{self._pipe}'\n")
        script.chmod(0o755)
        self._entry.write_text(
            f"[Desktop Entry]\nType=Application\nName={NAME}\nExec={script} %u\n"
            "MimeType=x-scheme-handler/tel;\n"
        )
        if self._default:
            set_default_handler(self._session, DESKTOP_ID)
        self._session.run("update-desktop-database", self._entry.parent)
        if self._chosen:
            # The first Dial would ask.
            self._session.run("gsettings", "set", APP_ID, "dial-line", "'tel'")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._chosen:
            self._session.run("gsettings", "reset", APP_ID, "dial-line")
        self._entry.unlink()
        (self._session.config_home / "mimeapps.list").unlink(missing_ok=True)
        os.close(self._descriptor)
        self._pipe.unlink()

    def next_link(self, timeout: float = processes.TIMEOUT) -> str:
        """Wait for the next link, and return it."""
        return processes.read_line(self._descriptor, "the stand-in phone", timeout)

    def was_started(self, within: float) -> bool:
        """Return whether the handler is started within this time."""
        return bool(select.select([self._descriptor], [], [], within)[0])


def install_own_entry(session: Session, program: Path) -> Path:
    """Install a desktop entry for Touchtone itself that leaves a mark if the phone ever launches it."""
    mark = session.folder / "launched-itself"
    os.mkfifo(mark)
    script = session.folder / "touchtone-from-entry"
    script.write_text(f"#!/bin/sh\necho \"$@\" > '{mark}'\nexec '{program}' \"$@\"\n")
    script.chmod(0o755)
    entry = session.data_home / "applications" / "io.github.touchtone.Touchtone.desktop"
    entry.write_text(
        f"[Desktop Entry]\nType=Application\nName=Touchtone\nExec={script} %u\nMimeType=x-scheme-handler/tel;\n"
    )
    session.run("update-desktop-database", entry.parent)
    return mark
