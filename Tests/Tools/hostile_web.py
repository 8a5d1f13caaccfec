#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A web server with TLS on 127.0.0.1 that misbehaves as the path of each request says.

    hostile_web.py FOLDER CERTIFICATE

FOLDER contains certificates. Prints the port, then a line of JSON for each request: its method, path and headers in
order, and the SHA-256 of its body. What is put under /kept can be requested there. `sent N` follows a body that was sent until the client closed the connection.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import socket
import ssl
import struct
import sys
import threading
import urllib.parse

_BLOCK = b"x" * 65536
_KEPT: dict[str, bytes] = {}


def say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # The test has ended.
        os._exit(0)


class Connection:
    def __init__(self, connection: ssl.SSLSocket) -> None:
        self.socket = connection

    def head(self) -> bytes:
        """Reads up to the end of the headers; the body follows in `self.rest`."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.socket.recv(65536)
            if not more:
                raise ConnectionError("closed")
            data += more
        head, _, self.rest = data.partition(b"\r\n\r\n")
        return head

    def send(self, status: str, *headers: str, body: bytes = b"") -> None:
        lines = [f"HTTP/1.1 {status}", *headers, "Connection: close", "", ""]
        self.socket.sendall("\r\n".join(lines).encode() + (b"" if self.method == "HEAD" else body))

    def flood(self, block: bytes) -> None:
        sent = 0
        try:
            while True:
                self.socket.sendall(block)
                sent += len(block)
        except OSError:
            say(f"sent {sent}")

    def drip(self) -> None:
        """Sends a byte now and then, until the client is tired of it."""
        self.socket.settimeout(0.1)
        while True:
            self.socket.sendall(b"x")
            try:
                if not self.socket.recv(1): return
            except TimeoutError:
                pass

    def wait(self) -> None:
        while self.socket.recv(65536):
            pass

    def abort(self) -> None:
        """Resets the TCP connection: the peer receives no end of TLS."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.socket.detach())

    def put(self, path: str, length: int) -> str:
        digest, count, body = hashlib.sha256(self.rest), len(self.rest), self.rest
        while count < length:
            more = self.socket.recv(65536)
            if not more:
                return "incomplete"
            digest.update(more)
            body += more
            count += len(more)
        if path.startswith("/kept/"):
            _KEPT[path] = body
            self.send("201 x", "Content-Length: 0")
            return digest.hexdigest()
        status = path.rpartition("/")[2]
        self.send(f"{status} x", "Location: https://localhost/other", "Content-Length: 0")
        return digest.hexdigest()

    def get(self, path: str, query: dict[str, str]) -> None:
        length = lambda n: f"Content-Length: {n}"
        match path.split("/")[1:]:
            case ["ok"]:
                body = b"y" * int(query.get("size", "10"))
                self.send("200 OK", length(len(body)), f"Content-Type: {query.get('type', '')}", body=body)
            case ["kept", *_]:
                # As it was uploaded, or with a byte changed, or cut off.
                body = bytearray(_KEPT[path][: int(query["count"]) if "count" in query else None])
                if "flip" in query: body[int(query["flip"])] ^= 1
                self.send("200 OK", length(len(body)), "Content-Type: image/png", body=bytes(body))
            case ["status", status]: self.send(f"{status} x", length(5), body=b"error")
            case ["huge"]: self.send("200 OK", length(1 << 40)); self.flood(_BLOCK)
            case ["endless"]: self.send("200 OK"); self.flood(_BLOCK)
            case ["chunks"]:
                self.send("200 OK", "Transfer-Encoding: chunked")
                self.flood(b"10000\r\n" + _BLOCK + b"\r\n")
            case ["status-endless", status]: self.send(f"{status} x"); self.flood(_BLOCK)
            case ["short"]: self.send("200 OK", length(1000), body=b"x" * 10)
            case ["long"]: self.send("200 OK", length(10), body=b"x" * 1000)
            case ["negative"]: self.send("200 OK", length(-10), body=b"x" * 10)
            case ["end"]: self.send("200 OK", body=b"x" * 10)
            case ["cut"]: self.send("200 OK", body=b"x" * 10); self.abort()
            case ["cut-quietly"]:
                # The end of TCP, without that of TLS.
                self.send("200 OK", body=b"x" * 10)
                os.close(self.socket.detach())
            case ["cut-chunks"]: self.send("200 OK", "Transfer-Encoding: chunked", body=b"10\r\nxxxx")
            case ["slow"]: self.send("200 OK", length(1000), body=b"x" * 10); self.wait()
            case ["silent"]: self.wait()
            case ["drip"]: self.send("200 OK"); self.drip()
            case ["bomb"]:
                body = gzip.compress(b"\0" * (4 << 20))
                self.send("200 OK", "Content-Encoding: gzip", length(len(body)), body=body)
            case ["redirect"]: self.send("302 x", f"Location: {query['to']}", length(0))
            case ["redirect-nowhere"]: self.send("302 x", length(0))
            case ["chain", number]:
                target = f"/chain/{int(number) - 1}" if number != "0" else "/ok"
                self.send("307 x", f"Location: {target}", length(0))
            case ["loop"]: self.send("301 x", "Location: /loop", length(0))
            case ["headers"]: self.socket.sendall(b"HTTP/1.1 200 OK\r\n"); self.flood(b"X-A: " + _BLOCK + b"\r\n")
            case ["continue"]: self.flood(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)
            case ["nonsense"]: self.socket.sendall(b"\0\1\2 nonsense\r\n\r\n" * 100)
            case ["cookie"]:
                self.send("302 x", "Location: /ok", "Set-Cookie: a=b; Secure", length(0),
                    'WWW-Authenticate: Basic realm="x"', "Strict-Transport-Security: max-age=31536000")
            case _: raise ValueError(path)

    def run(self) -> None:
        line, *headers = self.head().decode().split("\r\n")
        method, target, _ = line.split(" ")
        self.method = method
        pairs = [tuple(header.split(": ", 1)) for header in headers]
        parts = urllib.parse.urlsplit(target)
        said = {"method": method, "path": parts.path, "headers": pairs}
        if method == "PUT":
            length = int(next((value for name, value in pairs if name.lower() == "content-length"), "0"))
            said["digest"] = self.put(parts.path, length)
        say(json.dumps(said))
        if method in ("GET", "HEAD"):
            self.get(parts.path, dict(urllib.parse.parse_qsl(parts.query)))


def serve(context: ssl.SSLContext, connection: socket.socket) -> None:
    try:
        secured = context.wrap_socket(connection, server_side=True)
        try:
            Connection(secured).run()
            if secured.fileno() >= 0:
                secured.unwrap()
        finally:
            secured.close()
    except OSError:
        pass


def main(folder: str, certificate: str) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/{certificate}.crt", f"{folder}/{certificate}.key")
    listener = socket.create_server(("127.0.0.1", 0))
    say(str(listener.getsockname()[1]))
    while True:
        connection, _ = listener.accept()
        say("connection")
        threading.Thread(target=serve, args=(context, connection), daemon=True).start()


main(sys.argv[1], sys.argv[2])
