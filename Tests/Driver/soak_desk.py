# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to a phone on a desk in a day, each a method of `Desk`; it keeps account of all messages and calls."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from accessibility import State, pass_time, wait_until
from cutting_relay import CuttingRelay
from desktop_services import Player, StatusArea
from jabber import Person, Server
from lock_scenarios import CODE, expect_locked, expect_open
from messages import draft, field, open_buddy, write
from notifications import Notifications
from phone import Mismatch, Phone, eventually, expect
from processes import TIMEOUT
from session import Session
from sip import FarEnd, Registrar
from usage import family

OWN, FAR = "1001", "1002"


@dataclass(frozen=True)
class Peers:
    """Whom the phone talks to. The phone reaches both servers through relays."""

    server: Server
    jabber: CuttingRelay
    grace: Person
    #: The phone's address at the server.
    own: str
    registrar: Registrar
    sip: CuttingRelay
    far: FarEnd


class Desk:
    """A phone with a Jabber and a SIP account, one buddy, one far end, and what stands between them."""

    def __init__(
        self, session: Session, phone: Phone, peers: Peers, chance: random.Random, only: list[str], is_verbose: bool
    ) -> None:
        """With names in `only`, nothing else happens."""
        self._session, self._phone, self._peers, self._chance = session, phone, peers, chance
        self._registrar, self._far, self._grace, self._own = peers.registrar, peers.far, peers.grace, peers.own
        self._only, self._is_verbose = only, is_verbose
        self._sent: list[str] = []
        self._received: list[str] = []
        #: The calls so far: whether it was incoming, and whether it was missed.
        self._calls: list[tuple[int, int]] = []
        #: How often each thing has happened.
        self.counts: dict[str, int] = {}

    def round(self) -> None:
        """Let everything happen once, in any order, and check that nothing is lost or doubled."""
        happenings = [getattr(self, name) for name in self._only] or self.happenings()
        self._chance.shuffle(happenings)
        for happens in happenings:
            self._let(happens)
        self.check()

    def happenings(self) -> list[Callable[[], None]]:
        """Return what happens in a round."""
        return [
            self.call_out, self.call_out, self.call_in, self.call_in, self.missed_call, self.declined_call,
            self.call_to_locked, self.messages, self.messages, self.cut, self.dead_network, self.server_restart,
            self.sip_cut, self.dead_sip_network, self.registrar_restart, self.suspension, self.engine_suspension,
            self.lock, self.sound_server, self.desktop_restart,
        ]

    def _let(self, happens: Callable[[], None]) -> None:
        name = happens.__name__
        self.counts[name] = self.counts.get(name, 0) + 1
        if self._is_verbose:
            print(time.strftime("%H:%M:%S"), name, flush=True)
        try:
            happens()
        except Mismatch as mismatch:
            raise Mismatch(f"{name} number {self.counts[name]}: {mismatch}; the phone shows {self._shown()}") from mismatch

    def _shown(self) -> str:
        return repr(self._phone.status())

    # Calls

    def call_out(self) -> None:
        """A call is made; something happens during it, and either side hangs up."""
        # For some seconds after a cut, the phone may say that the line is offline, and calls fail at once.
        expect(wait_until(lambda: self._phone.find(OWN, "label") is not None), "the line stays offline")
        self._calls.append((0, 0))
        self._dial()
        self._talk()

    def call_in(self) -> None:
        """A call is taken; something happens during it, and either side hangs up."""
        self._ring(is_missed=False)
        self._answer()
        self._talk()

    def missed_call(self) -> None:
        """The caller gives up."""
        self._ring(is_missed=True)
        self._far.command("hangup")
        self._far.wait("CALL_CLOSED")
        self._expect_quiet()

    def declined_call(self) -> None:
        """A call is declined."""
        self._ring(is_missed=False)
        self._press("Decline")
        self._far.wait("CALL_CLOSED")
        self._expect_quiet()

    def call_to_locked(self) -> None:
        """A call to the locked phone is answered and hung up there."""
        self._lock()
        self._calls.append((1, 0))
        self._far.ring(self._registrar.address(OWN))
        self._press("Answer")
        self._far.wait("CALL_ESTABLISHED")
        pass_time(1)
        self._press("Hang up")
        self._far.wait("CALL_CLOSED")
        self._unlock()

    def _ring(self, *, is_missed: bool) -> None:
        self._calls.append((1, int(is_missed)))
        self._far.ring(self._registrar.address(OWN))
        expect(wait_until(lambda: self._phone.find("Answer", "push button") is not None), "it does not ring")

    def _dial(self) -> None:
        self._phone.clear()
        self._phone.action("enter", f"'{FAR}'")
        self._phone.action("dial")

    def _answer(self) -> None:
        self._phone.action("answer")

    def _hang_up(self) -> None:
        self._phone.action("hang-up")

    def _talk(self) -> None:
        self._far.wait("CALL_ESTABLISHED")
        self._press("Mute")
        self._press("Mute")
        happens = self._chance.choice(self.during_calls())
        if self._is_verbose:
            print(" "*8, happens.__name__, flush=True)
        happens()
        if self._chance.random() < 0.5:
            self._hang_up()
        else:
            self._far.command("hangup")
        self._far.wait("CALL_CLOSED")
        self._expect_quiet()

    def during_calls(self) -> list[Callable[[], None]]:
        """Return what may happen during a call."""
        # Not `sip_cut`: a far end that hangs up after it does not find the phone any more, whose call goes on in silence.
        return [self._listen, self.messages, self.cut, self.suspension, self.sound_server, self._hold, self._keys]

    def _listen(self) -> None:
        pass_time(2)

    def _hold(self) -> None:
        for is_held in (True, False):
            self._press("Hold")
            hold = self._phone.button("Hold")
            expect(wait_until(lambda: hold.has(State.CHECKED) == is_held), f"the call is not held: {is_held}")

    def _keys(self) -> None:
        # Beside the message field, which would take the keys.
        for key in ("1", "2"):
            self._press(key)
            heard = self._far.wait("CALL_DTMF_START")
            expect(heard == key, f"baresip heard {heard!r}, not {key!r}")

    def _expect_quiet(self) -> None:
        # The status line may say that there is sound again.
        expect(wait_until(lambda: self._phone.find("Call", "panel") is None), "the call does not end")

    def _press(self, name: str) -> None:
        """Press a key through AT-SPI as soon as it is shown."""
        roles = ("push button", "toggle button")
        expect(wait_until(lambda: self._phone.find(name, *roles) is not None), f"there is no key {name!r}")
        self._phone.button(name).do_action("click")

    # Messages

    def messages(self) -> None:
        """A message is sent in each direction, and waited for."""
        self._send()
        self._take()
        self._expect_arrived()

    def _send(self) -> None:
        text = f"Out {len(self._sent) + 1} {self._chance.getrandbits(64):x}"
        self._sent.append(text)
        self._write(text)

    def _write(self, text: str) -> None:
        self._enter_field()
        write(self._phone, text)
        expect(wait_until(lambda: draft(self._phone) == ""), f"the field keeps {draft(self._phone)!r}")

    def _enter_field(self) -> None:
        if self._phone.find("Message", "text") is None:
            open_buddy(self._phone, self._grace.address)
        field(self._phone).grab_focus()

    def _take(self) -> None:
        text = f"In {len(self._received) + 1} {self._chance.getrandbits(64):x}"
        self._received.append(text)
        self._grace.send(self._own, text)

    def _expect_arrived(self) -> None:
        if not self._grace_has(self._sent[-1]):
            self._grace.wait_message(self._sent[-1])
        last = self._received[-1]
        eventually(lambda: last in self._stored(is_mine=False), lambda: f"{last!r} is not stored")

    def _grace_has(self, text: str) -> bool:
        return any(event["event"] == "message" and event["text"] == text for event in self._grace.events)

    # What comes between

    def cut(self) -> None:
        """The connection is cut, and messages are sent in both directions meanwhile."""
        self._peers.jabber.cut()
        self._send()
        self._take()
        self._expect_arrived()

    def dead_network(self) -> None:
        """The network is gone for some seconds without a word; what is sent meanwhile gets lost on the way."""
        self._peers.jabber.drop()
        self._send()
        self._take()
        pass_time(self._chance.uniform(0, 4))
        self._peers.jabber.cut()
        self._expect_arrived()

    def server_restart(self) -> None:
        """The Jabber server ends, and starts again; a message is written meanwhile."""
        # This client signs in once.
        self._grace.leave()
        self._peers.server.stop()
        self._send()
        pass_time(self._chance.uniform(0, 2))
        self._peers.server.start()
        self._grace.sign_in()
        self._take()
        self._expect_arrived()

    def sip_cut(self) -> None:
        """The connection to the registrar is cut."""
        self._peers.sip.cut()

    def dead_sip_network(self) -> None:
        """The network to the registrar is gone for some seconds without a word, and a call is tried."""
        self._peers.sip.drop()
        self._calls.append((0, 0))
        self._dial()
        pass_time(self._chance.uniform(1, 4))
        self._hang_up()
        self._expect_quiet()
        self._peers.sip.cut()

    def registrar_restart(self) -> None:
        """The registrar ends, and knows nobody when it starts again."""
        self._registrar.stop()
        pass_time(self._chance.uniform(0, 2))
        self._registrar.start()
        self._far.restart()

    def desktop_restart(self) -> None:
        """The desktop's services come and go while a call is made."""
        with StatusArea(), Player("music", "Playing"), Notifications(self._session):
            self._ring(is_missed=False)
            self._answer()
            self._far.wait("CALL_ESTABLISHED")
        self._hang_up()
        self._far.wait("CALL_CLOSED")
        self._expect_quiet()

    def suspension(self) -> None:
        """The machine sleeps for some seconds, and a message comes meanwhile."""
        self._suspend([one for pids in family(self._phone.process.pid).values() for one in pids])

    def engine_suspension(self) -> None:
        """The phone alone is stopped for some seconds, and not its engine."""
        self._suspend([self._phone.process.pid])

    def _suspend(self, pids: list[int]) -> None:
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        self._take()
        pass_time(self._chance.uniform(2, 6))
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)
        self._send()
        self._expect_arrived()

    def lock(self) -> None:
        """The phone is locked and unlocked."""
        self._lock()
        self._unlock()

    def _lock(self) -> None:
        self._phone.action("lock")
        expect_locked(self._phone)

    def _unlock(self) -> None:
        self._phone.type(CODE)
        expect_open(self._phone)

    def sound_server(self) -> None:
        """The sound server ends, and starts again."""
        self._session.stop_sound()
        pass_time(self._chance.uniform(0, 2))
        self._session.start_sound()

    # Account

    def check(self) -> None:
        """Check that all messages and calls are there once."""
        _expect_once(self._sent, [
            event["text"] for event in self._grace.events if event["event"] == "message"], "the buddy's client has")
        _expect_once(self._sent, self._stored(is_mine=True), "of those that were sent, the phone has")
        _expect_once(self._received, self._stored(is_mine=False), "of those that came, the phone has")
        eventually(lambda: self._stored_calls() == self._calls, lambda: (
            f"the call list has {len(self._stored_calls())} calls, not {len(self._calls)}; it ends with "
            f"{self._stored_calls()[-8:]}, not {self._calls[-8:]}"))

    def _stored(self, *, is_mine: bool) -> list[str]:
        return [row[0] for row in self._rows("SELECT text FROM message WHERE sender = ?", int(is_mine))]

    def _stored_calls(self) -> list[tuple[int, int]]:
        return self._rows("SELECT is_incoming, is_missed FROM call ORDER BY id")

    def _rows(self, query: str, *values: int) -> list[tuple]:  # type: ignore[type-arg]
        file: Path = self._session.data_home / "touchtone/messages.db"
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=TIMEOUT)) as store:
            return store.execute(query, values).fetchall()


def _expect_once(wanted: list[str], there: list[str], who: str) -> None:
    counts = {text: there.count(text) for text in wanted}
    wrong = {text: count for text, count in counts.items() if count != 1}
    expect(not wrong, f"{who} {wrong} instead of one each")
