# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for voice messages. `scenarios.py` runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pointer
from accessibility import Widget, wait_until
from file_scenarios import conversing, expect_file
from phone import Phone, expect
from processes import need
from registry import scenario
from session import Session
from sound import Recorder, decode


@scenario
def voice_messages(session: Session, program: Path) -> None:
    """A voice message is recorded while the key is held, and a received one is played."""
    session.start_sound()
    with conversing(session, program) as (phone, grace, own):
        # The microphone is the monitor of the sound card, on which a key sounds.
        key = phone.button("Voice Message")
        pointer.button_down(*phone.center(key))
        expect(wait_until(lambda: _recorded(phone) >= 0), "no recording is shown")
        _run(session, "paplay", _tone(session, program))
        expect(wait_until(lambda: _recorded(phone) > 0), "the time is not shown")
        pointer.button_up()
        expect_file(phone, "you", "file Voice Message.ogg")
        voice = grace.wait_file("Voice Message.ogg")
        wave = session.folder / "voice.wav"
        _run(session, need("opusdec", "opus-tools"), "--quiet", voice, wave)
        expect(decode(wave) == "5", f"the other side hears {decode(wave)!r}")
        # A file of another encoder: a gap in what was recorded above would be played as well.
        answer = session.folder / "answer.ogg"
        _run(session, need("opusenc", "opus-tools"), "--quiet", _tone(session, program), answer)
        grace.share(own, answer)
        expect_file(phone, grace.address, "file answer.ogg")
        heard = session.folder / "heard.wav"
        with Recorder(heard) as recorder:
            expect(wait_until(lambda: len(_buttons(phone, "Play")) == 2), "there are not two recordings to play")
            _buttons(phone, "Play")[1].do_action("click")
            expect(wait_until(lambda: phone.find("Pause", "push button") is not None), "it does not play")
            # The phone is asked nothing more while it plays: the answers would take their time from the sound server.
            recorder.pass_time(1.5)
            expect(wait_until(lambda: phone.find("Pause", "push button") is None), "it does not end")
        expect(decode(heard) == "5", f"the answer sounds as {decode(heard)!r}")


def _recorded(phone: Phone) -> int:
    """Return the shown length of the recording in seconds; -1 if there is none."""
    times = [widget.name[2:] for widget in phone.window.shown() if widget.role == "label" and widget.name.startswith("0:")]
    return int(times[0]) if times else -1


def _buttons(phone: Phone, name: str) -> list[Widget]:
    return [widget for widget in phone.window.shown() if widget.name == name and widget.role == "push button"]


def _run(session: Session, *command: str | Path) -> None:
    done = session.run(*command)
    expect(done.returncode == 0, f"{command}: {done.stderr}")


def _tone(session: Session, program: Path) -> Path:
    """Return a WAV file with the tone of the key 5."""
    file = session.folder / "five.wav"
    subprocess.run([program.parent / "tonegen", "--digits", "5", "--on", "600", file], check=True, timeout=60)
    return file
