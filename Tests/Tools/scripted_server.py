#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that follows a script, line by line. Each connection uses the next script.

    scripted_server.py FOLDER SCRIPT...

FOLDER contains certificates. The lines of a script:

    expect REGEX   reads until the pattern matches, and discards the input; its groups are then {1}, {2} …
    send TEXT      writes the text; \\n is a line break, {1} a group
    flood N TEXT   writes the text N times, or until the peer closes
    wide N A%B%C   writes A, N times B, and C
    challenge AUTH REST
                   writes SCRAM's challenge to the Base64 of the client's first message: its nonce with an x, and REST
    hex BYTES      writes bytes
    tls NAME       starts TLS with the certificate NAME; `tls NAME 1.2` limits it to TLS 1.2; says `resumed TLS` if the
                   client resumes a session, which all connections accept
    say WORD       prints a line for the test
    wait           reads forever without an answer
    reset          resets the connection
    close          closes the connection, as the end of the script does

Prints the port, then the words to say, `flooded BYTES` after a flood, and `end` when a connection ends.
"""

from __future__ import annotations

import base64
import functools
import os
import re
import socket
import ssl
import struct
import sys
import threading


def say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # The test has ended.
        os._exit(0)


@functools.cache
def context(folder: str, name: str, version: str) -> ssl.SSLContext:
    """Return the keys of a server: the tickets of one connection are valid in the others."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{folder}/{name}.crt", f"{folder}/{name}.key")
    if version == "1.2":
        made.maximum_version = ssl.TLSVersion.TLSv1_2
    return made


class Connection:
    def __init__(self, folder: str, connection: socket.socket) -> None:
        self.folder = folder
        self.socket = connection
        self.received = ""
        self.groups: dict[str, str] = {}

    def fill(self, text: str) -> bytes:
        for key, value in self.groups.items():
            text = text.replace("{" + key + "}", value)
        return text.replace("\\n", "\n").encode()

    def expect(self, pattern: str) -> None:
        while not (found := re.search(pattern, self.received, re.DOTALL)):
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("closed")
            self.received += data.decode()
        self.received = self.received[found.end():]
        for index, group in enumerate(found.groups()):
            self.groups[str(index + 1)] = group

    def secure(self, name: str, version: str) -> None:
        secured = context(self.folder, name, version).wrap_socket(self.socket, server_side=True)
        self.socket = secured
        if secured.session_reused:
            say("resumed TLS")

    def flood(self, count: int, text: bytes) -> None:
        sent = 0
        block = text * max(1, 65536 // len(text))
        try:
            while sent < count * len(text):
                self.socket.sendall(block)
                sent += len(block)
        finally:
            say(f"flooded {sent}")

    def challenge(self, message: str, rest: str) -> None:
        nonce = base64.b64decode(message).decode().rpartition("r=")[2]
        text = base64.b64encode(f"r={nonce}x,{rest}".encode()).decode()
        self.socket.sendall(f"<challenge xmlns='urn:ietf:params:xml:ns:xmpp-sasl'>{text}</challenge>".encode())

    def run(self, script: str) -> None:
        for line in script.splitlines():
            command, _, rest = line.strip().partition(" ")
            match command:
                case "" | "#": pass
                case "expect": self.expect(rest)
                case "send": self.socket.sendall(self.fill(rest))
                case "wide":
                    count, _, text = rest.partition(" ")
                    start, middle, end = self.fill(text).split(b"%")
                    self.socket.sendall(start + middle * int(count) + end)
                case "challenge": self.challenge(*self.fill(rest).decode().split(" "))
                case "hex": self.socket.sendall(bytes.fromhex(rest))
                case "flood":
                    count, _, text = rest.partition(" ")
                    self.flood(int(count), self.fill(text))
                case "tls":
                    name, _, version = rest.partition(" ")
                    self.secure(name, version)
                case "say": say(self.fill(rest).decode())
                case "wait":
                    while self.socket.recv(65536): pass
                case "reset":
                    self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    return
                case "close": return
                case _: raise ValueError(line)


def serve(folder: str, connection: socket.socket, script: str) -> None:
    served = Connection(folder, connection)
    try:
        served.run(script)
    except OSError:
        pass
    finally:
        served.socket.close()
        say("end")


def main(folder: str, scripts: list[str]) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    say(str(listener.getsockname()[1]))
    for script in scripts:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(folder, connection, script), daemon=True).start()
    # Refuse later connections.
    listener.close()
    threading.Event().wait()


main(sys.argv[1], sys.argv[2:])
