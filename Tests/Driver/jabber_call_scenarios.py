# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for calls over Jabber with whole other clients. `scenarios.py` runs them."""

from __future__ import annotations

import itertools
import json
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
from phone import Phone, eventually, expect
from processes import MissingPeer, need
from registry import by_name
from session import Session
from sound import Recorder, decode


#: A part of the greatest sample, 32,767, that is no noise.
_AUDIBLE = 1_000


@by_name
def call_with_dino(session: Session, program: Path) -> None:
    """The phone calls Dino: answered, held, declined and given up; each hears the other."""
    with _bench(session, program) as (phone, dino):
        # The phone calls, and Dino answers.
        _call(phone)
        dino.wait_call(1)
        phone.expect_status("RINGING")
        dino.accept_call()
        phone.expect_in_call()
        expect(wait_until(dino.call_is_encrypted), "Dino has no encrypted call")
        _give_microphone("phone", "touchtone-sip")
        _give_microphone("dino", "Dino")
        _expect_dino_hears(session, program, "1470")
        _expect_phone_hears(session, program, "2580")
        phone.click("Flash")
        phone.expect_status("ON HOLD")
        phone.click("Flash")
        phone.expect_in_call()
        _give_microphone("phone", "touchtone-sip")
        # The first tone may be gone before both ends have gone on.
        _expect_dino_hears(session, program, "936", "36")
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


def _call(phone: Phone) -> None:
    open_buddy(phone, "grace@localhost")
    phone.button("Call").do_action("click")


def _speak(session: Session, program: Path, speaker: str, listener: str, keys: str) -> Path:
    """Let tones come to one microphone, and return what comes from the other one's loudspeaker."""
    spoken, heard = (session.folder / f"{what}-{speaker}-{keys}.wav" for what in ("spoken", "heard"))
    subprocess.run(
        [program.parent / "tonegen", "--digits", keys, "--on", "600", "--off", "300", spoken], check=True, timeout=60)
    with Recorder(heard, f"{listener}.monitor") as recorder:
        subprocess.run([need("paplay", "pulseaudio-utils"), "-d", f"{speaker}_mouth", spoken], check=True, timeout=60)
        recorder.pass_time(1)
    return heard


def _expect_dino_hears(session: Session, program: Path, keys: str, end: str = "") -> None:
    """Expect the tones of keys, or those at their end. None comes twice in a row: a gap makes two of a tone."""
    heard = decode(_speak(session, program, "phone", "dino", keys))
    each = "".join(key for key, _ in itertools.groupby(heard))
    expect(each.endswith(end) if end else each == keys, f"of {keys}, Dino hears {heard!r}")


def _expect_phone_hears(session: Session, program: Path, keys: str) -> None:
    """Expect any sound: Dino takes tones for noise, and does not send all of them."""
    with wave.open(str(_speak(session, program, "dino", "phone", keys))) as recording:
        loudest = max(map(abs, memoryview(recording.readframes(recording.getnframes())).cast("h")))
    expect(loudest > _AUDIBLE, f"the phone hears nothing louder than {loudest}")


def _give_microphone(name: str, program: str) -> None:
    """Let a program record from a microphone of its own."""
    def streams() -> list[int]:
        listed = json.loads(_pactl("-f", "json", "list", "source-outputs"))
        return [one["index"] for one in listed if one["properties"].get("application.name") == program]

    eventually(lambda: bool(streams()), lambda: f"{program} does not record")
    for stream in streams():
        _pactl("move-source-output", str(stream), f"{name}_mic")


@contextmanager
def _bench(session: Session, program: Path) -> Iterator[tuple[Phone, Dino]]:
    """Start the phone and Dino as buddies, in a network with a way for sound, each with a sound card of its own."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    own_network.enter()
    session.start_sound()
    for name in ("dino", "dino_mouth", "phone_mouth"):
        _load("module-null-sink", f"sink_name={name}", "rate=48000", "channels=1", "channel_map=mono", "format=s16le")
    # Dino takes no monitor for a microphone.
    for name in ("dino", "phone"):
        _load("module-remap-source", f"source_name={name}_mic", f"master={name}_mouth.monitor")
    # The phone plays on the card that the session has, and Dino on the default one.
    _pactl("set-default-sink", "dino")
    _pactl("set-default-source", "dino_mic")
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


def _pactl(*arguments: str) -> str:
    done = subprocess.run(
        [need("pactl", "pulseaudio-utils"), *arguments], check=True, timeout=60, capture_output=True, text=True)
    return done.stdout
