#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays datagrams between one client and the local port TARGET, and loses PERCENT of them.

    lossy_relay.py TARGET PERCENT SEED [KIND]

Prints its own port, and the one from which it sends to TARGET. SEED decides which datagrams are lost, by their number.
With the KIND `dtls`, everything but DTLS is lost (RFC 7983).
"""

from __future__ import annotations

import random
import select
import socket
import sys

#: The first bytes of DTLS.
DTLS = {bytes([byte]) for byte in range(20, 64)}


def main(target: int, percent: int, seed: int, kind: str = "") -> None:
    chance = random.Random(seed)
    front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    front.bind(("127.0.0.1", 0))
    back.bind(("127.0.0.1", 0))
    print(front.getsockname()[1], back.getsockname()[1], sep="\n", flush=True)
    client: tuple[str, int] | None = None
    while True:
        for ready in select.select([front, back], [], [])[0]:
            data, sender = ready.recvfrom(65536)
            if ready is front:
                client = sender
            if chance.random() * 100 < percent or kind == "dtls" and data[:1] not in DTLS:
                continue
            if ready is front:
                back.sendto(data, ("127.0.0.1", target))
            elif client:
                front.sendto(data, client)


main(*map(int, sys.argv[1:4]), *sys.argv[4:])
