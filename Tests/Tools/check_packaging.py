# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints faults of the icons and of the packaging files; fails if there are any.

    check_packaging.py [CHECKOUT]
"""

from __future__ import annotations

import json
import re
import struct
import sys
from pathlib import Path
from typing import Iterator
from xml.etree import ElementTree

_ID = "io.github.touchtone.Touchtone"
#: The sizes of the icon theme specification that desktops use.
_SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)

#: What the group `build` of packages.txt needs and GNOME's Flatpak SDK has.
_IN_SDK = {
    "pkg-config", "g++", "gettext", "libgtk-3-dev", "libgdk-pixbuf-2.0-dev", "libglib2.0-dev", "libasound2-dev",
    "libsndfile1-dev", "libsecret-1-dev", "libsqlite3-dev", "libexpat1-dev", "libgcrypt20-dev", "libicu-dev",
    "libsoup-3.0-dev",
}
#: The modules of the Flatpak manifest that build the others.
_MODULES = {
    "libhandy-1-dev": "libhandy", "libidn-dev": "libidn", "libsodium-dev": "libsodium",
    "libphonenumber-dev": "libphonenumber", "libebook1.2-dev": "evolution-data-server",
    "libomemo-c-dev": "libomemo-c",
}


def icons(root: Path) -> Iterator[str]:
    """Return the faults of the icons: each size exists, and has its size."""
    theme = root / "data/icons/hicolor"
    symbolic = [f"{_ID}{part}-symbolic.svg" for part in ("", "-call", "-missed-call", "-message")]
    for folder, name in (("scalable", f"{_ID}.svg"), *(("symbolic", name) for name in symbolic)):
        if not (theme / folder / "apps" / name).exists():
            yield f"{folder}/apps/{name} is missing"
    for size in _SIZES:
        file = theme / f"{size}x{size}/apps/{_ID}.png"
        head = file.read_bytes()[:24] if file.exists() else b""
        if head[:8] != b"\x89PNG\r\n\x1a\n" or struct.unpack(">II", head[16:]) != (size, size):
            yield f"{file.relative_to(root)} is not a picture of {size} pixels: run make icons"


def versions(root: Path) -> Iterator[str]:
    """Return the files whose version differs from the program's."""
    found = {
        path: re.search(pattern, (root / path).read_text())
        for path, pattern in {
            "Sources/touchtone/Main.swift": r'version = "([^"]+)"',
            "data/meson/meson.build": r"version: '([^']+)'",
            f"data/{_ID}.metainfo.xml": r'<release version="([^"]+)"',
            "data/packaging/debian/changelog": r"\Atouchtone \(([^-)]+)-",
        }.items()
    }
    numbers = {path: match.group(1) if match else "none" for path, match in found.items()}
    if len(set(numbers.values())) > 1:
        yield "the versions differ: " + ", ".join(f"{path} {number}" for path, number in numbers.items())


def dependencies(root: Path) -> Iterator[str]:
    """Return the packages in the groups `build` and `sip` that the Debian package does not build with.

    Each Debian package builds with g++, so that it must not be listed.
    """
    control = (root / "data/packaging/debian/control").read_text()
    listed = {"g++"} | set(re.findall(r"^ ([\w.+-]+)", control.split("Build-Depends:")[1].split("\nStandards")[0], re.M))
    for package in _packages(root, "build", "sip"):
        if package not in listed:
            yield f"data/packaging/debian/control does not build with {package}"


def _packages(root: Path, *groups: str) -> list[str]:
    lines = (root / "data/packaging/packages.txt").read_text().splitlines()
    rows = [[field.strip() for field in line.split("|")] for line in lines]
    return [row[1] for row in rows if row[0] in groups]


def flatpak(root: Path) -> Iterator[str]:
    """Return the faults of the Flatpak manifest that show without Flatpak."""
    manifest = json.loads((root / f"data/packaging/{_ID}.json").read_text())
    if manifest["app-id"] != _ID:
        yield f"the Flatpak manifest is for {manifest['app-id']}"
    built = {module["name"] for module in manifest["modules"]}
    for package in _packages(root, "build"):
        if package not in _IN_SDK and _MODULES.get(package) not in built:
            yield f"the Flatpak manifest builds nothing for {package}"
    for module in manifest["modules"]:
        for source in module["sources"]:
            if source["type"] == "archive" and not re.fullmatch("[0-9a-f]{64}", source.get("sha256", "")):
                yield f"the Flatpak manifest has no checksum for {module['name']}"
            if source["type"] == "git" and not re.fullmatch("[0-9a-f]{40}", source.get("commit", "")):
                yield f"the Flatpak manifest has no commit for {module['name']}"


def metainfo(root: Path) -> Iterator[str]:
    """Return what Flathub asks of the metainfo, beyond what appstreamcli checks, and it does not have."""
    component = ElementTree.parse(root / f"data/{_ID}.metainfo.xml").getroot()
    summary = component.findtext("summary", "")
    if not 1 <= len(summary) <= 35 or summary.endswith("."):
        yield f"the summary of the metainfo has {len(summary)} characters, or ends with a full stop"
    developer = component.find("developer")
    if developer is None or not developer.get("id") or not developer.findtext("name"):
        yield "the metainfo names no developer with an id"
    if not any(url.get("type") == "homepage" for url in component.iter("url")):
        yield "the metainfo has no homepage"
    pictures = component.findall("screenshots/screenshot")
    if len(pictures) < 3:
        yield f"the metainfo has {len(pictures)} screenshots, and should have three"
    for picture in pictures:
        image = picture.find("image")
        name = "" if image is None else (image.text or "").rpartition("/")[2]
        file = root / "data/screenshots" / name
        head = file.read_bytes()[:24] if file.is_file() else bytes(24)
        size = tuple(str(side) for side in struct.unpack(">II", head[16:]))
        if image is None or (image.get("width"), image.get("height")) != size:
            yield f"the metainfo does not have the size of data/screenshots/{name}: {size}"
        if not picture.findtext("caption"):
            yield f"the metainfo has no caption for {name}"


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    faults = [fault for check in (icons, versions, dependencies, flatpak, metainfo) for fault in check(root)]
    for fault in faults:
        print(f"check-data: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
