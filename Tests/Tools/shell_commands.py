# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the commands in a shell script or a Makefile."""

from __future__ import annotations

import re
from typing import Iterator

#: Words that are followed by a command, and words whose next word is a command.
_BEFORE = frozenset("if then elif else while until do ! { } time exec nice sudo".split())
_BUILTIN = frozenset(
    ": . [ [[ ]] alias break cd command compgen continue declare echo eval exit export false fi for function hash in "
    "kill local mapfile printf pwd read readonly return set shift source test trap true type ulimit unset wait case esac "
    "done select".split()
)
_END = re.compile(r"&&|\|\||;;|[;|&\n(){]")
_ASSIGNMENT = re.compile(r"\w+(\[[^]]*\])?\+?=")
_NAME = re.compile(r"[A-Za-z/][\w./+-]*\Z")
_QUOTED = re.compile(r"\\\n|\\.|'[^']*'|\"(?:\\.|\$\([^()]*\)|[^\"\\])*\"|(?:(?<=\s)|^)#[^\n]*", re.MULTILINE)
_EXPANSION = re.compile(r"\$\(\(.*?\)\)|\$\{[^{}]*\}")
_REDIRECTION = re.compile(r"<\(|\d?[<>]+(&[\d-]|&)?\s*[^\s;|&()]*")


def _blank(found: re.Match[str]) -> str:
    """Return a replacement for a quoted text or a comment: as many lines, without commands."""
    text = found.group()
    lines = "\n" * text.count("\n")
    if text.startswith("\\"):
        return " "
    if text.startswith("#"):
        return lines
    inner = " ".join(part.group() for part in re.finditer(r"\$\([^()]*\)", text)) if text.startswith('"') else ""
    return f"_{inner}" + lines.replace("\n", " ")


def of_script(text: str) -> Iterator[tuple[int, str]]:
    """Return the commands of a script with their lines."""
    functions = set(re.findall(r"^\s*(\w+)\(\)", text, re.MULTILINE))
    # An array in parentheses is not a subshell, and a `case` pattern is not a command.
    text = re.sub(r"(\w=)\([^()]*\)", lambda found: found.group(1) + "_" + "\n" * found.group().count("\n"), text)
    text = re.sub(r"^(\s*)[^\s()$][^()$\n]*\)(?= |\n)", r"\1:;", text, flags=re.MULTILINE)
    text = _EXPANSION.sub("_", _QUOTED.sub(_blank, text))
    text = _REDIRECTION.sub(lambda found: "(" if found.group() == "<(" else " ", text)
    start = 0
    for end in [*(found for found in _END.finditer(text)), None]:
        words = text[start:end.start() if end else len(text)].split()
        line = text.count("\n", 0, start) + 1
        start = end.end() if end else start
        while words and (words[0] in _BEFORE or _ASSIGNMENT.match(words[0])):
            words.pop(0)
        if words[:2] == ["command", "-v"]:
            words = words[2:]
        if words and _NAME.match(words[0]) and words[0] not in _BUILTIN and words[0] not in functions:
            yield line, words[0]


def of_makefile(text: str) -> Iterator[tuple[str, int, str]]:
    """Return the commands of the recipes with their targets and lines, also those in variables."""
    joined = text.replace("\\\n", "\v")
    variables = dict(re.findall(r"^(\w+) *[?:]?= *(.*)$", joined, re.MULTILINE))
    target, line = "", 0
    for whole in joined.split("\n"):
        line += 1
        rule = re.match(r"([\w-]+):(?!=)", whole)
        if rule:
            target = rule.group(1)
        elif whole.startswith("\t"):
            recipe = whole.strip().lstrip("@-")
            for _ in range(3):
                recipe = re.sub(r"(?<!\$)\$\((\w+)\)", lambda found: variables.get(found.group(1), "_"), recipe)
            for _, command in of_script(recipe.lstrip("@-").replace("$$", "$")):
                yield target, line, command
        line += whole.count("\v")
