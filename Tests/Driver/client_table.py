# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of other clients in docs/clients.md, which `clients.py` fills in.

    client_table.py FILE    checks that the table has the rows that are tried, in their order
"""

from __future__ import annotations

import sys
from pathlib import Path

#: What is tried, by the name of its trial.
ROWS = {
    "presence": "Request to see who is online, and its answer",
    "message": "Message: several lines, emoji, right-to-left text, `<` and `&`",
    "receipt": "Receipt (XEP-0184)",
    "marker": "Read marker (XEP-0333)",
    "typing": "Typing (XEP-0085)",
    "reply": "Reply (XEP-0461)",
    "reaction": "Reaction (XEP-0444)",
    "correction": "Correction (XEP-0308)",
    "deletion": "Deletion for everyone (XEP-0424)",
    "file": "Picture, by the server (XEP-0363)",
    "invitation": "Room: invitation",
    "room": "Room: message",
    "room_reply": "Room: reply",
    "room_reaction": "Room: reaction",
    "room_correction": "Room: correction",
    "mention": "Room: mention",
    "topic": "Room: topic",
    "moderation": "Room: deletion by a moderator (XEP-0425)",
    "offline": "Message to somebody offline, once",
    "encryption": "Message encrypted with OMEMO (XEP-0384 0.3)",
}
_FIRST = "tried"
_EMPTY = "–"


class Table:
    """The table: for each client two columns, to it and back, and for each trial one row."""

    def __init__(self, text: str) -> None:
        """Read the table in a Markdown text, which has at most one that starts with `| tried |`."""
        lines = text.split("\n")
        start = next((number for number, line in enumerate(lines) if line.startswith(f"| {_FIRST} |")), len(lines))
        end = start
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        self._before, self._after = lines[:start], lines[end:]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:end]]
        self._rows = cells[2:]
        #: The clients, such as `Dino 0.5`.
        self.clients = [cell.removeprefix("to ") for cell in cells[0][1::2]] if cells else []
        self._cells = {
            (row[0], client): (row[1 + 2 * number], row[2 + 2 * number])
            for row in self._rows for number, client in enumerate(self.clients)
        }

    @property
    def labels(self) -> list[str]:
        """What the rows are about."""
        return [row[0] for row in self._rows]

    def fill(self, client: str, results: dict[str, tuple[str, str]]) -> None:
        """Put the results of a client, by trial, in place of its previous ones."""
        if client not in self.clients:
            self.clients = sorted([*self.clients, client])
        for trial, label in ROWS.items():
            self._cells[label, client] = results.get(trial, (_EMPTY, _EMPTY))

    def lines(self) -> list[str]:
        """Return the lines of the table, with all rows of the trials."""
        header = [_FIRST]
        for client in self.clients:
            header += [f"to {client}", f"from {client}"]
        table = [header, ["---"] * len(header)]
        for label in ROWS.values():
            row = [label]
            for client in self.clients:
                row += self._cells.get((label, client), (_EMPTY, _EMPTY))
            table.append(row)
        return [f"| {' | '.join(row)} |" for row in table]

    def text(self) -> str:
        """Return the whole text with the table."""
        return "\n".join([*self._before, *self.lines(), *self._after])


def main() -> int:
    file = Path(sys.argv[1])
    found = Table(file.read_text())
    if found.labels != list(ROWS.values()):
        print(f"{file}: the table has not the rows of Tests/Driver/client_table.py: run make clients", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
