# SPDX-License-Identifier: GPL-3.0-or-later
"""Gajim, which takes commands: JSON lists on standard input, each answered by a JSON value on standard output.

It runs the installed Gajim (1.7, or 2.0 and newer) with its window, and calls in it what its window calls: nothing is written
to the stream but by Gajim.

    gajim_agent.py ADDRESS PASSWORD PORT
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Any

# It does not run as root. A bare system of the tests has nobody else.
os.geteuid = lambda: 1000

import gajim  # noqa: E402
import gi  # noqa: E402

_IS_EARLY = gajim.__version__.startswith("1.")
if _IS_EARLY:
    # It asks for the versions later than the import of a part does.
    gi.require_versions({"Gdk": "3.0", "Gtk": "3.0"})
_program = importlib.import_module("gajim.gajim" if _IS_EARLY else "gajim.main")

from gajim.common import app  # noqa: E402
from gi.repository import GLib  # noqa: E402

ACCOUNT = "tests"
_read = b""
#: The names of the events that are counted, and of whom.
_seen: list[tuple[str, str]] = []


class Commands:
    """What the driver asks for, by the names of its commands."""

    def start(self, address: str, password: str, port: int) -> None:
        """Make the account and sign in."""
        from gajim.common import ged
        from nbxmpp.const import ConnectionProtocol, ConnectionType
        from nbxmpp.protocol import JID

        # Without a keyring, its own file has the password.
        app.settings.set("use_keyring", False)
        app.settings.set("check_for_update", False)
        host = f"127.0.0.1:{port}", ConnectionProtocol.TCP, ConnectionType.START_TLS
        known = JID.from_string(address)
        name = (known.localpart, known.domain) if _IS_EARLY else (known,)
        app.app.create_account(ACCOUNT, *name, password, None, host)
        app.app.enable_account(ACCOUNT)
        for name in ("muc-invitation", "notification"):
            app.ged.register_event_handler(
                name, ged.GUI2, lambda event: _seen.append(
                    (event.name, " ".join(map(str, vars(event).values())))))

    def sign_in(self) -> None:
        """Sign in with the account of an earlier run, unless it does that by itself."""
        app.get_client(ACCOUNT).change_status("online", "")

    def online(self) -> bool:
        """Return whether it is signed in, and has the list of contacts."""
        return app.account_is_available(ACCOUNT)

    def befriend(self, address: str) -> None:
        self._module("Presence").subscribe(self._address(address), auto_auth=True)

    def accept(self, address: str) -> None:
        self._module("Presence").subscribed(self._address(address))

    def open(self, address: str) -> None:
        """Show a conversation as if its window had the focus."""
        app.window.add_chat(ACCOUNT, self._address(address), "chat", select=True)
        app.window.present()

    def mark(self, address: str) -> None:
        app.window.mark_as_read(ACCOUNT, self._address(address))

    def encrypt(self, address: str) -> None:
        """Encrypt with OMEMO what is sent to an address from now on."""
        self._contact(address).settings.set("encryption", "OMEMO")

    def can_encrypt(self, address: str) -> bool:
        """Return whether there are keys for an address, and ask for them if not."""
        return bool(self._module("OMEMO").check_send_preconditions(self._contact(address)))

    def fingerprint(self) -> str:
        """Return the fingerprint of the own OMEMO key."""
        return str(self._module("OMEMO").backend.get_our_fingerprint())

    def send(self, address: str, text: str) -> None:
        self._send(address, text)

    def type(self, address: str) -> None:
        from nbxmpp.const import Chatstate

        self._module("Chatstate").set_chatstate(self._contact(address), Chatstate.COMPOSING)

    def reply(self, address: str, quoted: dict[str, Any], text: str) -> None:
        from gajim.common.structs import ReplyData
        from gajim.common.util.text import quote_text

        fallback = quote_text(quoted["text"])
        self._send(address, text, reply_data=ReplyData(
            pk=quoted["pk"], to=self._address(quoted["sender"]), id=quoted["id"], fallback_start=0,
            fallback_end=len(fallback), fallback_text=fallback))

    def react(self, address: str, name: str, emoji: str) -> None:
        self._module("Reactions").send_reaction(self._contact(address), name, {emoji})

    def correct(self, address: str, name: str, text: str) -> None:
        self._send(address, text, correct_id=name)

    def share(self, address: str, file: str) -> None:
        self._module("HTTPUpload").send_file(self._contact(address), Path(file))

    def join(self, room: str, nickname: str) -> None:
        self._module("MUC").join(self._address(room), nick=nickname)

    def joined(self, room: str) -> bool:
        return bool(self._contact(room).is_joined)

    def topic(self, room: str, text: str) -> None:
        from nbxmpp.structs import MucSubject

        self._module("MUC").set_subject(self._address(room), MucSubject(text, None, None))

    def moderate(self, room: str, stanza_id: str) -> None:
        namespace = self._contact(room).get_disco().moderation_namespace
        self._module("MUC").moderate_message(namespace, self._address(room), stanza_id, None)

    def current_topic(self, room: str) -> str:
        return str(self._contact(room).subject)

    def invite(self, room: str, address: str) -> None:
        self._module("MUC").invite(self._address(room), self._address(address))

    def presence(self, address: str) -> bool:
        return bool(self._contact(address).is_available)

    def chatstate(self, address: str) -> str:
        return str(self._contact(address).chatstate)

    def seen(self, name: str) -> list[str]:
        """Return what the events of a name said."""
        return [text for other, text in _seen if other == name]

    def quit(self) -> None:
        app.app.activate_action("quit", None)

    def _send(self, address: str, text: str, **options: Any) -> None:
        from gajim.common.structs import OutgoingMessage

        message = OutgoingMessage(account=ACCOUNT, contact=self._contact(address), text=text, **options)
        app.get_client(ACCOUNT).send_message(message)

    def call(self, address: str) -> None:
        """Call the one device of an address. Gajim 2.1 still has this code, but no key for it."""
        gi.require_version("Gst", "1.0")
        from gi.repository import Gst

        Gst.init(None)
        # With the decryption of GStreamer 1.26, Farstream drops all that comes unencrypted; Gajim encrypts nothing. The other
        # one takes tones for noise.
        registry = Gst.Registry.get()
        for name in ("srtp", "webrtcdsp"):
            if (plugin := registry.find_plugin(name)) is not None:
                registry.remove_plugin(plugin)
        [device] = self._contact(address).iter_resources()
        self._module("Jingle").start_audio(str(device.jid))

    def calls(self) -> int:
        """Return how many calls there are, in any state."""
        return len(self._module("Jingle")._sessions)

    def _contact(self, address: str) -> Any:
        return self._module("Contacts").get_contact(self._address(address), groupchat=self._is_room(address))

    def _is_room(self, address: str) -> bool:
        return self._module("MUC").get_muc_data(self._address(address)) is not None

    @staticmethod
    def _module(name: str) -> Any:
        return app.get_client(ACCOUNT).get_module(name)

    @staticmethod
    def _address(text: str) -> Any:
        from nbxmpp.protocol import JID

        return JID.from_string(text)


class EarlyCommands(Commands):
    """What Gajim 1.7 does in another way. Its OMEMO is a plugin of its own, the package gajim-omemo."""

    def start(self, address: str, password: str, port: int) -> None:
        app.plugin_manager.activate_plugin(self._plugin())
        super().start(address, password, port)

    def encrypt(self, address: str) -> None:
        super().encrypt(address)
        if self._is_room(address):
            self._module("OMEMO").get_affiliation_list(address)
        else:
            self._module("OMEMO").request_devicelist(address)

    def can_encrypt(self, address: str) -> bool:
        omemo = self._module("OMEMO")
        if not self._is_room(address):
            return bool(omemo.backend.get_devices(address, without_self=True)) and not omemo.are_keys_missing(address)
        members = list(omemo.backend.get_muc_members(address))
        return omemo.is_omemo_groupchat(address) and bool(members) and not any(map(omemo.are_keys_missing, members))

    def fingerprint(self) -> str:
        return str(self._module("OMEMO").backend.own_fingerprint).replace(" ", "")

    def join(self, room: str, nickname: str) -> None:
        self._module("MUC").join(room, nick=nickname)

    def _send(self, address: str, text: str, **options: Any) -> None:
        from gajim.common.structs import OutgoingMessage

        kind = "groupchat" if self._is_room(address) else "chat"
        message = OutgoingMessage(
            account=ACCOUNT, contact=self._contact(address), message=text, type_=kind, **options)
        app.get_client(ACCOUNT).send_message(message)

    def _is_room(self, address: str) -> bool:
        # Its rooms are known by texts.
        return self._module("MUC").get_muc_data(address) is not None

    @staticmethod
    def _plugin() -> Any:
        found = [one for one in app.plugin_manager.plugins if one.manifest.short_name == "omemo"]
        if not found:
            raise RuntimeError("the plugin for OMEMO is not there (package gajim-omemo)")
        return found[0]


def _take(_source: int, _condition: Any) -> bool:
    global _read
    data = os.read(0, 65536)
    if not data:
        os._exit(0)
    *lines, _read = (_read + data).split(b"\n")
    for line in lines:
        name, *values = json.loads(line)
        try:
            answer = getattr(_commands, name)(*values)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=_told, flush=True)
    return True


if __name__ == "__main__":
    # It prints much on standard output.
    _told = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.argv = ["gajim"]
    _commands = EarlyCommands() if _IS_EARLY else Commands()
    GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, _take)
    _program.main() if _IS_EARLY else _program.run()
