# SPDX-License-Identifier: GPL-3.0-or-later
"""A SIP registrar and the phone behind it, in one, which note the time of everything: it answers when it is told to."""

from __future__ import annotations

import re
import socket
import threading
import time

#: The payload type that the answer gives to telephone events (RFC 4733).
_EVENTS = 101


class FarEnd:
    """The far end on loopback, until the program ends. Any user can register, and any number rings at once."""

    def __init__(self) -> None:
        #: The socket for SIP, and the address of the phone that used it last.
        self.signalling, self.caller = _socket(), ("", 0)
        self._media = _socket()
        self._invitation = b""
        #: The times of the last INVITE, of the answer, and of the first packet of each key, by `time.monotonic()`.
        self.invited = self.answered = 0.0
        self.keys: list[float] = []
        self._key = -1
        self.port = self.signalling.getsockname()[1]
        for work in (self._serve, self._listen):
            threading.Thread(target=work, daemon=True).start()

    def address(self, user: str) -> str:
        """Return the address of a user."""
        return f"sip:{user}@127.0.0.1:{self.port}"

    def answer(self) -> None:
        """Answer the call that rings."""
        port = self._media.getsockname()[1]
        session = (
            f"v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio {port} RTP/AVP 0 {_EVENTS}\r\n"
            f"a=rtpmap:0 PCMU/8000\r\na=rtpmap:{_EVENTS} telephone-event/8000\r\na=fmtp:{_EVENTS} 0-15\r\n")
        self.answered = time.monotonic()
        self._respond(self._invitation, "200 OK", session)

    def _serve(self) -> None:
        while True:
            request, self.caller = self.signalling.recvfrom(65536)
            if request.startswith(b"REGISTER "):
                self._respond(request, "200 OK")
            elif request.startswith(b"INVITE "):
                self.invited = time.monotonic()
                self._invitation = request
                self._respond(request, "180 Ringing")
            elif request.startswith((b"BYE ", b"OPTIONS ", b"CANCEL ")):
                self._respond(request, "200 OK")

    def _respond(self, request: bytes, status: str, session: str = "") -> None:
        fields = re.findall(rb"^((?:Via|From|To|Call-ID|CSeq|Record-Route): .*?)\r$", request, re.MULTILINE)
        lines = [f"SIP/2.0 {status}"]
        for field in fields:
            text = field.decode()
            lines.append(text + ";tag=far" if text.startswith("To:") and ";tag=" not in text else text)
        contact = re.search(rb"^Contact: .*?\r$", request, re.MULTILINE)
        if request.startswith(b"REGISTER ") and contact:
            lines += [contact.group().decode().rstrip() + ";expires=600"]
        else:
            lines += [f"Contact: <{self.address('far')}>"]
        if session:
            lines += ["Content-Type: application/sdp"]
        lines += [f"Content-Length: {len(session)}", "", session]
        self.signalling.sendto("\r\n".join(lines).encode(), self.caller)

    def _listen(self) -> None:
        while True:
            packet = self._media.recv(2048)
            if len(packet) < 12 or packet[1] & 0x7F != _EVENTS:
                continue
            # All packets of a key have the time at which it began.
            key = int.from_bytes(packet[4:8], "big")
            if key != self._key:
                self._key = key
                self.keys.append(time.monotonic())


def _socket() -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(("127.0.0.1", 0))
    return made
