#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write pictures that would occupy the machine: picture_bombs.py FOLDER.

The name of a file begins with what has to become of it: shown or refused.
"""

import struct
import sys
import zlib
from pathlib import Path

PNG = b"\x89PNG\r\n\x1a\n"
#: What a chunk inflates to. Without a limit of its own, libpng keeps all of it.
INFLATED = zlib.compress(bytes(8 << 20), 9)


def chunk(name: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(between: bytes = b"", side: int = 64, rows: int | None = None, after: bytes = b"", repeated: int = 1) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
    row = bytes(1) + b"\x20\x60\xa0\xff" * min(side, 64)
    data = zlib.compress(row * (min(side, 64) if rows is None else rows), 9)
    return PNG + header + between * repeated + chunk(b"IDAT", data) + after + chunk(b"IEND")


def apng(frames: int) -> bytes:
    control = chunk(b"acTL", struct.pack(">II", frames, 0))
    frame = zlib.compress((bytes(1) + bytes(256)) * 64, 9)
    later = b"".join(
        chunk(b"fcTL", struct.pack(">IIIIIHHBB", 2 * n, 64, 64, 0, 0, 1, 100, 0, 0))
        + chunk(b"fdAT", struct.pack(">I", 2 * n + 1) + frame) for n in range(frames))
    return png(control, after=later)


def gif(frames: int, side: int, between: bytes = b"") -> bytes:
    # Each code clears the table, so that a frame without data is cheap to write and dear to keep.
    frame = b"," + struct.pack("<HHHHB", 0, 0, side, side, 0) + b"\x02\x02\x44\x0a\x00"
    head = b"GIF89a" + struct.pack("<HHBBB", side, side, 0x80, 0, 0) + b"\xff\x00\x00\x00\x00\xff"
    return head + between + frame * frames + b";"


def riff(kind: bytes, body: bytes) -> bytes:
    return b"RIFF" + struct.pack("<I", len(body) + 4) + kind + body


def webp_chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


#: A lossless picture of one pixel.
VP8L = bytes.fromhex("2f00000010071011118888fe0700")


def webp(frames: int) -> bytes:
    pixel = webp_chunk(b"VP8L", VP8L)
    extended = webp_chunk(b"VP8X", b"\x02\0\0\0" + b"\xff\x3f\0" * 2)
    frame = webp_chunk(b"ANMF", bytes(6) + bytes(6) + b"\x64\0\0\0" + pixel)
    return riff(b"WEBP", extended + webp_chunk(b"ANIM", bytes(6)) + frame * frames)


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(scans: int = 1, side: int = 64, before: bytes = b"") -> bytes:
    """A grey picture: a scan of its brightness, and further ones that add nothing."""

    def table(kind: int, symbol: int) -> bytes:
        return segment(0xC4, bytes([kind, 1]) + bytes(15) + bytes([symbol]))

    def scan(first: int, last: int, data: bytes) -> bytes:
        return segment(0xDA, bytes([1, 1, 0, first, last, 0])) + data

    frame = segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + bytes([1, 0x11, 0]))
    tables = table(0, 0) + table(0x10, 0x60)
    start = b"\xff\xd8" + segment(0xDB, bytes(1) + b"\x01" * 64) + frame + tables + before
    return start + scan(0, 0, bytes(8)) + scan(1, 63, b"\x01") * (scans - 1) + b"\xff\xd9"


def svg() -> bytes:
    groups = "".join(
        f'<g id="g{n}">' + f'<use href="#g{n - 1}"/>' * 10 + "</g>" for n in range(1, 10))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="9000"><g id="g0"><rect width="9" '
            f'height="9"/></g>{groups}<use href="#g9"/></svg>').encode()


def tiff() -> bytes:
    entries = [(256, 60000), (257, 60000), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, 60000), (279, 9)]
    packed = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + packed + bytes(4)


def files() -> dict[str, bytes]:
    text = chunk(b"zTXt", b"Comment\0\0" + INFLATED)
    international = chunk(b"iTXt", b"Comment\0\x01\0\0\0" + INFLATED)
    profile = chunk(b"iCCP", b"profile\0\0" + INFLATED)
    exif = segment(0xE1, b"Exif\0\0" + bytes(60000))
    whole = png()
    return {
        "shown-png": whole,
        "shown-png-compressed-texts": png(text, repeated=200),
        "shown-png-international-texts": png(international, repeated=200),
        "shown-png-profiles": png(profile, repeated=100),
        "shown-png-many-texts": png(chunk(b"tEXt", b"a\0b"), repeated=60_000),
        "shown-png-texts-after-pixels": png(after=text * 150),
        "shown-png-animation": apng(3000),
        "shown-png-too-many-rows": png(side=64, rows=1_000_000),
        "refused-png-truncated": whole[:-30],
        "refused-png-huge": png(side=60_000),
        "refused-png-two-palettes": png(chunk(b"PLTE", bytes(3)), repeated=2),
        "refused-png-unknown-critical": png(chunk(b"ABCD", b"1")),
        "shown-jpeg": jpeg(),
        "shown-jpeg-profiles": jpeg(before=segment(0xE2, b"ICC_PROFILE\0\1\1" + bytes(60000)) * 30),
        "shown-jpeg-exif": jpeg(before=exif * 30),
        "shown-jpeg-without-end": jpeg()[:-2],
        "refused-jpeg-scans": jpeg(scans=5000),
        "refused-jpeg-scans-after-comment": jpeg(scans=5000, before=segment(0xFE, b"\xff\xd9")),
        "refused-jpeg-scans-after-padding": jpeg(scans=5000, before=b"\xff\xff\xff\x01\x02\x03"),
        "refused-jpeg-huge": jpeg(side=65_500),
        "refused-jpeg-tables": jpeg(before=segment(0xDB, bytes(1) + b"\x01" * 64) * 5000),
        "refused-jpeg-without-scan": jpeg()[:100],
        "shown-gif-frames": gif(50_000, 64),
        "shown-gif-comments": gif(1, 64, b"\x21\xfe" + (b"\xff" + bytes(255)) * 4000 + b"\0"),
        "refused-gif-huge": gif(1000, 65_535),
        "refused-gif-truncated": gif(1, 64)[:-3],
        "shown-webp-frames": webp(20_000),
        "refused-webp-without-frame": riff(b"WEBP", webp_chunk(b"VP8X", b"\x02\0\0\0" + b"\xff\x3f\0" * 2)),
        "refused-tiff": tiff(),
        "refused-bmp": b"BM" + struct.pack("<IHHIIiiHHIIiiII", 60, 0, 0, 54, 40, 30000, 30000, 1, 24, 0, 0, 0, 0, 0, 0),
        "refused-ico": struct.pack("<HHHBBBBHHII", 0, 1, 1, 0, 0, 0, 0, 1, 32, 1 << 20, 22) + bytes(64),
        "refused-ani": riff(b"ACON", webp_chunk(b"anih", struct.pack("<9I", 36, 1 << 20, 1 << 20, 0, 0, 0, 0, 1, 1))),
        "refused-tga": struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, 60000, 60000, 32, 0),
        "refused-xpm": b'/* XPM */\nstatic char *a[] = {\n"60000 60000 2 1",\n"a c #000000",\n"b c #ffffff",\n',
        "refused-xbm": b"#define a_width 60000\n#define a_height 60000\nstatic char a_bits[] = {\n",
        "refused-pnm": b"P6\n60000 60000\n255\n",
        "refused-qtif": struct.pack(">I", 8) + b"idsc" + struct.pack(">I", 1 << 30) + b"idat",
        "refused-icns": b"icns" + struct.pack(">I", 1 << 30) + b"ic10" + struct.pack(">I", 1 << 30),
        "refused-svg": svg(),
        "refused-svg-in-gzip": zlib.compress(svg(), wbits=31),
        "refused-avif": struct.pack(">I", 24) + b"ftypavif" + bytes(12),
        "refused-empty": b"",
    }


folder = Path(sys.argv[1])
for name, content in files().items():
    (folder / name).write_bytes(content)
