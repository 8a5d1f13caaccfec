# SPDX-License-Identifier: GPL-3.0-or-later
"""One device of a user who encrypts with OMEMO (XEP-0384 0.3), with slixmpp and python-omemo.

It takes commands, JSON lists on standard input, and tells its events, JSON objects on standard output, one a line:
`Tests/Driver/omemo_person.py` uses both. All devices are trusted. The keys are in a file, so that a device keeps them when it
starts again.

    omemo_agent.py ADDRESS PASSWORD PORT FILE
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import inspect
import json
import os
import ssl
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import oldmemo
import oldmemo.etree
import omemo
import xeddsa
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from slixmpp import ClientXMPP
from slixmpp.exceptions import IqError
from slixmpp.xmlstream import ET
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

_OMEMO = oldmemo.oldmemo.NAMESPACE
_ENCRYPTED = f"{{{_OMEMO}}}encrypted"
_LIST = f"{_OMEMO}.devicelist"
_CLIENT = "{jabber:client}"
_PUBSUB = "{http://jabber.org/protocol/pubsub}"
_FORWARDED = "{urn:xmpp:forward:0}forwarded"
_NONE = "undecided"
_TRUSTED = "trusted"
_LISTS = ("owner", "admin", "member")


def tell(**event: object) -> None:
    print(json.dumps(event), file=_told, flush=True)


def fingerprint(identity_key: bytes) -> str:
    """Return an identity key as users compare it."""
    return xeddsa.ed25519_pub_to_curve25519_pub(identity_key).hex()


class Store(omemo.Storage):
    """The keys and sessions, in a file."""

    def __init__(self, file: Path) -> None:
        # Sessions are taken out of it.
        super().__init__(disable_cache=True)
        self._file = file
        self._values: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}

    async def _load(self, key: str) -> omemo.Maybe[Any]:
        return omemo.Just(self._values[key]) if key in self._values else omemo.Nothing()

    async def _store(self, key: str, value: Any) -> None:
        self._values[key] = value

    async def _delete(self, key: str) -> None:
        self._values.pop(key, None)

    def save(self) -> None:
        """Write the file, whole or not at all: the device may be ended at any time."""
        new = self._file.with_suffix(".new")
        new.write_text(json.dumps(self._values))
        new.replace(self._file)

    def forget_sessions(self, address: str) -> None:
        """Drop the sessions with all devices of an address."""
        for key in [one for one in self._values if one.startswith(f"/{_OMEMO}/{address}/")]:
            del self._values[key]


class Agent:
    """The device."""

    def __init__(self, address: str, password: str, port: int, file: Path) -> None:
        self._client = ClientXMPP(address, password)
        for plugin in ("xep_0030", "xep_0045", "xep_0184", "xep_0199"):
            self._client.register_plugin(plugin)
        self._client.auto_authorize = True
        # The server's certificate is issued by the tests' own authority.
        self._client.ssl_context.check_hostname = False
        self._client.ssl_context.verify_mode = ssl.CERT_NONE
        self._context = ssl._create_unverified_context()
        self._address, self._port = address, port
        self._store = Store(file)
        self._backend = oldmemo.Oldmemo(self._store)
        #: Sessions change in the order of the stream: messages and commands are worked off one after the other.
        self._work: asyncio.Queue[Any] = asyncio.Queue()
        #: What was said in rooms, which comes back and has no key for this device.
        self._said: dict[str, str] = {}
        self._last = ""
        self._read = b""

    def run(self) -> None:
        client = self._client
        client.add_event_handler("session_start", self._begin)
        client.add_event_handler("failed_auth", lambda _event: tell(event="refused"))
        client.add_event_handler("receipt_received", lambda stanza: tell(event="receipt", id=stanza["receipt"]))
        client.add_event_handler(
            "presence_available", lambda stanza: tell(event="presence", sender=stanza["from"].bare, show=stanza["show"]))
        client.register_handler(
            Callback("all", MatchXPath(_CLIENT + "message"), lambda stanza: self._work.put_nowait(self._take(stanza.xml))))
        # slixmpp takes the host and the port by themselves from 1.9 on.
        takes_pair = "address" in inspect.signature(client.connect).parameters
        client.connect(*((("127.0.0.1", self._port),) if takes_pair else ("127.0.0.1", self._port)))
        client.loop.run_forever()

    async def _begin(self, _event: object) -> None:
        self._client.send_presence()
        await self._client.get_roster()
        await self._ask_set("<enable xmlns='urn:xmpp:carbons:2'/>")
        self._manager = await _manager(self).create([self._backend], self._store, self._address, None, _NONE)
        # It begins as if it read an archive.
        await self._manager.after_history_sync()
        own, _ = await self._manager.get_own_device_information()
        self._device = own.device_id
        self._store.save()
        self._client.loop.create_task(self._work_off())
        self._client.loop.add_reader(0, self._lines)
        tell(event="online", device=own.device_id, fingerprint=fingerprint(own.identity_key))

    async def _work_off(self) -> None:
        while True:
            try:
                await (await self._work.get())
            except Exception as error:
                tell(event="error", text=f"{type(error).__name__}: {error}")
            self._store.save()

    def _lines(self) -> None:
        data = os.read(0, 65536)
        if not data:
            self._client.loop.remove_reader(0)
            self._work.put_nowait(self._end())
            return
        *lines, self._read = (self._read + data).split(b"\n")
        for line in lines:
            verb, *values = json.loads(line)
            self._work.put_nowait(getattr(self, f"do_{verb}")(*values))

    async def _end(self) -> None:
        """End, once the keys of what came before are in the file."""
        await self._client.disconnect(wait=1)
        os._exit(0)

    # Commands

    async def do_befriend(self, address: str) -> None:
        self._client.send_presence_subscription(pto=address)

    async def do_plain(self, to: str, text: str, kind: str = "chat") -> None:
        self._send_stanza(to, kind, f"<body>{_escaped(text)}</body>")

    async def do_send(self, to: str, text: str) -> None:
        await self._send_encrypted(to, "chat", [to], text)

    async def do_say(self, room: str, text: str) -> None:
        addresses = [one for one in await self._members(room) if one != self._address]
        await self._send_encrypted(room, "groupchat", addresses, text)

    async def do_spoil(self, to: str, text: str) -> None:
        """Send a message whose keys are damaged, as if the sessions were other ones."""
        await self._send_encrypted(to, "chat", [to], text, spoils=True)

    async def do_flood(self, to: str, count: int, is_secret: bool) -> None:
        """Send many messages together; they are encrypted before the first one is sent."""
        inner = []
        for number in range(count):
            text = f"Number {number} of many messages that come together."
            if is_secret:
                messages, _ = await self._manager.encrypt(frozenset([to]), {_OMEMO: text.encode()})
                inner += [_wrapped(oldmemo.etree.serialize_message(message)) for message in messages]
            else:
                inner.append(f"<body>{text}</body>")
        for one in inner:
            self._send_stanza(to, "chat", one)
        tell(event="flooded", count=len(inner))

    async def do_repeat(self, to: str) -> None:
        """Send the last encrypted message once more, under another id."""
        self._send_stanza(to, "chat", self._last)

    async def do_raw(self, to: str, kind: str, inner: str) -> None:
        """Send a message with these elements."""
        self._send_stanza(to, kind, inner)

    async def do_publish(self, node: str, payload: str) -> None:
        """Publish something else in a node."""
        await self.publish(node, ET.fromstring(payload))
        tell(event="published", node=node)

    async def do_beat(self, to: str) -> None:
        """Send an empty message in the session with each device."""
        for one in await self._devices(to):
            session = await self._backend.load_session(to, one.device_id)
            if session is None:
                continue
            content, key = await self._backend.encrypt_empty()
            encrypted = await self._backend.encrypt_key_material(session, key)
            is_known = session.initiation is omemo.session.Initiation.PASSIVE or session.confirmed
            exchange = None if is_known else session.key_exchange
            await self.send_message(
                omemo.Message(_OMEMO, self._address, self._device, content, frozenset({(encrypted, exchange)})), to)
            await self._backend.store_session(session)

    async def do_forget(self, address: str) -> None:
        """Lose the sessions with all devices of an address."""
        self._store.forget_sessions(address)
        tell(event="forgotten", address=address)

    async def do_heal(self, address: str) -> None:
        """Build new sessions with all devices of an address, and tell them."""
        for one in await self._devices(address):
            bundle = await self.download_bundle(address, one.device_id)
            content, key = await self._backend.encrypt_empty()
            session, encrypted = await self._backend.build_session_active(address, one.device_id, bundle, key)
            await self.send_message(
                omemo.Message(
                    _OMEMO, self._address, self._device, content, frozenset({(encrypted, session.key_exchange)})), address)
            await self._backend.store_session(session)
        tell(event="healed", address=address)

    async def do_devices(self, address: str) -> None:
        """Tell the devices of an address, and their fingerprints."""
        tell(event="devices", address=address, devices={
            str(one.device_id): fingerprint(one.identity_key) for one in await self._devices(address)})

    async def do_share(self, to: str, path: str) -> None:
        """Upload a file with a key of its own (XEP-0454), and send both, encrypted."""
        file = Path(path)
        key, vector = os.urandom(32), os.urandom(12)
        data = AESGCM(key).encrypt(vector, file.read_bytes(), None)
        address = await self._upload(file.name, data)
        text = f"aesgcm{address[len('https'):]}#{vector.hex()}{key.hex()}"
        await self._send_encrypted(to, "chat", [to], text)

    async def do_found(self, room: str, nickname: str, *members: str) -> None:
        """Make a room for members, who see each other's addresses, and enter it."""
        await self._enter(room, nickname)
        form = {
            "FORM_TYPE": "http://jabber.org/protocol/muc#roomconfig", "muc#roomconfig_membersonly": "1",
            "muc#roomconfig_whois": "anyone",
        }
        fields = "".join(f"<field var='{name}'><value>{value}</value></field>" for name, value in form.items())
        await self._ask_set(
            "<query xmlns='http://jabber.org/protocol/muc#owner'>"
            f"<x xmlns='jabber:x:data' type='submit'>{fields}</x></query>", room)
        for member in members:
            await self._ask_set(
                "<query xmlns='http://jabber.org/protocol/muc#admin'>"
                f"<item affiliation='member' jid='{member}'/></query>", room)
        tell(event="entered", room=room)

    async def do_enter(self, room: str, nickname: str) -> None:
        await self._enter(room, nickname)
        tell(event="entered", room=room)

    # What comes

    async def _take(self, xml: ET.Element) -> None:
        carbon = ""
        for way in ("received", "sent"):
            found = xml.find(f"{{urn:xmpp:carbons:2}}{way}/{_FORWARDED}/{_CLIENT}message")
            if found is not None and xml.get("from", self._address) == self._address:
                xml, carbon = found, way
        kind = xml.get("type", "normal")
        sender = xml.get("from", self._address)
        if kind == "error":
            return tell(event="bounced", sender=_bare(sender), id=xml.get("id"))
        bare = _bare(sender)
        event = {"sender": bare, "id": xml.get("id"), "carbon": carbon, "to": _bare(xml.get("to", ""))}
        if kind == "groupchat":
            bare = self._real(sender)
            event |= {"sender": bare, "room": _bare(sender), "nickname": sender.partition("/")[2]}
        encrypted = xml.find(_ENCRYPTED)
        if encrypted is None:
            body = xml.findtext(f"{_CLIENT}body")
            if body:
                tell(event="message", encrypted=False, text=body, **event)
            return None
        header = encrypted.find(f"{{{_OMEMO}}}header")
        event["device"] = int(header.get("sid")) if header is not None else 0
        if bare == self._address and event["device"] == self._device:
            if kind == "groupchat":
                tell(event="message", encrypted=True, text=self._said.get(event["id"] or "", ""), **event)
            return None
        try:
            message = await oldmemo.etree.parse_message(encrypted, bare, self._address, self._manager)
            event["builds"] = any(exchange is not None for key, exchange in message.keys if key.device_id == self._device)
            text, _, _ = await self._manager.decrypt(message)
        except Exception as error:
            return tell(event="undecryptable", reason=f"{type(error).__name__}: {error}", **event)
        if text is None:
            return tell(event="empty", **event)
        words = text.decode()
        link = next((line for line in words.splitlines() if line.startswith("aesgcm://")), None)
        if link is not None:
            await self._download(link, event)
        tell(event="message", encrypted=True, text=words, **event)

    async def _download(self, link: str, event: dict[str, Any]) -> None:
        address, _, secret = link.partition("#")
        secrets = bytes.fromhex(secret)
        vector, key = secrets[:-32], secrets[-32:]

        def get() -> bytes:
            with urllib.request.urlopen("https" + address[len("aesgcm"):], context=self._context) as answer:
                return answer.read()

        data = AESGCM(key).decrypt(vector, await self._client.loop.run_in_executor(None, get), None)
        copy = Path(tempfile.mkdtemp()) / "copy"
        copy.write_bytes(data)
        tell(
            event="file", name=urllib.parse.unquote(address.rpartition("/")[2]), digest=hashlib.sha256(data).hexdigest(),
            size=len(data), path=str(copy), vector=len(vector), **event)

    # What goes

    async def _send_encrypted(
        self, to: str, kind: str, addresses: list[str], text: str, *, spoils: bool = False
    ) -> None:
        for address in {*addresses, self._address}:
            await self._manager.refresh_device_list(_OMEMO, address)
        messages, problems = await self._manager.encrypt(frozenset(addresses), {_OMEMO: text.encode()})
        for problem in problems:
            tell(event="problem", text=str(problem))
        for message in messages:
            element = oldmemo.etree.serialize_message(message)
            if spoils:
                _spoil(element, [key.serialize() for key, _ in message.keys])
            self._last = _wrapped(element, "<request xmlns='urn:xmpp:receipts'/>")
            name = self._send_stanza(to, kind, self._last)
            self._said[name] = text
            tell(event="sent", id=name, devices=sorted(
                int(key.get("rid", 0)) for key in element.iter(f"{{{_OMEMO}}}key")))

    def _send_stanza(self, to: str, kind: str, inner: str) -> str:
        name = os.urandom(6).hex()
        self._client.send_raw(f"<message xmlns='jabber:client' to='{to}' type='{kind}' id='{name}'>{inner}</message>")
        return name

    async def send_message(self, message: omemo.Message, to: str) -> None:
        """Send an empty message."""
        self._send_stanza(to, "chat", _wrapped(oldmemo.etree.serialize_message(message)))

    # The server

    async def _ask_set(self, inner: str, to: str | None = None) -> ET.Element:
        request = self._client.make_iq_set(ito=to)
        request.append(ET.fromstring(inner))
        return (await request.send()).xml

    async def _ask(self, inner: str, to: str | None = None) -> ET.Element:
        request = self._client.make_iq_get(ito=to)
        request.append(ET.fromstring(inner))
        return (await request.send()).xml

    async def publish(self, node: str, payload: ET.Element) -> None:
        """Publish an item that everybody can read."""
        options = {
            "FORM_TYPE": "http://jabber.org/protocol/pubsub#publish-options", "pubsub#persist_items": "true",
            "pubsub#access_model": "open",
        }
        fields = "".join(f"<field var='{name}'><value>{value}</value></field>" for name, value in options.items())
        await self._ask_set(
            f"<pubsub xmlns='http://jabber.org/protocol/pubsub'><publish node='{node}'><item id='current'>"
            f"{ET.tostring(payload, encoding='unicode')}</item></publish><publish-options>"
            f"<x xmlns='jabber:x:data' type='submit'>{fields}</x></publish-options></pubsub>")

    async def _item(self, address: str, node: str) -> ET.Element | None:
        try:
            answer = await self._ask(
                f"<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='{node}' max_items='1'/></pubsub>", address)
        except IqError as error:
            print(f"{address} {node}: {error.condition}", file=sys.stderr)
            return None
        item = answer.find(f"{_PUBSUB}pubsub/{_PUBSUB}items/{_PUBSUB}item")
        return next(iter(item), None) if item is not None else None

    async def download_bundle(self, address: str, device: int) -> omemo.Bundle:
        """Fetch the keys of a device."""
        found = await self._item(address, f"{_OMEMO}.bundles:{device}")
        if found is None:
            raise omemo.BundleNotFound(f"{address} has no bundle of {device}")
        try:
            return oldmemo.etree.parse_bundle(found, address, device)
        except Exception as error:
            raise omemo.BundleDownloadFailed(f"the bundle of {address} {device} is wrong: {error}") from error

    async def download_list(self, address: str) -> dict[int, str | None]:
        """Fetch the device list of an address."""
        found = await self._item(address, _LIST)
        return {} if found is None else oldmemo.etree.parse_device_list(found)

    async def publish_list(self, devices: dict[int, str | None]) -> None:
        """Publish the own device list."""
        await self.publish(_LIST, oldmemo.etree.serialize_device_list(devices))

    async def _devices(self, address: str) -> list[omemo.DeviceInformation]:
        await self._manager.refresh_device_list(_OMEMO, address)
        known = await self._manager.get_device_information(address)
        return [one for one in known if dict(one.active).get(_OMEMO) and one.device_id != self._device]

    async def _enter(self, room: str, nickname: str) -> None:
        # Without its own address, slixmpp 1.10 takes no answer for its own.
        await self._client["xep_0045"].join_muc_wait(
            room, nickname, maxstanzas=0, presence_options={"pfrom": self._client.boundjid})

    async def _members(self, room: str) -> list[str]:
        found: list[str] = []
        for name in _LISTS:
            answer = await self._ask(
                f"<query xmlns='http://jabber.org/protocol/muc#admin'><item affiliation='{name}'/></query>", room)
            found += [one.get("jid", "") for one in answer.iter("{http://jabber.org/protocol/muc#admin}item")]
        return found

    def _real(self, occupant: str) -> str:
        """Return the address of somebody in a room who is known."""
        room, _, nickname = occupant.partition("/")
        found = self._client["xep_0045"].get_jid_property(room, nickname, "jid")
        return _bare(str(found)) if found else ""

    async def _upload(self, name: str, data: bytes) -> str:
        space = "{urn:xmpp:http:upload:0}"
        answer = await self._ask(
            f"<request xmlns='urn:xmpp:http:upload:0' filename='{name}' size='{len(data)}'/>", "files.localhost")
        put, got = (answer.find(f"{space}slot/{space}{part}") for part in ("put", "get"))
        headers = {header.get("name"): header.text for header in put}
        request = urllib.request.Request(
            put.get("url"), data, {"Content-Type": "application/octet-stream", **headers}, method="PUT")
        await self._client.loop.run_in_executor(
            None, lambda: urllib.request.urlopen(request, context=self._context).close())
        return str(got.get("url"))


def _manager(agent: Agent) -> type[omemo.SessionManager]:
    """Return a class that reaches the server through an agent: python-omemo makes the object, with static methods."""

    class Manager(omemo.SessionManager):
        @staticmethod
        async def _upload_bundle(bundle: omemo.Bundle) -> None:
            await agent.publish(f"{_OMEMO}.bundles:{bundle.device_id}", oldmemo.etree.serialize_bundle(bundle))

        @staticmethod
        async def _download_bundle(namespace: str, bare_jid: str, device_id: int) -> omemo.Bundle:
            return await agent.download_bundle(bare_jid, device_id)

        @staticmethod
        async def _delete_bundle(namespace: str, device_id: int) -> None:
            raise omemo.BundleDeletionFailed

        @staticmethod
        async def _upload_device_list(namespace: str, device_list: dict[int, str | None]) -> None:
            await agent.publish_list(device_list)

        @staticmethod
        async def _download_device_list(namespace: str, bare_jid: str) -> dict[int, str | None]:
            return await agent.download_list(bare_jid)

        @staticmethod
        async def _send_message(message: omemo.Message, bare_jid: str) -> None:
            await agent.send_message(message, bare_jid)

        async def _evaluate_custom_trust_level(self, device: omemo.DeviceInformation) -> omemo.TrustLevel:
            return omemo.TrustLevel.TRUSTED if device.trust_level_name == _TRUSTED else omemo.TrustLevel.UNDECIDED

        async def _make_trust_decision(
            self, undecided: frozenset[omemo.DeviceInformation], identifier: str | None
        ) -> None:
            for one in undecided:
                await self.set_trust(one.bare_jid, one.identity_key, _TRUSTED)

    return Manager


def _spoil(element: ET.Element, parts: list[bytes]) -> None:
    """Damage the end of each of these parts in the keys of an element, where their check sums are."""
    for key in element.iter(f"{{{_OMEMO}}}key"):
        data = base64.b64decode(key.text or "")
        for part in parts:
            data = data.replace(part, part[:-1] + bytes([part[-1] ^ 1]))
        key.text = base64.b64encode(data).decode()


def _wrapped(element: ET.Element, more: str = "") -> str:
    body = "" if element.find(f"{{{_OMEMO}}}payload") is None else "<body>This message is encrypted with OMEMO.</body>"
    return (
        f"{ET.tostring(element, encoding='unicode')}"
        f"<encryption xmlns='urn:xmpp:eme:0' namespace='{_OMEMO}' name='OMEMO'/><store xmlns='urn:xmpp:hints'/>{more}{body}")


def _bare(address: str) -> str:
    return address.partition("/")[0]


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


if __name__ == "__main__":
    # Libraries may print on standard output.
    _told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    Agent(sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])).run()
