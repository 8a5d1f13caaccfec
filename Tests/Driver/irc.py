# SPDX-License-Identifier: GPL-3.0-or-later
"""IRC on loopback: a server, biboumi as its gateway to a Jabber server, and a person in a channel."""

from __future__ import annotations

import contextlib
import pwd
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Callable

import processes
from jabber import Server, free_ports
from phone import Mismatch, eventually
from processes import TIMEOUT, need
from session import Session

#: The gateway's domain, which the configuration of Prosody has as a component.
DOMAIN = "irc.localhost"

_SERVER = """\
[Global]
    Name = irc.example.net
    Listen = 127.0.0.1
    Ports = {port}
    MotdPhrase = "Welcome"
    ServerUID = {user}
    ServerGID = {group}
[Limits]
    MaxConnectionsIP = 0
    MaxJoins = 0
    MaxPenaltyTime = 0
[Options]
    DNS = no
    Ident = no
    PAM = no
"""


class Irc:
    """ngircd, and biboumi as a component of a Jabber server, as a context manager."""

    def __init__(self, session: Session, server: Server, owner: str) -> None:
        """The owner is the address of the only user of the gateway."""
        self._folder = session.folder / "irc"
        self._server = server
        self._owner = owner

    def __enter__(self) -> Irc:
        ngircd, biboumi = need("ngircd", "ngircd"), need("biboumi", "biboumi")
        self._folder.mkdir()
        (self.port,) = free_ports(1)
        # Started by root, it changes to an ordinary user.
        user = pwd.getpwnam("nobody")
        settings = self._folder / "ngircd.conf"
        settings.write_text(_SERVER.format(port=self.port, user=user.pw_uid, group=user.pw_gid))
        self._log = open(self._folder / "log", "ab")
        self._processes = [self._start(ngircd, "-n", "-f", settings)]
        settings = self._folder / "biboumi.cfg"
        database = self._folder / "biboumi.sqlite"
        settings.write_text("\n".join((
            f"hostname={DOMAIN}", "password=secret", f"port={self._server.component_port}", f"db_name={database}",
            "fixed_irc_server=127.0.0.1", "identd_port=0", "log_level=0", "")))
        self._processes.append(self._start(biboumi, settings))
        eventually(lambda: self._choose_port(database), lambda: f"biboumi does not start: {self._said()}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            processes.stop(process)
        self._log.close()
        if isinstance(error, Mismatch):
            print(f"The gateway and the IRC server said:\n{self._said()}", file=sys.stderr)

    def _start(self, *argv: str | Path) -> subprocess.Popen[bytes]:
        return processes.spawn(argv, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)

    def _choose_port(self, database: Path) -> bool:
        """Set the server's port as its user does with a form of the gateway; return whether biboumi is there for it."""
        if self._processes[-1].poll() is not None:
            raise Mismatch(f"biboumi ended: {self._said()}")
        if "Authenticated with the XMPP server" not in self._said():
            return False
        with contextlib.closing(sqlite3.connect(database)) as settings, settings:
            # Its names end in an underscore, and the others have their defaults.
            settings.execute(
                "insert into ircserveroptions_ (owner_, server_, ports_, tlsports_) values (?, '127.0.0.1', ?, '')",
                (self._owner, str(self.port)))
        return True

    def _said(self) -> str:
        return (self._folder / "log").read_text(errors="replace")[-20000:]


class IrcPerson:
    """A person with an IRC client, as a context manager."""

    def __init__(self, irc: Irc, nickname: str) -> None:
        self._irc = irc
        self.nickname = nickname
        #: The lines received so far.
        self.lines: list[str] = []

    def __enter__(self) -> IrcPerson:
        self._socket = socket.create_connection(("127.0.0.1", self._irc.port), TIMEOUT)
        self._read = self._socket.makefile("r", encoding="utf-8", newline="\r\n")
        self.send(f"NICK {self.nickname}")
        self.send(f"USER {self.nickname} 0 * :{self.nickname}")
        self.wait(lambda line: " 001 " in line, "is not let in")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send(self, line: str) -> None:
        """Send a command."""
        self._socket.sendall(f"{line}\r\n".encode())

    def wait(self, condition: Callable[[str], bool], what: str) -> str:
        """Wait for a new line that meets the condition, and return it."""
        while True:
            try:
                line = self._read.readline().rstrip("\r\n")
            except TimeoutError:
                line = ""
            if not line:
                raise Mismatch(f"{self.nickname} {what}; there were {self.lines}")
            if line.startswith("PING"):
                self.send(line.replace("PING", "PONG", 1))
                continue
            self.lines.append(line)
            if condition(line):
                return line

    def wait_heard(self, target: str, text: str) -> None:
        """Wait for a message to a channel, or to this person, which is this text."""
        self.wait(lambda line: line.endswith(f" PRIVMSG {target} :{text}"), f"does not hear {text!r}")

    def heard(self, target: str) -> list[str]:
        """Return the texts of the messages to a channel, or to this person, so far."""
        return [line.partition(f" PRIVMSG {target} :")[2] for line in self.lines if f" PRIVMSG {target} :" in line]
