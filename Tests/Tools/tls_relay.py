#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A relay from TLS to TCP on loopback.

    tls_relay.py FOLDER NAME PORT

FOLDER has the certificate NAME. Prints the port at which it accepts TLS. Each connection is relayed to PORT.
"""

from __future__ import annotations

import socket
import ssl
import sys
import threading


def pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(connection: socket.socket, context: ssl.SSLContext, port: int) -> None:
    try:
        near = context.wrap_socket(connection, server_side=True)
        far = socket.create_connection(("127.0.0.1", port))
    except OSError:
        return
    threading.Thread(target=pump, args=(near, far), daemon=True).start()
    pump(far, near)


def main() -> None:
    folder, name, port = sys.argv[1], sys.argv[2], int(sys.argv[3])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/{name}.crt", f"{folder}/{name}.key")
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, context, port), daemon=True).start()


main()
