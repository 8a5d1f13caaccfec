# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for contacts, memory keys and the call log. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

import pointer
from accessibility import wait_until
from phone import Phone, expect
from registry import scenario
from session import Session


def rows(phone: Phone, name: str) -> list[str]:
    """Return the names of the rows of a list."""
    found = phone.find(name, "list box")
    return [] if found is None else [row.name for row in found.descendants() if row.name and row.role == "list item"]


def _expect_rows(phone: Phone, name: str, texts: list[str]) -> None:
    """Wait until a list has exactly these rows, each with the given text in its name."""
    def has() -> bool:
        shown = rows(phone, name)
        return len(shown) == len(texts) and all(text in row for text, row in zip(texts, shown))

    expect(wait_until(has), f"{name}: {rows(phone, name)}, not {texts}")


@scenario
def people(session: Session, program: Path) -> None:
    """A contact is added, suggested, called, listed in the call log, and dialled with a memory key."""
    with Phone(session, program) as phone:
        phone.type("5550103")
        pointer.key("ctrl+n")
        expect(wait_until(lambda: phone.find("Name", "text") is not None), "no contact can be written")
        pointer.write("Grace Hopper")
        phone.click("Save")
        # The number is on the display, so MEM stores it.
        pointer.key("ctrl+shift+e")
        phone.expect_status("MEMORY")
        phone.expect_caption("STORE HERE?")
        pointer.key("3")
        phone.expect_status("STORED")
        phone.clear()

    with Phone(session, program) as phone:
        for key in "47":
            phone.click(key)
        _expect_rows(phone, "Suggestions", ["Grace Hopper"])
        phone.expect_caption("GRACE HOPPER")
        pointer.key("Down", "Return")
        phone.expect_display("555-0103")
        phone.click("Dial")
        phone.expect_display("GRACE HOPPER")
        phone.action("hang-up")
        phone.expect_status("READY")
        pointer.key("alt+2")
        _expect_rows(phone, "Calls", ["Grace Hopper"])
        pointer.key("alt+3")
        _expect_rows(phone, "Contacts", ["Grace Hopper"])
        phone.clear()
        phone.click("Memory", "3, Grace Hopper")
        phone.expect_status("RINGING")
        phone.action("hang-up")
        pointer.key("alt+2")
        _expect_rows(phone, "Calls", ["Grace Hopper", "Grace Hopper"])
