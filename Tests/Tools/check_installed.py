# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints files of data/ that make, Meson or the Debian packages do not install alike; fails if there are any.

    check_installed.py [CHECKOUT]

It runs `make install` with empty programs in a folder of its own, and reads what Meson and debhelper are told to do.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator

_PROGRAMS = ("touchtone", "tonegen", "touchtone-pictures", "touchtone-sounds", "touchtone-sip")
_LIBRARIES = tuple(f"libtouchtone-{name}.so" for name in ("numbers", "books", "web"))


def install(root: Path, scratch: Path) -> set[str]:
    """Return the files that `make install` installs below its prefix."""
    build, destination = scratch / "build", scratch / "destination"
    build.mkdir()
    for name in _PROGRAMS + _LIBRARIES:
        (build / name).touch()
    subprocess.run(
        ["make", "--no-print-directory", "-C", root, "install", f"BUILD_DIR={build}", f"DESTDIR={destination}",
         "PREFIX=/usr"],
        check=True, stdout=subprocess.DEVNULL,
    )
    prefix = destination / "usr"
    return {str(file.relative_to(prefix)) for file in prefix.rglob("*") if file.is_file()}


def tracked(root: Path, folder: str) -> set[str]:
    """Return the names of the files of a folder that are in the source tree."""
    argv = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", f"data/{folder}"]
    listed = subprocess.run(argv, capture_output=True, text=True)
    if listed.returncode:  # a tarball
        return {file.name for file in (root / "data" / folder).iterdir() if file.is_file()}
    return {Path(line).name for line in listed.stdout.splitlines() if (root / line).exists()}


def compare_meson(root: Path, installed: set[str]) -> Iterator[str]:
    """Return the data files that Meson installs and make does not, or the reverse."""
    meson = (root / "data/meson/meson.build").read_text()
    block = re.search(r"foreach folder : \[(.*?)\].*?exclude_files: \[(.*?)\]", meson, re.S)
    assert block is not None, "the list of folders has moved in meson.build"
    folders, excluded = (re.findall(r"'([^']+)'", group) for group in block.groups())
    for folder in folders:
        wanted = tracked(root, folder) - set(excluded)
        found = {Path(file).name for file in installed if file.startswith(f"share/touchtone/{folder}/")}
        for name in sorted(wanted - found):
            yield f"Meson installs data/{folder}/{name}, make does not"
        for name in sorted(found - wanted):
            yield f"make installs data/{folder}/{name}, Meson does not"
    for folder in {Path(file).parts[2] for file in installed if file.startswith("share/touchtone/")} - set(folders):
        yield f"Meson does not install share/touchtone/{folder}"
    for name in _PROGRAMS + _LIBRARIES:
        if f"'{name}'" not in meson:
            yield f"Meson does not install {name}"


def compare_debian(root: Path, installed: set[str]) -> Iterator[str]:
    """Return the files that are in no Debian package."""
    lines = [
        line for file in (root / "data/packaging/debian").glob("*.install") for line in file.read_text().split()
    ]
    for file in sorted(installed):
        path = f"usr/{file}"
        if not any(fnmatch.fnmatchcase(path, line) or path.startswith(f"{line}/") for line in lines):
            yield f"no Debian package contains {path}"


def contents(root: Path, installed: set[str]) -> Iterator[str]:
    """Return the programs, libraries and languages that are missing, and files that only tests or builds need."""
    languages = [line for line in (root / "data/po/LINGUAS").read_text().split("\n") if line and line[0] != "#"]
    expected = ["bin/touchtone", "bin/tonegen"]
    expected += [f"lib/touchtone/touchtone-{name}" for name in ("pictures", "sounds", "sip")]
    expected += [f"lib/touchtone/{name}" for name in _LIBRARIES]
    expected += [f"share/locale/{language}/LC_MESSAGES/touchtone.mo" for language in languages]
    for file in expected:
        if file not in installed:
            yield f"make does not install {file}"
    for file in sorted(installed):
        if Path(file).suffix in {".py", ".sh", ".xml", ".po", ".pot", ".compiled"} and not re.search(
            r"(gschema|metainfo)\.xml$", file
        ):
            yield f"make installs {file}, which only a build needs"


def main() -> int:
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    with tempfile.TemporaryDirectory() as scratch:
        installed = install(root, Path(scratch))
        checks = (compare_meson, compare_debian, contents)
        faults = [fault for check in checks for fault in check(root, installed)]
    for fault in faults:
        print(f"check-data: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
