# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts pictures beside each other, so that many can be looked at together."""

from __future__ import annotations

from pathlib import Path

_WIDTH, _GAP = 2400, 16
#: The height of each row in pixels.
_ROW = 560


def make_sheet(folder: Path) -> Path:
    """Put all pictures of a folder beside each other, in the order of their names, and return the file `sheet.png`."""
    import gi

    gi.require_version("GdkPixbuf", "2.0")
    from gi.repository import GdkPixbuf

    sheet = folder / "sheet.png"
    rows: list[list[GdkPixbuf.Pixbuf]] = [[]]
    right = _GAP
    for file in sorted(folder.glob("*.png")):
        if file == sheet:
            continue
        width, height = GdkPixbuf.Pixbuf.get_file_info(str(file))[1:]
        # A picture is never enlarged, and never wider than the sheet.
        factor = min(1, _ROW / height, (_WIDTH - 2 * _GAP) / width)
        picture = GdkPixbuf.Pixbuf.new_from_file_at_scale(str(file), int(width * factor), int(height * factor), True)
        if right + picture.get_width() + _GAP > _WIDTH and rows[-1]:
            rows.append([])
            right = _GAP
        rows[-1].append(picture)
        right += picture.get_width() + _GAP
    whole = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, _WIDTH, len(rows) * (_ROW + _GAP) + _GAP)
    whole.fill(0x808080FF)
    for index, row in enumerate(rows):
        left = _GAP
        for picture in row:
            picture = picture.add_alpha(False, 0, 0, 0) if not picture.get_has_alpha() else picture
            picture.composite(
                whole, left, index * (_ROW + _GAP) + _GAP, picture.get_width(), picture.get_height(),
                left, index * (_ROW + _GAP) + _GAP, 1, 1, GdkPixbuf.InterpType.NEAREST, 255)
            left += picture.get_width() + _GAP
    whole.savev(str(sheet), "png", [], [])
    return sheet
