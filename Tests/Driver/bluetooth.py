# SPDX-License-Identifier: GPL-3.0-or-later
"""A scripted BlueZ on a system bus of its own, with paired phones, for the real PipeWire and WirePlumber."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from gi.repository import Gio, GLib

import processes
from handset import Handset
from phone import eventually
from processes import MissingPeer, need, read_line
from session import Session

_ADAPTER = "/org/bluez/hci0"


@dataclass
class Paired:
    """A phone that is paired with the computer."""

    address: str
    name: str
    #: The charge of the battery in percent; None before it was told.
    battery: int | None = None

    @property
    def line(self) -> str:
        """The id of the phone's line."""
        return "mobile-" + self.address.replace(":", "").lower()

    @property
    def path(self) -> str:
        """The path of BlueZ's object."""
        return f"{_ADAPTER}/dev_{self.address.replace(':', '_')}"


NAME = "Ada’s Phone"
LINE = "mobile-001122aabbcc"
#: The profiles of a hands-free device and of a phone.
_HANDS_FREE, _GATEWAY = (f"0000{number}-0000-1000-8000-00805f9b34fb" for number in ("111e", "111f"))
#: The first version whose Bluetooth support has the service.
_VERSION = (1, 4)

_INTERFACES = """<node>
  <interface name="org.freedesktop.DBus.ObjectManager">
    <method name="GetManagedObjects"><arg type="a{oa{sa{sv}}}" direction="out"/></method>
    <signal name="InterfacesAdded"><arg type="o"/><arg type="a{sa{sv}}"/></signal>
  </interface>
  <interface name="org.bluez.ProfileManager1">
    <method name="RegisterProfile">
      <arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="a{sv}" direction="in"/>
    </method>
    <method name="UnregisterProfile"><arg type="o" direction="in"/></method>
  </interface>
  <interface name="org.bluez.BatteryProviderManager1">
    <method name="RegisterBatteryProvider"><arg type="o" direction="in"/></method>
    <method name="UnregisterBatteryProvider"><arg type="o" direction="in"/></method>
  </interface>
  <interface name="org.bluez.Device1">
    <method name="Connect"/><method name="Disconnect"/>
    <method name="ConnectProfile"><arg type="s" direction="in"/></method>
    <method name="DisconnectProfile"><arg type="s" direction="in"/></method>
    <property name="Alias" type="s" access="read"/>
  </interface>
  <interface name="org.bluez.Adapter1"><property name="Address" type="s" access="read"/></interface>
  <interface name="org.bluez.Battery1"><property name="Percentage" type="y" access="read"/></interface>
</node>"""


class BlueZ:
    """BlueZ with phones, PipeWire and WirePlumber, as a context manager in a session."""

    def __init__(self, session: Session, *phones: Paired) -> None:
        self._session = session
        self._profile: tuple[str, str] | None = None
        self._phones = {phone.path: phone for phone in phones or [Paired("00:11:22:AA:BB:CC", NAME)]}
        self._logs: list[Path] = []
        #: PipeWire and WirePlumber, which another BlueZ in the session starts anew.
        self._started: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> BlueZ:
        _need_version()
        folder = self._session.folder
        ready, told = os.pipe()
        bus = processes.spawn(
            [need("dbus-daemon", "dbus"), "--session", "--nofork", f"--print-address={told}"], pass_fds=(told,))
        self._session.add_service(bus)
        os.close(told)
        address = read_line(ready, "dbus-daemon")
        os.close(ready)
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        self._bus = Gio.DBusConnection.new_for_address_sync(
            address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION,
            None, None)
        interfaces = {one.name: one for one in Gio.DBusNodeInfo.new_for_xml(_INTERFACES).interfaces}
        places = {
            "/": ["org.freedesktop.DBus.ObjectManager"],
            "/org/bluez": ["org.bluez.ProfileManager1"],
            _ADAPTER: ["org.bluez.Adapter1", "org.bluez.BatteryProviderManager1"],
            **{path: ["org.bluez.Device1", "org.bluez.Battery1"] for path in self._phones},
        }
        for path, names in places.items():
            for name in names:
                self._bus.register_object(path, interfaces[name], self._called, self._property, None)
        # PipeWire tells the battery of the phone, which BlueZ passes on.
        for signal in ("InterfacesAdded", "PropertiesChanged"):
            self._bus.signal_subscribe(None, None, signal, None, None, Gio.DBusSignalFlags.NONE, self._battery_told)
        self._bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", GLib.Variant("(su)", ("org.bluez", 4)),
            None, Gio.DBusCallFlags.NONE, -1, None)
        configuration = self._session.config_home / "wireplumber/wireplumber.conf.d"
        configuration.mkdir(parents=True, exist_ok=True)
        (configuration / "bluetooth.conf").write_text(
            "wireplumber.profiles = { main = { support.logind = disabled, monitor.bluez.seat-monitoring = disabled,"
            " hardware.audio = disabled, hardware.video-capture = disabled, support.reserve-device = disabled,"
            " support.portal-permissionstore = disabled } }\n"
            "monitor.bluez.properties = { bluez5.roles = [ hfp_hf ], bluez5.hfphsp-backend = native }\n")
        self._start("pipewire", "pipewire")
        eventually(
            (folder / "run/pipewire-0").exists, lambda: f"PipeWire does not start: {self.log()}")
        self._start("wireplumber", "wireplumber")
        eventually(lambda: self._profile is not None, lambda: f"WirePlumber registers no profile: {self.log()}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bus.close_sync(None)
        for process in reversed(self._started):
            processes.stop(process)

    def connect(self, phone: Paired | None = None) -> Handset:
        """Connect a phone, or the only one, and return its side."""
        assert self._profile is not None
        device = phone.path if phone else next(iter(self._phones))
        here, there = socket.socketpair()
        files = Gio.UnixFDList.new()
        index = files.append(there.fileno())
        there.close()
        owner, path = self._profile
        done: list[str] = []
        self._bus.call_with_unix_fd_list(
            owner, path, "org.bluez.Profile1", "NewConnection",
            GLib.Variant("(oha{sv})", (device, index, {})), None, Gio.DBusCallFlags.NONE, 30_000, files, None,
            lambda bus, result: done.append(_said(bus.call_with_unix_fd_list_finish, result)))
        handset = Handset(here)
        eventually(lambda: bool(done), lambda: f"PipeWire does not take the phone: {self.log()}")
        if done[0]:
            raise MissingPeer(f"PipeWire’s hands-free profile: {done[0]}", "libspa-0.2-bluetooth")
        return handset

    def rename(self, phone: Paired, name: str) -> None:
        """Let the user give a phone another name in the desktop's settings."""
        phone.name = name
        self._tell_change(phone.path, "org.bluez.Device1", {"Alias": GLib.Variant("s", name)})

    def kill_wireplumber(self) -> None:
        """Kill WirePlumber, and the service with it."""
        self._wireplumber.kill()
        self._wireplumber.wait()

    def log(self) -> str:
        """Return what PipeWire and WirePlumber have said."""
        return "\n".join(log.read_text(errors="replace")[-3000:] for log in self._logs)

    def _start(self, program: str, package: str) -> None:
        log = self._session.folder / f"{program}.log"
        self._logs.append(log)
        with log.open("wb") as output:
            process = processes.spawn(
                [need(program, package)], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={**os.environ, "WIREPLUMBER_DEBUG": "2,spa.bluez5*:4"})
        self._session.add_service(process)
        self._started.append(process)
        self._wireplumber = process

    # BlueZ

    def _objects(self) -> dict[str, dict[str, dict[str, GLib.Variant]]]:
        return {
            "/org/bluez": {"org.bluez.ProfileManager1": {}},
            _ADAPTER: {
                "org.bluez.Adapter1": {
                    "Address": GLib.Variant("s", "00:11:22:00:00:01"), "AddressType": GLib.Variant("s", "public"),
                    "Name": GLib.Variant("s", "desk"), "Alias": GLib.Variant("s", "desk"),
                    "Class": GLib.Variant("u", 0x6C0104), "Powered": GLib.Variant("b", True),
                    "Discoverable": GLib.Variant("b", False), "UUIDs": GLib.Variant("as", [_HANDS_FREE, _GATEWAY]),
                },
                "org.bluez.BatteryProviderManager1": {},
            },
            # PipeWire wants the adapter first.
            **{path: self._interfaces(phone) for path, phone in self._phones.items()},
        }

    def _interfaces(self, phone: Paired) -> dict[str, dict[str, GLib.Variant]]:
        battery = {"Percentage": GLib.Variant("y", phone.battery)} if phone.battery is not None else None
        return {
            "org.bluez.Device1": {
                "Address": GLib.Variant("s", phone.address), "AddressType": GLib.Variant("s", "public"),
                "Name": GLib.Variant("s", phone.name), "Alias": GLib.Variant("s", phone.name),
                "Class": GLib.Variant("u", 0x5A020C), "Icon": GLib.Variant("s", "phone"),
                "Paired": GLib.Variant("b", True), "Bonded": GLib.Variant("b", True),
                "Trusted": GLib.Variant("b", True), "Blocked": GLib.Variant("b", False),
                "Connected": GLib.Variant("b", True), "UUIDs": GLib.Variant("as", [_GATEWAY]),
                "Adapter": GLib.Variant("o", _ADAPTER), "ServicesResolved": GLib.Variant("b", True),
            },
            **({"org.bluez.Battery1": battery} if battery else {}),
        }

    def _called(self, _bus, sender, _path, _interface, method, values, invocation) -> None:  # type: ignore[no-untyped-def]
        if method == "GetManagedObjects":
            invocation.return_value(GLib.Variant("(a{oa{sa{sv}}})", (self._objects(),)))
            return
        arguments = values.unpack()
        if method == "RegisterProfile" and arguments[1].lower() == _HANDS_FREE:
            self._profile = (sender, arguments[0])
        invocation.return_value(None)

    def _property(self, _bus, _sender, path, interface, name) -> GLib.Variant | None:  # type: ignore[no-untyped-def]
        return self._objects()[path].get(interface, {}).get(name)

    def _battery_told(self, _bus, _sender, path, _interface, signal, values) -> None:  # type: ignore[no-untyped-def]
        told = values.unpack()
        properties = told[1].get("org.bluez.BatteryProvider1") if signal == "InterfacesAdded" else told[1]
        if signal == "PropertiesChanged" and told[0] != "org.bluez.BatteryProvider1" or not properties:
            return
        # The object of a battery is named after the phone's.
        place = told[0] if signal == "InterfacesAdded" else path
        phone = next((one for one in self._phones.values() if one.path.rsplit("/", 1)[1] in place), None)
        assert phone is not None, f"PipeWire tells a battery of {place}"
        is_new = phone.battery is None
        phone.battery = int(properties["Percentage"])
        percentage = {"Percentage": GLib.Variant("y", phone.battery)}
        if is_new:
            self._bus.emit_signal(
                None, "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
                GLib.Variant("(oa{sa{sv}})", (phone.path, {"org.bluez.Battery1": percentage})))
        else:
            self._tell_change(phone.path, "org.bluez.Battery1", percentage)

    def _tell_change(self, path: str, interface: str, properties: dict[str, GLib.Variant]) -> None:
        self._bus.emit_signal(
            None, path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            GLib.Variant("(sa{sv}as)", (interface, properties, [])))


def _said(finish: Callable[[Any], Any], result: Any) -> str:
    """Return the error of a call; empty for none."""
    try:
        finish(result)
    except GLib.Error as error:
        return error.message
    return ""


def _need_version() -> None:
    """Raise an exception unless PipeWire is new enough, and has its Bluetooth support."""
    said = subprocess.run(
        [need("pipewire", "pipewire"), "--version"], capture_output=True, text=True, timeout=60).stdout
    found = re.search(r"libpipewire (\d+)\.(\d+)", said)
    need("wireplumber", "wireplumber")
    if found is None or (int(found[1]), int(found[2])) < _VERSION:
        raise OldPipeWire(found[0] if found else "PipeWire without a version")
    if not list(Path("/usr/lib").glob("*/spa-0.2/bluez5/libspa-bluez5.so")):
        raise MissingPeer("PipeWire’s Bluetooth support", "libspa-0.2-bluetooth")


class OldPipeWire(processes.Unavailable):
    """PipeWire is older than the service of phones."""

    def __init__(self, version: str) -> None:
        Exception.__init__(self, f"this is {version}: phones as lines need PipeWire 1.4")
