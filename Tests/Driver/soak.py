# SPDX-License-Identifier: GPL-3.0-or-later
"""A day on the desk: runs the phone for an hour or more against live servers, and checks that it is then as it was.

There are calls in both directions, messages in both directions, connections that are cut, locks, suspensions and sound
servers that end. Afterwards descriptors, threads and wakeups are what they were after the first rounds, memory has not
grown from round to round, nothing is lost or doubled, and the log has no complaint of GLib or GTK. A failure prints the
seed, which repeats the order.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from pathlib import Path

import pointer
from accessibility import wait_until
from cutting_relay import CuttingRelay
from jabber import Person, Server
from lock_scenarios import CODE, expect_open
from memory_trend import MemoryTrend
from messages import expect_buddy, set_account
from passcode import Keyring, set_passcode
from phone import APP_ID, Mismatch, Phone, expect
from processes import SKIPPED, MissingPeer
from session import Session
from sip import FarEnd, Registrar, add_with_keyring
from soak_desk import FAR, OWN, Desk, Peers
from soak_without_bus import DeskWithoutBus
from usage import SETTLING, Usage, measure, rest

#: Seconds between two lines of the table, and of rest in which wakeups are counted.
INTERVAL, REST = 300.0, 20.0
#: Minutes for each round without a bus at the end.
ROUND_WITHOUT_BUS = 30
#: The growth that is no failure, of each program: descriptors, threads, and wakeups in REST seconds.
DESCRIPTORS, THREADS, WAKEUPS = 3, 3, 10


def show(minutes: float, used: dict[str, Usage], desk: Desk) -> None:
    """Print what each program uses."""
    calls = sum(count for name, count in desk.counts.items() if "call" in name)
    print(f"{minutes:6.1f} min, {calls} calls, {desk.counts}")
    for name, one in used.items():
        print(
            f"{'':>10} {name:<18} {one.processes} processes, RSS {one.rss:6.1f} MiB, "
            f"anonymous {one.anonymous:6.1f} MiB, "
            f"{one.descriptors} descriptors, {one.threads} threads, {one.wakeups} wakeups", flush=True)


def growth(before: dict[str, Usage], after: dict[str, Usage], is_long: bool) -> list[str]:
    """Return what has grown beyond its bound; the rest of a short run is too short to compare wakeups."""
    wakeups = WAKEUPS if is_long else sys.maxsize
    found = [f"{name} is still there" for name in after.keys() - before.keys()]
    for name, now in after.items():
        then = before.get(name, now)
        for what, old, new, bound in (
            ("processes", then.processes, now.processes, 0),
            ("descriptors", then.descriptors, now.descriptors, DESCRIPTORS),
            ("threads", then.threads, now.threads, THREADS), ("wakeups", then.wakeups, now.wakeups, wakeups),
        ):
            if new > old + bound:
                found.append(f"{what} of {name}: {old:.0f} became {new:.0f}")
    return found


def expect_same(before: dict[str, Usage], after: dict[str, Usage], is_long: bool) -> None:
    """Check that nothing has grown."""
    grown = growth(before, after, is_long)
    expect(not grown, "; ".join(grown))


def soak(session: Session, options: argparse.Namespace) -> None:
    """Run the phone for some minutes."""
    # In a short run, pages that are still to be touched would count as growth.
    program, minutes = options.program.resolve(), options.minutes
    is_long = minutes >= 10
    warm_up, resting = (3, REST) if is_long else (1, 5.0)
    settling = SETTLING if is_long else 5.0
    set_passcode(session, CODE)
    session.run("gsettings", "set", APP_ID, "emergency-notice-shown", "true")
    with Keyring(session), Server(session, hibernation=600) as server, Registrar(session) as registrar:
        own, other = server.register("ada"), server.register("grace")
        with (
            CuttingRelay(session, server.port) as jabber, CuttingRelay(session, registrar.port) as sip,
            Person(server, other) as grace, FarEnd(session, registrar, FAR, is_heard=True) as far,
        ):
            set_account(session, server, own, port=jabber.port)
            with Phone(session, program) as phone:
                phone.type(CODE)
                expect_open(phone)
                expect_buddy(phone, "Operator, online")
                grace.befriend(own)
                expect(wait_until(lambda: phone.find("Accept", "push button") is not None), "there is no request")
                phone.button("Accept").do_action("click")
                expect_buddy(phone, f"{other}, online")
                # The keyfile of the settings has one writer at a time, and the phone writes how it has signed in.
                add_with_keyring(session, registrar, phone, OWN, port=sip.port)
                peers = Peers(server, jabber, grace, own, registrar, sip, far)
                desk = Desk(session, phone, peers, random.Random(options.seed), options.only, options.verbose)
                for _ in range(warm_up):
                    desk.round()
                first = rest(phone.process.pid, resting, settling)
                begin = shown = time.monotonic()
                show(0, first, desk)
                trend = MemoryTrend()
                while time.monotonic() - begin < minutes * 60:
                    desk.round()
                    trend.add({name: one.anonymous for name, one in measure(phone.process.pid).items()})
                    if time.monotonic() - shown >= INTERVAL:
                        shown = time.monotonic()
                        show((shown - begin) / 60, measure(phone.process.pid), desk)
                last = rest(phone.process.pid, resting, settling)
                show((time.monotonic() - begin) / 60, last, desk)
                print(", ".join(f"{name} grew by {grown:.2f} MiB" for name, grown in trend.growth().items()), flush=True)
                expect_same(first, last, is_long)
                expect(not trend.excess(), "; ".join(trend.excess()))
                without_bus = DeskWithoutBus(desk)
                without_bus.begin()
                first = rest(phone.process.pid, resting, settling)
                for _ in range(max(1, round(minutes / ROUND_WITHOUT_BUS))):
                    without_bus.round()
                last = rest(phone.process.pid, resting, settling)
                show((time.monotonic() - begin) / 60, last, desk)
                expect_same(first, last, is_long)
                # The accessibility bridge says that its bus is gone.
                complaints = re.findall(r".*(?<!dbind)-(?:CRITICAL|WARNING|ERROR) \*\*.*", phone.output())
                expect(not complaints, f"the program complains: {complaints}")
                pointer.key("alt+F4")
                expect(phone.wait_end() == 0, "the program ended with an error")


def run_command() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--only", nargs="+", default=[], help="let only these happen: the names of methods in soak_desk.py")
    parser.add_argument("--verbose", action="store_true", help="print what happens")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    try:
        # On a loaded machine, a key that xdotool presses may stay down for long enough to repeat.
        with Session(sound=True, repeats_keys=False) as session:
            soak(session, options)
    except MissingPeer as missing:
        print(missing, file=sys.stderr)
        return SKIPPED
    except Mismatch as mismatch:
        print(f"seed {options.seed}: {mismatch}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(run_command())
