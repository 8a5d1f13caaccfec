# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures what encryption costs a Jabber account, each time against the same in the clear, in pairs and in random order:
1,000 messages that come at once, 1,000 that are sent at once, and the sign-in with 1,000 buddies who have keys.

What is measured is the phone: messages that come wait before it until the server has sent them all, and those that go are
only counted.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
from contextlib import closing
from pathlib import Path
from typing import Callable

from accessibility import State, pass_time, wait_until
from bench import read_memory, target
from crowd import DOMAIN, write_roster
from gate import Gate
from jabber import Server
from messages import field, set_account, write
from observing import Names, median, processor_time, unread
from omemo_person import OmemoPerson
from phone import Phone, expect
from rosters import write_buddies
from secret_crowd import SecretCrowd
from session import Session

COUNT, BUDDIES = 1_000, 1_000
SETTLING = 3.0  # seconds after the sign-in, until everything is stored
SECRET, PLAIN = "encrypted", "plain"


def measure_encryption(session: Session, program: Path, rounds: int) -> None:
    """Measure everything, each in as many pairs as there are rounds."""
    with Server(session) as server:
        own, grace, alan = (server.register(name) for name in ("ada", "grace", "alan"))
        data = server.folder / "data"
        write_buddies(data, "ada", {grace: "Grace", alan: "Alan"})
        for name in ("grace", "alan"):
            write_buddies(data, name, {own: "Ada"})
        with Gate(server.port) as gate, OmemoPerson(session, server, grace) as secret, \
                OmemoPerson(session, server, alan) as plain:
            set_account(session, server, own, port=gate.port)
            _measure_arrivals(session, program, gate, own, secret, plain, rounds)
    with Server(session) as server, SecretCrowd(server.component_port) as crowd:
        own = server.register("eve")
        write_roster(server.folder / "data", "eve", BUDDIES)
        set_account(session, server, own)
        _measure_sign_in(session, program, crowd, rounds)
        _measure_departures(session, program, crowd, rounds)


def _pairs(rounds: int, measure: Callable[[str], tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Measure both kinds in each round, after a round that is not counted, and return the values of all, in pairs."""
    found = []
    for turn in range(rounds + 1):
        values = {kind: measure(kind) for kind in random.sample((SECRET, PLAIN), 2)}
        if turn > 0:
            found.append(values[SECRET] + values[PLAIN])
    return found


def _compare(
    title: str, found: list[tuple[float, ...]], times: tuple[str, float], work: str = "processor time of the phone",
    memory: str = "memory afterwards"
) -> None:
    """Print the times with their limit, the processor times and the memory of both kinds, in pairs."""
    secrets, secret_work, secret_memory, plains, plain_work, plain_memory = map(list, zip(*found))
    print(f"\n{title}")
    _report(times[0], secrets, plains, times[1])
    _report(work, secret_work, plain_work, 1.3)
    target(f"{memory}, more than plain", statistics.median(secret_memory) - statistics.median(plain_memory), 4, "MiB")


def _report(what: str, secret: list[float], plain: list[float], limit: float) -> None:
    """Print the medians of the seconds of both kinds, and of their ratios."""
    for kind, times in ((SECRET, secret), (PLAIN, plain)):
        median(f"{what}, {kind}", times)
    target(f"  {SECRET} of {PLAIN}", statistics.median(one / other for one, other in zip(secret, plain)), limit, "×")


def _measure_arrivals(
    session: Session, program: Path, gate: Gate, own: str, secret: OmemoPerson, plain: OmemoPerson, rounds: int
) -> None:
    """Measure messages that come at once, until all are shown as unread, and the memory afterwards."""
    names = Names()
    with Phone(session, program, is_measured=True):
        names.wait("Grace, online", "nobody is online")
        secret.wait_keys(own)
        secret.send(own, "hello")
        names.wait("Grace, online, 1 unread", "the message does not come")
        # From its answer on, the session is as in most conversations.
        secret.wait_empty(own)
        plain.send_plain(own, "hello")
        names.wait("Alan, online, 1 unread", "the message does not come")

    def measure(kind: str) -> tuple[float, ...]:
        person, name = (secret, "Grace") if kind == SECRET else (plain, "Alan")
        names.forget()
        with Phone(session, program, is_measured=True) as phone:
            names.wait(f"{name}, online, .* unread", "nobody is online")
            pass_time(SETTLING)
            wanted = unread(phone, name) + COUNT
            names.forget()
            gate.hold()
            person.flood(own, COUNT, kind == SECRET)
            gate.wait_full(COUNT * 100)
            worked = processor_time(phone.process.pid)
            begin = gate.release()
            end = names.wait(f"{name}, online, {wanted:,} unread", "not all messages are shown", 120)
            pass_time(SETTLING)
            return end - begin, processor_time(phone.process.pid) - worked, read_memory(phone.process.pid)[0]

    _compare(f"{COUNT:,} messages that come at once", _pairs(rounds, measure), ("until all are shown", 1.3))


def _measure_sign_in(session: Session, program: Path, crowd: SecretCrowd, rounds: int) -> None:
    """Measure the sign-in with buddies whose device lists come with it, and count the requests for keys."""
    names, asked = Names(), []

    def measure(kind: str) -> tuple[float, ...]:
        names.forget()
        crowd.has_keys, crowd.requests = kind == SECRET, []
        begin = time.monotonic()
        with Phone(session, program, is_measured=True) as phone:
            shown = names.wait(r"Buddy \d+, online", "no buddy is online") - begin
            pass_time(SETTLING)
            asked.append(len(crowd.requests))
            return shown, processor_time(phone.process.pid), read_memory(phone.process.pid)[0]

    _compare(
        f"Sign-in with {BUDDIES:,} buddies", _pairs(rounds, measure), ("first buddy online", 1.05), memory="memory")
    target("requests for keys", max(asked), 0, "")


def _measure_departures(session: Session, program: Path, crowd: SecretCrowd, rounds: int) -> None:
    """Measure messages that were written without a connection, from the sign-in until all have arrived."""
    buddies = {SECRET: f"buddy0@{DOMAIN}", PLAIN: f"buddy1@{DOMAIN}"}
    crowd.has_keys, crowd.keyless = True, {buddies[PLAIN]}
    names = Names()
    with Phone(session, program, is_measured=True) as phone:
        names.wait(r"Buddy \d+, online", "no buddy is online")
        for buddy in buddies.values():
            crowd.expect(1, buddy)
            session.run(program, f"xmpp:{buddy}?message")
            expect(wait_until(lambda: field(phone).has(State.FOCUSED)), f"the conversation with {buddy} does not open")
            write(phone, "hello")
            crowd.wait_texts()
            pass_time(SETTLING)
    expect(any(node.startswith("eu.siacs") for node in crowd.requests), "no keys were asked for")

    def measure(kind: str) -> tuple[float, ...]:
        _write_waiting(session.data_home / "touchtone/messages.db", buddies[kind], COUNT)
        crowd.expect(COUNT, buddies[kind])
        crowd.asked = 0
        with Phone(session, program, is_measured=True) as phone:
            last = crowd.wait_texts()
            pass_time(SETTLING)
            return last - crowd.asked, processor_time(phone.process.pid), read_memory(phone.process.pid)[0]

    _compare(
        f"{COUNT:,} messages that are sent at once", _pairs(rounds, measure),
        ("from the sign-in until all arrived", 1.3), work="processor time, with the start")


def _write_waiting(file: Path, buddy: str, count: int) -> None:
    """Write messages to a buddy that wait to be sent, like the last one of the user's, into the file of a phone that has ended."""
    with closing(sqlite3.connect(file)) as database, database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(message)")]
        row = database.execute(
            f"SELECT {', '.join(f'message.{column}' for column in columns)} FROM message "
            "JOIN conversation ON conversation.id = message.conversation "
            "WHERE buddy LIKE ? AND sender = 1 ORDER BY place DESC LIMIT 1", (f"%{buddy}",)).fetchone()
        expect(row is not None, f"there is no message to {buddy}")
        last = dict(zip(columns, row))
        for number in range(1, count + 1):
            last |= {
                "id": None, "place": last["place"] + 1, "state": 1, "archive_name": None,
                "name": f"written-{time.time_ns()}-{number}", "text": f"Number {number} of many messages."}
            database.execute(
                f"INSERT INTO message ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                [last[column] for column in columns])
