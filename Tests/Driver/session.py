# SPDX-License-Identifier: GPL-3.0-or-later
"""A private desktop session: screen, window manager, buses, folders and an optional sound card.

It neither sees nor changes the user's session, and ends with the process. A process can have only one session, because
the accessibility library connects only once.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

import pointer
import processes
import wayland
from processes import need, read_line, spawn
from usage import family

CHECKOUT = Path(__file__).resolve().parents[2]

#: Large enough for the phone with its panel at a scale of 2.
SCREEN = (2560, 2000)

_BUS_CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{folder}/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


class Session:
    """The session, as a context manager. While it is open, `os.environ` is its environment."""

    def __init__(
        self, *, screen: tuple[int, int] = SCREEN, sound: bool = False, manager: bool = True, on_wayland: bool = False,
        repeats_keys: bool = True,
    ) -> None:
        self._screen = screen
        self._repeats_keys = repeats_keys
        self._sound = sound
        self._manager = manager and not on_wayland
        self._on_wayland = on_wayland
        self._compositor: wayland.Compositor | None = None
        self._services: list[subprocess.Popen[bytes]] = []
        self.folder = Path()

    def __enter__(self) -> Session:
        processes.adopt_orphans()
        self.folder = Path(tempfile.mkdtemp(prefix="touchtone-session-"))
        try:
            self._outside = dict(os.environ)
            self._set_environment()
            self._start_screen()
            self._start_bus()
            if self._manager:
                self._start_manager()
            if self._sound:
                self.start_sound()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._services):
            processes.stop(process)
        if self._compositor is not None:
            self._compositor.stop()
        processes.end_descendants()
        os.environ.clear()
        os.environ.update(self._outside)
        shutil.rmtree(self.folder, ignore_errors=True)

    # Folders

    @property
    def data_home(self) -> Path:
        """The session's XDG_DATA_HOME."""
        return self.folder / "home/.local/share"

    @property
    def config_home(self) -> Path:
        """The session's XDG_CONFIG_HOME."""
        return self.folder / "home/.config"

    def turn_animations_off(self) -> None:
        """Make programs that are started from now on show the end of each transition."""
        folder = self.config_home / "gtk-3.0"
        folder.mkdir(exist_ok=True)
        (folder / "settings.ini").write_text("[Settings]\ngtk-enable-animations=0\n")

    def run(self, *argv: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run a command in the session, and return its status and output."""
        return subprocess.run(
            [str(argument) for argument in argv],
            capture_output=True, text=True, timeout=options.pop("timeout", 60), **options,
        )

    def add_service(self, process: subprocess.Popen[bytes]) -> None:
        """Stop a process when the session ends."""
        self._services.append(process)

    # Starting the parts

    def _set_environment(self) -> None:
        path = os.environ.get("PATH", "/usr/bin:/bin")
        for folder in (self.data_home / "applications", self.config_home, self.folder / "run"):
            folder.mkdir(parents=True)
        (self.folder / "run").chmod(0o700)
        os.environ.clear()
        os.environ.update({
            "PATH": path,
            "HOME": str(self.folder / "home"),
            "LANG": "C.UTF-8",
            "TMPDIR": str(self.folder),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "XDG_DATA_HOME": str(self.data_home),
            "XDG_CONFIG_HOME": str(self.config_home),
            "XDG_CACHE_HOME": str(self.folder / "home/.cache"),
            "XDG_STATE_HOME": str(self.folder / "home/.local/state"),
            "XDG_DATA_DIRS": str(self._system_data_without_programs()),
            "XDG_CURRENT_DESKTOP": "GNOME",
            # The settings are in a file, so that changes by other processes are seen without a dconf service.
            "GSETTINGS_BACKEND": "keyfile",
            "GSETTINGS_SCHEMA_DIR": str(CHECKOUT / "data"),
            "GIO_USE_VFS": "local",
            "GIO_USE_VOLUME_MONITOR": "unix",
            "GTK_USE_PORTAL": "0",
            "GDK_BACKEND": "wayland" if self._on_wayland else "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            # Do not start another server, and do not find the user's.
            "PULSE_SERVER": f"unix:{self.folder}/no-sound",
        })

    def _system_data_without_programs(self) -> Path:
        """Link the system's data folders without the desktop entries, so that a test controls which handlers exist."""
        merged = self.folder / "share"
        (merged / "applications").mkdir(parents=True)
        for folder in map(Path, ("/usr/local/share", "/usr/share")):
            for entry in folder.iterdir() if folder.is_dir() else ():
                link = merged / entry.name
                if entry.name != "dbus-1" and not link.exists():
                    link.symlink_to(entry)
        return merged

    def _start_screen(self) -> None:
        if self._on_wayland:
            self._compositor = wayland.Compositor(self._screen, self.folder / "services.log")
            return
        width, height = self._screen
        ready, told = os.pipe()
        #: The process id of the X server.
        self.screen = self._start(
            need("Xvfb", "xvfb"), "-displayfd", str(told), "-screen", "0", f"{width}x{height}x24",
            "-nolisten", "tcp", "-noreset", "-dpi", "96", *([] if self._repeats_keys else ["-r"]), pass_fds=(told,),
        ).pid
        os.close(told)
        os.environ["DISPLAY"] = ":" + read_line(ready, "Xvfb")
        os.close(ready)
        # The first key that xdotool presses changes the server's keyboard to that of its test extension. A window
        # manager that runs then releases its keys and grabs them again, and misses what is pressed meanwhile.
        pointer.key("shift")

    def start_bus(self) -> None:
        """Start the session bus again, at the address that it had."""
        self._run_bus(self.folder / "bus.conf")

    def kill_bus(self) -> None:
        """Kill the session bus. The accessibility bus ends with it."""
        self._bus.kill()
        self._bus.wait()
        self._services.remove(self._bus)

    def kill_accessibility_bus(self) -> None:
        """Kill the accessibility bus, which has been started by its launcher."""
        # The kernel cuts the names of programs to 15 characters.
        [launcher] = family(os.getpid())["at-spi-bus-laun"]
        for pid in family(launcher)["dbus-daemon"]:
            os.kill(pid, signal.SIGKILL)

    def _start_bus(self) -> None:
        services = self.folder / "services"
        services.mkdir()
        accessibility = Path("/usr/share/dbus-1/services/org.a11y.Bus.service")
        if not accessibility.exists():
            raise processes.MissingPeer("org.a11y.Bus", "at-spi2-core")
        (services / accessibility.name).symlink_to(accessibility)
        configuration = self.folder / "bus.conf"
        configuration.write_text(_BUS_CONFIGURATION.format(folder=self.folder))
        self._run_bus(configuration)

    def _run_bus(self, configuration: Path) -> None:
        ready, told = os.pipe()
        self._bus = self._start(
            need("dbus-daemon", "dbus"), "--nofork", f"--config-file={configuration}",
            f"--print-address={told}", pass_fds=(told,),
        )
        os.close(told)
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = read_line(ready, "dbus-daemon")
        os.close(ready)

    def _start_manager(self) -> None:
        ready = self.folder / "manager-ready"
        os.mkfifo(ready)
        descriptor = os.open(ready, os.O_RDWR)
        self._start(need("openbox", "openbox"), "--sm-disable", "--startup", f"sh -c 'echo ready > {ready}'")
        read_line(descriptor, "openbox")
        os.close(descriptor)

    def start_sound(self) -> None:
        """Start a virtual sound card."""
        native, notify = self.folder / "native", self.folder / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as waiting:
            notify.unlink(missing_ok=True)
            waiting.bind(str(notify))
            waiting.settimeout(processes.TIMEOUT)
            self._sound_server = self._start(
                need("pulseaudio", "pulseaudio"), "-n", "--daemonize=no", "--exit-idle-time=-1",
                "--use-pid-file=no", "--disallow-exit",
                "-L", f"module-native-protocol-unix auth-anonymous=1 socket={native}",
                # Without norewinds, the monitor loses the first milliseconds of a sound.
                "-L", "module-null-sink sink_name=phone rate=48000 channels=1 channel_map=mono"
                      " format=s16le norewinds=1",
                env={**os.environ, "NOTIFY_SOCKET": str(notify), "PULSE_CONFIG": str(CHECKOUT / "Tests/Peers/pulse.conf")},
                is_sound_card=True,
            )
            waiting.recv(64)
        os.environ["PULSE_SERVER"] = f"unix:{native}"

    def stop_sound(self) -> None:
        """End the virtual sound card, as a sound server that crashes."""
        self._sound_server.kill()
        self._sound_server.wait()
        self._services.remove(self._sound_server)

    def _start(self, *argv: str | Path, **options: Any) -> subprocess.Popen[bytes]:
        with open(self.folder / "services.log", "ab") as log:
            process = spawn(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        self._services.append(process)
        return process
