# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of scenarios, which their modules add to."""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from session import Session

Scenario = Callable[[Session, Path], None]
SCENARIOS: dict[str, Scenario] = {}
#: Those that also run in a Wayland session.
ON_WAYLAND: dict[str, Scenario] = {}


def scenario(test: Scenario) -> Scenario:
    """Registers a scenario under its function's name."""
    SCENARIOS[test.__name__] = test
    return test


def on_wayland(test: Scenario) -> Scenario:
    """Registers a scenario for a Wayland session too: it needs no pointer, and no key that is held down."""
    ON_WAYLAND[test.__name__] = test
    return test
