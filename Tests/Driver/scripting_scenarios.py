# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for scripts: calls over D-Bus, and the commands of the program. `scenarios.py` runs them."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import termios
from pathlib import Path

import passcode
import processes
from jabber import PASSWORD, Server
from notifications import Notifications
from passcode import Keyring
from phone import APP_ID, BUTTONS, OBJECT_PATH, Mismatch, Phone, eventually, expect
from processes import MissingPeer
from registry import scenario
from session import CHECKOUT, Session
from sip import PASSWORD as SIP_PASSWORD, FarEnd, Registrar, set_details
from usage import family

CALL = f"{APP_ID}.Call1"


def _script(name: str) -> str:
    """Return the script of the manual under a heading, which a person copies."""
    text = (CHECKOUT / "docs/scripting.md").read_text()
    found = re.search(rf"^## {re.escape(name)}\n.*?^```python\n(.*?)^```", text, re.S | re.M)
    if found is None:
        raise Mismatch(f"docs/scripting.md has no script under {name!r}")
    return found[1]


def _command(session: Session, program: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command of the program."""
    return session.run(program, *arguments, input=text)


def _expect_done(done: subprocess.CompletedProcess[str], status: int = 0, said: str = "") -> None:
    """Check the exit status of a command, and what it printed."""
    output = done.stdout + done.stderr
    expect(done.returncode == status, f"{done.args[1:]}: exit status {done.returncode}: {output}")
    expect(said.lower() in output.lower(), f"{done.args[1:]} says {output!r}, not {said!r}")
    # A library of the engine may complain first.
    is_said = any(line.startswith("touchtone: ") for line in done.stderr.splitlines())
    expect(status == 0 or is_said, f"{done.args[1:]}: standard error: {done.stderr!r}")


def _act(session: Session, call: str, method: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a method of a call, with arguments in GVariant text format."""
    return session.run(
        "gdbus", "call", "--session", "--dest", APP_ID, "--object-path", call, "--method", f"{CALL}.{method}",
        *arguments)


@scenario
def call_by_script(session: Session, program: Path) -> None:
    """The script of the manual makes a whole call over D-Bus, and hears each of its states."""
    script = session.folder / "call.py"
    script.write_text(_script("A call from beginning to end"))
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    with Phone(session, program) as phone:
        done = session.run("/usr/bin/python3", script, "5550123", env=environment)
        expect(done.returncode == 0, f"the script failed: {done.stdout}{done.stderr}")
        states = done.stdout.split()
        expected = ["dialling", "ringing", "connected", "held", "connected", "ended"]
        expect([state for state in states if state in expected] == expected, f"the script printed {done.stdout!r}")
        phone.expect_status("ENDED")
        expect("4711" not in done.stdout + phone.output(), "the digits that were sent are told")


@scenario
def answer_by_script(session: Session, program: Path) -> None:
    """A caller is answered over D-Bus; a locked phone names nobody, and does no more than on its lock screen."""
    passcode.set_passcode(session, "1234")
    with Notifications(session), Phone(session, program) as phone:
        phone.type("1234")
        eventually(lambda: phone.find("Dial", *BUTTONS) is not None, lambda: "the phone is not open")
        _expect_done(_command(session, program, "call", "--now", "555-0104"))
        phone.expect_status("RINGING")
        phone.action("hang-up")
        phone.expect_caller("555-0104")
        call = f"{OBJECT_PATH}/call/2"
        told = session.run(
            "gdbus", "call", "--session", "--dest", APP_ID, "--object-path", OBJECT_PATH, "--method",
            "org.freedesktop.DBus.ObjectManager.GetManagedObjects").stdout
        expect(call in told and "5550104" in told, f"the bus tells {told!r}")
        phone.action("lock")
        locked = lambda: session.run(  # noqa: E731
            "gdbus", "introspect", "--session", "--dest", APP_ID, "--object-path", call, "--only-properties").stdout
        eventually(lambda: "5550104" not in locked(), lambda: f"the locked phone tells {locked()}")
        refused = _act(session, call, "SendKeys", "1")
        expect("Error.Locked" in refused.stderr, f"a locked phone answers {refused.stderr!r}")
        _expect_done(_command(session, program, "call", "--now", "5550123"), 3, "locked")
        expect(_act(session, call, "Answer").returncode == 0, "the call is not answered")
        eventually(lambda: "'connected'" in locked(), lambda: f"the call is {locked()}")
        expect(_act(session, call, "Mute", "true").returncode == 0, "the call is not muted")
        expect(_act(session, call, "HangUp").returncode == 0, "the call is not hung up")
        eventually(lambda: _act(session, call, "HangUp").returncode != 0, lambda: "the call is still there")


@scenario
def call_command(session: Session, program: Path) -> None:
    """`touchtone call` starts the phone, fills the number in, and dials only if it is told to."""
    _expect_done(_command(session, program, "call", "555-0199"))
    started = family(os.getpid()).get("touchtone", [])
    expect(len(started) == 1, f"{len(started)} phones run")
    try:
        _expect_done(_command(session, program, "call", "nobody"), 3, "not a number")
        _expect_done(_command(session, program, "call"), 2, "one number")
        _expect_done(_command(session, program, "call", "--later", "5550123"), 2, "--later")
        _expect_done(_command(session, program, "call", "1" * 5000), 3, "not a number")
        done = _command(session, program, "call", "--now", "5550103")
        _expect_done(done, said=f"{OBJECT_PATH}/call/1")
        _expect_done(_command(session, program, "call", "--now", "5550103"), 3, "in a call")
        expect(_act(session, f"{OBJECT_PATH}/call/1", "HangUp").returncode == 0, "the call is not hung up")
    finally:
        session.run("gapplication", "action", APP_ID, "quit")
    # It is this process that adopts the phone when the command has ended.
    eventually(lambda: os.waitpid(started[0], os.WNOHANG)[0] == started[0], lambda: "the phone goes on")
    without = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    _expect_done(session.run(program, "call", "555", env=without), 1, "could not be started")


def _type_password(program: Path, address: str, keys: str) -> tuple[int, str]:
    """Add an account and type on a terminal; return the exit status and what the terminal shows."""
    terminal, end = pty.openpty()
    try:
        process = processes.spawn(
            [program, "account", "add", "--jabber", address], stdin=end, stdout=end, stderr=end)
        shown = ""
        while "Password: " not in shown:
            shown += os.read(terminal, 1000).decode()
        # The terminal hides what is typed from here on.
        eventually(lambda: not termios.tcgetattr(end)[3] & termios.ECHO, lambda: "the terminal shows the password")
        os.write(terminal, keys.encode())
        status = process.wait(processes.TIMEOUT)
        expect(bool(termios.tcgetattr(end)[3] & termios.ECHO), "the terminal stays without an echo")
        os.set_blocking(terminal, False)
        return status, shown + os.read(terminal, 10_000).decode()
    finally:
        os.close(terminal)
        os.close(end)


@scenario
def account_command(session: Session, program: Path) -> None:
    """`touchtone account` adds, lists, tests and removes accounts; passwords are in the keyring alone."""
    with Keyring(session), Server(session) as server:
        own = server.register("ada")
        _expect_done(_command(session, program, "account", "add", "--jabber", "no address", text="x\n"), 3, "address")
        _expect_done(_command(session, program, "account", "add", own, text="x\n"), 2, "--jabber")
        _expect_done(_command(session, program, "account", "add", "--jabber", own, PASSWORD), 2, "one address")
        _expect_done(_command(session, program, "account", "add", "--jabber", own), 3, "password")
        for given_up in ("pass\x03", "\x04", "\n", "pass\x7f\x7f\x7f\x7f\x7f\n"):
            status, shown = _type_password(program, own, given_up)
            expect(status == 3 and "pass\x7f" not in shown, f"{given_up!r}: status {status}, {shown!r}")
        status, shown = _type_password(program, own, "wronh\x7fg\n")
        expect(status == 0 and "wron" not in shown, f"status {status}, {shown!r}")
        stored = session.run("secret-tool", "lookup", "service", "xmpp", "account", own).stdout.strip()
        expect(stored == "wrong", f"the keyring has {stored!r}")
        _expect_done(_command(session, program, "account", "remove", own))
        _expect_done(_command(session, program, "account", "list"), said="")
        _expect_done(_command(session, program, "account", "add", "--jabber", own, text="wrong\n"))
        _expect_done(_command(session, program, "account", "add", "--jabber", own, text="x\n"), 3, "already")
        _expect_done(_command(session, program, "account", "list"), said=f"jabber\t{own}\ton")
        # The account has the server's address and certificate, as an administrator would set them.
        identity = session.run("gsettings", "get", APP_ID, "jabber-accounts").stdout.split("'")[1]
        schema = f"{APP_ID}.JabberAccount:/io/github/touchtone/Touchtone/jabber/{identity}/"
        for key, value in (("host", "localhost"), ("port", str(server.port))):
            session.run("gsettings", "set", schema, key, value)
        _expect_done(_command(session, program, "account", "test", own), 3, "certificate")
        session.run("gsettings", "set", schema, "pinned-certificate", server.fingerprint)
        _expect_done(_command(session, program, "account", "test", own), 3, "password")
        session.run(
            "secret-tool", "store", "--label=Touchtone", "xdg:schema", passcode.SCHEMA, "service", "xmpp", "account", own,
            input=PASSWORD)
        _expect_done(_command(session, program, "account", "test", own), said="works")
        _expect_done(_command(session, program, "account", "remove", own))
        _expect_done(_command(session, program, "account", "remove", own), 3, "no account")
        kept = session.run("secret-tool", "lookup", "service", "xmpp", "account", own)
        expect(not kept.stdout, "the password of a removed account is kept")
        with Phone(session, program) as phone:
            _expect_done(_command(session, program, "account", "add", "--sip", "ada@127.0.0.1:1", text="secret\n"))
            phone.action("preferences-page", "'lines'")
            _expect_done(_command(session, program, "account", "list", "--sip"), said="sip\tsip:ada@127.0.0.1:1\ton")
            stored = session.run(
                "secret-tool", "lookup", "service", "sip", "account", "sip:ada@127.0.0.1:1").stdout.strip()
            expect(stored == "secret", f"the keyring has {stored!r}")
            if (program.parent / "touchtone-sip").exists():
                _expect_done(_command(session, program, "account", "test", "ada@127.0.0.1:1"), 3, "server")
            # The phone follows the settings, and reports no address.
            report = _command(session, program, "--diagnose")
            _expect_done(report, said="SIP:")
            for secret in ("ada", "127.0.0.1", "secret"):
                expect(secret not in report.stdout, f"the report has {secret!r}: {report.stdout}")
            _expect_done(_command(session, program, "account", "remove", "sip:ada@127.0.0.1:1"))
            eventually(
                lambda: not re.search("^  SIP: ", _command(session, program, "--diagnose").stdout, re.M),
                lambda: "the account stays")
    _expect_done(_command(session, program, "--diagnose"), said="not running")


@scenario
def telephone_account_command(session: Session, program: Path) -> None:
    """A SIP account from the command line is registered by a running phone at once, and a test does not disturb it."""
    if not (program.parent / "touchtone-sip").exists():
        raise MissingPeer("touchtone-sip", "liblinphone-dev")
    session.start_sound()
    with Keyring(session), Registrar(session) as registrar, FarEnd(session, registrar, "1002") as far:
        address = registrar.address("1001")
        with Phone(session, program) as phone:
            _expect_done(_command(session, program, "account", "add", "--sip", address, text=f"{SIP_PASSWORD}\n"))
            account = session.run("gsettings", "get", APP_ID, "sip-accounts").stdout.split("'")[1]
            set_details(session, account, transport="tcp", srtp="off")
            eventually(
                lambda: "SIP: registered" in _command(session, program, "--diagnose").stdout,
                lambda: _command(session, program, "--diagnose").stdout)
            _expect_done(_command(session, program, "account", "test", address), said="works")
            far.command("dial", address)
            phone.expect_caller("100-2", "1001")
            phone.action("hang-up")
            session.run(
                "secret-tool", "store", "--label=Touchtone", "xdg:schema", passcode.SCHEMA, "service", "sip", "account",
                address, input="wrong")
            _expect_done(_command(session, program, "account", "test", address), 3, "password")
            _expect_done(_command(session, program, "account", "remove", address))
            phone.expect_status("READY")
