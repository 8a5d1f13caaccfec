# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the memory of a running phone grows with what it does, and not only swings.

As a command, it takes the name of a program and its sizes in MiB, one for each round, and prints what is too much.
"""

from __future__ import annotations

import sys
from itertools import combinations
from statistics import median
from typing import Mapping, Sequence

#: KiB of anonymous memory that a program may gain in each round: what libraries keep at each lock and of each connection,
#: and the messages that the open conversation has loaded.
EACH_ROUND = 24.0
#: MiB by which a series may end higher by chance, and by the caches that fill in the first rounds.
SWING = 2.0


class MemoryTrend:
    """The anonymous memory of each program after each round.

    Pages of files are left out: how many of them are in memory, and who else has them, changes with the whole machine.
    """

    def __init__(self) -> None:
        """Begin without a round."""
        self._sizes: dict[str, list[float]] = {}
        self._rounds = 0

    def add(self, sizes: Mapping[str, float]) -> None:
        """Note the MiB that each program has after a round."""
        self._rounds += 1
        for name, size in sizes.items():
            self._sizes.setdefault(name, []).append(size)

    def growth(self) -> dict[str, float]:
        """Return by how many MiB each program that was there after each round has grown over all rounds."""
        return {name: risen(sizes) for name, sizes in self._sizes.items() if len(sizes) == self._rounds}

    def excess(self) -> list[str]:
        """Return the growth that is more than the bounds allow."""
        return [
            f"memory of {name} has grown by {grown:.1f} MiB in {self._rounds} rounds, more than {self._allowed():.1f}"
            for name, grown in self.growth().items() if grown > self._allowed()
        ]

    def _allowed(self) -> float:
        return EACH_ROUND / 1024 * self._rounds + SWING


def risen(values: Sequence[float]) -> float:
    """Return by how much a series has risen from its beginning to its end, as its median slope says.

    Neither a peak nor a low beginning or end changes the median of the slopes between all pairs (Theil and Sen).
    """
    if len(values) < 2:
        return 0.0
    slopes = [(values[last] - values[first]) / (last - first) for first, last in combinations(range(len(values)), 2)]
    return median(slopes) * (len(values) - 1)


if __name__ == "__main__":
    trend = MemoryTrend()
    for size in sys.argv[2:]:
        trend.add({sys.argv[1]: float(size)})
    print("\n".join(trend.excess()))
