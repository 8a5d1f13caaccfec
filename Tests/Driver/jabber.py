# SPDX-License-Identifier: GPL-3.0-or-later
"""A Jabber server and its users: Prosody, and slixmpp as the other end of a conversation."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import random
import socket
import ssl
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any, Callable

import processes
from holding_relay import HoldingRelay
from phone import Mismatch
from processes import MissingPeer, need
from session import CHECKOUT, Session

PASSWORD = "secret"


def can_be_quick() -> bool:
    """Return whether Prosody works with its modules for sign-ins in few round trips, as its version 13 does."""
    modules = Path("/usr/lib/prosody/modules")
    return (modules / "mod_sasl2_fast").exists() and "do_enable" in (modules / "mod_smacks.lua").read_text()


class Server:
    """Prosody for the domain `localhost` on loopback, as a context manager.

    Its certificate is issued by an unknown authority, so the user has to trust it explicitly.
    """

    def __init__(
        self, session: Session, certificate: str = "good", relay: HoldingRelay | None = None, hibernation: int = 5,
        is_quick: bool = False, plain: int | None = None, moderates: bool = False,
    ) -> None:
        """With a relay, clients transfer files through it. A client that vanishes is shown for `hibernation` seconds.

        A quick server signs in in few round trips, also with TLS 1.3 from the start. `plain` is a port that clients need
        for STARTTLS; otherwise it is any. With `moderates`, the rooms' moderators can delete messages, which needs Debian's
        prosody-modules.
        """
        self._session = session
        self._certificate = certificate
        self._relay = relay
        self._hibernation = hibernation
        self._is_quick = is_quick
        self._plain = plain
        self._moderates = moderates
        self.folder = session.folder / "prosody"

    def __enter__(self) -> Server:
        need("prosody", "prosody")
        self.folder.mkdir(exist_ok=True)
        if not (self.folder / "good.crt").exists():
            self._make_certificates()
        for suffix in ("crt", "key") if self._certificate != "good" else ():
            (self.folder / f"good.{suffix}").write_bytes((self.folder / f"{self._certificate}.{suffix}").read_bytes())
        plain, direct, http, https, self.component_port = free_ports(5)
        plain = self._plain or plain
        self.port, self.direct_port = plain, direct
        text = (CHECKOUT / "Tests/Peers/prosody.cfg.lua").read_text()
        values = {
            "FOLDER": self.folder, "PLAIN": plain, "DIRECT": direct, "HTTP": http, "HTTPS": https,
            "COMPONENT": self.component_port,
        }
        text = text.replace("smacks_hibernation_time = 60", f"smacks_hibernation_time = {self._hibernation}")
        if self._is_quick:
            text = text.replace(
                "modules_enabled = {\n", 'modules_enabled = {\n"sasl2", "sasl2_bind2", "sasl2_sm", "sasl2_fast",\n', 1)
            text = text.replace('{ protocol = "tlsv1_2", ', "{ ")
        if self._moderates:
            text = text.replace('"muc_mam" }', '"muc_mam", "muc_moderation" }')
        if self._relay is not None:
            self._relay.target = https
            text = text.replace("//localhost:@HTTPS@/", f"//localhost:{self._relay.port}/")
        for key, value in values.items():
            text = text.replace(f"@{key}@", str(value))
        self._configuration = self.folder / "prosody.cfg.lua"
        self._configuration.write_text(text)
        (self.folder / "data").mkdir(exist_ok=True)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server on its previous port."""
        self._log = open(self.folder / "log", "ab")
        self._process = processes.spawn(
            ["prosody", "-F", "--config", self._configuration],
            stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log,
        )
        deadline = 200
        while deadline and not self._answers():
            deadline -= 1
            try:
                self._process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
            raise Mismatch(f"prosody ended: {(self.folder / 'log').read_text()[-500:]}")

    def stop(self) -> None:
        """Stop the server, and keep its accounts."""
        processes.stop(self._process)
        self._log.close()

    def register(self, name: str) -> str:
        """Create an account with the password PASSWORD, and return its address."""
        done = self._session.run(
            "prosodyctl", "--config", self._configuration, "register", name, "localhost", PASSWORD
        )
        if done.returncode != 0:
            raise Mismatch(f"prosodyctl register: {done.stdout}{done.stderr}")
        return f"{name}@localhost"

    @property
    def authority(self) -> Path:
        """The certificate of the authority that issued the server's."""
        return self.folder / "authority.crt"

    @property
    def connections(self) -> int:
        """The number of client connections in the server's log."""
        return (self.folder / "log").read_text().count("Client connected")

    @property
    def fingerprint(self) -> str:
        """The SHA-256 fingerprint of its certificate, in hex."""
        pem = (self.folder / "good.crt").read_text()
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()

    def _make_certificates(self) -> None:
        done = self._session.run("/usr/bin/python3", CHECKOUT / "Tests/Tools/make_certificates.py", self.folder)
        if done.returncode != 0:
            raise MissingPeer("cryptography for Python", "python3-cryptography")

    def _answers(self) -> bool:
        # It opens its ports one after the other.
        for port in (self.port, self.component_port):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) != 0:
                    return False
        return True


class Person:
    """A user of another client, as a context manager: this file run as a script, with slixmpp."""

    def __init__(self, server: Server, address: str) -> None:
        try:
            import slixmpp  # noqa: F401
        except ImportError:
            raise MissingPeer("slixmpp for Python", "python3-slixmpp") from None
        self._server = server
        self.address = address
        #: The events received so far, in order.
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Person:
        self.sign_in()
        return self

    def sign_in(self) -> None:
        """Sign in, also after `leave`."""
        self._process = processes.spawn(
            [sys.executable, Path(__file__).resolve(), self.address, PASSWORD, str(self._server.port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        self.wait(lambda event: event["event"] == "online", "is not online")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """End the client, and keep the events."""
        processes.stop(self._process)

    def befriend(self, address: str) -> None:
        """Request a subscription to the presence of an address."""
        self._command("befriend", address)

    def invite(self) -> str:
        """Make an invitation for somebody without an account (XEP-0401), and return its link."""
        self._command("invite", "")
        return self.wait(lambda event: event["event"] == "invited", "made no invitation")["link"]

    def send(self, address: str, text: str) -> None:
        """Send a message."""
        self._command("send", address, text)

    def annotate(self, address: str, name: str, text: str | None, *elements: str) -> None:
        """Send a message with an ID, a text if there is one, and elements of other protocols."""
        self._command("annotate", address, name, text, *elements)

    def type(self, address: str, attributes: str, actions: str = "") -> None:
        """Send an element of real-time text (XEP-0301) to the device of an address, with attributes and actions."""
        self._command("type", address, attributes, actions)

    def wait_typed(self, what: str, text: str = "") -> None:
        """Wait for an element of real-time text with this event and text."""
        wanted = {"event": "typed", "what": what, "text": text}
        self.wait(lambda event: event == wanted, f"did not see {wanted}")

    def share(self, address: str, file: Path) -> None:
        """Upload a file, and send its address."""
        self._command("share", address, str(file))

    def publish_picture(self, file: Path) -> None:
        """Publish the user's own picture (XEP-0084), a PNG file."""
        self._command("picture", str(file))
        self.wait(lambda event: event["event"] == "published", "has not published the picture")

    def wait_file(self, name: str, contents: bytes | None = None) -> Path:
        """Wait for a file with this name, check its contents, and return the path of a copy."""
        event = self.wait(lambda event: event["event"] == "file" and event["name"] == name, f"did not get {name}")
        if contents is not None and event["digest"] != hashlib.sha256(contents).hexdigest():
            raise Mismatch(f"{self.address} got another {name}, with {event['size']} bytes instead of {len(contents)}")
        return Path(event["path"])

    @property
    def files(self) -> list[str]:
        """The names of the files received so far, in order."""
        return [event["name"] for event in self.events if event["event"] == "file"]

    def enter(self, room: str, nickname: str) -> None:
        """Enter a room, and create it if it does not exist."""
        self._command("enter", room, nickname)
        self.wait(lambda event: event == {"event": "entered", "room": room}, f"is not in {room}")

    def set_role(self, room: str, nickname: str, role: str) -> None:
        """Change the role of somebody in a room, as its owner."""
        self._command("role", room, nickname, role)

    def say(self, room: str, text: str) -> None:
        """Send a message to a room."""
        self._command("say", room, text)

    def wait_said(self, nickname: str, text: str) -> dict[str, Any]:
        """Wait for a message with this text by a person in a room."""
        wanted = {"event": "said", "nickname": nickname, "text": text}
        return self.wait(lambda event: event == wanted, f"did not hear {text!r}")

    def wait_left(self, nickname: str) -> None:
        """Wait until a person has left a room."""
        self.wait(lambda event: event == {"event": "left", "nickname": nickname}, f"still sees {nickname}")

    def wait(self, condition: Callable[[dict[str, Any]], bool], what: str) -> dict[str, Any]:
        """Wait for a new event that meets the condition, and return it."""
        assert self._process.stdout is not None
        while True:
            try:
                line = processes.read_line(self._process.stdout.fileno(), self.address)
            except TimeoutError:
                raise Mismatch(f"{self.address} {what}; it knows {self.events}") from None
            event = json.loads(line)
            self.events.append(event)
            if condition(event):
                return event

    def wait_message(self, text: str) -> dict[str, Any]:
        """Wait for a message with this text."""
        return self.wait(
            lambda event: event["event"] == "message" and event["text"] == text, f"did not get {text!r}"
        )

    def _command(self, *words: str | int | None) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(words) + "\n").encode())
        self._process.stdin.flush()


class Gateway:
    """A gateway to telephone numbers at the server (Tests/Tools/sms_gateway.py), as a context manager."""

    def __init__(self, server: Server, domain: str) -> None:
        self._server, self._domain = server, domain
        #: The messages received so far, as number and text.
        self.messages: list[tuple[str, str]] = []

    def __enter__(self) -> Gateway:
        self._process = processes.spawn(
            [sys.executable, CHECKOUT / "Tests/Tools/sms_gateway.py", str(self._server.component_port), self._domain],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        )
        while self._read() != "online":
            pass
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def wait_message(self, number: str, text: str) -> None:
        """Wait until a message to a number has arrived."""
        while (number, text) not in self.messages:
            event = json.loads(self._read())
            if event["event"] == "message":
                self.messages.append((event["number"], event["text"]))

    def _read(self) -> str:
        assert self._process.stdout is not None
        return processes.read_line(self._process.stdout.fileno(), self._domain)


def free_ports(count: int) -> list[int]:
    """Return ports that were free a moment ago, below those that the kernel gives to outgoing connections."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.randrange(16384, 32768)
        try:
            with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
        except OSError:
            continue
        if port not in ports:
            ports.append(port)
    return ports


def _serve(address: str, password: str, port: int) -> None:
    import asyncio
    import inspect

    from slixmpp import ClientXMPP
    from slixmpp.xmlstream import ET
    from slixmpp.xmlstream.handler import Callback
    from slixmpp.xmlstream.matcher import MatchXPath

    def tell(**event: object) -> None:
        print(json.dumps(event), flush=True)

    client = ClientXMPP(address, password)
    for plugin in ("xep_0030", "xep_0045", "xep_0184", "xep_0085", "xep_0199"):
        client.register_plugin(plugin)
    client.auto_authorize = True
    # Prosody's certificate is issued by the tests' own authority.
    client.ssl_context.check_hostname = False
    client.ssl_context.verify_mode = ssl.CERT_NONE

    async def begin(_event: object) -> None:
        client.send_presence()
        await client.get_roster()
        tell(event="online")

    context = ssl._create_unverified_context()
    # A small file must not overtake the one before it. The lock is passed on in the order of the messages.
    turn = asyncio.Lock()

    async def download(url: str) -> None:
        def get() -> bytes:
            with urllib.request.urlopen(url, context=context) as answer:
                return answer.read()

        async with turn:
            data = await client.loop.run_in_executor(None, get)
        name = urllib.parse.unquote(url.rpartition("/")[2])
        copy = Path(tempfile.mkdtemp()) / "copy"
        copy.write_bytes(data)
        tell(event="file", name=name, digest=hashlib.sha256(data).hexdigest(), size=len(data), path=str(copy))

    async def share(to: str, file: Path) -> None:
        data = file.read_bytes()
        request = client.make_iq_get(ito="files.localhost")
        request.append(ET.fromstring(
            f"<request xmlns='urn:xmpp:http:upload:0' filename='{file.name}' size='{len(data)}'/>"))
        slot = (await request.send()).xml.find("{urn:xmpp:http:upload:0}slot")
        put, url = (slot.find("{urn:xmpp:http:upload:0}" + name) for name in ("put", "get"))
        url = url.get("url")
        headers = {header.get("name"): header.text for header in put}
        sending = urllib.request.Request(
            put.get("url"), data, {"Content-Type": "application/octet-stream", **headers}, method="PUT")
        await client.loop.run_in_executor(None, lambda: urllib.request.urlopen(sending, context=context).close())
        stanza = client.make_message(mto=to, mbody=url, mtype="chat")
        stanza.append(ET.fromstring(f"<x xmlns='jabber:x:oob'><url>{url}</url></x>"))
        stanza.send()

    async def publish(node: str, item: str, payload: str) -> None:
        request = client.make_iq_set()
        request.append(ET.fromstring(
            "<pubsub xmlns='http://jabber.org/protocol/pubsub'>"
            f"<publish node='urn:xmpp:avatar:{node}'><item id='{item}'>{payload}</item></publish></pubsub>"))
        await request.send()

    async def picture(file: Path) -> None:
        data = file.read_bytes()
        digest = hashlib.sha1(data).hexdigest()
        await publish("data", digest, f"<data xmlns='urn:xmpp:avatar:data'>{base64.b64encode(data).decode()}</data>")
        await publish(
            "metadata", digest,
            "<metadata xmlns='urn:xmpp:avatar:metadata'>"
            f"<info id='{digest}' bytes='{len(data)}' type='image/png'/></metadata>")
        tell(event="published")

    async def invite() -> None:
        request = client.make_iq_set(ito="localhost")
        request.append(ET.fromstring(
            "<command xmlns='http://jabber.org/protocol/commands' node='urn:xmpp:invite#invite' action='execute'/>"))
        field = (await request.send()).xml.find(".//{jabber:x:data}field[@var='uri']/{jabber:x:data}value")
        tell(event="invited", link=field.text)

    def message(stanza) -> None:  # type: ignore[no-untyped-def]
        shared = stanza.xml.find("{jabber:x:oob}x/{jabber:x:oob}url")
        if shared is not None:
            client.loop.create_task(download(shared.text))
        elif stanza["type"] == "groupchat":
            if stanza["body"]:
                tell(event="said", nickname=stanza["from"].resource, text=stanza["body"])
        elif stanza["type"] != "error":
            others = {child.tag: child.get("id") for child in stanza.xml if child.get("id")}
            words = [child.text for child in stanza.xml.iter("{urn:xmpp:reactions:0}reaction")]
            for typed in stanza.xml.findall("{urn:xmpp:rtt:0}rtt"):
                tell(event="typed", what=typed.get("event", "edit"), text="".join(typed.itertext()))
            if stanza["body"] or words:
                tell(
                    event="message", sender=stanza["from"].bare, text=stanza["body"], id=stanza["id"], extensions=others,
                    words=words)

    async def enter(room: str, nickname: str) -> None:
        client.add_event_handler(
            f"muc::{room}::got_offline", lambda stanza: tell(event="left", nickname=stanza["from"].resource))
        # Without its own address, slixmpp 1.10 takes no answer for its own.
        await client["xep_0045"].join_muc_wait(
            room, nickname, maxstanzas=0, presence_options={"pfrom": client.boundjid})
        # A new room opens once its owner has accepted the defaults.
        configuration = client.make_iq_set(ito=room)
        configuration.append(ET.fromstring(
            "<query xmlns='http://jabber.org/protocol/muc#owner'><x xmlns='jabber:x:data' type='submit'/></query>"))
        await configuration.send()
        tell(event="entered", room=room)

    read = b""

    def lines() -> None:
        nonlocal read
        data = os.read(0, 65536)
        if not data:
            client.abort()
        # Several commands may come at once, and the last one in part.
        *whole, read = (read + data).split(b"\n")
        for text in whole:
            execute(*json.loads(text))

    def execute(verb: str, to: str, *rest: Any) -> None:
        if verb == "send":
            stanza = client.make_message(mto=to, mbody=rest[0], mtype="chat")
            stanza["request_receipt"] = True
            stanza.send()
        elif verb == "annotate":
            stanza = client.make_message(mto=to, mbody=rest[1], mtype="chat")
            stanza["id"] = rest[0]
            for element in rest[2:]:
                stanza.append(ET.fromstring(element))
            stanza.append(ET.fromstring("<store xmlns='urn:xmpp:hints'/>"))
            stanza.send()
        elif verb == "type":
            stanza = client.make_message(mto=devices[to], mtype="chat")
            stanza.append(ET.fromstring(f"<rtt xmlns='urn:xmpp:rtt:0' {rest[0]}>{rest[1]}</rtt>"))
            stanza.send()
        elif verb == "share":
            client.loop.create_task(share(to, Path(rest[0])))
        elif verb == "invite":
            client.loop.create_task(invite())
        elif verb == "picture":
            client.loop.create_task(picture(Path(to)))
        elif verb == "enter":
            client.loop.create_task(enter(to, rest[0]))
        elif verb == "role":
            client.loop.create_task(client["xep_0045"].set_role(to, rest[0], rest[1]))
        elif verb == "say":
            client.send_message(mto=to, mbody=rest[0], mtype="groupchat")
        else:
            client.send_presence_subscription(pto=to)

    client.add_event_handler("session_start", begin)
    client.add_event_handler("message", message)
    # That event is only for messages with a body.
    client.register_handler(
        Callback("typed", MatchXPath("{jabber:client}message/{urn:xmpp:rtt:0}rtt"), message))
    client.register_handler(
        Callback("reactions", MatchXPath("{jabber:client}message/{urn:xmpp:reactions:0}reactions"), message))
    client.add_event_handler("receipt_received", lambda stanza: tell(event="receipt"))
    # The device of each address that was online last.
    devices: dict[str, Any] = {}

    def present(stanza) -> None:  # type: ignore[no-untyped-def]
        devices[stanza["from"].bare] = stanza["from"]
        tell(event="presence", sender=stanza["from"].bare, show=stanza["show"])

    client.add_event_handler("presence_available", present)
    client.add_event_handler(
        "presence_unavailable", lambda stanza: tell(event="unavailable", sender=stanza["from"].bare))
    client.add_event_handler("failed_auth", lambda _event: tell(event="refused"))
    # slixmpp takes the host and the port by themselves from 1.9 on.
    takes_pair = "address" in inspect.signature(client.connect).parameters
    client.connect(*((("127.0.0.1", port),) if takes_pair else ("127.0.0.1", port)))
    client.loop.add_reader(0, lines)
    client.loop.run_forever()
    asyncio.set_event_loop(None)


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], int(sys.argv[3]))
