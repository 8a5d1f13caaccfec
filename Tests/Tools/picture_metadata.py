#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creates pictures with metadata, and reads them, by ExifTool and GdkPixbuf.

    picture_metadata.py make FOLDER    a.jpg, a.png and a.webp with the text SECRET, a place, and the orientation 6
    picture_metadata.py read FILE...   prints a JSON object for each: its tags by group, and a digest of its pixels
"""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from pathlib import Path

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

_WEBP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"
_TAGS = ["-GPSLatitude=51.5", "-GPSLatitudeRef=N", "-Orientation#=6", "-Make=SECRET", "-Artist=SECRET",
         "-XMP:Creator=SECRET"]


def make(folder: Path) -> None:
    pixels = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, True, 8, 48, 24)
    pixels.fill(0x2266AA80)
    pixels.new_subpixbuf(8, 4, 20, 10).fill(0xFFCC0010)
    pixels.savev(str(folder / "a.png"), "png", [], [])
    pixels.savev(str(folder / "a.jpg"), "jpeg", [], [])
    (folder / "a.webp").write_bytes(base64.b64decode(_WEBP))
    more = {"a.jpg": ["-IPTC:City=SECRET", "-Comment=SECRET", "-ThumbnailImage<=" + str(folder / "a.png")],
            "a.png": ["-PNG:Author=SECRET", "-PNG:Comment=SECRET"], "a.webp": []}
    for name, tags in more.items():
        subprocess.run(["exiftool", "-q", "-m", "-overwrite_original", *_TAGS, *tags, str(folder / name)], check=True)
        with open(folder / name, "ab") as file:
            file.write(b"\xff\xd8SECRET")


def digest(path: str) -> str | None:
    try:
        pixels = GdkPixbuf.Pixbuf.new_from_file(path)
    except gi.repository.GLib.Error:
        return None  # WebP needs a loader that few systems have.
    return hashlib.sha256(pixels.get_pixels()).hexdigest()


def read(paths: list[str]) -> None:
    for path in paths:
        output = subprocess.run(["exiftool", "-j", "-G1", "-a", "-u", path], check=True, capture_output=True, text=True)
        tags = json.loads(output.stdout)[0]
        print(json.dumps({"tags": {key: str(value) for key, value in tags.items()}, "pixels": digest(path)}))


if sys.argv[1] == "make":
    make(Path(sys.argv[2]))
else:
    read(sys.argv[2:])
