# SPDX-License-Identifier: GPL-3.0-or-later
"""The end of a day on the desk: the accessibility bus and the session bus end, and the phone goes on without them.

Nothing on the screen can be read then, so that the phone is worked by the keyboard, and what it does is seen from outside.
"""

from __future__ import annotations

from typing import Callable

import pointer
from phone import eventually
from soak_desk import OWN, Desk


class DeskWithoutBus(Desk):
    """A desk whose session bus comes and goes, but never for this phone."""

    def __init__(self, desk: Desk) -> None:
        """Go on with the phone, the messages and the calls of a desk."""
        self.__dict__.update(desk.__dict__)
        self._only = []

    def begin(self) -> None:
        """End first the accessibility bus, and then the session bus during a call."""
        # It keeps the focus.
        self._enter_field()
        self._session.kill_accessibility_bus()
        self._let(self.messages)
        self._ring(is_missed=False)
        self._answer()
        self._far.wait("CALL_ESTABLISHED")
        self._session.kill_bus()
        eventually(
            lambda: "the session bus has ended" in self._phone.output(), lambda: f"the phone says {self._phone.output()}")
        self._hang_up()
        self._far.wait("CALL_CLOSED")

    def happenings(self) -> list[Callable[[], None]]:
        return [
            self.call_in, self.call_in, self.missed_call, self.declined_call, self.messages, self.cut, self.dead_network,
            self.server_restart, self.sip_cut, self.registrar_restart, self.suspension, self.engine_suspension,
            self.sound_server, self.bus,
        ]

    def during_calls(self) -> list[Callable[[], None]]:
        return [self._listen, self.messages, self.cut, self.suspension, self.sound_server, self.bus]

    def bus(self) -> None:
        """A new session bus begins at the same address, and ends."""
        self._session.start_bus()
        self._let(self.messages)
        self._session.kill_bus()

    # By the keyboard

    def _shown(self) -> str:
        return "what nobody can read without a bus"

    def _answer(self) -> None:
        pointer.key("ctrl+Return")

    def _hang_up(self) -> None:
        pointer.key("ctrl+d")

    def _press(self, name: str) -> None:
        pointer.key({"Mute": "ctrl+m", "Decline": "ctrl+d"}[name])

    def _ring(self, *, is_missed: bool) -> None:
        self._calls.append((1, int(is_missed)))
        self._far.ring(self._registrar.address(OWN))

    def _write(self, text: str) -> None:
        pointer.write(text)
        pointer.key("Return")

    def _expect_quiet(self) -> None:
        # The list of calls has the call once it has ended.
        eventually(lambda: len(self._stored_calls()) == len(self._calls), lambda: "the call does not end")
