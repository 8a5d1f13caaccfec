# SPDX-License-Identifier: GPL-3.0-or-later
"""A network of this process's own, for peers that send no sound over loopback."""

from __future__ import annotations

import ctypes
import os
import subprocess

from processes import MissingPeer, need

_CLONE_NEWNET = 0x40000000
#: The addresses of this machine in the network, for documentation (RFC 5737, RFC 3849).
ADDRESS, WIDE_ADDRESS = "192.0.2.10", "2001:db8::10"


def enter() -> None:
    """Move this process, and what it starts from now on, to a network with loopback and one more interface."""
    ip = need("ip", "iproute2")
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNET) != 0:
        raise MissingPeer(f"a network of its own ({os.strerror(ctypes.get_errno())})", "none")
    for command in (
        "link set lo up", "link add call0 type veth peer name call1", f"address add {ADDRESS}/24 dev call0",
        f"address add {WIDE_ADDRESS}/64 dev call0 nodad", "link set call0 up", "link set call1 up",
        "route add default dev call0",
    ):
        subprocess.run([ip, *command.split()], check=True, timeout=60)
