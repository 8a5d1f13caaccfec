# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the commands that the driver, the tour, the tests or the Makefile start, but that packages.txt does not list.

Each line has the place, the command, and the groups of packages.txt that may list its package. Commands that every
Debian system has, or that the toolchain requires, need no package. Names that are composed at run time are not found.

    started_commands.py [CHECKOUT]
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Iterator, NamedTuple

import shell_commands

#: The commands of Debian's essential packages, apt, and others that are always installed by then.
_EVERYWHERE = frozenset(
    "apt-config apt-get basename bash cat chmod chroot chrt cmp cp cut date dirname env find grep head id ldd "
    "install kill ln localedef mkdir mktemp mount mountpoint mv nice nproc nsenter paste printf ps readlink rm sed seq sh sleep sort "
    "sudo tail tar tee timeout touch tr true umount uname uniq unshare wc xargs make swift swiftc clang".split()
)
_TOUR = ("swift", "build", "run", "display")
_TEST = (*_TOUR, "test")
_BENCH = (*_TOUR, "bench")
_BARE = ("swift", "bare")
#: The Makefile targets that need other groups than the tests.
_TARGETS = {
    "run": ("swift", "build", "run"), "build": ("swift", "build", "run"), "tour": _TOUR, "screenshot": _TOUR,
    "bench": _BENCH, "bench-store": _BENCH, "bench-contacts": _BENCH, "bench-latency": _BENCH,
    "bench-calls": _BENCH,
}
#: The functions of the driver and of Python that start or require a command.
_STARTERS = frozenset(("run", "Popen", "spawn", "check_output", "check_call", "need", "which", "_start", "_spawn"))
#: The same in Swift: a list of words, or the path of a program.
_SWIFT = re.compile(
    r'(?:Child\(|\boutput\(\s*of:|\.prefix \+|"/usr/bin/env"\)\s+\w+\.arguments =|\bbus\.run\()\s*\[\s*"([^"\\]+)"'
    r'|require\(\s*"([^"\\]+)"|executableURL = URL\(fileURLWithPath: "([^"\\]+)"\)|"exec ([a-z][\w.+-]+)'
)


class Start(NamedTuple):
    """A command, where it is started, and the groups that are installed by then."""

    place: str
    command: str
    groups: tuple[str, ...]


def named(packages: Path) -> set[tuple[str, str]]:
    """Return the pairs of group and command in packages.txt."""
    pairs: set[tuple[str, str]] = set()
    for line in packages.read_text().splitlines():
        fields = [field.strip() for field in line.split("|")]
        if len(fields) == 4 and not line.startswith("#") and fields[2].startswith("cmd:"):
            pairs |= {(fields[0], Path(name).name) for name in fields[2].removeprefix("cmd:").split(",")}
    return pairs


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _first(node: ast.expr, lists: dict[str, ast.expr]) -> str | None:
    """Return the command that an argument begins with, if it is a literal."""
    if isinstance(node, ast.Starred):
        node = node.value
    node = lists.get(_name(node), node)
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        node = node.elts[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class _Unit:
    """A function or class of a module, or its top level."""

    def __init__(self, nodes: list[ast.stmt]) -> None:
        inner = [node for top in nodes for node in ast.walk(top)]
        self.mentions = {_name(node) for node in inner if isinstance(node, (ast.Name, ast.Attribute))}
        lists = {
            _name(node.targets[0]): node.value
            for node in inner if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
        }
        self.starts = [
            (node.lineno, command) for node in inner
            if isinstance(node, ast.Call) and _name(node.func) in _STARTERS and node.args
            and (command := _first(node.args[0], lists)) is not None
        ]


def _units(text: str) -> tuple[_Unit, dict[str, _Unit]]:
    body = ast.parse(text).body
    definitions = [node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    rest = [node for node in body if node not in definitions]
    return _Unit(rest), {node.name: _Unit([node]) for node in definitions}


def _driver(root: Path) -> Iterator[Start]:
    """Return the driver's commands. Those that the tour and the screenshots use cannot rely on the `test` group."""
    files = {file: _units(file.read_text()) for file in sorted((root / "Tests/Driver").glob("*.py"))}
    begun = [units for file, units in files.items() if file.name in ("tour.py", "screenshot.py")]
    waiting = [unit for outside, inside in begun for unit in (outside, *inside.values())]
    reached: set[int] = set()
    while waiting:
        unit = waiting.pop()
        if id(unit) in reached:
            continue
        reached.add(id(unit))
        waiting += [inside[name] for _, inside in files.values() for name in unit.mentions if name in inside]
    for file, (outside, inside) in files.items():
        for unit in (outside, *inside.values()):
            for line, command in unit.starts:
                yield Start(f"{file.relative_to(root)}:{line}", command, _TOUR if id(unit) in reached else _TEST)


def _others(root: Path) -> Iterator[Start]:
    for file in sorted((root / "Tests").rglob("*")):
        place = file.relative_to(root)
        folder = place.parts[1]
        groups = _BENCH if folder == "Bench" else _BARE if folder == "bare.sh" else _TEST
        if file.suffix == ".py" and folder != "Driver":
            outside, inside = _units(file.read_text())
            for unit in (outside, *inside.values()):
                yield from (Start(f"{place}:{line}", command, groups) for line, command in unit.starts)
        elif file.suffix == ".swift":
            text = file.read_text()
            for found in _SWIFT.finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                yield Start(f"{place}:{line}", next(filter(None, found.groups())), groups)
        elif file.suffix == ".sh":
            for line, command in shell_commands.of_script(file.read_text()):
                yield Start(f"{place}:{line}", command, groups)


def _makefile(root: Path) -> Iterator[Start]:
    for target, line, command in shell_commands.of_makefile((root / "Makefile").read_text()):
        yield Start(f"Makefile:{line}", command, _TARGETS.get(target, _TEST))


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
    pairs = named(root / "data/packaging/packages.txt")
    for start in (*_driver(root), *_others(root), *_makefile(root)):
        command = Path(start.command).name
        if command not in _EVERYWHERE and not any((group, command) in pairs for group in start.groups):
            print(f"{start.place}: {command} is in none of the groups {', '.join(start.groups)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
