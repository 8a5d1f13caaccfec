#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The caller of a call without encryption: ICE (RFC 8445) as its controlling end, and PCMU over RTP.

    plain_peer.py ADDRESS PORT USER PASSWORD OTHER_PORT OTHER_USER OTHER_PASSWORD PITCH OTHER_PITCH

It sends a tone of PITCH from ADDRESS and PORT to the other port there, and prints `heard` when it has heard OTHER_PITCH for
a second, `key N` for each telephone event (RFC 4733) of payload type 101, and `fault TEXT` for what no far end without
encryption may send.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import os
import select
import socket
import struct
import sys
import time
import zlib

RATE, STEP = 8_000, 160
_COOKIE = 0x2112A442
_REQUEST, _SUCCESS = 0x0001, 0x0101
_USERNAME, _INTEGRITY, _PRIORITY, _USE, _MAPPED, _FINGERPRINT, _CONTROLLING = 6, 8, 0x24, 0x25, 0x20, 0x8028, 0x802A
_KEYS = "0123456789*#ABCD"


def tell(*words: object) -> None:
    print(*words, flush=True)


def _attribute(kind: int, value: bytes) -> bytes:
    return struct.pack("!HH", kind, len(value)) + value + bytes(-len(value) % 4)


def stun(kind: int, transaction: bytes, attributes: bytes, password: str) -> bytes:
    """Return a message of STUN (RFC 8489) with the two checksums."""
    def message(length: int) -> bytes:
        return struct.pack("!HHI", kind, length, _COOKIE) + transaction + attributes

    attributes += _attribute(
        _INTEGRITY, hmac.digest(password.encode(), message(len(attributes) + 24), hashlib.sha1))
    return message(len(attributes) + 8) + _attribute(
        _FINGERPRINT, struct.pack("!I", zlib.crc32(message(len(attributes) + 8)) ^ 0x5354554E))


def encode(sample: int) -> int:
    """Return a sample as µ-law (ITU-T G.711)."""
    value = min(abs(sample), 32_635) + 132
    exponent = value.bit_length() - 8
    return ~((0x80 if sample < 0 else 0) | exponent << 4 | value >> (exponent + 3) & 0xF) & 0xFF


def decode(byte: int) -> int:
    byte = ~byte & 0xFF
    value = ((byte & 0xF) << 3 | 0x84) << (byte >> 4 & 7)
    return 132 - value if byte & 0x80 else value - 132


def share(samples: list[int], pitch: int) -> float:
    """Return which part of the power a tone has (Goertzel's algorithm)."""
    factor = 2 * math.cos(2 * math.pi * pitch / RATE)
    before = last = 0.0
    for sample in samples:
        before, last = last, sample + factor * last - before
    power = sum(sample * sample for sample in samples)
    found = (before * before + last * last - factor * before * last) * 2 / len(samples)
    return found / power if power > len(samples) * 10_000 else 0.0


class Peer:
    def __init__(
        self, address: str, port: int, other: int, credentials: tuple[str, str, str, str], pitches: tuple[int, int]
    ) -> None:
        self.user, self.password, self.other_user, self.other_password = credentials
        self.pitch, self.other_pitch = pitches
        self.target = (address, other)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((address, port))
        self.is_open = False
        self.packets = 0
        self.samples: list[int] = []
        self.has_heard = False
        self.events: set[bytes] = set()

    def run(self) -> None:
        due = time.monotonic()
        while True:
            if time.monotonic() >= due:
                due += STEP / RATE
                # Checks go on, as consent does (RFC 7675).
                if self.packets % (50 if self.is_open else 3) == 0:
                    self.check()
                self.packets += 1
                if self.is_open:
                    self.speak()
            if select.select([self.socket], [], [], max(0, due - time.monotonic()))[0]:
                try:
                    self.receive(*self.socket.recvfrom(2_048))
                except ConnectionError:
                    continue

    def check(self) -> None:
        attributes = (
            _attribute(_USERNAME, f"{self.other_user}:{self.user}".encode())
            + _attribute(_PRIORITY, struct.pack("!I", 1_862_270_975)) + _attribute(_CONTROLLING, bytes(7) + b"\1")
            + _attribute(_USE, b""))
        self.socket.sendto(stun(_REQUEST, os.urandom(12), attributes, self.other_password), self.target)

    def speak(self) -> None:
        begin = self.packets * STEP
        sound = bytes(
            encode(int(8_000 * math.sin(2 * math.pi * self.pitch * sample / RATE)))
            for sample in range(begin, begin + STEP))
        self.socket.sendto(struct.pack("!BBHII", 0x80, 0, self.packets & 0xFFFF, begin, 1) + sound, self.target)

    def receive(self, data: bytes, sender: tuple[str, int]) -> None:
        if len(data) >= 20 and data[0] < 2:
            self.receive_check(data, sender)
        elif data[0] >> 6 == 2 and len(data) >= 12:
            if not 200 <= data[1] <= 207:
                self.receive_sound(data)
        else:
            tell("fault a datagram that begins with", data[0])

    def receive_check(self, data: bytes, sender: tuple[str, int]) -> None:
        kind = int.from_bytes(data[:2], "big")
        if kind == _REQUEST:
            port = sender[1] ^ _COOKIE >> 16
            address = int.from_bytes(socket.inet_aton(sender[0]), "big") ^ _COOKIE
            mapped = _attribute(_MAPPED, struct.pack("!BBHI", 0, 1, port, address))
            self.socket.sendto(stun(_SUCCESS, data[8:20], mapped, self.password), sender)
        elif kind == _SUCCESS:
            self.is_open = True

    def receive_sound(self, data: bytes) -> None:
        kind, body = data[1] & 0x7F, data[12:]
        if kind == 101 and len(body) >= 4:
            # All packets of an event have its time.
            if data[4:8] not in self.events:
                self.events.add(data[4:8])
                tell("key", _KEYS[body[0]])
        elif kind == 0:
            self.samples = (self.samples + [decode(byte) for byte in body])[-RATE:]
            if not self.has_heard and len(self.samples) == RATE and share(self.samples, self.other_pitch) > 0.8:
                self.has_heard = True
                tell("heard")
        else:
            tell("fault the payload type", kind)


if __name__ == "__main__":
    address, own, own_user, own_password, far, far_user, far_password, tone, far_tone = sys.argv[1:]
    Peer(address, int(own), int(far), (own_user, own_password, far_user, far_password), (int(tone), int(far_tone))).run()
