# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of all windows, in languages, styles, scales, widths and text sizes, for translators and designers.

Each picture is named after the window, its style and its width. `sheet.png` in each folder has all of them together.
"""

from __future__ import annotations

import argparse
import gettext
import itertools
from dataclasses import dataclass
from pathlib import Path

import picture_scenes
import pointer
import processes
from accessibility import Widget, wait_until
from phone import Phone, expect
from picture_sheet import make_sheet
from portal import DEFAULT, PREFER_DARK, Portal
from screenshot import capture
from session import CHECKOUT, SCREEN, Session

_CATALOGUES = CHECKOUT / "data/locale"
#: The locale of each language, for the formats of dates and numbers.
_LOCALES = {"en": "en_GB", "ar": "ar_EG", "de": "de_DE", "es": "es_ES", "fr": "fr_FR", "ja": "ja_JP"}
#: Colour scheme and high contrast of each style.
_STYLES = {
    "light": (DEFAULT, False), "dark": (PREFER_DARK, False),
    "contrast": (DEFAULT, True), "dark-contrast": (PREFER_DARK, True),
}


@dataclass(frozen=True)
class Look:
    """The appearance of one run of the program."""

    language: str = "en"
    scale: int = 1
    #: The desktop's text scale.
    text: float = 1.0

    @property
    def name(self) -> str:
        """The name of the folder for its pictures, such as `de-2x-text2.0`."""
        return self.language + ("-2x" if self.scale == 2 else "") + (f"-text{self.text}" if self.text != 1 else "")


class Studio:
    """The folder, styles and widths of all pictures of a look. It starts phones that take them."""

    def __init__(
        self, session: Session, portal: Portal, program: Path, out: Path, look: Look, styles: list[str],
        widths: list[int],
    ) -> None:
        self.session = session
        self._portal, self._program, self._look = portal, program, look
        self._locales, self._folder = out / "locales", out / look.name
        self._styles, self._widths = styles, widths

    def phone(self, *arguments: str, environment: dict[str, str] | None = None) -> PicturedPhone:
        """Start a phone, as a context manager."""
        locale = _make_locale(self._locales, self._look.language)
        return PicturedPhone(self, self._program, self._look, locale, arguments, environment or {})

    def set_up(self, address: str) -> None:
        """Show an address that offers accounts in the phone, as a command does."""
        done = self.session.run(self._program, "account", "setup", address)
        expect(done.returncode == 0, f"account setup: {done.returncode}, {done.stderr}")

    def take(self, phone: PicturedPhone, name: str, is_menu: bool) -> None:
        """Take pictures of the phone's window in each style and width, or of an open menu in each style."""
        if is_menu:
            # A menu closes when its window is resized.
            self._take(phone, phone.window, name)
            return
        for width in self._widths:
            suffix = f"-{width}" if width else ""
            if width:
                self._resize(phone, width)
            self._take(phone, phone.window, name + suffix)
            if width and self._has_two_pages(phone):
                pointer.key("F9")
                self._take(phone, phone.window, f"{name}{suffix}-other-page")
                pointer.key("F9")
        if self._widths != [0]:
            self._resize(phone, phone.first_width)

    def take_window(self, phone: PicturedPhone, window: Widget, name: str) -> None:
        """Take pictures of another window in each style."""
        self._take(phone, window, name)

    def make_sheet(self) -> Path:
        """Put all pictures beside each other, and return the file."""
        return make_sheet(self._folder)

    def _take(self, phone: PicturedPhone, window: Widget, name: str) -> None:
        for style in self._styles:
            pointer.move(1, 1)
            left, top, width, height = (self._look.scale * side for side in window.extents)
            box = (left, top, width, height)
            suffix = "" if self._styles == ["light"] else f"-{style}"
            file = self._folder / f"{name}{suffix}.png"
            # The change of the style is seen as a change of the picture.
            before = capture(file, box) if style != Studio._shown else None
            self._show(style)
            capture(file, box, unlike=before, limit=5 if before else processes.TIMEOUT)

    #: The style that the desktop has.
    _shown = "light"

    def _show(self, style: str) -> None:
        if style == Studio._shown:
            return
        Studio._shown = style
        scheme, is_high = _STYLES[style]
        self._portal.set_color_scheme(scheme)
        self._portal.set_high_contrast(is_high)

    def _resize(self, phone: PicturedPhone, width: int) -> None:
        height, scale = phone.window.extents[3], self._look.scale
        pointer.resize("Touchtone", width * scale, height * scale)
        # A window does not become narrower than its contents.
        wait_until(lambda: phone.window.extents[2] == width, timeout=2)

    def _has_two_pages(self, phone: PicturedPhone) -> bool:
        """Whether the window is too narrow to show the phone and the panel together."""
        return phone.window.extents[2] < 620 and phone.has_panel


class PicturedPhone(Phone):
    """A phone in a language and at a scale."""

    #: Whether the panel is open, beside the phone or instead of it.
    has_panel = True

    def __init__(
        self, studio: Studio, program: Path, look: Look, locale: Path, arguments: tuple[str, ...],
        environment: dict[str, str],
    ) -> None:
        # Pictures show the end of each transition.
        studio.session.turn_animations_off()
        self.words = gettext.translation(
            "touchtone", _CATALOGUES, [look.language], fallback=look.language == "en")
        self._studio = studio
        super().__init__(
            studio.session, program, *arguments, scale=look.scale,
            environment={
                "LOCPATH": str(locale), "LANG": f"{_LOCALES[look.language]}.UTF-8", "LANGUAGE": look.language,
                "GDK_DPI_SCALE": str(look.text), **environment,
            },
        )
        #: The window's width between pictures, in logical pixels.
        self.first_width = self.window.extents[2]
        if look.text > 1:
            # Large text would fold the panel away, and the scenes need both pages.
            self.first_width = 1280
            pointer.resize("Touchtone", self.first_width * look.scale, self.window.extents[3] * look.scale)
            expect(wait_until(lambda: self.window.extents[2] == self.first_width), "the window does not grow")

    def _label(self, description: str) -> Widget:
        return super()._label(self.words.gettext(description))

    def word(self, text: str, context: str = "") -> str:
        """Return the translation of a text."""
        return self.words.pgettext(context, text) if context else self.words.gettext(text)

    def status_word(self, text: str) -> str:
        """Return the translation of a status, without its values."""
        return self.word(text, "segment display").split("{")[0].strip()

    def expect_shown(self, name: str, role: str, context: str = "") -> Widget:
        """Wait for a widget with this role and English name in any window, and return it."""
        found: list[Widget] = []

        def is_there() -> bool:
            found[:] = [
                widget for window in self.windows() for widget in window.shown()
                if widget.role == role and widget.name == self.word(name, context)
            ]
            return bool(found)

        expect(wait_until(is_there), f"{name} ({self.word(name, context)}) does not appear")
        return found[0]

    def take(self, name: str, is_menu: bool = False) -> None:
        """Take pictures of the phone's window, or of an open menu."""
        self._studio.take(self, name, is_menu)

    def take_window(self, window: Widget, name: str) -> None:
        """Take pictures of another window."""
        self._studio.take_window(self, window, name)


def _make_locale(folder: Path, language: str) -> Path:
    """Compile the locale of a language, and return the folder for LOCPATH."""
    folder.mkdir(parents=True, exist_ok=True)
    name = _LOCALES[language]
    if not (folder / f"{name}.UTF-8").exists():
        done = processes.spawn(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"])
        expect(done.wait() == 0, f"localedef -i {name} failed; its source is in the package locales")
    return folder


def main() -> None:
    listed = (CHECKOUT / "data/po/LINGUAS").read_text().splitlines()
    languages = ["en", *(line for line in listed if not line.startswith("#"))]
    parser = argparse.ArgumentParser(description="Takes pictures of all windows.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for a folder of pictures for each appearance")
    parser.add_argument("--styles", nargs="+", choices=list(_STYLES), default=["light"])
    parser.add_argument("--scales", nargs="+", type=int, choices=[1, 2], default=[1])
    parser.add_argument("--texts", nargs="+", type=float, default=[1.0], help="text scales, such as 1 2")
    parser.add_argument("--widths", nargs="+", type=int, default=[0], help="widths of the window; 0 is the default")
    parser.add_argument("--scenes", nargs="+", choices=list(picture_scenes.SCENES), default=list(picture_scenes.SCENES))
    parser.add_argument("languages", nargs="*", default=languages, help="such as de; all if omitted")
    options = parser.parse_args()
    program, out = options.program.resolve(), options.out.resolve()
    scale = max(options.scales)
    screen = (max(SCREEN[0], (max(options.widths) + 40) * scale), SCREEN[1] * scale)
    with Session(sound=True, screen=screen) as session, Portal(session) as portal:
        people = picture_scenes.make_people(session, program)
        for language, size, text in itertools.product(options.languages, options.scales, options.texts):
            studio = Studio(
                session, portal, program, out, Look(language, size, text), options.styles, options.widths)
            for scene in options.scenes:
                picture_scenes.prepare(session, people if scene != "first" else None)
                picture_scenes.SCENES[scene](studio)
            print(studio.make_sheet())


if __name__ == "__main__":
    main()
