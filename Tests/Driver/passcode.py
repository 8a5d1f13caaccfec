# SPDX-License-Identifier: GPL-3.0-or-later
"""The stored passcode: records as another program would write them, and a keyring for them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import TracebackType

import processes
from processes import MissingPeer, need
from session import Session

SCHEMA = "io.github.touchtone.Touchtone.Password"
ATTRIBUTES = ("xdg:schema", SCHEMA, "service", "passcode", "account", "lock")
ID = "0a" * 16


def state_file(session: Session) -> Path:
    """Return the file of the lock's state."""
    return Path(os.environ["XDG_STATE_HOME"]) / "touchtone/lock"


def record_file(session: Session) -> Path:
    """Return the file of the hash record, which is used without a keyring."""
    return session.data_home / "touchtone/passcode"


def record(code: str, identity: str = ID) -> str:
    """Return the record of a passcode, with a hash made by PyNaCl."""
    try:
        from nacl.pwhash import argon2id
    except ImportError:
        raise MissingPeer("PyNaCl", "python3-nacl") from None
    made = argon2id.str(code.encode()).decode().rstrip("\0")
    return f"touchtone-passcode 1\nid {identity}\ndigits {len(code)}\nhash {made}\nend\n"


def note(code: str) -> str:
    """Return the text that replaces the record if the keyring has it."""
    return f"touchtone-passcode 1\nid {ID}\ndigits {len(code)}\nholder keyring\nend\n"


def state(code: str, *, holder: str = "file", failures: int = 0, wait: tuple[int, int, str] | None = None) -> str:
    """Return the text of the lock's state. A wait has the remaining ms, the ms since boot, and the boot identifier."""
    lines = ["touchtone-lock 1", f"id {ID}", f"holder {holder}", f"digits {len(code)}", f"failures {failures}"]
    if wait:
        lines += [f"wait {wait[0]}", f"at {wait[1]}", f"boot {wait[2]}"]
    return "\n".join([*lines, "end", ""])


def put(file: Path, text: str) -> None:
    """Write a file that only the user can read."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o600)


def set_passcode(session: Session, code: str, holder: str = "file") -> None:
    """Set a passcode while no phone runs. This does not start a keyring."""
    put(record_file(session), record(code) if holder == "file" else note(code))
    put(state_file(session), state(code, holder=holder))


def failures(session: Session) -> int:
    """Return the number of failed attempts on disk."""
    for line in state_file(session).read_text().splitlines():
        if line.startswith("failures "):
            return int(line.split()[1])
    return -1


class Keyring:
    """An unlocked, empty gnome-keyring on the session bus, as a context manager."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> Keyring:
        need("secret-tool", "libsecret-tools")
        password = self._session.folder / "keyring-password"
        password.write_text("\n")
        with open(password, "rb") as stdin:
            self._process = processes.spawn(
                [
                    need("gnome-keyring-daemon", "gnome-keyring"), "--unlock", "--foreground",
                    "--components=secrets",
                ],
                stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
        done = self._session.run("gdbus", "wait", "--session", "--timeout=60", "org.freedesktop.secrets")
        if done.returncode != 0:
            raise RuntimeError("gnome-keyring did not come up")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def store(self, text: str) -> None:
        """Store a record under the specified attributes."""
        done = self._session.run("secret-tool", "store", "--label=Touchtone", *ATTRIBUTES, input=text)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
