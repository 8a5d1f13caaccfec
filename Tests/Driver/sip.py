# SPDX-License-Identifier: GPL-3.0-or-later
"""A SIP registrar and a far end: Kamailio and baresip, on loopback."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Callable, Protocol

import pointer
import processes
from accessibility import wait_until
from jabber import free_ports
from messages import fill, preference, press
from passcode import SCHEMA
from phone import APP_ID, Mismatch, Phone, expect
from processes import TIMEOUT, MissingPeer, need
from session import CHECKOUT, Session
from sound import decode

PASSWORD = "pw-of-the-user"
_SERVER = "kamailio"


class Addresses(Protocol):
    """A registrar, which has the addresses of users."""

    def address(self, user: str) -> str:
        """Return the address of a user."""


class Registrar:
    """Kamailio with the users `1001` to `1008`, without TLS, as a context manager."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.folder = session.folder / "kamailio"

    def __enter__(self) -> Registrar:
        # Debian installs it where only root searches.
        program = shutil.which(_SERVER, path=os.environ["PATH"] + ":/usr/sbin")
        if program is None:
            raise MissingPeer(_SERVER, "kamailio")
        (self.folder / "db").mkdir(parents=True)
        [self.port] = free_ports(1)
        text = (CHECKOUT / "Tests/Peers/kamailio.cfg").read_text()
        text = text.replace("@FOLDER@", str(self.folder)).replace("@PORT@", str(self.port))
        (self.folder / "kamailio.cfg").write_text(text)
        self._program = program
        (self.folder / "db/version").write_text(
            "id(int,auto) table_name(string) table_version(int) \n0:version:1\n1:subscriber:7\n")
        users = "".join(f"{row}:{user}:127.0.0.1:{PASSWORD}:x:x\n" for row, user in enumerate(range(1001, 1009), 1))
        (self.folder / "db/subscriber").write_text(
            "id(int,auto) username(string) domain(string) password(string) ha1(string) ha1b(string) \n" + users)
        self.start()
        return self

    def start(self) -> None:
        """Start the server on its previous port, where nobody is registered."""
        self._process = processes.spawn(
            [
                self._program, "-f", self.folder / "kamailio.cfg", "-DD", "-E", "-P", self.folder / "pid",
                "-Y", self.folder, "-w", self.folder, "-m", "32", "-M", "4", "-A", "WITHOUT_TLS",
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )
        assert self._process.stdout is not None
        while "READY" not in processes.read_line(self._process.stdout.fileno(), "kamailio"):
            pass
        processes.discard_output(self._process)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the server."""
        processes.stop(self._process)

    def address(self, user: str) -> str:
        """Return the address of a user."""
        return f"sip:{user}@127.0.0.1:{self.port}"


def set_details(session: Session, account: str, **details: str) -> None:
    """Change settings of an account as a script does."""
    schema = f"{APP_ID}.SipAccount:/io/github/touchtone/Touchtone/sip/{account}/"
    for key, value in details.items():
        done = session.run("gsettings", "set", schema, key, f"'{value}'")
        expect(done.returncode == 0, f"gsettings set {key}: {done.stderr}")


def add_with_keyring(
    session: Session, registrar: Addresses, phone: Phone, user: str, account: str = "work", *, port: int | None = None,
    transport: str = "tcp",
) -> None:
    """Add an account to the settings as a script does, with its password in the keyring.

    With a port, it reaches the registrar there, as through a relay.
    """
    address = registrar.address(user)
    done = session.run(
        "secret-tool", "store", "--label=Touchtone", "xdg:schema", SCHEMA, "service", "sip",
        "account", address, input=PASSWORD)
    expect(done.returncode == 0, f"secret-tool: {done.stderr}")
    server = f"sip:127.0.0.1:{port}" if port else ""
    set_details(session, account, address=address, registrar=server, transport=transport, srtp="off")
    phone.set("sip-accounts", f"['{account}']")


def add_in_preferences(session: Session, phone: Phone, address: str, transport: str = "tcp") -> None:
    """Add an account as a user does, and wait until it is registered. Without a keyring, the phone keeps the password."""
    phone.action("preferences-page", "'lines'")
    preference(phone, "list item", "Add Account…").grab_focus()
    pointer.key("Return")
    fill(phone, "text", "SIP Address", address)
    fill(phone, "password text", "Password", PASSWORD)
    press(phone, "Add")
    row = preference(phone, "list item", address.removeprefix("sip:"))
    done = session.run("gsettings", "get", APP_ID, "sip-accounts")
    [account] = json.loads(done.stdout.replace("'", '"'))
    set_details(session, account, transport=transport, srtp="off")
    # A registered account whose password could not be saved says so.
    registered = ("Registered", "No keyring")
    expect(
        wait_until(lambda: row.description.startswith(registered)), f"the account is not registered: {row.description!r}")
    pointer.key("Escape")
    phone.expect_closed("Preferences")


class FarEnd:
    """baresip, which answers every call and is operated by its control port, as a context manager.

    It is silent, or hums with `is_heard`. With `records`, it writes down what it hears.
    """

    #: The pitch of its hum in Hz.
    PITCH = 440

    def __init__(
        self, session: Session, registrar: Registrar, user: str, *, is_heard: bool = False, records: bool = False
    ) -> None:
        self._source = f"ausine,{self.PITCH}" if is_heard else "aubridge,silence"
        self._records = records
        self._session = session
        self._registrar = registrar
        self._user = user
        self._folder = session.folder / f"baresip-{user}"
        self._received = b""
        #: The events so far.
        self.events: list[dict[str, object]] = []

    def __enter__(self) -> FarEnd:
        need("baresip", "baresip-core")
        folder = self._folder
        folder.mkdir(exist_ok=True)
        port, control = free_ports(2)
        text = (CHECKOUT / "Tests/Peers/baresip.config").read_text()
        text = text.replace("@PORT@", str(port)).replace("@CONTROL@", str(control))
        text = text.replace("ausine,440", self._source)
        if self._records:
            text = text.replace("module uuid.so\n", f"module uuid.so\nmodule sndfile.so\nsnd_path {folder}\n")
        (folder / "config").write_text(text)
        proxy = f"sip:127.0.0.1:{self._registrar.port};transport=udp"
        (folder / "accounts").write_text(
            f"<{self._registrar.address(self._user)};transport=udp>;auth_user={self._user};auth_pass={PASSWORD};"
            f'outbound="{proxy}";regint=600;answermode=auto;audio_codecs=opus/48000/2,pcma,pcmu;dtmfmode=rtpevent\n')
        self._process = processes.spawn(
            ["stdbuf", "-oL", "baresip", "-f", folder],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert self._process.stdout is not None
        # It listens on its control port from when it is ready, and may be registered before.
        missing = {"is ready", "200 OK"}
        while missing:
            line = processes.read_line(self._process.stdout.fileno(), "baresip")
            missing = {text for text in missing if text not in line}
        processes.discard_output(self._process)
        self._control = socket.create_connection(("127.0.0.1", control))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._control.close()
        processes.stop(self._process)

    def command(self, name: str, parameters: str = "") -> None:
        """Give a command of baresip's menu."""
        body = json.dumps({"command": name, "params": parameters, "token": "t"}).encode()
        self._control.sendall(b"%d:%s," % (len(body), body))

    def restart(self) -> None:
        """End baresip, and start it again, so that it registers."""
        self.__exit__(None, None, None)
        self._received = b""
        self.__enter__()

    def ring(self, address: str) -> None:
        """Call an address, again and again until it is registered and rings."""
        deadline = time.monotonic() + TIMEOUT
        while True:
            expect(time.monotonic() < deadline, f"{address} does not ring; it ends with {self.events[-3:]}")
            self.command("dial", address)
            self.wait("CALL_RINGING", "CALL_CLOSED")
            if self.events[-1]["type"] == "CALL_RINGING":
                return

    def heard(self, decoder: Callable[[Path], str] = decode) -> str:
        """Return the keys whose tones it heard in its last call, which has ended."""
        files = sorted(self._folder.glob("dump-*-dec.wav"), key=lambda file: file.stat().st_mtime)
        expect(bool(files), "baresip has recorded nothing")
        return "".join(key for key, _ in itertools.groupby(decoder(files[-1])))

    def wait(self, *kinds: str, timeout: float = TIMEOUT) -> str:
        """Wait for the next event of one of these kinds, and return its parameter. Earlier events are skipped."""
        deadline = time.monotonic() + timeout
        while True:
            for event in self._take():
                self.events.append(event)
                if event.get("type") in kinds:
                    return str(event.get("param", ""))
            if not select.select([self._control], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Mismatch(f"baresip reports no {' or '.join(kinds)}; it ends with {self.events[-12:]}")
            data = self._control.recv(65536)
            if not data:
                raise Mismatch(f"baresip ended; it ends with {self.events[-12:]}")
            self._received += data

    def _take(self):  # type: ignore[no-untyped-def]
        """Return the received events one by one: netstrings of JSON."""
        while b":" in self._received:
            length, rest = self._received.split(b":", 1)
            if len(rest) <= int(length):
                return
            self._received = rest[int(length) + 1:]
            yield json.loads(rest[:int(length)])


def engines(phone: Phone) -> list[int]:
    """Return the process ids of the phone's SIP engines."""
    found = []
    for task in Path(f"/proc/{phone.process.pid}/task").iterdir():
        # Threads and processes may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            for pid in (task / "children").read_text().split():
                with suppress(FileNotFoundError, ProcessLookupError):
                    if Path(f"/proc/{pid}/comm").read_text().strip() == "touchtone-sip":
                        found.append(int(pid))
    return found
