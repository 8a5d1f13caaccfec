# SPDX-License-Identifier: GPL-3.0-or-later
"""The scenes of `pictures.py`: each starts phones, and takes pictures of their windows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Callable

import manual_pictures
import passcode
import pointer
import setup_scenarios
from accessibility import State, Widget, wait_until
from jabber import Person, Server
from bluetooth import BlueZ
from messages import set_account
from office import Office
from phone import APP_ID, Phone, expect
from session import Session
from sip import add_with_keyring

if TYPE_CHECKING:
    from pictures import PicturedPhone, Studio

_PAGES = ("phone", "lines", "messages", "lock", "about")
_ROOM = "tea@rooms.localhost"


def make_people(session: Session, program: Path) -> Path:
    """Make a folder with a few contacts and calls, as the phone keeps them."""
    with Phone(session, program) as phone:
        manual_pictures.add_contacts(phone)
        manual_pictures.make_calls(phone)
    people = session.folder / "people"
    shutil.copytree(session.data_home / "touchtone", people)
    return people


def prepare(session: Session, people: Path | None) -> None:
    """Remove what the last scene left: a passcode, settings and messages; and add contacts and calls, if given."""
    passcode.state_file(session).unlink(missing_ok=True)
    for schema in (APP_ID, f"{APP_ID}.Line:/io/github/touchtone/Touchtone/lines/practice/"):
        session.run("gsettings", "reset-recursively", schema)
    shutil.rmtree(session.data_home / "touchtone", ignore_errors=True)
    if people is not None:
        shutil.copytree(people, session.data_home / "touchtone")


def _first(studio: Studio) -> None:
    """The first minute: nothing is set up, and every page is empty."""
    with studio.phone() as phone:
        pointer.key("alt+1")
        phone.expect_shown("Buddies", "list box")
        phone.take("first")
        for key, name in (("alt+2", "calls"), ("alt+3", "contacts")):
            pointer.key(key)
            phone.take(f"first-{name}")
        pointer.key("alt+1", "ctrl+f")
        phone.take("first-search")


def _messages(studio: Studio) -> None:
    with studio.phone() as phone:
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


def _people(studio: Studio) -> None:
    with studio.phone() as phone:
        pointer.key("alt+2")
        calls = phone.expect_shown("Calls", "list box")
        expect(wait_until(lambda: len(_rows(calls)) > 2), "calls are missing")
        phone.take("calls")
        pointer.key("Down", "shift+F10")
        phone.take("call-menu", is_menu=True)
        pointer.key("Escape")
        expect(wait_until(lambda: len(phone.windows()) == 1), "the menu stays open")
        pointer.key("alt+3")
        contacts = phone.expect_shown("Contacts", "list box")
        phone.take("contacts")
        pointer.click(*phone.center(_rows(contacts)[0]))
        phone.expect_shown("Edit", "push button", "verb")
        phone.take("contact")
        pointer.key("Escape", "ctrl+n")
        phone.expect_shown("Save", "push button")
        phone.take("contact-editor")
        phone.expect_shown("Discard", "push button").do_action("click")
        for key in "47":
            phone.click(key)
        phone.expect_shown("Suggestions", "list box")
        phone.take("suggestions")
        phone.clear()
        pointer.key("F10")
        phone.take("menu", is_menu=True)
        pointer.key("Escape", "F9")
        phone.has_panel = False
        expect(wait_until(lambda: phone.window.extents[2] < phone.first_width), "the panel does not close")
        phone.first_width = phone.window.extents[2]
        phone.take("without-panel")


def _rows(listing: Widget) -> list[Widget]:
    return [row for row in listing.descendants() if row.role == "list item"]


def _call(phone: PicturedPhone, number: str, status: str) -> None:
    phone.action("enter", f"'{number}'")
    phone.action("dial")
    phone.expect_status(status)


def _calls(studio: Studio) -> None:
    with studio.phone() as phone:
        phone.set("dial-line", "'practice'")
        _call(phone, "5550100", phone.status_word("BUSY"))
        phone.take("busy")
        phone.action("hang-up")
        _call(phone, "5550104", phone.status_word("RINGING"))
        phone.action("hang-up")
        phone.expect_status(phone.status_word("CALL ON {line}"))
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
        phone.action("hang-up")


def _deck(studio: Studio) -> None:
    """The answering machine: empty, while it records, and with two messages, of which one is selected."""
    with studio.phone() as phone:
        pointer.key("alt+2")
        phone.set("dial-line", "'practice'")
        phone.set("answering-after", "5")
        phone.action("answering-machine")
        phone.take("deck-empty")
        for _ in range(2):
            manual_pictures.take_message(phone, phone.status_word)
        phone.take("deck")


def _lock(studio: Studio) -> None:
    passcode.set_passcode(studio.session, "1234")
    with studio.phone() as phone:
        phone.has_panel = False
        phone.type("12")
        phone.take("lock")
        phone.type("34")
        shown = phone.word("Number display")
        expect(
            wait_until(lambda: phone.find("", "label", description=shown) is not None), "the phone does not unlock")
        phone.set("dial-line", "'practice'")
        _call(phone, "8675309", "0:01")
        phone.action("lock")
        phone.take("locked-call")
        phone.action("hang-up")


def _windows(studio: Studio) -> None:
    with studio.phone() as phone:
        for page in _PAGES:
            phone.action("preferences-page", f"'{page}'")
            window = _window(phone, "Preferences", 680, 1500)
            phone.take_window(window, f"preferences-{page}")
            if page == "phone":
                phone.expect_shown("Region", "push button").do_action("click")
                phone.expect_shown("Search countries", "text")
                phone.take_window(window, "preferences-region")
                pointer.key("Escape")
        phone.action("preferences-page", "'lock'")
        _press(phone, "Set Passcode…")
        phone.expect_shown("Set Passcode", "push button")
        phone.take_window(_window(phone, "Preferences"), "passcode")
        pointer.key("Escape")
        phone.set("number-pad", "'always'")
        phone.action("preferences-page", "'lines'")
        # It is below what the window shows, and comes up with the focus.
        fields = [
            field for field in _window(phone, "Preferences").descendants()
            if field.role == "text" and field.name == phone.word("Prefix")
        ]
        expect(fields != [], "there is no field for a prefix")
        fields[0].grab_focus()
        phone.expect_shown("Done", "push button", "key")
        phone.take_window(_window(phone, "Preferences"), "number-pad")
        pointer.key("Escape", "Escape")
        phone.expect_closed(phone.word("Preferences"))
        pointer.key("ctrl+question")
        phone.take_window(_window(phone, "Keyboard Shortcuts", 560, 1900), "shortcuts")


def _press(phone: PicturedPhone, name: str) -> None:
    """Activate a row of Preferences."""
    row = phone.expect_shown(name, "list item")
    row.grab_focus()
    expect(wait_until(lambda: row.has(State.FOCUSED)), f"{name} does not take the focus")
    pointer.key("Return")


def _window(phone: PicturedPhone, title: str, width: int = 0, height: int = 0) -> Widget:
    """Wait for a window in front, and ask for a size in logical pixels."""
    def front() -> Widget | None:
        window = phone.other(phone.word(title))
        return window if window is not None and window.has(State.ACTIVE) else None

    expect(wait_until(lambda: front() is not None), f"{title} do not open")
    window = front()
    assert window is not None
    if width:
        pointer.resize(phone.word(title), width * phone.scale, height * phone.scale)
        expect(wait_until(lambda: window.extents[3] > 1000), f"{title} do not grow")
    return window


def _account(studio: Studio) -> None:
    """A Jabber account: its password, its certificate, its buddies and a room."""
    session = studio.session
    with Server(session) as server:
        own, other = "ada@localhost", "grace@localhost"
        for address in (own, other):
            server.register(address.partition("@")[0])
        with studio.phone() as phone:
            phone.action("preferences-page", "'lines'")
            _press(phone, "Add Account…")
            phone.take_window(_window(phone, "Preferences", 680, 1500), "sip-account-form")
        set_account(session, server, own, password=False)
        session.run("gsettings", "set", APP_ID, "jabber-pinned-certificate", "''")
        with Person(server, other) as grace, studio.phone() as phone:
            grace.enter(_ROOM, "Grace")
            password = phone.expect_shown("Password", "password text")
            phone.take("account-password")
            _sign_in(password)
            expect(wait_until(lambda: phone.find(phone.word("Account…"), "push button") is not None), "no problem")
            phone.take("account-problem")
            phone.action("preferences-page", "'messages'")
            phone.take_window(_window(phone, "Preferences", 680, 1500), "account-certificate")
            phone.expect_shown("Trust This Certificate", "push button").do_action("click")
            _sign_in(phone.expect_shown("Password", "password text"))
            phone.take_window(_window(phone, "Preferences"), "account-online")
            pointer.key("Escape")
            phone.take("account-without-buddies")
            grace.befriend(own)
            accept = phone.expect_shown("Accept", "push button", "button")
            phone.take("request")
            accept.do_action("click")
            grace.send(own, "Have you seen this? https://example.org/engine")
            grace.send(own, "Or call +1 555 867 5309 ;-)")
            grace.say(_ROOM, "Tea at four?")
            phone.take("buddies")
            session.run("gapplication", "launch", APP_ID, f"xmpp:{_ROOM}?join")
            phone.expect_shown("Room", "text")
            phone.take("join-room", is_menu=True)
            pointer.key("Return")
            grace.say(_ROOM, "ada: scones?")
            pointer.key("alt+1")
            phone.take("room")
            _take_room_settings(studio.session, phone)
            server.stop()
            phone.take("disconnected")


def _take_room_settings(session: Session, phone: PicturedPhone) -> None:
    """Create a room, whose owner can change its settings."""
    session.run("gapplication", "launch", APP_ID, "xmpp:club@rooms.localhost?join")
    phone.expect_shown("Room", "text")
    pointer.key("Return")
    create = phone.expect_shown("Create", "push button", "button")
    phone.take("room-new", is_menu=True)
    create.do_action("click")
    buddies = phone.expect_shown("Buddies", "list box")
    club: list[Widget] = []

    def is_there() -> bool:
        club[:] = [row for row in _rows(buddies) if "club" in row.name]
        return bool(club)

    expect(wait_until(is_there), "the room does not appear")
    club[0].grab_focus()
    expect(wait_until(lambda: club[0].has(State.FOCUSED)), "the room does not take the focus")
    pointer.key("shift+F10")
    phone.expect_shown("Room Settings…", "menu item").do_action("click")
    phone.expect_shown("Save", "push button")
    phone.take("room-settings", is_menu=True)
    pointer.key("Escape")


def _memory(studio: Studio) -> None:
    """MEM while it waits, with keys that watch extensions of an office, and while it stores."""
    session = studio.session
    kept = {1: "5558675309", 2: "102", 3: "103", 4: "104", 6: "+442079460958", 8: "5550142"}
    with passcode.Keyring(session), Office() as office, studio.phone() as phone:
        for digit, number in kept.items():
            phone.action("enter", f"'{number}'")
            pointer.key("ctrl+shift+e")
            pointer.key(str(digit))
            phone.expect_status(phone.status_word("STORED {digit}"))
        phone.action("clear")
        add_with_keyring(session, office, phone, "1001", transport="udp")
        office.expect("REGISTER")
        account = f"{APP_ID}.SipAccount:/io/github/touchtone/Touchtone/sip/work/"
        session.run("gsettings", "set", account, "extensions", "['102', '103', '104']")
        for number in ("102", "103", "104"):
            office.expect(f"SUBSCRIBE sip:{number}@")
        for number, calls in (("102", ""), ("103", Office.ringing()), ("104", Office.BUSY)):
            office.tell(number, calls)
        pointer.key("ctrl+e")
        phone.expect_status(phone.status_word("MEMORY"))
        phone.take("memory", is_menu=True)
        pointer.key("Escape")
        phone.action("enter", "'5550199'")
        pointer.key("ctrl+shift+e")
        phone.expect_status(phone.status_word("MEMORY"))
        phone.take("memory-store", is_menu=True)
        pointer.key("Escape")
        phone.set("sip-accounts", "[]")


def _several(studio: Studio) -> None:
    """The list of four calls."""
    with studio.phone() as phone:
        phone.set("dial-line", "'practice'")
        for number in ("8675309", "5558675309", "0", "5550142"):
            if number != "8675309":
                pointer.key("ctrl+shift+s")
                phone.expect_caption(phone.word("SECOND NUMBER?", "segment display"))
            _call(phone, number, "0:0")
        pointer.key("ctrl+shift+h")
        phone.expect_shown("Call Another Number", "push button")
        phone.take("calls-now", is_menu=True)
        pointer.key("Escape")


def _mobile(studio: Studio) -> None:
    """A mobile in Preferences."""
    with BlueZ(studio.session) as bluez, studio.phone() as phone:
        bluez.connect()
        phone.action("preferences-page", "'lines'")
        phone.take_window(_window(phone, "Preferences", 680, 1500), "preferences-mobile")


def _setup(studio: Studio) -> None:
    """Accounts from a web address."""
    with setup_scenarios.offering(studio.session) as (offer, _, trust), studio.phone(environment=trust) as phone:
        studio.set_up(offer.url)
        window = _window(phone, "Preferences", 680, 1500)
        phone.take_window(window, "setup-address")
        phone.expect_shown("Get Accounts", "push button").do_action("click")
        phone.expect_shown("ada@127.0.0.1:1", "check box")
        phone.take_window(window, "setup-accounts")


def _sign_in(password: Widget) -> None:
    """Type the password of the account."""
    password.grab_focus()
    expect(wait_until(lambda: password.has(State.FOCUSED)), "the password does not take the focus")
    pointer.write("secret")
    pointer.key("Return")


#: The scenes by name.
SCENES: dict[str, Callable[[Studio], None]] = {
    "first": _first, "messages": _messages, "people": _people, "calls": _calls, "deck": _deck, "lock": _lock,
    "windows": _windows, "account": _account, "memory": _memory, "several": _several, "mobile": _mobile, "setup": _setup,
}
