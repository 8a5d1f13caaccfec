#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for RealtimeKit on the system bus.

usage: realtimekit.py grant|refuse

Prints "ready", and then a line of JSON for each request to raise a thread: the process, the thread, the priority and
the process's real-time limits in microseconds. It grants what the real service would, if this process has the permission.
"""

from __future__ import annotations

import json
import os
import sys

from gi.repository import Gio, GLib

_NAME = "org.freedesktop.RealtimeKit1"
_PATH = "/org/freedesktop/RealtimeKit1"
_INTROSPECTION = f"""
<node><interface name="{_NAME}">
  <method name="MakeThreadRealtime"><arg type="t" direction="in"/><arg type="u" direction="in"/></method>
  <property name="MaxRealtimePriority" type="i" access="read"/>
  <property name="RTTimeUSecMax" type="x" access="read"/>
</interface></node>
"""
_LONGEST = 200_000
_PATIENCE = 20
_PRIORITY = 8  # less than requested


def limits(process: int) -> list[str]:
    with open(f"/proc/{process}/limits", encoding="ascii") as file:
        line = next(line for line in file if line.startswith("Max realtime timeout"))
    return line.split()[3:5]


def main() -> None:
    grants = sys.argv[1] == "grant"
    bus = Gio.bus_get_sync(Gio.BusType.SYSTEM, None)

    def call(_connection, sender, _path, _interface, _method, parameters, invocation) -> None:  # type: ignore[no-untyped-def]
        thread, priority = parameters.unpack()
        answer = bus.call_sync(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID",
            GLib.Variant("(s)", (sender,)), None, Gio.DBusCallFlags.NONE, -1, None,
        )
        process = answer.unpack()[0]
        news = {"process": process, "thread": thread, "priority": priority, "limits": limits(process)}
        bounded = all(limit.isdigit() and int(limit) <= _LONGEST for limit in news["limits"])
        if not grants or not bounded or priority > _PRIORITY:
            invocation.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "no")
        else:
            try:
                os.sched_setscheduler(thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
            except PermissionError:
                pass
            except ProcessLookupError:
                invocation.return_dbus_error("org.freedesktop.DBus.Error.FileNotFound", "no such thread")
                return
            invocation.return_value(None)
        print(json.dumps(news), flush=True)

    def prop(_connection, _sender, _path, _interface, name) -> GLib.Variant:  # type: ignore[no-untyped-def]
        return GLib.Variant("i", _PRIORITY) if name == "MaxRealtimePriority" else GLib.Variant("x", _LONGEST)

    bus.register_object(_PATH, Gio.DBusNodeInfo.new_for_xml(_INTROSPECTION).interfaces[0], call, prop, None)
    Gio.bus_own_name_on_connection(
        bus, _NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: print("ready", flush=True), None
    )
    loop = GLib.MainLoop()
    # Fail a test that waits for a request that never arrives.
    GLib.timeout_add_seconds(_PATIENCE, loop.quit)
    loop.run()


if __name__ == "__main__":
    main()
