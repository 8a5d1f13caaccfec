# SPDX-License-Identifier: GPL-3.0-or-later
"""A mobile phone that speaks the AT commands of the Hands-Free Profile (HFP 1.8) as audio gateway."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from typing import Any

import processes
from phone import eventually


class Handset:
    """The phone’s side of the connection: it answers AT commands in a thread of its own, and does what a test wants."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()
        #: The commands that came, without those that set the connection up.
        self.heard: list[str] = []
        #: The calls by their index: direction, status and number, as AT+CLCC lists them (3GPP TS 27.007, section 7.18).
        self.calls: dict[int, list[Any]] = {}
        #: What a command is answered instead of OK.
        self.refusals: dict[str, str] = {}
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    # What the test does

    def alert(self) -> None:
        """Let the called phone ring."""
        with self._lock:
            for call in self.calls.values():
                if call[1] == 2:
                    call[1] = 3
        self._say("+CIEV: 3,3")

    def answer(self) -> None:
        """Let the far end, or the user of this phone, answer the call that is set up."""
        with self._lock:
            is_first = not any(call[1] in (0, 1) for call in self.calls.values())
            for call in self.calls.values():
                if call[1] in (2, 3, 4):
                    call[1] = 0
        if is_first:
            self._say("+CIEV: 2,1")
        else:
            self._say("+CIEV: 4,1")
        self._say("+CIEV: 3,0")

    def end(self, index: int = 1) -> None:
        """Let the far end of a call hang up."""
        with self._lock:
            status = self.calls.pop(index)[1]
            rest = [call[1] for call in self.calls.values()]
        if status in (2, 3, 4, 5):
            self._say("+CIEV: 3,0")
        elif status == 1 or rest:
            self._say("+CIEV: 4,0")
        if not rest:
            self._say("+CIEV: 2,0")

    def ring(self, number: str) -> None:
        """Have an incoming call, which waits if there is another one."""
        with self._lock:
            waits = bool(self.calls)
            self.calls[self._next()] = [1, 5 if waits else 4, number]
        if waits:
            self._say(f'+CCWA: "{number}",129')
            self._say("+CIEV: 3,1")
        else:
            self._say("+CIEV: 3,1")
            self._say("RING")
            self._say(f'+CLIP: "{number}",129')

    def dial(self, number: str) -> None:
        """Let the user of this phone dial."""
        with self._lock:
            self.calls[self._next()] = [0, 2, number]
        self._say("+CIEV: 3,2")

    def charge(self, level: int) -> None:
        """Have another charge of the battery, 0 to 5."""
        self._say(f"+CIEV: 7,{level}")

    def send(self, raw: bytes) -> None:
        """Send anything."""
        self._end.sendall(raw)

    def disconnect(self) -> None:
        """Go away."""
        self._end.shutdown(socket.SHUT_RDWR)
        self._thread.join(processes.TIMEOUT)
        self._end.close()

    def expect(self, command: str) -> None:
        """Wait until a command has come since the last call of this function."""
        def comes() -> bool:
            with self._lock:
                if command not in self.heard:
                    return False
                del self.heard[: self.heard.index(command) + 1]
                return True

        eventually(comes, lambda: f"PipeWire sends {self.heard}, not {command}")

    # The protocol

    def _next(self) -> int:
        return max(self.calls, default=0) + 1

    def _say(self, *lines: str) -> None:
        try:
            self._end.sendall("".join(f"\r\n{line}\r\n" for line in lines).encode())
        except OSError:
            pass

    def _serve(self) -> None:
        rest = b""
        while True:
            try:
                data = self._end.recv(4096)
            except OSError:
                return
            if not data:
                return
            *commands, rest = (rest + data).split(b"\r")
            for command in commands:
                self._obey(command.decode(errors="replace").strip())

    def _obey(self, command: str) -> None:
        setup: dict[str, list[str]] = {
            # Three-way calling, reject, enhanced call status, extended errors.
            "AT+BRSF=": ["+BRSF: 353"],
            "AT+CIND=?": [
                '+CIND: ("service",(0,1)),("call",(0,1)),("callsetup",(0-3)),("callheld",(0-2)),("signal",(0-5)),'
                '("roam",(0,1)),("battchg",(0-5))'],
            "AT+CIND?": ["+CIND: 1,0,0,0,4,0,4"],
            "AT+CHLD=?": ["+CHLD: (0,1,2,3)"],
            "AT+CMER=": [], "AT+CLIP=": [], "AT+CCWA=": [], "AT+CMEE=": [], "AT+VGS=": [], "AT+VGM=": [],
            "AT+NREC=": [], "AT+BIA=": [],
        }
        for start, lines in setup.items():
            if command.startswith(start):
                return self._say(*lines, "OK")
        if command == "AT+CLCC":
            with self._lock:
                lines = [
                    f'+CLCC: {index},{direction},{status},0,{int(self._is_joined(status))},"{number}",129'
                    for index, (direction, status, number) in sorted(self.calls.items())]
            return self._say(*lines, "OK")
        with self._lock:
            self.heard.append(command)
        if command in self.refusals:
            return self._say(self.refusals[command])
        obey = next((obey for start, obey in self._commands().items() if re.fullmatch(start, command)), None)
        if obey is None:
            return self._say("ERROR")
        with self._lock:
            events = obey(command)
        self._say("OK")
        self._say(*events)

    def _is_joined(self, status: int) -> bool:
        return status == 0 and sum(call[1] == 0 for call in self.calls.values()) > 1

    def _commands(self) -> dict[str, Callable[[str], list[str]]]:
        return {
            r"ATD[0-9+*#]+;": self._dialled, "ATA": self._answered, r"AT\+CHUP": self._hung_up,
            r"AT\+CHLD=[0-3]": self._held, r"AT\+VTS=[0-9*#A-D]": lambda _: [],
        }

    def _dialled(self, command: str) -> list[str]:
        held = [call for call in self.calls.values() if call[1] == 0]
        for call in held:
            call[1] = 1
        self.calls[self._next()] = [0, 2, command[3:-1]]
        return [*(["+CIEV: 4,2"] if held else []), "+CIEV: 3,2"]

    def _answered(self, _command: str) -> list[str]:
        for call in self.calls.values():
            if call[1] == 4:
                call[1] = 0
        return ["+CIEV: 2,1", "+CIEV: 3,0"]

    def _hung_up(self, _command: str) -> list[str]:
        set_up = any(call[1] in (2, 3, 4) for call in self.calls.values())
        self.calls = {
            index: call for index, call in self.calls.items()
            if (call[1] not in (2, 3, 4) if set_up else call[1] != 0)}
        return ["+CIEV: 3,0"] if set_up else ["+CIEV: 2,0"]

    def _held(self, command: str) -> list[str]:
        operation = int(command[-1])
        waiting = any(call[1] == 5 for call in self.calls.values())
        before = {index: call[1] for index, call in self.calls.items()}
        for index, status in before.items():
            call = self.calls[index]
            if operation == 0 and status == (5 if waiting else 1) or operation == 1 and status == 0:
                del self.calls[index]
            elif operation == 1 and status == (5 if waiting else 1) or operation == 3 and status == 1:
                call[1] = 0
            elif operation == 2:
                call[1] = {0: 1, 5: 0}.get(status, status if waiting else 0)
        held = any(call[1] == 1 for call in self.calls.values())
        events = [f"+CIEV: 4,{int(held)}"]
        if waiting:
            events.append("+CIEV: 3,0")
        return events
