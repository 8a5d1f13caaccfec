# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists the slowest tests of the last run, from the logs of Tests/run.sh: seconds, test and log.

Tests of the row `calls` run in parallel, so that the time of each one includes its neighbours.

    slow_tests.py FOLDER [NUMBER]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_XCTEST = re.compile(r"^Test Case '([^']+)' (?:passed|failed) \(([\d.]+) seconds\)")
_SWIFT_TESTING = re.compile(
    r"^\S+ {1,2}Test (?!run |case )(.+?)(?: with \d+ test cases?)? (?:passed|failed) after ([\d.]+) seconds"
)


def times(log: str) -> list[tuple[float, str]]:
    """Return the seconds and the name of each test in a log."""
    found = (_XCTEST.match(line) or _SWIFT_TESTING.match(line) for line in log.splitlines())
    return [(float(match.group(2)), match.group(1)) for match in found if match]


def main() -> int:
    folder = Path(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    logs = sorted(folder.glob("*.log"))
    tests = [(seconds, name, log.stem) for log in logs for seconds, name in times(log.read_text(errors="replace"))]
    if not tests:
        print(f"There are no times in {folder}: run make test first.", file=sys.stderr)
        return 1
    for seconds, name, log in sorted(tests, reverse=True)[:number]:
        print(f"{seconds:8.1f}  {name}  ({log})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
