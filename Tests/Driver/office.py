# SPDX-License-Identifier: GPL-3.0-or-later
"""The telephone system of an office by hand: a registrar that tells of the calls of its extensions (RFC 4235)."""

from __future__ import annotations

import re
import socket
import threading
from types import TracebackType

from phone import eventually

_DOCUMENT = (
    '<?xml version="1.0"?>\n<dialog-info xmlns="urn:ietf:params:xml:ns:dialog-info" version="{version}" state="full"'
    ' entity="sip:{user}@127.0.0.1">{dialogs}</dialog-info>')
_SESSION = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8 101\r\n"
    "a=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\n")


def _field(name: str, message: str) -> str:
    found = re.search(rf"^{name}: *(.*?)\r$", message, re.MULTILINE | re.IGNORECASE)
    return found.group(1) if found else ""


class Office:
    """A registrar over UDP that takes any password, and answers every call, as a context manager."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._version = 0
        #: The first lines of requests so far, once each, with the call that is replaced and the time of a subscription.
        self.seen: list[str] = []
        self._known: set[str] = set()
        #: The requests to subscribe, by the extensions.
        self._subscriptions: dict[str, str] = {}
        self._phone = ("", 0)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Office:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Wakes the thread, which ends.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as waker:
            waker.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join()
        self._socket.close()

    def address(self, user: str) -> str:
        """Return the address of a user."""
        return f"sip:{user}@127.0.0.1:{self.port}"

    def expect(self, start: str, *parts: str) -> None:
        """Wait for a request that starts with a text and has these parts; those before it are forgotten."""
        def is_there() -> bool:
            for index, line in enumerate(self.seen):
                if line.startswith(start) and all(part in line for part in parts):
                    del self.seen[:index + 1]
                    return True
            return False

        eventually(is_there, lambda: f"no {start} {parts} among {self.seen}")

    def tell(self, user: str, dialogs: str = "") -> None:
        """Tell of the calls of an extension, to which the phone has subscribed."""
        self._version += 1
        body = _DOCUMENT.format(version=self._version, user=user, dialogs=dialogs)
        request = self._subscriptions[user]
        self._send(
            f"NOTIFY sip:1001@{self._phone[0]}:{self._phone[1]} SIP/2.0\r\n"
            f"Via: SIP/2.0/UDP 127.0.0.1:{self.port};branch=z9hG4bK-{self._version}\r\n"
            f"From: {_field('To', request)};tag=office\r\nTo: {_field('From', request)}\r\n"
            f"Call-ID: {_field('Call-ID', request)}\r\nCSeq: {self._version} NOTIFY\r\nMax-Forwards: 70\r\n"
            f"Contact: <sip:office@127.0.0.1:{self.port}>\r\nEvent: dialog\r\n"
            "Subscription-State: active;expires=600\r\nContent-Type: application/dialog-info+xml\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}")

    @staticmethod
    def ringing(*, tags: bool = True) -> str:
        """Return a call that rings at an extension, with what picks it up or not."""
        known = ' local-tag="own" remote-tag="far"' if tags else ""
        return (
            f'<dialog id="1" call-id="call-1"{known} direction="recipient"><state>early</state><remote>'
            '<identity display="Grace">sip:1003@127.0.0.1</identity></remote></dialog>')

    BUSY = '<dialog id="2" direction="initiator"><state>confirmed</state></dialog>'

    def _send(self, text: str) -> None:
        self._socket.sendto(text.encode(), self._phone)

    def _serve(self) -> None:
        while True:
            data, sender = self._socket.recvfrom(65_536)
            if not data:
                return
            message = data.decode(errors="replace")
            if message.startswith("SIP/2.0") or not message.strip():
                continue
            self._phone = sender
            if message not in self._known:
                self._known.add(message)
                self.seen.append(
                    f"{message.splitlines()[0]} {_field('Event', message)} Expires={_field('Expires', message)} "
                    f"Replaces={_field('Replaces', message)}")
            self._answer(message)

    def _answer(self, message: str) -> None:
        method = message.split(" ", 1)[0]
        if method == "ACK":
            return
        status, fields, body = "200 OK", "", ""
        if method == "REGISTER":
            contact, expires = _field("Contact", message), _field("Expires", message) or "600"
            fields = f"Contact: {contact};expires={expires}\r\n"
        elif method == "SUBSCRIBE":
            if _field("Event", message) == "dialog":
                self._subscriptions[message.removeprefix("SUBSCRIBE sip:").split("@")[0]] = message
                fields = f"Expires: {_field('Expires', message)}\r\nContact: <sip:office@127.0.0.1:{self.port}>\r\n"
            else:
                status = "489 Bad Event"
        elif method == "INVITE":
            fields = f"Contact: <sip:office@127.0.0.1:{self.port}>\r\nContent-Type: application/sdp\r\n"
            body = _SESSION
        to = _field("To", message)
        vias = "".join(f"Via: {via}\r\n" for via in re.findall(r"^Via: *(.*?)\r$", message, re.MULTILINE | re.IGNORECASE))
        self._send(
            f"SIP/2.0 {status}\r\n{vias}From: {_field('From', message)}\r\n"
            f"To: {to}{'' if 'tag=' in to else ';tag=office'}\r\nCall-ID: {_field('Call-ID', message)}\r\n"
            f"CSeq: {_field('CSeq', message)}\r\n{fields}Content-Length: {len(body)}\r\n\r\n{body}")
