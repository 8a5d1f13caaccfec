# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a catalogue in which each text of a list stands in brackets and is 1.4 times as long: pseudo_locale.py POT MO."""

import ast
import math
import struct
import sys


def pseudo(text: str) -> str:
    """The text in brackets, lengthened by tildes between words that may be broken."""
    missing = max(0, math.ceil(len(text) * 1.4) - len(text) - 2)
    filler = ("~~~~ " * (missing // 5 + 1))[:missing].rstrip()
    return "[" + text + (" " if missing > 5 else "") + filler + "]"


def entries(pot: str) -> dict[str, str]:
    """The catalogue's keys and translations, as the format of .mo files joins contexts and plurals."""
    catalogue: dict[str, str] = {}
    for block in pot.split("\n\n"):
        fields: dict[str, str] = {}
        field = ""
        for line in block.splitlines():
            if line.startswith("#") or '"' not in line:
                continue
            if not line.startswith('"'):
                field = line.split(" ", 1)[0]
            fields[field] = fields.get(field, "") + ast.literal_eval(line[line.index('"') :])
        if not fields.get("msgid"):
            continue
        key = fields["msgid"]
        value = pseudo(key)
        if "msgid_plural" in fields:
            key += "\0" + fields["msgid_plural"]
            value += "\0" + pseudo(fields["msgid_plural"])
        if "msgctxt" in fields:
            key = fields["msgctxt"] + "\4" + key
            if fields["msgid"] == ", ":
                value = ", "
        catalogue[key] = value
    catalogue[""] = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=n != 1;\n"
    return catalogue


def binary(catalogue: dict[str, str]) -> bytes:
    """The bytes of a .mo file (GNU gettext manual, “The Format of GNU MO Files”)."""
    pairs = sorted((key.encode(), value.encode()) for key, value in catalogue.items())
    count = len(pairs)
    texts = b""
    tables: list[list[int]] = [[], []]
    for column in (0, 1):
        for pair in pairs:
            tables[column] += [len(pair[column]), 28 + 16 * count + len(texts)]
            texts += pair[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 28 + 16 * count)
    return head + struct.pack(f"<{4 * count}I", *tables[0], *tables[1]) + texts


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        content = binary(entries(source.read()))
    with open(sys.argv[2], "wb") as target:
        target.write(content)
