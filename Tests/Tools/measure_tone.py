#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures properties of DTMF tones that a decoder does not report.

usage: measure_tone.py FILE KEY [FILE KEY ...]

Each FILE is a mono 16-bit WAV file with one tone, with or without silence around it. Prints a list in JSON:

  low_error, high_error   relative frequency error (ITU-T Q.23)
  level                   the peak of the pair, which is the sum of both amplitudes, dBFS
  twist                   the level of the high tone relative to the low one, dB
  spurious                the strongest other component, dB relative to the weaker tone
  rise, fall              from 10 to 90 % of the amplitude, ms
  length                  from the first sample to the last, ms
"""

from __future__ import annotations

import json
import sys
import wave

import numpy as np

KEYS = ["123A", "456B", "789C", "*0#D"]
LOW = [697, 770, 852, 941]
HIGH = [1209, 1336, 1477, 1633]
FULL_SCALE = 32768
THRESHOLD = 2 / FULL_SCALE
EDGE = 0.010  # s, the transient at either end


def load(path: str) -> tuple[np.ndarray, int]:
    """Return the tone of a file, from its first audible sample to its last, and the rate."""
    with wave.open(path) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float) / FULL_SCALE
        rate = file.getframerate()
    heard = np.flatnonzero(np.abs(samples) > THRESHOLD)
    if len(heard) == 0:
        sys.exit(f"{path} is silent")
    return samples[heard[0]:heard[-1] + 1], rate


def nominal(key: str) -> tuple[float, float]:
    row = next(index for index, keys in enumerate(KEYS) if key in keys)
    return LOW[row], HIGH[KEYS[row].index(key)]


class Spectrum:
    """The spectrum of a steady tone, with side lobes far below −60 dB."""

    def __init__(self, steady: np.ndarray, rate: int) -> None:
        size = 1 << 20
        window = np.kaiser(len(steady), 14)
        self.amplitude = 2 * np.abs(np.fft.rfft(steady * window, size)) / window.sum()
        self.step = rate / size
        self.frequency = np.arange(len(self.amplitude)) * self.step
        self.main_lobe = 8 * rate / len(steady)

    def peak(self, low: float, high: float) -> float:
        """Return the frequency of the strongest component in a range, with parabolic interpolation."""
        band = np.flatnonzero((self.frequency > low) & (self.frequency < high))
        top = band[np.argmax(self.amplitude[band])]
        a, b, c = np.log(self.amplitude[top - 1:top + 2] + 1e-15)
        return (top + (a - c) / (2 * (a - 2 * b + c))) * self.step

    def strongest_except(self, *tones: float) -> float:
        """Return the amplitude of the strongest component other than the tones."""
        others = (self.frequency > 60) & (self.frequency < 20_000)
        for tone in tones:
            others &= np.abs(self.frequency - tone) > self.main_lobe
        return self.amplitude[others].max()


def waves(frequencies: tuple[float, float], count: int, rate: int) -> np.ndarray:
    angle = 2 * np.pi * np.outer(np.arange(count) / rate, frequencies)
    return np.hstack([np.sin(angle), np.cos(angle)])


def ramps(samples: np.ndarray, steady: np.ndarray, rate: int) -> tuple[float, float]:
    """Return the rise and fall times, from 10 to 90 % of the gain of the steady pair."""
    box = np.ones(max(3, round(rate * 0.0006)))
    gain = np.convolve(samples * steady, box, "same") / np.convolve(steady * steady, box, "same")

    def time(edge: np.ndarray) -> float:
        above = [np.flatnonzero(edge > part)[0] for part in (0.1, 0.9)]
        at = [i - (edge[i] - part) / (edge[i] - edge[i - 1]) if i else 0.0 for i, part in zip(above, (0.1, 0.9))]
        return 1000 * (at[1] - at[0]) / rate

    return time(gain), time(gain[::-1])


def measure(path: str, key: str) -> dict[str, float]:
    samples, rate = load(path)
    edge = int(EDGE * rate)
    low, high = nominal(key)
    spectrum = Spectrum(samples[edge:-edge], rate)
    found = (spectrum.peak(low * 0.9, low * 1.1), spectrum.peak(high * 0.94, high * 1.06))
    basis = waves(found, len(samples), rate)
    weights, *_ = np.linalg.lstsq(basis[edge:-edge], samples[edge:-edge], rcond=None)
    low_amplitude, high_amplitude = (float(np.hypot(weights[i], weights[i + 2])) for i in (0, 1))
    rise, fall = ramps(samples, basis @ weights, rate)

    def decibels(ratio: float) -> float:
        return float(20 * np.log10(ratio + 1e-12))

    return {
        "low_error": found[0] / low - 1,
        "high_error": found[1] / high - 1,
        "level": decibels(low_amplitude + high_amplitude),
        "twist": decibels(high_amplitude / low_amplitude),
        "spurious": decibels(spectrum.strongest_except(*found) / min(low_amplitude, high_amplitude)),
        "rise": rise,
        "fall": fall,
        "length": 1000 * len(samples) / rate,
    }


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or len(arguments) % 2:
        sys.exit(__doc__)
    print(json.dumps([measure(*pair) for pair in zip(arguments[::2], arguments[1::2])]))


if __name__ == "__main__":
    main()
