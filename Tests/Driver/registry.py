# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from session import Session

Scenario = Callable[[Session, Path], None]
SCENARIOS: dict[str, Scenario] = {}
#: The scenarios that also run in a Wayland session.
ON_WAYLAND: dict[str, Scenario] = {}


def scenario(test: Scenario) -> Scenario:
    """Register a scenario under its function's name."""
    SCENARIOS[test.__name__] = test
    return test


#: The scenarios that run by name alone.
BY_NAME: dict[str, Scenario] = {}


def by_name(test: Scenario) -> Scenario:
    """Register a scenario that no list has: it needs a quick machine with nothing else to do."""
    BY_NAME[test.__name__] = test
    return test


def on_wayland(test: Scenario) -> Scenario:
    """Register a scenario for Wayland sessions too. It must need neither a pointer nor held keys."""
    ON_WAYLAND[test.__name__] = test
    return test
