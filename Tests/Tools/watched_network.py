#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two machines with networks of their own, of which the first tells who sends datagrams to whom.

    unshare --map-root-user --net watched_network.py

Their addresses are 192.0.2.10 and 192.0.2.20. It writes the numbers of a process in each, for nsenter(1), and then a line
“SOURCE PORT TARGET PORT” for each new pair that the first one sends or receives, until it is ended.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys

EVERYTHING, IPV4, UDP = 0x0003, 0x0800, 17


def main() -> None:
    ip = shutil.which("ip", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if ip is None:
        sys.exit("ip is missing: install the package iproute2")
    other = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    prefix = ["nsenter", "--target", str(other.pid), "--net"]
    for command, start in (
        (f"link add call0 type veth peer name call0 netns {other.pid}", []),
        *((command, start) for start, number in (([], 10), (prefix, 20)) for command in (
            "link set lo up", f"address add 192.0.2.{number}/24 dev call0",
            f"address add 2001:db8::{number}/64 dev call0 nodad", "link set call0 up", "route add default dev call0",
        )),
    ):
        subprocess.run([*start, ip, *command.split()], check=True, timeout=60)
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(EVERYTHING))
    print(os.getpid(), other.pid, flush=True)
    seen = set()
    while True:
        packet, place = packets.recvfrom(65536)
        if place[1] != IPV4 or len(packet) < 20 or packet[9] != UDP:
            continue
        header = 4 * (packet[0] & 15)
        source, target = struct.unpack_from(">HH", packet, header)
        pair = (socket.inet_ntoa(packet[12:16]), source, socket.inet_ntoa(packet[16:20]), target)
        if pair not in seen:
            seen.add(pair)
            print(*pair, flush=True)


if __name__ == "__main__":
    main()
