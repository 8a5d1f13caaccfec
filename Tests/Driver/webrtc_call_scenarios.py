# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario for calls over Jabber with webrtcbin, which stands for libwebrtc. `scenarios.py` runs it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

from call_tones import expect_tones, give_microphone, speak
from jabber import Server
from jabber_call_bench import LINE, NAME, SHOWN, enter_network, introduce, start_phone
from messages import open_buddy
from passcode import Keyring
from phone import Phone, expect
from registry import by_name
from session import Session
from sound import Recorder
from webrtc import WebRTCPeer


@by_name
def call_with_webrtc(session: Session, program: Path) -> None:
    """The phone calls webrtcbin, and is called: each hears the other, and the keys arrive."""
    with _bench(session, program) as (phone, peer):
        open_buddy(phone, NAME)
        phone.button("Call").do_action("click")
        peer.wait("propose")
        phone.expect_status("RINGING")
        peer.command("answer")
        peer.wait("connected")
        phone.expect_in_call()
        _expect_sound(session, program, peer)
        _expect_keys(phone, peer)
        phone.click("Hang up")
        expect(peer.wait("ended")["reason"] == "success", f"the phone ends the call for {peer.events[-1]}")
        # The other way.
        peer.command("call", "ada@localhost")
        phone.expect_caller(SHOWN, LINE)
        peer.wait("ringing")
        phone.click("Answer")
        peer.wait("connected")
        phone.expect_in_call()
        _expect_sound(session, program, peer)
        _expect_keys(phone, peer)
        peer.command("hang_up")
        phone.expect_status("ENDED")


def _expect_sound(session: Session, program: Path, peer: WebRTCPeer) -> None:
    """Expect that each of both hears the other."""
    give_microphone("phone", "touchtone-sip")
    speak(session, program, "phone", "1470")
    peer.wait_keys("tone", "1470")
    heard = session.folder / "heard-phone.wav"
    with Recorder(heard) as recorder:
        peer.command("speak", "2580")
        peer.wait("spoken")
        # On a busy machine, the last tone is late.
        recorder.pass_time(3)
    expect_tones(heard, "2580")


def _expect_keys(phone: Phone, peer: WebRTCPeer) -> None:
    """Press keys in a call, and expect their events at the far end."""
    expect("NOT SENT" not in phone.status(), f"the phone says {phone.status()!r}")
    phone.click(*"59#")
    peer.wait_keys("key", "59#")


@contextmanager
def _bench(session: Session, program: Path) -> Iterator[tuple[Phone, WebRTCPeer]]:
    enter_network(session, program, cards=("phone",))
    with Keyring(session), Server(session) as server:
        _, other = introduce(session, server)
        with WebRTCPeer(server, other, session.folder / "webrtc.log") as peer, \
                start_phone(session, program, server) as phone:
            yield phone, peer
