#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creates texture.png: the grain of moulded plastic, as a seamless tile of 64 x 64 pixels. The result is reproducible.

The light and dark grains have a low opacity, so that the colour of the body shows through.
"""
import pathlib
import random
import struct
import zlib

SIZE = 64


def grain() -> list[list[float]]:
    """Return noise between -1 and 1, slightly smoothed, also across the edges."""
    rng = random.Random(1983)
    noise = [[rng.uniform(-1, 1) for _ in range(SIZE)] for _ in range(SIZE)]
    def at(x: int, y: int) -> float:
        return noise[y % SIZE][x % SIZE]
    return [[(at(x, y) * 2 + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 3 for x in range(SIZE)]
            for y in range(SIZE)]


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main() -> None:
    rows = b""
    for row in grain():
        rows += b"\0"
        for value in row:
            rows += bytes([255 if value > 0 else 0, min(255, int(abs(value) * 8))])
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 4, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    (pathlib.Path(__file__).parent / "texture.png").write_bytes(png)


if __name__ == "__main__":
    main()
