# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the whole program: `scenarios.py --program PATH [--wayland] NAME`.

The exit status is 0 if the test passes, 1 if it fails, 69 if the kernel cannot run it, 75 if it fails while the machine paused
during a recording, and 77 if a peer program is missing; standard error has the reason. `--list` prints the names.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from pathlib import Path

import pointer
import wayland
from accessibility import State, Widget, pass_time, wait_until
from phone import APP_ID, BUTTONS, OBJECT_PATH, Mismatch, Phone, expect
from portal import DEFAULT, PREFER_DARK, Portal
from processes import DISTURBED, SKIPPED, UNAVAILABLE, MissingPeer, Unavailable
from registry import BY_NAME, ON_WAYLAND, SCENARIOS, on_wayland, scenario
from screenshot import wait_brightness
from session import CHECKOUT, Session
from sound import machine_paused
from telephony import NAME, TelHandler, install_own_entry, set_default_handler

import account_scenarios  # noqa: F401  It adds its scenarios to the list.
import call_scenarios  # noqa: F401
import client_omemo_scenarios  # noqa: F401
import client_scenarios  # noqa: F401
import desktop_scenarios  # noqa: F401
import end_scenarios  # noqa: F401
import file_scenarios  # noqa: F401
import irc_scenarios  # noqa: F401
import jabber_call_scenarios  # noqa: F401
import lock_scenarios  # noqa: F401
import machine_scenarios  # noqa: F401
import message_scenarios  # noqa: F401
import mobile_scenarios  # noqa: F401
import number_scenarios  # noqa: F401
import omemo_scenarios  # noqa: F401
import people_scenarios  # noqa: F401
import protection_scenarios  # noqa: F401
import reply_scenarios  # noqa: F401
import room_scenarios  # noqa: F401
import scripting_scenarios  # noqa: F401
import several_call_scenarios  # noqa: F401
import setup_scenarios  # noqa: F401
import sip_scenarios  # noqa: F401
import sound_scenarios  # noqa: F401
import speech_scenarios  # noqa: F401
import theme_scenarios  # noqa: F401
import voice_scenarios  # noqa: F401
import walk_scenarios  # noqa: F401
import webrtc_call_scenarios  # noqa: F401

# The window


@scenario
@on_wayland
def names_and_roles(session: Session, program: Path) -> None:
    """Assistive tools find all widgets by their specified names."""
    with Phone(session, program) as phone:
        expect(phone.window.name == "Touchtone", f"the window is named {phone.window.name!r}")
        if wayland.is_here():
            expect(wait_until(lambda: wayland.app_id("Touchtone") == APP_ID), "the window has no app id")
        names = [*"0123456789", "star", "pound", "Delete", "Dial", "Redial", "Memory", "Messages", "Lock"]
        shown = [(widget.role, widget.name) for widget in phone.widgets()]
        for name in names:
            there = [role for role, other in shown if other == name and role in BUTTONS]
            expect(len(there) == 1, f"{len(there)} buttons are named {name!r}; shown are {shown}")
        for name in (*"0123456789", "star", "pound", "Delete", "Dial"):
            expect(("push button", name) in shown, f"{name!r} is no push button")
        expect(phone.display() == "", f"the display starts with {phone.display()!r}")
        expect(phone.status() != "", "the status line starts empty")
        named = {widget.name for widget in phone.widgets() if widget.role in BUTTONS}
        expect("" not in named, "a button has no name")


@scenario
def click_number(session: Session, program: Path) -> None:
    """Clicking keys enters a number, also at high speed."""
    with Phone(session, program) as phone:
        phone.press("5")
        phone.expect_display("5")  # at the press, not at the release
        phone.release()
        shown = "5"
        for key, text in zip("558675309", (
            "55", "555", "555-8", "555-86", "555-867", "555-8675", "(555) 867-53", "(555) 867-530", "(555) 867-5309"
        )):
            phone.click(key)
            phone.expect_display(text)
            shown = text
        for key, text in zip(("Delete",) * 3, ("(555) 867-530", "(555) 867-53", "555-8675")):
            phone.click(key)
            phone.expect_display(text)
        phone.clear()
        phone.click(*"1234567890", "*", "#")
        phone.expect_display("1234567890*#")
        phone.clear()
        phone.click("5", "5", "5", "5")  # a double click is two presses
        phone.expect_display("555-5")
        phone.clear()
        phone.press("7")
        phone.expect_display("7")
        pointer.move(1, 1)  # slides off the key, and is released elsewhere
        phone.release()
        phone.click("8")
        phone.expect_display("78")
        expect(shown == "(555) 867-5309", shown)


@scenario
@on_wayland
def type_number(session: Session, program: Path) -> None:
    """Typing enters numbers and phonewords, with both rows of digits."""
    with Phone(session, program) as phone:
        phone.type("5558675309")
        phone.expect_display("(555) 867-5309")
        phone.clear()
        pointer.key(*(f"KP_{digit}" for digit in "5551234"))
        phone.expect_display("555-1234")
        phone.clear()
        pointer.key("KP_End", "KP_Down", "KP_Next", "KP_Left", "KP_Begin", "KP_Insert")  # without NumLock
        phone.expect_display("123-450")
        phone.clear()
        phone.type("FLOWERS")
        phone.expect_display("356-9377")
        phone.clear()
        phone.type("+442079460958")
        phone.expect_display("+44 20 7946 0958")
        phone.clear()
        phone.type("*69#")
        phone.expect_display("*69#")
        pointer.key("BackSpace")
        phone.expect_display("*69")
        phone.clear()
        pointer.key("BackSpace")
        phone.type("1" * 40)
        phone.expect_display("1" * 40)
        phone.type("2")
        phone.expect_status("FULL")
        phone.expect_display("1" * 40)


@scenario
def auto_repeat(session: Session, program: Path) -> None:
    """A held key enters its digit once; keys held together enter one digit each."""
    with Phone(session, program) as phone:
        pointer.key_down("5")
        phone.expect_display("5")
        pass_time(1.2)  # the X server repeats after 0.66 s
        pointer.key_up("5")
        phone.type("6")
        phone.expect_display("56")
        phone.clear()
        pointer.key_down("1")
        pointer.key_down("2")
        pointer.key_up("1")
        pointer.key_down("3")
        pointer.key_up("3")
        pointer.key_up("2")
        phone.expect_display("123")


@scenario
@on_wayland
def keyboard_only(session: Session, program: Path) -> None:
    """Tab and the arrow keys reach every key, and the space bar presses it."""
    with TelHandler(session) as handler, Phone(session, program) as phone:
        wanted = {"0", "5", "star", "pound", "Delete", "Dial", "Redial", "Messages"}
        reached: set[str] = set()
        for key in ["Tab"] * 30 + ["Down"] * 6 + ["Right"] * 3 + ["Up"] * 6 + ["Left"] * 3:
            before = _focused(phone)
            if before is not None:
                reached.add(before.name)
            pointer.key(key)
            wait_until(lambda: not before.has(State.FOCUSED) if before else _focused(phone) is not None, 0.5)
            if wanted <= reached:
                break
        focusable = {
            widget.name for widget in phone.widgets() if widget.role in BUTTONS and widget.has(State.FOCUSABLE)
        }
        expect(wanted & focusable <= reached, f"the keyboard does not reach {sorted(wanted & focusable - reached)}")
        phone.button("5").grab_focus()
        phone.clear()
        pointer.key("space")
        phone.expect_display("5")
        phone.button("Delete").grab_focus()
        pointer.key("space")
        phone.expect_display("")
        phone.type("5551212")
        pointer.key("KP_Enter")
        phone.expect_status(NAME)
        expect(handler.next_link() == "tel:5551212", "the handler got another link")


def _focused(phone: Phone) -> Widget | None:
    return next((widget for widget in phone.window.shown() if widget.has(State.FOCUSED)), None)


@scenario
def accessible_actions(session: Session, program: Path) -> None:
    """Assistive tools press the keys without a pointer."""
    with Phone(session, program) as phone:
        for name in ("5", "star", "pound", "0"):
            phone.button(name).do_action("click")
        phone.expect_display("5*#0")
        phone.button("Delete").do_action("click")
        phone.expect_display("5*#")
        pass_time(0.7)  # this is no held key, so there is no long press
        phone.expect_display("5*#")


@scenario
def long_press(session: Session, program: Path) -> None:
    """Holding 0 enters +, and holding DEL clears, by pointer and by keyboard."""
    with Phone(session, program) as phone:
        for down, up in (
            (lambda: phone.press("0"), phone.release),
            (lambda: pointer.key_down("0"), lambda: pointer.key_up("0")),
        ):
            down()
            phone.expect_display("0")
            phone.expect_display("+")
            up()
            phone.type("442")
            phone.expect_display("+44 2")
            phone.clear()
        phone.click("0")
        pass_time(0.7)  # released in time, so there is no +
        phone.expect_display("0")
        for down, up in (
            (lambda: phone.press("Delete"), phone.release),
            (lambda: pointer.key_down("BackSpace"), lambda: pointer.key_up("BackSpace")),
        ):
            phone.clear()
            phone.type("5551212")
            phone.expect_display("555-1212")
            down()
            phone.expect_display("555-121")
            phone.expect_display("")
            up()


# Input from outside


#: Texts with a number, and how it is displayed.
GENEROUS = {
    "555.867.5309": "(555) 867-5309",
    " (555)/867-5309\n": "(555) 867-5309",
    "1-800-FLOWERS": "18003569377",
    "\u202e5558675309\u202c": "(555) 867-5309",
    "5\u200b5\u200d5\ufeff1212": "555-1212",
    "٥٥٥١٢١٢": "555-1212",
    "５５５１２１２": "555-1212",
    "📞 555-1212": "555-1212",
    "*69": "*69",
}
#: Texts without a number, or with one that is too long, and the resulting status.
REFUSED = {"": "NO NUMBER", "¿?!": "NO NUMBER", "📞😀": "NO NUMBER", "\x07\x1b[?!": "NO NUMBER", "9" * 41: "TOO LONG"}


@scenario
@on_wayland
def paste(session: Session, program: Path) -> None:
    """Pasting accepts numbers in many forms; a text without a number changes nothing except the status."""
    with Phone(session, program) as phone:
        for text, shown in GENEROUS.items():
            phone.clear()
            phone.paste(text)
            phone.expect_display(shown)
        phone.clear()
        phone.paste("5551212")
        phone.expect_display("555-1212")
        for text, said in REFUSED.items():
            if text:
                phone.paste(text)
                phone.expect_status(said)
                phone.expect_display("555-1212")
                phone.type("3")
                pointer.key("BackSpace")
                phone.expect_status("READY")
        phone.paste("9" * 10_000_000)
        phone.expect_status("TOO LONG")
        phone.paste("5558675309")
        phone.expect_display("(555) 867-5309")
        pointer.set_clipboard("something else")
        pointer.key("ctrl+c")
        phone.expect_status("COPIED")
        copied = pointer.wait_clipboard("(555) 867-5309")
        expect(copied == "(555) 867-5309", f"the clipboard holds {copied!r}")


@scenario
def actions_on_the_bus(session: Session, program: Path) -> None:
    """Scripts enter, clear and dial over D-Bus, whatever they send."""
    with TelHandler(session) as handler, Phone(session, program) as phone:
        phone.action("enter", "'5558675309'")
        phone.expect_display("(555) 867-5309")
        phone.action("dial")
        expect(handler.next_link() == "tel:5558675309", "the handler got another link")
        phone.expect_status(NAME)
        phone.clear()
        for text, shown in GENEROUS.items():
            _enter(phone, text)
            phone.expect_display(shown)
        phone.clear()
        _enter(phone, "5551212")
        for text, said in REFUSED.items():
            _enter(phone, text)
            phone.expect_status(said)
            phone.expect_display("555-1212")
            phone.type("3")
            pointer.key("BackSpace")
            phone.expect_status("READY")
        for megabytes in ("x", "9", "١", "\u202e"):
            _enter(phone, megabytes * 10_000_000)
            phone.expect_display("555-1212")
        _enter(phone, "555" + "-" * 10_000_000 + "1313")
        phone.expect_display("555-1212")
        # GTK rejects parameters of the wrong type; nothing changes.
        for name, parameters in (("enter", "[<5>]"), ("enter", "[]"), ("dial", "[<'x'>]"), ("nonsense", "[]")):
            session.run(
                "gdbus", "call", "--session", "--dest", APP_ID, "--object-path", OBJECT_PATH,
                "--method", "org.gtk.Actions.Activate", name, parameters, "{}",
            )
        phone.expect_display("555-1212")
        expect(not handler.was_started(within=0.3), "an action without a person's hand has dialled")
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended the program with an error")


def _enter(phone: Phone, text: str) -> None:
    """Activate `enter` with a text that may be too long for a command line."""
    from gi.repository import Gio, GLib

    bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
    bus.call_sync(
        APP_ID, OBJECT_PATH, "org.gtk.Actions", "Activate",
        GLib.Variant("(sava{sv})", ("enter", [GLib.Variant("s", text)], {})),
        None, Gio.DBusCallFlags.NONE, 30_000, None,
    )


@scenario
@on_wayland
def single_instance(session: Session, program: Path) -> None:
    """A second instance passes its link to the running phone and exits."""
    with TelHandler(session) as handler, Phone(session, program) as phone:
        for link, shown in {
            "tel:5558675309": "(555) 867-5309",
            "tel:+44-20-7946-0958": "+44 20 7946 0958",
            "TEL:%2A69": "*69",
            "tel:555-1212;phone-context=example.com": "555-1212",
        }.items():
            second = session.run(program, link)
            expect(second.returncode == 0, f"{link}: exit status {second.returncode}: {second.stderr}")
            expect(not second.stderr, f"{link}: standard error says {second.stderr!r}")
            phone.expect_display(shown)
        second = session.run(program)
        expect(second.returncode == 0, f"a start without a link: exit status {second.returncode}")
        phone.expect_display("555-1212")
        expect(not handler.was_started(within=0.5), "a link has dialled by itself")


@scenario
@on_wayland
def link_never_dials(session: Session, program: Path) -> None:
    """A phone started with a link fills in the number and waits."""
    with TelHandler(session) as handler, Phone(session, program, "tel:+15558675309") as phone:
        wait_until(lambda: phone.display() != "")
        digits = "".join(filter(str.isdigit, phone.display()))
        expect(digits == "15558675309", f"the display shows {phone.display()!r}")
        expect(not handler.was_started(within=1.0), "the link has dialled by itself")
        phone.click("Dial")
        expect(handler.next_link() == "tel:+15558675309", "Dial called another number")


@scenario
def command_line(session: Session, program: Path) -> None:
    """Help and version need no display; an invalid command line prints an error and exits with status 2."""
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS")}
    for option, word in (("--help", "touchtone"), ("--version", "0.")):
        done = session.run(program, option, env=bare)
        expect(done.returncode == 0, f"{option}: exit status {done.returncode}: {done.stderr}")
        expect(word in done.stdout and not done.stderr, f"{option} prints {done.stdout!r} and {done.stderr!r}")
    wrong = [
        ["--nonsense"], ["-x"], ["5558675309"], ["https://example.com/"], ["tel:1", "tel:2"], ["--help=1"],
        ["\u202e--help"], ["tel"], ["x" * 100_000],
    ]
    for arguments in wrong:
        done = session.run(program, *arguments, env=bare)
        shown = " ".join(arguments)[:40]
        expect(done.returncode == 2, f"{shown!r}: exit status {done.returncode}: {done.stderr}")
        expect(done.stderr.startswith("touchtone: "), f"{shown!r}: standard error says {done.stderr[:200]!r}")
        expect(not done.stdout, f"{shown!r}: standard output says {done.stdout[:200]!r}")
        expect(len(done.stderr) < 2000, f"{shown!r}: standard error repeats it all")
        expect("\u202e" not in done.stderr, "standard error repeats a control character")
    done = session.run(program, env=bare)
    expect(done.returncode == 1 and bool(done.stderr), f"no display: exit status {done.returncode}, {done.stderr!r}")


# Dial


@scenario
@on_wayland
def dial(session: Session, program: Path) -> None:
    """Dial passes the number as a tel: link, by click, with Return, and again with Redial."""
    with TelHandler(session) as handler, Phone(session, program) as phone:
        for number, shown, link in (
            ("5558675309", "(555) 867-5309", "tel:5558675309"),
            ("+442079460958", "+44 20 7946 0958", "tel:+442079460958"),
            ("*69#", "*69#", "tel:*69%23"),
        ):
            phone.clear()
            phone.type(number)
            phone.expect_display(shown)  # a click may arrive before the keys
            phone.click("Dial")
            got = handler.next_link()
            expect(got == link, f"the handler got {got!r}, not {link!r}")
            phone.expect_status(NAME)
        phone.clear()
        pointer.key("Return")
        phone.expect_display("*69#")
        expect(not handler.was_started(within=0.5), "the first Return on no number has dialled")
        pointer.key("Return")
        expect(handler.next_link() == "tel:*69%23", "the second Return called another number")
        phone.clear()
        phone.click("Redial")
        phone.expect_display("*69#")
        expect(not handler.was_started(within=0.5), "Redial has dialled by itself")
        # The dial rules change the number that is dialled, but not the display.
        phone.set("region", "'GB'")
        phone.set("form", "'international'", line="tel")
        phone.action("enter", "'02079460958'")
        phone.click("Dial")
        got = handler.next_link()
        expect(got == "tel:+442079460958", f"written internationally the handler got {got!r}")
        phone.set("prefix", "'9'", line="tel")
        phone.click("Dial")
        got = handler.next_link()
        expect(got == "tel:902079460958", f"with a prefix the handler got {got!r}")
        phone.expect_display("02079460958")


@scenario
def dial_without_handler(session: Session, program: Path) -> None:
    """Without a handler, the tel: line says so, and the number stays."""
    with Phone(session, program) as phone:
        phone.set("dial-line", "'tel'")
        phone.click("Dial")
        expect(phone.display() == "", "Dial on an empty display shows a number")
        phone.type("5551212")
        phone.click("Dial")
        phone.expect_status("NO TEL: APP")
        phone.expect_display("555-1212")


@scenario
def emergency_numbers(session: Session, program: Path) -> None:
    """An emergency number is named, sent as typed, and never given to the practice exchange."""
    with Phone(session, program) as phone:
        phone.set("dial-line", "'practice'")
        for region, number in (("'DE'", "110"), ("'GB'", "999"), ("'US'", "112"), ("'FR'", "911")):
            phone.set("region", region)
            phone.clear()
            phone.type(number)
            phone.expect_caption("EMERGENCY NUMBER")
            phone.click("Dial")
            phone.expect_status("CANNOT REACH HELP")
            phone.expect_display(number)
    # The stand-in for another app writes the link into a pipe of this test, and calls nobody.
    with TelHandler(session) as handler, Phone(session, program) as phone:
        phone.set("region", "'DE'")
        phone.set("prefix", "'9'", line="tel")
        phone.set("form", "'international'", line="tel")
        phone.type("110")
        phone.expect_caption("EMERGENCY NUMBER")
        phone.click("Dial")
        got = handler.next_link()
        expect(got == "tel:110", f"the handler got {got!r}")
        phone.type("115")
        phone.expect_display("115")
        phone.click("Dial")
        got = handler.next_link()
        expect(got == "tel:9115", f"for another number the handler got {got!r}")


@scenario
def line_shown(session: Session, program: Path) -> None:
    """Dial uses the line on the display, also while a handler is installed or removed."""
    def shows(line: str) -> bool:
        return any(widget.name == line for widget in phone.widgets() if widget.role == "label")

    with Phone(session, program) as phone:
        expect(shows("PRACTICE"), "the display names no line")
        with TelHandler(session, chosen=False) as handler:
            # There is no input meanwhile.
            expect(wait_until(lambda: shows(NAME.upper())), "the display does not name the line that came")
            phone.action("enter", "'5551212'")
            phone.click("Dial")
            phone.expect_caption("CHOOSE A LINE")
            phone.click(f"Use {NAME}")
            phone.expect_status("READY")
            expect(not handler.was_started(within=0.5), "the choice of a line has dialled")
            phone.click("Dial")
            expect(handler.next_link() == "tel:5551212", "the handler got another link")
            phone.set("dial-line", "''")
        expect(wait_until(lambda: shows("PRACTICE")), "the display still names the line that went")
        phone.action("enter", "'5550100'")
        phone.click("Dial")
        phone.expect_status("BUSY")


@scenario
def delete_stays(session: Session, program: Path) -> None:
    """A pointer that stays on DEL deletes a number of any length: no other key moves under it."""
    names = (*"0123456789", "star", "pound", "Delete", "Dial", "Redial", "Memory", "Messages", "Lock")
    for scale in (1, 2):
        with TelHandler(session) as handler, Phone(session, program, scale=scale) as phone:

            def places() -> dict[str, tuple[int, int, int, int]]:
                return {name: phone.button(name).extents for name in names}

            before = places()
            expect(phone.button("Messages").has(State.CHECKED), "the panel is closed")
            for count in (4, 8, 15, 20, 36, 40):
                phone.action("enter", f"'{'5' * count}'")
                expect(wait_until(lambda: phone.display().count("5") == count), f"{count} digits are not shown")
                expect(places() == before, f"{scale}x: {count} digits move keys")
            phone.clear()
            phone.type("5" * 45)
            phone.expect_display("5" * 40)
            phone.expect_status("FULL")
            spot = phone.center(phone.button("Delete"))
            for _ in range(45):
                pointer.click(*spot)
            phone.expect_display("")
            expect(places() == before, f"{scale}x: keys have moved")
            expect(phone.button("Messages").has(State.CHECKED), "the panel was closed")
            expect(not handler.was_started(within=0.5), "the number was dialled")
            expect(phone.status() == "READY", f"the status line says {phone.status()!r}")


@scenario
def loop_guard(session: Session, program: Path) -> None:
    """Touchtone never passes a link to itself, even if it is the default handler."""
    mark = install_own_entry(session, program)
    set_default_handler(session, f"{APP_ID}.desktop")
    launched = os.open(mark, os.O_RDWR | os.O_NONBLOCK)
    with Phone(session, program) as phone:
        phone.set("dial-line", "'tel'")
        phone.type("5551212")
        phone.click("Dial")
        phone.expect_status("NO TEL: APP")
        # By default, the phone then uses the practice exchange.
        phone.set("dial-line", "''")
        phone.action("enter", "'5550100'")
        phone.click("Dial")
        phone.expect_status("BUSY")
    # Another handler gets the link, although it is not the default.
    with TelHandler(session, default=False) as handler:
        set_default_handler(session, f"{APP_ID}.desktop")
        with Phone(session, program) as phone:
            phone.type("5551212")
            phone.click("Dial")
            expect(handler.next_link() == "tel:5551212", "the other handler got another link")
    try:
        read = os.read(launched, 100)
    except BlockingIOError:
        read = b""
    os.close(launched)
    expect(not read, f"the phone launched itself with {read!r}")


# Settings and installation


@scenario
def settings_from_outside(session: Session, program: Path) -> None:
    """A change of a setting by another process takes effect at once."""
    with Phone(session, program) as phone:
        phone.type("02079460958")
        phone.expect_display("02079460958")
        phone.set("region", "GB")
        phone.set("number-format", "regional")
        phone.expect_display("020 7946 0958")
        phone.set("number-format", "classic")
        phone.expect_display("02079460958")
        toggle = phone.button("Messages")
        down = toggle.has(State.CHECKED)
        phone.set("panel-visible", "false" if down else "true")
        expect(wait_until(lambda: toggle.has(State.CHECKED) != down), "Messages does not follow panel-visible")
        phone.click("Messages")
        expect(wait_until(lambda: toggle.has(State.CHECKED) == down), "a click on Messages does not toggle it")
        told = session.run("gsettings", "get", APP_ID, "panel-visible").stdout.strip()
        expect(told == ("true" if down else "false"), f"panel-visible is {told} after the click")
        for key, value in (("region", "'not a region'"), ("tone-set", "'../../etc'"), ("dial-line", "'nonsense'")):
            phone.set(key, value)
        phone.set("tone-level", "-40.0")
        phone.type("5")
        phone.expect_display("020794609585")


@scenario
@on_wayland
def preferences(session: Session, program: Path) -> None:
    """Preferences open with a shortcut, from the menu and over D-Bus, and changes take effect at once."""
    with Phone(session, program) as phone:
        phone.set("region", "GB")
        phone.type("02079460958")
        phone.expect_display("02079460958")
        pointer.key("ctrl+comma")
        row = _preference(phone, "Number Format")
        row.grab_focus()
        pointer.key("Return", "Down", "Return")
        phone.expect_display("020 7946 0958")
        told = session.run("gsettings", "get", APP_ID, "number-format").stdout.strip()
        expect(told == "'regional'", f"number-format is {told}")
        phone.set("number-format", "classic")
        phone.expect_display("02079460958")
        pointer.key("Escape")
        phone.expect_closed("Preferences")
        phone.action("preferences")
        _preference(phone, "Region")
        phone.action("preferences-page", "'about'")
        _preference(phone, "Version")
        phone.action("preferences-page", "'nonsense'")
        _preference(phone, "Version")
        pointer.key("Escape")
        phone.expect_closed("Preferences")
        pointer.key("F10")
        expect(wait_until(lambda: phone.find("Preferences", *ITEMS) is not None), "F10 opens no menu")
        item = phone.find("Preferences", *ITEMS)
        expect(item is not None, "the menu has no Preferences")
        assert item is not None
        item.do_action("click")
        _preference(phone, "Number Format")


#: The AT-SPI roles of items in a popover menu.
ITEMS = ("push button", "menu item", "check box", "radio button")


def _preference(phone: Phone, title: str) -> Widget:
    """Wait for the row of Preferences with this title, and return it."""
    return _in_preferences(phone, "list item", title)


def _in_preferences(phone: Phone, role: str, name: str) -> Widget:
    """Wait for a widget of Preferences, and return it."""
    found: list[Widget] = []

    def is_there() -> bool:
        window = phone.other("Preferences")
        found[:] = [] if window is None else [
            widget for widget in window.shown() if widget.name == name and widget.role == role
        ]
        return bool(found)

    expect(wait_until(is_there), f"Preferences show no {role} {name!r}")
    return found[0]


@scenario
@on_wayland
def passcode_in_preferences(session: Session, program: Path) -> None:
    """A passcode is set in Preferences with the number pad; locking closes Preferences; the passcode unlocks."""
    with Phone(session, program) as phone:
        phone.set("number-pad", "always")
        pointer.key("ctrl+l")  # without a passcode, this opens the page that sets one
        _preference(phone, "Set Passcode…").grab_focus()
        pointer.key("Return")
        _field(phone, "New Passcode")
        pointer.key(*"1234")
        expect(wait_until(lambda: len(_field(phone, "New Passcode").text) == 4), "the digits do not arrive")
        done = _in_preferences(phone, "push button", "Done")
        done.do_action("click")  # moves to the next field
        expect(wait_until(lambda: _field(phone, "Confirm New Passcode").has(State.FOCUSED)), "DONE keeps the focus")
        pointer.key(*"1234", "Return")
        _preference(phone, "Change Passcode…")
        pointer.key("ctrl+l")
        phone.expect_closed("Preferences")
        expect(wait_until(lambda: phone.find("Passcode", "panel") is not None), "the phone is not locked")
        phone.action("preferences")
        phone.action("preferences-page", "'lock'")
        pass_time(0.5)
        expect(phone.other("Preferences") is None, "Preferences open while the phone is locked")
        pointer.key(*"1234")
        expect(wait_until(lambda: phone.find("Dial", *BUTTONS) is not None), "the passcode does not open the phone")


def _field(phone: Phone, name: str) -> Widget:
    return _in_preferences(phone, "password text", name)


@scenario
@on_wayland
def every_key(session: Session, program: Path) -> None:
    """Each action has a shortcut."""
    with TelHandler(session) as handler, Phone(session, program) as phone:
        phone.type("5551212")
        pointer.key("Return")
        expect(handler.next_link() == "tel:5551212", "the handler got another link")
        pointer.key("ctrl+BackSpace")
        phone.expect_display("")
        pointer.key("ctrl+r")
        phone.expect_display("555-1212")
        pointer.set_clipboard("something else")
        pointer.key("ctrl+c")
        phone.expect_status("COPIED")
        expect(pointer.wait_clipboard("555-1212") == "555-1212", "Ctrl+C copies something else")
        pointer.key("ctrl+BackSpace", "ctrl+v")
        phone.expect_display("555-1212")
        toggle = phone.button("Messages")
        down = toggle.has(State.CHECKED)
        pointer.key("F9")
        expect(wait_until(lambda: toggle.has(State.CHECKED) != down), "F9 does not toggle the panel")
        pointer.key("F1")
        _preference(phone, "Version")
        pointer.key("Escape")
        phone.expect_closed("Preferences")
        pointer.key("ctrl+question")
        # A window is shown before it has the focus.
        expect(
            wait_until(lambda: (keys := phone.other("Keyboard Shortcuts")) is not None and keys.has(State.ACTIVE)),
            "Ctrl+? shows no keys",
        )
        pointer.key("Escape")
        phone.expect_closed("Keyboard Shortcuts")
        pointer.key("ctrl+q")
        expect(phone.wait_end() == 0, "Ctrl+Q ended the program with an error")


@scenario
def dark_room(session: Session, program: Path) -> None:
    """The phone is charcoal while the desktop prefers dark, and cream otherwise."""
    with Portal(session) as portal, Phone(session, program) as phone:
        phone.set("panel-visible", "false")
        expect(wait_brightness(phone, 0.4, 1), "the body is not light at first")
        portal.set_color_scheme(PREFER_DARK)
        expect(wait_brightness(phone, 0, 0.35), "the body does not follow the desktop into the dark")
        portal.set_color_scheme(DEFAULT)
        expect(wait_brightness(phone, 0.4, 1), "the body does not follow the desktop into the light")


@scenario
def installed(session: Session, program: Path) -> None:
    """The installed program runs without the checkout, and `make uninstall` removes it."""
    prefix = session.folder / "usr"
    make = ["make", "-C", CHECKOUT, f"PREFIX={prefix}", f"BUILD_DIR={program.parent}"]
    done = session.run(*make, "install", timeout=300)
    expect(done.returncode == 0, f"make install: {done.stderr}")
    # The session uses the checkout's schema; the installed program must find its own.
    without = {"GSETTINGS_SCHEMA_DIR": "", "XDG_DATA_DIRS": f"{prefix}/share:{os.environ['XDG_DATA_DIRS']}"}
    with Phone(session, prefix / "bin/touchtone", environment=without) as phone:
        phone.type("+442079460958")
        phone.expect_display("+44 20 7946 0958")
        # An open file shows a use of the checkout's `data` only while it is read. So run without that folder.
        maps = Path(f"/proc/{phone.process.pid}/maps").read_text()
        expect(str(CHECKOUT / "data") not in maps, "the installed program uses the checkout's data")
        expect(f"{prefix}/lib/touchtone/libtouchtone-numbers.so" in maps, "the installed numbers library is not used")
        expect(Path(f"{prefix}/lib/touchtone/libtouchtone-web.so").exists(), "the library for transfers is not installed")
    busy = session.run(
        prefix / "bin/tonegen", "--plan", "gb", "--sound", "busy", session.folder / "busy.wav", cwd=session.folder
    )
    expect(busy.returncode == 0, f"the installed tonegen: {busy.stderr}")
    expect((session.folder / "busy.wav").stat().st_size > 500_000, "the installed tonegen writes no six seconds")
    plans = {file.name for file in (CHECKOUT / "data/tone-plans").iterdir()}
    there = {file.name for file in (prefix / "share/touchtone/tone-plans").iterdir()}
    expect(there == plans, f"tone plans installed: {there}")
    entry = prefix / "share/dbus-1/services" / f"{APP_ID}.service"
    expect(f"Exec={prefix}/bin/touchtone" in entry.read_text(), "the bus would start another program")
    done = session.run(*make, "uninstall")
    expect(done.returncode == 0, f"make uninstall: {done.stderr}")
    caches = {"gschemas.compiled", "icon-theme.cache", "mimeinfo.cache"}
    left = [str(file) for file in prefix.rglob("*") if file.is_file() and file.name not in caches]
    expect(not left, f"make uninstall leaves {left}")


@scenario
def crash_leaves_nothing(session: Session, program: Path) -> None:
    """A killed test leaves no servers behind."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from session import Session\n"
        "with Session() as inner:\n"
        "    print(*(process.pid for process in inner._services), flush=True)\n"
        "    sys.stdin.read()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(Path(__file__).parent)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    pids = [int(pid) for pid in child.stdout.readline().split()]
    expect(len(pids) >= 3, "the inner session did not come up")
    descriptors = [os.pidfd_open(pid) for pid in pids]
    child.kill()
    child.wait()
    import select

    for pid, descriptor in zip(pids, descriptors):
        expect(bool(select.select([descriptor], [], [], 5)[0]), f"process {pid} outlived its session")
        os.close(descriptor)


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs a test of the whole program.")
    parser.add_argument("--program", type=Path)
    parser.add_argument("--list", action="store_true", help="print the tests' names")
    parser.add_argument("--wayland", action="store_true", help="in a Wayland session, which some of the tests can do")
    parser.add_argument("name", nargs="?", choices=sorted(SCENARIOS | BY_NAME))
    options = parser.parse_args()
    scenarios = ON_WAYLAND if options.wayland else SCENARIOS
    if options.list:
        print(*scenarios, sep="\n")
        return 0
    if options.name is None or options.program is None:
        parser.error("which program, and which test?")
    if not options.wayland:
        scenarios = scenarios | BY_NAME
    if options.name not in scenarios:
        parser.error(f"{options.name} needs a pointer or held keys: it runs under X alone")
    # A parent may ignore them, as nohup(1) does, and a shell for a job in the background. The phone would, too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Session(on_wayland=options.wayland) as session:
            scenarios[options.name](session, options.program.resolve())
    except MissingPeer as missing:
        print(missing, file=sys.stderr)
        return UNAVAILABLE if isinstance(missing, Unavailable) else SKIPPED
    except Mismatch as mismatch:
        print(f"{options.name}: {mismatch}", file=sys.stderr)
        return DISTURBED if machine_paused() else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
