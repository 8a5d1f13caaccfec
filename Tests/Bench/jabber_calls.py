# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures calls over Jabber, with the whole phone: the times from the network to the display, from an answer to the sound and
from a key to the network, with webrtcbin at the far end; then processor time, wakeups and memory in a call with Dino, each
beside Dino's own.

The times on the display are those at which an assistive tool is told. A missed target is not an error: the machine may be busy.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Driver"))

import processes  # noqa: E402
from accessibility import pass_time, wait_until  # noqa: E402
from bench import read_memory, switches, target  # noqa: E402
from call_tones import give_microphone, hum, select_microphone  # noqa: E402
from calls import REST, SETTLING, Keyboard  # noqa: E402
from client_bench import Desk, open_desk  # noqa: E402
from dino import Dino  # noqa: E402
from jabber import Server  # noqa: E402
from jabber_call_bench import LINE, NAME, enter_network, introduce, start_phone  # noqa: E402
from messages import open_buddy  # noqa: E402
from observing import Names, processor_time  # noqa: E402
from passcode import Keyring  # noqa: E402
from phone import Phone, expect  # noqa: E402
from processes import need, spawn  # noqa: E402
from session import Session  # noqa: E402
from sip import engines  # noqa: E402
from sound import RATE  # noqa: E402
from webrtc import WebRTCPeer  # noqa: E402

#: The pitches at both ends, and the samples that are no silence.
_OURS, _THEIRS, _FAINT = 1_000, 700, 1_000
#: The time after a call in which its SIP transactions end (RFC 3261, timer J), in seconds.
AFTERMATH = 40.0


class Listener:
    """What comes from the loudspeaker of a card, as a context manager."""

    def __init__(self, card: str) -> None:
        self._card = card
        self._arrived = threading.Event()
        #: The time of the first sound since `arm`.
        self.heard = 0.0
        self._is_armed = False

    def __enter__(self) -> Listener:
        self._process = spawn(
            [need("parec", "pulseaudio-utils"), "--raw", f"--rate={RATE}", "--format=s16le", "--channels=1", "--latency-msec=2",
             "-d", f"{self._card}.monitor"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, is_sound_card=True)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def arm(self) -> None:
        """Wait for sound from now on."""
        self._arrived.clear()
        self._is_armed = True

    def wait(self) -> float:
        """Wait for the first sound, and return its time."""
        expect(self._arrived.wait(processes.TIMEOUT), f"nothing is heard from {self._card}")
        return self.heard

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        while chunk := stream.read1(4096):  # type: ignore[attr-defined]
            if self._is_armed and max(map(abs, memoryview(chunk[:len(chunk) // 2 * 2]).cast("h")), default=0) > _FAINT:
                self.heard, self._is_armed = time.monotonic(), False
                self._arrived.set()


def call(phone: Phone, peer: WebRTCPeer, ear: Listener, keyboard: Keyboard) -> dict[str, float]:
    """Be called, call, and press a key; return the milliseconds of each."""
    names = Names()
    found = {}

    def hear(what: str, begin: float) -> None:
        there, here = peer.wait("heard")["time"], ear.wait()
        for where, heard in (("there", there), ("here", here), ("both ways", max(there, here))):
            found[f"{what} to sound {where}"] = heard - begin

    peer.command("call", "ada@localhost")
    called = peer.wait("called")["time"]
    found["propose to CALL ON shown"] = names.wait(f"CALL ON {LINE}.*", "the phone does not ring") - called
    ear.arm()
    answered = keyboard.press("Control_L", "Return")
    hear("ANSWER", answered)
    phone.expect_in_call(1)
    # A digit would go to the field of the conversation.
    phone.button("5").grab_focus()
    key = keyboard.tap("5")
    found["key to RTP event"] = peer.wait("key")["time"] - key
    pass_time(0.5)
    peer.command("hang_up")
    phone.expect_status("ENDED")
    open_buddy(phone, NAME)
    phone.button("Call").do_action("click")
    peer.wait("propose")
    phone.expect_status("RINGING")
    ear.arm()
    peer.command("answer")
    taken = peer.wait("taken")["time"]
    hear("answer by the other", taken)
    phone.action("hang-up")
    phone.expect_status("ENDED")
    return {what: seconds * 1e3 for what, seconds in found.items()}


def measure_times(session: Session, program: Path, server: Server, other: str, rounds: int) -> None:
    """Measure the times, after a round that is not counted."""
    with WebRTCPeer(server, other, session.folder / "webrtc.log", _THEIRS) as peer, \
            start_phone(session, program, server, is_measured=True) as phone:
        expect(not engines(phone), "the engine runs before the first call")
        keyboard = Keyboard()
        # Without the second listener, the microphone would deliver up to two seconds at once, as no card does.
        with Listener("phone") as ear, Listener("phone_mouth"):
            results = [call(phone, peer, ear, keyboard) for _ in range(rounds + 1)][1:]
        limits = {"propose to CALL ON shown": 100, "key to RTP event": 30}
        for what in results[0]:
            values = [one[what] for one in results]
            target(f"{what}, median", statistics.median(values), limits.get(what, 600), "ms")
            print(f"{'':<32}from {min(values):.1f} to {max(values):.1f} ms")
        rest(phone)


def rest(phone: Phone) -> None:
    """Measure the phone and its engine, which the calls have started, while nothing happens."""
    pass_time(AFTERMATH)
    pids = {"phone": phone.process.pid, **{"engine": pid for pid in engines(phone)}}
    used = measure(pids)
    for name in pids:
        print(f"{name} at rest after calls: {used[name][1]:.2f} wakeups a second, PSS {used[name][2]:.1f} MiB")
    target("wakeups a second of both", sum(one[1] for one in used.values()), 1, "")


def measure_load(session: Session, program: Path, desk: Desk, own: str, other: str) -> None:
    """Measure both ends of a call between the phone and Dino, while each hears the other hum."""
    with Dino(session, *desk, other, own) as dino, start_phone(session, program, desk.server, is_measured=True) as phone:
        names = {"phone": phone.process.pid, "Dino": dino.pid}
        pass_time(SETTLING)
        show("before the call", measure(names))
        open_buddy(phone, NAME)
        phone.button("Call").do_action("click")
        dino.wait_call(1)
        dino.accept_call()
        phone.expect_in_call()
        expect(wait_until(dino.call_is_encrypted, pause=0.1), "the call is not encrypted")
        give_microphone("phone", "touchtone-sip")
        give_microphone("dino", "Dino")
        [engine] = engines(phone)
        pass_time(SETTLING)
        used = measure({**names, "engine": engine})
        show("in a call", used)
        ours = [used["phone"][index] + used["engine"][index] for index in range(3)]
        for index, what in enumerate(("processor time", "wakeups", "PSS")):
            ratio = ours[index] / used["Dino"][index]
            print(f"{what} of the phone and its engine in a call, Dino = 1: {ratio:.2f}")
        phone.action("hang-up")
        phone.expect_status("ENDED")


def measure(pids: dict[str, int]) -> dict[str, tuple[float, float, float]]:
    """Return the processor time in percent, the wakeups a second and the PSS in MiB of each process."""
    before = {name: (processor_time(pid), switches(pid)) for name, pid in pids.items()}
    begin = time.monotonic()
    pass_time(REST)
    length = time.monotonic() - begin
    found = {}
    for name, pid in pids.items():
        seconds, counts = before[name]
        woken = sum(count - counts.get(thread, 0) for thread, count in switches(pid).items())
        found[name] = ((processor_time(pid) - seconds) / length * 100, woken / length, read_memory(pid)[0])
    return found


def show(when: str, used: dict[str, tuple[float, float, float]]) -> None:
    for name, (share, woken, memory) in used.items():
        print(f"{name} {when}: {share:.1f} % of a processor, {woken:.1f} wakeups a second, PSS {memory:.1f} MiB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=9)
    options = parser.parse_args()
    program = options.program.resolve()
    try:
        with Session() as session:
            # The phone rings on the card of Dino, which is the default one.
            enter_network(session, program, cards=("phone", "dino"))
            select_microphone("phone")
            for card, pitch in (("phone", _OURS), ("dino", _THEIRS)):
                hum(card, pitch)
            with Keyring(session), open_desk(session) as desk:
                own, other = introduce(session, desk.server)
                measure_times(session, program, desk.server, other, options.calls)
                measure_load(session, program, desk, own, other)
    except processes.MissingPeer as missing:
        print(f"{missing}: calls over Jabber are not measured.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
