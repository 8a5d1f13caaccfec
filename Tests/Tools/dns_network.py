#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program in a network of its own, with a name server that follows a script and a SIP registrar.

    unshare --map-root-user --net --mount dns_network.py 'NAME TYPE DATA; ...' PROGRAM

The records have the types A (an address), SRV (port and target) and NAPTR (order, flags, service and replacement); other
names do not exist. The registrar accepts all registrations over UDP, at port 5070.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

TYPES = {"A": 1, "SRV": 33, "NAPTR": 35}


def name(text: str) -> bytes:
    labels = [label.encode() for label in text.split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def string(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def data(kind: str, words: list[str]) -> bytes:
    if kind == "A":
        return socket.inet_aton(words[0])
    if kind == "SRV":
        return struct.pack(">HHH", 1, 1, int(words[0])) + name(words[1])
    order, flags, service, replacement = words
    return struct.pack(">HH", int(order), 1) + string(flags) + string(service) + string("") + name(replacement)


def answer(query: bytes, records: list[tuple[str, int, bytes]]) -> bytes:
    end, labels = 12, []
    while query[end]:
        labels.append(query[end + 1 : end + 1 + query[end]].decode())
        end += 1 + query[end]
    question = query[12 : end + 5]
    [kind] = struct.unpack(">H", query[end + 1 : end + 3])
    asked = ".".join(labels).lower()
    found = [value for owner, type_, value in records if (owner, type_) == (asked, kind)]
    # The name exists if it has other records.
    status = 0 if any(owner == asked for owner, _, _ in records) else 3
    header = query[:2] + struct.pack(">HHHHH", 0x8180 | status, 1, len(found), 0, 0)
    body = b"".join(struct.pack(">HHHIH", 0xC00C, kind, 1, 60, len(value)) + value for value in found)
    return header + question + body


def serve_names(server: socket.socket, records: list[tuple[str, int, bytes]]) -> None:
    while True:
        query, sender = server.recvfrom(4096)
        server.sendto(answer(query, records), sender)


def serve_registrations(server: socket.socket) -> None:
    while True:
        request, sender = server.recvfrom(65536)
        lines = request.decode(errors="replace").split("\r\n")
        if not lines[0].startswith("REGISTER "):
            continue
        fields = [line for line in lines if line.split(":")[0] in ("Via", "From", "Call-ID", "CSeq")]
        [to] = [line for line in lines if line.startswith("To:")]
        [contact] = [line for line in lines if line.startswith("Contact:")][:1]
        text = ["SIP/2.0 200 OK", *fields, f"{to};tag=registrar", f"{contact};expires=600", "Content-Length: 0", "", ""]
        server.sendto("\r\n".join(text).encode(), sender)


def bind(port: int) -> socket.socket:
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", port))
    return server


def main() -> None:
    script, *program = sys.argv[1:]
    records = []
    for line in filter(None, (part.split() for part in script.split(";"))):
        records.append((line[0].lower(), TYPES[line[1]], data(line[1], line[2:])))
    control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # SIOCSIFFLAGS: the loopback interface up and running.
    fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as settings:
        settings.write("nameserver 127.0.0.1\n")
        settings.flush()
        subprocess.run(["mount", "--bind", settings.name, "/etc/resolv.conf"], check=True)
    servers = [(serve_names, (bind(53), records)), (serve_registrations, (bind(5070),))]
    # The servers end with the program, which holds the other end of a pipe. It may not be able to signal them: a confined
    # program sends no signals to processes outside, not even at its death.
    alive, held = os.pipe()
    os.set_inheritable(held, True)
    if os.fork() == 0:
        os.close(held)
        for serve, arguments in servers:
            threading.Thread(target=serve, args=arguments, daemon=True).start()
        os.read(alive, 1)
        os._exit(0)
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
