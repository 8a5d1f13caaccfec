# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the phone with other clients that are installed, and fills in their columns of docs/clients.md.

    clients.py --program PATH [CLIENT...]    tries these clients, or all
    clients.py --program PATH --try CLIENT [--trials NAME...]
                                             tries one, and prints the results as JSON; the log is on standard error

The exit status is 1 if something fails that the client can do.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Callable

# A peer that does not answer costs this time for each trial.
os.environ.setdefault("TOUCHTONE_TEST_TIMEOUT", "20")

import client_omemo_trials  # noqa: E402, F401  It adds its trials.
import client_room_trials  # noqa: E402, F401
import pointer  # noqa: E402
from client_bench import open_bench  # noqa: E402
from client_table import ROWS, Table  # noqa: E402
from client_trials import TRIALS, Bench, Trial  # noqa: E402
from dino import Dino  # noqa: E402
from gajim import installed_gajim  # noqa: E402
from gi.repository import GLib  # noqa: E402
from peer import NotDriven, Peer, Unsupported  # noqa: E402
from phone import Mismatch  # noqa: E402
from processes import SKIPPED, MissingPeer  # noqa: E402
from session import CHECKOUT, Session  # noqa: E402

_PEERS: dict[str, Callable[[], type[Peer]]] = {"dino": lambda: Dino, "gajim": installed_gajim}
_YES, _NOT_DRIVEN, _FAILED = "yes", "not driven", "**no**"


def _result(trial: Trial, bench: Bench, what: str) -> str:
    try:
        trial(bench)
    except NotDriven:
        return _NOT_DRIVEN
    except Unsupported as reason:
        return f"no: {reason}"
    except (Mismatch, MissingPeer, GLib.Error, RuntimeError, TimeoutError) as error:
        print(f"{what}: {error}", file=sys.stderr)
        traceback.print_exc()
        # The next trial finds no question or dialog of this one.
        pointer.key("Escape")
        return _FAILED
    return _YES


def try_client(kind: type[Peer], program: Path, names: list[str]) -> dict[str, object]:
    """Try some things with a client, and return its name with its version, and the results."""
    with Session() as session:
        # A Dino that runs would take the question.
        client = f"{kind.name} {kind.version()}"
        return {"client": client, "results": _results(session, program, kind, names, client)}


def _results(
    session: Session, program: Path, kind: type[Peer], names: list[str], client: str
) -> dict[str, tuple[str, str]]:
    results: dict[str, tuple[str, str]] = {}
    with open_bench(session, program, kind, moderates=True) as bench:
        try:
            for name in names:
                there, back = TRIALS[name]
                results[name] = (
                    _result(there, bench, f"{name} to {client}"), _result(back, bench, f"{name} from {client}"))
                print(f"{client}: {name}: {results[name]}", file=sys.stderr)
        finally:
            _keep_log(bench.peer)
    return results


def _keep_log(peer: Peer) -> None:
    folder = CHECKOUT / "build/clients"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / peer.log.name).write_bytes(peer.log.read_bytes())


def _try_clients() -> int:
    parser = argparse.ArgumentParser(description="Tries the phone with other clients.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--try", dest="one", choices=sorted(_PEERS))
    parser.add_argument("--trials", nargs="+", choices=ROWS, default=list(ROWS), help="with --try, only these")
    # An empty list is a choice of its own for argparse before Python 3.12.
    parser.add_argument("client", nargs="*", choices=[[], *sorted(_PEERS)])
    options = parser.parse_args()
    if options.one:
        try:
            print(json.dumps(try_client(_PEERS[options.one](), options.program.resolve(), options.trials)))
        except MissingPeer as missing:
            print(missing, file=sys.stderr)
            return SKIPPED
        return 0
    page = CHECKOUT / "docs/clients.md"
    table = Table(page.read_text())
    has_failed = False
    # A process can have only one session.
    for name in options.client or sorted(_PEERS):
        done = subprocess.run(
            [sys.executable, __file__, "--program", options.program, "--try", name], stdout=subprocess.PIPE, text=True,
            check=False)
        if done.returncode == SKIPPED:
            continue
        if done.returncode != 0:
            has_failed = True
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        table.fill(found["client"], found["results"])
        has_failed |= any(_FAILED in pair for pair in found["results"].values())
    page.write_text(table.text())
    # A bare system goes, and its files with it.
    print(*table.lines(), sep="\n")
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(_try_clients())
