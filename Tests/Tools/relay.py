#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Relays connections to the local port TARGET, and does what is written to the pipe CONTROL, which it makes.

    relay.py TARGET CONTROL [DELAY]

DELAY is the time in milliseconds that everything takes on its way, in each direction, as over a long line: also the packets
that open a connection.
The line `cut` resets all connections. With the line `drop`, the relay swallows what both sides send, until it resets them. A
connection that TARGET does not accept is reset. Prints its own port once the pipe is there, and `broken` after each reset and
`dropping` after each change to that.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import struct
import sys

writers: set[asyncio.StreamWriter] = set()
#: Whether what both sides send is swallowed.
is_dropping = False


def reset(writer: asyncio.StreamWriter) -> None:
    """Reset a connection that may be closed already."""
    connection: socket.socket = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
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
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", target)
        except OSError:
            reset(writer)
            return
        pair = {writer, far_writer}
        writers.update(pair)
        try:
            if delay:
                start = asyncio.get_running_loop().time() + 2 * delay
                await asyncio.gather(
                    copy_late(reader, far_writer, delay, start), copy_late(far_reader, writer, delay, start))
            else:
                await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))
        finally:
            writers.difference_update(pair)

    def obey(command: bytes) -> None:
        global is_dropping
        is_dropping = command == b"drop"
        if not is_dropping:
            for writer in list(writers):
                reset(writer)
        print("dropping" if is_dropping else "broken", flush=True)

    def read() -> None:
        nonlocal rest
        *commands, rest = (rest + os.read(pipe, 4096)).split(b"\n")
        for command in commands:
            obey(command)

    rest = b""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(control)
    os.mkfifo(control)
    # Open for writing, too, so that the pipe does not end with its first writer.
    pipe = os.open(control, os.O_RDWR | os.O_NONBLOCK)
    asyncio.get_running_loop().add_reader(pipe, read)
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main(int(sys.argv[1]), sys.argv[2], float(sys.argv[3]) / 1000 if len(sys.argv) > 3 else 0))
