#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Jabber client that calls and is called as those do that stand on libwebrtc: with webrtcbin of GStreamer.

It takes commands, JSON lists on standard input, and prints events, JSON objects on standard output, with the time of Python's
`time.monotonic()`: `online`, `called` when it has begun a call, `taken` when it has answered one, `propose`, `ringing`,
`connected`, `heard` for the first sound, `tone` for a tone that it hears, `key` for a telephone event (RFC 4733), `ended` with
the reason, and `fault` for what Conversations would end a call for.

    webrtc_agent.py ADDRESS PASSWORD PORT [PITCH]

With a pitch, it hums, and decodes no tones.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import ssl
import sys
import time
import uuid
from typing import Any, Callable
from xml.sax.saxutils import quoteattr

import gi

gi.require_versions({"Gst": "1.0", "GstSdp": "1.0", "GstWebRTC": "1.0"})

from gi.repository import Gst, GstSdp, GstWebRTC  # noqa: E402
from slixmpp import ClientXMPP  # noqa: E402
from slixmpp.xmlstream import ET  # noqa: E402
from slixmpp.xmlstream.handler import Callback  # noqa: E402
from slixmpp.xmlstream.matcher import MatchXPath  # noqa: E402

JINGLE, RTP = "urn:xmpp:jingle:1", "urn:xmpp:jingle:apps:rtp:1"
ICE, DTLS = "urn:xmpp:jingle:transports:ice-udp:1", "urn:xmpp:jingle:apps:dtls:0"
MESSAGE, GROUPING = "urn:xmpp:jingle-message:0", "urn:xmpp:jingle:apps:grouping:0"
_FEATURES = (JINGLE, RTP, RTP + ":audio", ICE, DTLS, MESSAGE)
#: Its own payload types: Opus, and telephone events at the clock of Opus, which webrtcbin does not know.
_OPUS, _EVENTS, _CLOCK = 111, 112, 48_000
_KEYS = "0123456789*#ABCD"
#: Seconds of a tone and of the pause after it.
_ON, _OFF = 0.1, 0.4
#: The samples of what is no silence are greater than this.
_FAINT = 1_000


def tell(**event: object) -> None:
    print(json.dumps({"time": time.monotonic(), **event}), flush=True)


class Media:
    """The sound of one call. GStreamer calls back in threads of its own, and `later` passes that on."""

    def __init__(
        self, opus: int, events: int | None, pitch: int, later: Callable[..., None], on_candidate: Callable[[str], None]
    ) -> None:
        self._events, self._later = events, later
        source = f"audiotestsrc is-live=true samplesperbuffer=960 freq={pitch}" if pitch else "dtmfsrc name=mouth interval=20"
        self._sink = "fakesink" if pitch else "dtmfdetect ! fakesink"
        self._last = -1
        self._pipeline = Gst.parse_launch(
            f"{source} ! audio/x-raw,rate={_CLOCK},channels=1 ! audioconvert ! opusenc ! "
            f"rtpopuspay pt={opus} ! application/x-rtp,media=audio,encoding-name=OPUS,payload={opus},clock-rate={_CLOCK},"
            "encoding-params=(string)2 ! webrtcbin name=rtc bundle-policy=max-bundle")
        self._rtc = self._pipeline.get_by_name("rtc")
        if pitch:
            # What is measured is the other end.
            self._rtc.set_property("latency", 20)
        self._rtc.connect("on-ice-candidate", lambda _, line, text: later(on_candidate, text))
        self._rtc.connect("pad-added", self._hear)
        # Of an offer, it comes with the answer in GStreamer 1.22.
        self._rtc.get_by_name("rtpbin").connect("pad-added", self._watch_events)
        self._rtc.connect("notify::connection-state", self._change)
        bus = self._pipeline.get_bus()
        bus.enable_sync_message_emission()
        bus.connect("sync-message::element", self._decode)
        bus.connect("sync-message::error", lambda _, message: later(tell, event="fault", text=str(message.parse_error())))
        self._pipeline.set_state(Gst.State.PLAYING)

    def describe(self, kind: str, remote: str = "") -> str:
        """Make an offer, or an answer to that of the other end, and return it."""
        if remote:
            self.set_remote("offer", remote)
        # What is read from the reply ends with it.
        reply = self._ask(f"create-{kind}", None)
        made = reply.get_value(kind)
        text: str = made.sdp.as_text()
        self._ask("set-local-description", made)
        return text

    def set_remote(self, kind: str, text: str) -> None:
        """Take the description of the other end."""
        _, parsed = GstSdp.SDPMessage.new_from_text(text)
        kinds = {"offer": GstWebRTC.WebRTCSDPType.OFFER, "answer": GstWebRTC.WebRTCSDPType.ANSWER}
        self._ask("set-remote-description", GstWebRTC.WebRTCSessionDescription.new(kinds[kind], parsed))

    def add_candidate(self, text: str) -> None:
        self._rtc.emit("add-ice-candidate", 0, text)

    def sound(self, key: str, is_on: bool) -> None:
        """Begin or end the tone of a key."""
        text = f"dtmf-event,type=(int)1,number=(int){_KEYS.index(key)},volume=(int)10,method=(int)2,start=(boolean)"
        structure = Gst.Structure.new_from_string(text + str(is_on).lower())
        self._pipeline.get_by_name("mouth").send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, structure))

    def end(self) -> None:
        self._pipeline.set_state(Gst.State.NULL)

    def _ask(self, signal: str, value: Any) -> Any:
        promise = Gst.Promise.new()
        self._rtc.emit(signal, value, promise)
        promise.wait()
        return promise.get_reply()

    def _change(self, *_: Any) -> None:
        state = self._rtc.get_property("connection-state").value_nick
        if state in ("connected", "failed"):
            self._later(tell, event=state)

    def _hear(self, _rtc: Any, pad: Any) -> None:
        if pad.get_direction() != Gst.PadDirection.SRC:
            return
        ear = Gst.parse_bin_from_description(
            "rtpopusdepay ! opusdec ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=8000,channels=1 ! "
            f"identity name=first ! {self._sink} sync=false", True)
        ear.get_by_name("first").get_static_pad("src").add_probe(Gst.PadProbeType.BUFFER, self._listen)
        self._pipeline.add(ear)
        ear.sync_state_with_parent()
        pad.link(ear.get_static_pad("sink"))

    def _listen(self, _pad: Any, info: Any) -> Any:
        """Tell of the first sound."""
        buffer = info.get_buffer()
        samples = memoryview(buffer.extract_dup(0, buffer.get_size())).cast("h")
        if max(map(abs, samples), default=0) < _FAINT:
            return Gst.PadProbeReturn.OK
        self._later(tell, event="heard", time=time.monotonic())
        return Gst.PadProbeReturn.REMOVE

    def _decode(self, _bus: Any, message: Any) -> None:
        structure = message.get_structure()
        if structure.get_name() == "dtmf-event":
            self._later(tell, event="tone", key=_KEYS[structure.get_value("number")])

    def _watch_events(self, _bin: Any, pad: Any) -> None:
        """Take the telephone events out of what comes, for which the engine has no decoder."""
        if pad.get_name() == "recv_rtp_sink_0":
            pad.add_probe(Gst.PadProbeType.BUFFER, self._take_event)

    def _take_event(self, _pad: Any, info: Any) -> Any:
        buffer = info.get_buffer()
        packet = buffer.extract_dup(0, min(buffer.get_size(), 32))
        if len(packet) < 16 or packet[1] & 0x7F != self._events:
            return Gst.PadProbeReturn.OK
        began = int.from_bytes(packet[4:8], "big")
        if began != self._last:
            self._last = began
            key = packet[12 + 4 * (packet[0] & 15)]
            self._later(tell, event="key", time=time.monotonic(), key=_KEYS[key] if key < len(_KEYS) else str(key))
        return Gst.PadProbeReturn.DROP


class Agent:
    """The client: one call at a time."""

    def __init__(self, address: str, password: str, port: int, pitch: int) -> None:
        self._pitch = pitch
        self._client = client = ClientXMPP(f"{address}/webrtc", password)
        for plugin in ("xep_0030", "xep_0115", "xep_0199"):
            client.register_plugin(plugin)
        for feature in _FEATURES:
            client["xep_0030"].add_feature(feature)
        # The server's certificate is issued by the tests' own authority.
        client.ssl_context.check_hostname = False
        client.ssl_context.verify_mode = ssl.CERT_NONE
        client.add_event_handler("session_start", self._begin)
        client.register_handler(Callback("jingle", MatchXPath("{jabber:client}iq/{%s}jingle" % JINGLE), self._take))
        client.register_handler(Callback("message", MatchXPath("{jabber:client}message"), self._take_message))
        self._port = port
        self._read = b""
        self._media: Media | None = None
        #: The session, the other end's device, and the name of the content, which is the `mid` of SDP.
        self._sid = self._device = self._name = ""
        #: What its own description says, and the candidates of the other end that came before a description.
        self._own: dict[str, str] = {}
        self._waiting: list[str] | None = []

    def run(self) -> None:
        # slixmpp takes the host and the port by themselves from 1.9 on.
        takes_pair = "address" in inspect.signature(self._client.connect).parameters
        self._client.connect(*((("127.0.0.1", self._port),) if takes_pair else ("127.0.0.1", self._port)))
        self._client.loop.run_forever()

    async def _begin(self, _event: object) -> None:
        await self._client["xep_0115"].update_caps()
        self._client.send_presence()
        await self._client.get_roster()
        self._client.loop.add_reader(0, self._lines)
        tell(event="online")

    def _lines(self) -> None:
        data = os.read(0, 65536)
        if not data:
            os._exit(0)
        *lines, self._read = (self._read + data).split(b"\n")
        for line in lines:
            verb, *values = json.loads(line)
            getattr(self, f"do_{verb}")(*values)

    # The commands

    def do_call(self, friend: str) -> None:
        self._reset(str(uuid.uuid4()))
        self._say(friend, f"<propose xmlns='{MESSAGE}' id='{self._sid}'><description xmlns='{RTP}' media='audio'/></propose>")
        tell(event="called")

    def do_answer(self) -> None:
        self._say(self._client.boundjid.bare, f"<accept xmlns='{MESSAGE}' id='{self._sid}'/>")
        self._say(self._device, f"<proceed xmlns='{MESSAGE}' id='{self._sid}'/>")
        tell(event="taken")

    def do_hang_up(self) -> None:
        self._request("session-terminate", "<reason><success/></reason>")
        self._over("success")

    def do_speak(self, keys: str) -> None:
        self._client.loop.create_task(self._speak(keys))

    async def _speak(self, keys: str) -> None:
        for key in keys:
            for is_on, seconds in ((True, _ON), (False, _OFF)):
                if self._media is not None:
                    self._media.sound(key, is_on)
                await asyncio.sleep(seconds)
        tell(event="spoken")

    # The other end

    def _take_message(self, stanza: Any) -> None:
        for element in stanza.xml:
            kind = element.tag.removeprefix("{%s}" % MESSAGE)
            if kind == element.tag or stanza["from"].bare == self._client.boundjid.bare:
                continue
            if kind == "propose":
                self._reset(element.get("id"))
                self._device = str(stanza["from"])
                self._say(self._device, f"<ringing xmlns='{MESSAGE}' id='{self._sid}'/>")
            elif element.get("id") != self._sid:
                continue
            elif kind == "proceed":
                self._device = str(stanza["from"])
                self._start(_OPUS, _EVENTS)
                assert self._media is not None
                offer = self._media.describe("offer")
                self._send("session-initiate", offer, _OPUS, _EVENTS, f"initiator='{self._client.boundjid}'")
            tell(event=kind)

    def _take(self, stanza: Any) -> None:
        if stanza["type"] != "set":
            return
        jingle = stanza.xml.find("{%s}jingle" % JINGLE)
        if jingle.get("sid") != self._sid or str(stanza["from"]) != self._device:
            self._client.send_raw(
                f"<iq type='error' to={quoteattr(str(stanza['from']))} id={quoteattr(stanza['id'])}><error type='cancel'>"
                "<item-not-found xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>")
            return
        self._client.send_raw(f"<iq type='result' to={quoteattr(str(stanza['from']))} id={quoteattr(stanza['id'])}/>")
        action = jingle.get("action")
        if action == "session-terminate":
            reasons = [child.tag.rpartition("}")[2] for child in jingle.find("{%s}reason" % JINGLE)]
            self._over(reasons[0])
        elif action == "session-initiate":
            payloads = self._payloads(jingle, is_offer=True)
            opus = payloads.get(("opus", _CLOCK))
            if opus is None:
                return tell(event="fault", text="no Opus is offered")
            events = payloads.get(("telephone-event", _CLOCK))
            self._start(opus, events)
            assert self._media is not None
            answer = self._media.describe("answer", self._session(jingle, opus))
            self._send("session-accept", answer, opus, events, f"responder='{self._client.boundjid}'")
            self._add_waiting(jingle)
        elif action == "session-accept":
            opus = self._payloads(jingle, is_offer=False).get(("opus", _CLOCK))
            if opus is None or self._media is None:
                return tell(event="fault", text="no Opus is taken")
            self._media.set_remote("answer", self._session(jingle, opus))
            self._add_waiting(jingle)
        elif action == "transport-info":
            self._add(jingle)
        elif action == "session-info":
            tell(event="info", text=[child.tag.rpartition("}")[2] for child in jingle])

    def _payloads(self, jingle: Any, *, is_offer: bool) -> dict[tuple[str, int], int]:
        """Return the payload types by name and clock, and tell what Conversations would end the call for."""
        contents = jingle.findall("{%s}content" % JINGLE)
        content = contents[0]
        description, fingerprint = content.find("{%s}description" % RTP), content.find(".//{%s}fingerprint" % DTLS)
        setups = ("actpass",) if is_offer else ("active", "passive")
        for text, is_wrong in {
            "not one content": len(contents) != 1,
            "another creator": content.get("creator") != "initiator",
            "another name": not is_offer and content.get("name") != self._name,
            "a name that is no mid": not re.fullmatch(r"[\w-]{1,16}", content.get("name")),
            "another media": description is None or description.get("media") != "audio",
            "no rtcp-mux": description is None or description.find("{%s}rtcp-mux" % RTP) is None,
            "no fingerprint": fingerprint is None,
            "another setup": fingerprint is not None and fingerprint.get("setup") not in setups,
            "no hash": fingerprint is not None and fingerprint.get("hash") != "sha-256",
        }.items():
            if is_wrong:
                tell(event="fault", text=text)
        return {
            ((one.get("name") or "").lower(), int(one.get("clockrate") or 8000)): int(one.get("id"))
            for one in description.findall("{%s}payload-type" % RTP)}

    def _session(self, jingle: Any, opus: int) -> str:
        """Return what the engine needs of a description of the other end, as SDP."""
        transport = jingle.find(".//{%s}transport" % ICE)
        fingerprint = transport.find("{%s}fingerprint" % DTLS)
        name = jingle.find("{%s}content" % JINGLE).get("name")
        return "\r\n".join((
            "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", f"a=group:BUNDLE {name}",
            f"m=audio 9 UDP/TLS/RTP/SAVPF {opus}", "c=IN IP4 0.0.0.0", f"a=mid:{name}", "a=rtcp-mux", "a=sendrecv",
            f"a=rtpmap:{opus} OPUS/{_CLOCK}/2", f"a=ice-ufrag:{transport.get('ufrag')}", f"a=ice-pwd:{transport.get('pwd')}",
            f"a=fingerprint:{fingerprint.get('hash')} {fingerprint.text.strip()}", f"a=setup:{fingerprint.get('setup')}", ""))

    def _add_waiting(self, jingle: Any) -> None:
        """Give the engine the candidates of a description, and those that came before it."""
        waiting, self._waiting = self._waiting or [], None
        for text in waiting:
            if self._media is not None:
                self._media.add_candidate(text)
        self._add(jingle)

    def _add(self, jingle: Any) -> None:
        for one in jingle.iter("{%s}candidate" % ICE):
            text = "candidate:{foundation} {component} UDP {priority} {ip} {port} typ {type}".format(**one.attrib)
            if self._waiting is not None:
                self._waiting.append(text)
            elif self._media is not None:
                self._media.add_candidate(text)

    # This end

    def _reset(self, sid: str) -> None:
        self._over("")
        self._sid, self._device, self._name = sid, "", ""
        self._own, self._waiting = {}, []

    def _start(self, opus: int, events: int | None) -> None:
        later = self._client.loop.call_soon_threadsafe
        self._media = Media(
            opus, events, self._pitch, lambda work, *values, **named: later(lambda: work(*values, **named)), self._send_candidate)

    def _over(self, reason: str) -> None:
        if self._media is not None:
            self._media.end()
            self._media = None
        if reason:
            tell(event="ended", reason=reason)

    def _send(self, action: str, text: str, opus: int, events: int | None, role: str) -> None:
        """Send one of its descriptions, without candidates."""
        self._own = dict(re.findall(r"^a=(ice-ufrag|ice-pwd|fingerprint|mid):(.*?)\r?$", text, re.MULTILINE))
        self._name = self._own["mid"]
        kind, value = self._own["fingerprint"].split()
        setup = "actpass" if action == "session-initiate" else "active"
        extra = f"<payload-type id='{events}' name='telephone-event' clockrate='{_CLOCK}'/>" if events else ""
        fingerprint = f"<fingerprint xmlns='{DTLS}' hash='{kind}' setup='{setup}'>{value}</fingerprint>"
        self._request(
            action,
            f"<content creator='initiator' name='{self._name}' senders='both'><description xmlns='{RTP}' media='audio'>"
            f"<payload-type id='{opus}' name='opus' clockrate='{_CLOCK}' channels='2'/>{extra}<rtcp-mux/></description>"
            f"{self._transport(fingerprint)}</content>"
            f"<group xmlns='{GROUPING}' semantics='BUNDLE'><content name='{self._name}'/></group>", role)

    def _send_candidate(self, text: str) -> None:
        """Send a candidate as soon as there is one; those for TCP are of no use."""
        part = text.removeprefix("a=").removeprefix("candidate:").split()
        if len(part) < 8 or part[2].lower() != "udp":
            return
        self._request(
            "transport-info",
            f"<content creator='initiator' name='{self._name}'>" + self._transport(
                f"<candidate id='{uuid.uuid4()}' foundation='{part[0]}' component='{part[1]}' generation='0' network='0' "
                f"protocol='udp' priority='{part[3]}' ip='{part[4]}' port='{part[5]}' type='{part[7]}'/>") + "</content>")

    def _transport(self, inner: str) -> str:
        return (
            f"<transport xmlns='{ICE}' ufrag={quoteattr(self._own['ice-ufrag'])} pwd={quoteattr(self._own['ice-pwd'])}>"
            f"{inner}</transport>")

    def _request(self, action: str, inner: str, role: str = "") -> None:
        # Nothing depends on the answer.
        self._client.send_raw(
            f"<iq type='set' id='{uuid.uuid4()}' to={quoteattr(self._device)}>"
            f"<jingle xmlns='{JINGLE}' action='{action}' sid='{self._sid}' {role}>{inner}</jingle></iq>")

    def _say(self, to: str, element: str) -> None:
        message = self._client.make_message(mto=to, mtype="chat")
        message.append(ET.fromstring(element))
        message.append(ET.fromstring("<store xmlns='urn:xmpp:hints'/>"))
        message.send()


if __name__ == "__main__":
    Gst.init(None)
    Agent(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0).run()
