# SPDX-License-Identifier: GPL-3.0-or-later
"""A caller with real-time text (RFC 4103): SIPp for the call, and the packets of the text."""

from __future__ import annotations

import re
import socket
import struct
import subprocess
import time
from types import TracebackType

import processes
from jabber import free_ports
from phone import Mismatch, eventually
from processes import TIMEOUT, need
from session import CHECKOUT, Session
from sip import Registrar

_PLAIN, _REDUNDANT = 98, 100


class TextCaller:
    """A call to a user of the registrar, as a context manager. Its sound is silent."""

    def __init__(self, session: Session, registrar: Registrar, user: str) -> None:
        self._session = session
        self._registrar = registrar
        self._user = user
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(TIMEOUT)
        self._sequence = 0
        self._earlier: list[bytes] = []
        self._last: int | None = None

    def __enter__(self) -> TextCaller:
        sipp = need("sipp", "sip-tester")
        port, media = free_ports(2)
        folder = self._session.folder / f"text-caller-{port}"
        folder.mkdir()
        self._trace = folder / "messages"
        self._process = processes.spawn(
            [
                sipp, "-sf", CHECKOUT / "Tests/Peers/text-uac.xml", "-i", "127.0.0.1", "-p", str(port), "-mp", str(media),
                "-m", "1", "-s", self._user, "-key", "text_port", str(self._socket.getsockname()[1]),
                "-trace_msg", "-message_file", self._trace, "-nostdin", f"127.0.0.1:{self._registrar.port}",
            ],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)
        self._socket.close()

    def meet(self) -> None:
        """Wait for the answer, and find the phone's port for text in it."""
        ports: list[str] = []

        def is_answered() -> bool:
            text = self._trace.read_text(errors="replace") if self._trace.exists() else ""
            ports[:] = re.findall(r"SIP/2\.0 200 OK.*?\nm=text (\d+) ", text, re.DOTALL | re.IGNORECASE)
            return bool(ports)

        eventually(is_answered, lambda: "the phone has not answered with text")
        self._phone = ("127.0.0.1", int(ports[0]))

    def send(self, text: str) -> None:
        """Send a text, with the two texts before it."""
        block = text.encode()
        self._sequence += 1
        header = b"".join(
            struct.pack(">I", 1 << 31 | _PLAIN << 24 | 300 * (len(self._earlier) - index) << 10 | len(repeated))
            for index, repeated in enumerate(self._earlier))
        packet = struct.pack(">BBHII", 0x80, _REDUNDANT, self._sequence, 300 * self._sequence, 1) + header
        self._socket.sendto(packet + bytes([_PLAIN]) + b"".join(self._earlier) + block, self._phone)
        self._earlier = [*self._earlier[-1:], block]

    def expect(self, text: str) -> float:
        """Wait until the phone has sent exactly this text since the last time; return the time of its last packet."""
        received = ""
        while received != text:
            try:
                packet = self._socket.recv(2_000)
            except TimeoutError:
                raise Mismatch(f"the phone has sent {received!r}, not {text!r}") from None
            if packet[1] & 0x7F != _REDUNDANT:
                continue
            [number] = struct.unpack(">H", packet[2:4])
            payload, sizes = packet[12:], []
            while payload[0] & 0x80:
                sizes.append(payload[2] << 8 & 0x300 | payload[3])
                payload = payload[4:]
            missing = 0 if self._last is None else number - self._last - 1
            blocks, payload = [], payload[1:]
            for size in sizes:
                blocks.append(payload[:size])
                payload = payload[size:]
            repeated = blocks[len(blocks) - missing:] if missing > 0 else []
            received += b"".join([*repeated, payload]).decode().replace("\ufeff", "")
            self._last = number
        return time.monotonic()
