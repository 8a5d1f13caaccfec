# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls over Jabber with whole other clients. `scenarios.py` runs them."""

from __future__ import annotations

import subprocess
import wave
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator

import own_network
from accessibility import wait_until
from client_bench import open_desk
from dino import Dino
from messages import expect_buddy, open_buddy, set_account
from passcode import Keyring
from phone import Phone, expect
from processes import MissingPeer, need
from registry import scenario
from session import Session
from sound import Recorder, decode


#: A part of the greatest sample, 32,767, that is no noise.
_AUDIBLE = 1_000


@scenario
def call_with_dino(session: Session, program: Path) -> None:
    """The phone and Dino call each other: answered, declined, given up, held; each hears the other's tones."""
    with _bench(session, program) as (phone, dino):
        # The phone calls, and Dino answers.
        _call(phone)
        dino.wait_call(1)
        phone.expect_status("RINGING")
        dino.accept_call()
        phone.expect_in_call()
        expect(wait_until(dino.call_is_encrypted), "Dino has no encrypted call")
        _expect_heard(session, program, "1470")
        phone.click("Flash")
        phone.expect_status("ON HOLD")
        phone.click("Flash")
        phone.expect_in_call()
        _expect_heard(session, program, "36")
        phone.click("Hang up")
        dino.wait_call(1)
        phone.expect_status("ENDED")


def _call(phone: Phone) -> None:
    open_buddy(phone, "grace@localhost")
    phone.button("Call").do_action("click")


def _expect_heard(session: Session, program: Path, keys: str) -> None:
    """Let tones come to the microphone that both have, and expect them from both speakers: each hears the other.

    Dino takes noise away from what it sends, and some of a tone with it.
    """
    spoken = session.folder / f"spoken-{keys}.wav"
    subprocess.run(
        [program.parent / "tonegen", "--digits", keys, "--on", "300", "--off", "300", spoken], check=True, timeout=60)
    heard = {name: session.folder / f"heard-{name}-{keys}.wav" for name in ("phone", "dino")}
    with Recorder(heard["phone"]) as recorder, Recorder(heard["dino"], "dino.monitor"):
        subprocess.run([need("paplay", "pulseaudio-utils"), "-d", "mouth", spoken], check=True, timeout=60)
        recorder.pass_time(1)
    expect(decode(heard["dino"]) == keys, f"of {keys}, Dino hears {decode(heard['dino'])!r}")
    with wave.open(str(heard["phone"])) as recording:
        loudest = max(map(abs, memoryview(recording.readframes(recording.getnframes())).cast("h")))
    expect(loudest > _AUDIBLE, f"the phone hears nothing louder than {loudest}")


@contextmanager
def _bench(session: Session, program: Path) -> Iterator[tuple[Phone, Dino]]:
    """Start the phone and Dino as buddies, in a network with a way for sound, each with a sound card of its own."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    own_network.enter()
    session.start_sound()
    for name in ("dino", "mouth"):
        _load("module-null-sink", f"sink_name={name}", "rate=48000", "channels=1", "channel_map=mono", "format=s16le")
    # Dino takes no monitor for a microphone.
    _load("module-remap-source", "source_name=mic", "master=mouth.monitor")
    # The phone plays on the card that the session has, and Dino on the default one.
    _pactl("set-default-sink", "dino")
    _pactl("set-default-source", "mic")
    with Keyring(session), open_desk(session) as desk:
        own, other = (desk.server.register(name) for name in ("ada", "grace"))
        set_account(session, desk.server, own)
        with Dino(session, *desk, other, own) as dino, \
                Phone(session, program, environment={"SSL_CERT_FILE": str(desk.server.authority)}) as phone:
            dino.send("hello")
            expect_buddy(phone, f"{other}, offline, 1 unread")
            yield phone, dino


def _load(*module: str) -> None:
    _pactl("load-module", *module)


def _pactl(*arguments: str) -> None:
    subprocess.run(
        [need("pactl", "pulseaudio-utils"), *arguments], check=True, timeout=60, stdout=subprocess.DEVNULL)
