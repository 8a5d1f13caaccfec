# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the other clients that speak OMEMO with each other, without the phone, so that a failed test with it can be told
from a failed peer.

    omemo_pairs.py [PEER...]    tries these peers with python-omemo, or all: python, profanity, dino, gajim

The exit status is 1 if one fails. A peer that is not installed is left out.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Callable

# A peer that does not answer costs this time.
os.environ.setdefault("TOUCHTONE_TEST_TIMEOUT", "20")

from accessibility import wait_until  # noqa: E402
from client_bench import open_desk  # noqa: E402
from client_trials import picture  # noqa: E402
from dino import Dino  # noqa: E402
from gajim import installed_gajim  # noqa: E402
from jabber import Server  # noqa: E402
from omemo_person import OmemoPerson  # noqa: E402
from peer import Peer  # noqa: E402
from phone import Mismatch, expect  # noqa: E402
from processes import SKIPPED, MissingPeer  # noqa: E402
from profanity import Profanity  # noqa: E402
from session import Session  # noqa: E402

_ROOM = "tea@rooms.localhost"


def _befriend(ada: OmemoPerson, address: str, accept: Callable[[], None]) -> None:
    """Let two see each other's presence: some publish their keys only for those."""
    ada.befriend(address)

    def sees() -> bool:
        accept()
        try:
            ada.wait_presence(address, 1)
        except TimeoutError:
            return False
        return True

    expect(any(sees() for _ in range(20)), f"{address} lets nobody see its presence")


def _try_python(session: Session) -> None:
    with Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        with OmemoPerson(session, server, own) as ada, OmemoPerson(session, server, other) as grace, \
                OmemoPerson(session, server, other, "second") as tablet:
            ada.send(other, "to both devices äöü 🙂")
            for one in (grace, tablet):
                one.wait_secret("to both devices äöü 🙂", sender=own, device=ada.device)
            grace.send(own, "back")
            ada.wait_secret("back", device=grace.device)
            tablet.wait_secret("back", carbon="sent", device=grace.device)
            expect(
                ada.devices(other) == {str(one.device): one.fingerprint for one in (grace, tablet)}, "the keys differ")
            ada.send_plain(other, "in the clear")
            grace.wait_plain("in the clear")
            ada.beat(other)
            grace.wait_empty(own)
            file = session.folder / "a file.bin"
            file.write_bytes(bytes(range(256)) * 40)
            ada.share(other, file)
            grace.wait_file("a file.bin", file.read_bytes())
            # A lost session, and new ones.
            grace.forget(own)
            ada.send(other, "lost")
            grace.wait_undecryptable(own)
            grace.heal(own)
            ada.wait_empty(other)
            ada.send(other, "found")
            grace.wait_secret("found")
            ada.send_spoilt(other, "spoilt")
            grace.wait_undecryptable(own)
            # A restart keeps the keys.
            grace.leave()
            device = grace.device
            grace.sign_in()
            expect(grace.device == device, "it is another device after a restart")
            ada.send(other, "after a restart")
            grace.wait_secret("after a restart", builds=False)
            # A room.
            ada.found(_ROOM, "Ada", other)
            grace.enter(_ROOM, "Grace")
            grace.say(_ROOM, "to all")
            ada.wait_secret("to all", room=_ROOM, nickname="Grace", sender=other)
            grace.wait_secret("to all", room=_ROOM)


def _try_profanity(session: Session) -> None:
    with Server(session) as server:
        own, other = server.register("ada"), server.register("grace")
        with OmemoPerson(session, server, own) as ada, Profanity(session, server, other) as grace:
            grace.make_keys()
            # It finds the keys only of those who let it see their presence.
            grace.enter(f"/sub request {own}")
            _befriend(ada, other, lambda: grace.enter(f"/sub allow {own}"))
            expect(ada.devices(other) == {str(grace.device): grace.fingerprint}, f"the keys are {ada.devices(other)}")
            grace.encrypt(own)
            grace.enter("hello from a terminal äöü")
            ada.wait_secret("hello from a terminal äöü", device=grace.device)
            ada.send(other, "hello back 🙂")
            grace.wait_secret("hello back 🙂")
            grace.shows_fingerprint(ada.fingerprint)
            ada.send_plain(other, "in the clear")
            grace.wait_plain("in the clear")
            ada.forget(other)
            grace.enter("lost")
            ada.wait_undecryptable(other)
            # Up to 0.15, it takes no new session from a message without a text.
            ada.send(other, "ask again")
            grace.wait_secret("ask again")
            grace.enter("found")
            ada.wait_secret("found")
            ada.found(_ROOM, "Ada", other)
            grace.join_secretly(_ROOM)
            grace.enter("to all")
            ada.wait_secret("to all", room=_ROOM, sender=other)
            ada.say(_ROOM, "and to you")
            grace.wait_secret("and to you")


def _try_window(session: Session, kind: type[Peer]) -> None:
    with open_desk(session) as desk:
        own, other = desk.server.register("ada"), desk.server.register("grace")
        grace = kind(session, *desk, other, own)
        print(f"{grace.name} {grace.version()}")
        with OmemoPerson(session, desk.server, own) as ada, grace:
            try:
                _befriend(ada, other, grace.accept)
                expect(
                    wait_until(lambda: grace.fingerprint in ada.devices(other).values(), pause=0.5),
                    f"{grace.fingerprint} is not in {ada.devices(other)}")
                grace.open()
                ada.send(other, "hello äöü 🙂")
                _expect_secret(grace, "hello äöü 🙂")
                grace.encrypt()
                grace.open()
                grace.send("hello back 🙂")
                ada.wait_secret("hello back 🙂")
                expect(grace.was_encrypted("hello back 🙂"), "it does not know that it has encrypted")
                ada.send_plain(other, "in the clear")
                expect(wait_until(lambda: grace.has("in the clear"), 15, pause=0.1), "it has no plain message")
                expect(not grace.was_encrypted("in the clear"), "it says that a plain message was encrypted")
                # A lost session, and a new one without a text.
                ada.forget(other)
                grace.send("lost")
                ada.wait_undecryptable(other)
                ada.heal(other)
                ada.send(other, "ask again")
                _expect_secret(grace, "ask again")
                grace.send("found")
                ada.wait_secret("found")
                # A file each way.
                grace.share(picture(session, "yours.png", 0x66))
                # Dino pastes the picture, and writes a file of its own.
                ada.wait(lambda event: event["event"] == "file" and event["sender"] == other, "has no file")
                file = picture(session, "mine.png", 0x33)
                ada.share(other, file)
                expect(wait_until(lambda: grace.has_file(file.read_bytes()), 15, pause=0.1), "it has no file")
                # A room.
                ada.found(_ROOM, "Ada", other)
                grace.join(_ROOM)
                ada.say(_ROOM, "to all")
                _expect_secret(grace, "to all")
                grace.encrypt(_ROOM)
                grace.send("back to all", _ROOM)
                ada.wait_secret("back to all", room=_ROOM, sender=other)
            except (Mismatch, RuntimeError):
                print(f"{grace.complain('failed')}", file=sys.stderr)
                raise


def _expect_secret(peer: Peer, text: str) -> None:
    expect(wait_until(lambda: peer.has(text), 15, pause=0.1), f"{peer.name} has no {text!r}")
    expect(peer.was_encrypted(text), f"{text!r} was not encrypted for {peer.name}")


_PAIRS: dict[str, Callable[[Session], None]] = {
    "python": _try_python, "profanity": _try_profanity, "dino": lambda session: _try_window(session, Dino),
    "gajim": lambda session: _try_window(session, installed_gajim()),
}


def _main() -> int:
    names = sys.argv[1:] or list(_PAIRS)
    if len(names) > 1:
        # A process can have only one session.
        statuses = [subprocess.run([sys.executable, __file__, name], check=False).returncode for name in names]
        return int(any(status not in (0, SKIPPED) for status in statuses))
    began = time.monotonic()
    try:
        with Session() as session:
            _PAIRS[names[0]](session)
    except MissingPeer as missing:
        print(f"{names[0]}: {missing}")
        return SKIPPED
    except Mismatch as mismatch:
        print(f"{names[0]}: {mismatch}")
        return 1
    print(f"{names[0]}: passed in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(_main())
