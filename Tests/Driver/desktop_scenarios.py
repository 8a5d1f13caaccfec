# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenarios for the phone without its window, and for its place on the desktop. `scenarios.py` runs them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gi.repository import GLib

import accessibility
import passcode
import pointer
import processes
from accessibility import State, wait_until
from call_scenarios import dial
from desktop_services import BackgroundPortal, LoginManager, Player, SessionManager, StatusArea
from messages import open_buddy, preference, write
from notifications import Notifications
from phone import APP_ID, Mismatch, Phone, eventually, expect
from registry import scenario
from session import Session


def _close(phone: Phone) -> None:
    pointer.key("alt+F4")


def _is_hidden(phone: Phone) -> bool:
    return not phone.windows()


def _setting(session: Session, key: str) -> str:
    return session.run("gsettings", "get", APP_ID, key).stdout.strip()


def _expect_setting(session: Session, key: str, value: str) -> None:
    eventually(
        lambda: _setting(session, key) == value, lambda: f"{key} is {_setting(session, key)}, not {value}")


def _be_called(phone: Phone) -> None:
    """Make the exchange call back in three seconds."""
    dial(phone, "5550104")
    phone.expect_status("RINGING")
    phone.action("hang-up")


@scenario
def window_closed(session: Session, program: Path) -> None:
    """A closed phone ends, or, if the user has chosen so, is still called and comes back."""
    with Phone(session, program) as phone:
        _close(phone)
        expect(phone.wait_end() == 0, "closing the window ended the program with an error")
    with Notifications(session) as desktop, Phone(session, program) as phone:
        phone.set("run-in-background", "true")
        phone.action("preferences")
        expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
        pointer.key("Escape")
        phone.expect_closed("Preferences")
        _be_called(phone)
        _close(phone)
        expect(wait_until(lambda: _is_hidden(phone)), "the window stays")
        note = desktop.wait(lambda shown: len(shown) == 1, "nothing tells of the call to a closed phone")
        expect(note["category"] == "call.incoming", f"the notification is {note}")
        desktop.click(note["number"])
        expect(wait_until(lambda: not _is_hidden(phone)), "the notification does not bring the window back")
        phone.expect_caller("555-0104")
        phone.action("answer")
        phone.expect_in_call()
        desktop.wait(lambda shown: not shown, "the notification stays after the answer")
        first = phone.window.extents
        pointer.place("Touchtone", 400, 150)
        expect(wait_until(lambda: phone.window.extents[:2] != first[:2]), "the window does not move")
        place = phone.window.extents
        _close(phone)
        expect(wait_until(lambda: _is_hidden(phone)), "the window stays")
        second = session.run(program)
        expect(second.returncode == 0, f"a second start: exit status {second.returncode}")
        expect(wait_until(lambda: not _is_hidden(phone)), "a second start does not bring the window back")
        expect(wait_until(lambda: phone.window.extents == place), "the window comes back in another place")
        phone.expect_status("ENDED")  # the conversation, with the window
        open_buddy(phone, "Operator")
        write(phone, "Are you there?")
        _close(phone)
        note = desktop.wait(lambda shown: len(shown) == 1, "nothing tells of the answer to a closed phone")
        expect(note["title"] == "Operator", f"the notification is {note}")
        expect(_is_hidden(phone), "the message has brought the window back")
        expect(session.run(program).returncode == 0, "a start with a window fails")
        expect(wait_until(lambda: not _is_hidden(phone)), "another start does not bring the window back")
        _be_called(phone)
        _close(phone)
        note = desktop.wait(
            lambda shown: any(one["category"] == "call.incoming" for one in shown), "nothing tells of the call")
        expect(_is_hidden(phone), "the call has brought the window back")
        desktop.act(note["number"], "answer")
        expect(wait_until(lambda: not _is_hidden(phone)), "a conversation goes on unseen")
        phone.expect_in_call()
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended a closed phone with an error")
    with Phone(session, program) as phone:
        _close(phone)
        expect(wait_until(lambda: _is_hidden(phone)), "the window stays")
        phone.set("run-in-background", "false")
        expect(phone.wait_end() == 0, "a phone that nothing brings back runs on")


@scenario
def start_in_background(session: Session, program: Path) -> None:
    """The phone starts without a window, signs in, and shows its window when it is started again."""
    with StatusArea() as area:
        hidden = processes.spawn([program, "--background"], stdin=subprocess.DEVNULL)
        area.wait_item()

        def has_window() -> bool:
            found = accessibility.application(hidden.pid)
            return found is not None and any(window.has(State.SHOWING) for window in found.children)

        again = session.run(program, "--background")
        expect(again.returncode == 0 and not again.stderr, f"a second start says {again.stderr!r}")
        expect(not has_window(), "a window is shown")
        expect(session.run(program).returncode == 0, "a start with a window fails")
        expect(wait_until(has_window), "a start with a window shows none")
        area.choose("Quit")
        expect(hidden.wait(processes.TIMEOUT) == 0, "the program ended with an error")


@scenario
def start_at_login(session: Session, program: Path) -> None:
    """The setting writes an autostart entry, follows one that others change, and keeps the user's own."""
    file = session.config_home / f"autostart/{APP_ID}.desktop"
    file.parent.write_text("in the way")
    with Phone(session, program) as phone:
        phone.action("preferences")
        expect(wait_until(lambda: phone.other("Preferences") is not None), "Preferences do not open")
        phone.set("autostart", "true")
        _expect_setting(session, "autostart", "false")

        def is_explained() -> bool:
            window = phone.other("Preferences")
            return window is not None and any(
                "could not be changed" in widget.description for widget in window.descendants())

        eventually(is_explained, lambda: "nobody says why the phone does not start at login")
        file.parent.unlink()
        phone.set("autostart", "true")
        # A new file is empty for a moment.
        start = f'Exec="{program.resolve()}" --background\n'
        eventually(
            lambda: file.exists() and start in file.read_text(),
            lambda: f"the entry is {file.read_text() if file.exists() else 'missing'}")
        checked = session.run("desktop-file-validate", file)
        expect(checked.returncode == 0, f"the entry is invalid: {checked.stdout}{checked.stderr}")
        _expect_setting(session, "autostart-entry", "true")
        file.unlink()
        _expect_setting(session, "autostart", "false")
        own = "[Desktop Entry]\nType=Application\nName=My phone\nExec=touchtone --background\n"
        file.write_text(own)
        _expect_setting(session, "autostart", "true")
        phone.set("autostart", "false")
        eventually(lambda: "Hidden=true" in file.read_text(), lambda: f"the entry is {file.read_text()}")
        expect(set(own.split("\n")) <= set(file.read_text().split("\n")), "the user's own lines are lost")
        # The keyfile of the settings has one writer at a time: a change before the phone's own would be lost.
        _expect_setting(session, "autostart-entry", "false")
        phone.set("autostart", "true")
        eventually(lambda: file.read_text() == own, lambda: f"the entry is {file.read_text()}")
        _expect_setting(session, "autostart-entry", "true")
        file.unlink()
        _expect_setting(session, "autostart", "false")
        phone.set("autostart", "true")
        eventually(file.exists, lambda: "there is no second entry")
        _expect_setting(session, "autostart-entry", "true")
        phone.set("autostart", "false")
        eventually(lambda: not file.exists(), lambda: "the phone's own entry stays")


@scenario
def start_in_sandbox(session: Session, program: Path) -> None:
    """In a sandbox, the portal decides on the start at login and on running in the background."""
    (session.folder / "run/flatpak-info").touch()
    with Phone(session, program) as phone, BackgroundPortal() as portal:
        phone.set("autostart", "true")
        _expect_setting(session, "autostart-entry", "true")
        asked = portal.requests[-1]
        expect(
            asked["autostart"] is True and asked["commandline"] == ["touchtone", "--background"] and asked["reason"],
            f"the portal was asked for {asked}")
        portal.grant = {"background": True, "autostart": False}
        phone.set("autostart", "false")
        _expect_setting(session, "autostart-entry", "false")
        portal.grant = None
        phone.set("autostart", "true")
        _expect_setting(session, "autostart", "false")
        phone.set("run-in-background", "true")
        _expect_setting(session, "run-in-background", "false")
        _change_mind(phone, portal)
        _expect_setting(session, "autostart", "false")
        portal.bus.close_sync(None)
        phone.set("autostart", "true")
        _expect_setting(session, "autostart", "false")
        expect(not (session.config_home / "autostart").exists(), "there is an autostart entry")


def _change_mind(phone: Phone, portal: BackgroundPortal) -> None:
    """Turn the start at login on and off in Preferences while the portal asks: the last choice counts."""
    portal.grant, portal.is_asking = {"background": True, "autostart": True}, True
    phone.action("preferences")
    switch = preference(phone, "toggle button", "Start at Login")
    asked = len(portal.requests)
    switch.do_action("toggle")
    eventually(lambda: len(portal.requests) == asked + 1, lambda: "the portal is not asked")
    switch.do_action("toggle")
    expect(wait_until(lambda: not switch.has(State.CHECKED)), "the switch stays on")
    portal.answer()
    portal.grant = {"background": True, "autostart": False}
    eventually(lambda: len(portal.requests) == asked + 2, lambda: "the portal is not asked to end the start at login")
    expect(portal.requests[-1]["autostart"] is False, f"the portal was asked for {portal.requests[-1]}")
    expect(not switch.has(State.CHECKED), "the switch is on again")
    pointer.key("Escape")
    phone.expect_closed("Preferences")


def _send_nonsense(area: StatusArea) -> None:
    """Call the icon's menu with items that it does not have, as any program may."""
    nothing = GLib.Variant("s", "")
    for method, values in (
        ("GetLayout", GLib.Variant("(iias)", (99, -1, []))),
        ("GetLayout", GLib.Variant("(iias)", (-2147483648, 2147483647, ["label"] * 1000))),
        ("GetProperty", GLib.Variant("(is)", (1, "nonsense"))),
        ("Event", GLib.Variant("(isvu)", (-1, "clicked", nothing, 0))),
        ("Event", GLib.Variant("(isv)", (1, "clicked", nothing))),
    ):
        try:
            answer = area.call(area.items[-1][0], area.get("Menu"), "com.canonical.dbusmenu", method, values)
        except GLib.Error:
            continue
        raise Mismatch(f"{method}{values.unpack()} is answered with {answer}")


@scenario
def status_icon(session: Session, program: Path) -> None:
    """The icon in the status area shows what waits, and comes and goes with the area and the setting."""
    with Phone(session, program) as phone:
        with StatusArea() as area:
            area.wait_item()
            expect(area.get("Status") == "Active" and area.get("IconName") == APP_ID, "the icon is not the phone's")
            expect(list(area.menu()) == ["Show Touchtone", "Do Not Disturb", "Quit"], f"its menu is {area.menu()}")
            _send_nonsense(area)
            area.choose("Do Not Disturb")
            _expect_setting(session, "do-not-disturb", "true")
            eventually(lambda: area.menu()["Do Not Disturb"][1] == 1, lambda: f"the menu is {area.menu()}")
            expect(area.get("ToolTip")[3] == "Do Not Disturb", f"the tooltip is {area.get('ToolTip')}")
            phone.set("do-not-disturb", "false")
            open_buddy(phone, "Operator")
            write(phone, "Are you there?")
            pointer.key("F9")  # the answer arrives out of view
            eventually(lambda: area.get("Status") == "NeedsAttention", lambda: "a message asks for no attention")
            expect(area.get("ToolTip")[3] == "1 unread message", f"the tooltip is {area.get('ToolTip')}")
            attention = area.get("AttentionIconName")
            expect(attention and area.get("IconName") == attention, "an area without attention shows nothing of it")
            phone.set("do-not-disturb", "true")
            eventually(lambda: area.get("Status") == "Active", lambda: "the icon asks for attention though it is quiet")
            expect(area.get("IconName") == APP_ID, "the icon is not the phone's again")
            phone.set("status-icon", "false")
            eventually(lambda: not area.has_item(), lambda: "the icon stays")
            phone.set("status-icon", "true")
            eventually(lambda: len(area.items) == 2, lambda: "the icon does not come back")
        with StatusArea() as area:
            area.wait_item()
            phone.set("run-in-background", "true")
            _close(phone)
            expect(wait_until(lambda: _is_hidden(phone)), "the window stays")
            area.activate()
            expect(wait_until(lambda: not _is_hidden(phone)), "a click on the icon does not bring the window back")
            area.choose("Quit")
            expect(phone.wait_end() == 0, "the icon's menu ended the program with an error")


@scenario
def status_icon_locked(session: Session, program: Path) -> None:
    """While the phone is locked, its icon shows no numbers, and its menu only shows the window and quits."""
    passcode.set_passcode(session, "1234")
    with Phone(session, program) as phone, StatusArea() as area:
        area.wait_item()
        expect(area.get("ToolTip")[3] == "Locked", f"the tooltip is {area.get('ToolTip')}")
        area.choose("Do Not Disturb")
        phone.type("1234")
        eventually(lambda: area.get("ToolTip")[3] == "", lambda: f"the tooltip is {area.get('ToolTip')}")
        expect(_setting(session, "do-not-disturb") == "false", "a locked phone is made quiet")
        area.choose("Quit")
        expect(phone.wait_end() == 0, "the icon's menu ended the program with an error")


@scenario
def desktop_during_call(session: Session, program: Path) -> None:
    """During a call, the machine stays awake and media players pause; only those that it has paused continue."""
    with (
        Phone(session, program) as phone, SessionManager() as manager, Player("music", "Playing") as music,
        Player("video", "Paused") as video, Player("stopped", "Playing") as stopped, Player("hung", None),
    ):
        dial(phone, "0")
        phone.expect_in_call()
        eventually(lambda: bool(manager.requests), lambda: "the machine may go to sleep in a call")
        request = list(manager.requests.values())[0]
        expect(request == (APP_ID, 0, "A call is in progress", 4), f"the session manager was asked for {request}")
        eventually(lambda: music.commands == stopped.commands == ["Pause"], lambda: f"the player has {music.commands}")
        stopped.status = "Stopped"
        phone.action("hang-up")
        phone.expect_status("ENDED")
        eventually(lambda: music.commands == ["Pause", "Play"], lambda: f"the player has {music.commands}")
        eventually(lambda: not manager.requests, lambda: "the machine may not go to sleep after the call")
        expect(video.commands == [] and stopped.commands == ["Pause"], "a player was started that did not play")
        phone.set("pause-media", "false")
        dial(phone, "0")
        phone.expect_in_call()
        eventually(lambda: bool(manager.requests), lambda: "the machine may go to sleep in a second call")
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended the program with an error")
        expect(music.commands == ["Pause", "Play"], f"the player has {music.commands}")
        eventually(lambda: not manager.requests, lambda: "a request outlives the program")


@scenario
def awake_by_portal(session: Session, program: Path) -> None:
    """Without a session manager, and if the login manager refuses, the portal keeps the machine awake during a call."""
    with (
        BackgroundPortal() as portal, LoginManager("refuses") as manager,
        Phone(session, program, environment=manager.environment) as phone,
    ):
        dial(phone, "0")
        eventually(lambda: portal.is_inhibited, lambda: "the portal was not asked")
        phone.action("hang-up")
        eventually(lambda: not portal.is_inhibited, lambda: "the portal was not told of the end")


@scenario
def awake_by_login_manager(session: Session, program: Path) -> None:
    """Without a session manager, a lock of the login manager keeps the machine awake during a call.

    The portal is not asked: it accepts requests that its backend refuses.
    """
    with (
        BackgroundPortal() as portal, LoginManager() as manager,
        Phone(session, program, environment=manager.environment) as phone,
    ):
        for _ in range(2):
            dial(phone, "0")
            phone.expect_in_call()
            eventually(manager.is_locked, lambda: "the machine may go to sleep in a call")
            expect(not portal.is_inhibited, "the portal was asked too")
            phone.action("hang-up")
            phone.expect_status("ENDED")
            eventually(lambda: not manager.is_locked(), lambda: "the machine may not go to sleep after the call")
        request = ("sleep", "Touchtone", "A call is in progress", "block")
        expect(manager.requests == [request] * 2, f"the login manager was asked for {manager.requests}")
        dial(phone, "0")
        eventually(manager.is_locked, lambda: "the machine may go to sleep in the last call")
        phone.action("quit")
        expect(phone.wait_end() == 0, "quit ended the program with an error")
        eventually(lambda: not manager.is_locked(), lambda: "the lock outlives the program")


@scenario
def awake_refused(session: Session, program: Path) -> None:
    """Calls go on if the login manager refuses the lock, or answers without a descriptor."""
    for answer in ("refuses", "forgets"):
        with LoginManager(answer) as manager, Phone(session, program, environment=manager.environment) as phone:
            for count in (1, 2):
                dial(phone, "0")
                eventually(lambda: len(manager.requests) == count, lambda: f"the requests are {manager.requests}")
                phone.expect_in_call()
                phone.action("hang-up")
                phone.expect_status("ENDED")


@scenario
def do_not_disturb(session: Session, program: Path) -> None:
    """A quiet phone shows calls only in its window, says that it is quiet, and can be made loud there."""
    with Notifications(session) as desktop, Phone(session, program) as phone:
        expect(phone.find("Do Not Disturb", "push button") is None, "the phone says that it is quiet")
        phone.action("do-not-disturb")
        expect(
            wait_until(lambda: phone.find("Do Not Disturb", "push button") is not None),
            "nothing says that the phone is quiet")
        _be_called(phone)
        phone.expect_caller("555-0104")
        desktop.expect_nothing_new(within=0.1)
        phone.click("Do Not Disturb")
        _expect_setting(session, "do-not-disturb", "false")
        note = desktop.wait(lambda shown: len(shown) == 1, "the call that still rings has no notification")
        expect(note["category"] == "call.incoming", f"the notification is {note}")
        phone.set("do-not-disturb", "true")
        desktop.wait(lambda shown: not shown, "the notification stays")
        session.run("gsettings", "set", APP_ID, "do-not-disturb", "false")
        desktop.wait(lambda shown: len(shown) == 1, "the notification does not come back")
        session.run("gsettings", "set", "org.gnome.desktop.notifications", "show-banners", "false")
        desktop.wait(lambda shown: not shown, "the desktop’s own choice counts for nothing")


@scenario
def quiet_times(session: Session, program: Path) -> None:
    """The phone is quiet as scheduled, until a click ends that; an entry that nobody can read does nothing."""
    with Notifications(session) as desktop, Phone(session, program) as phone:
        phone.set("quiet-schedule", "['every night']")
        _be_called(phone)
        desktop.wait(lambda shown: len(shown) == 1, "the phone is quiet without a time")
        phone.set("quiet-schedule", "['every night', 'Mo-Su 00:00-24:00']")
        desktop.wait(lambda shown: not shown, "the schedule counts for nothing")
        phone.expect_caller("555-0104")
        expect(phone.find("Do Not Disturb", "push button") is not None, "nothing says that the phone is quiet")
        phone.click("Do Not Disturb")
        desktop.wait(lambda shown: len(shown) == 1, "the click does not end the quiet time")
        phone.set("quiet-schedule", "['Mo-Su 00:00-24:00']")
        desktop.wait(lambda shown: not shown, "another schedule counts for nothing")
        phone.set("quiet-schedule", "@as []")
        desktop.wait(lambda shown: len(shown) == 1, "the phone stays quiet")
        phone.action("hang-up")
