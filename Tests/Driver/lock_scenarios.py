# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the passcode lock. `scenarios.py` runs them."""

from __future__ import annotations

import glob
import os
import time
from pathlib import Path
from typing import Callable

import passcode
import pointer
from accessibility import State, Widget, application, pass_time, wait_until
from desktop_lock import OWN, DesktopLock
from passcode import Keyring, put, record, record_file, set_passcode, state, state_file
from phone import Phone, expect
from processes import TIMEOUT, MissingPeer
from registry import on_wayland, scenario
from session import Session

CODE = "4711"


# Reading the screen


def row(phone: Phone) -> str:
    """Return the description of the row of dots, or an empty text if there is no lock screen."""
    panel = phone.find("Passcode", "panel")
    return panel.description if panel else ""


def lockout(phone: Phone) -> str:
    """Return the lock-out message, or an empty text if there is none."""
    label = phone.find("", "label", description="Lockout")
    return label.name if label else ""


def expect_locked(phone: Phone) -> None:
    expect(wait_until(lambda: row(phone) != ""), "the phone is not locked")


def expect_open(phone: Phone) -> None:
    expect(
        wait_until(lambda: phone.find("", "label", description="Number display") is not None),
        f"the phone is locked: {row(phone)} {lockout(phone)}",
    )


def expect_row(phone: Phone, entered: int, of: int = len(CODE)) -> None:
    text = f"{entered} of {of} digits entered"
    expect(wait_until(lambda: row(phone) == text), f"the row says {row(phone)!r}, not {text!r}")


def try_wrong(phone: Phone, session: Session, code: str = "0000") -> None:
    """Enter a wrong passcode, and wait until the next one can be entered."""
    before = passcode.failures(session)
    phone.type(code)
    expect(
        wait_until(lambda: passcode.failures(session) == before + 1 and (row(phone).startswith("0 ") or lockout(phone) != "")),
        "the attempt is not counted",
    )
    # No event announces the end of the shake animation.
    pass_time(0.8)


def everything(widget: Widget) -> list[str]:
    """Return all text that assistive tools can read in a widget and its descendants."""
    texts = [widget.name, widget.description]
    for below in widget.children:
        texts += everything(below)
    return texts


def expect_private(phone: Phone, *words: str) -> None:
    """Check that assistive tools can read no private text, visible or not."""
    tree = application(phone.process.pid)
    assert tree is not None
    texts = everything(tree)
    for word in (*words, "Dial", "Redial", "Messages", "Number display", "Status", "Conversation", "Buddies"):
        found = [text for text in texts if word.lower() in text.lower()]
        expect(not found, f"the locked phone tells {found}")


@scenario
@on_wayland
def lock_opens(session: Session, program: Path) -> None:
    """A phone with a passcode starts locked; the last digit unlocks it, by keyboard, pointer or AT-SPI."""
    set_passcode(session, CODE)
    with Phone(session, program) as phone:
        expect(row(phone) == "0 of 4 digits entered", f"at first the row says {row(phone)!r}")
        names = [widget.name for widget in phone.widgets() if widget.role == "push button" and widget.name]
        for name in (*"0123456789", "Delete"):
            expect(names.count(name) == 1, f"{names.count(name)} keys are named {name!r}")
        expect(any(widget.name == "Enter Passcode" for widget in phone.widgets()), "the screen has no title")
        phone.type("47")
        expect_row(phone, 2)
        pointer.key("BackSpace")
        expect_row(phone, 1)
        pointer.key("BackSpace", "BackSpace")
        expect_row(phone, 0)
        phone.type("4712")
        expect_row(phone, 4)
        expect_row(phone, 0)
        expect(passcode.failures(session) == 1, "the failure is not on the disk")
        phone.click(*CODE)
        expect_open(phone)
        expect(passcode.failures(session) == 0, "the right passcode does not begin anew")
        phone.type("5551212")
        phone.expect_display("555-1212")
        pointer.key("ctrl+l")
        expect_locked(phone)
        for digit in CODE:
            phone.button(digit).do_action("click")
        expect_open(phone)
        phone.expect_display("555-1212")


@scenario
def lock_hides(session: Session, program: Path) -> None:
    """A locked phone exposes nothing private; everything, and what arrived meanwhile, is shown after unlocking."""
    set_passcode(session, CODE)
    with Phone(session, program) as phone:
        expect_private(phone)
        phone.type(CODE)
        expect_open(phone)
        phone.type("5558675309")
        phone.expect_display("(555) 867-5309")
        number = phone.find("", "label", description="Number display")
        assert number is not None
        held = [phone.button(name) for name in ("5", "Dial", "Redial")]
        pointer.click(*phone.center(phone.button("Main menu")))
        pass_time(0.3)
        phone.action("lock")
        expect_locked(phone)
        expect_private(phone, "555", "867", "5309")
        expect(phone.window.name == "Touchtone", f"the window is named {phone.window.name!r}")
        expect(number.name == "", f"a label that was found before tells {number.name!r}")
        for name in ("clear", "dial"):
            phone.action(name)
        for key in held:
            key.do_action("click")
        pointer.key("ctrl+c", "F9", "Return", "KP_Enter")
        expect_private(phone, "555", "867")
        phone.type(CODE)
        expect_open(phone)
        phone.expect_display("(555) 867-5309")
        phone.expect_status("READY")
        # Links and entered numbers wait. The last one counts.
        phone.action("lock")
        expect_locked(phone)
        phone.action("enter", "'5550000'")
        second = session.run(program, "tel:+442079460958")
        expect(second.returncode == 0, f"a link to the locked phone: exit status {second.returncode}")
        expect_private(phone, "555", "7946", "0958")
        expect_row(phone, 0)
        phone.type(CODE)
        expect_open(phone)
        phone.expect_display("+44 20 7946 0958")
    with Phone(session, program, "tel:5551212") as phone:
        expect_private(phone, "555", "1212")
        phone.type(CODE)
        expect_open(phone)
        phone.expect_display("555-1212")


@scenario
@on_wayland
def lock_by_key_and_action(session: Session, program: Path) -> None:
    """LOCK, Ctrl+L and the action lock the phone; without a passcode, they say so and open Preferences."""
    ways: list[Callable[[Phone], None]] = [
        lambda phone: phone.click("Lock"), lambda phone: pointer.key("ctrl+l"), lambda phone: phone.action("lock"),
    ]
    with Phone(session, program) as phone:
        for way in ways:
            way(phone)
            phone.expect_status("NO PASSCODE")
            expect(wait_until(lambda: _has_focus(phone.other("Preferences"))), "no way to set a passcode is shown")
            pointer.key("Escape")
            phone.expect_closed("Preferences")
            expect(wait_until(lambda: _has_focus(phone.other("Touchtone"))), "the phone is not gone back to")
            phone.type("5")
            phone.expect_status("READY")
            phone.clear()
        expect(not state_file(session).exists(), "a lock that nobody has set leaves a file")
    set_passcode(session, CODE)
    with Phone(session, program) as phone:
        for way in ways:
            phone.type(CODE)
            expect_open(phone)
            way(phone)
            expect_locked(phone)


def _has_focus(window: Widget | None) -> bool:
    """Return whether a window, which may be missing, has the keyboard focus."""
    return window is not None and window.has(State.ACTIVE)


# Failures


@scenario
def lock_out(session: Session, program: Path) -> None:
    """Five failures lock the phone for ten minutes, even if it is killed or the clock changes."""
    set_passcode(session, CODE)
    with Phone(session, program) as phone:
        for attempt in range(5):
            expect(lockout(phone) == "", f"locked out after {attempt} failures")
            try_wrong(phone, session)
        expect(wait_until(lambda: "5 failed attempts" in lockout(phone)), f"the message is {lockout(phone)!r}")
        left = _seconds(phone)
        expect(590 <= left <= 600, f"{left} s are left at first")
        for name in ("0", "5", "Delete"):
            expect(not phone.button(name).has(State.SENSITIVE), f"{name} works")
        phone.type(CODE)
        expect(wait_until(lambda: _seconds(phone) < left), "the countdown stands still")
        phone.process.kill()
        phone.wait_end()
        phone.process.returncode = 0
    for fake in (None, "+1d", "-1d", "+10y"):
        with Phone(session, program, environment=_fake_time(fake)) as phone:
            # A changed clock may restart the wait, but never shortens it.
            seconds = _seconds(phone)
            expect(left - 60 <= seconds <= 600, f"with the clock at {fake}, {left} s became {seconds} s")
            phone.type(CODE)
            expect(lockout(phone) != "", "the right passcode opens a phone that is locked out")
    # After a reboot, the remaining wait is unchanged.
    put(state_file(session), state(CODE, failures=5, wait=(123_000, 5_000, "another-start")))
    with Phone(session, program) as phone:
        expect(110 <= _seconds(phone) <= 123, f"after a start of the machine {_seconds(phone)} s are left")
    # After the wait, the keys work again, and the next failures double the wait.
    put(state_file(session), state(CODE, failures=5, wait=(2_000, 5_000, "another-start")))
    with Phone(session, program) as phone:
        expect(wait_until(lambda: lockout(phone) == ""), "the wait has no end")
        expect(phone.button("5").has(State.SENSITIVE), "the keys do not come back")
        for _ in range(5):
            try_wrong(phone, session)
        expect(wait_until(lambda: 1190 <= _seconds(phone) <= 1200), f"the second wait is {lockout(phone)!r}")


def _seconds(phone: Phone) -> int:
    """Return the seconds that the countdown shows, or 0 if there is none."""
    text = lockout(phone)
    if ":" not in text:
        return 0
    minutes, seconds = text.split()[-1].split(":")
    return 60 * int(minutes) + int(seconds)


def _fake_time(offset: str | None) -> dict[str, str]:
    """Return an environment in which all clocks of a program are shifted."""
    if offset is None:
        return {}
    found = glob.glob("/usr/lib*/faketime/libfaketime.so.1") + glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not found:
        raise MissingPeer("libfaketime", "faketime")
    return {"LD_PRELOAD": found[0], "FAKETIME": offset}


@scenario
def lock_kill(session: Session, program: Path) -> None:
    """An attempt counts even if the program is killed before it shows the verdict."""
    set_passcode(session, CODE)
    for attempt in range(1, 6):
        with Phone(session, program) as phone:
            phone.type("0000")
            # Poll the disk: any event would come too late.
            deadline = time.monotonic() + TIMEOUT
            while passcode.failures(session) < attempt and time.monotonic() < deadline:
                pass
            phone.process.kill()
            phone.wait_end()
            phone.process.returncode = 0
        expect(passcode.failures(session) == attempt, f"{passcode.failures(session)} failures after {attempt}")
    with Phone(session, program) as phone:
        expect("5 failed attempts" in lockout(phone), "five attempts that were killed cost nothing")


@scenario
def lock_records(session: Session, program: Path) -> None:
    """A missing or damaged record keeps the phone locked, with instructions."""
    good, other = record(CODE), record("0000", identity="0b" * 16)
    file = record_file(session)

    def missing() -> None:
        file.unlink()

    def open_to_others() -> None:
        file.chmod(0o666)

    def link() -> None:
        file.rename(file.with_name("elsewhere"))
        file.symlink_to(file.with_name("elsewhere"))

    breakages: dict[str, Callable[[], None]] = {
        "missing": missing, "open to others": open_to_others, "a link": link,
        "empty": lambda: put(file, ""), "cut short": lambda: put(file, good[: len(good) // 2]),
        "garbage": lambda: file.write_bytes(os.urandom(3000)), "huge": lambda: put(file, good * 10_000),
        "another's": lambda: put(file, other),
    }
    for name, breaks in breakages.items():
        file.unlink(missing_ok=True)
        set_passcode(session, CODE)
        breaks()
        with Phone(session, program) as phone:
            said = " ".join(widget.name for widget in phone.widgets() if widget.role == "label")
            expect("delete" in said and ".local" in said, f"{name}: it does not say what to do: {said}")
            expect(not phone.button("5").has(State.SENSITIVE), f"{name}: the keys work")
            phone.type(CODE + "0000")
            phone.action("enter", "'5551212'")
            pass_time(0.3)
            expect_private(phone, "555", "1212")
    # If the attempts are unknown, the worst is assumed. The passcode stays valid.
    for name, breaks in {
        "missing": lambda: state_file(session).unlink(), "empty": lambda: put(state_file(session), ""),
        "cut short": lambda: put(state_file(session), state(CODE)[:-8]),
        "open to others": lambda: state_file(session).chmod(0o666),
    }.items():
        for holder in ("file", "keyring"):
            file.unlink(missing_ok=True)
            set_passcode(session, CODE, holder)
            breaks()
            with Phone(session, program) as phone:
                expect("5 failed attempts" in lockout(phone), f"{holder}: with the state {name} it is not locked out")


@scenario
def lock_keyring(session: Session, program: Path) -> None:
    """A passcode in the keyring unlocks the phone; without the keyring, it stays locked and counts no attempt."""
    put(state_file(session), state(CODE, holder="keyring"))
    with Keyring(session) as keyring:
        keyring.store(record(CODE))
        with Phone(session, program) as phone:
            expect_row(phone, 0)
            try_wrong(phone, session)
            phone.type(CODE)
            expect_open(phone)
    with Phone(session, program) as phone:
        phone.type(CODE)
        expect(
            wait_until(lambda: any("keyring" in widget.name for widget in phone.widgets())),
            "it does not say that the keyring is missing",
        )
        expect(wait_until(lambda: passcode.failures(session) == 0), "a keyring that is missing has cost an attempt")
        expect_private(phone)
        with Keyring(session) as keyring:
            keyring.store(record(CODE))
            phone.type(CODE)
            expect_open(phone)
    expect(not record_file(session).exists(), "the hash is in a file too")


# Automatic locking


@scenario
def lock_with_desktop(session: Session, program: Path) -> None:
    """The phone locks with the screen saver, with its login session, and when the machine goes to sleep."""
    set_passcode(session, CODE)
    desktop = DesktopLock()
    with Phone(session, program, environment=desktop.environment) as phone:
        locks: list[Callable[[], None]] = [
            lambda: desktop.screen_saver("org.freedesktop.ScreenSaver", True),
            lambda: desktop.screen_saver("org.gnome.ScreenSaver", True),
            lambda: desktop.lock_session(OWN),
            lambda: desktop.sleep(True),
        ]
        for number, lock in enumerate(locks):
            phone.type(CODE)
            expect_open(phone)
            expect(_comes_to_lock(phone, lock), f"signal {number} does not lock the phone")
        phone.type(CODE)
        expect_open(phone)
        desktop.screen_saver("org.gnome.ScreenSaver", False)
        desktop.lock_session("9")
        desktop.sleep(False)
        phone.type("5551212")
        phone.expect_display("555-1212")


def _comes_to_lock(phone: Phone, lock: Callable[[], None]) -> bool:
    """Repeat a signal until the phone locks, since nothing tells when it has subscribed."""
    for _ in range(15):
        lock()
        if wait_until(lambda: row(phone) != "", 1):
            return True
    return False


@scenario
def lock_when_idle(session: Session, program: Path) -> None:
    """An idle phone locks after the minutes in the setting, on an accelerated clock."""
    set_passcode(session, CODE)
    fast = {**_fake_time("+0 x20"), "DONT_FAKE_UTIME": "1"}
    with Phone(session, program, environment=fast) as phone:
        phone.type(CODE)
        expect_open(phone)
        phone.set("lock-after", "0")
        phone.type("555")
        pass_time(4)  # 80 s on the phone's clock
        expect(row(phone) == "", "it locks though it never should")
        phone.set("lock-after", "1")
        expect_locked(phone)
        expect_private(phone, "555")
