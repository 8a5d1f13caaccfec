# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios of GTK's theme, which replaces a small one after the first frame."""

from __future__ import annotations

from pathlib import Path

from phone import Phone, expect
from portal import DEFAULT, PREFER_DARK, Portal
from registry import scenario
from screenshot import wait_frame_color
from session import Session

_LOUD = "decoration { padding: 30px; border: 3px solid #ff00ff; }"
_LOUD_COLOR = (255, 0, 255)

#: The edges of windows in Adwaita and in HighContrast, in the light and dark variants.
_LIGHT, _DARK, _CONTRAST = (205, 199, 194), (27, 27, 27), (135, 123, 110)


@scenario
def own_theme(session: Session, program: Path) -> None:
    """The user's own theme is kept, from the environment and from the settings."""
    folder = session.data_home / "themes/Loud/gtk-3.0"
    folder.mkdir(parents=True)
    (folder / "gtk.css").write_text(_LOUD)
    with Phone(session, program, environment={"GTK_THEME": "Loud"}) as phone:
        expect(wait_frame_color(phone, _LOUD_COLOR), "the theme of the environment is not shown")
    (session.config_home / "gtk-3.0").mkdir(exist_ok=True)
    (session.config_home / "gtk-3.0/settings.ini").write_text("[Settings]\ngtk-theme-name=Loud\n")
    with Phone(session, program) as phone:
        expect(wait_frame_color(phone, _LOUD_COLOR), "the theme of the settings is not shown")


@scenario
def theme_follows_desktop(session: Session, program: Path) -> None:
    """GTK's theme follows the desktop into the dark, high contrast and back."""
    with Portal(session) as portal, Phone(session, program) as phone:
        expect(wait_frame_color(phone, _LIGHT), "the theme is not light at first")
        # The theme follows once a window has been opened that shows it.
        phone.action("preferences")
        portal.set_color_scheme(PREFER_DARK)
        expect(wait_frame_color(phone, _DARK), "the theme does not follow the desktop into the dark")
        portal.set_color_scheme(DEFAULT)
        portal.set_high_contrast(True)
        expect(wait_frame_color(phone, _CONTRAST), "the theme does not get the desktop's contrast")
        portal.set_high_contrast(False)
        expect(wait_frame_color(phone, _LIGHT), "the theme does not follow the desktop into the light")
