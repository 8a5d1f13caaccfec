# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for accounts that a web address offers. `scenarios.py` runs them."""

from __future__ import annotations

import http.server
import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jabber import PASSWORD, Server
from messages import expect_account, kept_password, preference, press
from passcode import Keyring
from phone import APP_ID, Phone, eventually, expect
from registry import scenario
from session import Session


class _Offer:
    """A web server with TLS on loopback that offers accounts, as a context manager."""

    def __init__(self, folder: Path, document: bytes) -> None:
        self.requests: list[dict[str, str]] = []
        offer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                offer.requests.append({name.lower(): value for name, value in self.headers.items()})
                self.send_response(200)
                self.send_header("Content-Length", str(len(document)))
                self.end_headers()
                self.wfile.write(document)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "good.crt", folder / "good.key")
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    @property
    def url(self) -> str:
        return f"https://localhost:{self._server.server_address[1]}/setup?token=1"

    def __enter__(self) -> _Offer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *arguments: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def offering(session: Session) -> Iterator[tuple[_Offer, Server, dict[str, str]]]:
    """Offer a Jabber account and a SIP account, with the environment in which their server is trusted."""
    with Keyring(session), Server(session) as server:
        document = {
            "touchtone": 1, "name": "Example Ltd",
            "accounts": [
                {
                    "type": "xmpp", "address": server.register("ada"), "password": PASSWORD, "server": "localhost",
                    "port": server.port,
                },
                {"type": "sip", "address": "ada@127.0.0.1:1", "password": "secret", "transport": "tcp"},
            ],
        }
        with _Offer(server.folder, json.dumps(document).encode()) as offer:
            yield offer, server, {"SSL_CERT_FILE": str(server.authority)}


def _press(phone: Phone, role: str, name: str) -> None:
    preference(phone, role, name).do_action("click")


@scenario
def accounts_from_address(session: Session, program: Path) -> None:
    """`touchtone account setup` shows an address; its accounts are fetched, shown and saved only when the user says so.

    The password is in the keyring at once, because the address may offer it only once: the user trusts the server’s certificate
    only after the next start.
    """
    own = "ada@localhost"
    with offering(session) as (offer, server, trust):
        with Phone(session, program, environment=trust) as phone:
            done = session.run(program, "account", "setup", "http://localhost/")
            expect(done.returncode == 3, f"an address without encryption: {done.returncode}, {done.stderr}")
            done = session.run(program, "account", "setup", offer.url)
            expect(done.returncode == 0, f"account setup: {done.returncode}, {done.stderr}")
            field = preference(phone, "text", "Web Address")
            eventually(lambda: field.text == offer.url, lambda: f"the address is {field.text!r}")
            expect(not offer.requests, "the address is asked before the user wants it")
            _press(phone, "push button", "Get Accounts")
            preference(phone, "check box", own)
            choice = preference(phone, "check box", "ada@127.0.0.1:1")
            expect("secret" not in choice.description, f"the account shows {choice.description!r}")
            expect(len(offer.requests) == 1, f"{len(offer.requests)} requests")
            names = set(offer.requests[0])
            expect(names <= {"host", "user-agent", "accept-encoding", "connection"}, f"the request has {names}")
            saved = [session.run("gsettings", "get", APP_ID, key).stdout for key in ("sip-accounts", "jabber-jid")]
            expect(saved == ["@as []\n", "''\n"], f"saved before the user says so: {saved}")
            choice.do_action("click")
            _press(phone, "push button", "Add 1 Account")
            eventually(
                lambda: session.run("gsettings", "get", APP_ID, "jabber-jid").stdout == f"'{own}'\n",
                lambda: "the account is not saved")
            expect(session.run("gsettings", "get", APP_ID, "sip-accounts").stdout == "@as []\n", "nobody has chosen it")
            told = [session.run("gsettings", "get", APP_ID, key).stdout for key in ("jabber-host", "jabber-port")]
            expect(told == ["'localhost'\n", f"uint32 {server.port}\n"], f"the account has the server {told}")
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "Not Signed In", "its issuer is unknown")
            eventually(lambda: kept_password(session, own) == PASSWORD, lambda: "the keyring lacks the password")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "Not Signed In", "its issuer is unknown")
            press(phone, "Trust This Certificate")
            expect_account(phone, "Online")
            expect(kept_password(session, own) == PASSWORD, "the keyring has lost the password")
