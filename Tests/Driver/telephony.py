# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the program that handles `tel:` links: it tells the driver each link that it is started with."""

from __future__ import annotations

import os
import select
from pathlib import Path
from types import TracebackType

import processes
from session import Session

DESKTOP_ID = "org.example.StandInPhone.desktop"
NAME = "Stand-in phone"


def set_default_handler(session: Session, desktop_id: str) -> None:
    """Makes a program the default handler of `tel:` links in the session."""
    (session.config_home / "mimeapps.list").write_text(
        f"[Default Applications]\nx-scheme-handler/tel={desktop_id};\n"
        f"[Added Associations]\nx-scheme-handler/tel={desktop_id};\n"
    )


class TelHandler:
    """Registered while it is entered. Install it before the phone starts: a running one may look a little later."""

    def __init__(self, session: Session, *, default: bool = True) -> None:
        self._session = session
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
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._entry.unlink()
        (self._session.config_home / "mimeapps.list").unlink(missing_ok=True)
        os.close(self._descriptor)
        self._pipe.unlink()

    def next_link(self, timeout: float = processes.TIMEOUT) -> str:
        """The next link that it is started with."""
        return processes.read_line(self._descriptor, "the stand-in phone", timeout)

    def was_started(self, within: float) -> bool:
        """Whether it is started within a time; for what must not happen."""
        return bool(select.select([self._descriptor], [], [], within)[0])


def install_own_entry(session: Session, program: Path) -> Path:
    """Installs a desktop entry of Touchtone itself, which writes a mark if it is ever launched by the phone."""
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
