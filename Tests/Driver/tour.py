# SPDX-License-Identifier: GPL-3.0-or-later
"""The tour: a demonstration of the phone on a virtual screen, with real pointer and key events.

It prints each step and the resulting display, records and decodes the sound, and saves pictures. The exit status is 1
if a step or the decoded sound is not as expected.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Callable

import messages
import pointer
import screenshot
import sound
from accessibility import wait_until
from phone import Mismatch, Phone
from portal import DEFAULT, PREFER_DARK, Portal
from processes import DISTURBED, SKIPPED, MissingPeer
from session import Session
from sip import FarEnd, Registrar, add_in_preferences
from telephony import NAME, TelHandler

_DOWN, _UP = 0.1, 0.1  # seconds, as fast as automatic dialling of a telephone set


class Tour:
    """A run of the tour, with its failures."""

    def __init__(self, session: Session, program: Path, out: Path) -> None:
        self._session = session
        self._program = program
        self._out = out
        self._played = ""
        self._failures = 0
        self._recorder: sound.Recorder

    def run(self) -> int:
        """Run the tour, and return the exit status."""
        recording = self._out / "tour.wav"
        with sound.Recorder(recording) as self._recorder:
            self._without_handler()
            with TelHandler(self._session) as handler, Portal(self._session) as portal:
                with Phone(self._session, self._program) as phone:
                    self._numbers(phone)
                    self._dial(phone, handler)
                    self._messages(phone)
                    self._pictures(phone, portal)
            with Phone(self._session, self._program) as phone:
                self._call(phone)
        self._compare_sound(recording)
        self._call_over_sip()
        with Phone(self._session, self._program, "tel:5558675309", scale=2) as phone:
            self._step("the same at twice the scale", lambda: None, phone, "(555) 867-5309")
            screenshot.capture_window(phone, self._out / "phone-2x.png", scale=2)
        return self._sum_up()

    def run_on_wayland(self) -> int:
        """Run the Wayland part of the tour, and return the exit status."""
        with Phone(self._session, self._program) as phone:
            self._step("under Wayland: type 5558675309", lambda: phone.type("5558675309"), phone, "(555) 867-5309")
            self._step("press Ctrl+C: copy", lambda: pointer.key("ctrl+c"), phone, "(555) 867-5309", status="COPIED")
            screenshot.capture_window(phone, self._out / "wayland.png")
        return self._sum_up()

    def _sum_up(self) -> int:
        if self._failures:
            print(f"Unexpected results in {self._failures} step(s) of the tour.")
        return 1 if self._failures else 0

    # The parts of the tour

    def _without_handler(self) -> None:
        with Phone(self._session, self._program) as phone:
            phone.set("dial-line", "'tel'")
            self._step("click 5, 5, 5, 1, 2, 1, 2", lambda: self._click(phone, "5551212"), phone, "555-1212")
            self._step(
                "DIAL, with no app for tel: links", lambda: phone.click("Dial"), phone, "555-1212",
                status="NO TEL: APP",
            )
            phone.set("dial-line", "''")

    def _numbers(self, phone: Phone) -> None:
        step = self._step
        step("click 5558675309", lambda: self._click(phone, "5558675309"), phone, "(555) 867-5309")
        screenshot.capture_window(phone, self._out / "phone.png")
        step("click DEL", lambda: phone.click("Delete"), phone, "(555) 867-530")
        step("BackSpace", lambda: pointer.key("BackSpace"), phone, "(555) 867-53")
        step("BackSpace again", lambda: pointer.key("BackSpace"), phone, "555-8675")
        step("hold DEL", lambda: self._hold(phone, "Delete", ""), phone, "")
        step("hold 0", lambda: self._hold(phone, "0", "+"), phone, "+")
        self._played += "0"
        step("type 442079460958", lambda: self._type("442079460958"), phone, "+44 20 7946 0958")
        step("hold BackSpace", lambda: self._hold_key(phone, "BackSpace", ""), phone, "")
        step("type FLOWERS", lambda: self._type("FLOWERS", "3569377"), phone, "356-9377")
        step(
            "paste “1-800-FLOWERS” by Ctrl+V", lambda: phone.paste("1-800-FLOWERS\n"), phone, "18003569377")
        step("paste “no digits? none!”", lambda: phone.paste("¿?!"), phone, "18003569377", status="NO NUMBER")
        step("type *69#, after hold of DEL", lambda: self._star(phone), phone, "*69#")

    def _star(self, phone: Phone) -> None:
        self._hold(phone, "Delete", "")
        self._type("*69#")

    def _dial(self, phone: Phone, handler: TelHandler) -> None:
        self._step("paste 555.867.5309", lambda: phone.paste("555.867.5309"), phone, "(555) 867-5309")
        self._step("press Return: dial", lambda: pointer.key("Return"), phone, "(555) 867-5309", status=NAME)
        link = handler.next_link()
        self._report("the handler received", link, link == "tel:5558675309")
        self._step("hold DEL", lambda: self._hold(phone, "Delete", ""), phone, "")
        self._step("DIAL on no number recalls it", lambda: phone.click("Dial"), phone, "(555) 867-5309")
        self._report("and dials nothing yet", "", not handler.was_started(within=0.5))

    def _messages(self, phone: Phone) -> None:
        messages.open_buddy(phone, "Operator")
        self._report("click Operator", "the conversation opens", True)
        for text in ("Hello, Operator :)", "time"):
            messages.write(phone, text)
            answered = wait_until(lambda: [who for who, _ in messages.said(phone)[-2:]] == ["you", "Operator"])
            said = messages.said(phone)
            self._report(f"write “{text}”", f"{said[-1][0]}: {said[-1][1]}" if said else "nothing", answered)
        screenshot.capture_window(phone, self._out / "operator.png")

    def _pictures(self, phone: Phone, portal: Portal) -> None:
        phone.press("5")
        screenshot.capture_window(phone, self._out / "pressed.png")
        phone.release()
        phone.action("clear")
        self._played += "5"
        self._step("paste the number again", lambda: phone.paste("5558675309"), phone, "(555) 867-5309")
        portal.set_color_scheme(PREFER_DARK)
        self._report("the desktop prefers dark", "", screenshot.wait_brightness(phone, 0, 0.35))
        screenshot.capture_window(phone, self._out / "dark.png")
        portal.set_high_contrast(True)
        screenshot.capture_window(phone, self._out / "high-contrast.png")
        portal.set_high_contrast(False)
        portal.set_color_scheme(DEFAULT)
        self._report("and light again", "", screenshot.wait_brightness(phone, 0.3, 1))
        for visible, least, most, picture in (("false", 0, 500, "no-panel.png"), ("true", 600, 1000, "panel.png")):
            phone.set("panel-visible", visible)
            self._report(f"panel-visible {visible}", "the window follows", screenshot.wait_width(phone, least, most))
            screenshot.capture_window(phone, self._out / picture)
        phone.set("panel-visible", "false")
        pointer.resize("Touchtone", 360, 720)
        self._step("in a window of 360 pixels", lambda: None, phone, "(555) 867-5309")
        screenshot.capture_window(phone, self._out / "narrow.png")
        phone.action("quit")
        self._report("the action quit", "ends the phone", phone.wait_end() == 0)

    def _call(self, phone: Phone) -> None:
        step = self._step
        phone.set("panel-visible", "true")
        phone.set("dial-line", "'practice'")
        step("paste 5550104", lambda: phone.paste("5550104"), phone, "555-0104")
        step("DIAL by the practice exchange", lambda: phone.click("Dial"), phone, "555-0104", status="RINGING")
        step("HANG UP", lambda: phone.click("Hang up"), phone, "555-0104", status="READY")
        step("the exchange calls back", lambda: None, phone, "555-0104", status="CALL ON PRACTICE")
        screenshot.capture_window(phone, self._out / "incoming.png")
        step("ANSWER", lambda: phone.click("Answer"), phone, "555-0104", status="0:0")
        step("MUTE", lambda: phone.click("Mute"), phone, "555-0104", status="MUTE")
        screenshot.capture_window(phone, self._out / "in-call.png")
        step("KEYS 12#", lambda: phone.click("Keypad"), phone, "555-0104")
        screenshot.capture_window(phone, self._out / "call-card.png")
        phone.click("Keypad", "Flash")
        step("FLASH, and the operator", lambda: self._second(phone), phone, "0", status="0:0")
        screenshot.capture_window(phone, self._out / "two-calls.png")
        step("JOIN", lambda: phone.click("Join"), phone, "555-0104", status="JOINED")
        step("HANG UP both", lambda: phone.click("Hang up"), phone, "0", status="ENDED")
        phone.set("dial-line", "''")

    def _second(self, phone: Phone) -> None:
        phone.expect_status("ON HOLD")  # an action over D-Bus may overtake a click
        phone.action("enter", "'0'")
        phone.click("Dial")
        phone.expect_status("RINGING")

    def _call_over_sip(self) -> None:
        """Call another program through a registrar. Its sound is not compared: the far end reports the keys."""
        if not (self._program.parent / "touchtone-sip").exists():
            self._report("calls over SIP", "this build has none", True)
            return
        step = self._step
        with Registrar(self._session) as registrar, FarEnd(self._session, registrar, "1002") as far:
            with Phone(self._session, self._program) as phone:
                address = registrar.address("1001")
                step("add a SIP account", lambda: add_in_preferences(self._session, phone, address), phone, "")
                step("type 1002", lambda: phone.type("1002"), phone, "100-2")
                step("DIAL over SIP: baresip answers", lambda: phone.click("Dial"), phone, "100-2", status="0:0")
                phone.type("12#*9")
                heard = "".join(far.wait("CALL_DTMF_START") for _ in range(5))
                self._report("type 12#*9: baresip hears", heard, heard == "12#*9")
                screenshot.capture_window(phone, self._out / "sip-call.png")
                step("HANG UP", lambda: phone.click("Hang up"), phone, "100-2", status="ENDED")

    def _compare_sound(self, recording: Path) -> None:
        heard = sound.decode(recording)
        if heard != self._played and sound.machine_paused():
            print(f"  - multimon-ng hears gaps, because the machine paused: {heard}")
            return
        self._report("multimon-ng hears", heard, heard == self._played)
        if heard != self._played:
            print(f"      expected {self._played}")

    # Input at human speed

    def _click(self, phone: Phone, keys: str) -> None:
        for key in keys:
            phone.press(key)
            self._recorder.pass_time(_DOWN)
            phone.release()
            self._recorder.pass_time(_UP)
        self._played += keys

    def _type(self, text: str, sounds: str | None = None) -> None:
        for character in text:
            pointer.key_down(character)
            self._recorder.pass_time(_DOWN)
            pointer.key_up(character)
            self._recorder.pass_time(_UP)
        self._played += sounds or text

    def _hold(self, phone: Phone, key: str, until: str) -> None:
        phone.press(key)
        try:
            phone.expect_display(until)
        finally:
            phone.release()

    def _hold_key(self, phone: Phone, key: str, until: str) -> None:
        pointer.key_down(key)
        try:
            phone.expect_display(until)
        finally:
            pointer.key_up(key)

    # Reporting

    def _step(
        self, what: str, do: Callable[[], None], phone: Phone, display: str, *, status: str | None = None
    ) -> None:
        wrong = ""
        try:
            do()
            phone.expect_display(display)
            if status is not None:
                phone.expect_status(status)
        except Mismatch as mismatch:
            wrong = str(mismatch)
        self._report(what, f"[{phone.display()}]  {phone.status()}", not wrong)
        if wrong:
            print(f"      {wrong}")

    def _report(self, what: str, seen: str, right: bool) -> None:
        print(f"  {'✓' if right else '✗'} {what:<40} {seen}".rstrip(), flush=True)
        self._failures += not right


def main() -> int:
    parser = argparse.ArgumentParser(description="Demonstrates the phone on a virtual screen.")
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pictures and the sound")
    parser.add_argument("--wayland", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    program = options.program.resolve()
    try:
        with Session(sound=True, on_wayland=options.wayland) as session:
            tour = Tour(session, program, options.out)
            if options.wayland:
                return tour.run_on_wayland()
            status = tour.run()
        # A process can have only one session.
        wayland = subprocess.run([sys.executable, "-B", *sys.argv, "--wayland"], check=False).returncode
        print(f"Pictures and sound are in {options.out}/.")
        return status or wayland
    except MissingPeer as missing:
        print(missing, file=sys.stderr)
        return SKIPPED
    except Mismatch as mismatch:
        print(mismatch, file=sys.stderr)
    return DISTURBED if sound.machine_paused() else 1


if __name__ == "__main__":
    sys.exit(main())
