# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the list of Jabber accounts in the settings. `scenarios.py` runs them."""

from __future__ import annotations

from pathlib import Path

from jabber import Server
from messages import expect_account, set_account
from passcode import Keyring
from phone import APP_ID, Phone, eventually, expect
from registry import scenario
from session import Session

SCHEMA = f"{APP_ID}.JabberAccount:/io/github/touchtone/Touchtone/jabber/{{}}/"


@scenario
def account_has_two_names(session: Session, program: Path) -> None:
    """The keys for one account become the first account; then each follows the other, also if a script changes them."""
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        set_account(session, server, own)
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "Online")
            ids = _get(session, APP_ID, "jabber-accounts")
            expect(ids.count("'") == 2, f"the accounts are {ids}")
            account = SCHEMA.format(ids.split("'")[1])
            expect(_get(session, account, "jid") == f"'{own}'", "the account has another address")
            # A certificate other than the trusted one, and the trusted one again.
            _set(session, account, "pinned-certificate", "00" * 32)
            expect_account(phone, "Not Signed In", "its issuer is unknown")
            phone.set("jabber-pinned-certificate", server.fingerprint)
            expect_account(phone, "Online")
            eventually(
                lambda: _get(session, account, "pinned-certificate") == f"'{server.fingerprint}'",
                lambda: "the account does not follow its other name")
            phone.action("quit")
            expect(phone.wait_end() == 0, "quit ended the program with an error")
        # While no program runs, another account takes its place, and then loses its address by the other name.
        home = SCHEMA.format("home")
        for key in ("host", "port", "pinned-certificate"):
            _set(session, home, key, _get(session, account, key).strip("'").removeprefix("uint32 "))
        _set(session, home, "jid", own)
        _set(session, APP_ID, "jabber-accounts", "['home']")
        _reset(session, "jabber-jid")
        with Phone(session, program) as phone:
            phone.action("preferences-page", "'messages'")
            expect_account(phone, "No Account")
            _set(session, home, "jid", own)
            expect_account(phone, "Online")
            eventually(
                lambda: _get(session, APP_ID, "jabber-jid") == f"'{own}'",
                lambda: "the other name does not follow the account")
            phone.set("jabber-accounts", "[]")
            expect_account(phone, "No Account")


def _get(session: Session, schema: str, key: str) -> str:
    done = session.run("gsettings", "get", schema, key)
    expect(done.returncode == 0, f"gsettings get {key}: {done.stderr}")
    return done.stdout.strip()


def _set(session: Session, schema: str, key: str, value: str) -> None:
    done = session.run("gsettings", "set", schema, key, value)
    expect(done.returncode == 0, f"gsettings set {key}: {done.stderr}")


def _reset(session: Session, key: str) -> None:
    done = session.run("gsettings", "reset", APP_ID, key)
    expect(done.returncode == 0, f"gsettings reset {key}: {done.stderr}")
