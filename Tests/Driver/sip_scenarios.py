# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls over SIP, with the real engine. `scenarios.py` runs them."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pointer
from accessibility import wait_until
from office import Office
from passcode import Keyring
from phone import APP_ID, Phone, eventually, expect
from processes import MissingPeer, need
from registry import scenario
from screen_reader import ScreenReader
from session import Session
from sip import PASSWORD, FarEnd, Registrar, add_with_keyring, engines, set_details
from text_caller import TextCaller


@scenario
def call_over_sip(session: Session, program: Path) -> None:
    """An account makes and takes calls through a registrar, and survives the death of its engine."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    with Keyring(session), Registrar(session) as registrar, FarEnd(session, registrar, "1002") as far:
        with Phone(session, program) as phone:
            expect(not engines(phone), "the engine runs without an account")
            add_with_keyring(session, registrar, phone, "1001")
            # The call waits for the registration.
            phone.type("1002")
            phone.expect_display("100-2")
            phone.click("Dial")
            phone.expect_in_call()
            far.wait("CALL_ESTABLISHED")
            [engine] = engines(phone)
            for file in ("cmdline", "environ"):
                expect(
                    PASSWORD.encode() not in Path(f"/proc/{engine}/{file}").read_bytes(), f"the password is in {file}")
            for key in "12#*9":
                phone.type(key)
                heard = far.wait("CALL_DTMF_START")
                expect(heard == key, f"baresip heard {heard!r}, not {key!r}")
            phone.click("Hang up")
            far.wait("CALL_CLOSED")
            phone.expect_status("ENDED")

            far.command("dial", registrar.address("1001"))
            phone.expect_caller("100-2", "1001")
            phone.click("Answer")
            far.wait("CALL_ESTABLISHED")
            phone.expect_in_call()

            os.kill(engine, signal.SIGKILL)
            phone.expect_status("ENDED")
            far.command("hangup")
            far.wait("CALL_CLOSED")
            eventually(lambda: engines(phone) not in ([], [engine]), lambda: "the engine is not started again")
            phone.click("Dial")
            far.wait("CALL_ESTABLISHED")
            phone.expect_in_call()

            # The far end holds the call; then it is transferred to a number that was not called first.
            far.command("hold")
            phone.expect_status("HELD BY OTHER PARTY")
            far.command("resume")
            phone.expect_status("0:")
            phone.click("Flash")
            phone.expect_status("ON HOLD")
            phone.type("1002")
            phone.click("Transfer")
            phone.expect_status("TRANSFERRED")
            far.command("hangup")
            far.wait("CALL_CLOSED")

            # All calls go on to another address, where nobody is; the display says so.
            set_details(session, "work", **{"divert-to": registrar.address("1003")})
            divert = (f"{APP_ID}.SipAccount:/io/github/touchtone/Touchtone/sip/work/", "divert")
            session.run("gsettings", "set", *divert, "true")
            phone.action("clear")
            phone.expect_status("DIVERT")
            far.command("dial", registrar.address("1001"))
            far.wait("CALL_CLOSED")
            eventually(lambda: _ends(session)[-1] == 16, lambda: f"the history has the calls {_ends(session)}")
            phone.action("divert")
            eventually(
                lambda: session.run("gsettings", "get", *divert).stdout.strip() == "false",
                lambda: "the diversion cannot be turned off")

            # A link fills in the address and waits.
            link = registrar.address("1002")
            done = session.run(program, link)
            expect(done.returncode == 0, f"the link was refused: {done.stderr}")
            phone.expect_display(link.removeprefix("sip:")[:20])
            phone.click("Dial")
            far.wait("CALL_ESTABLISHED")
            phone.action("hang-up")
            far.wait("CALL_CLOSED")

            phone.set("sip-accounts", "[]")
            eventually(lambda: not engines(phone), lambda: "the engine outlives its last account")


def _ends(session: Session) -> list[int]:
    """Return why the incoming calls of the history ended, as the store numbers the reasons."""
    with closing(sqlite3.connect(session.data_home / "touchtone/messages.db")) as store:
        return [end for (end,) in store.execute("SELECT ending FROM call WHERE is_incoming ORDER BY id")]


@scenario
def office_key(session: Session, program: Path) -> None:
    """A memory key shows whether an extension is free, rings or is busy; it calls the extension, or picks up the call there,
    whether it is a number or an address."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    account = f"{APP_ID}.SipAccount:/io/github/touchtone/Touchtone/sip/work/"
    with Keyring(session), Office() as office, Phone(session, program) as phone:

        def expect_lamp(state: str, name: str = "3, 102") -> None:
            def is_shown() -> bool:
                # MEM waits for some seconds only. The list of the memory keys has a row with the same name.
                if phone.find(name, "push button", "button") is None:
                    phone.click("Memory")
                key = phone.find(name, "push button", "button")
                return key is not None and key.description == state

            eventually(is_shown, lambda: f"the key is not {state!r}")

        phone.action("enter", "'102'")
        pointer.key("ctrl+shift+e")
        pointer.key("3")
        phone.expect_status("STORED")
        phone.action("clear")
        add_with_keyring(session, office, phone, "1001", transport="udp")
        office.expect("REGISTER")
        expect(not any("SUBSCRIBE sip:102" in line for line in office.seen), "it watches what nobody has chosen")
        session.run("gsettings", "set", account, "extensions", "['102']")
        office.expect("SUBSCRIBE sip:102@", "dialog", "Expires=600")
        expect_lamp("")
        office.tell("102")
        expect_lamp("free")

        office.tell("102", Office.ringing())
        expect_lamp("ringing")
        phone.click("3, 102")
        office.expect("INVITE sip:1003@", "call-1", "to-tag=far", "from-tag=own", "early-only")
        phone.expect_in_call()
        phone.expect_display("100-3")
        phone.click("Hang up")
        office.expect("BYE")

        office.tell("102", Office.BUSY)
        expect_lamp("busy")
        phone.click("3, 102")
        office.expect("INVITE sip:102@", "Replaces=")
        phone.expect_in_call()
        phone.click("Hang up")
        office.expect("BYE")

        # A system that says less needs a code.
        office.tell("102", Office.ringing(tags=False))
        expect_lamp("ringing")
        phone.click("3, 102")
        phone.expect_status("NO PICKUP")
        expect(not any(line.startswith("INVITE") for line in office.seen), "somebody was called")
        set_details(session, "work", **{"pickup-code": "*8"})
        expect_lamp("ringing")
        phone.click("3, 102")
        office.expect("INVITE sip:*8102@")
        phone.expect_in_call()
        phone.click("Hang up")
        office.expect("BYE")

        # A name is one at the account's server, and headers of an address go nowhere.
        set_details(session, "work", **{"pickup-code": ""})
        anna, key = office.address("anna"), f"4, {office.address('anna').removeprefix('sip:')}"
        phone.action("enter", f"'{anna}?Replaces=call-9'")
        pointer.key("ctrl+shift+e")
        pointer.key("4")
        phone.expect_status("STORED")
        phone.action("clear")
        session.run("gsettings", "set", account, "extensions", f"['102', '{anna}?Replaces=call-9']")
        office.expect("SUBSCRIBE sip:anna@", "dialog", "Expires=600")
        expect_lamp("", key)
        office.tell("anna")
        expect_lamp("free", key)
        phone.click(key)
        office.expect("INVITE sip:anna@")
        expect(not any("call-9" in line for line in office.seen), "a header of an address was sent")
        phone.expect_in_call()
        phone.click("Hang up")
        office.expect("BYE")
        office.tell("anna", Office.ringing())
        expect_lamp("ringing", key)
        phone.click(key)
        office.expect("INVITE sip:1003@", "call-1", "to-tag=far", "from-tag=own", "early-only")
        phone.expect_in_call()
        phone.click("Hang up")
        office.expect("BYE")

        session.run("gsettings", "set", account, "extensions", "[]")
        office.expect("SUBSCRIBE ", "dialog", "Expires=0")
        phone.set("sip-accounts", "[]")


@scenario
def keyring_returns(session: Session, program: Path) -> None:
    """An account whose keyring is missing when the phone starts is registered as soon as there is a keyring."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    with Office() as office:
        with Keyring(session), Phone(session, program) as phone:
            add_with_keyring(session, office, phone, "1001", transport="udp")
            office.expect("REGISTER")
            phone.expect_status("READY")
        office.expect("REGISTER", "Expires=0")
        office.seen.clear()
        with Phone(session, program) as phone:
            phone.expect_status("NO LINE")
            expect(office.seen == [], f"it registers without a password: {office.seen}")
            with Keyring(session):
                office.expect("REGISTER")
                phone.expect_status("READY")


#: The time in which text has to arrive, in seconds (EN 301 549, clause 6.2.4).
_TEXT_TIME = 0.5


@scenario
def text_in_call(session: Session, program: Path) -> None:
    """A call with real-time text says so before the answer; each letter arrives in both directions, words are spoken, and the
    text is kept with the call."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    with Keyring(session), Registrar(session) as registrar, Phone(session, program) as phone:
        add_with_keyring(session, registrar, phone, "1001")
        # The account is registered once it can call itself.
        eventually(lambda: engines(phone) != [], lambda: "the engine does not start")
        with FarEnd(session, registrar, "1002") as far:
            phone.action("enter", "'1002'")
            phone.action("dial")
            far.wait("CALL_ESTABLISHED")
            phone.action("hang-up")
            far.wait("CALL_CLOSED")
        with TextCaller(session, registrar, "1001") as caller:
            phone.expect_status("TEXT")
            reader = ScreenReader(phone.window)
            phone.click("Answer")
            caller.meet()
            expect(wait_until(lambda: phone.find("Your text") is not None), "the text does not appear by itself")
            field = phone.find("Your text")
            assert field is not None
            times = []
            for text, line in (("Hel", "Hel"), ("o\u0008lo ", "Hello "), ("there\u2028", "Hello there")):
                begun = time.monotonic()
                caller.send(text)
                said = f"Asserted: {line}"
                expect(wait_until(lambda said=said: phone.find(said) is not None, pause=0.01), f"no {said!r} in the text")
                times.append(time.monotonic() - begun)
            reader.expect_line("Hello")
            reader.expect_line("there")
            field.take_focus()
            sent = []
            for key in ("h", "i", "BackSpace", "o"):
                begun = time.monotonic()
                pointer.key(key)
                sent.append(caller.expect("\u0008" if key == "BackSpace" else key) - begun)
            pointer.key("Return")
            caller.expect("\u2028")
            expect(wait_until(lambda: phone.find("you: ho") is not None), "the user's line is not in the text")
            print(f"text: seen after {max(times):.3f} s, sent after {max(sent):.3f} s")
            expect(max(times) < _TEXT_TIME and max(sent) < _TEXT_TIME, f"text took {times} and {sent} seconds")
            phone.click("Hang up")
            phone.expect_status("ENDED")
            reader.close()
        # The text is kept with the call, and each line is a row for a screen reader.
        pointer.key("alt+2")
        expect_kept_text(phone, ["Asserted: Hello there", "you: ho"])
        # What was typed until the program is killed is there after the next start.
        with TextCaller(session, registrar, "1001") as caller:
            phone.expect_status("TEXT")
            phone.click("Answer")
            caller.meet()
            eventually(lambda: phone.find("Your text") is not None, lambda: "the text does not appear")
            for text in ("before\u2028", "after"):
                caller.send(text)
            eventually(lambda: phone.find("Asserted: after") is not None, lambda: "the text does not come")
            eventually(lambda: is_kept(session, "before"), lambda: "the line is not written")
            expect(not is_kept(session, "after"), "a line is written before it has ended")
            os.kill(phone.process.pid, signal.SIGKILL)
            phone.process.wait()
            phone.process.returncode = 0
        with Phone(session, program) as again:
            pointer.key("alt+2")
            expect_kept_text(again, ["Asserted: before"])


def is_kept(session: Session, line: str) -> bool:
    """Return whether the store has a line of a call's text."""
    with closing(sqlite3.connect(session.data_home / "touchtone/messages.db")) as store:
        found: list[tuple[int]] = store.execute("SELECT id FROM text_line WHERE text = ?", (line,)).fetchall()
    return bool(found)


def expect_kept_text(phone: Phone, lines: list[str]) -> None:
    """Wait until the newest call in the call log has a key that shows these lines, in order; then close them."""
    eventually(lambda: phone.find("Show Text") is not None, lambda: "no call has text")
    phone.click("Show Text")
    for line in lines:
        eventually(lambda line=line: phone.find(line) is not None, lambda line=line: f"no {line!r} in the kept text")
    pointer.key("Escape")
    expect(wait_until(lambda: phone.find(lines[0]) is None), "the text does not close")


@scenario
def sound_server_restarts(session: Session, program: Path) -> None:
    """A sound server that ends, at rest or in a call, ends no call; the next call is heard by its successor."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    pactl = need("pactl", "pulseaudio-utils")

    def is_heard() -> bool:
        return "touchtone-sip" in session.run(pactl, "list", "sink-inputs").stdout

    session.start_sound()
    with Keyring(session), Registrar(session) as registrar, FarEnd(session, registrar, "1002") as far:
        with Phone(session, program) as phone:
            add_with_keyring(session, registrar, phone, "1001")
            engine: list[int] = []
            for number in range(3):
                phone.clear()
                phone.action("enter", "'1002'")
                phone.action("dial")
                far.wait("CALL_ESTABLISHED")
                phone.expect_in_call()
                engine = engine or engines(phone)
                expect(engines(phone) == engine, "the engine has ended")
                eventually(is_heard, lambda: f"call {number + 1} is not heard")
                if number == 1:
                    session.stop_sound()
                    session.start_sound()
                phone.action("hang-up")
                far.wait("CALL_CLOSED")
                # The status line may say that there is sound again.
                expect(wait_until(lambda: phone.find("Call", "panel") is None), "the call does not end")
                if number == 0:
                    session.stop_sound()
                    session.start_sound()
            # Without a server, the call goes on in silence.
            session.stop_sound()
            far.ring(registrar.address("1001"))
            phone.expect_display("100-2")
            phone.click("Answer")
            far.wait("CALL_ESTABLISHED")
            far.command("hangup")
            far.wait("CALL_CLOSED")
            expect(engines(phone) == engine, "the engine has ended")
