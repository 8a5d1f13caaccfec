# SPDX-License-Identifier: GPL-3.0-or-later
"""Encrypted messages, with another client. They come last: from then on, both sides encrypt."""

from __future__ import annotations

from accessibility import wait_until
from client_trials import ARRIVES, Bench, add
from phone import BUTTONS, expect


def _encrypt(bench: Bench) -> None:
    bench.show()
    bench.write("a secret of the phone")
    bench.get(lambda: bench.peer.has("a secret of the phone"), "has no message")
    expect(bench.peer.was_encrypted("a secret of the phone"), "it came in the clear")

    def state() -> str:
        lock = bench.phone.find("Encryption", *BUTTONS)
        return "no lock" if lock is None else lock.description

    expect(wait_until(lambda: state().startswith("Encrypted"), ARRIVES), f"the lock says {state()!r}")


def _be_encrypted(bench: Bench) -> None:
    bench.peer.encrypt()
    bench.peer.open()
    bench.peer.send("a secret of the peer")
    bench.shows("a secret of the peer")
    expect(bench.peer.was_encrypted("a secret of the peer"), "the peer sent it in the clear")


add("encryption", _encrypt, _be_encrypted)
