# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the answering machine, with messages of the practice exchange. `scenarios.py` runs them."""

from __future__ import annotations

import math
import os
import signal
import sqlite3
import subprocess
import wave
from array import array
from pathlib import Path

import passcode
import pointer
from accessibility import wait_until
from call_scenarios import _be_called, _press, dial
from notifications import Notifications
from passcode import Keyring
from phone import Phone, eventually, expect
from processes import MissingPeer, need
from registry import scenario
from session import Session
from sip import FarEnd, Registrar, add_with_keyring, engines

#: The time for a ring, the greeting and the message.
LONG = 60


class _Recordings:
    """The recordings in the phone's store."""

    def __init__(self, session: Session) -> None:
        self._file = session.data_home / "touchtone/messages.db"
        self.folder = session.data_home / "touchtone/recordings"

    def rows(self) -> list[tuple[int, bool]]:
        """Return the length in milliseconds, and whether it was heard, of each recording that has ended, oldest first."""
        with sqlite3.connect(self._file) as store:
            query = "SELECT length, is_heard FROM recording WHERE state = 1 AND call IS NOT NULL ORDER BY id"
            return [(length, bool(is_heard)) for length, is_heard in store.execute(query)]

    def expect(self, heard: list[bool]) -> None:
        """Wait until there are these recordings, each of some length."""
        eventually(
            lambda: [is_heard for _, is_heard in self.rows()] == heard, lambda: f"the recordings are {self.rows()}")
        expect(all(length and length > 1000 for length, _ in self.rows()), f"the recordings are {self.rows()}")

    def files(self) -> list[Path]:
        """Return the files of recordings."""
        return sorted(self.folder.glob("*-*.opus"))


def _tones(file: Path, frequency: float) -> list[float]:
    """Return the amplitude of a frequency in the loudest tenth of a second of each channel, by a decoder of its own."""
    decoded = file.with_suffix(".wav")
    subprocess.run([need("opusdec", "opus-tools"), "--quiet", "--rate", "8000", file, decoded], check=True)
    with wave.open(str(decoded)) as sound:
        channels, samples = sound.getnchannels(), array("h", sound.readframes(sound.getnframes()))
    decoded.unlink()
    found = [0.0] * channels
    for channel in range(channels):
        side = samples[channel::channels]
        for start in range(0, len(side) - 800, 800):
            turns = [(side[start + index], 2 * math.pi * frequency * index / 8000) for index in range(800)]
            real = sum(sample * math.cos(angle) for sample, angle in turns)
            imaginary = sum(sample * math.sin(angle) for sample, angle in turns)
            found[channel] = max(found[channel], math.hypot(real, imaginary) / 400 / 32768)
    return found


def _turn_on(phone: Phone) -> None:
    phone.set("answering-after", "5")
    phone.action("answering-machine")
    expect(wait_until(lambda: phone.find("ANS  PRACTICE", "label") is not None), "the lamp ANS is off")


@scenario
def answering_machine(session: Session, program: Path) -> None:
    """A caller leaves a message, which is counted, notified, played and deleted with its call."""
    session.start_sound()
    recordings = _Recordings(session)
    with Notifications(session) as desktop, Phone(session, program) as phone:
        _turn_on(phone)
        _be_called(phone)
        phone.expect_caller("555-0104")
        phone.expect_status("MACHINE ANSWERS", LONG)
        phone.expect_display("555-0104")
        phone.expect_status("RECORDING", LONG)
        expect(recordings.folder.stat().st_mode & 0o777 == 0o700, "others can enter the folder")
        expect([file.stat().st_mode & 0o777 for file in recordings.files()] == [0o600], "others can read the file")
        phone.expect_status("1 MESSAGE", LONG)
        recordings.expect([False])
        note = desktop.wait(
            lambda shown: [note["title"] for note in shown] == ["Message from 555-0104"], "a notification of the message")
        desktop.act(note["number"], "play")
        recordings.expect([True])
        expect(wait_until(lambda: "MESSAGE" not in phone.status()), f"the status line shows {phone.status()!r}")

        # The user takes the call over: what was said until then is kept, and is not new.
        _be_called(phone)
        phone.expect_status("RECORDING", LONG)
        eventually(
            lambda: len(recordings.files()) == 2 and recordings.files()[1].stat().st_size > 4000,
            lambda: f"the files are {recordings.files()}")
        _press(phone, "Answer")
        phone.expect_in_call()
        phone.action("hang-up")
        recordings.expect([True, True])

        # Killed while it records.
        _be_called(phone)
        phone.expect_status("RECORDING", LONG)
        eventually(
            lambda: len(recordings.files()) == 3 and recordings.files()[2].stat().st_size > 6000,
            lambda: f"the files are {recordings.files()}")
        os.kill(phone.process.pid, signal.SIGKILL)
        phone.process.wait()
        phone.process.returncode = 0
    with Phone(session, program) as phone:
        phone.expect_status("1 MESSAGE")
        recordings.expect([True, True, False])


@scenario
def answering_machine_locked(session: Session, program: Path) -> None:
    """A locked phone records, and shows nothing of messages."""
    session.start_sound()
    recordings = _Recordings(session)
    passcode.set_passcode(session, "1234")
    with Notifications(session) as desktop, Phone(session, program) as phone:
        phone.type("1234")
        expect(wait_until(lambda: phone.find("Dial", "push button") is not None), "the phone does not open")
        _turn_on(phone)
        _be_called(phone)
        phone.action("lock")
        eventually(lambda: len(recordings.files()) == 1, lambda: "nothing is recorded")
        eventually(lambda: wait_until(lambda: recordings.rows() != [], LONG), lambda: "no message has come")
        recordings.expect([False])
        expect(
            not any("Message from" in note["title"] for note in desktop.shown.values()),
            f"the notifications are {desktop.shown}")
        phone.type("1234")
        phone.expect_status("1 MESSAGE")


@scenario
def answering_machine_over_sip(session: Session, program: Path) -> None:
    """A caller over SIP hears the greeting and leaves a message; one in a call is recorded with REC."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    recordings = _Recordings(session)
    with (
        Keyring(session), Registrar(session) as registrar,
        FarEnd(session, registrar, "1002", is_heard=True) as far,
    ):
        with Phone(session, program) as phone:
            add_with_keyring(session, registrar, phone, "1001")
            phone.set("answering-after", "5")
            phone.set("answering-machine", "true")
            eventually(lambda: engines(phone) != [], lambda: "the engine does not run")
            far.ring(registrar.address("1001"))
            phone.expect_status("MACHINE ANSWERS", LONG)
            far.wait("CALL_ESTABLISHED")
            phone.expect_status("RECORDING", LONG)
            eventually(
                lambda: recordings.files() != [] and recordings.files()[0].stat().st_size > 6000,
                lambda: f"the files are {recordings.files()}")
            far.command("hangup")
            phone.expect_status("1 MESSAGE", LONG)
            recordings.expect([False])

            phone.type("1002")
            phone.click("Dial")
            phone.expect_in_call()
            pointer.key("ctrl+shift+r")
            expect(wait_until(lambda: phone.find("REC  1001", "label") is not None), "the lamp REC is off")
            eventually(
                lambda: len(recordings.files()) == 2 and recordings.files()[1].stat().st_size > 6000,
                lambda: f"the files are {recordings.files()}")
            phone.click("Hang up")
            recordings.expect([False, True])


@scenario
def recorded_practice_call(session: Session, program: Path) -> None:
    """A call of the practice exchange is recorded with REC, pauses on hold, and is found after a crash."""
    session.start_sound()
    recordings = _Recordings(session)

    def record(phone: Phone, count: int) -> None:
        dial(phone, "7672676")
        phone.expect_in_call()
        pointer.key("ctrl+shift+r")
        expect(wait_until(lambda: phone.find("REC  PRACTICE", "label") is not None), "the lamp REC is off")
        eventually(
            lambda: len(recordings.files()) == count and recordings.files()[-1].stat().st_size > 8000,
            lambda: f"the files are {recordings.files()}")

    with Phone(session, program) as phone:
        record(phone, 1)
        phone.click("Hold")
        phone.expect_status("ON HOLD")
        phone.click("Hold")
        phone.expect_in_call()
        phone.click("Hang up")
        recordings.expect([True])
        tones = _tones(recordings.files()[0], 1400)
        expect(len(tones) == 2 and all(level > 0.15 for level in tones), f"the tone of the recording has {tones}")
        beeps = _tones(recordings.files()[0], 700)
        expect(beeps[1] < 0.01, f"what the far end plays is on the right, too: {beeps}")

        record(phone, 2)
        os.kill(phone.process.pid, signal.SIGKILL)
        phone.process.wait()
        phone.process.returncode = 0
    with Phone(session, program):
        eventually(lambda: len(recordings.rows()) == 2, lambda: f"the recordings are {recordings.rows()}")
        expect(all(length > 1000 for length, _ in recordings.rows()), f"the recordings are {recordings.rows()}")
        expect(len(_tones(recordings.files()[1], 1400)) == 2, "the recording until the crash has one side")
