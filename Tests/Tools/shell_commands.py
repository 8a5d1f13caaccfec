# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands that a shell script or a Makefile starts, as far as they are written down."""

from __future__ import annotations

import re
from typing import Iterator

#: Words after which another command begins, and those of which the next word is one.
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
    """What takes a quoted text's or a comment's place: nothing that looks like a command, on as many lines."""
    text = found.group()
    lines = "\n" * text.count("\n")
    if text.startswith("\\"):
        return " "
    if text.startswith("#"):
        return lines
    inner = " ".join(part.group() for part in re.finditer(r"\$\([^()]*\)", text)) if text.startswith('"') else ""
    return f"_{inner}" + lines.replace("\n", " ")


def of_script(text: str) -> Iterator[tuple[int, str]]:
    """The commands of a script, each with its line."""
    functions = set(re.findall(r"^\s*(\w+)\(\)", text, re.MULTILINE))
    # A list of words in parentheses is no subshell, and a pattern of `case` no command.
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
    """The commands of the recipes, each with its target and line; those of a variable are found where it is used."""
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
