#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays datagrams between one client and the local port TARGET, and loses PERCENT of them.

    lossy_relay.py TARGET PERCENT SEED

Prints its own port. SEED decides which datagrams are lost, by their number.
"""

from __future__ import annotations

import random
import select
import socket
import sys


def main(target: int, percent: int, seed: int) -> None:
    chance = random.Random(seed)
    front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    back = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    front.bind(("127.0.0.1", 0))
    back.bind(("127.0.0.1", 0))
    print(front.getsockname()[1], flush=True)
    client: tuple[str, int] | None = None
    while True:
        for ready in select.select([front, back], [], [])[0]:
            data, sender = ready.recvfrom(65536)
            if ready is front:
                client = sender
            if chance.random() * 100 < percent:
                continue
            if ready is front:
                back.sendto(data, ("127.0.0.1", target))
            elif client:
                front.sendto(data, client)


main(*map(int, sys.argv[1:]))
