#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a file of vCards with independent parsers.

usage: read_vcards.py vobject|evolution FILE

Prints a line of JSON for each card: its name, its numbers, its note, and the size of its picture. Evolution reads only
version 3.
"""

from __future__ import annotations

import base64
import json
import sys

import gi
import vobject

gi.require_version("EBookContacts", "1.2")
from gi.repository import EBookContacts  # noqa: E402


def by_vobject(text: str) -> list[list]:
    cards = []
    for card in vobject.readComponents(text):
        numbers = [line.value for line in card.contents.get("tel", [])]
        notes = [line.value for line in card.contents.get("note", [])]
        # It keeps the scheme of the links of version 4.
        photos = [len(line.value) for line in card.contents.get("photo", [])]
        cards.append([card.fn.value, numbers, "\n".join(notes), photos])
    return cards


def by_evolution(text: str) -> list[list]:
    cards = []
    for part in text.split("END:VCARD\r\n")[:-1]:
        card = EBookContacts.VCard.new_from_string(part + "END:VCARD\r\n")
        values: dict[str, list[str]] = {"FN": [], "TEL": [], "NOTE": [], "PHOTO": []}
        for line in card.get_attributes():
            values.setdefault(line.get_name().upper(), []).append(line.get_value())
        photos = [len(base64.b64decode(value)) for value in values["PHOTO"]]
        cards.append([values["FN"][0], values["TEL"], "\n".join(values["NOTE"]), photos])
    return cards


def main() -> None:
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        text = file.read()
    for card in (by_vobject if sys.argv[1] == "vobject" else by_evolution)(text):
        print(json.dumps(card))


if __name__ == "__main__":
    main()
