# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the end of the program by a signal or with the session. `scenarios.py` runs them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import accessibility
import pointer
import processes
from accessibility import State, Widget, wait_until
from desktop_services import LoginManager, SessionManager
from gi.repository import GLib
from jabber import Person, Server
from messages import draft, expect_buddy, open_buddy, set_account
from passcode import Keyring
from phone import APP_ID, Phone, eventually, expect
from registry import scenario
from session import Session
from sip import FarEnd, Registrar, add_with_keyring, engines

ROOM = "tea@rooms.localhost"
#: Longer than any wait of a test: a phone that vanishes is shown as online for this long.
_LONG = 600


def _expect_offline(grace: Person, own: str) -> None:
    """Wait until a buddy sees the user leave, and then the room too; nothing says in which order."""
    missing = [{"event": "unavailable", "sender": own}, {"event": "left", "nickname": "ada"}]
    while missing:
        event = grace.wait(lambda event: event in missing, f"does not see {missing}")
        missing.remove(event)


@scenario
def signals_sign_out(session: Session, program: Path) -> None:
    """SIGTERM, SIGHUP and SIGINT end the phone as quit does: buddies, rooms and the registrar know, drafts are kept."""
    with Keyring(session), Server(session, hibernation=_LONG) as server, Registrar(session) as registrar:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        with Person(server, other) as grace, FarEnd(session, registrar, "1002") as far:
            grace.enter(ROOM, "Grace")
            with Phone(session, program, f"xmpp:{ROOM}?join") as phone:
                expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
                phone.button("Join").do_action("click")
                expect_buddy(phone, "tea, room")
                grace.befriend(own)
                expect(wait_until(lambda: phone.find("Accept", "push button") is not None), "the request is not shown")
                phone.button("Accept").do_action("click")
                expect_buddy(phone, "grace@localhost, online")
                # The rows move when the request goes.
                expect(wait_until(lambda: phone.find("Accept", "push button") is None), "the request stays")
                open_buddy(phone, "grace@localhost")
                phone.type("not sent")
                expect(wait_until(lambda: draft(phone) == "not sent"), f"the field has {draft(phone)!r}")
                # The notice about emergency calls would lie over the rows.
                add_with_keyring(session, registrar, phone, "1001")
                _end(phone, grace, far, registrar, own, signal.SIGTERM)
            for number in (signal.SIGHUP, signal.SIGINT):
                with Phone(session, program) as phone:
                    expect_buddy(phone, "grace@localhost, online")
                    open_buddy(phone, "grace@localhost")
                    expect(wait_until(lambda: draft(phone) == "not sent"), f"the field has {draft(phone)!r}")
                    _end(phone, grace, far, registrar, own, number)


def _end(phone: Phone, grace: Person, far: FarEnd, registrar: Registrar, own: str, number: int) -> None:
    """End the phone by a signal during a call, and with it the engine, as the end of a session does."""
    far.ring(registrar.address("1001"))
    phone.expect_status("CALL ON")
    phone.action("answer")
    far.wait("CALL_ESTABLISHED")
    for process in (*engines(phone), phone.process.pid):
        os.kill(process, number)
    expect(phone.wait_end() == 0, f"signal {number} ended the program with an error:\n{phone.output()}")
    _expect_offline(grace, own)
    far.wait("CALL_CLOSED")
    # Nobody is registered any more, so that the registrar refuses a call at once.
    far.command("dial", registrar.address("1001"))
    reason = far.wait("CALL_CLOSED")
    expect("404" in reason or "480" in reason, f"the registrar still knows the phone: {reason!r}")


@scenario
def second_signal_ends(session: Session, program: Path) -> None:
    """A second signal ends the program at once, whatever it waits for; a signal that its parent ignores stays ignored."""
    with Phone(session, program) as phone:
        # It gets both at once, before it has ended at the first.
        for number in (signal.SIGSTOP, signal.SIGHUP, signal.SIGTERM, signal.SIGCONT):
            os.kill(phone.process.pid, number)
        # Either may be the second.
        status = phone.wait_end()
        expect(status in (-signal.SIGHUP, -signal.SIGTERM), f"the program ended with status {status}")
        phone.process.returncode = 0
    # A main loop that does not answer: the program waits for the screen.
    with Phone(session, program) as phone:
        screen = session.screen
        os.kill(screen, signal.SIGSTOP)
        os.kill(phone.process.pid, signal.SIGTERM)
        status = phone.wait_end()
        os.kill(screen, signal.SIGCONT)
        expect(status in (0, -signal.SIGALRM), f"the program ended with status {status}")
        phone.process.returncode = 0
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Phone(session, program) as phone:
            os.kill(phone.process.pid, signal.SIGHUP)
            phone.type("555")
            phone.expect_display("555")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
    finally:
        signal.signal(signal.SIGHUP, before)


@scenario
def session_ends(session: Session, program: Path) -> None:
    """The phone lets the session end, and ends when the session manager or the login manager says so."""
    # The accessibility registry would wait for the session manager, which only answers while this process waits.
    accessibility.connection()
    with SessionManager() as manager:
        for end in ("EndSession", "Stop"):
            with Phone(session, program) as phone:
                eventually(lambda: APP_ID in manager.clients, lambda: "the phone does not register")
                # It listens once it has the answer.
                phone.type("5")
                phone.expect_display("5")
                manager.tell(APP_ID, "QueryEndSession")
                eventually(lambda: bool(manager.answers_to_end), lambda: "the phone does not answer")
                expect(manager.answers_to_end == [True], f"the phone answers {manager.answers_to_end}")
                manager.answers_to_end.clear()
                manager.tell(APP_ID, "CancelEndSession")
                phone.type("5")
                phone.expect_display("55")
                manager.tell(APP_ID, end)
                expect(phone.wait_end() == 0, f"{end} ended the program with an error")
                del manager.clients[APP_ID]
    with LoginManager() as login, Phone(session, program, environment=login.environment) as phone:
        for is_soon in (False, True):
            # The phone may not listen yet.
            login.bus.emit_signal(
                None, login.path, login.name + ".Manager", "PrepareForShutdown", GLib.Variant("(b)", (is_soon,)))
            if not is_soon:
                phone.type("555")
                phone.expect_display("555")
        expect(phone.wait_end() == 0, "the shutdown ended the program with an error")


@scenario
def failed_start_is_explained(session: Session, program: Path) -> None:
    """A phone that can't start says why in a window, until that is closed or the session ends; not at login."""
    copy = session.folder / "elsewhere" / "touchtone"
    copy.parent.mkdir()
    shutil.copy(program, copy)
    # The second phone finds no bus, and thus not the first phone.
    nowhere = {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={session.folder}/nowhere"}
    with Phone(session, program) as phone:
        for which, text, environment in ((program, "already running", nowhere), (copy, "data files", {})):
            for ends in ("key", "button", "signal"):
                _expect_explained(session, which, text, environment, ends)
        silent = session.run(program, "--background", env={**os.environ, **nowhere})
        expect(silent.returncode == 1, f"a second phone started: {silent.returncode} {silent.stderr}")
        phone.type("555")
        phone.expect_display("555")


def _expect_explained(session: Session, program: Path, text: str, environment: dict[str, str], ends: str) -> None:
    """Start a phone that fails, read the reason on the screen, and close its window in one of three ways."""
    process = processes.spawn(
        [program], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "G_DEBUG": "fatal-criticals", **environment})
    session.add_service(process)

    def shown() -> Widget | None:
        there = accessibility.application(process.pid)
        windows = there.children if there else []
        return next((window for window in windows if window.role == "alert" and window.has(State.ACTIVE)), None)

    expect(wait_until(lambda: shown() is not None), "no window says why the phone does not start")
    window = shown()
    assert window is not None
    said = [widget.name for widget in window.shown() if widget.role == "label"]
    expect(window.name == "Touchtone can’t start", f"the window is named {window.name!r}")
    expect(any(text in one for one in said), f"the window says {said}")
    expect(process.poll() is None, "the window does not stay")
    if ends == "signal":
        process.terminate()
    elif ends == "key":
        pointer.key("Escape")
    else:
        next(widget for widget in window.shown() if widget.role == "push button").do_action("click")
    printed = process.communicate(timeout=processes.TIMEOUT)[1].decode()
    expect(process.returncode == 1, f"the program ended with status {process.returncode}: {printed}")
    expect(text in printed and "WARNING" not in printed, f"the program printed {printed!r}")


@scenario
def bus_killed_in_call(session: Session, program: Path) -> None:
    """Calls and messages outlive the session bus; the phone says once what is missing, and a second phone does not start."""
    session.start_sound()
    with Keyring(session), Server(session) as server, Registrar(session) as registrar:
        own, other = server.register("ada"), server.register("grace")
        set_account(session, server, own)
        session.run("gsettings", "set", APP_ID, "emergency-notice-shown", "true")
        with Person(server, other) as grace, FarEnd(session, registrar, "1002") as far:
            with Phone(session, program) as phone:
                expect_buddy(phone, "Operator, online")
                grace.befriend(own)
                expect(wait_until(lambda: phone.find("Accept", "push button") is not None), "the request is not shown")
                phone.button("Accept").do_action("click")
                expect_buddy(phone, "grace@localhost, online")
                # The keyfile of the settings has one writer at a time, and the phone writes how it has signed in.
                add_with_keyring(session, registrar, phone, "1001")
                open_buddy(phone, "grace@localhost")
                far.ring(registrar.address("1001"))
                phone.expect_status("CALL ON")
                # The message field has the focus.
                pointer.key("ctrl+Return")
                far.wait("CALL_ESTABLISHED")
                session.kill_bus()
                # What is on the screen can't be read without the bus.
                eventually(
                    lambda: "the session bus has ended" in phone.output(), lambda: f"the phone says {phone.output()}")
                grace.send(own, "Are you there?")
                grace.wait(lambda event: event["event"] == "receipt", "has no receipt")
                pointer.key(*"yes", "Return")
                grace.wait_message("yes")
                # A bus at the same address changes nothing, and a second phone would find no first one there.
                session.start_bus()
                second = session.run(program, "--background")
                expect(second.returncode == 1, f"a second phone started: {second.returncode} {second.stderr}")
                expect("already running" in second.stderr, f"the second phone says {second.stderr!r}")
                # The call still goes on, and others come.
                far.command("hangup")
                expect("by user" in far.wait("CALL_CLOSED"), "the call has ended before")
                far.ring(registrar.address("1001"))
                far.command("hangup")
                far.wait("CALL_CLOSED")
                expect(phone.process.poll() is None, f"the phone has ended:\n{phone.output()}")
                pointer.key("alt+F4")
                expect(phone.wait_end() == 0, "the program ended with an error")
                expect("CRITICAL" not in phone.output(), f"the program complains:\n{phone.output()}")
