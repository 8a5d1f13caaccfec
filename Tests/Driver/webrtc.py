# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent of `Tests/Tools/webrtc_agent.py`, which calls as clients do that stand on libwebrtc."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any

import processes
from jabber import PASSWORD, Server
from phone import Mismatch
from processes import MissingPeer
from session import CHECKOUT

_PROGRAM = CHECKOUT / "Tests/Tools/webrtc_agent.py"
#: What the agent imports, by the packages that have it.
_PARTS = {
    "python3-slixmpp": "import slixmpp",
    "gir1.2-gst-plugins-bad-1.0": "import gi; gi.require_version('GstWebRTC', '1.0'); from gi.repository import GstWebRTC",
    "gstreamer1.0-plugins-bad": "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; Gst.init(None); "
                                "assert Gst.ElementFactory.find('webrtcbin')",
    "gstreamer1.0-nice": "import gi; gi.require_version('Gst', '1.0'); from gi.repository import Gst; Gst.init(None); "
                         "assert Gst.ElementFactory.find('nicesrc')",
}


class WebRTCPeer:
    """The agent, online, as a context manager."""

    def __init__(self, server: Server, address: str, log: Path, pitch: int = 0) -> None:
        """With a pitch, it hums during a call."""
        self._server, self._address, self._log, self._pitch = server, address, log, pitch
        #: The events so far.
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> WebRTCPeer:
        for package, test in _PARTS.items():
            if subprocess.run(["/usr/bin/python3", "-c", test], capture_output=True, timeout=60, check=False).returncode != 0:
                raise MissingPeer("webrtcbin", package)
        with open(self._log, "ab") as log:
            self._process = processes.spawn(
                ["/usr/bin/python3", "-B", _PROGRAM, self._address, PASSWORD, str(self._server.port), str(self._pitch)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, plays_sound=True)
        self.wait("online")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        processes.stop(self._process)

    def command(self, *words: str) -> None:
        """Give a command: `call ADDRESS`, `answer`, `hang_up` or `speak KEYS`."""
        assert self._process.stdin is not None
        self._process.stdin.write((json.dumps(words) + "\n").encode())
        self._process.stdin.flush()

    def wait(self, kind: str) -> dict[str, Any]:
        """Wait for the next event of a kind, and return it. A fault is an error."""
        while True:
            event = self._next(kind)
            if event["event"] == kind:
                return event

    def wait_keys(self, kind: str, keys: str) -> None:
        """Wait until the last keys of a kind, tones or events, are these."""
        heard = ""
        while not heard.endswith(keys):
            event = self._next(f"{kind}s {keys}")
            if event["event"] == kind and not (kind == "tone" and heard.endswith(event["key"])):
                heard += event["key"]

    def _next(self, what: str) -> dict[str, Any]:
        assert self._process.stdout is not None
        try:
            event: dict[str, Any] = json.loads(processes.read_line(self._process.stdout.fileno(), what))
        except (TimeoutError, RuntimeError) as error:
            raise self._complain(f"{error}") from error
        self.events.append(event)
        if event["event"] in ("fault", "failed"):
            raise self._complain("has a fault")
        return event

    def _complain(self, what: str) -> Mismatch:
        return Mismatch(f"webrtcbin: {what}; it ends with {self.events[-12:]}, and said: {self._log.read_text()[-2000:]}")
