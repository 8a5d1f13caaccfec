#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays connections to the local port TARGET, and resets them all when the file CONTROL appears.

    relay.py TARGET CONTROL

If the file contains `drop`, the relay first swallows what both sides send, until the file appears again. A connection that
TARGET does not accept is reset. Prints its own port, and `broken` after each reset and `dropping` after each change to that.
"""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import sys

writers: set[asyncio.StreamWriter] = set()
#: Whether what both sides send is swallowed.
is_dropping = False


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset a connection."""
    connection: socket.socket = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            if not is_dropping:
                writer.write(data)
                await writer.drain()
    except OSError:
        pass
    writer.close()


async def main(target: int, control: str) -> None:
    global is_dropping

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            reset(writer)
            return
        pair = {writer, far_writer}
        writers.update(pair)
        await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))
        writers.difference_update(pair)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while True:
        await asyncio.sleep(0.02)
        if os.path.exists(control):
            with open(control) as file:
                is_dropping = file.read() == "drop"
            os.remove(control)
            if is_dropping:
                print("dropping", flush=True)
                continue
            for writer in list(writers):
                reset(writer)
            print("broken", flush=True)


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
