# SPDX-License-Identifier: GPL-3.0-or-later
"""A component whose buddies have keys of OMEMO: it tells their device lists, as a server does, and answers for their keys."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
import time
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from crowd import Crowd
from processes import MissingPeer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Tools"))

OMEMO = "eu.siacs.conversations.axolotl"
_LIST, _BUNDLES = f"{OMEMO}.devicelist", f"{OMEMO}.bundles:"


class _Shelf:
    """What a device publishes, without a server."""

    def __init__(self) -> None:
        self.published: dict[str, ElementTree.Element] = {}

    async def publish(self, node: str, payload: ElementTree.Element) -> None:
        self.published[node] = payload

    async def publish_list(self, devices: dict[int, str | None]) -> None:
        pass

    async def download_list(self, address: str) -> dict[int, str | None]:
        return {}


def _make_keys() -> tuple[int, str]:
    """Make the keys of a device, and return its number and its bundle."""
    try:
        import oldmemo
        import omemo_agent
    except ImportError:
        raise MissingPeer("oldmemo for Python", "python3-oldmemo") from None

    async def make(folder: Path) -> tuple[int, str]:
        shelf, store = _Shelf(), omemo_agent.Store(folder / "keys")
        manager = await omemo_agent._manager(shelf).create(
            [oldmemo.Oldmemo(store)], store, "buddy@localhost", None, "undecided")
        own, _ = await manager.get_own_device_information()
        bundle = shelf.published[f"{_BUNDLES}{own.device_id}"]
        return own.device_id, ElementTree.tostring(bundle, encoding="unicode")

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(make(Path(folder)))


class SecretCrowd(Crowd):
    """The component, as a context manager. All buddies with keys have the same."""

    def __init__(self, port: int) -> None:
        super().__init__(port, 0)
        self._device, self._bundle = _make_keys()
        self._node = ""
        #: Whether the buddies have keys, and those who never have any.
        self.has_keys, self.keyless = True, set[str]()
        #: The nodes with keys that were asked for.
        self.requests: list[str] = []
        #: The number of messages that came, and the time of the last one.
        self.count, self.last = 0, 0.0
        self._wanted, self._buddy, self._arrived = 0, "", threading.Event()
        self._is_text = False

    def expect(self, count: int, buddy: str) -> None:
        """Count texts to a buddy from now on, until there are so many."""
        self.count, self._wanted, self._buddy = 0, count, buddy
        self._arrived.clear()

    def wait_texts(self) -> float:
        """Wait for as many texts as are expected, and return the time at which the last one came."""
        if not self._arrived.wait(120):
            raise RuntimeError(f"{self.count} messages of {self._wanted} have come")
        return self.last

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        super()._begin(name, attributes)
        if self._depth == 2:
            self._node, self._is_text = "", False
        elif name == "items":
            self._node = attributes.get("node", "")
        elif name == "body":
            self._is_text = True

    def _take(self, name: str, stanza: dict[str, str]) -> None:
        to, sender = stanza.get("to", ""), stanza.get("from", "")
        if name == "iq" and stanza.get("type") == "get" and self._node.startswith(OMEMO):
            self.requests.append(self._node)
            return self._answer(to, sender, stanza.get("id", ""))
        super()._take(name, stanza)
        if name == "presence" and stanza.get("type") == "probe" and self._has_keys(to):
            # As the server of a buddy does for those who want to know (+notify).
            self._send(
                f"<message from={quoteattr(to)} to={quoteattr(sender)} type='headline'>"
                f"<event xmlns='http://jabber.org/protocol/pubsub#event'><items node='{_LIST}'>{self._list()}</items>"
                "</event></message>")
        elif name == "message" and self._is_text and to.partition("/")[0] == self._buddy:
            self.count += 1
            if self.count == self._wanted:
                self.last = time.monotonic()
                self._arrived.set()

    def _has_keys(self, buddy: str) -> bool:
        return self.has_keys and buddy not in self.keyless

    def _list(self) -> str:
        return f"<item id='current'><list xmlns='{OMEMO}'><device id='{self._device}'/></list></item>"

    def _answer(self, buddy: str, asker: str, name: str) -> None:
        head = f"from={quoteattr(buddy)} to={quoteattr(asker)} id={quoteattr(name)}"
        payload = {_LIST: self._list(), f"{_BUNDLES}{self._device}": f"<item id='current'>{self._bundle}</item>"}.get(
            self._node)
        if payload is None or not self._has_keys(buddy):
            return self._send(
                f"<iq type='error' {head}><error type='cancel'>"
                "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
        self._send(
            f"<iq type='result' {head}><pubsub xmlns='http://jabber.org/protocol/pubsub'><items node={quoteattr(self._node)}>"
            f"{payload}</items></pubsub></iq>")
