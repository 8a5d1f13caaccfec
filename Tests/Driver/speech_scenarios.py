# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios in which a screen reader listens while the keyboard alone works the phone. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

import passcode
import pointer
from accessibility import State, pass_time, wait_until
from jabber import Person, Server
from messages import expect_buddy, field, preference, set_account
from messages import said as visible
from notifications import Notifications
from passcode import Keyring
from phone import Phone, eventually, expect
from reach import choose, expect_reachable, open_row, press_button, tab_to
from registry import scenario
from screen_reader import ScreenReader
from session import Session

ROOM = "tea@rooms.localhost"
#: A time after which nothing more is announced.
_QUIET = 1.3


@scenario
def spoken_calls(session: Session, program: Path) -> None:
    """A screen reader says each number and each state of a call once, in their order."""
    with Notifications(session) as desktop, Phone(session, program) as phone:
        reader = ScreenReader(phone.window)
        said: list[str] = []

        def expect_said(*texts: str) -> None:
            said.extend(texts)
            reader.expect_notices(*said)

        # A number that is typed on a slow machine would be said in parts.
        phone.action("enter", "'5550103'")
        expect_said("555-0103")
        pointer.key("BackSpace")
        expect_said("555-010")
        pointer.key("ctrl+BackSpace")
        expect_said("Number cleared")
        phone.action("enter", "'5550100'")
        expect_said("555-0100")
        pointer.key("Return")
        expect_said("dialling", "busy")
        pointer.key("Return")
        phone.expect_status("READY")
        # The number is said before the states of its call, although the user does not pause.
        phone.action("enter", "'5550103'")
        pointer.key("Return")
        expect_said("555-0103", "dialling", "ringing")
        pointer.key("ctrl+d")
        expect_said("ended")
        phone.action("enter", "'0'")
        pointer.key("Return")
        expect_said("0", "dialling", "ringing", "connected")
        pointer.key("ctrl+m")
        expect_said("Microphone off")
        pointer.key("ctrl+m")
        expect_said("Microphone on")
        pointer.key("ctrl+h")
        expect_said("on hold")
        pointer.key("ctrl+h")
        expect_said("connected")
        pointer.key("ctrl+d")
        expect_said("ended *")
        _expect_called(phone, desktop, reader, said)
        reader.close()


def _expect_called(phone: Phone, desktop: Notifications, reader: ScreenReader, said: list[str]) -> None:
    """The desktop's notification announces a call; a quiet phone announces it itself."""
    for is_quiet in (False, True):
        phone.set("do-not-disturb", "true" if is_quiet else "false")
        # The second time, the number is on the display already, and known.
        phone.action("enter", "'5550104'")
        pointer.key("Return")
        phone.expect_status("RINGING")
        pointer.key("ctrl+d")
        phone.expect_caller("555-0104")
        said += [] if is_quiet else ["555-0104"]
        said += ["dialling", "ringing", "ended", *(["call from 555-0104"] if is_quiet else [])]
        if not is_quiet:
            desktop.wait(lambda shown: [note["title"] for note in shown] == ["555-0104 is calling"], "nobody calls")
        pointer.key("Return")
        said.append("connected")
        reader.expect_notices(*said)
        pointer.key("ctrl+d")
        said.append("ended *")
        reader.expect_notices(*said)
    pass_time(_QUIET)
    reader.expect_notices(*said)


@scenario
def spoken_messages(session: Session, program: Path) -> None:
    """A screen reader says each message once, in order; only notifications announce those out of view."""
    with Keyring(session), Server(session) as server, Notifications(session) as desktop:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace, Phone(session, program) as phone:
            reader = ScreenReader(phone.window)
            grace.befriend(own)
            said = [f"{other} wants to see when you are online"]
            reader.expect_notices(*said)
            press_button(reader, "Accept")
            expect_buddy(phone, f"{other}, online")
            reader.expect_line("Buddies list box")
            since = len(reader.lines)
            open_row(phone, reader, f"{other}, online")
            reader.expect_line(f"Message text Message {other}", since)
            for text in ("one", "two", "three"):
                grace.send(own, text)
                said.append(f"{other}: {text}")
                reader.expect_notices(*said)
            pointer.write("hello")
            pointer.key("Return")
            grace.wait_message("hello")
            # Elsewhere in the window, the conversation is still in view.
            pointer.key("Tab")
            grace.send(own, "four")
            said.append(f"{other}: four")
            reader.expect_notices(*said)
            expect(desktop.count == 0, f"messages in view are notified of: {desktop.shown}")
            _hear_room(phone, reader, grace, desktop, said)
            grace.send(own, "out of view")
            desktop.wait(lambda shown: any(note["body"] == "out of view" for note in shown), "no notification")
            pass_time(_QUIET)
            reader.expect_notices(*said)
            reader.close()


def _hear_room(
    phone: Phone, reader: ScreenReader, grace: Person, desktop: Notifications, said: list[str]
) -> None:
    """Join a room by the keyboard and hear what is said there."""
    grace.enter(ROOM, "Grace")
    pointer.key("alt+1")
    press_button(reader, "Messages menu")
    choose(reader, "Join Room…")
    reader.expect_line("Room text")
    pointer.write(ROOM)
    pointer.key("Return")
    expect_buddy(phone, "tea, room")
    open_row(phone, reader, "tea, room")
    for text in ("welcome", "ada: tea?"):
        grace.say(ROOM, text)
        said.append(f"Grace: {text}")
        reader.expect_notices(*said)
    expect(desktop.count == 0, f"messages in view are notified of: {desktop.shown}")


@scenario
def real_time_text(session: Session, program: Path) -> None:
    """What is typed is seen at once where both want it, spoken by word, and replaced by its message."""
    with Keyring(session), Server(session) as server, Notifications(session) as desktop:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace, Phone(session, program) as phone:
            reader = ScreenReader(phone.window)
            grace.befriend(own)
            said = [f"{other} wants to see when you are online"]
            reader.expect_notices(*said)
            press_button(reader, "Accept")
            expect_buddy(phone, f"{other}, online")
            grace.wait(lambda event: event["event"] == "presence" and event["sender"] == own, "does not see her")
            open_row(phone, reader, f"{other}, online")
            # She wants it, and the user is asked: nothing is shown, and nothing is told.
            grace.type(own, "event='init'")
            said.append(f"{other} asks for real-time text: each of you sees what the other types.")
            reader.expect_notices(*said)
            grace.type(own, "event='new' seq='1'", "<t>too early</t>")
            grace.send(own, "Tea?")
            said.append(f"{other}: Tea?")
            reader.expect_notices(*said)
            pointer.write("No")
            press_button(reader, "Allow")
            grace.wait_typed("init")
            said.append(f"{other} can see what you type.")
            reader.expect_notices(*said)
            grace.wait_typed("new", "No")
            grace.type(own, "event='new' seq='7'", "<t>Gladly, at no</t>")
            said.append("Gladly, at")
            reader.expect_notices(*said)
            typing = (f"{other} is typing…", "Gladly, at no")
            eventually(lambda: tuple(visible(phone)[-1:]) == (typing,), lambda: f"there is {visible(phone)}")
            grace.type(own, "seq='8'", "<e n='2'/><w n='100'/><t>five?</t>")
            typing = (f"{other} is typing…", "Gladly, at five?")
            eventually(lambda: tuple(visible(phone)[-1:]) == (typing,), lambda: f"there is {visible(phone)}")
            grace.send(own, "Gladly, at five?")
            said.append(f"{other}: five?")
            reader.expect_notices(*said)
            eventually(
                lambda: visible(phone) == [(other, "Tea?"), (other, "Gladly, at five?")],
                lambda: f"there is {visible(phone)}")
            # The rest of the answer is seen, and its message takes its place.
            field(phone).grab_focus()
            expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "the field does not take the focus")
            pointer.key("End")
            pointer.write("w")
            # On a slow machine, the whole text is repeated.
            grace.wait(lambda event: event["event"] == "typed" and event["text"] in ("w", "Now"), "does not see it")
            pointer.key("Return")
            grace.wait_message("Now")
            grace.type(own, "event='cancel'")
            said.append(f"{other} can no longer see what you type.")
            reader.expect_notices(*said)
            expect(desktop.count == 0, f"what is typed is notified of: {desktop.shown}")
            reader.close()


@scenario
def spoken_lock(session: Session, program: Path) -> None:
    """The lock screen says how many digits are entered and why it waits, and no digit and no text behind it."""
    passcode.set_passcode(session, "1234")
    with Phone(session, program) as phone:
        reader = ScreenReader(phone.window)
        pointer.key("1")
        reader.expect_line("1 of 4 digits entered")
        pointer.key("2", "3", "4")
        expect(wait_until(lambda: phone.find("Dial", "push button") is not None), "the phone does not open")
        reader.expect_line("Display panel")
        phone.action("enter", "'5550103'")
        reader.expect_notices("555-0103")
        pointer.key("ctrl+l")
        reader.expect_line("Passcode panel 0 of 4 digits entered")
        since = len(reader.lines)
        pointer.key(*"0000")
        said = ["555-0103", "4 attempts left before a 10-minute wait"]
        reader.expect_notices(*said)
        reader.expect_line("0 of 4 digits entered", since)
        rows = [line for line in reader.lines[since:] if "digits entered" in line]
        expect(rows == [f"{count} of 4 digits entered" for count in (1, 2, 3, 4, 0)], f"the row says {rows}")
        pointer.key(*"1234")
        expect(wait_until(lambda: phone.find("Dial", "push button") is not None), "the phone does not open")
        pass_time(_QUIET)
        reader.expect_notices(*said)
        reader.close()


@scenario
def spoken_emergency(session: Session, program: Path) -> None:
    """By keyboard and ear alone, somebody finds the emergency call of a locked phone, which reaches no line here."""
    passcode.set_passcode(session, "1234")
    with Phone(session, program) as phone:
        phone.set("dial-line", "'practice'")
        reader = ScreenReader(phone.window)
        tab_to(reader, "Emergency Call")
        pointer.key("space")
        reader.expect_line("Emergency number panel")
        pointer.key(*"112")
        reader.expect_line("112")
        pointer.key("Return")
        reader.expect_notices(
            "Only emergency numbers can be called from here.", "This is an emergency number.",
            "This phone cannot reach help now. Use another telephone.")
        pointer.key("Escape")
        reader.expect_line("Passcode panel 0 of 4 digits entered")
        reader.close()


@scenario
def keyboard_reaches_all(session: Session, program: Path) -> None:
    """On each page, each widget has a name, Tab and the arrow keys reach it, and no widget holds the focus."""
    with Phone(session, program) as phone:
        reader = ScreenReader(phone.window)
        phone.set("number-pad", "always")
        phone.type("5551212")
        pointer.key("ctrl+n")
        reader.expect_line("Name text")
        expect_reachable(reader, phone.window, "the form for a contact")
        tab_to(reader, "Name")
        pointer.write("Ada")
        press_button(reader, "Save")
        expect(wait_until(lambda: phone.find("Edit", "push button") is not None), "the contact is not shown")
        expect_reachable(reader, phone.window, "a contact")
        pointer.key("Escape")
        expect_reachable(reader, phone.window, "the contacts")
        tab_to(reader, "Display")
        pointer.key("ctrl+BackSpace")
        phone.type("0")
        pointer.key("Return")
        phone.expect_in_call(1)
        expect_reachable(reader, phone.window, "a call")
        tab_to(reader, "Display")
        pointer.key("ctrl+k", "ctrl+k", "ctrl+s")
        phone.type("0")
        pointer.key("Return")
        phone.expect_in_call(1)
        expect_reachable(reader, phone.window, "two calls")
        pointer.key("ctrl+j", "ctrl+d", "ctrl+d")
        expect(wait_until(lambda: phone.find("Redial", "push button") is not None), "the calls do not end")
        since = len(reader.lines)
        pointer.key("alt+2")
        reader.expect_line("list item", since)
        expect_reachable(reader, phone.window, "the calls")
        pointer.key("alt+1", "Return")
        expect(wait_until(lambda: field(phone).has(State.FOCUSED)), "the conversation does not open")
        pointer.write("help")
        pointer.key("Return")
        reader.expect_line(f"{_OPERATOR}: ")
        expect_reachable(reader, phone.window, "a conversation")
        _walk_preferences(phone, reader)
        reader.close()


_OPERATOR = "Operator"


def _walk_preferences(phone: Phone, reader: ScreenReader) -> None:
    pointer.key("ctrl+comma")
    for page in ("phone", "lines", "messages", "lock", "about"):
        phone.action("preferences-page", f"'{page}'")
        tab = preference(phone, "radio button", page.capitalize())
        expect(wait_until(lambda: tab.has(State.CHECKED)), f"the page {page} is not shown")
        window = phone.other("Preferences")
        assert window is not None
        expect_reachable(reader, window, f"the page {page} of Preferences")
    pointer.key("Escape")
    phone.expect_closed("Preferences")
