#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A gateway to telephone numbers for the tests: a component of the server (XEP-0114), with slixmpp.

    sms_gateway.py PORT DOMAIN [plain]

It translates +15558675309 to 15558675309@DOMAIN; with `plain`, it has no translation of its own. It answers each
message with “got TEXT”, and a message “from NUMBER TEXT” with TEXT from that number. Some numbers misbehave:

    +15550000001   is at a different server
    +15550000002   has an endless address
    +15550000003   has an address that is none
    +15550000004   is not answered
    +15550000005   is the gateway itself
    +15550000006   does not exist

Prints `online`, then a line of JSON for each request and message.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from slixmpp import ComponentXMPP
from slixmpp.xmlstream import ET
from slixmpp.xmlstream.handler import Callback
from slixmpp.xmlstream.matcher import StanzaPath

NAMESPACE = "jabber:iq:gateway"
SECRET = "secret"


def tell(**event: object) -> None:
    try:
        print(json.dumps(event), flush=True)
    except BrokenPipeError:
        # The test has ended.
        os._exit(0)


class Gateway(ComponentXMPP):  # type: ignore[misc]
    """The component."""

    def __init__(self, port: int, domain: str, translates: bool) -> None:
        super().__init__(domain, SECRET, "127.0.0.1", port)
        self._translates = translates
        self.register_plugin("xep_0030")
        self["xep_0030"].add_identity(category="gateway", itype="sms", name="Text messages")
        if translates:
            self["xep_0030"].add_feature(NAMESPACE)
            self.register_handler(Callback("translation", StanzaPath("iq@type=set"), self._translate))
        self.add_event_handler("session_start", lambda _event: print("online", flush=True))
        # It would try again for ever, and its test would wait as long.
        self.add_event_handler("connection_failed", lambda _event: os._exit(1))
        self.add_event_handler("message", self._message)

    def _translate(self, iq: Any) -> None:
        query = iq.xml.find(f"{{{NAMESPACE}}}query")
        if query is None:
            iq.unhandled()
            return
        number = query.findtext(f"{{{NAMESPACE}}}prompt") or ""
        tell(event="asked", number=number)
        domain = self.boundjid.bare
        addresses = {
            "+15550000001": "15550000001@elsewhere.example",
            "+15550000002": "1" * 20_000 + "@" + domain,
            "+15550000003": "@@/",
            "+15550000005": domain,
        }
        if number == "+15550000004":
            return
        reply = iq.reply()
        if number == "+15550000006":
            reply.error()
            reply["error"]["condition"] = "item-not-found"
            reply["error"]["text"] = "no such number"
        else:
            answer = ET.Element(f"{{{NAMESPACE}}}query")
            address = ET.SubElement(answer, f"{{{NAMESPACE}}}jid")
            address.text = addresses.get(number, number.lstrip("+") + "@" + domain)
            reply.append(answer)
        reply.send()

    def _message(self, message: Any) -> None:
        text = message["body"]
        if not text or message["type"] not in ("chat", "normal"):
            return
        tell(event="message", number=message["to"].user, sender=message["from"].bare, text=text)
        sender, answer = message["to"].user, f"got {text}"
        if text.startswith("from "):
            _, sender, answer = text.split(" ", 2)
        self.send_message(
            mto=message["from"].bare, mfrom=f"{sender}@{self.boundjid.bare}", mbody=answer, mtype="chat")


if __name__ == "__main__":
    gateway = Gateway(int(sys.argv[1]), sys.argv[2], "plain" not in sys.argv[3:])
    gateway.connect()
    gateway.loop.run_forever()
