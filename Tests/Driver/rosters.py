# SPDX-License-Identifier: GPL-3.0-or-later
"""The rosters of the server's accounts, written before their users sign in."""

from __future__ import annotations

from pathlib import Path


def write_buddies(data: Path, name: str, buddies: dict[str, str]) -> None:
    """Write the roster of an account of the server, in Prosody's format: mutual subscriptions to addresses, with names."""
    items = "".join(
        f'["{address}"]={{["subscription"]="both";["groups"]={{}};["name"]="{shown}";}};\n'
        for address, shown in buddies.items())
    file = data / "localhost/roster" / f"{name}.dat"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f'return {{[false]={{["version"]=1;["pending"]={{}};}};\n{items}}};\n')
