#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A gateway that carries calls to telephone numbers, for the tests: a component of the server (XEP-0114), with slixmpp.

    call_gateway.py PORT DOMAIN

It behaves as Cheogram's: it takes each call at once, before a telephone rings, in a message of the type `normal`; it
tells its certificate before its answer, with a role that only an offer may have; its answer has a name for each
format only if it needs one. It has no sound. The last digit of the number says what the telephone does:

    1   rings, and answers
    2   is busy
    3   rings, and does not answer
    4   is answered, but the gateway's session has no encryption

A message “call …” to a number lets it call the sender, and “give up” ends that call before it is answered.

Prints `online`, then a line of JSON for each event.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from slixmpp import ComponentXMPP
from slixmpp.jid import JID
from slixmpp.xmlstream import ET
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import MatchXPath

from sms_gateway import SECRET, tell

COMPONENT = "jabber:component:accept"
INFO = "http://jabber.org/protocol/disco#info"
JINGLE = "urn:xmpp:jingle:1"
MESSAGE = "urn:xmpp:jingle-message:0"
RTP = "urn:xmpp:jingle:apps:rtp:1"
ICE = "urn:xmpp:jingle:transports:ice-udp:1"
DTLS = "urn:xmpp:jingle:apps:dtls:0"
FEATURES = [JINGLE, MESSAGE, RTP, "urn:xmpp:jingle:apps:rtp:audio", ICE, DTLS]
FINGERPRINT = ":".join(["CD"] * 32)


def transport(setup: str | None, *, has_candidate: bool = True) -> str:
    fingerprint = f"<fingerprint xmlns='{DTLS}' hash='sha-256' setup='{setup}'>{FINGERPRINT}</fingerprint>"
    candidate = (
        "<candidate component='1' foundation='1' generation='0' id='1' ip='198.51.100.7' network='0' port='12345'"
        " priority='2130706431' protocol='udp' type='host'/>"
    )
    children = (fingerprint if setup else "") + (candidate if has_candidate else "")
    return f"<transport xmlns='{ICE}' ufrag='0123abcd' pwd='0123456789abcdefghijkl'>{children}</transport>"


def content(children: str) -> str:
    return f"<content creator='initiator' name='0' senders='both'>{children}</content>"


SOUND = (
    f"<description xmlns='{RTP}' media='audio'><payload-type id='0'/>"
    "<payload-type id='101' name='telephone-event' clockrate='8000'/></description>"
)


class Gateway(ComponentXMPP):  # type: ignore[misc]
    """The component."""

    def __init__(self, port: int, domain: str) -> None:
        super().__init__(domain, SECRET, "127.0.0.1", port)
        self._domain = domain
        #: The calls to subscribers: the number's device and the subscriber, by the session.
        self._calls: dict[str, tuple[str, JID]] = {}
        self.add_event_handler("session_start", lambda _event: print("online", flush=True))
        # It would try again for ever, and its test would wait as long.
        self.add_event_handler("connection_failed", lambda _event: os._exit(1))
        self.add_event_handler("message", self._text)
        for name, space, receive in (
            ("query", INFO, self._describe), ("jingle", JINGLE, self._session),
        ):
            self.register_handler(Callback(name, MatchXPath(f"{{{COMPONENT}}}iq/{{{space}}}{name}"), receive))
        for name in ("propose", "proceed", "reject", "retract", "finish"):
            path = MatchXPath(f"{{{COMPONENT}}}message/{{{MESSAGE}}}{name}")
            self.register_handler(Callback(name, path, self._message))

    # MARK: What it is

    def _describe(self, iq: Any) -> None:
        if iq["type"] != "get":
            return
        number = iq["to"].user
        identities = [("client", "sms")] if number else [("gateway", "sms"), ("gateway", "pstn")]
        features = FEATURES if number else ["jabber:iq:gateway"]
        query = ET.Element(f"{{{INFO}}}query")
        for category, kind in identities:
            ET.SubElement(query, f"{{{INFO}}}identity", category=category, type=kind, name="Calls")
        for feature in features:
            ET.SubElement(query, f"{{{INFO}}}feature", var=feature)
        reply = iq.reply()
        reply.append(query)
        reply.send()

    # MARK: Calls to telephones

    def _message(self, message: Any) -> None:
        for told in message.xml:
            if not told.tag.startswith(f"{{{MESSAGE}}}"):
                continue
            name, sid = told.tag.removeprefix(f"{{{MESSAGE}}}"), told.get("id", "")
            number = message["to"].user
            tell(event=name, number=number, sender=message["from"].bare)
            if name == "propose":
                self._say(f"{number}@{self._domain}/tel", message["from"], "normal", f"proceed%{sid}",
                          f"<proceed xmlns='{MESSAGE}' id='{sid}'/>")
            elif name == "proceed" and sid in self._calls:
                device, _ = self._calls[sid]
                self._calls[sid] = (device, message["from"])
                self._ask(device, message["from"], sid, "session-initiate", content(SOUND + transport("actpass")))

    def _session(self, iq: Any) -> None:
        if iq["type"] != "set":
            return
        jingle = iq.xml.find(f"{{{JINGLE}}}jingle")
        action, sid = jingle.get("action"), jingle.get("sid")
        number, device, caller = iq["to"].user, str(iq["to"]), iq["from"]
        formats = [
            f"{one.get('name')}/{one.get('clockrate')}" for one in jingle.iter(f"{{{RTP}}}payload-type")
        ]
        reasons = [child.tag.split("}")[1] for reason in jingle.iter(f"{{{JINGLE}}}reason") for child in reason]
        tell(event=action, number=number, formats=formats, reasons=reasons)
        iq.reply().send()
        if action != "session-initiate":
            return
        does = number[-1]
        if does == "2":
            return self._ask(device, caller, sid, "session-terminate", "<reason><busy/></reason>")
        if does != "4":
            self._ask(device, caller, sid, "transport-info", content(transport("actpass")))
        self._ask(device, caller, sid, "session-info", "<ringing xmlns='urn:xmpp:jingle:apps:rtp:info:1'/>")
        if does in "14":
            answer = content(SOUND + transport(None, has_candidate=False))
            self._ask(device, caller, sid, "session-accept", answer)

    # MARK: Calls of telephones

    def _text(self, message: Any) -> None:
        number, subscriber = message["to"].user, message["from"].bare
        device = f"{number}@{self._domain}/sip:{number}\\40proxy.example"
        if message["body"].startswith("call"):
            sid = f"call-{len(self._calls)}-{number}"
            self._calls[sid] = (device, message["from"])
            self._say(device, subscriber, "chat", f"proposal%{sid}",
                      f"<propose xmlns='{MESSAGE}' id='{sid}'><description xmlns='{RTP}' media='audio'/></propose>"
                      "<store xmlns='urn:xmpp:hints'/>")
        elif message["body"] == "give up":
            sid = list(self._calls)[-1]
            self._say(device, subscriber, "chat", f"retract%{sid}",
                      f"<retract xmlns='{MESSAGE}' id='{sid}'/><store xmlns='urn:xmpp:hints'/>")

    # MARK: Stanzas

    def _say(self, sender: str, to: object, kind: str, identifier: str, children: str) -> None:
        self.send_raw(f"<message from='{sender}' to='{to}' type='{kind}' id='{identifier}'>{children}</message>")

    def _ask(self, sender: str, to: object, sid: str, action: str, children: str) -> None:
        self.send_raw(
            f"<iq from='{sender}' to='{to}' type='set' id='{action}-{sid}'>"
            f"<jingle xmlns='{JINGLE}' action='{action}' sid='{sid}'>{children}</jingle></iq>"
        )


if __name__ == "__main__":
    gateway = Gateway(int(sys.argv[1]), sys.argv[2])
    gateway.connect()
    gateway.loop.run_forever()
