# SPDX-License-Identifier: GPL-3.0-or-later
"""A network of this process's own, for peers that send no sound over loopback."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
from pathlib import Path

from processes import Unavailable, need

_CLONE_NEWNET = 0x40000000
#: The addresses of this machine in the network, for documentation (RFC 5737, RFC 3849).
ADDRESS, WIDE_ADDRESS = "192.0.2.10/24", "2001:db8::10/64"


def enter(*addresses: str) -> None:
    """Move this process, and what it starts from now on, to a network with loopback and one more interface.

    That one has the addresses that are given, or else one of each kind. Who is not root stays in the machine's network, if that has a way
    out and none are given.
    """
    ip = need("ip", "iproute2")
    fault = _leave(ip)
    if fault or WIDE_ADDRESS in addresses and not _has_ipv6():
        if not addresses and _has_way():
            return
        raise Unavailable(f"a network of its own ({fault or 'with IPv6'})")
    chosen = addresses or (ADDRESS, *([WIDE_ADDRESS] if _has_ipv6() else []))
    # Without a delay, until it is known that nobody else has the address.
    given = (f"address add {one} dev call0" + (" nodad" if ":" in one else "") for one in chosen)
    routes = (f"-{6 if ':' in one else 4} route add default dev call0" for one in chosen)
    for command in ("link set lo up", *given, "link set call0 up", "link set call1 up", *routes):
        subprocess.run([ip, *command.split()], check=True, timeout=60)


def _leave(ip: str) -> str:
    """Move this process to a network with a pair of interfaces, or else leave it in the machine's and return the reason."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/self/ns/net", "rb") as before:
        if libc.unshare(_CLONE_NEWNET) != 0:
            return os.strerror(ctypes.get_errno())
        done = subprocess.run(
            [ip, *"link add call0 type veth peer name call1".split()], capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0:
            return ""
        libc.setns(before.fileno(), _CLONE_NEWNET)
        return done.stderr.strip()


def _has_ipv6() -> bool:
    """Return whether interfaces can have addresses of IPv6."""
    switch = Path("/proc/sys/net/ipv6/conf/all/disable_ipv6")
    return switch.exists() and switch.read_text().strip() == "0"


def _has_way() -> bool:
    """Return whether the machine has an address beside those on loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((ADDRESS.partition("/")[0], 9))
        except OSError:
            return False
        return not probe.getsockname()[0].startswith("127.")
