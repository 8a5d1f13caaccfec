# SPDX-License-Identifier: GPL-3.0-or-later
"""Tones that are spoken at one end of a call and decoded at the other, with a sound card for each program."""

from __future__ import annotations

import itertools
import json
import math
import subprocess
import wave
from pathlib import Path

from phone import eventually, expect
from processes import need
from session import Session
from sound import RATE, Recorder, decode

#: Milliseconds of tone and of pause. Dino takes what lasts for noise, and removes it.
_ON, _OFF = 100, 400
#: The samples in which a hum is looked for, and the part of their power that it has.
_PERIOD, _SHARE = RATE // 4, 0.5
#: The samples of what is no silence are greater than this.
_FAINT = 100
#: The pitches of the keys by rows and columns (ITU-T Q.23), how much stronger than the others of its group one must be, and the
#: part of the power that both must have.
_ROWS, _COLUMNS = (697, 770, 852, 941), (1209, 1336, 1477, 1633)
_KEYS = ("123A", "456B", "789C", "*0#D")
_CLEAR, _PAIR = 4, 0.3
#: The samples in which a tone is looked for. A key has this many such parts in a row.
_PART, _LEAST = RATE // 50, 2


def add_cards(*names: str) -> None:
    """Give each of these programs a loudspeaker `NAME`, unless it is the phone, and a microphone `NAME_mic`.

    What is played to `NAME_mouth` comes to the microphone. The phone plays on the card that the session has, and the others on
    the default one, which is that of the last.
    """
    for name in names:
        sinks = (f"{name}_mouth",) if name == "phone" else (name, f"{name}_mouth")
        for sink in sinks:
            _load("module-null-sink", f"sink_name={sink}", "rate=48000", "channels=1", "channel_map=mono", "format=s16le")
        # Dino takes no monitor for a microphone.
        _load("module-remap-source", f"source_name={name}_mic", f"master={name}_mouth.monitor")
    _pactl("set-default-sink", names[-1])
    _pactl("set-default-source", f"{names[-1]}_mic")


def give_microphone(name: str, program: str) -> None:
    """Let a program record from the microphone of its card, once it records."""
    def streams() -> list[int]:
        listed = json.loads(_pactl("-f", "json", "list", "source-outputs"))
        return [one["index"] for one in listed if one["properties"].get("application.name") == program]

    eventually(lambda: bool(streams()), lambda: f"{program} does not record")
    for stream in streams():
        _pactl("move-source-output", str(stream), f"{name}_mic")


def select_microphone(name: str) -> None:
    """Let programs record from the microphone of a card, unless they are told otherwise."""
    _pactl("set-default-source", f"{name}_mic")


def hum(speaker: str, pitch: int) -> None:
    """Let a tone come to a microphone, until the sound server ends."""
    _load("module-sine", f"sink={speaker}_mouth", f"frequency={pitch}")


def expect_heard(session: Session, program: Path, speaker: str, listener: str, keys: str, end: str = "") -> None:
    """Speak the tones of keys at one end, and expect them at the other, or those at their end."""
    heard = session.folder / f"heard-{listener}.wav"
    with Recorder(heard, f"{listener}.monitor") as recorder:
        speak(session, program, speaker, keys)
        recorder.pass_time(1)
    expect_tones(heard, keys, end, is_processed=speaker == "dino")


def expect_tones(file: Path, keys: str, end: str = "", *, is_processed: bool = False) -> None:
    """Expect the tones of keys in a recording, or those at their end.

    No key comes twice in a row: a gap in a tone makes two of it.
    """
    found = "".join(key for key, _ in itertools.groupby(decode_processed(file) if is_processed else decode(file)))
    expect(found.endswith(end) if end else found == keys, f"of {keys}, {file.stem} is {found!r}")


def speak(session: Session, program: Path, speaker: str, keys: str) -> None:
    """Speak the tones of keys at one end."""
    spoken = session.folder / f"spoken-{speaker}.wav"
    write_tones(program, spoken, keys)
    subprocess.run([need("paplay", "pulseaudio-utils"), "-d", f"{speaker}_mouth", spoken], check=True, timeout=60)


def write_tones(program: Path, file: Path, keys: str) -> None:
    """Write a WAV file with the tones of keys."""
    subprocess.run(
        [program.parent / "tonegen", "--digits", keys, "--on", str(_ON), "--off", str(_OFF), file], check=True, timeout=60)


def expect_hum(session: Session, listener: str, pitch: int) -> None:
    """Expect that a tone is heard at one end, for a second without a gap."""
    heard = session.folder / f"heard-{listener}.wav"
    with Recorder(heard, f"{listener}.monitor") as recorder:
        recorder.pass_time(3)
    shares = [round(share, 2) for share in hums(heard, pitch)]
    longest = run = 0
    for share in shares:
        run = run + 1 if share > _SHARE else 0
        longest = max(longest, run)
    expect(longest * _PERIOD >= RATE, f"{listener} hears no {pitch} Hz: its shares are {shares}")


def decode_processed(file: Path) -> str:
    """Return the keys whose tones are in a recording, also if the speaker's program has processed them as a voice.

    Dino does: it makes columns up to three times as loud as rows, which decoders of telephony take for speech.
    """
    with wave.open(str(file)) as recording:
        samples = memoryview(recording.readframes(recording.getnframes())).cast("h")[::recording.getnchannels()]
        rate = recording.getframerate()
    part = _PART * rate // RATE
    parts = [_key(samples[begin:begin + part], rate) for begin in range(0, len(samples) - part + 1, part)]
    return "".join(key for key, run in itertools.groupby(parts) if len(list(run)) >= _LEAST)


def _key(samples: memoryview[int], rate: int) -> str:
    """Return the key whose tone is in some samples; nothing if that is not clear."""
    if max(map(abs, samples)) < _FAINT:
        return ""
    place, found = [], 0.0
    for pitches in (_ROWS, _COLUMNS):
        powers = [_power(samples, pitch, rate) for pitch in pitches]
        most, next_one = sorted(powers)[:-3:-1]
        if most < next_one * _CLEAR:
            return ""
        place.append(powers.index(most))
        found += most
    is_tone = found > _PAIR * sum(sample * sample for sample in samples)
    return _KEYS[place[0]][place[1]] if is_tone else ""


def _power(samples: memoryview[int], pitch: int, rate: int) -> float:
    """Return the part of the power of some samples that a tone has (Goertzel's algorithm)."""
    factor = 2 * math.cos(2 * math.pi * pitch / rate)
    before = last = 0.0
    for sample in samples:
        before, last = last, sample + factor * last - before
    return (before * before + last * last - factor * before * last) * 2 / len(samples)


def is_silent(file: Path) -> bool:
    """Return whether a recording has nothing that can be heard."""
    with wave.open(str(file)) as recording:
        return max(map(abs, memoryview(recording.readframes(recording.getnframes())).cast("h"))) < _FAINT


def hums(file: Path, pitch: int) -> list[float]:
    """Return which part of the power a tone has in each quarter of a second; nothing of silence."""
    with wave.open(str(file)) as recording:
        samples = memoryview(recording.readframes(recording.getnframes())).cast("h")
        rate = recording.getframerate()
    period = _PERIOD * rate // RATE
    shares = []
    for begin in range(0, len(samples) - period + 1, period):
        part = samples[begin:begin + period]
        power = sum(sample * sample for sample in part)
        shares.append(_power(part, pitch, rate) / power if power > period * _FAINT ** 2 else 0.0)
    return shares


def _load(*module: str) -> None:
    _pactl("load-module", *module)


def _pactl(*arguments: str) -> str:
    done = subprocess.run(
        [need("pactl", "pulseaudio-utils"), *arguments], check=True, timeout=60, capture_output=True, text=True)
    return done.stdout
