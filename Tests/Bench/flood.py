# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures how long the phone's main loop is busy at a time while it is flooded with calls."""

from __future__ import annotations

import socket
import threading
import time
from types import TracebackType
from typing import Callable

from gi.repository import Gio

from accessibility import pass_time
from bench import target
from far_end import FarEnd
from phone import APP_ID, OBJECT_PATH, Phone, expect
from sip import engines

RATE, DURATION = 200, 10.0  # calls a second; seconds
FRAME = 16.0  # milliseconds

_SESSION = (
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 8\r\n"
    "a=rtpmap:8 PCMA/8000\r\n")


class _Flood:
    """Calls to the phone from a socket, which are given up at once, as a context manager."""

    def __init__(self, sender: socket.socket, phone: tuple[str, int]) -> None:
        self._sender, self._phone = sender, phone
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)
        #: The number of calls so far.
        self.count = 0

    def __enter__(self) -> _Flood:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()

    def _send(self) -> None:
        begin = time.monotonic()
        while not self._is_over.wait(max(0.0, begin + self.count / RATE - time.monotonic())):
            for method, session in (("INVITE", _SESSION), ("CANCEL", "")):
                self._sender.sendto(self._request(method, session), self._phone)
            self.count += 1

    def _request(self, method: str, session: str) -> bytes:
        host, port = self._sender.getsockname()
        kind = "Content-Type: application/sdp\r\n" if session else ""
        return (
            f"{method} sip:1001@{self._phone[0]}:{self._phone[1]} SIP/2.0\r\n"
            f"Via: SIP/2.0/UDP {host}:{port};branch=z9hG4bK-flood-{port}-{self.count}\r\n"
            f"From: <sip:stranger{self.count}@{host}>;tag=flood\r\nTo: <sip:1001@{host}>\r\n"
            f"Call-ID: flood-{port}-{self.count}\r\nCSeq: 1 {method}\r\nContact: <sip:stranger@{host}:{port}>\r\n"
            f"Max-Forwards: 70\r\n{kind}Content-Length: {len(session)}\r\n\r\n{session}").encode()


def answer_times(seconds: float) -> list[float]:
    """Ask the phone's main loop again and again, and return the milliseconds to each answer."""
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    times = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.monotonic()
        bus.call_sync(
            APP_ID, OBJECT_PATH, "org.gtk.Actions", "List", None, None, Gio.DBusCallFlags.NONE, -1, None)
        times.append((time.monotonic() - begin) * 1e3)
        pass_time(0.001)
    return times


def report(what: str, times: list[float]) -> None:
    """Print how long the main loop was busy at a time, and whether that is within a frame."""
    times = sorted(times)
    target(f"{what}, 99 %", times[int(len(times) * 0.99)], FRAME, "ms")
    # On a busy machine, single answers wait for a processor.
    print(f"{'':<32}{len(times)} answers, the longest after {times[-1]:.1f} ms")


def _measure(what: str, sender: socket.socket, phone: Phone, far: FarEnd, check: Callable[[], None]) -> None:
    before = engines(phone)
    with _Flood(sender, far.caller) as flood:
        times = answer_times(DURATION)
        check()
    expect(flood.count >= RATE * DURATION * 0.9, f"only {flood.count} calls were sent")
    expect(engines(phone) == before, "the engine has ended")
    report(what, times)


def strangers(phone: Phone, far: FarEnd) -> None:
    """Measure the main loop at rest, and with 200 calls a second from strangers, who must not be heard."""
    report("loop at rest", answer_times(2))
    status = phone.status()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
        stranger.bind(("127.0.0.2", 0))
        _measure(
            "loop, flood of strangers", stranger, phone, far,
            lambda: expect(phone.status() == status, f"the status line shows {phone.status()!r}"))


def registrar(phone: Phone, far: FarEnd) -> None:
    """Measure the main loop with 200 calls a second that the registrar passes on."""
    _measure("loop, flood by registrar", far.signalling, phone, far, lambda: None)
