# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the Jabber account, with the whole phone and Prosody: the time from the start of the program to the first
of 5,000 buddies online, the time in which a cut connection is back, and the main loop while the phone enters a room
with 5,000 people. Then the two times over a long line, the first also with 500 buddies, on which everything takes 50 ms in each direction: with a server
that knows only the sign-in of RFC 6120, and with one that signs in in few round trips; there, also the time until 10,000
missed messages are shown. At the end, what encryption costs (secret_chat.py).

By RFC 6120 with STARTTLS, a return takes six round trips at least: 0.6 s, where the target is 0.5 s. A later start takes six,
too, and with SASL2 and a token both take four (docs/architecture.md). With 500 ms instead of 50, the times are round trips in
seconds, whatever else the machine does.

The times are those at which an assistive tool learns of the change. A missed target is not an error: the machine may
be busy.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "Driver"))

import processes  # noqa: E402
from accessibility import pass_time, wait_until  # noqa: E402
from bench import target  # noqa: E402
from crowd import ROOM, TOPIC, Crowd, write_roster  # noqa: E402
from cutting_relay import tell  # noqa: E402
from flood import answer_times, report  # noqa: E402
from jabber import Server, can_be_quick  # noqa: E402
from messages import set_account  # noqa: E402
from observing import Names, median, processor_time, unread  # noqa: E402
from passcode import Keyring  # noqa: E402
from phone import Phone, expect  # noqa: E402
from secret_chat import measure_encryption  # noqa: E402
from session import CHECKOUT, Session  # noqa: E402

BUDDIES, OCCUPANTS = 5_000, 5_000
ORDINARY = 500  # buddies of a list for which a server has no work of its own: Prosody takes 0.4 s for 5,000
MISSED = 10_000
DELAY = 50  # milliseconds in each direction, on a long line
SETTLING = 3.0  # seconds after the sign-in, until everything is stored


class Relay:
    """Connections to the server that can be cut, as a context manager (Tests/Tools/relay.py)."""

    def __init__(self, folder: Path, port: int, delay: int = 0) -> None:
        """Everything takes a delay in milliseconds in each direction."""
        self._control = folder / "cut"
        self._process = processes.spawn(
            [sys.executable, CHECKOUT / "Tests/Tools/relay.py", str(port), self._control, str(delay)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self._process.stdout is not None
        self._output = self._process.stdout.fileno()
        self.port = int(processes.read_line(self._output, "relay"))

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        processes.stop(self._process)

    def cut(self) -> float:
        """Reset all connections, and return the time."""
        tell(self._control, "cut")
        processes.read_line(self._output, "relay")
        return time.monotonic()


def sign_in(
    session: Session, program: Path, names: Names, crowd: Crowd, rounds: int, limit: float | None = 0.7
) -> None:
    """Measure sign-ins: first with an empty store or a new server, then with what it has kept."""
    first, online, asked, worked = 0.0, [], [], []
    for turn in range(rounds + 1):
        names.forget()
        crowd.asked = 0
        begin = time.monotonic()
        with Phone(session, program, is_measured=True) as phone:
            shown = names.wait(r"Buddy \d+, online", "no buddy is online") - begin
            if turn == 0:
                first = shown
            else:
                online.append(shown)
                asked.append(crowd.asked - begin)
                worked.append(processor_time(phone.process.pid))
            pass_time(SETTLING)
    median("first buddy online, first start", [first])
    median("first buddy online", online, limit)
    median("  of that until the server asks for it", asked)
    median("  processor time of the phone", worked)


def reconnect(
    phone: Phone, relay: Relay, names: Names, crowd: Crowd, own: str, cuts: int, limit: float = 1
) -> None:
    """Cut the connection again and again; a message that was sent at once shows that it is back."""
    times = []
    crowd.say(0, own, "message")
    # Messages to another server may be unread, too.
    expect(wait_until(lambda: unread(phone, "Buddy 0") > 0), "the first message does not come")
    before = unread(phone, "Buddy 0")
    for number in range(1, cuts + 1):
        names.forget()
        cut = relay.cut()
        crowd.say(0, own, f"message {number}")
        times.append(
            names.wait(rf"Buddy 0, online, {before + number} unread", "the message does not come") - cut)
        pass_time(SETTLING)
    median("a cut connection is back", times, limit)


def enter_room(session: Session, program: Path, phone: Phone, names: Names) -> None:
    """Enter a room with thousands of people, and measure the main loop until the phone is in it."""
    session.run(program, f"xmpp:{ROOM}?join")
    expect(wait_until(lambda: phone.find("Room", "text") is not None), "the link opens no form")
    pass_time(SETTLING)
    names.forget()
    phone.button("Join").do_action("click")
    report(f"loop, room with {OCCUPANTS:,} people", answer_times(5))
    names.wait(f"{TOPIC} — .* people", "the phone is not in the room")


def catch_up(session: Session, program: Path, names: Names, crowd: Crowd, own: str) -> None:
    """Measure a start after which thousands of messages are missed, from the first buddy online on."""
    with Phone(session, program, is_measured=True) as phone:
        # Messages to another server may be unread, too.
        before = unread(phone, "Buddy 1")
    for _ in range(MISSED):
        crowd.say(1, own, "How are you?")
    crowd.settle()
    names.forget()
    with Phone(session, program, is_measured=True):
        online = names.wait(r"Buddy \d+, online", "no buddy is online")
        first = names.wait(r"Buddy 1, .*\d+ unread", "no message is shown")
        last = names.wait(rf"Buddy 1, .*{before + MISSED:,} unread", "not all messages are shown", 120)
    target(f"{MISSED:,} missed messages: the newest", first - online, 0.5, "s")
    target("  all of them", last - online, 6, "s")


def measure_long_line(session: Session, program: Path, rounds: int, cuts: int) -> None:
    """Measure both times over a long line, to servers with and without sign-ins in few round trips."""
    for is_quick, mode, what in (
        (False, "starttls", "RFC 6120, STARTTLS"), (True, "starttls", "SASL2, STARTTLS"), (True, "direct", "SASL2, Direct TLS"),
    ):
        if is_quick and not can_be_quick():
            print(f"\n{what}: not measured without Prosody 13 and prosody-modules.")
            continue
        with Server(session, is_quick=is_quick) as server:
            port = server.direct_port if mode == "direct" else server.port
            with Crowd(server.component_port, OCCUPANTS) as crowd, Relay(session.folder, port, DELAY) as relay:
                names = Names()
                for user, buddies, limit in (("grace", ORDINARY, 1.0), ("ada", BUDDIES, None)):
                    own = server.register(user)
                    write_roster(server.folder / "data", user, buddies)
                    set_account(session, server, own, port=relay.port)
                    session.run("gsettings", "set", "io.github.touchtone.Touchtone", "jabber-tls", mode)
                    print(f"\n{DELAY} ms in each direction: {what}, {buddies:,} buddies")
                    sign_in(session, program, names, crowd, rounds, limit)
                with Phone(session, program, is_measured=True) as phone:
                    names.forget()
                    names.wait(r"Buddy \d+, online", "no buddy is online")
                    pass_time(SETTLING)
                    reconnect(phone, relay, names, crowd, own, cuts, 0.5)
                catch_up(session, program, names, crowd, own)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cuts", type=int, default=9)
    parser.add_argument("--long-line", action="store_true", help="measure only over the long line")
    parser.add_argument("--encryption", action="store_true", help="measure only what encryption costs")
    options = parser.parse_args()
    program = options.program.resolve()
    try:
        if options.long_line:
            with Session() as session, Keyring(session):
                measure_long_line(session, program, options.rounds, options.cuts)
            return 0
        if options.encryption:
            with Session() as session, Keyring(session):
                measure_encryption(session, program, options.rounds)
            return 0
        with Session() as session, Keyring(session), Server(session) as server:
            own = server.register("ada")
            write_roster(server.folder / "data", "ada", BUDDIES)
            with Crowd(server.component_port, OCCUPANTS) as crowd, Relay(session.folder, server.port) as relay:
                set_account(session, server, own, port=relay.port)
                names = Names()
                sign_in(session, program, names, crowd, options.rounds)
                with Phone(session, program, is_measured=True) as phone:
                    names.forget()
                    names.wait(r"Buddy \d+, online", "no buddy is online")
                    pass_time(SETTLING)
                    reconnect(phone, relay, names, crowd, own, options.cuts)
                    enter_room(session, program, phone, names)
        with Session() as session, Keyring(session):
            measure_long_line(session, program, options.rounds, options.cuts)
        with Session() as session, Keyring(session):
            measure_encryption(session, program, options.rounds)
    except processes.MissingPeer as missing:
        print(missing, file=sys.stderr)
        return processes.SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
