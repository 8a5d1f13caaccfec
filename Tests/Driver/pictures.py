# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes pictures of all windows in each language, so that translators and designers can look at them."""

from __future__ import annotations

import argparse
import gettext
import shutil
from pathlib import Path

import manual_pictures
import passcode
import pointer
import processes
from accessibility import State, Widget, wait_until
from phone import APP_ID, Phone, expect
from screenshot import capture, capture_window
from session import CHECKOUT, Session

_CATALOGUES = CHECKOUT / "data/locale"
#: The locale of each language, for the formats of dates and numbers.
_LOCALES = {"en": "en_GB", "ar": "ar_EG", "de": "de_DE", "es": "es_ES", "fr": "fr_FR", "ja": "ja_JP"}
_PAGES = ("phone", "lines", "messages", "lock", "about")


class _TranslatedPhone(Phone):
    """A phone in a language."""

    def __init__(self, session: Session, program: Path, language: str, out: Path) -> None:
        self.words = gettext.translation("touchtone", _CATALOGUES, [language], fallback=language == "en")
        self._out = out / language
        super().__init__(
            session, program,
            environment={
                "LOCPATH": str(_make_locale(out, language)), "LANG": f"{_LOCALES[language]}.UTF-8",
                "LANGUAGE": language,
            },
        )

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

    def take(self, name: str) -> None:
        """Take a picture of the phone's window, with its menus."""
        pointer.move(1, 1)
        capture_window(self, self._out / f"{name}.png")

    def take_window(self, window: Widget, name: str) -> None:
        """Take a picture of another window."""
        pointer.move(1, 1)
        capture(self._out / f"{name}.png", window.extents)


def _make_locale(out: Path, language: str) -> Path:
    """Compile the locale of a language, and return the folder for LOCPATH."""
    folder = out / "locales"
    folder.mkdir(parents=True, exist_ok=True)
    name = _LOCALES[language]
    if not (folder / f"{name}.UTF-8").exists():
        done = processes.spawn(["localedef", "-i", name, "-f", "UTF-8", folder / f"{name}.UTF-8"])
        expect(done.wait() == 0, f"localedef -i {name} failed; its source is in the package locales")
    return folder


def _take_messages(phone: _TranslatedPhone) -> None:
    phone.type("5558675309")
    pointer.key("alt+1")
    buddies = phone.expect_shown("Buddies", "list box")
    phone.take("messages")
    pointer.click(*phone.center(_rows(buddies)[0]))
    said = phone.expect_shown("Conversation", "list box")
    for count, text in enumerate(("Hello :)", "help"), 1):
        pointer.write(text)
        pointer.key("Return")
        expect(wait_until(lambda: len(_rows(said)) == 2 * count), "the Operator does not answer")
    phone.take("conversation")
    pointer.key("Escape")
    phone.clear()


def _take_people(phone: _TranslatedPhone) -> None:
    pointer.key("alt+2")
    calls = phone.expect_shown("Calls", "list box")
    expect(wait_until(lambda: len(_rows(calls)) > 2), "calls are missing")
    phone.take("calls")
    pointer.key("Down", "shift+F10")
    phone.take("call-menu")
    pointer.key("Escape")
    pointer.key("alt+3")
    contacts = phone.expect_shown("Contacts", "list box")
    phone.take("contacts")
    pointer.click(*phone.center(_rows(contacts)[0]))
    phone.expect_shown("Edit", "push button", "verb")
    phone.take("contact")
    pointer.key("Escape")
    pointer.key("ctrl+n")
    phone.expect_shown("Save", "push button")
    phone.take("contact-editor")
    pointer.key("Escape")
    for key in "47":
        phone.click(key)
    phone.expect_shown("Suggestions", "list box")
    phone.take("suggestions")
    phone.clear()
    pointer.key("F10")
    phone.take("menu")
    pointer.key("Escape")
    pointer.key("F9")
    phone.take("without-panel")
    pointer.key("F9")


def _rows(listing: Widget) -> list[Widget]:
    return [row for row in listing.descendants() if row.role == "list item"]


def _call(phone: _TranslatedPhone, number: str, status: str) -> None:
    phone.action("enter", f"'{number}'")
    phone.action("dial")
    phone.expect_status(status)


def _take_calls(phone: _TranslatedPhone) -> None:
    phone.set("dial-line", "'practice'")
    _call(phone, "5550100", phone.status_word("BUSY"))
    phone.take("busy")
    phone.action("hang-up")
    _call(phone, "5550104", phone.status_word("RINGING"))
    phone.action("hang-up")
    # With a long name, the display shows the short form, with which the long one begins.
    phone.expect_status(phone.status_word("CALL {number}"))
    phone.take("incoming")
    pointer.key("ctrl+d")
    phone.expect_status(phone.status_word("READY"))
    _call(phone, "8675309", "0:01")
    phone.take("call")
    pointer.key("ctrl+k")
    phone.take("call-card")
    pointer.key("ctrl+k", "ctrl+m", "ctrl+s")
    _call(phone, "0", "0:01")
    phone.take("two-calls")
    phone.action("lock")
    phone.take("locked-call")
    phone.action("hang-up")


def _take_windows(phone: _TranslatedPhone) -> None:
    for page in _PAGES:
        phone.action("preferences-page", f"'{page}'")
        window = _window(phone, "Preferences")
        pointer.resize(phone.word("Preferences"), 680, 1500)
        expect(wait_until(lambda: window.extents[3] > 1000), "Preferences do not grow")
        phone.take_window(window, f"preferences-{page}")
    phone.set("number-pad", "'always'")
    phone.action("preferences-page", "'lines'")
    phone.expect_shown("Prefix", "text").grab_focus()
    phone.expect_shown("Done", "push button", "key")
    phone.take_window(_window(phone, "Preferences"), "number-pad")
    pointer.key("Escape", "Escape")
    expect(wait_until(lambda: phone.other(phone.word("Preferences")) is None), "Preferences do not close")
    pointer.key("ctrl+question")
    window = _window(phone, "Keyboard Shortcuts")
    pointer.resize(phone.word("Keyboard Shortcuts"), 560, 1900)
    expect(wait_until(lambda: window.extents[3] > 1000), "the shortcuts do not grow")
    phone.take_window(window, "shortcuts")


def _window(phone: _TranslatedPhone, title: str) -> Widget:
    def front() -> Widget | None:
        window = phone.other(phone.word(title))
        return window if window is not None and window.has(State.ACTIVE) else None

    expect(wait_until(lambda: front() is not None), f"{title} do not open")
    window = front()
    assert window is not None
    return window


def _take_language(session: Session, program: Path, language: str, out: Path, people: Path) -> None:
    def start() -> _TranslatedPhone:
        return _TranslatedPhone(session, program, language, out)

    # The last language left a passcode, and its settings.
    passcode.state_file(session).unlink(missing_ok=True)
    session.run("gsettings", "reset-recursively", APP_ID)
    shutil.rmtree(session.data_home / "touchtone")
    shutil.copytree(people, session.data_home / "touchtone")
    with start() as phone:
        _take_messages(phone)
        _take_people(phone)
    with start() as phone:
        _take_windows(phone)
    passcode.set_passcode(session, "1234")
    with start() as phone:
        phone.type("12")
        phone.take("lock")
        phone.type("34")
        shown = phone.word("Number display")
        expect(
            wait_until(lambda: phone.find("", "label", description=shown) is not None), "the phone does not unlock"
        )
        _take_calls(phone)


def main() -> None:
    listed = (CHECKOUT / "data/po/LINGUAS").read_text().splitlines()
    languages = ["en", *(line for line in listed if not line.startswith("#"))]
    parser = argparse.ArgumentParser(description="Takes pictures of all windows in each language.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for a folder of pictures for each language")
    parser.add_argument("languages", nargs="*", default=languages, help="such as de; all if omitted")
    options = parser.parse_args()
    program, out = options.program.resolve(), options.out.resolve()
    with Session(sound=True) as session:
        with Phone(session, program) as phone:
            manual_pictures.add_contacts(phone)
            manual_pictures.make_calls(phone)
        people = session.folder / "people"
        shutil.copytree(session.data_home / "touchtone", people)
        for language in options.languages:
            _take_language(session, program, language, out, people)
            print(out / language)


if __name__ == "__main__":
    main()
