# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls over Jabber with Dino. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

import own_network
import pointer
from accessibility import wait_until
from call_tones import decode_processed, expect_heard, expect_hum, give_microphone, is_silent, speak
from client_bench import open_desk
from dino import Dino
from gajim import installed_gajim
from jabber_call_bench import LINE, NAME, SHOWN, enter_network, introduce, open_call_bench, start_phone
from messages import open_buddy, rows
from passcode import Keyring
from phone import APP_ID, Phone, eventually, expect
from registry import by_name
from session import Session
from sip import FarEnd, Registrar, add_with_keyring
from sound import Recorder


@by_name
def call_with_dino(session: Session, program: Path) -> None:
    """The phone calls Dino: answered, held, declined and given up; each hears the other."""
    with open_call_bench(session, program) as (phone, dino):
        # The phone calls, and Dino answers.
        _call(phone)
        dino.wait_call(1)
        phone.expect_status("RINGING")
        dino.accept_call()
        phone.expect_in_call()
        _expect_encrypted(dino)
        _expect_sound(session, program)
        phone.click("Flash")
        phone.expect_status("ON HOLD")
        phone.click("Flash")
        phone.expect_in_call()
        give_microphone("phone", "touchtone-sip")
        # The first tones may be gone before both ends have gone on.
        expect_heard(session, program, "phone", "dino", "1470936", "36")
        phone.click("Hang up")
        phone.expect_status("ENDED")
        # Dino declines, which its database does not say: it sends no reason.
        _call(phone)
        dino.wait_call(2)
        dino.reject_call()
        phone.expect_status("DECLINED")
        phone.click("Hang up")
        # The phone gives up.
        _call(phone)
        dino.wait_call(3)
        phone.click("Hang up")
        dino.wait_call(3, "missed")


@by_name
def called_by_dino(session: Session, program: Path) -> None:
    """Dino calls the phone: answered, hung up by either, declined and given up; each hears the other."""
    with open_call_bench(session, program) as (phone, dino):
        _answer_dino(phone, dino)
        _expect_encrypted(dino)
        # Dino takes no telephone events.
        phone.expect_status("KEYS NOT SENT")
        _expect_sound(session, program)
        phone.click("Hang up")
        phone.expect_status("ENDED")
        _expect_over(dino, 1, "ended")
        _answer_dino(phone, dino)
        # Before it has the keys, it would give up.
        _expect_encrypted(dino)
        dino.hang_up()
        phone.expect_status("ENDED")
        _expect_over(dino, 2, "ended")
        _ring(phone, dino)
        phone.click("Decline")
        _expect_over(dino, 3, "declined")
        _ring(phone, dino)
        dino.hang_up()
        phone.expect_status(f"MISSED FROM {SHOWN}")
        _expect_over(dino, 4, "missed")
        pointer.key("alt+2")
        _expect_log(phone, "missed", "declined", "incoming", "incoming")


@by_name
def long_call_with_dino(session: Session, program: Path) -> None:
    """A call with Dino goes on for more than three minutes, after which each still hears the other."""
    with open_call_bench(session, program) as (phone, dino):
        _answer_dino(phone, dino)
        _expect_sound(session, program)
        # Each wait is shorter than the timeout.
        for seconds in range(40, 200, 30):
            phone.expect_in_call(seconds)
        _expect_sound(session, program)
        phone.click("Hang up")
        _expect_over(dino, 1, "ended")


@by_name
def call_with_dino_over_ipv6(session: Session, program: Path) -> None:
    """The phone and Dino call each other in a network that has IPv6 alone."""
    with open_call_bench(session, program, own_network.WIDE_ADDRESS) as (phone, dino):
        _call(phone)
        dino.wait_call(1)
        dino.accept_call()
        phone.expect_in_call()
        _expect_encrypted(dino)
        _expect_sound(session, program)
        phone.click("Hang up")
        _expect_over(dino, 1, "ended")
        _answer_dino(phone, dino)
        _expect_encrypted(dino)
        _expect_sound(session, program)
        dino.hang_up()
        phone.expect_status("ENDED")


@by_name
def dino_joined_with_sip(session: Session, program: Path) -> None:
    """The phone joins a call with Dino and one over SIP: each far end hears the other."""
    with open_call_bench(session, program) as (phone, dino), Registrar(session) as registrar, \
            FarEnd(session, registrar, "1002", is_heard=True, records=True) as far:
        add_with_keyring(session, registrar, phone, "1001")
        _answer_dino(phone, dino)
        _expect_sound(session, program)
        phone.click("Flash")
        phone.expect_status("ON HOLD")
        phone.type("1002")
        phone.click("Dial")
        far.wait("CALL_ESTABLISHED")
        phone.expect_in_call()
        phone.click("Join")
        phone.expect_status("JOINED")
        expect_hum(session, "dino", far.PITCH)
        # What Dino sends starts anew.
        speak(session, program, "dino", "14709362580")
        expect_hum(session, "dino", far.PITCH)
        phone.click("Hang up")
        far.wait("CALL_CLOSED")
        heard = far.heard(decode_processed)
        expect(heard.endswith("2580"), f"baresip hears {heard!r}")


@by_name
def refuses_gajim(session: Session, program: Path) -> None:
    """Gajim offers a call without encryption: it does not ring, and stands in the call log with the reason."""
    enter_network(session, program, cards=("phone",))
    with Keyring(session), open_desk(session) as desk:
        own, other = introduce(session, desk.server)
        with installed_gajim()(session, *desk, other, own) as gajim, start_phone(session, program, desk.server) as phone:
            eventually(gajim.sees_presence, lambda: f"{gajim.complain('does not see the phone')}")
            pointer.key("alt+2")
            heard = session.folder / "heard-phone.wav"
            with Recorder(heard) as recorder:
                gajim.call()
                _expect_log(phone, "missed")
                eventually(lambda: not gajim.is_calling(), lambda: f"{gajim.complain('still calls')}")
                recorder.pass_time(1)
            expect(is_silent(heard), "the phone rings")
            row = next(one for one in phone.widgets() if one.role == "list item" and one.name.startswith(f"{NAME}, missed"))
            expect("the sound could not be encrypted" in row.description, f"the call log says {row.description!r}")


@by_name
def answers_gajim(session: Session, program: Path) -> None:
    """Gajim calls without encryption, which the user allows: it rings, and each hears the other."""
    enter_network(session, program, cards=("phone", "gajim"))
    session.run("gsettings", "set", APP_ID, "allow-unencrypted-calls", "true")
    with Keyring(session), open_desk(session) as desk:
        own, other = introduce(session, desk.server)
        with installed_gajim()(session, *desk, other, own) as gajim, start_phone(session, program, desk.server) as phone:
            eventually(gajim.sees_presence, lambda: f"{gajim.complain('does not see the phone')}")
            gajim.call()
            phone.expect_caller(SHOWN, LINE)
            phone.click("Answer")
            phone.expect_in_call()
            give_microphone("phone", "touchtone-sip")
            expect_heard(session, program, "phone", "gajim", "1470")
            expect_heard(session, program, "gajim", "phone", "2580")
            _expect_open(phone)
            phone.click("Hang up")
            eventually(lambda: not gajim.is_calling(), lambda: f"{gajim.complain('still calls')}")
            pointer.key("alt+2")
            _expect_log(phone, "incoming")


def _expect_open(phone: Phone) -> None:
    """Expect that the card of the call says that it is not encrypted."""
    phone.click("Keypad")
    expect(wait_until(lambda: phone.find("Call Quality") is not None), "the card of the call has no quality")
    phone.click("Call Quality")

    def shown() -> str:
        label = phone.find("", "label", description="Encryption")
        return label.name if label is not None else ""

    expect(wait_until(lambda: shown() == "None"), f"the card of the call says that its encryption is {shown()!r}")


def _call(phone: Phone) -> None:
    """Call Dino from its conversation."""
    open_buddy(phone, NAME)
    phone.button("Call").do_action("click")


def _ring(phone: Phone, dino: Dino) -> None:
    """Let Dino call, until the phone rings."""
    dino.call()
    phone.expect_caller(SHOWN, LINE)


def _answer_dino(phone: Phone, dino: Dino) -> None:
    """Let Dino call, and answer."""
    _ring(phone, dino)
    phone.click("Answer")
    phone.expect_in_call()


def _expect_encrypted(dino: Dino) -> None:
    expect(wait_until(dino.call_is_encrypted, pause=0.1), f"{dino.complain('has no encrypted call')}")


def _expect_over(dino: Dino, number: int, state: str) -> None:
    """Wait until Dino shows no call, and has so many, of which the last ended like this."""
    expect(wait_until(lambda: not dino.shows_call(), pause=0.1), f"{dino.complain('still shows a call')}")
    dino.wait_call(number, state)


def _expect_sound(session: Session, program: Path) -> None:
    """Expect that each of both hears the other."""
    give_microphone("phone", "touchtone-sip")
    give_microphone("dino", "Dino")
    expect_heard(session, program, "phone", "dino", "1470")
    expect_heard(session, program, "dino", "phone", "2580")


def _expect_log(phone: Phone, *kinds: str) -> None:
    """Wait until the call log has these calls with Dino, the newest one first."""
    def shown() -> list[str]:
        return [", ".join(row.split(", ")[:2]) for row in rows(phone, "Calls")]

    expect(wait_until(lambda: shown() == [f"{NAME}, {kind}" for kind in kinds]), f"the call log has {shown()}")
