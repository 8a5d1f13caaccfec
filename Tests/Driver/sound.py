# SPDX-License-Identifier: GPL-3.0-or-later
"""Records the output of the session's sound card, and decodes its tones with an independent decoder."""

from __future__ import annotations

import subprocess
import sys
import threading
import wave
from pathlib import Path
from types import TracebackType

import processes
from accessibility import Mismatch
from processes import need, spawn

RATE = 48_000
_BYTES = 2
_STALLS = Path(__file__).parent.parent / "Tools/stalls.py"
#: The shortest pause of the machine that can drain a buffer of 20 ms, in milliseconds.
_HARMFUL = 8.0

#: The longest pause of the machine during a recording of this process, in milliseconds.
_longest_pause = 0.0


def machine_paused() -> bool:
    """Return whether the machine paused during a recording, so that it may have gaps with any player."""
    return _longest_pause >= _HARMFUL


class Recorder:
    """A recording, as a context manager. The number of samples is its clock."""

    def __init__(self, file: Path, source: str = "phone.monitor") -> None:
        self._file, self._source = file, source
        self._samples = bytearray()
        self._has_ended = False
        self._arrived = threading.Condition()

    def __enter__(self) -> Recorder:
        self._watch = spawn([sys.executable, _STALLS], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self._process = spawn(
            [need("parec", "pulseaudio-utils"), "--raw", f"--rate={RATE}", "--format=s16le", "--channels=1",
             "--latency-msec=2", "-d", self._source],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, is_sound_card=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.pass_time(0.05)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.pass_time(0.3)
        finally:
            processes.stop(self._process)
            self._reader.join()
            self._write()
            self._end_watch()

    @property
    def seconds(self) -> float:
        """Return the length of the recording so far."""
        return len(self._samples) / _BYTES / RATE

    def pass_time(self, seconds: float) -> None:
        """Wait until this much more has been recorded."""
        wanted = self.seconds + seconds
        with self._arrived:
            self._arrived.wait_for(lambda: self.seconds >= wanted or self._has_ended, processes.TIMEOUT + seconds)
        if self.seconds < wanted:
            raise Mismatch("the sound server has ended" if self._has_ended else "the recorder hears not even silence")

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while chunk := stream.read1(4096):  # type: ignore[attr-defined]
            with self._arrived:
                self._samples += chunk
                self._arrived.notify_all()
        with self._arrived:
            self._has_ended = True
            self._arrived.notify_all()

    def _end_watch(self) -> None:
        global _longest_pause
        self._watch.terminate()
        # Before the delays, it prints the number of processors, and that it watches each.
        lines = self._watch.communicate()[0].decode().split()
        _longest_pause = max([_longest_pause, *(float(line) for line in lines[1:] if line != "ready")])

    def _write(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(self._file), "wb") as output:
            output.setnchannels(1)
            output.setsampwidth(_BYTES)
            output.setframerate(RATE)
            output.writeframes(bytes(self._samples))


def decode(file: Path) -> str:
    """Return the keys that multimon-ng decodes from a WAV file, such as `5558675309` (also `*`, `#`, `A`…`D`)."""
    need("sox", "sox")
    heard = subprocess.run(
        [need("multimon-ng", "multimon-ng"), "-q", "-a", "DTMF", "-t", "wav", str(file)],
        capture_output=True, text=True, timeout=60, check=True,
    )
    lines = (line for line in heard.stdout.splitlines() if line.startswith("DTMF: "))
    return "".join(line.removeprefix("DTMF: ").strip() for line in lines)
