#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays connections to the local port TARGET, and resets them all when the file CONTROL appears.

    relay.py TARGET CONTROL [DELAY]

DELAY is the time in milliseconds that everything takes on its way, in each direction, as over a long line: also the packets
that open a connection.
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


async def copy_late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float, start: float) -> None:
    """Copy everything after a delay, and nothing before a start."""
    waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    async def read() -> None:
        data = b"x"
        while data:
            try:
                data = await reader.read(65536)
            except OSError:
                data = b""
            # What a client sends at once, it would have sent after its connection was accepted.
            waiting.put_nowait((max(loop.time(), start) + delay, data))

    reading = asyncio.create_task(read())
    try:
        while True:
            due, data = await waiting.get()
            await asyncio.sleep(due - loop.time())
            if not data:
                break
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
    await reading


async def main(target: int, control: str, delay: float) -> None:
    global is_dropping

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            reset(writer)
            return
        pair = {writer, far_writer}
        writers.update(pair)
        if delay:
            start = asyncio.get_running_loop().time() + 2 * delay
            await asyncio.gather(
                copy_late(reader, far_writer, delay, start), copy_late(far_reader, writer, delay, start))
        else:
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


asyncio.run(main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]) / 1000 if len(sys.argv) > 3 else 0))
