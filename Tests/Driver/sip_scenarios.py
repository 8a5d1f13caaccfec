# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls over SIP, with the real engine. `scenarios.py` runs them."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pointer
from accessibility import wait_until
from passcode import Keyring
from phone import Phone, eventually, expect
from processes import MissingPeer, need
from registry import scenario
from screen_reader import ScreenReader
from session import Session
from sip import PASSWORD, FarEnd, Registrar, add_with_keyring, engines
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


#: The time in which text has to arrive, in seconds (EN 301 549, clause 6.2.4).
_TEXT_TIME = 0.5


@scenario
def text_in_call(session: Session, program: Path) -> None:
    """A call with real-time text says so before the answer; each letter arrives in both directions, and words are spoken."""
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
